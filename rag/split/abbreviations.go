package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// kind is what an abbreviation says about the full stop after it.
type kind uint8

const (
	plain        kind = iota // no abbreviation
	never                    // never ends a sentence: "e.g."
	beforeName               // a name or noun follows: "Dr."
	beforeNumber             // a number follows, or the sentence ends: "Fig. 7", "no."
	withName                 // ends a sentence only before a word that starts one: "U.S.", "Inc."
	adjective                // a noun follows: "max. dose", or the sentence ends
	mayEnd                   // ends a sentence before any capital: "etc.", "5 kg."
	ofTime                   // as mayEnd, but a time zone or day may follow: "a.m."
	ofYear                   // after a date: "В 1945 г. Германия", and may end the sentence

	capital kind = 0x80 // only when written with a capital: "He sat. Then" is no Saturday
)

// abbreviations are kept as lists of words in lower case, without the last full
// stop. A word that is an ordinary one in another language is limited to the
// languages of its own (see breaker.language).
type abbreviations struct {
	only  lang
	kind  kind
	words string
}

type entry struct {
	only lang
	kind kind
}

// known has what the lists say of each word: what is limited to languages first,
// then what needs a capital.
var known = func() map[string][]entry {
	all := map[string][]entry{}
	for pass := range 3 {
		for _, lists := range [][]abbreviations{englishLists, germanicLists, romanceLists, slavicLists, easternLists} {
			for _, list := range lists {
				at := 2
				if list.only != anyLanguage {
					at = 0
				} else if list.kind&capital != 0 {
					at = 1
				}
				if at != pass {
					continue
				}
				for w := range strings.FieldsSeq(list.words) {
					all[w] = append(all[w], entry{only: list.only, kind: list.kind})
				}
			}
		}
	}
	return all
}()

// abbreviation gives the kind of a word that stands before a full stop, given
// without that stop, in any case.
func (b *breaker) abbreviation(w string) kind {
	if len(w) > longWord || len(w) > 10 && w[0] < utf8.RuneSelf && strings.IndexByte(w, '.') < 0 && w[len(w)-3] != 's' {
		return plain
	}
	var buf [longWord]byte
	n := 0
	for n < len(w) && w[n] < utf8.RuneSelf {
		c := w[n]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		buf[n] = c
		n++
	}
	var entries []entry
	if n == len(w) {
		entries = known[string(buf[:n])]
	} else {
		entries = known[strings.ToLower(w)]
	}
	for _, e := range entries {
		if e.only != anyLanguage && !b.in(e.only) {
			continue
		}
		if r, _ := utf8.DecodeRuneInString(w); e.kind&capital == 0 || unicode.IsUpper(r) {
			return e.kind &^ capital
		}
	}
	if len(w) > len("xxstr") && strings.HasSuffix(w, "str") {
		return withName // "Goethestr."
	}
	return plain
}

// title says that the word is one that stands before names when it has a
// capital, for text without any.
func title(w string) bool {
	for _, e := range known[w] {
		if e.kind == beforeName|capital && e.only == anyLanguage {
			return true
		}
	}
	return false
}

// endsAbbreviation decides by what kind of abbreviation it is.
func (b *breaker) endsAbbreviation(kind kind, w word, f follower) bool {
	if !f.upper || f.bracket {
		return false
	}
	switch kind {
	case never, beforeName:
		return false
	case beforeNumber:
		roman := isRoman(f.word) && strings.ToUpper(f.word) == f.word
		return !roman && utf8.RuneCountInString(f.word) > 1 && (f.starts() || !b.in(german))
	case ofTime:
		return !zone(f.word)
	case adjective: // in German its noun has a capital
		return f.starts() || !b.in(german)
	case mayEnd:
		return true
	case ofYear:
		return f.starts() || !b.opening(w.from)
	default: // withName
		return f.starts()
	}
}

// opening says that not more than three words of the sentence stand before i: a
// date there opens it, "В мае 1945 г. Германия".
func (b *breaker) opening(i int) bool {
	from := min(b.start, i)
	return i-from < 60 && len(strings.Fields(b.text[from:i])) <= 3
}

// dottedKind gives the kind of an abbreviation with dots inside.
func (b *breaker) dottedKind(w string) kind {
	if k := b.abbreviation(w); k != plain {
		return k
	}
	if r, _ := utf8.DecodeLastRuneInString(w); unicode.Is(unicode.Cyrillic, r) && unicode.IsLower(r) {
		return mayEnd // a unit: "куб.м"
	}
	return withName
}

// joined gives the kind of an abbreviation that is written with blanks: "z. B.",
// "p. m.", "s. r. o.". The word before the stop is its last part.
func (b *breaker) joined(w word) kind {
	if w.count > 3 || w.from-2 < b.from {
		return plain
	}
	var buf [longWord]byte
	at := len(buf) - len(w.text)
	if at < 0 {
		return plain
	}
	copy(buf[at:], w.text)
	found := plain
	for from, parts := w.from, 0; parts < 3; parts++ {
		space, n := utf8.DecodeLastRuneInString(b.text[b.from:from])
		if space != ' ' && space != '\u00a0' && space != '\u202f' {
			break
		}
		end := from - n
		if end <= b.from || b.text[end-1] != '.' {
			break
		}
		before := b.wordBefore(end - 1)
		if before.count == 0 || before.count > 3 || at < len(before.text)+1 {
			break
		}
		at -= len(before.text) + 1
		copy(buf[at:], before.text)
		buf[at+len(before.text)] = '.'
		from = before.from
		if k := b.abbreviation(string(buf[at:])); k != plain {
			found = k
		}
	}
	return found
}

// zone says that a word after "a.m." goes on with the time: a time zone, a day
// or a month.
func zone(w string) bool {
	switch w {
	case "EST", "EDT", "CST", "CDT", "MST", "MDT", "PST", "PDT", "ET", "CT", "PT", "MT", "UTC", "GMT", "CET", "CEST", "BST", "IST", "JST", "AEST",
		"Eastern", "Central", "Mountain", "Pacific", "Greenwich",
		"Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
		"January", "February", "March", "April", "June", "July", "August", "September", "October", "November", "December":
		return true
	}
	return false
}
