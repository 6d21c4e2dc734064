package compose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// clean makes text that a stored text may hold: valid UTF-8 without control
// characters and byte-order marks, line ends LF. Most text is so already.
func clean(s string) string {
	i := 0
	for i < len(s) && (s[i] >= ' ' && s[i] < 0x7F || s[i] == '\n' || s[i] == '\t') {
		i++
	}
	if i == len(s) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	b.WriteString(s[:i])
	for i < len(s) {
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '\r':
			b.WriteByte('\n')
			if i+1 < len(s) && s[i+1] == '\n' {
				n++
			}
		case r == '\v' || r == '\f' || r == 0x85:
			b.WriteByte('\n')
		case r == '\n' || r == '\t':
			b.WriteRune(r)
		case r == 0xFEFF || unicode.IsControl(r):
		default:
			b.WriteRune(r) // a bad byte is written as U+FFFD
		}
		i += n
	}
	return b.String()
}

// blank says that nothing but white space stands in s.
func blank(s string) bool {
	return strings.TrimFunc(s, unseen) == ""
}

// unseen are white space and the controls that clean drops.
func unseen(r rune) bool {
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == 0xFEFF
}

// hasWords says that some run holds more than white space.
func hasWords(words []Inline) bool {
	for i := range words {
		if !blank(words[i].Text) {
			return true
		}
	}
	return false
}
