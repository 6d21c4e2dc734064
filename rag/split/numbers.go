package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// isYear says that a number of four digits stands at i.
func (b *breaker) isYear(i int) bool { return b.digitsAt(i) == 4 }

// digitsAt is the number of digits that stand at i.
func (b *breaker) digitsAt(i int) int {
	end := i
	for end < len(b.text) && isDigit(b.text[end]) && end-i < longWord {
		end++
	}
	return end - i
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
	if w.len() > 2 {
		return w.len() != 4 || !b.isMonth(f.at)
	}
	switch {
	case f.digit:
		return false
	case b.afterYear(w):
		return !unicode.Is(unicode.Hangul, f.first)
	case !f.upper:
		return true
	case ordinalNoun(f.word):
		return false
	case f.starts() || !b.in(withOrdinals):
		return true
	}
	before := b.wordBefore(b.trimSpace(w.from))
	if first, _ := utf8.DecodeRuneInString(before.text); !before.first && unicode.IsUpper(first) {
		return true // "Şekil 3."
	}
	return !b.in(turkish) && !takesOrdinal(strings.ToLower(before.text))
}

// isMonth says that the number at i is the month of "2024. 3. 5.".
func (b *breaker) isMonth(i int) bool {
	end := i + b.digitsAt(i)
	if end == i || end > i+2 || end >= len(b.text) || b.text[end] != '.' {
		return false
	}
	next := b.skipSpace(end + 1)
	return next < len(b.text) && isDigit(b.text[next])
}

// afterYear says that the number is the day of "2024. 3. 5. 장애가".
func (b *breaker) afterYear(w word) bool {
	end := b.trimSpace(w.from)
	if end <= b.from || b.text[end-1] != '.' {
		return false
	}
	month := b.wordBefore(end - 1)
	if !month.digits || month.len() > 2 {
		return false
	}
	end = b.trimSpace(month.from)
	if end <= b.from || b.text[end-1] != '.' {
		return false
	}
	year := b.wordBefore(end - 1)
	return year.digits && year.len() == 4
}

// endsLetter decides about a single letter: an initial, a list marker, a unit,
// "I", or the end of "vitamin C".
func (b *breaker) endsLetter(w word, f follower) bool {
	if w.first || f.lower || f.digit || !w.cased() {
		return false
	}
	before := b.wordBefore(b.trimSpace(w.from))
	if !unicode.IsUpper(w.last) {
		return b.endsSmallLetter(w, before, f)
	}
	switch {
	case w.text == "I" && unicode.IsLower(before.last) && strings.ToLower(before.text) == before.text && !b.foreign(before.text):
		return true
	case w.text == "M" && b.in(french):
		return false
	case f.upper && !f.short && before.digits && before.len() <= 3 && isUnit(w.last):
		return true // a unit
	case f.upper && classifies(before.text):
		return true
	case f.upper && !f.initial && utf8.RuneCountInString(f.word) == 1 && f.word != "D" && f.word != "O" && f.word != "L":
		return true // "A and B. B is"
	case particle(f.word):
		return before.letters && before.count > 3 && unicode.IsLower(before.last) && !functionWord(before.text) && strings.ToLower(before.text) == before.text
	}
	return f.starts()
}

// endsSmallLetter: "vitamin c. The", "5 g. Then", "1 mg/d. Reduce", and in Slavic
// languages "в 2005 г. Она", which is a town when no number is before it.
func (b *breaker) endsSmallLetter(w, before word, f follower) bool {
	switch {
	case !f.upper:
		return false
	case before.number || isRoman(before.text) && strings.ToUpper(before.text) == before.text && before.count > 0:
		if kind := b.abbreviation(w.text); kind == ofYear || kind == withName {
			return b.endsAbbreviation(kind, w, f)
		}
		return f.starts() || !f.short && (w.last >= 0x370 || isUnit(w.last))
	case w.from > b.from && b.text[w.from-1] == '/':
		return true
	}
	return f.starts() && w.last < 0x370
}

// isUnit says that the letter after a number is a unit.
func isUnit(r rune) bool { return strings.ContainsRune("AVWKCFNJLBTGΩ"+"gmlhstw", r) }
