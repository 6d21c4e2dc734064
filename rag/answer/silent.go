package answer

import (
	"slices"

	"passage/rag"
)

// unanswerable gives the state and the notice of the answer to a message that
// there is nothing to search for: thanks for an answer, and what says nothing
// by itself while nothing was said before it. Of any other the notice is "".
func unanswerable(question string, history []rag.Message) (rag.AnswerState, string) {
	switch {
	case spoken(history) && thankful(question):
		return rag.AnswerDone, noticeThanks
	case !spoken(history) && saysNothing(question):
		return rag.AnswerRefused, noticeNothing
	default:
		return "", ""
	}
}

// spoken says that a question of the history named something.
func spoken(history []rag.Message) bool {
	return slices.ContainsFunc(history, func(m rag.Message) bool { return m.Role == rag.RoleUser && !saysNothing(m.Text) })
}

// saysNothing says that a message names nothing that documents could be
// searched for: "yes", "hello", "how long does that take?", "??".
func saysNothing(message string) bool {
	t := look(message)
	return t.kind == reply || thankful(message) || !slices.ContainsFunc(t.terms, func(w term) bool {
		return w.class > filler && !greetings[w.low]
	})
}

// thankful says that a message thanks and asks for nothing.
func thankful(message string) bool {
	if len(message) > mostCondensed {
		return false
	}
	list := terms(message)
	return slices.ContainsFunc(list, func(t term) bool { return thanking[t.low] }) &&
		!slices.ContainsFunc(list, func(t term) bool { return !thanking[t.low] && !closing[t.low] })
}

// Words that the rule looks for.
var (
	thanking = set(`thanks thank thx ty cheers danke merci gracias grazie obrigado спасибо 谢谢`)
	closing  = set(`you u so very much many a lot ok okay k no nope great good fine perfect alright cool nice that that's this it did worked
		works helps helped is was all for your the help answer i'm we're done now again everything excellent awesome vielen schön sehr beaucoup
		muchas and but really just what i needed need wanted ja nein oui non si sí`)
	greetings = set(`hi hello hey hallo bonjour hola morning afternoon evening`)
)
