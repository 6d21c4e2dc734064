package retrieve

import (
	"slices"
	"strings"
	"time"

	"passage/rag"
)

// fuse joins the hits of both legs by unit. The score is
// cosine + share / best share, where the share of a hit is its BM25 divided by
// what is possible in its set: raw BM25 of sets with other lengths and
// frequencies cannot be compared. Of one leg alone it is that leg's score; of both
// it only says which documents are looked into first, see rank. Equal scores keep
// the order of unit ids.
func fuse(dense, lexical []rag.Hit, possible map[rag.UnitSet]float64) []rag.Hit {
	best := bestShare(lexical, possible)
	at := make(map[int64]int, len(dense)+len(lexical))
	hits := make([]rag.Hit, 0, len(dense)+len(lexical))
	for _, h := range dense {
		if _, ok := at[h.UnitID]; ok {
			continue
		}
		at[h.UnitID] = len(hits)
		hits = append(hits, h)
	}
	for _, h := range lexical {
		i, ok := at[h.UnitID]
		if !ok {
			at[h.UnitID] = len(hits)
			hits = append(hits, h)
			continue
		}
		hits[i].BM25 = h.BM25
	}
	for i := range hits {
		hits[i].Score = hits[i].Cosine
		if best > 0 {
			hits[i].Score += share(hits[i], possible) / best
		}
	}
	slices.SortFunc(hits, byScore)
	return hits
}

// share is the BM25 of a hit as a part of what is possible, about 0 to 1: how
// much of what the question's words tell stands in the unit.
func share(h rag.Hit, possible map[rag.UnitSet]float64) float64 {
	if p := possible[h.Set]; p > 0 {
		return h.BM25 / p
	}
	return 0
}

func bestShare(hits []rag.Hit, possible map[rag.UnitSet]float64) float64 {
	var best float64
	for _, h := range hits {
		best = max(best, share(h, possible))
	}
	return best
}

// withoutCosine lists the units whose cosine is not known yet: those that only
// the lexical leg found, and those that were added.
func withoutCosine(hits []rag.Hit) []int64 {
	var ids []int64
	for _, h := range hits {
		if h.Cosine == 0 {
			ids = append(ids, h.UnitID)
		}
	}
	return ids
}

func flatten(lists [][]rag.Hit) []rag.Hit { return slices.Concat(lists...) }

func wanted(names []string, name string) bool {
	return len(names) == 0 || slices.Contains(names, name)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func ms(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }
