package retrieve

import (
	"cmp"
	"slices"
	"strings"
	"time"
	"unicode"

	"passage/rag"
	"passage/rag/analyze"
)

// LexicalWeight is the share of BM25, divided by the best BM25 of the
// question, that is added to the cosine. Units are searched with their heading
// path before them, which lifts all cosines of a page together, so the words
// need a full share: on the development sets a weight of 1 found more than 0.25
// and 0.5 did (chroma: recall .911, .840, .872; procedures: .50, .42, .47) and,
// on chroma, more than either leg alone.
const LexicalWeight = 1.0

// When the legs have found nothing that answers. The similarity is compared raw
// and the share of words absolute; a fused score says nothing about either.
const (
	// minCosine is the similarity below which a unit that shares no word with
	// the question is no answer.
	minCosine = 0.30
	// A question of which half the words stand in no document is answered only
	// from a unit that holds a little of the rest, or that is very similar.
	// Set by hand on the examples (misspelt questions pass, unrelated ones do
	// not); it is not calibrated.
	foreignShare  = 0.5
	foreignWords  = 0.11
	foreignCosine = 0.65
	// mentionShare is the share of unknown words from which they are named.
	mentionShare = 0.3
)

// fuse joins the hits of both legs by unit. The score is
// cosine + weight × share / best share, where the share of a hit is its BM25
// divided by what is possible in its set: raw BM25 of sets with other lengths
// and frequencies cannot be compared. Equal scores keep the order of unit ids.
func fuse(dense, lexical []rag.Hit, possible map[rag.UnitSet]float64, weight float64) []rag.Hit {
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
			hits[i].Score += weight * share(hits[i], possible) / best
		}
	}
	slices.SortFunc(hits, func(a, b rag.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.UnitID, b.UnitID))
	})
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

// withoutCosine lists the units that only the lexical leg found, whose cosine
// is therefore not known yet.
func withoutCosine(dense, lexical []rag.Hit) []int64 {
	known := make(map[int64]bool, len(dense))
	for _, h := range dense {
		known[h.UnitID] = true
	}
	var ids []int64
	for _, h := range lexical {
		if !known[h.UnitID] {
			ids = append(ids, h.UnitID)
		}
	}
	return ids
}

// weak says that no hit is good enough to answer from.
func weak(hits []rag.Hit, p plan, legs Legs) bool {
	if len(hits) == 0 {
		return true
	}
	if legs == LexicalOnly || p.vector == nil {
		return false
	}
	var words, cosine float64
	for _, h := range hits {
		words, cosine = max(words, share(h, p.possible)), max(cosine, h.Cosine)
	}
	if p.foreign() >= foreignShare && words < foreignWords && cosine < foreignCosine {
		return true
	}
	return words == 0 && cosine < minCosine
}

// foreign is the share of the question's words that stand in no document.
func (p plan) foreign() float64 {
	if len(p.words) == 0 {
		return 0
	}
	return float64(len(p.unknown)) / float64(len(p.words))
}

// unmentioned gives the words of the question, as they were written, that stand
// in no document, when they are a fair part of it: an answer about the rest may
// miss the point, as one about another medicine does.
func (p plan) unmentioned(question string) []string {
	if p.foreign() < mentionShare {
		return nil
	}
	var list []string
	for _, word := range strings.FieldsFunc(question, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:?!()\"“”", r) }) {
		terms := analyze.QueryTerms(word)
		known := func(t string) bool { return !slices.Contains(p.unknown, t) }
		if len(terms) > 0 && !slices.ContainsFunc(terms, known) && !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return list
}

func flatten(lists [][]rag.Hit) []rag.Hit { return slices.Concat(lists...) }

func wanted(names []string, name string) bool {
	return len(names) == 0 || slices.Contains(names, name)
}

func blank(s string) bool { return strings.TrimSpace(s) == "" }

func ms(since time.Time) float64 { return float64(time.Since(since).Microseconds()) / 1000 }
