package split

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
)

// Sentences divides a text into sentences: spans in order, without overlap,
// trimmed of white space, that together hold every other byte. A blank line
// always ends a sentence; a single line break does when the line looks ended
// (see breaker.line). Nothing is dropped, joined or rewritten.
//
// No language is declared. The script is seen from the letters near a stop;
// where habits of Latin languages contradict one another, the language is guessed
// from the paragraph (see breaker.language), so that a paragraph is cut alike
// wherever it stands.
func Sentences(text string) []rag.Span {
	return appendSentences(nil, text, rag.Span{End: len(text)}, true)
}

// appendSentences appends the sentences of a part of the text. With lines, line
// breaks are read as an author of plain text means them; without, they are the
// soft wraps of a paragraph.
func appendSentences(out []rag.Span, text string, part rag.Span, lines bool) []rag.Span {
	b := breaker{text: text[:part.End], from: part.Start, para: part.Start, lines: lines, out: out}
	b.start = b.skipSpace(part.Start)
	b.lineStart = part.Start
	for i := b.start; i < len(b.text); {
		if plainByte(b.text[i]) {
			i++
			continue
		}
		i = b.step(i)
	}
	b.cut(len(b.text))
	return b.out
}

// breaker walks over a text once. It looks at bytes, and decodes runes only
// around places where a sentence may end.
type breaker struct {
	text      string // up to the end of the part
	from      int    // start of the part: nothing before it is looked at
	start     int    // of the current sentence
	lineStart int
	lines     bool
	open      [8]enclosure // brackets and quotes open at this place, outermost first
	depth     int
	para      int    // where the paragraph of this place starts
	guess     lang   // its language, 0 when not asked for yet
	list      marker // the last list marker of a list written inside the paragraph
	out       []rag.Span
}

// plainByte says that no rule starts at the byte: ASCII letters, digits, blanks
// and most signs, and the inner bytes of runes.
func plainByte(c byte) bool { return !special[c] }

var special = func() (table [256]bool) {
	for _, c := range []byte(".!?\n\r()[]{}\"'`:;|") {
		table[c] = true
	}
	for c := 0xc0; c <= 0xff; c++ {
		table[c] = true
	}
	return table
}()

// step handles the rune at i and gives the place to go on from.
func (b *breaker) step(i int) int {
	switch c := b.text[i]; c {
	case '.', '!', '?':
		return b.stop(i, i+1)
	case '\n', '\r':
		return b.line(i)
	case '`':
		return b.code(i)
	case '(', '[', '{':
		b.push(i, 1, rune(c))
		return i + 1
	case ')':
		if b.inlineMarker(i, i+1) {
			return i + 1
		}
		fallthrough
	case ']', '}':
		b.pop(rune(c))
		return i + 1
	case '"', '\'':
		return b.quote(i)
	case ';', ':', '|':
		return b.borrowed(i)
	}
	return b.wide(i)
}

// wide handles a rune of more than one byte.
func (b *breaker) wide(i int) int {
	switch b.text[i] { // no rule starts with any other first byte
	case 0xc2, 0xcd, 0xd6, 0xd8, 0xdb, 0xe0, 0xe1, 0xe2, 0xe3, 0xef:
	case 0xf0:
		return b.emoji(i)
	default:
		return i + 1
	}
	r, n := utf8.DecodeRuneInString(b.text[i:])
	switch {
	case isStop(r):
		return b.stop(i, i+n)
	case r == '፡' && strings.HasPrefix(b.text[i+n:], "፡"): // two of them are a full stop
		return b.stop(i, i+2*n)
	case r >= 0x0e00 && r < 0x0f00:
		return b.unstopped(i + n)
	case isBullet(r):
		if b.spaceBefore(i) {
			b.cut(i)
			b.list.run = max(b.list.run, 2)
		}
	case (r == '“' || r == '«') && b.holds(r): // closes a German quotation
		b.pop(r)
	case r == '»' && !b.holds(r) && b.spaceBefore(i): // opens one, or a Danish one
		b.push(i, n, r)
	case r == '”' && !b.holds(r) && !b.holds('“') && b.spaceBefore(i): // opens a Swedish or Finnish one
		b.push(i, n, r)
	case closingOf(r) != 0:
		b.push(i, n, r)
	case isCloser(r):
		if r == '”' && b.brokenOff(i, i+n) {
			return i + n
		}
		if r != '’' || !b.apostrophe(i, n) {
			b.pop(r)
		}
	}
	return i + n
}

// cut ends the current sentence at end and starts the next one after it.
func (b *breaker) cut(end int) {
	last := b.trimSpace(end)
	if last > b.start {
		b.out = append(b.out, rag.Span{Start: b.start, End: last})
	}
	b.start = max(b.start, b.skipSpace(end))
	b.depth = 0
}

// code jumps over a code span: what stands in it is no prose.
func (b *breaker) code(i int) int {
	n := 1
	for i+n < len(b.text) && b.text[i+n] == '`' {
		n++
	}
	const limit = 1_000
	for j, run := i+n, 0; j <= len(b.text) && j < i+limit; j++ {
		if j < len(b.text) && b.text[j] == '`' {
			run++
			continue
		}
		if run == n {
			return j
		}
		if run = 0; j < len(b.text) && b.text[j] == '\n' && breaks(b.text[j:b.skipSpace(j)]) > 1 {
			break
		}
	}
	return i + n
}

// skipSpace gives the first place from i on that is no white space.
func (b *breaker) skipSpace(i int) int {
	for i < len(b.text) {
		if c := b.text[i]; c < utf8.RuneSelf {
			if c != ' ' && (c < '\t' || c > '\r') {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(b.text[i:])
		if !unicode.IsSpace(r) {
			return i
		}
		i += n
	}
	return i
}

// trimSpace gives the end of what is no white space before i.
func (b *breaker) trimSpace(i int) int {
	for i > b.from {
		r, n := utf8.DecodeLastRuneInString(b.text[b.from:i])
		if !unicode.IsSpace(r) {
			return i
		}
		i -= n
	}
	return i
}

// spaceBefore says that white space, or the start of the part, is before i.
func (b *breaker) spaceBefore(i int) bool {
	return b.trimSpace(i) < i || i == b.from
}

func isStop(r rune) bool {
	switch r {
	case '.', '!', '?', '\u037e', '…', '‼', '⁇', '⁈', '⁉', '‽',
		'。', '｡', '．', '！', '？', // Chinese, Japanese
		'؟', '۔', // Arabic, Urdu, Persian
		'।', '॥', // Devanagari and its neighbours
		'։',      // Armenian
		'።', '፧', // Ethiopic
		'။',      // Burmese
		'།', '༎', // Tibetan
		'។', '៕': // Khmer
		return true
	}
	return false
}

// isFullStop says that the stop always ends a sentence, whatever follows, also
// without white space.
func isFullStop(r rune) bool {
	return r > 0x500 && isStop(r) && r != '…' && r != '．' && (r < 0x2000 || r > 0x204f)
}

func isBullet(r rune) bool {
	switch r {
	case '•', '⁃', '‣', '◦', '▪', '●', '∙', '○', '■', '□':
		return true
	}
	return false
}
