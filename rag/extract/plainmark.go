package extract

import (
	"strings"
	"unicode/utf8"

	"passage/rag/extract/counted"
)

// style is a way to mark items; a list keeps to one.
type style struct {
	kind byte // one of the kinds below
	form rune // the bullet itself, or what stands behind a number: '.', ')', '(' for both sides
	more counted.Style
}

// The kinds of style.
const (
	styleBullet  = 'b'
	styleNumber  = 'n'
	styleStep    = 's'
	styleCounted = 'c' // all other ways of package counted
)

func (s style) ordered() bool { return s.kind != styleBullet }

// mark is the marker of an item.
type mark struct {
	style  style
	number int            // of a bullet: 0
	more   counted.Marker // of styleCounted
	line   int
	end    int // offset after the marker
	words  int // offset of the item's first word, the end of the line when there is none
}

// lookAhead is how many lines a marker in doubt has to find its successor in,
// lookNear how many in the middle of a paragraph.
const (
	lookAhead = 60
	lookNear  = 8
)

// bullets are the signs that begin an item by themselves; weakBullets do only
// in a list.
const (
	bullets     = "-*•–‣◦▪▫●○■□·∙➢➤✓✔☐☑☒"
	weakBullets = "o+"
)

// marker reads the marker that line i begins with, if it looks like one.
func (p *plainReader) marker(i int) (mark, bool) {
	s := p.line(i)
	if len(s) == 0 {
		return mark{}, false
	}
	m := mark{line: i}
	n := m.read(s)
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

// read reads the marker that s begins with and gives its length, 0 when there
// is none.
func (m *mark) read(s []byte) (n int) {
	r, size := utf8.DecodeRune(s)
	switch {
	case strings.ContainsRune(bullets+weakBullets, r):
		m.style = style{kind: styleBullet, form: r}
		return size
	case r == '[':
		if len(s) > 3 && (s[1] == ' ' || s[1]|0x20 == 'x') && s[2] == ']' {
			m.style = style{kind: styleBullet, form: r}
			return 3
		}
		return 0
	}
	if m.style, m.number, n = enumerator(s); n > 0 {
		return n
	}
	c, ok := counted.Read(s)
	if !ok && len(s) < 20 { // "Step 3" with nothing behind
		c, ok = counted.Read(append(s[:len(s):len(s)], ':'))
		ok = ok && c.IsStep() && c.Len == len(s)+1
		c.Len--
	}
	if !ok {
		return 0
	}
	if also, ok := c.Roman(); ok && also.Number == 1 {
		c = also
	}
	m.more, m.number = c, c.Number
	m.style = style{kind: styleCounted, more: c.Style()}
	if c.IsStep() {
		m.style = style{kind: styleStep}
	}
	return c.Len
}

// as reads the marker in a style, if it can be read so: "v)" is a letter or a
// Roman number.
func (m mark) as(s style) (mark, bool) {
	if m.style == s {
		return m, true
	}
	if m.style.kind != styleCounted {
		return m, false
	}
	for _, c := range m.more.Readings() {
		if c.Style() == s.more {
			m.more, m.number, m.style = c, c.Number, s
			return m, s.kind == styleCounted
		}
	}
	return m, false
}

// follows says that m counts on from last, which is of its style.
func (m mark) follows(last mark) bool {
	if m.style.kind == styleCounted {
		return m.more.Follows(&last.more)
	}
	return m.number == last.number+1
}

// enumerator reads "1.", "1)", "(1)" at the start of a line and gives its
// length, 0 when there is none.
func enumerator(s []byte) (st style, number, n int) {
	at := 0
	if s[0] == '(' {
		at = 1
	}
	number, end := readNumber(s, at)
	if end == 0 || end == len(s) || (s[end] != '.' && s[end] != ')') || (at == 1 && s[end] != ')') {
		return style{}, 0, 0
	}
	if end+1 < len(s) && !isSpace(s[end+1]) { // 1.1, 1.a)
		return style{}, 0, 0
	}
	st = style{kind: styleNumber, form: rune(s[end])}
	if at == 1 {
		st.form = '('
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

// begins says that a list may begin with the marker. A text is full of lines
// that only look like items ("5. The dose" in a paragraph that is wrapped, "A.
// Smith"), so that a marker must be certain, stand where a list is expected,
// or be followed by the next one.
func (p *plainReader) begins(m mark, fresh bool) bool {
	for _, open := range p.open {
		if next, ok := m.as(open.style); ok && near(p.lines[open.line].indent, p.lines[m.line].indent) && p.continues(next, open, fresh) {
			return true
		}
	}
	led := !fresh && m.line > 0 && p.src[p.lines[m.line-1].end-1] == ':'
	switch m.style.kind {
	case styleStep:
		return true
	case styleBullet:
		switch {
		case strings.ContainsRune(weakBullets, m.style.form):
			return p.followed(m, lookNear)
		case m.style.form == '[':
			return fresh || led || p.followed(m, lookNear)
		}
		return fresh || led || m.style.form >= utf8.RuneSelf && m.style.form != '–' || p.followed(m, lookAhead)
	case styleNumber:
		if p.continued(m) || p.followed(m, lookAhead) {
			return true
		}
		return m.number <= 1 && (fresh || led) && m.words < p.lines[m.line].end
	}
	if fresh || led {
		return p.continued(m) || m.more.First() && p.followed(m, lookAhead)
	}
	return m.more.First() && p.followed(m, lookNear)
}

// continued says that the last item of the style came just before this one.
func (p *plainReader) continued(m mark) bool {
	if m.style.kind != styleCounted {
		last, ok := p.last[m.style]
		return ok && m.style.ordered() && m.number > 1 && m.follows(last)
	}
	for _, c := range m.more.Readings() {
		st := style{kind: styleCounted, more: c.Style()}
		if last, ok := p.last[st]; ok && c.Follows(&last.more) {
			return true
		}
	}
	return false
}

// followed says that the marker's successor stands in one of the next lines,
// as far to the right as it.
func (p *plainReader) followed(m mark, within int) bool {
	indent := p.lines[m.line].indent
	for i := m.line + 1; i < len(p.lines) && i <= m.line+within; i++ {
		if p.lines[i].blank() || !near(p.lines[i].indent, indent) {
			continue
		}
		next, ok := p.marker(i)
		if !ok {
			continue
		}
		if next, ok = next.as(m.style); ok {
			return !m.style.ordered() || next.follows(m) || (next.number == m.number && m.number == 1)
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
	case next.follows(m), next.number == m.number && m.number <= 1 && m.style.kind == styleNumber:
		return true
	}
	return apart && m.style.kind == styleNumber && next.number > m.number
}
