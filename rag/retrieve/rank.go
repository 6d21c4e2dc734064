package retrieve

import (
	"cmp"
	"context"
	"slices"

	"passage/rag"
)

// Bounds of what is rescored.
const (
	rankedVersions = 64  // versions whose units are rescored, the best first
	openedVersions = 20  // versions all of whose units are looked at
	addedUnits     = 200 // units added from those
	rankConstant   = 60  // of reciprocal rank fusion
)

// rank turns what the legs found into one list, best first. A search by one leg
// keeps its scores. Otherwise the units found, and more units of the documents
// that hold most of the question's words, are rated by all the signs of
// rag.Fusion: a page whose title and paragraphs speak of the question puts its
// procedure before a single sentence elsewhere that repeats the question.
func (r *Retriever) rank(ctx context.Context, req Request, p plan, dense, lexical []rag.Hit, trace *Trace) ([]rag.Hit, error) {
	hits := fuse(dense, lexical, p.possible, LexicalWeight)
	if req.Legs != Hybrid || len(hits) == 0 {
		return hits, nil
	}
	if req.Fusion != nil && req.Fusion.RankOnly {
		return rankOnly(hits, dense, lexical), nil
	}
	read := newReader(req.Question, p)
	opened := map[profileKey]*rated{}
	for _, set := range p.order {
		if err := r.openProfiles(ctx, req.Scope, set, hits, read, opened); err != nil {
			return nil, err
		}
	}
	list := make([]*rated, 0, len(opened))
	for _, d := range opened {
		list = append(list, d)
	}
	slices.SortFunc(list, func(a, b *rated) int { return cmp.Compare(a.profile.Version, b.profile.Version) })
	avg := average(list)
	for _, d := range list {
		d.score = read.bm25(d.whole, avg.document)
	}
	hits, err := r.widen(ctx, req, p, hits, list, read, avg)
	if err != nil {
		return nil, err
	}
	score(hits, p, req, opened, read, avg)
	trace.Evidence = gather(hits, p, opened, read)
	return hits, nil
}

// openProfiles reads the profiles of the best versions among the hits of a set.
func (r *Retriever) openProfiles(ctx context.Context, scope rag.Scope, set rag.UnitSet, hits []rag.Hit, read *reader, opened map[profileKey]*rated) error {
	var versions []int64
	for _, h := range hits {
		if h.Set == set && !slices.Contains(versions, h.VersionID) {
			if versions = append(versions, h.VersionID); len(versions) == rankedVersions {
				break
			}
		}
	}
	profiles, err := r.profiles(ctx, scope, set, versions)
	if err != nil {
		return err
	}
	for v, p := range profiles {
		opened[profileKey{v, set}] = read.read(p)
	}
	return nil
}

// widen adds the units of the documents with the most of the question's words
// that the legs did not give, those with the most words first.
func (r *Retriever) widen(ctx context.Context, req Request, p plan, hits []rag.Hit, list []*rated, read *reader, avg averages) ([]rag.Hit, error) {
	there := make(map[int64]bool, len(hits))
	for _, h := range hits {
		there[h.UnitID] = true
	}
	best := slices.Clone(list)
	slices.SortStableFunc(best, func(a, b *rated) int { return cmp.Compare(b.score, a.score) })
	var added []rag.Hit
	for _, d := range best[:min(len(best), openedVersions)] {
		for i := range d.profile.Units {
			u := &d.profile.Units[i]
			if there[u.ID] {
				continue
			}
			if words := read.bm25(d.unit(i), avg.lead+avg.own); words > 0 {
				added = append(added, rag.Hit{
					UnitID: u.ID, VersionID: d.profile.Version, DocType: d.profile.DocType, Set: d.profile.Set,
					Ordinal: i, Span: u.Span, BM25: words,
				})
			}
		}
	}
	slices.SortStableFunc(added, func(a, b rag.Hit) int { return cmp.Compare(b.BM25, a.BM25) })
	added = added[:min(len(added), addedUnits)]
	if p.vector != nil && len(added) > 0 {
		ids := make([]int64, len(added))
		for i := range added {
			ids[i] = added[i].UnitID
		}
		cosines, err := r.index.Cosines(ctx, req.Scope, r.embedder.ID(), p.vector, ids)
		if err != nil {
			return nil, err
		}
		for i := range added {
			added[i].Cosine = cosines[added[i].UnitID]
		}
	}
	return append(hits, added...), nil
}

// score gives each hit the weighted sum of its signs and sorts the hits.
func score(hits []rag.Hit, p plan, req Request, opened map[profileKey]*rated, read *reader, avg averages) {
	all := make([]signs, len(hits))
	var most signs
	for i, h := range hits {
		s := signs{words: h.BM25, window: h.BM25}
		if d := opened[profileKey{h.VersionID, h.Set}]; d != nil && h.Ordinal < len(d.profile.Units) {
			s = read.rate(d, h.Ordinal, avg)
		}
		s.cosine = h.Cosine
		most.words, most.window, most.document = max(most.words, s.words), max(most.window, s.window), max(most.document, s.document)
		all[i] = s
	}
	for i := range hits {
		f := p.fusion(req, hits[i].DocType)
		s := all[i]
		hits[i].Score = (f.Cosine*s.cosine +
			f.Words*part(s.words, most.words) + f.Window*part(s.window, most.window) + f.Document*part(s.document, most.document) +
			f.Title*s.title + f.Aspect*s.aspect + f.Steps*s.steps) / f.Total()
	}
	slices.SortFunc(hits, byScore)
}

func part(n, most float64) float64 {
	if most <= 0 {
		return 0
	}
	return n / most
}

func byScore(a, b rag.Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.UnitID, b.UnitID))
}

// rankOnly is reciprocal rank fusion, see rag.Fusion.
func rankOnly(hits, dense, lexical []rag.Hit) []rag.Hit {
	ranks := map[int64]float64{}
	for _, list := range [][]rag.Hit{dense, lexical} {
		for i, h := range list {
			ranks[h.UnitID] += 1 / float64(rankConstant+i+1)
		}
	}
	for i := range hits {
		hits[i].Score = ranks[hits[i].UnitID]
	}
	slices.SortFunc(hits, byScore)
	return hits
}

// fusion gives the weights for a document type.
func (p plan) fusion(req Request, docType string) rag.Fusion {
	if req.Fusion != nil {
		return *req.Fusion
	}
	return p.fusions[docType]
}
