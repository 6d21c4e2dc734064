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
	after = b.reaction(after)
	next := b.skipSpace(after)
	if next > after+1 && breaks(b.text[after:next]) > 1 {
		return after // the blank line will end it
	}
	if next == len(b.text) || b.onlySymbols(next) {
		return len(b.text)
	}
	full := isFullStop(first) || isFullStop(run.last)
	if next == after && !full && !b.unspaced(i, run, next) {
		return run.end
	}
	if b.inside(after) {
		return run.end
	}
	f := b.follower(next)
	if full {
		if b.fullGoesOn(i, run, after, f) {
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
		if r == ' ' || r == '\u00a0' || r == '\u202f' { // French sets a blank before "»"
			if strings.HasPrefix(b.text[i+n:], "»") && b.holds('»') {
				i += n + len("»")
				continue
			}
			return i
		}
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
	for i > stop && i < len(b.text) { // superscript numbers, daggers
		r, n := utf8.DecodeRuneInString(b.text[i:])
		if r != '¹' && r != '²' && r != '³' && (r < '⁰' || r > '⁹') && r != '†' && r != '‡' {
			break
		}
		i += n
	}
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
	if end > i || i != stop+1 || i >= len(b.text) || !isDigit(b.text[i]) {
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

// unspaced says that the stop at i may end a sentence though no white space
// follows: between characters of scripts that write none, and where an author
// forgot it ("is done.The next"). A name such as "node.Next" is none of these.
func (b *breaker) unspaced(i int, run stops, next int) bool {
	before, _ := utf8.DecodeLastRuneInString(b.text[b.from:i])
	after, size := utf8.DecodeRuneInString(b.text[next:])
	switch {
	case strings.HasPrefix(b.text[i:], "．"):
		return !unicode.IsDigit(before) && !unicode.IsDigit(after)
	case isIdeographic(after):
		return isIdeographic(before) || run.other && isWord(before)
	case next > run.end || !unicode.IsLetter(after):
		return false
	case after >= utf8.RuneSelf && !unicode.IsUpper(after):
		return !isLower(after) && b.wordBefore(i).count > 2 && utf8.RuneCountInString(b.wordAt(next)) > 2 && b.wordBefore(i).last > 0x590 && !run.dotsOnly()
	case !unicode.IsUpper(after):
		return false
	}
	w := b.wordBefore(i)
	if w.count < 2 && !unicode.IsDigit(before) && before != ')' || w.letters && !isLower(w.last) || run.dotsOnly() {
		return false
	}
	f := b.wordAt(next)
	second, _ := utf8.DecodeRuneInString(b.text[next+size:])
	if after >= 0x370 {
		return w.last >= 0x370 && w.count > 2 && isLower(second)
	}
	if w.last >= 0x370 && w.letters && w.count > 2 && isRoman(f) { // "жағдайы.XVIII ғасыр"
		return true
	}
	end := next + len(f)
	if end+1 < len(b.text) && b.text[end] == '.' && b.text[end+1] == ' ' { // "left.Mr. Lee"
		return b.abbreviation(f) == beforeName
	}
	return opensSentence(f) && end < len(b.text) && (b.text[end] == ' ' || b.text[end] == ',' || b.text[end] == '\'')
}

func (s stops) dotsOnly() bool { return s.dots > 1 }

// opensSentence says that the word starts sentences and is no likely name of a
// function or field.
func opensSentence(w string) bool {
	switch w {
	case "The", "This", "That", "These", "Those", "It", "He", "She", "We", "They", "You", "I", "My", "His", "Her", "Our", "Their", "Your", "A", "An", "But", "And", "However", "If", "When", "What", "Why", "How", "Who",
		"There", "Today", "Yesterday", "Tomorrow", "Then", "In", "Please", "Its", "Also", "Because", "Although", "Some", "Many",
		"Der", "Die", "Das", "Es", "Er", "Sie", "Wir", "Ich", "Ein", "Eine", "Le", "La", "Les", "Il", "Elle", "Nous", "Je", "Un", "Une", "El", "Los", "Las", "Una", "Yo", "De", "Het", "Een", "Hij":
		return true
	}
	return false
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
