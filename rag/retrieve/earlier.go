package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"unicode/utf8"

	"passage/rag"
)

// What passages of answers before are worth in a follow-up.
const (
	earlierBonus = 0.05 // of the best score, added to theirs: "and on EKS?" goes on where the last answer stood
	earlierHits  = 5    // units of one that count as its hits
	earlierUnits = 200  // units of one that are compared with the question
)

// remembered is a passage of an answer before, as it stands now.
type remembered struct {
	page *page
	span rag.Span
	hits []rag.Hit // its units, not rated yet
}

// recall opens the passages that the request names as read before. One that was
// deleted or replaced since, that the scope or the filter leaves out, or that is
// named twice, is none.
func (r *Retriever) recall(ctx context.Context, req Request, p *plan) error {
	if len(req.Earlier) == 0 {
		return nil
	}
	var ids []int64
	for _, place := range req.Earlier {
		if _, ok := p.pages[place.Version]; !ok && !slices.Contains(ids, place.Version) {
			ids = append(ids, place.Version)
		}
	}
	if err := r.openVersions(ctx, req.Scope, ids, *p); err != nil {
		return err
	}
	var units []int64
	for _, place := range req.Earlier {
		page := p.pages[place.Version]
		if why := p.forgotten(req, page, place); why != "" {
			p.forgot = append(p.forgot, TraceCut{Version: place.Version, Span: place.Span, Why: why})
			continue
		}
		m := remembered{page: page, span: place.Span}
		lo, hi := page.within(place.Span)
		for _, u := range page.units[lo:min(hi, lo+earlierUnits)] {
			if place.Span.Contains(u.Span) {
				m.hits = append(m.hits, rag.Hit{
					UnitID: u.ID, VersionID: place.Version, DocType: page.reading.Document.DocType,
					Set: u.Set, Ordinal: u.Ordinal, Span: u.Span,
				})
				units = append(units, u.ID)
			}
		}
		if len(m.hits) > 0 {
			p.earlier = append(p.earlier, m)
		}
	}
	return r.compare(ctx, req, p, units)
}

// forgotten says why a passage read before is no candidate any more, or "".
func (p *plan) forgotten(req Request, page *page, place rag.Place) string {
	if page == nil {
		return "read before: the document is gone"
	}
	d := page.reading.Document
	_, searched := p.strategies[d.DocType]
	s, text := place.Span, page.reading.Text
	switch {
	case d.VersionID != place.Version:
		return "read before: the document has changed since"
	case !searched, len(req.Filter.Spaces) > 0 && !slices.Contains(req.Filter.Spaces, d.SpaceID):
		return "read before: the document is not searched now"
	case s.Start < 0 || s.Empty() || s.End > len(text) || !utf8.RuneStart(text[s.Start]) || s.End < len(text) && !utf8.RuneStart(text[s.End]):
		return "read before: there is no such place"
	case slices.ContainsFunc(p.earlier, func(m remembered) bool { return m.page == page && m.span.Overlaps(s) }):
		return "read before: named twice"
	default:
		return ""
	}
}

// compare learns how similar the units of remembered passages are to the
// question, and how much of its words they hold.
func (r *Retriever) compare(ctx context.Context, req Request, p *plan, units []int64) error {
	cosines := map[int64]float64{}
	if p.vector != nil && len(units) > 0 {
		var err error
		if cosines, err = r.index.Cosines(ctx, req.Scope, r.embedder.ID(), p.vector, units); err != nil {
			return err
		}
	}
	for _, m := range p.earlier {
		for i := range m.hits {
			h := &m.hits[i]
			h.Cosine = cosines[h.UnitID]
			h.BM25 = p.query.held(h.Span.In(m.page.reading.Text))
		}
	}
	return nil
}

// unfoundUnits are the units read before that no leg found. They are rated as
// all are.
func (p *plan) unfoundUnits(dense, lexical []rag.Hit) []rag.Hit {
	if len(p.earlier) == 0 {
		return nil
	}
	found := make(map[int64]bool, len(dense)+len(lexical))
	for _, h := range slices.Concat(dense, lexical) {
		found[h.UnitID] = true
	}
	var units []rag.Hit
	clear(p.unfound)
	for _, m := range p.earlier {
		for _, h := range m.hits {
			if !found[h.UnitID] {
				p.unfound[h.UnitID] = 0
				units = append(units, h)
			}
		}
	}
	return units
}

// rated takes those units out of the hits again and keeps their scores: they are
// no hits, but tell how well a passage read before answers.
func (p *plan) rated(hits []rag.Hit) []rag.Hit {
	if len(p.unfound) == 0 {
		return hits
	}
	return slices.DeleteFunc(hits, func(h rag.Hit) bool {
		_, ok := p.unfound[h.UnitID]
		if ok {
			p.unfound[h.UnitID] = h.Score
		}
		return ok
	})
}

// recalled makes the candidates of what was read before: those that are passages
// already, when they come first, and those that wait until the hits are as far
// down as they are, best first.
func (p *plan) recalled(req Request, hits []rag.Hit) (first, waiting []*candidate) {
	if len(p.earlier) == 0 {
		return nil, nil
	}
	scores := maps.Clone(p.unfound)
	top := 0.0
	for _, h := range hits {
		scores[h.UnitID] = h.Score
		top = max(top, h.Score)
	}
	bonus := earlierBonus * top
	for _, m := range p.earlier {
		c := &candidate{
			grower: grower{page: m.page, exactly: req.Exact}, span: m.span, earlier: true,
			strategy: p.strategies[m.page.reading.Document.DocType], hits: slices.Clone(m.hits),
		}
		for i := range c.hits {
			c.hits[i].Score = scores[c.hits[i].UnitID]
		}
		slices.SortStableFunc(c.hits, func(a, b rag.Hit) int { return cmp.Compare(b.Score, a.Score) })
		c.hits = c.hits[:min(len(c.hits), earlierHits)]
		c.score = c.hits[0].Score + bonus
		c.limit = c.grower.limit(c.hits[0], c.strategy)
		top = max(top, c.score)
		waiting = append(waiting, c)
	}
	if !req.EarlierFirst {
		slices.SortStableFunc(waiting, func(a, b *candidate) int { return cmp.Compare(b.score, a.score) })
		return nil, waiting
	}
	for _, c := range waiting[:min(len(waiting), req.Top)] {
		c.score = top
		first = merge(first, c)
	}
	return first, nil
}

// withEarlier adds the best of the passages read before that wait, when none
// came in by its score.
func withEarlier(all, waiting []*candidate) []*candidate {
	if len(waiting) == 0 || slices.ContainsFunc(all, isEarlier) {
		return all
	}
	return merge(all, waiting[0])
}

// firstOf gives the first n passages. The last of them makes room for the best
// that was read before, when no other of them was.
func firstOf(all []*candidate, n int, trace *Trace) []*candidate {
	if len(all) <= n || n < 1 {
		return all
	}
	kept, rest := slices.Clone(all[:n]), all[n:]
	if i := slices.IndexFunc(all, isEarlier); i >= n {
		kept[n-1], rest[i-n] = all[i], all[n-1]
	}
	for _, c := range rest {
		trace.cut(c, nil, whyMany)
	}
	return kept
}

func isEarlier(c *candidate) bool { return c.earlier }
