package evaluate

import "passage/rag"

// steps adds what is said of procedures, for the one of which most came back: by
// completeness, then by the share of steps, then by the last step. A step is
// there when all of its characters but white space are.
func (v Values) steps(q Question, contexts []Context) {
	var best held
	for i, t := range q.Targets() {
		h := hold(t, contexts)
		if i == 0 || h.better(best) {
			best = h
		}
	}
	v[StepRecall], v[Complete], v[LastStep] = best.share(), flag(best.complete()), flag(best.last)
	if best.n > 0 {
		v[OrderKept] = flag(best.ordered)
	}
	for m, limit := range map[Measure]int{Complete4000: 4_000, Complete6000: 6_000, Complete8000: 8_000} {
		v[m] = 0
		some := within(contexts, limit)
		for _, t := range q.Targets() {
			v[m] = max(v[m], flag(hold(t, some).complete()))
		}
	}
}

// held is how much of a procedure the contexts hold.
type held struct {
	n, of   int
	last    bool
	ordered bool // the steps that are there come in their order
}

func (h held) complete() bool { return h.n == h.of }
func (h held) share() float64 { return ratio(h.n, h.of) }

func (h held) better(than held) bool {
	if h.complete() != than.complete() {
		return h.complete()
	}
	if h.share() != than.share() {
		return h.share() > than.share()
	}
	return h.last && !than.last
}

func hold(t Target, contexts []Context) held {
	by := union(of(contexts, t.key()))
	h := held{of: len(t.Spans), ordered: true}
	at := place{}
	for i, s := range t.Spans {
		if !covered(s, by) {
			continue
		}
		h.n++
		h.last = i == len(t.Spans)-1
		here := begins(s, t.key(), contexts)
		h.ordered = h.ordered && !here.before(at)
		at = here
	}
	return h
}

// place is where a step is read: in which context, and where in it.
type place struct{ context, start int }

func (p place) before(q place) bool {
	return p.context < q.context || p.context == q.context && p.start < q.start
}

// begins is where the first character of a step is first read.
func begins(s AnswerSpan, k Key, contexts []Context) place {
	first := s.Start
	for _, r := range s.runes() {
		if !isSpace(r) {
			break
		}
		first++
	}
	for i, c := range contexts {
		if c.key() == k && c.span().Contains(rag.Span{Start: first, End: first + 1}) {
			return place{i, s.Start}
		}
	}
	return place{}
}

// within gives the first contexts that hold together at most so many characters.
func within(contexts []Context, limit int) []Context {
	n := 0
	for i, c := range contexts {
		if n += c.End - c.Start; n > limit {
			return contexts[:i]
		}
	}
	return contexts
}
