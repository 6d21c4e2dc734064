package extract

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"passage/rag"
)

// fence is how many backticks line i begins with, 0 when it is no fence.
func (p *plainReader) fence(i int) int {
	s := p.line(i)
	if len(s) < 3 || s[0] != '`' {
		return 0
	}
	n := countByte(s, 0, '`')
	if n < 3 || bytes.IndexByte(s[n:], '`') >= 0 {
		return 0
	}
	return n
}

// fencedCode reads code between fences, which people write in plain text too.
func (p *plainReader) fencedCode() (rag.Block, bool) {
	n := p.fence(p.i)
	if n == 0 {
		return rag.Block{}, false
	}
	open := p.lines[p.i]
	shut := p.i + 1
	for shut < len(p.lines) && (p.fence(shut) < n || p.lines[shut].end-p.lines[shut].start != p.fence(shut)) {
		shut++
	}
	blk := rag.Block{Kind: rag.BlockCode, Label: p.text[open.start+n : open.end]}
	blk.Span = rag.Span{Start: open.start, End: open.end}
	blk.Content = rag.Span{Start: open.end, End: open.end}
	last := shut
	if shut == len(p.lines) {
		p.warnings = append(p.warnings, warning{
			open.start,
			"The code fence opened in line %d is never closed; what follows is read as code.",
		})
		for last > p.i+1 && p.lines[last-1].blank() {
			last--
		}
	}
	if last > p.i+1 {
		from := nextLine(p.src, open.end)
		blk.Content = rag.Span{Start: from, End: max(from, p.lines[last-1].end)}
		blk.Span.End = blk.Content.End
	}
	if shut < len(p.lines) {
		blk.Span.End = p.lines[shut].end
		shut++
	}
	p.i = shut
	return blk, true
}

// code reads lines that are indented by four columns and more, or begin with
// a prompt, when most of them look like commands or program text. Indented
// prose, which letters and old manuals are full of, is a paragraph.
func (p *plainReader) code(left int) (rag.Block, bool) {
	l := p.lines[p.i]
	prompt := bytes.HasPrefix(p.line(p.i), []byte("$ "))
	if !prompt && !p.ledCode(p.i) && (l.indent < max(left, 0)+4 || !p.blankAt(p.i-1)) {
		return rag.Block{}, false
	}
	end, all, like := p.i, 0, 0
	for i := p.i; i < len(p.lines); i++ {
		if p.lines[i].blank() {
			if prompt {
				break
			}
			continue
		}
		if p.lines[i].indent < l.indent {
			break
		}
		if m, ok := p.marker(i); ok && m.style.kind != styleBullet && p.begins(m, p.blankAt(i-1)) {
			break
		}
		all++
		if codeLike(p.line(i)) {
			like++
		} else if prompt {
			break
		}
		end = i
	}
	if all == 0 || like*10 < all*6 {
		return rag.Block{}, false
	}
	span := rag.Span{Start: backBlanks(p.src, l.start, 0), End: p.lines[end].end}
	p.i = end + 1
	return rag.Block{Kind: rag.BlockCode, Span: span, Content: span}, true
}

// ledCode says that line i looks like code and stands indented below a line
// that ends in a colon.
func (p *plainReader) ledCode(i int) bool {
	if p.blankAt(i-1) || p.src[p.lines[i-1].end-1] != ':' || p.lines[i].indent < p.lines[i-1].indent+4 {
		return false
	}
	_, item := p.marker(i)
	return !item && codeLike(p.line(i))
}

// codeLike says that a line is more likely a command, a setting or program
// text than prose.
func codeLike(s []byte) bool {
	for _, start := range []string{"$ ", "# ", "./", "/", "~/", "--", "//", "sudo ", "#!"} {
		if bytes.HasPrefix(s, []byte(start)) {
			return true
		}
	}
	if prose(s) {
		return false
	}
	signs := 0
	for i, c := range s {
		switch c {
		case '{', '}', '[', ']', '<', '>', '|', '&', ';', '$', '=', '\\', '@', '_', '"':
			signs++
		case '-', '/':
			if i > 0 && s[i-1] == ' ' && i+1 < len(s) && s[i+1] != ' ' {
				signs += 2
			}
		}
	}
	if signs >= 2 {
		return true
	}
	last := s[len(s)-1]
	if last == '{' || last == ';' || last == '\\' || last == '}' {
		return true
	}
	first, _ := utf8.DecodeRune(s)
	return !unicode.IsUpper(first) && len(s) <= 100 && bytes.IndexByte([]byte(".,:?!"), last) < 0
}

// prose says that a line is mostly words, seven and more of them.
func prose(s []byte) bool {
	words, all := 0, 0
	for f := range bytes.FieldsSeq(s) {
		all++
		f = bytes.Trim(f, ".,;:!?()\"'")
		letters := 0
		for letters < len(f) && (isLetter(f[letters]) || f[letters] >= utf8.RuneSelf) {
			letters++
		}
		if letters == len(f) && letters > 0 {
			words++
		}
	}
	return words >= 7 && words*5 >= all*4
}
