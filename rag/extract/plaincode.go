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
// prose, which letters and old manuals are full of, is a paragraph; so are the
// lines behind a blank one from where they are mostly prose.
func (p *plainReader) code(left int) (rag.Block, bool) {
	l := p.lines[p.i]
	prompt := p.prompt(p.i)
	if !prompt && !p.ledCode(p.i) && (l.indent < max(left, 0)+4 || !p.blankAt(p.i-1)) {
		return rag.Block{}, false
	}
	end := -1
	for next := p.i; next < len(p.lines); {
		last, like := p.codeLines(next, l.indent, prompt)
		if !like {
			break
		}
		end = last
		for next = last + 1; p.blankAt(next) && next < len(p.lines); {
			next++
		}
		if prompt && next > last+1 {
			break
		}
	}
	if end < 0 {
		return rag.Block{}, false
	}
	span := rag.Span{Start: backBlanks(p.src, l.start, 0), End: p.lines[end].end}
	p.i = end + 1
	return rag.Block{Kind: rag.BlockCode, Span: span, Content: span}, true
}

// codeLines looks at the lines from i to the next blank one, as far as they
// may be of one piece of code, and says whether they are like code.
func (p *plainReader) codeLines(i, indent int, prompt bool) (last int, like bool) {
	all, codes := 0, 0
	last = i
	for ; i < len(p.lines) && !p.lines[i].blank() && p.lines[i].indent >= indent; i++ {
		if m, ok := p.marker(i); ok && m.style.kind != styleBullet && p.begins(m, p.blankAt(i-1)) {
			break
		}
		code := codeLike(p.line(i))
		if !code && prompt {
			break
		}
		all++
		if code {
			codes++
		}
		last = i
	}
	return last, all > 0 && codes*10 >= all*6
}

// prompt says that line i begins with the prompt of a shell: "$ ", or "# " when
// it is indented below a line that leads to it.
func (p *plainReader) prompt(i int) bool {
	s := p.line(i)
	switch {
	case bytes.HasPrefix(s, []byte("$ ")):
		return true
	case !bytes.HasPrefix(s, []byte("# ")) || p.lines[i].indent < 2:
		return false
	}
	for i--; i >= 0 && p.lines[i].blank(); {
		i--
	}
	return i >= 0 && p.src[p.lines[i].end-1] == ':'
}

// ledCode says that line i looks like code and stands indented below a line
// that ends in a colon, or further still below any line and is surely code.
func (p *plainReader) ledCode(i int) bool {
	if p.blankAt(i-1) || p.lines[i].indent < p.lines[i-1].indent+4 {
		return false
	}
	if _, item := p.marker(i); item {
		return false
	}
	return codeLike(p.line(i)) && (p.src[p.lines[i-1].end-1] == ':' || surelyCode(p.line(i)))
}

// surelyCode says that a line holds what prose never does: a prompt or a
// command's options.
func surelyCode(s []byte) bool {
	if bytes.HasPrefix(s, []byte("$ ")) || bytes.HasPrefix(s, []byte("sudo ")) {
		return true
	}
	first, _ := utf8.DecodeRune(s)
	if unicode.IsUpper(first) || !unicode.IsLetter(first) && first != '.' && first != '/' {
		return false
	}
	for f := range bytes.FieldsSeq(s) {
		if len(f) > 1 && f[0] == '-' && (isLetter(f[1]) || f[1] == '-' && len(f) > 2 && isLetter(f[2])) || len(f) == 1 && f[0] == '|' {
			return true
		}
	}
	return false
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
