package extract

import (
	"bytes"
	"strings"
	"unicode/utf8"
)

// style is a way to mark items; a list keeps to one.
type style struct {
	kind byte // one of the kinds below
	form rune // the bullet itself, or what stands behind a number: '.', ')', '(' for both sides
}

// The kinds of style.
const (
	styleBullet = 'b'
	styleNumber = 'n'
	styleLower  = 'a'
	styleUpper  = 'A'
	styleRoman  = 'i'
	styleStep   = 's'
)

func (s style) ordered() bool { return s.kind != styleBullet }

// mark is the marker of an item.
type mark struct {
	style  style
	number int // of a bullet: 0
	line   int
	end    int // offset after the marker
	words  int // offset of the item's first word, the end of the line when there is none
}

// lookAhead is how many lines a marker in doubt has to find its successor in.
const lookAhead = 60

// marker reads the marker that line i begins with, if it looks like one.
func (p *plainReader) marker(i int) (mark, bool) {
	s := p.line(i)
	if len(s) == 0 {
		return mark{}, false
	}
	m := mark{line: i}
	var n int // length of the marker
	switch c := s[0]; {
	case c == '-' || c == '*' || c >= utf8.RuneSelf:
		r, size := utf8.DecodeRune(s)
		if !strings.ContainsRune("-*•–‣◦▪▫●○■□·∙➢➤✓✔", r) {
			return mark{}, false
		}
		m.style, n = style{styleBullet, r}, size
	case c|0x20 == 's' && len(s) > 5 && strings.EqualFold(string(s[:5]), "step "):
		m.style.kind = styleStep
		m.number, n = readNumber(s, 5)
		if n > 0 && n < len(s) && bytes.IndexByte([]byte(".:)"), s[n]) >= 0 {
			n++
		} else if n > 0 && n < len(s) {
			rest := bytes.TrimLeft(s[n:], " ")
			if len(rest) == 0 || (rest[0] != '-' && !bytes.HasPrefix(rest, []byte("–")) && !bytes.HasPrefix(rest, []byte("—"))) {
				return mark{}, false
			}
			_, size := utf8.DecodeRune(rest)
			n = len(s) - len(rest) + size
		}
	default:
		m.style, m.number, n = enumerator(s)
	}
	if n == 0 || (n < len(s) && !isSpace(s[n])) {
		return mark{}, false
	}
	l := p.lines[i]
	m.end = l.start + n
	m.words = skipBlanks(p.src, m.end, l.end)
	if m.words == l.end && m.style.kind != styleStep && m.style.kind != styleNumber {
		return mark{}, false
	}
	return m, true
}

// enumerator reads "1.", "1)", "(1)", "a.", "(b)", "iv)" at the start of a
// line and gives its length, 0 when there is none.
func enumerator(s []byte) (st style, number, n int) {
	at := 0
	if s[0] == '(' {
		at = 1
	}
	end := at
	for end < len(s) && end-at < 5 && (isDigit(s[end]) || isLetter(s[end])) {
		end++
	}
	if end == at || end == len(s) || (s[end] != '.' && s[end] != ')') || (at == 1 && s[end] != ')') {
		return style{}, 0, 0
	}
	st.form = rune(s[end])
	if at == 1 {
		st.form = '('
	}
	body := s[at:end]
	switch {
	case isDigit(body[0]):
		st.kind = styleNumber
		number, n = readNumber(body, 0)
		if n != len(body) {
			return style{}, 0, 0
		}
	case len(body) == 1 && body[0] != 'i':
		st.kind, number = styleLower, int(body[0]-'a')+1
		if body[0] < 'a' {
			st.kind, number = styleUpper, int(body[0]-'A')+1
		}
	default:
		st.kind, number = styleRoman, roman(body)
		if number == 0 {
			return style{}, 0, 0
		}
	}
	return st, number, end + 1
}

// readNumber reads up to three digits at s[at] and gives the offset after
// them, 0 when there are none or more.
func readNumber(s []byte, at int) (number, end int) {
	end = at
	for end < len(s) && isDigit(s[end]) && end-at < 4 {
		number = number*10 + int(s[end]-'0')
		end++
	}
	if end == at || end-at > 3 {
		return 0, 0
	}
	return number, end
}

// roman reads a small number from i to xxxix in lower case, 0 when it is none.
func roman(s []byte) int {
	n := 0
	for i, c := range s {
		v := strings.IndexByte("ivx", c)
		if v < 0 {
			return 0
		}
		v = []int{1, 5, 10}[v]
		if i+1 < len(s) && v == 1 && (s[i+1] == 'v' || s[i+1] == 'x') {
			v = -1
		}
		n += v
	}
	return n
}

// begins says that a list may begin with the marker. A text is full of lines
// that only look like items ("5. The dose" in a paragraph that is wrapped, "A.
// Smith"), so that a marker must be certain, stand where a list is expected,
// or be followed by the next one.
func (p *plainReader) begins(m mark, fresh bool) bool {
	for _, open := range p.open {
		if open.style == m.style && near(p.lines[open.line].indent, p.lines[m.line].indent) && p.continues(m, open, fresh) {
			return true
		}
	}
	led := !fresh && m.line > 0 && p.src[p.lines[m.line-1].end-1] == ':'
	switch m.style.kind {
	case styleStep:
		return true
	case styleBullet:
		return fresh || led || m.style.form >= utf8.RuneSelf && m.style.form != '–' || p.continued(m) || p.followed(m)
	case styleNumber:
		if p.continued(m) || p.followed(m) {
			return true
		}
		return m.number <= 1 && (fresh || led) && m.words < p.lines[m.line].end
	}
	return p.continued(m) || m.number == 1 && p.followed(m)
}

// continued says that the last item of the style came just before this one.
func (p *plainReader) continued(m mark) bool {
	last, ok := p.last[m.style]
	return ok && m.style.ordered() && m.number > 1 && m.number == last+1
}

// followed says that the marker's successor stands in one of the next lines,
// as far to the right as it.
func (p *plainReader) followed(m mark) bool {
	indent := p.lines[m.line].indent
	for i := m.line + 1; i < len(p.lines) && i <= m.line+lookAhead; i++ {
		if p.lines[i].blank() || !near(p.lines[i].indent, indent) {
			continue
		}
		if next, ok := p.marker(i); ok && next.style == m.style {
			return !m.style.ordered() || next.number == m.number+1 || (next.number == m.number && m.number == 1)
		}
	}
	return false
}

// continues says that next is the item after m; apart means that a blank line
// stands between them.
func (p *plainReader) continues(next, m mark, apart bool) bool {
	switch {
	case !m.style.ordered(), m.style.kind == styleStep:
		return true
	case next.number == m.number+1, next.number == m.number && m.number <= 1:
		return true
	}
	return apart && m.style.kind == styleNumber && next.number > m.number
}
