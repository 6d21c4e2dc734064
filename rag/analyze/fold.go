package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// fold normalises text that is not ASCII: compatible forms become one (NFKC:
// full-width letters, superscripts, ligatures), Latin and Greek letters lose
// their accents, and every kind of hyphen and the en dash of ranges become "-".
// Case stays, it still shows where words begin.
func fold(s string) string {
	runes := []rune(norm.NFKC.String(s))
	var b strings.Builder
	b.Grow(len(s))
	latin := false // the last letter was Latin or Greek
	for i, r := range runes {
		switch {
		case r < utf8.RuneSelf:
			latin = true
			b.WriteByte(byte(r))
			continue
		case r >= '\u2010' && r <= '\u2013' || r == '−':
			b.WriteByte('-')
		case latin && unicode.Is(unicode.Mn, r):
			continue
		case unicode.In(r, unicode.Latin, unicode.Greek):
			latin = true
			b.WriteString(inCase(base(r), runes, i))
			continue
		default:
			b.WriteRune(r)
		}
		latin = false
	}
	return b.String()
}

// inCase writes what stands for letter i in its case: as a capital where the
// letter is one, with more capitals only among capitals, so that neither "ŁÓDŹ"
// nor "Ægir" nor "GRÖßE" looks like a name in camel case.
func inCase(folded string, runes []rune, i int) string {
	capital := func(j int) bool { return j >= 0 && j < len(runes) && unicode.IsUpper(runes[j]) }
	letter := func(j int) bool { return j >= 0 && j < len(runes) && unicode.IsLetter(runes[j]) }
	among := capital(i+1) || !letter(i+1) && capital(i-1)
	switch {
	case folded[0] >= utf8.RuneSelf: // Greek, in its case already
		return folded
	case len(folded) > 1 && among && (capital(i) || capital(i-1)):
		return strings.ToUpper(folded)
	case capital(i):
		return strings.ToUpper(folded[:1]) + folded[1:]
	}
	return folded
}

// base gives a letter without its accents.
func base(r rune) string {
	switch r {
	case 'ß', 'ẞ':
		return "ss"
	case 'æ', 'Æ':
		return "ae"
	case 'œ', 'Œ':
		return "oe"
	case 'ø', 'Ø':
		return "o"
	case 'ł', 'Ł':
		return "l"
	case 'đ', 'Đ', 'ð', 'Ð':
		return "d"
	case 'þ', 'Þ':
		return "th"
	case 'ς': // sigma at the end of a word, which capitals do not tell apart
		return "σ"
	case 'ı', 'İ':
		return "i"
	}
	d := norm.NFD.String(string(r))
	_, n := utf8.DecodeRuneInString(d)
	return d[:n]
}

// lower gives the lower case of a word; without capitals that is the word.
func lower(s string) string {
	for i := range len(s) {
		if isUpper(s[i]) || s[i] >= utf8.RuneSelf {
			return strings.ToLower(s)
		}
	}
	return s
}

// isPaired says that a script is written without blanks between words, or with
// endings grown onto them, so that pairs of characters are the terms.
func isPaired(r rune) bool {
	switch {
	case r < 0x0e00:
		return false
	case r <= 0x0eff: // Thai, Lao
	case r >= 0x1000 && r <= 0x109f, r >= 0x1780 && r <= 0x17ff: // Burmese, Khmer
	case r >= 0x3040 && r <= 0x30ff, r >= 0x3400 && r <= 0x9fff, r >= 0xf900 && r <= 0xfaff, r >= 0x20000 && r <= 0x3ffff, r == '々':
	case r >= 0xac00 && r <= 0xd7a3: // Hangul
	default:
		return false
	}
	return unicode.IsLetter(r) || unicode.IsMark(r)
}

// pairs emits the pairs of neighbouring characters of the run at i, or the one
// character that it is, and gives its end.
func (w *writer) pairs(s string, i int) int {
	first, before, n := true, -1, 0
	for i < len(s) {
		r, size := decode(s, i)
		if !isPaired(r) {
			break
		}
		if before >= 0 {
			w.emit(lower(s[before:i+size]), false)
			first = false
		}
		before, n = i, size
		i += size
	}
	if first {
		w.emit(lower(s[before:before+n]), false)
	}
	return i
}
