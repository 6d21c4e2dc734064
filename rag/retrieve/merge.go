package retrieve

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"passage/rag"
)

// candidate is a passage in the making.
type candidate struct {
	grower
	span     rag.Span
	gaps     []rag.Span // what compression left out, inside the span
	strategy rag.Strategy
	hits     []rag.Hit // best first
	limit    int       // tokens above which it is compressed, 0 for none
	score    float64   // of its best hit, raised for what was read before
	earlier  bool      // it stood in an answer before
	counted  *cost     // what it costs, when that was counted
}

// pieces are the spans that are kept.
func (c *candidate) pieces() []rag.Span { return rag.Pieces(c.span, c.gaps) }

// holds says that a span lies in the candidate and in none of its gaps.
func (c *candidate) holds(s rag.Span) bool {
	return c.span.Contains(s) && !cutByGap(s, c.gaps)
}

// collect grows the hits in the order of their scores until as many distinct
// passages are there as were asked for. A hit inside a passage that is there
// already becomes one of its hits; a passage that overlaps others becomes one
// with them, which leaves room for another. Passages of answers before take
// part in the order of their scores, see recall.
//
// When there are enough, hits that lie in one of them still count there; the
// others are only counted in the trace.
func (r *Retriever) collect(ctx context.Context, req Request, p plan, hits []rag.Hit, trace *Trace) ([]*candidate, error) {
	all, waiting := p.recalled(req, hits)
	pages := p.pages
	full := false
	var beyond []rag.Hit
	trace.Beyond, trace.Cut = 0, append(trace.Cut, p.forgot...)
	admit := func(next *candidate) {
		merged := merge(all, next)
		if full = len(merged) > req.Top; !full {
			all = merged
		}
	}
	for i, h := range hits {
		for len(waiting) > 0 && waiting[0].score >= h.Score && !full {
			admit(waiting[0])
			waiting = waiting[1:]
		}
		if _, ok := pages[h.VersionID]; !ok && !full {
			if err := r.openNext(ctx, req.Scope, hits[i:], req.Top, p); err != nil {
				return nil, err
			}
		}
		if c := holder(all, h); c != nil {
			c.add(h)
			continue
		}
		if full {
			beyond = append(beyond, h)
			continue
		}
		page := pages[h.VersionID]
		if page == nil {
			trace.drop(h, "the document changed while it was searched")
			continue
		}
		next := r.grown(page, h, p.strategies[h.DocType], req)
		trace.window(h, next)
		if len(page.reading.Outline.Sections) == 0 {
			trace.note(h, "its section is missing: the unit stands alone")
		}
		if admit(next); full {
			beyond = append(beyond, h)
		}
	}
	for len(waiting) > 0 && !full {
		admit(waiting[0])
		waiting = waiting[1:]
	}
	all = withEarlier(all, waiting)
	for _, h := range beyond {
		if c := holder(all, h); c != nil {
			c.add(h)
			continue
		}
		trace.Beyond++
	}
	return firstOf(all, req.Top, trace), nil
}

// add makes a hit one of the candidate's, in the order of scores.
func (c *candidate) add(h rag.Hit) {
	if slices.ContainsFunc(c.hits, func(o rag.Hit) bool { return o.UnitID == h.UnitID }) {
		return
	}
	at := len(c.hits)
	for at > 0 && c.hits[at-1].Score < h.Score {
		at--
	}
	c.hits = slices.Insert(c.hits, at, h)
}

// grown makes the candidate of a hit.
func (r *Retriever) grown(page *page, h rag.Hit, s rag.Strategy, req Request) *candidate {
	g := grower{page: page, exactly: req.Exact}
	return &candidate{grower: g, strategy: s, hits: []rag.Hit{h}, score: h.Score, span: g.grow(h, s), limit: g.limit(h, s)}
}

// openNext reads the versions of the next hits: as many distinct ones as passages
// are wanted, in one query. A version that is not there, or not in scope, gets
// no page.
func (r *Retriever) openNext(ctx context.Context, scope rag.Scope, hits []rag.Hit, n int, p plan) error {
	var ids []int64
	for _, h := range hits {
		if _, ok := p.pages[h.VersionID]; ok || slices.Contains(ids, h.VersionID) {
			continue
		}
		if ids = append(ids, h.VersionID); len(ids) > n {
			break
		}
	}
	return r.openVersions(ctx, scope, ids, p)
}

func (r *Retriever) openVersions(ctx context.Context, scope rag.Scope, ids []int64, p plan) error {
	found, err := r.index.Readings(ctx, scope, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		p.pages[id] = nil
		if reading := found[id]; reading != nil {
			p.pages[id] = newPage(reading, r.tokens, p.query)
		}
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
		next = out[i].join(next)
		out = slices.Delete(out, i, i+1)
	}
	at, _ := slices.BinarySearchFunc(out, next, func(c, n *candidate) int {
		return cmp.Or(cmp.Compare(n.score, c.score), -1)
	})
	return slices.Insert(out, at, next)
}

// join makes one of two. Where one of them may have no more than so many
// tokens, the other brings its own.
func (c *candidate) join(o *candidate) *candidate {
	joined := &candidate{
		grower:   c.grower,
		span:     c.span.Union(o.span),
		strategy: c.strategy,
		hits:     append(slices.Clone(c.hits), o.hits...),
		score:    max(c.score, o.score),
		earlier:  c.earlier || o.earlier,
	}
	if c.limit > 0 || o.limit > 0 {
		joined.limit = c.allowed() + o.allowed()
	}
	slices.SortStableFunc(joined.hits, func(a, b rag.Hit) int { return cmp.Compare(b.Score, a.Score) })
	joined.hits = slices.CompactFunc(joined.hits, func(a, b rag.Hit) bool { return a.UnitID == b.UnitID })
	return joined
}

// allowed is the tokens that a candidate may have.
func (c *candidate) allowed() int {
	if c.limit > 0 {
		return c.limit
	}
	return c.count(c.span)
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
