package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class is what the patterns distinguish.
type class uint8

const (
	other   class = iota // neither white space, letter nor number
	space                // white space but the line breaks
	newline              // CR and LF
	letter               // \p{L}; of o200k_base only those without case, Lm and Lo
	number               // \p{N}
	upper                // of o200k_base: Lu and Lt
	lower                // of o200k_base: Ll
	mark                 // of o200k_base: \p{M}, which is other for cl100k_base
)

// ascii holds the classes of the first 128 code points.
type ascii [utf8.RuneSelf]class

func asciiOf(classOf func(rune) class) *ascii {
	var a ascii
	for r := range rune(utf8.RuneSelf) {
		a[r] = classOf(r)
	}
	return &a
}

func classOf(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return newline
	case unicode.IsSpace(r):
		return space
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return number
	default:
		return other
	}
}

// at gives the class of the rune at i and where the rune ends. The end of the
// text counts as class other with the end i, so no loop runs past it.
func (a *ascii) at(s string, i int) (class, int) {
	if i >= len(s) {
		return other, i
	}
	if c := s[i]; c < utf8.RuneSelf {
		return a[c], i + 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return classOf(r), i + n
}

// run gives the end of the longest run of runes of class k from i on.
func (a *ascii) run(s string, i int, k class) int {
	for i < len(s) {
		c, end := a.at(s, i)
		if c != k {
			return i
		}
		i = end
	}
	return i
}

// piece gives the end of the piece that starts at i: the unit within which byte
// pairs merge. It is the published pattern of cl100k_base (tiktoken,
// openai_public.py) as a scanner, alternatives in the pattern's order:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)
//	[^\r\n\p{L}\p{N}]?\p{L}+
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func (a *ascii) piece(s string, i int) int {
	c, end := a.at(s, i)
	if s[i] == '\'' {
		if n := contraction(s[i+1:]); n > 0 {
			return i + 1 + n
		}
	}
	switch c {
	case letter:
		return a.run(s, end, letter)
	case number:
		return a.digits(s, end)
	case other, space:
		if next, to := a.at(s, end); next == letter {
			return a.run(s, to, letter)
		}
	case newline:
		return a.blank(s, i)
	default:
	}
	if c == other {
		return a.punctuation(s, end)
	}
	if next, to := a.at(s, end); s[i] == ' ' && next == other && to > end {
		return a.punctuation(s, to)
	}
	return a.blank(s, i)
}

// punctuation ends a run of class other and takes the line breaks after it.
func (a *ascii) punctuation(s string, i int) int {
	return a.run(s, a.run(s, i, other), newline)
}

// blank ends a piece of white space: after the last line break of the run, else
// before its last rune when something follows, else at its end.
func (a *ascii) blank(s string, i int) int {
	afterBreak, last, end := -1, i, i
	for end < len(s) {
		c, to := a.at(s, end)
		if c != space && c != newline {
			break
		}
		if c == newline {
			afterBreak = to
		}
		last, end = end, to
	}
	switch {
	case afterBreak > 0:
		return afterBreak
	case end == len(s) || last == i:
		return end
	default:
		return last
	}
}

// contraction gives the length of the English ending that s starts with.
func contraction(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] | 0x20 {
	case 's', 't', 'm', 'd':
		return 1
	}
	if len(s) < 2 {
		return 0
	}
	switch [2]byte{s[0] | 0x20, s[1] | 0x20} {
	case [2]byte{'r', 'e'}, [2]byte{'v', 'e'}, [2]byte{'l', 'l'}:
		return 2
	}
	return 0
}
