package counted

import (
	"bytes"
	"strings"
)

// Read reads the marker that a line begins with. It gives false for anything
// that cannot be one, and for the markers that CommonMark knows.
func Read(line []byte) (Marker, bool) {
	if len(line) < 2 {
		return Marker{}, false
	}
	var m Marker
	switch c := line[0]; {
	case c == '(':
		m = bracketed(line)
	case isDigit(c):
		m = numbered(line)
	case isLetter(c):
		switch d := line[1]; {
		case d == '.' || d == ')' || isRoman(c) && isRoman(d):
			m = lettered(line)
		case maySayStep(c, d):
			m = stepped(line)
		}
	case c == 0xC3: // é, É
		m = stepped(line)
	}
	if m.Len == 0 || m.Len < len(line) && !isBlank(line[m.Len]) {
		return Marker{}, false
	}
	m.words = len(bytes.TrimLeft(line[m.Len:], " \t\n")) > 0
	m.Number = int(m.parts[m.style.depth-1])
	return m, true
}

func isRoman(c byte) bool {
	c |= 0x20
	return c == 'i' || c == 'v' || c == 'x' || c == 'l'
}

// maySayStep says that a word of stepWords may begin with two letters; nearly
// every line of prose is turned away here.
func maySayStep(c, d byte) bool {
	d |= 0x20
	switch c | 0x20 {
	case 's':
		return d == 't' || d == 'c'
	case 'e':
		return d == 't'
	case 'p':
		return d == 'a'
	}
	return false
}

// bracketed reads "(1)", "(a)", "(iv)".
func bracketed(line []byte) Marker {
	var m Marker
	switch c := line[1]; {
	case isDigit(c):
		n, end := digits(line, 1)
		m.style.kind, m.parts[0], m.Len = number, n, end
	case isLetter(c):
		m = word(line, 1)
	}
	if m.Len == 0 || m.Len >= len(line) || line[m.Len] != ')' {
		return Marker{}
	}
	m.Len++
	m.style.depth, m.style.form = 1, '('
	return m
}

// lettered reads "a.", "B)", "iv.".
func lettered(line []byte) Marker {
	if len(line) > 2 && line[0] <= 'Z' && line[1] == '.' && isDigit(line[2]) {
		return appendixed(line)
	}
	m := word(line, 0)
	if m.Len == 0 || m.Len >= len(line) || line[m.Len] != '.' && line[m.Len] != ')' {
		return Marker{}
	}
	m.style.depth, m.style.form = 1, line[m.Len]
	m.Len++
	return m
}

// appendixed reads "A.1", "B.2.3)".
func appendixed(line []byte) Marker {
	m := Marker{style: Style{kind: appendix, depth: 1}}
	m.parts[0] = int16(line[0]-'A') + 1
	at := 1
	for m.style.depth < maxParts && at+1 < len(line) && line[at] == '.' && isDigit(line[at+1]) {
		n, end := digits(line, at+1)
		if end == 0 {
			return Marker{}
		}
		m.parts[m.style.depth] = n
		m.style.depth++
		at = end
	}
	if at < len(line) && (line[at] == '.' || line[at] == ')') {
		m.style.form = line[at]
		at++
	}
	m.Len = at
	return m
}

// word reads one letter, or a Roman number of several; its Len is where it
// ends.
func word(line []byte, at int) Marker {
	var m Marker
	c := line[at]
	end := at + 1
	for end < len(line) && end-at < 8 && isLetter(line[end]) {
		end++
	}
	n := romanNumber(line[at:end])
	m.style.kind = lower
	if c < 'a' {
		m.style.kind = upper
	}
	switch {
	case end == at+1:
		m.parts[0], m.also = int16(c|0x20-'a')+1, n
	case n > 0:
		m.style.kind += roman - lower
		m.parts[0] = int16(n)
	default:
		return Marker{}
	}
	m.Len = end
	return m
}

// romanNumber reads a number of Roman digits below 90, all small or all
// capital; 0 when it is none or is not written as usual.
func romanNumber(s []byte) int {
	total, last := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		var v int
		switch s[i] | 0x20 {
		case 'i':
			v = 1
		case 'v':
			v = 5
		case 'x':
			v = 10
		case 'l':
			v = 50
		default:
			return 0
		}
		if s[i]&0x20 != s[0]&0x20 {
			return 0
		}
		if v < last {
			v = -v
		}
		total += v
		last = max(last, v)
	}
	if total < 1 || total >= 90 || !strings.EqualFold(string(s), Roman(total)) {
		return 0
	}
	return total
}

// numbered reads "1.1", "2.3.4)", "1.a)", "3b.".
func numbered(line []byte) Marker {
	var m Marker
	at, depth := 0, 0
	for depth < maxParts {
		n, end := digits(line, at)
		if end == 0 {
			break
		}
		m.parts[depth] = n
		depth++
		at = end
		if at+1 >= len(line) || line[at] != '.' || !isDigit(line[at+1]) && !isLetter(line[at+1]) {
			break
		}
		at++
	}
	m.style.kind = decimal
	if depth > 0 && depth < maxParts && at < len(line) && 'a' <= line[at] && line[at] <= 'z' {
		m.style.kind = letters
		m.parts[depth] = int16(line[at]-'a') + 1
		depth++
		at++
	}
	if depth < 2 {
		return Marker{}
	}
	if at < len(line) && (line[at] == '.' || line[at] == ')') {
		m.style.form = line[at]
		at++
	} else if m.style.kind == letters {
		return Marker{}
	}
	m.style.depth, m.Len = uint8(depth), at
	if m.style.form == 0 && isAddress(m.parts[:depth]) {
		return Marker{}
	}
	return m
}

// isAddress says that four numbers are those of a host, not of a heading.
func isAddress(parts []int16) bool {
	if len(parts) != 4 || parts[0] >= 10 {
		return len(parts) == 4
	}
	for _, p := range parts {
		if p == 0 || p > 99 {
			return true
		}
	}
	return false
}

// digits reads up to three digits and gives where they end, 0 when there are
// none or more.
func digits(line []byte, at int) (n int16, end int) {
	end = at
	for end < len(line) && isDigit(line[end]) && end-at < 4 {
		n = n*10 + int16(line[end]-'0')
		end++
	}
	if end == at || end-at > 3 {
		return 0, 0
	}
	return n, end
}

// skipSpaces moves on over blanks, also those that no line breaks at.
func skipSpaces(line []byte, at int) int {
	for at < len(line) {
		switch {
		case line[at] == ' ':
			at++
		case line[at] == 0xC2 && at+1 < len(line) && line[at+1] == 0xA0:
			at += 2
		default:
			return at
		}
	}
	return at
}

func isDigit(c byte) bool  { return '0' <= c && c <= '9' }
func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }
func isBlank(c byte) bool  { return c == ' ' || c == '\t' || c == '\n' }
