package answer

import (
	"slices"
	"strings"

	"passage/rag"
)

// complete says that what stands behind an "and" is a question with a verb and
// a noun of its own.
func complete(list []term) bool {
	if len(list) == 0 || anchors(list) == 0 {
		return false
	}
	verb, being := false, false
	for _, t := range list {
		being = being || copula[t.low]
		verb = verb || aux[t.low] && !copula[t.low]
	}
	switch first := list[0].low; {
	case commands[first]:
		return true
	case asking[first] || aux[first]:
		return verb || being && len(content(list)) > 1
	default:
		return false
	}
}

// bare says that a follow-up is a noun which takes the place of the subject,
// "and warfarin?", and not one of its circumstances, "and on EKS?".
func bare(list []term) bool {
	rest := list
	for len(rest) > 0 && (openers[rest[0].low] || leads[rest[0].low]) {
		rest = rest[1:]
	}
	if len(rest) > 2 && (rest[0].low == "what" || rest[0].low == "how") && rest[1].low == "about" {
		rest = rest[2:]
	}
	switch {
	case anchors(rest) == 0 || prepositions[rest[0].low] || places[rest[0].low] || whole(rest) || pointsBack(rest):
		return false
	case len(rest) == len(list): // "Strimzi?", but not "second line?"
		return !slices.ContainsFunc(rest, func(t term) bool { return t.class > function && t.class < anchor })
	default:
		return true
	}
}

// renews says that a follow-up names something that was not spoken of:
// "What about the broker logs?" after a question about the broker does not.
func (t *turn) renews(base *turn) bool {
	return slices.ContainsFunc(t.terms, func(w term) bool {
		return w.class == anchor && !slices.ContainsFunc(base.about, func(b term) bool { return b.stem == w.stem })
	})
}

// asides are what stays of a subject when another takes its place: what was
// asked about it, the follow-up included: "and in children?" – "And warfarin?"
func asides(base, last *turn, cited rag.Citation) []term {
	about := slices.Clone(base.about)
	if last != nil {
		about = append(about, content(last.terms)...)
	}
	return unsaid(about, cited)
}

// unsaid leaves out the subject of what was asked: the words that stand in the
// title of the document cited, and where none does, the names that stand in the
// headings above the passage. "Dose" and the like are what was asked about the
// subject, also where a title says them.
func unsaid(about []term, cited rag.Citation) []term {
	for _, text := range []string{cited.Title, strings.Join(cited.Path, "\n")} {
		said := stems(text)
		rest := slices.DeleteFunc(slices.Clone(about), func(w term) bool { return said[w.stem] && !weaks[w.stem] })
		if len(rest) < len(about) {
			return rest
		}
	}
	return slices.Clone(about)
}

// Words that the rule looks for.
var (
	prepositions = set(`of to by about between into onto over through towards against per as than same auf für fuer im mit bei von pour
		sur avec para con en`)
	copula = set(`is are was were be am isn't aren't`)
)
