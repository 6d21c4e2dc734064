package retrieve

import (
	"unicode/utf8"

	"passage/rag"
)

// passageOverhead is the tokens that the number, title and heading path of a
// passage take in the prompt, about.
const passageOverhead = 32

// fit keeps the passages, best first, that fit the budget. One that is too
// long is cut down to its middle layer, then to sentences around its best hit;
// what is left out is in the trace.
func (r *Retriever) fit(req Request, all []*candidate, trace *Trace) []*candidate {
	b := budget{tokens: req.BudgetTokens, chars: req.BudgetChars}
	var kept []*candidate
	for _, c := range all {
		if b.takes(c) {
			kept = append(kept, c)
			continue
		}
		small := b.shrink(c)
		if small == nil {
			trace.cut(c, nil)
			continue
		}
		trace.cut(c, small)
		kept = append(kept, small)
	}
	return kept
}

// budget counts down. A limit of 0 or less is none.
type budget struct {
	tokens, chars         int
	usedTokens, usedChars int
}

// takes counts the candidate in when it fits.
func (b *budget) takes(c *candidate) bool {
	t, n := c.count(c.span)+passageOverhead, utf8.RuneCountInString(c.span.In(c.reading.Text))
	if b.tokens > 0 && b.usedTokens+t > b.tokens || b.chars > 0 && b.usedChars+n > b.chars {
		return false
	}
	b.usedTokens += t
	b.usedChars += n
	return true
}

// shrink tries smaller spans around the best hit and takes the first that
// fits, or gives nil. Only hits that the smaller span still holds stay.
func (b *budget) shrink(c *candidate) *candidate {
	h := c.hits[0]
	section := c.section(h).Span
	left := c.count(c.span)
	if b.tokens > 0 {
		left = min(left, b.tokens-b.usedTokens-passageOverhead)
	}
	var spans []rag.Span
	for _, part := range c.section(h).Parts {
		if part.Overlaps(h.Span) {
			spans = append(spans, c.complete(c.trim(part)))
		}
	}
	if h.Set == rag.SentenceSet {
		for room := left; room >= 64; room /= 2 {
			spans = append(spans, c.around(h, section, room))
		}
	}
	spans = append(spans, h.Span)
	for _, s := range spans {
		small := &candidate{grower: c.grower, span: s, strategy: c.strategy}
		for _, hit := range c.hits {
			if s.Contains(hit.Span) {
				small.hits = append(small.hits, hit)
			}
		}
		if len(small.hits) > 0 && c.span.Contains(s) && b.takes(small) {
			return small
		}
	}
	return nil
}
