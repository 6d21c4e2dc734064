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
	case f.first == 0 || f.continues || f.first == ')' || f.first == '/' && !f.technical || f.first == '=' || f.first == '|':
		return 0
	case f.lower && f.marker && (run.dots != 1 || !b.takesMarker(i)):
		return after
	case run.other:
		return cutIf(after, b.endsLoud(after, run, f))
	case run.dots > 1:
		return b.endsEllipsis(i, run, after, f)
	case run.alone && run.dots == 1 && i > b.start:
		return cutIf(after, f.upper)
	case after > run.end && b.carriesOn(run.end, f):
		return 0
	}
	return cutIf(after, b.endsWord(i, after, f))
}

// takesMarker says that the word before the stop at i abbreviates what a letter
// with a bracket belongs to: "písm. a)", "lit. b)".
func (b *breaker) takesMarker(i int) bool {
	return b.abbreviation(b.wordBefore(i).text) != plain
}

func cutIf(at int, yes bool) int {
	if yes {
		return at
	}
	return 0
}

// endsLoud decides about question and exclamation marks: they end a sentence
// unless it goes on in lower case ("Yahoo! in", `"Well!" he said`) or after a
// quotation.
func (b *breaker) endsLoud(after int, run stops, f follower) bool {
	quoted := after > run.end
	switch {
	case !f.lower && quoted:
		return !b.carriesOn(run.end, f) && (!f.remark || !b.quotedInside())
	case !f.lower:
		return true
	case quoted:
		return false
	}
	return f.code || f.technical || b.hurried()
}

// hurried says that the author of the sentence started it in lower case, and so
// may the next one.
func (b *breaker) hurried() bool {
	r, _ := utf8.DecodeRuneInString(b.text[b.start:])
	return isLower(r)
}

// quotedInside says that the innermost quotation began inside the sentence, which
// then has no stop of its own yet: "'Help!' he said, 'Oh!' (He fell.)".
func (b *breaker) quotedInside() bool {
	if b.depth == 0 {
		return false
	}
	_, n := utf8.DecodeLastRuneInString(b.text[:b.open[b.depth-1].end])
	return !b.atStart(b.open[b.depth-1].end - n)
}

// endsEllipsis decides about two and more dots. A fourth dot is the full stop
// of the sentence; when it stands at the word, the ellipsis after the blank
// belongs to the next sentence.
func (b *breaker) endsEllipsis(i int, run stops, after int, f follower) int {
	cutOut := i > b.from && b.text[i-1] == '[' && run.end < after // "[...]" marks what was left out
	if f.lower || f.digit || cutOut {
		return 0
	}
	if f.at == run.end && (i-b.start <= 2*utf8.UTFMax || strings.HasSuffix(b.text[b.start:i], string(f.first))) {
		return 0 // a stutter: "我……我不知道"
	}
	if !run.spaced {
		return cutIf(after, run.dots != 3 || !run.alone || f.word != "I")
	}
	switch {
	case run.dots < 4:
		return cutIf(after, !run.alone && run.dots == 1)
	case !run.alone && after == run.end && i+1 < len(b.text) && b.text[i+1] == ' ':
		return i + 1
	}
	return after
}

// endsWord decides about a single full stop at i that stands at a word.
func (b *breaker) endsWord(i, after int, f follower) bool {
	w := b.wordBefore(i)
	switch {
	case w.digits:
		return b.endsNumber(w, f)
	case w.first && w.len() <= 4 && isRoman(w.text):
		return false
	case w.last >= 0x0e00 && w.last < 0x0f00: // Thai and Lao abbreviate with full stops only
		return false
	case w.last >= 0x0531 && w.last <= 0x0587 && strings.ContainsAny(b.paragraph(), "։:"):
		return false // in Armenian it is less than a full stop
	}
	if kind := b.joined(w); kind != plain {
		return b.endsAbbreviation(kind, w, f)
	}
	switch {
	case w.dotted:
		kind := b.dottedKind(w.text)
		if kind == ofTime && i-b.start < 30 && len(strings.Fields(b.text[b.start:i])) < 4 {
			return false // "At 5 a.m." is no sentence
		}
		return b.endsAbbreviation(kind, w, f)
	case w.letters && w.count == 1:
		return b.endsLetter(w, f)
	}
	if kind := b.abbreviation(w.text); !w.letters && kind != plain {
		return b.endsAbbreviation(kind, w, f)
	}
	if tail := w.tail(); tail.count > 1 && b.abbreviation(tail.text) != plain {
		w = tail
	}
	if w.len() > 1 && w.len() <= 5 && isRoman(w.text) && unicode.IsUpper(rune(w.text[0])) {
		if l := b.language(); l == 0 || l&withOrdinals != 0 {
			return b.endsAbbreviation(withName, w, f) // "XII. Regiment"
		}
		return f.upper // "World War II. It"
	}
	if kind := b.abbreviation(w.text); kind != plain && !b.acronym(w) {
		if w.text == "пр" && b.wordBefore(b.trimSpace(w.from)).text == "и" {
			kind = mayEnd // "and others", else an avenue
		}
		return b.endsAbbreviation(kind, w, f)
	}
	if w.letters && b.isYear(f.at) && b.isDay(w.from) {
		return false // "5 gen. 1960"
	}
	if f.lower && !f.marker || f.lower && b.takesMarker(i) {
		return b.endsBeforeLower(i, after, w, f)
	}
	if f.digit && b.clipped(w) {
		return false // no list has all abbreviations of all languages: "ods. 2"
	}
	return !f.upper || !b.shortened(w, f)
}

// acronym says that the word is in capitals among words that are not: "MS" is a
// disease, "Ms." a title.
func (b *breaker) acronym(w word) bool {
	if w.count < 2 || !w.letters || w.first || strings.ToUpper(w.text) != w.text {
		return false
	}
	switch w.text {
	case "DR", "MRS", "PROF", "INC", "LTD", "CO", "CORP", "NO", "EE":
		return false
	}
	before := b.wordBefore(b.trimSpace(w.from)).text
	return strings.ToUpper(before) != before
}

// shortParts says that the word is of parts of up to four bytes with full stops
// between: "cand.mag".
func shortParts(w string) bool {
	part := 0
	for i := range len(w) {
		if part++; w[i] == '.' {
			part = 0
		}
		if part > 4 {
			return false
		}
	}
	return strings.IndexByte(w, '.') > 0
}

// shortened says that a word of a language other than English can be no whole
// one: it has no vowel, or it is a title that ends as no word of Spanish, Italian
// and Portuguese does ("Cap. Alatriste"). A word that starts sentences follows
// both at the end of a sentence only.
func (b *breaker) shortened(w word, f follower) bool {
	if !w.letters || w.count > 5 || f.starts() && !f.short || strings.ToUpper(w.text) == w.text {
		return false
	}
	if !hasVowel(w.text) {
		return b.foreign(w.text)
	}
	first, _ := utf8.DecodeRuneInString(w.text)
	return w.count < 5 && !w.first && unicode.IsUpper(first) && strings.ContainsRune("bcfgkpqtv", w.last) && b.in(spanish|italian|portuguese)
}

// clipped says that a word of a language other than English looks like the first
// letters of a longer one.
func (b *breaker) clipped(w word) bool {
	if !w.letters || w.count > 5 || !w.cased() || !b.foreign(w.text) {
		return false
	}
	return !endsInVowel(w.text) && !functionWord(strings.ToLower(w.text)) && strings.ToUpper(w.text) != w.text
}

// endsBeforeLower decides about a stop that lower case follows. There a sentence
// goes on, or the next one starts with the name of a thing, or an author is in a
// hurry: a word that is no known abbreviation ends it, unless a quotation or
// bracket was closed here. Languages other than English are less sure, as fewer
// of their abbreviations are known.
func (b *breaker) endsBeforeLower(i, after int, w word, f follower) bool {
	if closed := b.text[i+1 : after]; strings.ContainsAny(closed, "\"'”’»)]") {
		return false
	}
	unsure := b.language()&english == 0 || b.foreign(w.text)
	switch {
	case w.len() == 0:
		return i > b.from && b.text[i-1] == '`'
	case f.technical && (w.count > 1 || !w.letters):
		return true
	case !w.letters && unsure:
		return !isDigit(w.text[w.len()-1]) && !shortParts(w.text) && w.tail().count > 5
	case !w.letters:
		return !isDigit(w.text[w.len()-1])
	case b.hurried() && (!unsure || w.count > 3):
		return w.count > 1 && !title(w.text)
	case functionWord(w.text):
		return !b.wordBefore(b.trimSpace(w.from)).number // not "3 in. wide"
	case unsure:
		return w.count >= 9 || w.count >= 5 && endsWhole(w.text)
	case w.len() == w.count:
		return w.count >= 4
	}
	return w.count >= 7
}
