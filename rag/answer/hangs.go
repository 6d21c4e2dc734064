package answer

import (
	"regexp"
	"slices"
	"strings"
)

// hangs says whether a question needs what was said before it, and whether it
// puts something in the place of that.
func hangs(list []term) (k kind, contrast bool) {
	if len(list) == 0 {
		return follows, false
	}
	lows := make([]string, len(list))
	for i, t := range list {
		lows[i] = t.low
	}
	n, whole := anchors(list), whole(list)
	opener := openers[lows[0]]
	if opener && complete(list[1:]) { // "And how do I fail over Postgres?"
		return hangs(list[1:])
	}
	replaces := replacing.MatchString(strings.Join(lows, " "))
	contrast = opener || replaces || !whole
	switch {
	case replaces, pointsBack(list), n == 0:
	case opener && (n <= 1 || !whole && n <= 3):
	case !whole && places[lows[0]] && n <= 3: // "in pregnancy with a mechanical valve?"
	case !whole && n <= 1 && len(list) <= 3 && !digits(lows[0]): // "Strimzi?"
	case whole && (onlyPlaces(list) || verbless(list)):
	default:
		return alone, false
	}
	return follows, contrast
}

// whole says that a question is more than a fragment: it asks with a word for
// that, or begins with a verb as commands do.
func whole(list []term) bool {
	return commands[list[0].low] || slices.ContainsFunc(list, func(t term) bool { return asking[t.low] || aux[t.low] || foreign[t.low] })
}

// verbless says that a question asks for an amount or a kind and leaves out of
// what: "How much disk space?", "Which antibiotics?".
func verbless(list []term) bool {
	if slices.ContainsFunc(list, func(t term) bool { return aux[t.low] || t.low == "of" }) {
		return false
	}
	switch first, second := list[0].low, low(list, 1); first {
	case "how":
		return (second == "much" || second == "many") && len(list) <= 4
	case "what", "which":
		return len(list) <= 2
	default:
		return false
	}
}

// onlyPlaces says that a question asks for "the" something of which it names
// only the circumstances: "What is the maximum dose in Crohn's disease?".
func onlyPlaces(list []term) bool {
	i := slices.IndexFunc(list, func(t term) bool { return t.class >= circumstance })
	if i < 1 || !has(list[:i], weak) {
		return false
	}
	definite := slices.ContainsFunc(list[:i], func(t term) bool { return t.low == "the" })
	indefinite := slices.ContainsFunc(list[:i], func(t term) bool { return t.low == "a" || t.low == "an" })
	before := i - 1
	for before > 0 && articles[list[before].low] {
		before--
	}
	return definite && !indefinite && settings[list[before].low]
}

// pointsBack says that a word of the question stands for something before it:
// "How long does that take?", but neither "Is it safe to …" nor "When the broker
// is down, how do I restart it?".
func pointsBack(list []term) bool {
	if slices.ContainsFunc(list, func(t term) bool { return foreign[t.low] }) {
		return false // its "her" and "das" are other words
	}
	for i, t := range list {
		before, after := low(list, i-1), low(list, i+1)
		switch t.low {
		case "it", "they", "them", "its", "their", "itself", "themselves", "theirs":
			if t.class == function && !empty(list, i) && !named(list, i) {
				return true
			}
		case "this", "these":
			if !spans[after] && !colonAfter(list, i) {
				return true
			}
		case "those":
			if after != "who" && after != "with" && after != "that" && after != "of" && after != "without" {
				return true
			}
		case "that", "that's":
			// After a noun it opens a clause: "the alert that fires".
			if i == 0 || i == len(list)-1 || list[i+1].clause > t.clause || determines(list, i) {
				return true
			}
		case "there":
			if !being[before] && !being[after] && after != "a" && after != "any" {
				return true
			}
		case "same":
			if !spans[after] && !slices.ContainsFunc(list[i+1:], func(t term) bool { return t.low == "as" }) {
				return true
			}
		case "one", "ones":
			if after != "of" && pickers[before] {
				return true
			}
		case "he", "she", "him", "her", "his", "instead", "else", "afterwards", "beforehand", "meanwhile":
			return true
		case "before", "after", "during": // "Which bloods are taken before?"
			if i > 0 && i == len(list)-1 {
				return true
			}
		}
	}
	return false
}

// determines says that the "that" at i stands for something or points at the
// noun behind it, and does not open a clause: "do that", "restart that broker".
func determines(list []term, i int) bool {
	before := list[i-1]
	if before.class == function {
		return !articles[before.low] && before.low != "so" && before.low != "such"
	}
	return i == 1 || before.class == weak && subjects[list[i-2].low]
}

// empty says that the "it" at i stands for nothing: "Is it safe to restart the
// broker?", "How long does it take to restore etcd?".
func empty(list []term, i int) bool {
	rest := list[i+1:]
	if list[i].low != "it" || anchors(rest) == 0 {
		return false
	}
	to := slices.IndexFunc(rest, func(t term) bool { return t.low == "to" || t.low == "that" })
	if taking[rest[0].low] {
		return to > 0
	}
	if be[rest[0].low] { // "it is safe to"
		return to == 2
	}
	return be[low(list, i-1)] && to == 1 && rest[0].low != "going" && rest[0].low != "about"
}

// named says that the question itself names what the word at i stands for, in a
// part before it: "If the broker is down, how do I restart it?".
func named(list []term, i int) bool {
	own := selves[list[i].low]
	for j := i - 1; j >= 0; j-- {
		if list[j].class != anchor || !noun(list, j) {
			continue
		}
		if own || list[j].clause < list[i].clause || clauses[low(list, i-1)] {
			return true
		}
	}
	return false
}

// noun says that the word at j is surely a noun: a code, a name, or behind an
// article.
func noun(list []term, j int) bool {
	t := list[j]
	if digits(t.low) || nounBefore(list, j) {
		return true
	}
	return strings.ToLower(t.text) != t.text && (j > 0 || !articles[low(list, 1)])
}

// nounBefore says that an article opens the group of words that ends at j.
func nounBefore(list []term, j int) bool {
	for j--; j >= 0 && list[j].class != function; j-- {
		if list[j].clause != list[j+1].clause {
			return false
		}
	}
	return j >= 0 && (articles[list[j].low] || list[j].low == "which")
}

// colonAfter says that what the word at i points to is given behind a colon:
// "What does this error mean: ERR-4012".
func colonAfter(list []term, i int) bool {
	for _, t := range list[i+1:] {
		if t.clause > list[i].clause && t.class == anchor {
			return true
		}
	}
	return false
}

// measures says that a question which names only what the one before is about
// asks for a measure of that: "How long does the rotation take on EKS?" after a
// question about rotating certificates.
func (t *turn) measures(base *turn) bool {
	if len(t.terms) < 2 || t.terms[0].low != "how" || !measure[t.terms[1].low] {
		return false
	}
	for _, w := range t.terms {
		if w.class == anchor && !slices.ContainsFunc(base.about, func(b term) bool { return b.stem == w.stem }) {
			return false
		}
	}
	return true
}

// isReply says that a message says nothing by itself.
func isReply(list []term) bool {
	if len(list) == 0 || len(list) > 8 {
		return len(list) == 0
	}
	for _, t := range list {
		if !replies[t.low] {
			return false
		}
	}
	return slices.ContainsFunc(list, func(t term) bool { return answers[t.low] })
}

// refuses says that a reply is a no.
func refuses(list []term) bool {
	return slices.ContainsFunc(list, func(t term) bool { return refusing[t.low] })
}

func low(list []term, i int) string {
	if i < 0 || i >= len(list) {
		return ""
	}
	return list[i].low
}

// replacing finds the openings that put something in the place of what was
// asked.
var replacing = regexp.MustCompile(`^((and|but|so|ok|okay|also) )?((what|how) (about|if)|same (for|on|in|with)|was ist mit|et pour|y para|what's with)\b`)

// Words that the rule looks for.
var (
	openers  = set(`and but or also then plus so und aber oder et mais ou y pero e ma`)
	leads    = set(`yes yeah yep yup ok okay sure please thanks great good no nope right alright ja oui si sí`)
	places   = set(`on in for with without at during under after before from via per within when if while outside inside`)
	settings = set(`in with without during under after before while`)
	articles = set(`a an the my our your its their this that these those each every any some no`)
	be       = set(`is was isn't wasn't be`)
	being    = set(`is are was were be been isn't aren't would will can could might`)
	taking   = set(`take takes took cost costs`)
	clauses  = set(`if when once after before while because until unless since whether and but or so that where`)
	pickers  = set(`which the other another first second third last next previous this that these those each every new old right wrong same either both`)
	measure  = set(`long often much many far frequently soon`)
	selves   = set(`its their they itself themselves theirs`)
	commands = set(`explain describe show list tell give find restart restore rotate check compare summarise summarize`)
	asking   = set(`what what's how how's why when where where's which who who's whom whose`)
	aux      = set(`is are was were do does did can could should shall will would may might must has have had am isn't aren't
		don't doesn't can't cannot shouldn't won't`)
	spans   = set(`time week month year day morning evening night weekend quarter sprint`)
	foreign = set(`wie wann wo warum welche welcher welches wer ist sind kann muss comment quand pourquoi quel quelle où qui
		est faut cómo cuándo dónde qué cuál quién está puedo`)
	answers = set(`yes yeah yep yup ok okay k sure please thanks thank no nope go continue proceed show more do right correct exactly
		absolutely definitely great good fine perfect alright course cool nice next further details tell sounds ja gerne bitte nein oui
		non si sí claro vale d'accord tak da да нет 是 是的 好 好的 不 はい`)
	replies = set(`yes yeah yep yup ok okay k sure please thanks thank you no nope not now go ahead on continue proceed show me us more do does
		it that this so the a of course right correct exactly absolutely definitely great good fine perfect alright cool nice
		next further details detail tell give let's lets can could would will i i'd like want to see hear know all them and one both very much just
		need step steps rest sounds ja gerne bitte nein oui non si sí claro vale d'accord tak da да нет 是 是的 好 好的 不 はい`)
	refusing = set(`no nope not nein non нет 不`)
)
