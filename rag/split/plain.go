package split

import (
	"html"
	"strings"
	"unicode"
	"unicode/utf8"
)

// plainText gives the words of inline Markdown: without emphasis, code marks,
// link targets, footnote marks, tags and escapes, and with white space as
// single blanks. Signs that are no markup stay as they are: "*.md", "a_b",
// "<node>".
func plainText(s string) string {
	if !strings.ContainsAny(s, "*_~`[<\\&>\n\t") && !strings.Contains(s, "  ") {
		return strings.TrimSpace(s)
	}
	p := plainer{s: s}
	p.out.Grow(len(s))
	for i := 0; i < len(s); {
		i = p.step(i)
	}
	return p.out.String()
}

// reachOfMarks is how far, in bytes, the end of emphasis or of a link is
// searched for.
const reachOfMarks = 600

type plainer struct {
	s     string
	out   strings.Builder
	space bool                     // white space is owed before the next word
	drop  []struct{ from, to int } // ends of marks whose starts were dropped
}

// step handles the byte or mark at i and gives the place after it.
func (p *plainer) step(i int) int {
	for _, d := range p.drop {
		if i >= d.from && i < d.to {
			return d.to
		}
	}
	switch c := p.s[i]; c {
	case ' ', '\t', '\n', '\r':
		p.space = true
		return p.quoteMarks(i)
	case '\\':
		if i+1 < len(p.s) && p.s[i+1] < utf8.RuneSelf && unicode.IsPunct(rune(p.s[i+1])) {
			i++
		}
	case '`':
		return p.code(i)
	case '*', '_', '~':
		if end := p.emphasis(i); end > i {
			return end
		}
	case '!':
		if i+1 < len(p.s) && p.s[i+1] == '[' && p.linkEnd(i+1) > 0 {
			return i + 1
		}
	case '[':
		if end := p.link(i); end > i {
			return end
		}
	case '<':
		if end := p.tag(i); end > i {
			return end
		}
	case '&':
		if end := strings.IndexByte(p.s[i:min(len(p.s), i+10)], ';'); end > 0 {
			p.write(html.UnescapeString(p.s[i : i+end+1]))
			return i + end + 1
		}
	}
	_, n := utf8.DecodeRuneInString(p.s[i:])
	p.write(p.s[i : i+n])
	return i + n
}

func (p *plainer) write(s string) {
	if p.space && p.out.Len() > 0 {
		p.out.WriteByte(' ')
	}
	p.space = false
	p.out.WriteString(s)
}

// quoteMarks skips the ">" at the start of a line of a quote.
func (p *plainer) quoteMarks(i int) int {
	next := i + 1
	if p.s[i] != '\n' {
		return next
	}
	for j := next; j < len(p.s) && (p.s[j] == ' ' || p.s[j] == '>'); j++ {
		if p.s[j] == '>' {
			next = j + 1
		}
	}
	return next
}

func (p *plainer) run(i int) int {
	n := 1
	for i+n < len(p.s) && p.s[i+n] == p.s[i] {
		n++
	}
	return n
}

// code copies what stands between marks of code as it is.
func (p *plainer) code(i int) int {
	n := p.run(i)
	for j := i + n; j < len(p.s); {
		if p.s[j] != '`' {
			j++
			continue
		}
		m := p.run(j)
		if m == n {
			for k, word := range strings.Fields(p.s[i+n : j]) {
				p.space = p.space || k > 0
				p.write(word)
			}
			return j + n
		}
		j += m
	}
	p.write(p.s[i : i+n])
	return i + n
}

// emphasis drops the marks at i when they open emphasis that is closed; else it
// gives i.
func (p *plainer) emphasis(i int) int {
	c, n := p.s[i], p.run(i)
	if c == '~' && n != 2 || n > 3 || i+n >= len(p.s) || isBlank(p.s[i+n]) || c == '_' && i > 0 && isWordByte(p.s[i-1]) {
		return i
	}
	for j := i + n; j < len(p.s) && j < i+reachOfMarks; {
		if p.s[j] != c {
			j++
			continue
		}
		m := p.run(j)
		after := byte(' ')
		if j+m < len(p.s) {
			after = p.s[j+m]
		}
		if m == n && !isBlank(p.s[j-1]) && p.s[j-1] != '\\' && (c != '_' || !isWordByte(after)) {
			p.drop = append(p.drop, struct{ from, to int }{j, j + m})
			return i + n
		}
		j += m
	}
	return i
}

func isWordByte(c byte) bool { return c >= utf8.RuneSelf || isWord(rune(c)) }

// link drops the bracket at i and the target of the link that it opens, or a
// footnote mark; else it gives i.
func (p *plainer) link(i int) int {
	if strings.HasPrefix(p.s[i:], "[^") {
		if end := strings.IndexByte(p.s[i:min(len(p.s), i+40)], ']'); end > 2 {
			return i + end + 1
		}
	}
	closing := p.matching(i)
	end := p.linkEnd(i)
	if end == 0 {
		return i
	}
	p.drop = append(p.drop, struct{ from, to int }{closing, end})
	return i + 1
}

// linkEnd gives the end of the link whose text opens at i, 0 when it is none.
func (p *plainer) linkEnd(i int) int {
	closing := p.matching(i)
	if closing < 0 || closing+1 >= len(p.s) || p.s[closing+1] != '(' && p.s[closing+1] != '[' {
		return 0
	}
	end := p.matching(closing + 1)
	if end < 0 {
		return 0
	}
	return end + 1
}

// matching finds the bracket that closes the one at i, -1 when it is not near.
func (p *plainer) matching(i int) int {
	opening, closing, level := p.s[i], byte(']'), 0
	if opening == '(' {
		closing = ')'
	}
	for j := i; j < len(p.s) && j < i+reachOfMarks; j++ {
		switch p.s[j] {
		case '\\':
			j++
		case opening:
			level++
		case closing:
			if level--; level == 0 {
				return j
			}
		}
	}
	return -1
}

// tag drops the tag of HTML or the brackets of the address at i. An unknown
// name is a placeholder that the reader must fill in, and stays.
func (p *plainer) tag(i int) int {
	if strings.HasPrefix(p.s[i:], "<!--") {
		if end := strings.Index(p.s[i:], "-->"); end > 0 {
			p.space = true
			return i + end + 3
		}
		return i
	}
	end := strings.IndexByte(p.s[i:min(len(p.s), i+reachOfMarks)], '>')
	if end < 0 {
		return i
	}
	inner := p.s[i+1 : i+end]
	if strings.Contains(inner, "://") && !strings.ContainsAny(inner, " \n") {
		p.write(inner)
		return i + end + 1
	}
	name := strings.ToLower(strings.TrimPrefix(inner, "/"))
	if cut := strings.IndexFunc(name, func(r rune) bool { return r > 'z' || r < 'a' && (r < '0' || r > '9') }); cut >= 0 {
		name = name[:cut]
	}
	switch name {
	case "br", "p", "div", "li", "ul", "ol", "td", "th", "tr", "table", "thead", "tbody", "hr", "pre", "blockquote", "details", "summary", "center", "h1", "h2", "h3", "h4", "h5", "h6", "img":
		p.space = true
	case "a", "b", "i", "u", "s", "em", "strong", "code", "kbd", "sub", "sup", "span", "small", "del", "ins", "mark", "font", "tt", "var", "abbr", "samp":
	default:
		return i
	}
	return i + end + 1
}
