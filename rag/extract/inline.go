package extract

import "strings"

// PlainText gives the words of a piece of Markdown as a reader sees them in a
// heading or a list of results: emphasis, code marks, links, images, known
// HTML elements, footnote marks and backslashes are taken away, entities are
// decoded, white space and quote marks at line starts become one space. What
// only looks like markup (<cluster-name>, snake_case, 2 * 3) stays. It may be
// given any cut of a text: marks without a partner stay.
func PlainText(markdown string) string {
	if !strings.ContainsAny(markdown, "\\`*_[]<&~\n\t") && !strings.Contains(markdown, "  ") {
		return strings.Trim(markdown, " ")
	}
	p := inlineReader{s: markdown, out: make([]byte, 0, len(markdown))}
	p.read()
	return p.finish()
}

// inlineReader writes the words of s to out. Marks of emphasis and brackets
// are written too, as they may turn out to be words; those that are not are
// zeroed in the end.
type inlineReader struct {
	s        string
	i        int
	out      []byte
	runs     [3][]run  // open marks of *, _ and ~
	brackets []bracket // that are open
	noCode   uint64    // bit n: no run of n backticks follows
}

// bracket is an open bracket in out; an image has an exclamation mark before.
type bracket struct {
	at    int
	image bool
}

// run is a run of marks in out.
type run struct{ at, n int }

func (p *inlineReader) read() {
	for p.i < len(p.s) {
		c := p.s[p.i]
		switch c {
		case '\\':
			p.escape()
		case '`':
			p.code()
		case '*', '_', '~':
			p.emphasis(c)
		case '[':
			p.brackets = append(p.brackets, bracket{len(p.out), p.bang()})
			p.out = append(p.out, '[')
			p.i++
		case ']':
			p.bracket()
		case '<':
			p.angle()
		case '&':
			p.entity()
		case ' ', '\t', '\n':
			p.space()
		default:
			p.out = append(p.out, c)
			p.i++
		}
	}
}

// bang says that an exclamation mark without a backslash stands before i.
func (p *inlineReader) bang() bool {
	if p.i == 0 || p.s[p.i-1] != '!' {
		return false
	}
	slashes := 0
	for p.i-2-slashes >= 0 && p.s[p.i-2-slashes] == '\\' {
		slashes++
	}
	return slashes%2 == 0
}

// finish drops the zeroed marks and the white space around.
func (p *inlineReader) finish() string {
	kept := p.out[:0]
	for _, c := range p.out {
		if c == 0 || (c == ' ' && (len(kept) == 0 || kept[len(kept)-1] == ' ')) {
			continue
		}
		kept = append(kept, c)
	}
	return strings.TrimRight(string(kept), " ")
}

func (p *inlineReader) space() {
	newline := false
	for p.i < len(p.s) && (isSpace(p.s[p.i]) || (newline && p.s[p.i] == '>')) {
		newline = newline || p.s[p.i] == '\n'
		p.i++
	}
	p.out = append(p.out, ' ')
}

func (p *inlineReader) escape() {
	p.i++
	if p.i == len(p.s) {
		p.out = append(p.out, '\\')
		return
	}
	if c := p.s[p.i]; isPunctuation(c) {
		p.out = append(p.out, c)
		p.i++
	} else if c != '\n' {
		p.out = append(p.out, '\\')
	}
}

func isPunctuation(c byte) bool {
	return c > ' ' && c < 0x7F && !isDigit(c) && !isLetter(c)
}

// code writes what stands between two runs of backticks of one length.
func (p *inlineReader) code() {
	n := 1
	for p.i+n < len(p.s) && p.s[p.i+n] == '`' {
		n++
	}
	from := p.i + n
	if bit := uint64(1) << min(n, 63); p.noCode&bit == 0 {
		for at := from; at < len(p.s); {
			open := strings.IndexByte(p.s[at:], '`')
			if open < 0 {
				break
			}
			at += open
			m := 1
			for at+m < len(p.s) && p.s[at+m] == '`' {
				m++
			}
			if m == n {
				p.words(p.s[from:at])
				p.i = at + m
				return
			}
			at += m
		}
		p.noCode |= bit
	}
	p.out = append(p.out, p.s[p.i:from]...)
	p.i = from
}

// words writes text without markup; its line ends become spaces.
func (p *inlineReader) words(s string) {
	for i := range len(s) {
		c := s[i]
		if c == '\n' || c == '\t' {
			c = ' '
		}
		p.out = append(p.out, c)
	}
}

// emphasis writes a run of marks and takes it away together with the open run
// that it closes. What may open and close follows CommonMark, section 6.2,
// without its rule of three.
func (p *inlineReader) emphasis(c byte) {
	n := 1
	for p.i+n < len(p.s) && p.s[p.i+n] == c {
		n++
	}
	before, after := byte(' '), byte(' ')
	if p.i > 0 {
		before = p.s[p.i-1]
	}
	if p.i+n < len(p.s) {
		after = p.s[p.i+n]
	}
	r := run{len(p.out), n}
	for range n {
		p.out = append(p.out, c)
	}
	p.i += n
	left := !isSpace(after) && (!isPunctuation(after) || isSpace(before) || isPunctuation(before))
	right := !isSpace(before) && (!isPunctuation(before) || isSpace(after) || isPunctuation(after))
	if c == '_' {
		left, right = left && (!right || isPunctuation(before)), right && (!left || isPunctuation(after))
	}
	if c == '~' && n != 2 {
		return
	}
	open := &p.runs[strings.IndexByte("*_~", c)]
	for right && r.n > 0 && len(*open) > 0 {
		o := &(*open)[len(*open)-1]
		m := min(o.n, r.n)
		p.erase(o.at+o.n-m, m)
		p.erase(r.at, m)
		r.at, r.n, o.n = r.at+m, r.n-m, o.n-m
		if o.n == 0 {
			*open = (*open)[:len(*open)-1]
		}
	}
	if left && r.n > 0 {
		*open = append(*open, r)
	}
}

func (p *inlineReader) erase(at, n int) { clear(p.out[at : at+n]) }
