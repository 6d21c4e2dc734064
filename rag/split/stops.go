package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// stop decides about the stop at [i, end): it takes the stops and closing signs
// that follow, cuts if a sentence ends there, and gives the place to go on from.
func (b *breaker) stop(i, end int) int {
	if b.text[i] == '.' {
		if b.inlineMarker(i, end) {
			return end
		}
	}
	first, _ := utf8.DecodeRuneInString(b.text[i:])
	run := b.stopRun(i, end)
	after := b.closers(run.end)
	if ref := b.reference(i, after); ref > after {
		after = ref
	}
	next := b.skipSpace(after)
	if next == len(b.text) || b.onlySymbols(next) {
		return len(b.text)
	}
	full := isFullStop(first) || isFullStop(run.last)
	if next == after && !full && !b.unspaced(i, next) {
		return run.end
	}
	if b.inside(after) {
		return run.end
	}
	f := b.follower(next)
	if full {
		if next == after && after > run.end && (f.continues || b.speaks(next)) {
			return run.end
		}
		b.cut(after)
		return max(after, b.start)
	}
	if cut := b.ends(i, run, after, f); cut > 0 {
		b.cut(cut)
		return max(cut, b.start)
	}
	return run.end
}

// stops is a run of stops: "?!", "...", ". . .".
type stops struct {
	end    int
	dots   int  // full stops in the run
	last   rune // the last stop
	other  bool // a question or exclamation mark is among them
	spaced bool // dots with blanks between
	alone  bool // white space is before the run
}

func (b *breaker) stopRun(i, end int) stops {
	run := stops{end: i, alone: b.spaceBefore(i)}
	for at := i; at < len(b.text); {
		r, n := utf8.DecodeRuneInString(b.text[at:])
		if at > i && !isStop(r) {
			// A dot after one blank belongs to a spaced ellipsis.
			if r != ' ' || run.other || at+1 >= len(b.text) || b.text[at+1] != '.' || !b.dotsFrom(at+1) {
				break
			}
			run.spaced = true
			at++
			continue
		}
		switch r {
		case '.', '．':
			run.dots++
		case '…':
			run.dots += 3
		default:
			run.other = true
		}
		run.last = r
		at += n
		run.end = at
	}
	run.end = max(run.end, end)
	return run
}

// dotsFrom says that the dot at i is part of a spaced ellipsis, and does not
// start a word such as ".zip" or an ellipsis of its own.
func (b *breaker) dotsFrom(i int) bool {
	_, after := b.around(i)
	return after == 0 || unicode.IsSpace(after) || isCloser(after)
}

// closers gives the end of the closing signs from i on. A sign that opens as
// well as closes counts only when something of its kind is open.
func (b *breaker) closers(i int) int {
	for i < len(b.text) {
		r, n := utf8.DecodeRuneInString(b.text[i:])
		if r == '<' && i+1 < len(b.text) && b.text[i+1] == '/' { // the end of an element
			if end := strings.IndexByte(b.text[i:min(len(b.text), i+16)], '>'); end > 0 {
				i += end + 1
				continue
			}
		}
		if !isCloser(r) && r != '«' || (r == '“' || r == '«') && !b.holds(r) {
			return i
		}
		i += n
		if r == ']' && i < len(b.text) && b.text[i] == '(' { // the target of a link
			if end := b.findClose(enclosure{end: i + 1, closing: ')'}); end > 0 {
				i = end + 1
			}
		}
	}
	return i
}

// reference gives the end of the footnote marks at i: ".[1][2]", ".11 12 The".
// Bare numbers count only after a word, so that "3.10" is none.
func (b *breaker) reference(stop, i int) int {
	end := b.bracketed(i)
	if next := b.skipSpace(end); next < len(b.text) && b.text[next] == '[' {
		// "…45%. [1] [2] By contrast": also with blanks between, before a capital.
		spaced := end
		for at := next; ; at = b.skipSpace(spaced) {
			if to := b.bracketed(at); to > at {
				spaced = to
				continue
			}
			if r, _ := utf8.DecodeRuneInString(b.text[at:]); at == len(b.text) || unicode.IsUpper(r) {
				end = spaced
			}
			break
		}
	}
	if end > i || i != stop+1 {
		return end
	}
	w := b.wordBefore(stop)
	if r, _ := utf8.DecodeLastRuneInString(b.text[:stop]); r != ')' && (!w.letters || w.len() <= 2) {
		return i
	}
	for j := i; ; {
		from := j
		for j < len(b.text) && isDigit(b.text[j]) {
			j++
		}
		if j == from || j-from > 3 {
			break
		}
		end = j
		if j+1 >= len(b.text) || b.text[j] != ' ' && b.text[j] != ',' {
			break
		}
		j++
	}
	next := b.skipSpace(end)
	if r, _ := utf8.DecodeRuneInString(b.text[next:]); end > i && next > end && unicode.IsUpper(r) {
		return end
	}
	return i
}

// speaks says that the words at i name who spoke the quotation before them.
func (b *breaker) speaks(i int) bool {
	n := 0
	for _, r := range b.text[i:min(len(b.text), i+32)] {
		switch r {
		case '说', '說', '道', '问', '問', '答', '喊', '叫':
			return true
		}
		if n++; n > 4 || !isIdeographic(r) {
			return false
		}
	}
	return false
}

// bracketed gives the end of the numbers in brackets at i: "[1][2–4]".
func (b *breaker) bracketed(i int) int {
	for i < len(b.text) && b.text[i] == '[' {
		j := i + 1
		for j < len(b.text) && (isDigit(b.text[j]) || strings.IndexByte("^,- ", b.text[j]) >= 0 || strings.HasPrefix(b.text[j:], "–")) {
			j++
			if b.text[j-1] >= utf8.RuneSelf {
				j += len("–") - 1
			}
		}
		if j == i+1 || j >= len(b.text) || b.text[j] != ']' || j-i > 24 {
			return i
		}
		i = j + 1
	}
	return i
}

// unspaced says that the stop at i ends a sentence though no white space
// follows: between characters of scripts that write none.
func (b *breaker) unspaced(i, next int) bool {
	before, _ := utf8.DecodeLastRuneInString(b.text[b.from:i])
	after, _ := utf8.DecodeRuneInString(b.text[next:])
	if strings.HasPrefix(b.text[i:], "．") {
		return !unicode.IsDigit(before) && !unicode.IsDigit(after)
	}
	return isIdeographic(before) && isIdeographic(after)
}

func isIdeographic(r rune) bool {
	return r >= 0x3040 && (r <= 0x9fff || r >= 0xf900 && r <= 0xfaff || r >= 0x20000 && r <= 0x3ffff)
}

// onlySymbols says that nothing but signs (an emoji, a closing rule) stands
// from i to the end: that belongs to the sentence before it.
func (b *breaker) onlySymbols(i int) bool {
	for n := 0; i < len(b.text); n++ {
		r, size := utf8.DecodeRuneInString(b.text[i:])
		if n == 16 || isWord(r) || isStop(r) {
			return false
		}
		i += size
	}
	return true
}

// follower is what stands after a possible end of a sentence.
type follower struct {
	first     rune   // the first rune behind opening signs
	lower     bool   // that is lower case, and no name such as iPhone or eGFR
	upper     bool   // that is upper case, or such a name
	word      string // the letters it starts, at most 14 bytes
	at        int    // where it stands
	bracket   bool   // an opening bracket is before it
	code      bool   // it is code
	dash      bool   // a dash is before it
	marker    bool   // it is the marker of a list item: "ii)", "(b)", "-"
	continues bool   // it goes on with the sentence around a quotation
}

func (b *breaker) follower(i int) follower {
	f := follower{at: i}
	for f.at < len(b.text) {
		r, n := utf8.DecodeRuneInString(b.text[f.at:])
		switch r {
		case '(', '[', '{', '（':
			f.bracket = true
		case '`':
			f.code = true
		case '-', '–', '—':
			f.dash = true
		case '"', '\'', '“', '‘', '„', '«', '‹', '»', '「', '『', '*', '_', '~', '¿', '¡', ' ', '#', '>', '<':
		default:
			f.first = r
		}
		if f.first != 0 {
			break
		}
		f.at += n
	}
	end := f.at
	for end < len(b.text) && end < f.at+14 {
		r, n := utf8.DecodeRuneInString(b.text[end:])
		if !unicode.IsLetter(r) {
			break
		}
		end += n
	}
	f.word = b.text[f.at:end]
	f.upper, f.lower = unicode.IsUpper(f.first), unicode.IsLower(f.first)
	if f.lower && len(f.word) > 1 && 'A' <= f.word[1] && f.word[1] <= 'Z' {
		f.upper, f.lower = true, false
	}
	f.marker = len(f.word) > 0 && len(f.word) <= 4 && end < len(b.text) && b.text[end] == ')' && (len(f.word) == 1 || isRoman(f.word))
	switch f.first {
	case 'と', 'っ', 'の', 'な', 'は', 'が', 'を', 'に', 'も', ',', '，', '、', ';', ':':
		f.continues = true
	}
	return f
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isRoman(w string) bool {
	for i := range len(w) {
		switch w[i] | 0x20 {
		case 'i', 'v', 'x':
		default:
			return false
		}
	}
	return w != ""
}
