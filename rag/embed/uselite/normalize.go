package uselite

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// wordMark stands before every word in the vocabulary, in place of a space.
const wordMark = '\u2581'

// symbols is a normalised text: what the tokenizer sees, and where it came
// from. Symbol i comes from the bytes [at[i], at[i+1]) of the source; at has
// one element more, the length of the source. White space belongs to the word
// mark that stands for it, trailing white space to the last symbol. When one
// character of the source becomes several symbols (a ligature, an ellipsis),
// the first of them has its bytes and the others have none.
type symbols struct {
	runes []rune
	at    []int
}

// normalize applies the form NFKC, turns every run of white space into one
// word mark, drops it at both ends, and puts a word mark in front.
//
// The published runtime knows the space U+0020 only, as the library it comes
// from normalises first. Here white space is what Unicode calls so, and
// control characters, the zero-width space and the byte order mark besides.
func normalize(text string) symbols {
	s := symbols{runes: make([]rune, 0, len(text)+1), at: make([]int, 0, len(text)+2)}
	n := normalizer{out: &s, gap: true}
	var buf []byte
	for i := 0; i < len(text); {
		// An ASCII character before another one stays as it is.
		if c := text[i]; c < utf8.RuneSelf && (i+1 == len(text) || text[i+1] < utf8.RuneSelf) {
			n.add(rune(c), i, i+1)
			i++
			continue
		}
		size := norm.NFKC.NextBoundaryInString(text[i:], true)
		buf = norm.NFKC.AppendString(buf[:0], text[i:i+size])
		at := i
		for rest := buf; len(rest) > 0; {
			r, width := utf8.DecodeRune(rest)
			n.add(r, at, i+size)
			at, rest = i+size, rest[width:]
		}
		i += size
	}
	s.at = append(s.at, len(text))
	return s
}

// normalizer appends symbols one by one.
type normalizer struct {
	out *symbols
	gap bool // a word mark is due before the next symbol
	end int  // of the last symbol that was not white space, in the source
}

// add takes a normalised character that stands for the bytes [start, end).
func (n *normalizer) add(r rune, start, end int) {
	if isBlank(r) {
		n.gap = true
		return
	}
	if n.gap {
		n.out.runes = append(n.out.runes, wordMark)
		n.out.at = append(n.out.at, n.end)
		n.gap = false
	}
	n.out.runes = append(n.out.runes, r)
	n.out.at = append(n.out.at, start)
	n.end = end
}

// isBlank says whether r counts as white space.
func isBlank(r rune) bool {
	const zeroWidthSpace, byteOrderMark = '\u200b', '\ufeff'
	if r < utf8.RuneSelf {
		return r <= ' ' || r == 0x7f
	}
	return unicode.IsSpace(r) || unicode.IsControl(r) || r == zeroWidthSpace || r == byteOrderMark
}
