package tokens

import (
	"unicode"
	"unicode/utf8"
)

// o200k is the size of the vocabulary of o200k_base without special tokens.
const o200k = 199_998

// O200K reads the vocabulary of o200k_base (GPT-4o and every later model of
// OpenAI), which takes some 40 ms and 20 MB: call it once and share the result.
// Special tokens count as the plain text they are. The error says that the
// program was built with a broken vocabulary.
func O200K() (Tokenizer, error) {
	classes := asciiOf(caseClassOf)
	return newBytePair("o200k_base", o200k, classes.pieceByCase)
}

// caseClassOf is classOf with letters told apart by case, and combining marks
// from other signs.
func caseClassOf(r rune) class {
	switch c := classOf(r); {
	case c == letter && (unicode.IsUpper(r) || unicode.IsTitle(r)):
		return upper
	case c == letter && unicode.IsLower(r):
		return lower
	case c == other && unicode.IsMark(r):
		return mark
	default:
		return c // a letter without case (Lm, Lo) stays a letter
	}
}

// caseAt is at for the classes of o200k_base.
func (a *ascii) caseAt(s string, i int) (class, int) {
	if i >= len(s) {
		return other, i
	}
	if c := s[i]; c < utf8.RuneSelf {
		return a[c], i + 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return caseClassOf(r), i + n
}

// pieceByCase is piece for the published pattern of o200k_base, where U stands
// for [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L for [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C for
// the contractions:
//
//	[^\r\n\p{L}\p{N}]?U*L+C?
//	[^\r\n\p{L}\p{N}]?U+L*C?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func (a *ascii) pieceByCase(s string, i int) int {
	c, end := a.caseAt(s, i)
	switch c {
	case number:
		return a.digits(s, end)
	case newline:
		return a.blank(s, i)
	case other, space, mark:
		// The sign before a word belongs to it. A mark is such a sign, and may
		// also open the word.
		if to := a.word(s, end, true); to > 0 {
			return contracted(s, to)
		}
		if c == mark {
			if to := a.word(s, i, true); to > 0 {
				return contracted(s, to)
			}
		}
		if to := a.word(s, end, false); to > 0 {
			return contracted(s, to)
		}
	default:
		if to := a.word(s, i, true); to > 0 {
			return contracted(s, to)
		}
		return contracted(s, a.word(s, i, false))
	}
	if c == other || c == mark {
		return a.signs(s, end)
	}
	if next, to := a.caseAt(s, end); s[i] == ' ' && (next == other || next == mark) && to > end {
		return a.signs(s, to)
	}
	return a.blank(s, i)
}

// word ends a word that starts at i, or gives 0. With small it must end in
// U*L+: when no lower-case letter follows the run of U, that is where the last
// letter without case or mark of the run ends. Without small it ends in U+L*.
func (a *ascii) word(s string, i int, small bool) int {
	end, caseless := i, 0
	for end < len(s) {
		c, to := a.caseAt(s, end)
		if c == letter || c == mark {
			caseless = to
		} else if c != upper {
			break
		}
		end = to
	}
	if !small {
		if end == i {
			return 0
		}
		return a.small(s, end)
	}
	if c, to := a.caseAt(s, end); c == lower {
		return a.small(s, to)
	}
	return caseless
}

// small ends a run of L.
func (a *ascii) small(s string, i int) int {
	for i < len(s) {
		c, to := a.caseAt(s, i)
		if c != lower && c != letter && c != mark {
			break
		}
		i = to
	}
	return i
}

// signs ends a run of signs and marks and takes the line breaks and slashes
// after it.
func (a *ascii) signs(s string, i int) int {
	for i < len(s) {
		c, to := a.caseAt(s, i)
		if c != other && c != mark {
			break
		}
		i = to
	}
	for i < len(s) && (s[i] == '\r' || s[i] == '\n' || s[i] == '/') {
		i++
	}
	return i
}

// digits ends a number of which one digit was read: three at most.
func (a *ascii) digits(s string, i int) int {
	for range 2 {
		next, to := a.at(s, i)
		if next != number {
			break
		}
		i = to
	}
	return i
}

// contracted takes an English ending after a word.
func contracted(s string, i int) int {
	if i < len(s) && s[i] == '\'' {
		if n := contraction(s[i+1:]); n > 0 {
			return i + 1 + n
		}
	}
	return i
}
