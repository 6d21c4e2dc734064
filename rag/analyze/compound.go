package analyze

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Joiners hold the words of a compound together, the loosest first. A compound
// is a term as a whole, and so is each of its pieces at every level.
const (
	outer  = "/:@+" // paths, hosts and ports, addresses
	middle = "-_"   // names, codes, ranges
	inner  = "."    // files, versions, decimals
)

// joins gives the level of a joiner, 0 for other runes.
func joins(r rune) int {
	switch r {
	case '/', ':', '@', '+':
		return 3
	case '-', '_':
		return 2
	case '.':
		return 1
	}
	return 0
}

// scan finds the compounds in a piece of text: words with single joiners
// between them. Everything else only separates.
func (w *writer) scan(s string) {
	for i := 0; i < len(s); {
		r, n := decode(s, i)
		switch {
		case isPaired(r):
			i = w.pairs(s, i)
		case isWord(r):
			i = w.compound(s, i)
		default:
			i += n
		}
	}
}

func decode(s string, i int) (rune, int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s[i:])
}

// compound reads the compound that starts at i and gives its end.
func (w *writer) compound(s string, i int) int {
	end, level, untidy := i, 0, false
	for end < len(s) {
		r, n := decode(s, end)
		if isWord(r) && !isPaired(r) {
			end += n
			continue
		}
		if end+n >= len(s) {
			break
		}
		next, _ := decode(s, end+n)
		if !isWord(next) || isPaired(next) {
			break
		}
		if l := joins(r); l > 0 {
			level = max(level, l)
		} else if r == '\'' || r == '’' || r == ',' && thousands(s, end) {
			untidy = true
		} else {
			break
		}
		end += n
	}
	c := s[i:end]
	if len(c) == 1 && (strings.HasPrefix(s[end:], "++") || strings.HasPrefix(s[end:], "#")) { // C++, C#
		c += strings.TrimSuffix(s[end:min(len(s), end+2)], c)
		if s[end] == '#' {
			c = c[:2]
		}
		w.emit(lower(c), false)
		return end + len(c) - 1
	}
	if untidy {
		c = tidy(c)
	}
	w.level(c, level)
	return end
}

// thousands says that the comma at i stands before three digits and no more.
func thousands(s string, i int) bool {
	if i == 0 || !isDigit(s[i-1]) || len(s) < i+4 || len(s) > i+4 && isDigit(s[i+4]) {
		return false
	}
	return isDigit(s[i+1]) && isDigit(s[i+2]) && isDigit(s[i+3])
}

// tidy takes the commas out of a number, the genitive off a word, and other
// apostrophes out.
func tidy(c string) string {
	c = strings.ReplaceAll(strings.ReplaceAll(c, ",", ""), "’", "'")
	if l := len(c); l > 2 && c[l-2] == '\'' && c[l-1]|0x20 == 's' {
		c = c[:l-2]
	}
	return strings.ReplaceAll(c, "'", "")
}

// level emits a compound whole and goes on with its pieces.
func (w *writer) level(c string, level int) {
	if level == 0 {
		w.word(c)
		return
	}
	joiners := [...]string{1: inner, 2: middle, 3: outer}[level]
	if !strings.ContainsAny(c, joiners) {
		w.level(c, level-1)
		return
	}
	w.emit(lower(c), false)
	if level == 1 && w.version(c) || level == 2 && initials(c) {
		return
	}
	for c != "" {
		piece := c
		if cut := strings.IndexAny(c, joiners); cut >= 0 {
			piece, c = c[:cut], c[cut+1:]
		} else {
			c = ""
		}
		if piece != "" {
			w.level(piece, level-1)
		}
	}
}

// version says that c is a decimal or a version, which has no parts. The latter
// is also emitted without its "v" and by its first two numbers, which is how
// people ask for it.
func (w *writer) version(c string) bool {
	bare := strings.TrimLeft(c, "vV")
	if strings.Trim(bare, "0123456789.") != "" || bare == "" || len(c)-len(bare) > 1 {
		return initials(c)
	}
	if len(bare) < len(c) {
		w.emit(bare, false)
	}
	if strings.Count(bare, ".") > 1 {
		second := strings.IndexByte(bare, '.') + 1
		second += strings.IndexByte(bare[second:], '.')
		w.emit(bare[:second], false)
	}
	return true
}

// initials says that every part of c is one letter: "e.g", "U.S".
func initials(c string) bool {
	for i := range len(c) {
		if i%2 == 0 && !isUpper(c[i]) && !isLower(c[i]) || i%2 == 1 && c[i] != '.' && c[i] != '-' {
			return false
		}
	}
	return true
}

// word emits a run of letters and digits: its stem; a name in camel case also
// in its parts, and a number with a unit as both.
func (w *writer) word(s string) {
	shouted := w.mark && len(s) > 1 && strings.ToUpper(s) == s
	if l := len(s); l > 2 && s[l-1] == 's' && allUpper(s[:l-1]) { // "PVCs"
		w.emit(lower(s[:l-1]), shouted)
		w.emit(lower(s), shouted)
		return
	}
	if digits := leadingDigits(s); digits > 0 {
		w.emit(lower(s), shouted)
		if unit := s[digits:]; unit != "" && len(unit) <= 8 && strings.IndexFunc(unit, unicode.IsDigit) < 0 {
			w.emit(s[:digits], shouted)
			w.emit(lower(unit), shouted)
		}
		return
	}
	if cut := humps(s, 0); cut < len(s) {
		w.emit(lower(s), false)
		for from := 0; from < len(s); {
			to := humps(s, from)
			w.emit(w.stem(lower(s[from:to])), false)
			from = to
		}
		return
	}
	w.emit(w.stem(lower(s)), shouted)
}

// humps gives the end of the part of a camel-case name that starts at i: before
// a capital after a lower-case letter, and before the last of several capitals
// when a lower-case letter follows ("HTTPServer").
func humps(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		if !isUpper(s[j]) {
			continue
		}
		afterWord := isLower(s[j-1]) || isDigit(s[j-1]) && j-1 > i && isLower(s[i+1])
		startsWord := j+1 < len(s) && isLower(s[j+1]) && isUpper(s[j-1])
		plural := j+2 == len(s) && s[j+1] == 's' // "nodePVCs"
		if afterWord || startsWord && !plural {
			return j
		}
	}
	return len(s)
}

func leadingDigits(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

func allUpper(s string) bool {
	for i := range len(s) {
		if !isUpper(s[i]) {
			return false
		}
	}
	return true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
func isUpper(c byte) bool { return 'A' <= c && c <= 'Z' }
func isLower(c byte) bool { return 'a' <= c && c <= 'z' }

// isWord says that the rune is part of a word: a letter, a digit or a mark that
// joins a letter.
func isWord(r rune) bool {
	if r < utf8.RuneSelf {
		return isLower(byte(r)) || isUpper(byte(r)) || isDigit(byte(r))
	}
	return r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r))
}
