package compose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// setting is where words stand.
type setting int

const (
	inParagraph setting = iota
	inHeading           // one line; a forced line break is a blank
	inCell              // one line; a forced line break is <br>, a pipe is escaped
)

// piece is a part of a line in one style.
type piece struct {
	text  string
	style Style
	href  string
	image bool
	page  int // that begins with it, 0 for none
}

func (p *piece) plain() bool { return p.style == 0 && p.href == "" && !p.image }

// alike says that two pieces are one run.
func alike(a, b *piece) bool {
	return a.style == b.style && a.href == b.href && !a.image && !b.image && (b.page == 0 || a.style&Mono != 0)
}

// words writes runs of words: the lines of a paragraph, or one line.
func (w *writer) words(runs []Inline, in setting) {
	var buf line
	lines := linesOf(runs, in)
	for i, pieces := range lines {
		buf.reset()
		pieces = buf.write(pieces, in)
		if in == inParagraph {
			first := w.open
			w.begin()
			if p := &pieces[0]; p.href != "" && !p.image && bracketMark(string(buf.out)) >= 0 {
				unlink(pieces)
				buf.reset()
				pieces = buf.write(pieces, in)
			}
			if pieces[0].plain() {
				buf.guardStart(first)
			}
		}
		if in == inHeading {
			buf.guardHeading()
		}
		for _, m := range buf.pages {
			w.page(m.page, len(w.out)+m.at)
		}
		w.out = append(w.out, buf.out...)
		switch {
		case in == inParagraph && i+1 < len(lines):
			w.out = append(w.out, hardBreak(w.out[len(w.out)-1])...)
		case in == inParagraph:
			w.end()
		case i+1 < len(lines):
			w.out = append(w.out, "<br>"...)
		}
	}
}

// hardBreak ends a line behind the character c so that the break stays. Two
// blanks add nothing to the words; but there are readers that pass over them
// behind a mark.
func hardBreak(c byte) string {
	if strings.IndexByte("*_~`)>", c) >= 0 {
		return "\\\n"
	}
	return "  \n"
}

// linesOf makes the lines of runs of words, white space folded, none at the
// ends of lines and of styled runs. Lines without words are left out.
func linesOf(runs []Inline, in setting) [][]piece {
	var (
		lines [][]piece
		cur   []piece
		page  int
	)
	for i := range runs {
		r := &runs[i]
		p := piece{style: r.Style, href: target(r.Href), image: r.Image}
		if r.Page > page && r.Page <= maxPage {
			page = r.Page
			p.page = page
		}
		text := breaks(clean(r.Text))
		if in == inHeading || r.Image {
			text = strings.ReplaceAll(text, "\n", " ")
		}
		if p.image && (blank(text) || p.href == "") {
			p.image, p.href = false, ""
		}
		if p.image {
			p.style = 0
		}
		for {
			before, after, found := strings.Cut(text, "\n")
			p.text = before
			cur = append(cur, p)
			if !found {
				break
			}
			lines = appendLine(lines, cur)
			cur, text, p.page = nil, after, 0
		}
	}
	return appendLine(lines, cur)
}

// breaks makes line feeds of the line separators of Unicode.
func breaks(s string) string {
	if !strings.Contains(s, "\u2028") && !strings.Contains(s, "\u2029") {
		return s
	}
	return strings.NewReplacer("\u2028", "\n", "\u2029", "\n").Replace(s)
}

// merged joins neighbours that are alike, in place. A page that begins in a
// piece without text begins with the next.
func merged(pieces []piece) []piece {
	out := pieces[:0]
	page := 0
	for i := 0; i < len(pieces); {
		p := pieces[i]
		i++
		if p.page == 0 {
			p.page = page
		}
		page = 0
		if p.text == "" {
			page = p.page
			continue
		}
		end, n := i, len(p.text)
		for end < len(pieces) && alike(&p, &pieces[end]) {
			n += len(pieces[end].text)
			end++
		}
		if end > i {
			var b strings.Builder
			b.Grow(n)
			b.WriteString(p.text)
			for _, q := range pieces[i:end] {
				b.WriteString(q.text)
				p.page = max(p.page, q.page)
			}
			p.text = b.String()
			i = end
		}
		out = append(out, p)
	}
	return out
}

// appendLine appends a line that has words, its white space settled.
func appendLine(lines [][]piece, cur []piece) [][]piece {
	cur = merged(cur)
	loose := make([]piece, 0, len(cur))
	for _, p := range cur {
		if p.plain() {
			loose = append(loose, p)
			continue
		}
		core := strings.TrimLeftFunc(p.text, unicode.IsSpace)
		before := p.text[:len(p.text)-len(core)]
		core = strings.TrimRightFunc(core, unicode.IsSpace)
		after := p.text[len(before)+len(core):]
		if before != "" {
			loose = append(loose, piece{text: before, page: p.page})
			p.page = 0
		}
		p.text = core
		loose = append(loose, p, piece{text: after})
	}
	spaced := true // a blank stands before, or the line begins
	words := false
	loose = merged(loose)
	for i := range loose {
		p := &loose[i]
		p.text = folded(p.text, spaced, p.style&Mono != 0 || p.image)
		if p.text != "" {
			spaced = p.text[len(p.text)-1] == ' '
			words = words || !blank(p.text)
		}
	}
	if !words {
		return lines
	}
	for i := len(loose) - 1; i >= 0; i-- {
		last := &loose[i]
		if last.text = strings.TrimRight(last.text, " "); last.text != "" {
			break
		}
	}
	return append(lines, merged(loose))
}

// folded is s with its runs of blanks and tabs as one blank, without one at
// the start when spaced; inside code they stay, as blanks.
func folded(s string, spaced, keep bool) string {
	if !keep && !strings.Contains(s, "  ") && strings.IndexByte(s, '\t') < 0 {
		if spaced {
			s = strings.TrimLeft(s, " ")
		}
		return s
	}
	if keep {
		return strings.ReplaceAll(s, "\t", " ")
	}
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		if c == '\t' {
			c = ' '
		}
		if c == ' ' && spaced {
			continue
		}
		spaced = c == ' '
		b = append(b, c)
	}
	return string(b)
}

// edges are the first and the last character of a piece.
func (p *piece) edges() (first, last rune) {
	first, _ = utf8.DecodeRuneInString(p.text)
	last, _ = utf8.DecodeLastRuneInString(p.text)
	return first, last
}
