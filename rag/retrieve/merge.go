package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/analyze"
)

// A passage marks its best hits, not every hit inside: a passage all marked
// shows nothing.
const (
	maxMarks  = 3
	markShare = 0.8 // of the passage's best score
)

// candidate is a passage in the making.
type candidate struct {
	grower
	span     rag.Span
	strategy rag.Strategy
	hits     []rag.Hit // best first
}

// collect grows the hits in the order of their scores until as many distinct
// passages are there as were asked for. A hit inside a passage that is there
// already adds a mark; a passage that overlaps others becomes one with them.
func (r *Retriever) collect(ctx context.Context, req Request, p plan, hits []rag.Hit, trace *Trace) ([]*candidate, error) {
	var all []*candidate
	readings := map[int64]*rag.Reading{}
	for i, h := range hits {
		if _, ok := readings[h.VersionID]; !ok {
			if err := r.load(ctx, req.Scope, hits[i:], req.Top, readings); err != nil {
				return nil, err
			}
		}
		reading := readings[h.VersionID]
		if reading == nil {
			trace.drop(h, "the document changed while it was searched")
			continue
		}
		if c := holder(all, h); c != nil {
			c.hits = append(c.hits, h)
			continue
		}
		s := p.strategies[h.DocType]
		g := grower{reading: reading, tokens: r.tokens, exact: req.Exact}
		next := &candidate{grower: g, strategy: s, hits: []rag.Hit{h}, span: g.grow(h, s)}
		trace.window(h, next)
		merged := merge(all, next)
		if len(merged) > req.Top {
			break
		}
		all = merged
	}
	return all, nil
}

// load reads the versions of the next hits: as many distinct ones as passages
// are wanted, in one query.
func (r *Retriever) load(ctx context.Context, scope rag.Scope, hits []rag.Hit, n int, into map[int64]*rag.Reading) error {
	var ids []int64
	for _, h := range hits {
		if _, ok := into[h.VersionID]; ok || slices.Contains(ids, h.VersionID) {
			continue
		}
		if ids = append(ids, h.VersionID); len(ids) > n {
			break
		}
	}
	found, err := r.index.Readings(ctx, scope, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		into[id] = found[id]
	}
	return nil
}

func holder(all []*candidate, h rag.Hit) *candidate {
	for _, c := range all {
		if c.reading.Version == h.VersionID && c.span.Contains(h.Span) {
			return c
		}
	}
	return nil
}

// merge adds a candidate to the list. All that overlap, directly or through
// each other, become one, at the place of the best of them.
func merge(all []*candidate, next *candidate) []*candidate {
	out := slices.Clone(all)
	for {
		i := slices.IndexFunc(out, func(c *candidate) bool { return c.joins(next) })
		if i < 0 {
			break
		}
		joined := &candidate{
			grower:   out[i].grower,
			span:     out[i].span.Union(next.span),
			strategy: out[i].strategy,
			hits:     append(slices.Clone(out[i].hits), next.hits...),
		}
		slices.SortStableFunc(joined.hits, func(a, b rag.Hit) int { return cmp.Compare(b.Score, a.Score) })
		out = slices.Delete(out, i, i+1)
		next = joined
	}
	at, _ := slices.BinarySearchFunc(out, next, func(c, n *candidate) int {
		return cmp.Or(cmp.Compare(n.hits[0].Score, c.hits[0].Score), -1)
	})
	return slices.Insert(out, at, next)
}

// joins says that two candidates are of one version and overlap, or are
// windows with nothing but white space between them.
func (c *candidate) joins(o *candidate) bool {
	if c.reading.Version != o.reading.Version {
		return false
	}
	if c.span.Overlaps(o.span) {
		return true
	}
	if c.strategy.Kind != rag.SentenceWindow || o.strategy.Kind != rag.SentenceWindow {
		return false
	}
	gap := rag.Span{Start: min(c.span.End, o.span.End), End: max(c.span.Start, o.span.Start)}
	return gap.Start <= gap.End && strings.TrimSpace(gap.In(c.reading.Text)) == ""
}

// finish makes the passage: text, marks, parts, heading path.
func (c *candidate) finish(tokens Counter, terms []string) rag.Passage {
	section := c.reading.Outline.Sections[c.sectionAt(c.span.Start)]
	p := rag.Passage{
		Document: c.reading.Document,
		Version:  c.reading.Version,
		Path:     section.Path,
		Section:  section.Ordinal,
		Span:     c.span,
		Pages:    rag.PagesOf(c.reading.Pages, c.span),
		Text:     c.span.In(c.reading.Text),
		Header:   c.header(),
		Parts:    c.parts(c.span),
		Score:    c.hits[0].Score,
		Strategy: c.strategy,
	}
	p.HeaderText = p.Header.In(c.reading.Text)
	p.Tokens = tokens.Count(p.Text)
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
		if !c.span.Contains(h.Span) || h.Score < markShare*c.hits[0].Score {
			continue
		}
		for _, m := range c.sentences(h) {
			near, held = append(near, m), append(held, holds(m.Span.In(c.reading.Text), terms))
			most = max(most, held[len(held)-1])
		}
	}
	if most == 0 {
		h := c.hits[0]
		return []rag.Mark{{UnitID: h.UnitID, Span: h.Span, Score: h.Score}}
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
// the sentences inside it.
func (c *candidate) sentences(h rag.Hit) []rag.Mark {
	whole := []rag.Mark{{UnitID: h.UnitID, Span: h.Span, Score: h.Score}}
	if h.Set == rag.SentenceSet {
		return whole
	}
	var marks []rag.Mark
	for _, u := range c.reading.Outline.UnitsOf(rag.SentenceSet) {
		if h.Span.Contains(u.Span) {
			marks = append(marks, rag.Mark{UnitID: u.ID, Span: u.Span, Score: h.Score})
		}
	}
	if len(marks) == 0 {
		return whole
	}
	return marks
}

// holds counts the terms that stand in the text.
func holds(text string, terms []string) int {
	there := map[string]bool{}
	for _, t := range analyze.Terms(text) {
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
	for _, u := range c.reading.Outline.UnitsOf(rag.SentenceSet) {
		if u.Span.End <= c.span.Start {
			continue
		}
		if u.Kind == rag.UnitRow && !u.Header.Empty() && u.Header.Start < c.span.Start {
			return u.Header
		}
		return rag.Span{}
	}
	return rag.Span{}
}
