package answer

import (
	"slices"
	"strings"
	"unicode/utf8"

	"passage/rag"
)

// kind is how a question hangs together with the chat before it.
type kind int

// The kinds.
const (
	alone   kind = iota // says itself what it is about
	follows             // "and on EKS?", "how long does that take?": takes its subject from before
	reply               // "yes", "ok show me": says nothing itself
)

// Limits of what the rule reads.
const (
	mostSubject = 16 // words that are carried over
	mostTurns   = 40 // messages of the history
)

// turn is a question as the rule reads it.
type turn struct {
	kind     kind
	question string // what is searched for
	since    int    // index in the history of the question that the subject comes from, its length when it is this one
	contrast bool   // puts something in the place of what was asked: "and on EKS?"
	agrees   bool   // begins with a yes: "Yes, show me the rollback"
	swaps    bool   // names another subject: "and warfarin?", "what about warfarin?"
	terms    []term
	about    []term // of a question that the ones after it go on from: what it is about
}

// read decides by rule what a question is about, given the messages before it.
// One that says so itself is left as it is. Else the subject comes before it:
// the words that name something in the last question that was about something
// itself and in the follow-up after it, and where there are none the title of
// the document that was cited first. A reply to an offer of the assistant is
// about what was offered. One that names another subject takes the place of the
// one before, of which only what was asked about it is kept.
func read(question string, history []rag.Message) turn {
	t := look(question)
	t.question = question
	base, last := turns(history)
	if base == nil {
		t.kind = alone
		return t
	}
	if t.kind == alone && !t.measures(base) {
		return t
	}
	if t.kind == alone {
		t.kind = follows
	}
	t.since = base.since
	if t.swaps = t.swaps && t.renews(base); t.swaps {
		if cited := firstCited(history); cited != nil {
			t.since = len(history)
			base, last = &turn{about: asides(base, last, *cited)}, nil
		}
	}
	subject := t.subject(base, last, history)
	switch {
	case len(subject) == 0 && t.kind == reply: // nothing to go by
	case t.kind == reply:
		t.question = strings.Join(subject, " ")
	case len(subject) > 0:
		t.question = strings.Join(subject, " ") + ": " + oneLine(question[t.terms[0].from:])
	}
	return t
}

// look reads a question by itself. Of a long one, which says what it is about,
// only the beginning is read.
func look(question string) turn {
	if len(question) > mostCondensed*utf8.UTFMax {
		return turn{terms: terms(strings.ToValidUTF8(question[:mostCondensed], ""))}
	}
	list := terms(question)
	t := turn{terms: list}
	if isReply(list) {
		t.kind = reply
		return t
	}
	for len(t.terms) > 1 && leads[t.terms[0].low] { // "Yes, and on EKS?"
		t.agrees = t.agrees || !refusing[t.terms[0].low]
		t.terms = t.terms[1:]
	}
	t.kind, t.contrast = hangs(t.terms)
	t.swaps = t.kind == follows && t.contrast && bare(t.terms)
	return t
}

// turns gives the last question of the history that said itself what it was
// about, the first one if none did, and the last follow-up after it that named
// something, both nil when there are none. The rule reads each question by
// itself: what a question was about does not depend on how it was searched.
func turns(history []rag.Message) (base, last *turn) {
	for i, m := range history {
		if m.Role != rag.RoleUser || i < len(history)-mostTurns || thankful(m.Text) {
			continue
		}
		t := look(m.Text)
		t.since = i
		switch {
		case base == nil || t.kind == alone && !t.measures(base):
			t.about = content(t.terms)
			base, last = &t, nil
		case t.swaps && t.renews(base) && firstCited(history[:i]) != nil:
			t.about = append(asides(base, last, *firstCited(history[:i])), content(t.terms)...)
			base, last = &t, nil
		case t.kind != reply && len(content(t.terms)) > 0:
			last = &t
		}
	}
	return base, last
}

// subject is what a follow-up is about, in words that it does not say itself.
func (t *turn) subject(base, last *turn, history []rag.Message) []string {
	var words []term
	if offer := offered(history); offer != "" && (t.agrees || t.kind == reply && !refuses(t.terms)) {
		words = append(words, content(terms(offer))...)
	}
	from := slices.Clone(base.about)
	if last != nil && (!t.contrast || !last.contrast || anchors(t.terms) == 0) {
		// "What about metformin?" – "And gliclazide?" is no longer about metformin.
		from = append(from, content(last.terms)...)
	}
	place := t.contrast && has(t.terms, circumstance)
	for _, w := range from {
		if place && w.class == circumstance { // "on staging" – "And on EKS?"
			continue
		}
		words = append(words, w)
	}
	if anchors(words) == 0 && !t.swaps {
		words = append(words, content(terms(citedTitle(history)))...)
	}
	seen := map[string]bool{}
	for _, w := range t.terms {
		seen[w.stem] = t.kind != reply
	}
	var out []string
	for _, w := range words {
		if !seen[w.stem] && len(out) < mostSubject {
			seen[w.stem] = true
			out = append(out, w.text)
		}
	}
	return out
}

// citedTitle is the title of the document that the last answer with sources
// cites first.
func citedTitle(history []rag.Message) string {
	if c := firstCited(history); c != nil {
		return c.Title
	}
	return ""
}

// firstCited is what the last answer with sources cites first, nil when there
// is none. A refusal has none, whatever came nearest.
func firstCited(history []rag.Message) *rag.Citation {
	for _, m := range slices.Backward(history) {
		if m.State == rag.AnswerRefused {
			continue
		}
		var first *rag.Citation
		for i, c := range m.Citations {
			switch {
			case c.Deleted:
			case c.Used:
				return &m.Citations[i]
			case first == nil:
				first = &m.Citations[i]
			}
		}
		if first != nil {
			return first
		}
	}
	return nil
}
