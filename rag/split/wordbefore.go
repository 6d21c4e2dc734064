package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is what stands directly before a stop.
type word struct {
	text    string
	letters bool // nothing but letters
	digits  bool // nothing but digits
	number  bool // it starts with a digit: "2,5"
	dotted  bool // short parts of letters with dots between: "U.S", "Ph.D"
	first   bool // the sentence starts with it
	count   int  // letters
	last    rune // the last letter
	from    int
}

func (w word) len() int { return len(w.text) }

// cased says that the word is in a script that has upper and lower case.
func (w word) cased() bool { return unicode.IsUpper(w.last) || isLower(w.last) }

// tail is the part of the word behind an apostrophe or hyphen: "art" of "L'art".
func (w word) tail() word {
	if w.letters {
		return w
	}
	k := strings.LastIndexAny(w.text, "'’-")
	if k < 0 {
		return w
	}
	_, n := utf8.DecodeRuneInString(w.text[k:])
	if k+n == len(w.text) {
		return w
	}
	w.text, w.from = w.text[k+n:], w.from+k+n
	w.count, w.letters, w.first, w.number = 0, true, false, isDigit(w.text[0])
	for _, r := range w.text {
		if unicode.IsLetter(r) {
			w.count++
		} else if !unicode.Is(unicode.M, r) {
			w.letters = false
		}
	}
	return w
}

// longWord is the most bytes before a stop that are looked at: no abbreviation
// is longer.
const longWord = 24

// wordBefore reads the word that ends at i.
func (b *breaker) wordBefore(i int) word {
	from := i
	w := word{letters: true, digits: true, dotted: true}
	dots, part := 0, 0
	lowest := b.from
	if i > b.start {
		lowest = b.start
	}
	for from > lowest && i-from <= longWord {
		r, n := rune(b.text[from-1]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeLastRuneInString(b.text[b.from:from])
		}
		if (r == '\'' || r == '"') && from < i && from-2 >= b.from && isWordByte(b.text[from-2]) && isWordByte(b.text[from]) {
			r = '’' // within a word
		}
		if breaksWord(r) || isIdeographic(r) && w.count > 0 && !isIdeographic(w.last) {
			break
		}
		switch {
		case r >= 0x300 && unicode.Is(unicode.M, r): // a vowel sign or accent of the letter before
		case unicode.IsLetter(r):
			w.digits = false
			if w.count++; w.count == 1 {
				w.last = r
			}
			if part++; part > 2 {
				w.dotted = false
			}
		case r == '.' && from < i:
			dots++
			part = 0
			w.letters, w.digits = false, false
		case r == '-' && from-2 >= b.from && b.text[from-2] == '.': // "J.-C."
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
	} else {
		w.number = isDigit(w.text[0])
	}
	w.first = b.atStart(from)
	return w
}

// breaksWord says that the rune belongs to no word.
func breaksWord(r rune) bool {
	switch r {
	case '"', '\'', '*', '_', '`', '/', '¿', '¡', '—', '–', '۔', '。', '！', '？', '，', '、', '：', '；':
		return true
	}
	return unicode.IsSpace(r) || closingOf(r) != 0 || isBullet(r)
}

// atStart says that the current sentence has nothing but opening signs and
// bullets before i.
func (b *breaker) atStart(i int) bool {
	if i-b.start > 8 {
		return false
	}
	for _, r := range b.text[min(b.start, i):i] {
		if !unicode.IsSpace(r) && closingOf(r) == 0 && !isBullet(r) && r != '"' && r != '\'' && r != '*' && r != '_' && r != '-' && r != '—' && r != '–' {
			return false
		}
	}
	return true
}

// classifies says that a letter after the noun is its name, and no initial.
func classifies(w string) bool {
	switch w {
	case "vitamin", "Vitamin", "vitamine", "Vitamine", "vitamina", "Vitamina", "hepatitis", "Hepatitis", "hépatite", "Hépatite", "hepatite", "Hepatite", "epatite", "influenza", "Influenza", "plan", "Plan", "type", "Type", "Typ", "typ", "tipo", "Tipo",
		"class", "Class", "classe", "clase", "Klasse", "grade", "Grade", "group", "Group", "grupo", "groupe", "gruppo", "Gruppe", "option", "Option", "appendix", "Appendix", "annex", "Annex", "annexe", "Anhang", "anexo", "table", "Table",
		"section", "Section", "part", "Part", "phase", "Phase", "zone", "Zone", "node", "Node", "drive", "Drive", "level", "Level", "stage", "Stage", "schedule", "Schedule", "exhibit", "Exhibit", "point", "Point", "variant", "team", "Team", "column", "row", "factor", "Factor", "block", "Block", "version", "category", "Category", "terminal", "Terminal", "gate", "Gate", "room", "Room", "building", "Building", "витамин", "Витамин", "витамина", "гепатит", "гепатита", "witamina", "witaminy":
		return true
	}
	return false
}

// ordinalNoun says that a number with a full stop before the word is an
// ordinal, as German and its neighbours write it.
func ordinalNoun(w string) bool {
	switch w {
	case "Januar", "Jänner", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember",
		"January", "February", "March", "May", "June", "July", "October", "December",
		"Jahrhundert", "Jahrhunderts", "Weltkrieg", "Weltkriegs", "Weltkrieges", "Klasse", "Stock", "Mal", "Tag", "Jahr", "Jahrestag", "Auflage", "Kapitel", "Platz",
		"Lebensjahr", "Geburtstag", "Semester", "Quartal", "Etage", "Ausgabe", "Liga", "Bezirk", "Runde", "Spieltag":
		return true
	}
	return false
}

// takesOrdinal says that a number after the word, in lower case, is an ordinal
// if a full stop follows: articles and prepositions of the languages that write
// ordinals so.
func takesOrdinal(w string) bool {
	switch w {
	case "am", "im", "zum", "vom", "beim", "der", "die", "das", "dem", "den", "des", "bis", "ab", "seit", "zur", "jede", "jeder", "jedes", "jeden", "jedem", "ein", "eine", "einen", "einem", "einer", "sein", "seine", "seinen", "seinem",
		"ihr", "ihre", "ihren", "ihrem", "mein", "meine", "meinen", "unser", "unsere", "und", "oder",
		"det", "på", "til", "fra", "från", "till",
		"dne", "od", "do", "v", "ve", "na", "z", "ze", "w", "we", "dnia", "k", "ke", "dňa", "u", "a", "az":
		return true
	}
	return false
}
