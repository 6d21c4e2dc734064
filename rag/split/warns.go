package split

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
)

// moreWarnings are how other sentences begin that warn, wherever they stand.
var moreWarnings = []string{
	"careful", "be careful", "beware", "contraindicat", "stop if", "stop when", "stop and ", "stop immediately", "stop at once", "stop here",
	"must not ", "you must not ", "under no circumstances", "on no account", "do never ",
	"auf keinen fall", "nie ", "kontraindi", "contre-indi", "ne pas ", "en aucun cas", "contraindi", "no debe ", "en ningún caso", "controindica", "mai ", "não ", "in geen geval", "gecontra-indiceerd",
}

// labels are words that warn when nothing but a mark follows: "Stop!", "Note –".
var labels = []string{"stop", "stopp", "note", "hinweis", "nota", "remarque"}

// warningSigns stand before a sentence in the place of a word.
const warningSigns = "⚠⛔🛑🚨☠❗‼"

// warningWords has what a warning begins with by its first byte: most sentences
// begin with no such byte.
var warningWords = func() map[byte][]string {
	m := map[byte][]string{}
	for _, w := range slices.Concat(beforeWords[rag.Warning], moreWarnings) {
		m[w[0]] = append(m[w[0]], w)
	}
	return m
}()

// Warns says that a sentence, a paragraph or the head of a note begins as a
// warning does: "Warning: …", "**Careful:** …", "[!DANGER]", "⚠️ …", "Never …",
// "- Do not …", in the languages that procedures are known in.
func Warns(s string) bool {
	s = s[:min(len(s), longestOpening)]
	start := strings.IndexFunc(s, unicode.IsLetter)
	if start < 0 {
		return strings.ContainsAny(s, warningSigns)
	}
	if strings.ContainsAny(s[:start], warningSigns) {
		return true
	}
	s = s[start:]
	if len(s) > 2 && s[1] == ')' { // "a) Never"
		s = strings.TrimLeft(s[2:], " *_")
	}
	if word, _, _ := strings.Cut(s, " "); word == "STOP" {
		return true
	}
	s = strings.ToLower(strings.ReplaceAll(s, "’", "'"))
	if s == "" {
		return false
	}
	for _, w := range warningWords[s[0]] {
		if rest, ok := strings.CutPrefix(s, w); ok && (endsWord(w, rest) || isStem(w)) {
			return true
		}
	}
	for _, w := range labels {
		if rest, ok := strings.CutPrefix(s, w); ok && !goesOn(rest) {
			return true
		}
	}
	return false
}

// isStem says that a word of the list may go on: "contraindicated", "-tion".
func isStem(w string) bool {
	return strings.HasSuffix(w, "indicat") || strings.HasSuffix(w, "indi") || strings.HasSuffix(w, "indica")
}

// endsWord says that no letter follows a word that is whole.
func endsWord(w, rest string) bool {
	last, _ := utf8.DecodeLastRuneInString(w)
	return !unicode.IsLetter(last) || !isWordStart(rest)
}

// goesOn says that a sentence goes on after its first word without a mark.
func goesOn(rest string) bool {
	return isWordStart(rest) || isWordStart(strings.TrimLeft(rest, " "))
}

func isWordStart(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return s != "" && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_')
}
