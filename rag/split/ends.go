package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// ends gives the place where a sentence ends at the run of stops that starts at
// i, 0 when none does. White space follows after.
func (b *breaker) ends(i int, run stops, after int, f follower) int {
	switch {
	case f.first == 0 || f.continues || f.first == ')' || f.first == '/' || f.first == '=' || f.first == '|':
		return 0
	case f.lower && f.marker:
		return after
	case run.other:
		return cutIf(after, b.endsLoud(after, run, f))
	case run.dots > 1:
		return b.endsEllipsis(i, run, after, f)
	case run.alone && run.dots == 1 && i > b.start:
		return cutIf(after, f.upper)
	}
	return cutIf(after, b.endsWord(i, after, f))
}

func cutIf(at int, yes bool) int {
	if yes {
		return at
	}
	return 0
}

// endsLoud decides about question and exclamation marks: they end a sentence
// unless it goes on in lower case ("Yahoo! in", `"Well!" he said`).
func (b *breaker) endsLoud(after int, run stops, f follower) bool {
	if !f.lower {
		return true
	}
	return f.code && after == run.end
}

// endsEllipsis decides about two and more dots. A fourth dot is the full stop
// of the sentence; when it stands at the word, the ellipsis after the blank
// belongs to the next sentence.
func (b *breaker) endsEllipsis(i int, run stops, after int, f follower) int {
	cutOut := i > b.from && b.text[i-1] == '[' && run.end < after // "[...]" marks what was left out
	if f.lower || unicode.IsDigit(f.first) || cutOut {
		return 0
	}
	if !run.spaced {
		return cutIf(after, run.dots != 3 || !run.alone || f.word != "I")
	}
	switch {
	case run.dots < 4:
		return cutIf(after, !run.alone && run.dots == 1)
	case !run.alone && i+1 < len(b.text) && b.text[i+1] == ' ':
		return i + 1
	}
	return after
}

// word is what stands directly before a stop.
type word struct {
	text    string
	letters bool // nothing but letters
	digits  bool // nothing but digits
	dotted  bool // short parts of letters with dots between: "U.S", "Ph.D"
	first   bool // the sentence starts with it
	from    int
}

func (w word) len() int { return len(w.text) }

// longWord is the most bytes before a stop that are looked at: no abbreviation
// is longer.
const longWord = 24

// wordBefore reads the word that ends at i.
func (b *breaker) wordBefore(i int) word {
	from := i
	w := word{letters: true, digits: true}
	dots, part := 0, 0
	w.dotted = true
	for from > b.from && i-from <= longWord {
		r, n := rune(b.text[from-1]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeLastRuneInString(b.text[b.from:from])
		}
		if r == '\'' && from < i && from-2 >= b.from && isWordByte(b.text[from-2]) {
			r = '’' // within a word
		}
		if unicode.IsSpace(r) || closingOf(r) != 0 || r == '"' || r == '\'' || r == '*' || r == '_' || r == '`' || r == '/' || isBullet(r) {
			break
		}
		switch {
		case unicode.IsLetter(r):
			w.digits = false
			if part++; part > 2 {
				w.dotted = false
			}
		case r == '.' && from < i:
			dots++
			part = 0
			w.letters, w.digits = false, false
		default:
			w.letters, w.dotted = false, false
			if r < '0' || r > '9' {
				w.digits = false
			}
		}
		from -= n
	}
	w.text, w.from = b.text[from:i], from
	w.dotted = w.dotted && dots > 0 && part > 0
	if w.text == "" {
		w.letters, w.digits = false, false
	}
	w.first = b.atStart(from)
	return w
}

// atStart says that the current sentence has nothing but opening signs and
// bullets before i.
func (b *breaker) atStart(i int) bool {
	if i-b.start > 8 {
		return false
	}
	for _, r := range b.text[min(b.start, i):i] {
		if !unicode.IsSpace(r) && closingOf(r) == 0 && !isBullet(r) && r != '"' && r != '\'' && r != '*' && r != '_' && r != '-' {
			return false
		}
	}
	return true
}

// endsWord decides about a single full stop at i that stands at a word.
func (b *breaker) endsWord(i, after int, f follower) bool {
	w := b.wordBefore(i)
	lower := f.lower
	switch {
	case w.digits:
		return b.endsNumber(w, f)
	case w.first && w.len() <= 4 && isRoman(w.text):
		return false
	case w.dotted:
		kind := dottedKind(w.text)
		if kind == ofTime && i-b.start < 30 && len(strings.Fields(b.text[b.start:i])) < 4 {
			return false // "At 5 a.m." is no sentence
		}
		return endsAbbreviation(kind, f)
	case w.letters && utf8.RuneCountInString(w.text) == 1:
		return b.endsLetter(w, f)
	}
	if w.len() > 1 && w.len() <= 5 && isRoman(w.text) && unicode.IsUpper(rune(w.text[0])) {
		return endsAbbreviation(withName, f) // "XII. Regiment", "World War II. It"
	}
	if kind := abbreviation(w.text); kind != plain {
		return endsAbbreviation(kind, f)
	}
	if w.letters && b.isYear(f.at) && b.isDay(w.from) {
		return false // "5 gen. 1960"
	}
	if !lower || f.marker {
		return true
	}
	// In lower case a sentence goes on, or an author is in a hurry: longer words
	// that are no known abbreviation end it, unless a quotation or bracket was
	// closed here.
	if closed := b.text[i+1 : after]; strings.ContainsAny(closed, "\"'”’»)]") {
		return false
	}
	switch {
	case w.len() == 0:
		return i > b.from && b.text[i-1] == '`'
	case w.letters && w.len() == utf8.RuneCountInString(w.text):
		return w.len() >= 4
	case w.letters: // no list has all abbreviations of all languages
		return utf8.RuneCountInString(w.text) >= 7
	}
	return !isDigit(w.text[w.len()-1])
}

// isYear says that a number of four digits stands at i.
func (b *breaker) isYear(i int) bool {
	end := i
	for end < len(b.text) && isDigit(b.text[end]) {
		end++
	}
	return end-i == 4
}

// isDay says that a number of one or two digits stands before the word at i.
func (b *breaker) isDay(i int) bool {
	w := b.wordBefore(b.trimSpace(i))
	return w.digits && w.len() <= 2
}

// endsNumber decides about "600. How", "1. above", "am 3. Oktober", "18. 11.".
func (b *breaker) endsNumber(w word, f follower) bool {
	if w.first && w.len() <= 3 || f.lower {
		return false
	}
	if w.len() <= 2 {
		return !unicode.IsDigit(f.first) && !ordinalNoun(f.word)
	}
	return true
}

// endsLetter decides about a single letter: an initial, a list marker, "I", or
// the end of "vitamin C".
func (b *breaker) endsLetter(w word, f follower) bool {
	r, _ := utf8.DecodeRuneInString(w.text)
	if w.first || f.lower || unicode.IsDigit(f.first) {
		return false
	}
	if !unicode.IsUpper(r) {
		// "vitamin c. The"; in Cyrillic a unit after a number ("2005 г. Она"); a
		// letter of a script without case abbreviates a title.
		return unicode.IsLower(r) && (starter(f.word) || r >= utf8.RuneSelf && b.wordBefore(b.trimSpace(w.from)).digits)
	}
	if w.text == "I" {
		before := b.wordBefore(b.trimSpace(w.from))
		first, _ := utf8.DecodeRuneInString(before.text)
		return unicode.IsLower(first)
	}
	return starter(f.word)
}

// endsAbbreviation decides by what kind of abbreviation it is.
func endsAbbreviation(kind kind, f follower) bool {
	upper := f.upper
	switch kind {
	case never:
		return false
	case beforeName:
		return false
	case beforeNumber:
		roman := isRoman(f.word) && strings.ToUpper(f.word) == f.word
		return upper && !f.bracket && !roman && utf8.RuneCountInString(f.word) > 1
	case ofTime:
		return upper && !f.bracket && !zone(f.word)
	case mayEnd:
		return upper && !f.bracket
	default: // withName
		return upper && !f.bracket && starter(f.word)
	}
}

// dottedKind gives the kind of an abbreviation with dots inside.
func dottedKind(w string) kind {
	switch k := abbreviation(w); {
	case k != plain:
		return k
	case w[len(w)-1] >= utf8.RuneSelf: // a unit, in Cyrillic: "куб.м"
		return mayEnd
	}
	return withName
}
