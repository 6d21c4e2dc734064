package tokens

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// word is one word, sign or ideograph of a text as WordPiece looks it up.
type word struct {
	text []byte // normalised: in lower case and without accents, perhaps
	from []character
	end  int  // of the word in the source, with what was dropped after it
	done bool // nothing may be added: a sign, an ideograph
	rest bool // what came before in the same word was given already
}

// mostHeld is how many characters of a word are held; a longer word is given in
// parts, all of them long.
const mostHeld = 4_096

// long says that the word is not looked up.
func (w *word) long() bool { return w.rest || len(w.from) > longestWord }

// character is a normalised character: where it starts in the word, and where
// the one it comes from starts in the source.
type character struct{ text, source int }

// offset is where the character of that number starts in the word's text.
func (w *word) offset(n int) int {
	if n == len(w.from) {
		return len(w.text)
	}
	return w.from[n].text
}

// endOf is where the first n characters end in the source. When the next one
// comes from the same character of the source, that is where this one starts.
func (w *word) endOf(n int) int {
	if n == len(w.from) {
		return w.end
	}
	return w.from[n].source
}

// kind is what a character does to words.
type kind uint8

const (
	kindLetter kind = iota // part of a word
	kindBlank              // between words
	kindSign               // a word of its own
	kindGone               // dropped
)

// kindOf classifies as BERT's cleaning and splitting do: white space first, then
// control, format and private characters, then punctuation, for which all ASCII
// signs count.
func kindOf(r rune) kind {
	switch {
	case r == '\t' || r == '\n' || r == '\r':
		return kindBlank
	case r == utf8.RuneError || unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		return kindGone
	case unicode.IsSpace(r):
		return kindBlank
	case unicode.IsPunct(r) || r < utf8.RuneSelf && unicode.IsSymbol(r):
		return kindSign
	default:
		return kindLetter
	}
}

// ideographs are the characters that BERT puts spaces around: the unified and
// compatible ideographs as they were in Unicode 8.
var ideographs = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x3400, Hi: 0x4dbf, Stride: 1}, {Lo: 0x4e00, Hi: 0x9fff, Stride: 1}, {Lo: 0xf900, Hi: 0xfaff, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x20000, Hi: 0x2a6df, Stride: 1}, {Lo: 0x2a700, Hi: 0x2b73f, Stride: 1}, {Lo: 0x2b740, Hi: 0x2b81f, Stride: 1}, {Lo: 0x2b820, Hi: 0x2ceaf, Stride: 1}, {Lo: 0x2f800, Hi: 0x2fa1f, Stride: 1}},
}

// asciiKinds holds the kinds of the first 128 code points.
var asciiKinds = func() (kinds [utf8.RuneSelf]kind) {
	for r := range kinds {
		kinds[r] = kindOf(rune(r))
	}
	return kinds
}()

// words gives the words of a text. The word is reused.
func (w *wordPiece) words(text string, give func(*word)) {
	r := reader{fold: w.fold, give: give}
	for i := 0; i < len(text); {
		c, size := rune(text[i]), 1
		if c < utf8.RuneSelf {
			r.ascii(c, i)
		} else {
			c, size = utf8.DecodeRuneInString(text[i:])
			r.other(c, text, i, size)
		}
		i += size
	}
	r.flush()
}

// reader collects a word character by character.
type reader struct {
	word
	fold   bool
	give   func(*word)
	buffer []byte
}

// flush ends the word.
func (r *reader) flush() {
	if len(r.from) > 0 {
		r.give(&r.word)
	}
	r.word = word{text: r.text[:0], from: r.from[:0]}
}

// drop lets a character go with the word before it.
func (r *reader) drop(end int) {
	if len(r.from) > 0 {
		r.end = end
	}
}

// add appends a normalised character that stands for the bytes [start, end).
func (r *reader) add(c rune, k kind, start, end int) {
	if r.done || k == kindSign {
		r.flush()
	}
	if len(r.from) == mostHeld {
		r.flush()
		r.rest = true
	}
	r.from = append(r.from, character{len(r.text), start})
	r.text = utf8.AppendRune(r.text, c)
	r.end = end
	r.done = k == kindSign
}

func (r *reader) ascii(c rune, at int) {
	switch k := asciiKinds[c]; k {
	case kindBlank:
		r.flush()
	case kindGone:
		r.drop(at + 1)
	default:
		if r.fold && 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		r.add(c, k, at, at+1)
	}
}

func (r *reader) other(c rune, text string, at, size int) {
	end := at + size
	switch k := kindOf(c); {
	case k == kindBlank:
		r.flush()
	case k == kindGone:
		r.drop(end)
	case unicode.Is(ideographs, c):
		// Its own decomposition may be another ideograph.
		r.flush()
		r.fill(k, text[at:end], at)
		r.done = true
	default:
		r.fill(k, text[at:end], at)
	}
}

// fill appends what a character of the source becomes.
func (r *reader) fill(k kind, c string, at int) {
	end := at + len(c)
	if !r.fold {
		for _, d := range c {
			r.add(d, k, at, end)
		}
		return
	}
	r.buffer = norm.NFD.AppendString(r.buffer[:0], c)
	for rest := r.buffer; len(rest) > 0; {
		d, n := utf8.DecodeRune(rest)
		rest = rest[n:]
		if unicode.Is(unicode.Mn, d) {
			r.drop(end)
			continue
		}
		r.add(unicode.ToLower(d), kindOf(d), at, end)
	}
}
