package retrieve

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"passage/rag"
)

// Bounds of what is rescored.
const (
	rankedVersions = 64     // versions of a set whose units are rescored, the best first
	rankedUnits    = 40_000 // and units of all of them
	openedVersions = 20     // versions all of whose units are looked at
	addedUnits     = 200    // units added from those
	rankConstant   = 60     // of reciprocal rank fusion
)

// rank turns what the legs found into one list, best first. A search by one leg
// keeps its scores. Otherwise the units found, and more units of the documents
// that hold most of the question's words, are rated by all the signs of
// rag.Fusion: a page whose title and paragraphs speak of the question puts its
// procedure before a single sentence elsewhere that repeats the question.
// Remembered are units that no leg found, to be rated too.
func (r *Retriever) rank(ctx context.Context, req Request, p plan, dense, lexical, remembered []rag.Hit, trace *Trace) ([]rag.Hit, error) {
	hits := fuse(slices.Concat(dense, remembered), lexical, p.possible)
	if req.Legs != Hybrid || len(hits) == 0 {
		return hits, nil
	}
	if req.Fusion != nil && req.Fusion.RankOnly {
		return rankOnly(hits, dense, lexical, p.possible), nil
	}
	read, opened := newReader(req.Question, p), map[profileKey]*rated{}
	for _, set := range p.order {
		if err := r.openProfiles(ctx, req.Scope, set, hits, read, opened); err != nil {
			return nil, err
		}
	}
	list := slices.SortedFunc(maps.Values(opened), func(a, b *rated) int {
		return cmp.Or(cmp.Compare(a.profile.Version, b.profile.Version), cmp.Compare(a.profile.Set, b.profile.Set))
	})
	avg := average(list)
	for _, d := range list {
		d.score = read.bm25(d.whole, avg[d.profile.Set].document)
	}
	read.call(list)
	hits = widen(hits, list, read, avg)
	if err := r.cosines(ctx, req, p, hits); err != nil {
		return nil, err
	}
	all, most := signsOf(hits, p, opened, read, avg)
	trace.Evidence = gather(hits, all, most, p, opened, read)
	for i := range hits {
		hits[i].Score = all[i].score(p.fusion(req, hits[i].DocType), most)
	}
	slices.SortFunc(hits, byScore)
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
	units := 0
	for _, v := range versions {
		p := profiles[v]
		if p == nil {
			continue
		}
		if units += len(p.Units); units > rankedUnits && units > len(p.Units) {
			break
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		opened[profileKey{v, set}] = read.read(p)
	}
	return nil
}

// widen adds the units of the documents with the most of the question's words
// that the legs did not give, those with the most words first.
func widen(hits []rag.Hit, list []*rated, read *reader, avg map[rag.UnitSet]averages) []rag.Hit {
	there := make(map[int64]bool, len(hits))
	for _, h := range hits {
		there[h.UnitID] = true
	}
	best := slices.Clone(list)
	slices.SortStableFunc(best, func(a, b *rated) int { return cmp.Compare(b.score, a.score) })
	var added []rag.Hit
	for _, d := range best[:min(len(best), openedVersions)] {
		length := avg[d.profile.Set].lead + avg[d.profile.Set].own
		for i := range d.profile.Units {
			u := &d.profile.Units[i]
			if there[u.ID] {
				continue
			}
			if words := read.bm25(read.unit(d, i), length); words > 0 {
				added = append(added, rag.Hit{
					UnitID: u.ID, VersionID: d.profile.Version, DocType: d.profile.DocType, Set: d.profile.Set,
					Ordinal: i, Span: u.Span, BM25: words,
				})
			}
		}
	}
	slices.SortStableFunc(added, func(a, b rag.Hit) int { return cmp.Compare(b.BM25, a.BM25) })
	return append(hits, added[:min(len(added), addedUnits)]...)
}

// cosines fills in the similarity of the hits that the dense leg did not find.
func (r *Retriever) cosines(ctx context.Context, req Request, p plan, hits []rag.Hit) error {
	missing := withoutCosine(hits)
	if p.vector == nil || len(missing) == 0 {
		return nil
	}
	cosines, err := r.index.Cosines(ctx, req.Scope, r.embedder.ID(), p.vector, missing)
	if err != nil {
		return err
	}
	for i := range hits {
		if c, ok := cosines[hits[i].UnitID]; ok {
			hits[i].Cosine = c
		}
	}
	return nil
}

// signsOf gives the signs of each hit, and the most of those that count words.
func signsOf(hits []rag.Hit, p plan, opened map[profileKey]*rated, read *reader, avg map[rag.UnitSet]averages) (all []signs, most signs) {
	all = make([]signs, len(hits))
	for i, h := range hits {
		held := share(h, p.possible) * read.possible
		s := signs{words: held, window: held, document: held}
		if d := opened[profileKey{h.VersionID, h.Set}]; d != nil && h.Ordinal < len(d.profile.Units) {
			s = read.rate(d, h.Ordinal, avg[h.Set])
		}
		s.cosine = h.Cosine
		most.words, most.window, most.document = max(most.words, s.words), max(most.window, s.window), max(most.document, s.document)
		all[i] = s
	}
	return all, most
}

// score is the weighted sum of the signs, see rag.Fusion.
func (s signs) score(f rag.Fusion, most signs) float64 {
	return (f.Cosine*s.cosine +
		f.Words*part(s.words, most.words) + f.Window*part(s.window, most.window) + f.Document*part(s.document, most.document) +
		f.Title*s.title + f.Aspect*s.aspect + f.Steps*s.steps) / f.Total() * (1 - f.Subject*s.other)
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

// rankOnly is reciprocal rank fusion, see rag.Fusion. The lists of several sets
// are put in one order first.
func rankOnly(hits, dense, lexical []rag.Hit, possible map[rag.UnitSet]float64) []rag.Hit {
	ranks := map[int64]float64{}
	count := func(list []rag.Hit, score func(rag.Hit) float64) {
		list = slices.Clone(list)
		slices.SortStableFunc(list, func(a, b rag.Hit) int { return cmp.Compare(score(b), score(a)) })
		for i, h := range list {
			ranks[h.UnitID] += 1 / float64(rankConstant+i+1)
		}
	}
	count(dense, func(h rag.Hit) float64 { return h.Cosine })
	count(lexical, func(h rag.Hit) float64 { return share(h, possible) })
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
