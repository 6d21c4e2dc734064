package extract

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/extract/names"
)

// heading reads a heading that begins in line i.
func (p *plainReader) heading() (rag.Block, bool) {
	start := p.i
	h, ok := p.headingAt(start)
	for ok && p.i < len(p.lines) && p.lines[p.i].start < h.Span.End {
		p.i++
	}
	if ok && !p.named(start) {
		p.level = h.Level
	}
	return h, ok
}

// headingAt looks whether a heading begins in line i: one with a line of
// signs below (or above and below) or signs around, a numbered one, one in
// capitals, a usual name, or the title of the text.
func (p *plainReader) headingAt(i int) (rag.Block, bool) {
	if i+2 < len(p.lines) && p.rule(i) && p.underlined(i+1) && p.src[p.lines[i].start] == p.src[p.lines[i+2].start] {
		h := p.headingBlock(p.underLevel(i+2), p.lines[i+1].start, p.lines[i+1].end)
		h.Span = rag.Span{Start: p.lines[i].start, End: p.lines[i+2].end}
		return h, true
	}
	l := p.lines[i]
	if p.underlined(i) {
		h := p.headingBlock(p.underLevel(i+1), l.start, l.end)
		h.Span.End = p.lines[i+1].end
		return h, true
	}
	if !p.blankAt(i-1) || l.indent > 3 {
		return rag.Block{}, false
	}
	if start, end, ok := p.banner(i); ok {
		h := p.headingBlock(2, l.start, l.end)
		h.Content = rag.Span{Start: start, End: end}
		if i == p.first {
			h.Level = 1
		}
		return h, true
	}
	if level := p.numberedLevel(i); level > 0 {
		return p.headingBlock(level, l.start, l.end), true
	}
	if i == p.first && p.title(i) {
		return p.headingBlock(1, l.start, l.end), true
	}
	if p.capitals(i) && (p.blankAt(i+1) || !p.capitals(i+1)) {
		h := p.headingBlock(2, l.start, l.end)
		h.Content.End -= len(p.line(i)) - len(bytes.TrimRight(p.line(i), ": "))
		if i == p.first && !bytes.HasSuffix(p.line(i), []byte{':'}) {
			h.Level = 1
		}
		return h, true
	}
	if p.named(i) { // below the heading that it stands under
		h := p.headingBlock(min(max(p.level, 1)+1, 6), l.start, l.end)
		h.Content.End -= len(p.line(i)) - len(bytes.TrimRight(p.line(i), ": "))
		return h, true
	}
	return rag.Block{}, false
}

func (p *plainReader) headingBlock(level, start, end int) rag.Block {
	span := rag.Span{Start: start, End: end}
	return rag.Block{Kind: rag.BlockHeading, Level: level, Span: span, Content: span}
}

// banner reads "=== Title ===", "* * * TITLE * * *": words between two runs of
// one sign.
func (p *plainReader) banner(i int) (start, end int, ok bool) {
	s := p.line(i)
	if len(s) < 9 || strings.IndexByte("=-*#~+_", s[0]) < 0 || s[len(s)-1] != s[0] || p.rule(i) {
		return 0, 0, false
	}
	sign := string([]byte{s[0], ' '})
	words := bytes.Trim(s, sign)
	left, right, _ := bytes.Cut(s, words)
	if bytes.Count(left, s[:1]) < 3 || bytes.Count(right, s[:1]) < 3 || left[len(left)-1] != ' ' || len(words) > 100 {
		return 0, 0, false
	}
	start = p.lines[i].start + len(left)
	return start, start + len(words), true
}

// named says that line i is nothing but a usual name of a section, standing
// alone or, with a colon, above what it names.
func (p *plainReader) named(i int) bool {
	s := p.line(i)
	if len(s) > 60 || isCapitals(s) {
		return false
	}
	if !p.blankAt(i+1) && s[len(s)-1] != ':' {
		if m, ok := p.marker(i + 1); !ok || m.style.kind == styleBullet && !p.followed(m, lookNear) {
			return false
		}
	}
	if first, _ := utf8.DecodeRune(s); !unicode.IsUpper(first) {
		return false
	}
	if last, _ := utf8.DecodeLastRune(s); last != ':' && !unicode.IsLetter(last) && last != ')' {
		return false
	}
	if part := names.Whole(string(s)); part == names.None || part == names.Warning {
		return false
	}
	for _, l := range p.lines[i+1:] { // something must stand under it
		if !l.blank() {
			return true
		}
	}
	return false
}

// underlined says that the line below i is a line of signs about as long as
// line i, which stands alone above it.
func (p *plainReader) underlined(i int) bool {
	if i+1 >= len(p.lines) || p.lines[i].blank() || p.rule(i) {
		return false
	}
	under := p.line(i + 1)
	if len(under) < 3 || strings.IndexByte("=-~^#*._+", under[0]) < 0 || countByte(under, 0, under[0]) != len(under) {
		return false
	}
	width := utf8.RuneCount(p.line(i))
	if under[0] == '.' && len(under) < 6 { // points of omission
		return false
	}
	if width > 120 || len(under)*2 < width || len(under) > width+12 {
		return false
	}
	return p.blankAt(i-1) || p.rule(i-1)
}

func (p *plainReader) underLevel(i int) int {
	switch p.src[p.lines[i].start] {
	case '=', '#', '*':
		return 1
	case '-':
		return 2
	}
	return 3
}

// numbering reads "2.3 " or "2. " at the start of line i: how many numbers,
// and where the words begin. 0 numbers when there is none.
func (p *plainReader) numbering(i int) (parts, words int) {
	s := p.line(i)
	at := 0
	for {
		_, end := readNumber(s, at)
		if end == 0 || end-at > 2 {
			return 0, 0
		}
		parts++
		at = end
		if at >= len(s) || s[at] != '.' {
			break
		}
		at++
		if at >= len(s) || !isDigit(s[at]) {
			break
		}
	}
	words = skipBlanks(s, at, len(s))
	if words == at || words == len(s) {
		return 0, 0
	}
	return parts, p.lines[i].start + words
}

// numberedLevel is the level of a numbered heading, one below that of the
// title; 0 when line i is none. "2.3 Title" is one when it stands alone, "2.
// Title" only in a text that has the other form too, or in capitals: else it
// is far more often an item.
func (p *plainReader) numberedLevel(i int) int {
	if !p.blankAt(i + 1) {
		return 0
	}
	if words, ok := p.chapter(i); ok {
		if p.titled(words, p.lines[i].end) {
			return 2
		}
		return 0
	}
	if !isDigit(p.src[p.lines[i].start]) {
		return 0
	}
	parts, words := p.numbering(i)
	if parts == 0 || !p.titled(words, p.lines[i].end) {
		return 0
	}
	if parts == 1 && !p.outlined && !isCapitals(p.src[words:p.lines[i].end]) {
		return 0
	}
	return min(parts+1, 6)
}

// chapter reads "Chapter 3", "Appendix B: " at the start of a line.
func (p *plainReader) chapter(i int) (words int, ok bool) {
	s := p.line(i)
	word, rest, _ := bytes.Cut(s, []byte{' '})
	switch strings.ToLower(string(word)) {
	case "chapter", "section", "appendix", "annex", "part":
	default:
		return 0, false
	}
	end := 0
	for end < len(rest) && (isDigit(rest[end]) || 'A' <= rest[end] && rest[end] <= 'Z') && end < 4 {
		end++
	}
	if end == 0 || (end < len(rest) && bytes.IndexByte([]byte(" .:"), rest[end]) < 0) {
		return 0, false
	}
	return p.lines[i].start, true
}

// titled says that the words from start to end could be a heading: short,
// beginning like one, and not ending like a sentence.
func (p *plainReader) titled(start, end int) bool {
	s := p.src[start:end]
	if len(s) > 100 || len(bytes.Fields(s)) > 14 {
		return false
	}
	first, _ := utf8.DecodeRune(s)
	return !unicode.IsLower(first) && (unicode.IsLetter(first) || unicode.IsDigit(first)) && endsOpen(s)
}

// endsOpen says that the words do not end like a sentence, a clause or a
// lead-in.
func endsOpen(s []byte) bool {
	last, _ := utf8.DecodeLastRune(s)
	return !strings.ContainsRune(".,;:!。；：", last)
}

// title says that the first line is the title of the text: a short line by
// itself, with more text below.
func (p *plainReader) title(i int) bool {
	s := p.line(i)
	if !p.blankAt(i+1) || len(s) > 180 || len(bytes.Fields(s)) > 25 || !endsOpen(s) || bytes.Contains(s, []byte("://")) {
		return false
	}
	first, _ := utf8.DecodeRune(s)
	if unicode.IsLower(first) || !unicode.IsLetter(first) && !unicode.IsDigit(first) {
		return false
	}
	if m, ok := p.marker(i); ok && (m.style.kind != styleCounted || p.begins(m, true)) {
		return false
	}
	for _, l := range p.lines[i+1:] {
		if !l.blank() {
			return true
		}
	}
	return false
}

// capitals says that line i is a heading in capitals.
func (p *plainReader) capitals(i int) bool {
	s := p.line(i)
	if len(s) > 70 || len(bytes.Fields(s)) > 9 || bytes.IndexByte([]byte(".,;"), s[len(s)-1]) >= 0 {
		return false
	}
	if _, ok := p.marker(i); ok || !isCapitals(s) {
		return false
	}
	switch string(bytes.TrimRight(s, ":!")) {
	case "WARNING", "CAUTION", "NOTE", "IMPORTANT", "DANGER", "NOTICE", "ATTENTION":
		return false // the start of a warning, not of a section
	}
	return true
}

// isCapitals says that the words are mostly letters, four and more of them,
// all capital.
func isCapitals(s []byte) bool {
	var upper, other int
	for i, r := range string(s) {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			return false
		case i == 0 && !unicode.IsDigit(r):
			return false
		case r != ' ':
			other++
		}
	}
	return upper >= 4 && upper*10 >= (upper+other)*6
}
