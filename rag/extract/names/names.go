// Package names knows what people call the parts of a runbook or a protocol in
// their headings: the steps, what must be so before, how to check and how to
// take back. It speaks English, German, French, Spanish, Italian, Portuguese
// and Dutch.
//
// A name is known as a whole ("Verification"), as the beginning of a heading
// ("Steps to drain a node", "Vérifier le résultat") or as its end ("Upgrade
// procedure", "Installationsanleitung"). A heading that says anything else is
// of no part: to take a chapter for steps is worse than to overlook some.
package names

import (
	"strings"
	"unicode"
)

// Part is what stands under a heading.
type Part int

// The parts.
const (
	None    Part = iota
	Steps        // what to do, in order
	Remedy       // what helps: "Resolution", "Mitigation"; steps when it tells somebody to do them
	Before       // what must be so or be there before the steps
	Warning      // what may go wrong
	Check        // how to see that the steps worked
	Undo         // how to take them back
	Sources      // references, contents: a list that is counted but is no procedure
	Chapter      // any other usual name: "Overview", "Symptoms"
)

// Of gives the part that a heading names. Its number ("2.1", "B."), marks and
// case do not count.
func Of(heading string) Part {
	h := fold(heading)
	if p, ok := known.whole[h]; ok {
		return p
	}
	for _, w := range known.starts {
		if strings.HasPrefix(h, w.words) && (len(h) == len(w.words) || !isWord(h[len(w.words):])) {
			return w.part
		}
	}
	for _, w := range known.ends {
		if strings.HasSuffix(h, w.words) {
			return w.part
		}
	}
	return None
}

// Whole gives the part when the heading is nothing but a usual name.
func Whole(heading string) Part { return known.whole[fold(heading)] }

// isWord says that a text goes on with the word that stands before it.
func isWord(rest string) bool {
	for _, r := range rest {
		return unicode.IsLetter(r)
	}
	return false
}

// fold takes the number, marks and case off a heading.
func fold(heading string) string {
	h := strings.TrimLeftFunc(heading, func(r rune) bool { return !unicode.IsLetter(r) })
	if len(h) > 2 && (h[1] == '.' || h[1] == ')') && h[2] == ' ' { // "B. Steps"
		h = h[3:]
	}
	h = strings.TrimRightFunc(h, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != ')' })
	return strings.ToLower(strings.ReplaceAll(h, "’", "'"))
}
