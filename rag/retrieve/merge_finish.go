package retrieve

import (
	"cmp"
	"slices"

	"passage/rag"
	"passage/rag/analyze"
)

// A passage marks its best hits, not every hit inside: a passage all marked
// shows nothing.
const (
	maxMarks  = 3
	markShare = 0.8 // of the passage's best score
)

// finish makes the passage: text, marks, parts, heading path.
func (c *candidate) finish(terms []string) rag.Passage {
	section, _ := c.sectionAt(c.span.Start)
	p := rag.Passage{
		Document: c.reading.Document,
		Version:  c.reading.Version,
		Path:     section.Path,
		Section:  section.Ordinal,
		Span:     c.span,
		Pages:    rag.PagesOf(c.reading.Pages, c.span),
		Text:     c.span.In(c.reading.Text),
		Header:   c.header(),
		Parts:    c.parts(c.span, c.gaps),
		Gaps:     c.gaps,
		Score:    c.score,
		Tokens:   c.cost().tokens - c.overhead(),
		Strategy: c.strategy,
	}
	p.HeaderText = p.Header.In(c.reading.Text)
	p.Marks = c.marks(terms)
	slices.SortFunc(p.Marks, func(a, b rag.Mark) int {
		return cmp.Or(cmp.Compare(a.Span.Start, b.Span.Start), cmp.Compare(a.Span.End, b.Span.End))
	})
	return p
}

// marks are the hits to highlight. Units are searched with their title and
// headings before them, so every unit of a section scores for words that stand
// in none of them; what is marked holds at least half as many of the question's
// words itself as the unit that holds the most. When none holds any, the best
// hit is marked.
func (c *candidate) marks(terms []string) []rag.Mark {
	var near []rag.Mark
	var held []int
	most := 0
	for _, h := range c.hits {
		if h.Score < markShare*c.hits[0].Score {
			continue
		}
		for _, m := range c.sentences(h) {
			near, held = append(near, m), append(held, c.heldTerms(m.Span.In(c.reading.Text), terms))
			most = max(most, held[len(held)-1])
		}
	}
	if best := c.hits[0]; most == 0 && c.holds(best.Span) {
		return []rag.Mark{{UnitID: best.UnitID, Span: best.Span, Score: best.Score}}
	}
	if most == 0 {
		return near[:min(len(near), 1)]
	}
	var marks []rag.Mark
	for need := most; need*2 >= most && need > 0; need-- {
		for i, m := range near {
			if held[i] == need && len(marks) < maxMarks {
				marks = append(marks, m)
			}
		}
	}
	return marks
}

// sentences gives what may be marked of a hit: the unit itself, and of a chunk
// the sentences inside it, or what of them is inside when none is whole.
func (c *candidate) sentences(h rag.Hit) []rag.Mark {
	whole := []rag.Mark{{UnitID: h.UnitID, Span: h.Span, Score: h.Score}}
	if h.Set == rag.SentenceSet {
		if !c.holds(h.Span) {
			return nil
		}
		return whole
	}
	var marks, cut []rag.Mark
	lo, hi := c.within(h.Span)
	for _, u := range c.units[lo:hi] {
		m := rag.Mark{UnitID: u.ID, Span: overlap(u.Span, h.Span), Score: h.Score}
		switch {
		case !c.holds(m.Span):
		case m.Span == u.Span:
			marks = append(marks, m)
		default:
			cut = append(cut, m)
		}
	}
	switch {
	case len(marks) > 0:
		return marks
	case c.holds(h.Span):
		return whole
	default:
		return cut
	}
}

// heldTerms counts the terms that stand in the text.
func (c *candidate) heldTerms(text string, terms []string) int {
	there := map[string]bool{}
	found := analyze.Terms
	if c.query != nil {
		found = c.query.analyzer.Terms
	}
	for _, t := range found(text) {
		there[t] = true
	}
	n := 0
	for _, t := range terms {
		if there[t] {
			n++
		}
	}
	return n
}

// header is the header row of the table the passage starts in, when it starts
// below that row.
func (c *candidate) header() rag.Span {
	lo, _ := c.within(rag.Span{Start: c.span.Start, End: c.span.End})
	if lo == len(c.units) {
		return rag.Span{}
	}
	if u := c.units[lo]; u.Kind == rag.UnitRow && !u.Header.Empty() && u.Header.Start < c.span.Start {
		return u.Header
	}
	return rag.Span{}
}
