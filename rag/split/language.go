package split

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// lang is a set of languages of the Latin script that the rules tell apart.
type lang uint32

const (
	english lang = 1 << iota
	german
	dutch
	nordic // Danish, Norwegian, Swedish
	finnish
	french
	spanish
	italian
	portuguese
	romanian
	polish
	czech  // and Slovak
	balkan // Slovene, Croatian, Serbian in Latin letters
	hungarian
	turkish
	guessed // set when a guess was made, also when it found nothing

	anyLanguage lang = 0
	// withOrdinals write "3." for "third".
	withOrdinals = german | nordic | finnish | polish | czech | balkan | hungarian | turkish
)

const languages = 15

// guessed from no more than so many bytes of the paragraph.
const guessBytes = 600

// language guesses the language of the paragraph that b stands in, from the
// function words and letters in its first bytes: that of which most are found,
// or up to four that have as many. It is asked only where lists or habits of
// languages contradict one another, and once for each paragraph.
func (b *breaker) language() lang {
	if b.guess == 0 {
		b.guess = guessed | guessLanguage(b.paragraph())
	}
	return b.guess &^ guessed
}

// in says that the paragraph seems to be written in one of the languages.
func (b *breaker) in(l lang) bool { return b.language()&l != 0 }

// paragraph gives what the language of this place is guessed from.
func (b *breaker) paragraph() string {
	text := b.text[b.para:min(len(b.text), b.para+guessBytes)]
	for at := 0; at < len(text); at++ {
		if text[at] != '\n' && text[at] != '\r' {
			continue
		}
		end := at
		for end < len(text) && isBlank(text[end]) {
			end++
		}
		if breaks(text[at:end]) > 1 {
			return text[:at]
		}
		at = end
	}
	return text
}

func guessLanguage(text string) lang {
	var counts [languages]uint16
	var buf [12]byte
	n, long := 0, false
	count := func() {
		if n > 0 && !long {
			for set, k := functionWords[string(buf[:n])], 0; set != 0; set, k = set>>1, k+1 {
				counts[k] += uint16(set & 1)
			}
		}
		n, long = 0, false
	}
	for _, r := range text {
		switch {
		case unicode.IsLetter(r):
			if r >= utf8.RuneSelf {
				for set, k := lettersOf(r), 0; set != 0; set, k = set>>1, k+1 {
					counts[k] += uint16(set & 1)
				}
			}
			r = unicode.ToLower(r)
			if n+utf8.RuneLen(r) > len(buf) {
				long = true
				continue
			}
			n += utf8.EncodeRune(buf[n:], r)
		case r == '.' || r == '_' || r == '/': // no word of prose: a name or an abbreviation
			if r == '.' && n > 1 {
				count()
			}
			long = n > 0
		default:
			count()
		}
	}
	count()
	best, tied, most := lang(0), 0, uint16(1)
	for k, c := range counts {
		switch {
		case c > most || c == most && tied == 0:
			best, tied, most = 1<<k, 1, c
		case c == most:
			best |= 1 << k
			tied++
		}
	}
	if tied > 4 {
		return 0
	}
	return best
}

// lettersOf gives the languages that a letter is typical of.
func lettersOf(r rune) lang {
	switch r {
	case 'ß':
		return german
	case 'å', 'Å':
		return nordic | finnish
	case 'ø', 'Ø', 'æ', 'Æ':
		return nordic
	case 'ä', 'ö', 'Ä', 'Ö':
		return german | nordic | finnish
	case 'ü', 'Ü':
		return german
	case 'è', 'à', 'ù':
		return french | italian
	case 'ê', 'ç', 'Ç':
		return french | portuguese
	case 'œ', 'î', 'û', 'ë':
		return french
	case 'ñ', '¿', '¡':
		return spanish
	case 'ã', 'õ':
		return portuguese
	case 'ą', 'ę', 'ł', 'ń', 'ś', 'ź', 'ż', 'Ł', 'Ś', 'Ż':
		return polish
	case 'ě', 'ř', 'ů', 'ľ', 'ŕ', 'ť', 'ď', 'ň', 'Ř', 'ý':
		return czech
	case 'č', 'š', 'ž', 'Č', 'Š', 'Ž':
		return czech | balkan
	case 'đ', 'ć':
		return balkan
	case 'ő', 'ű':
		return hungarian
	case 'ğ', 'ş', 'ı', 'İ', 'Ş':
		return turkish
	case 'ș', 'ț', 'ă':
		return romanian
	}
	return 0
}

// foreign says that a word is not English: by its script, or by its paragraph.
func (b *breaker) foreign(w string) bool {
	if last, _ := utf8.DecodeLastRuneInString(w); last >= 0x370 && unicode.IsLetter(last) {
		return true
	}
	l := b.language()
	return l != 0 && l&english == 0
}

// isLower says that the letter is lower case in a script that starts sentences
// with upper case. Georgian is written without.
func isLower(r rune) bool {
	return unicode.IsLower(r) && (r < 0x10d0 || r > 0x10ff)
}

// hasVowel says that the word can be spoken: it has a vowel of the Latin,
// Cyrillic or Greek alphabet.
func hasVowel(w string) bool { return strings.IndexFunc(w, isVowel) >= 0 }

func endsInVowel(w string) bool {
	r, _ := utf8.DecodeLastRuneInString(w)
	return isVowel(r)
}

// endsWhole says that the word ends as whole words do, and abbreviations, which
// are cut before a vowel, do not.
func endsWhole(w string) bool {
	return endsInVowel(w) || hasSuffixAny(w, "en", "er", "ung", "keit", "heit", "lich", "isch", "ς", "ν", "й", "ь", "ся", "ого", "ый", "ем", "ом", "ах", "mente", "ción", "ção", "ment", "os", "as", "es", "ão")
}

func isVowel(r rune) bool {
	if r < utf8.RuneSelf {
		switch r | 0x20 {
		case 'a', 'e', 'i', 'o', 'u', 'y':
			return true
		}
		return false
	}
	return strings.ContainsRune("äöüåæøáéíóúýàèìòùâêîôûãõëïÿąęěůőűıăœ"+"аеёиоуыэюяіїєәөұүіъ"+"αεηιουωάέήίόύώϊϋΐΰ", unicode.ToLower(r))
}
