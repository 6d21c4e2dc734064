package db_test

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"passage/rag"
)

// corpus fills both spaces with documents of random vectors: in each space, of
// each of two types, docs documents of lines units.
func (b bundle) corpus(t *testing.T, r *rand.Rand, docs, lines int) []corpusUnit {
	t.Helper()
	var units []corpusUnit
	for _, space := range []rag.Space{b.ops, b.clinic} {
		for _, docType := range []string{"runbook", "guideline"} {
			for i := range docs {
				var text strings.Builder
				for range lines {
					for range 3 + r.IntN(9) {
						fmt.Fprintf(&text, "w%d ", int(math.Abs(r.NormFloat64())*8))
					}
					text.WriteString("end.\n")
				}
				v := version(space, fmt.Sprintf("%s/%d.md", docType, i), text.String())
				v.DocType = docType
				for n := range v.Index {
					v.Index[n].Vector = randomVector(r, dimension)
				}
				live := b.put(t, v)
				for n, u := range v.Outline.Units {
					units = append(units, corpusUnit{
						space: space.ID, docType: docType, version: live.VersionID, unit: u, index: v.Index[n],
					})
				}
			}
		}
	}
	return units
}

type corpusUnit struct {
	space   int64
	docType string
	version int64
	unit    rag.Unit
	index   rag.UnitIndex
}

// filters are ways to narrow, with what they should leave.
func (b bundle) filters() map[string]struct {
	scope  rag.Scope
	filter rag.Filter
	keep   func(corpusUnit) bool
} {
	type narrowed = struct {
		scope  rag.Scope
		filter rag.Filter
		keep   func(corpusUnit) bool
	}
	return map[string]narrowed{
		"everything": {everything, rag.Filter{}, func(corpusUnit) bool { return true }},
		"one scope":  {b.opsScope, rag.Filter{}, func(u corpusUnit) bool { return u.space == b.ops.ID }},
		"one type": {
			everything,
			rag.Filter{DocTypes: []string{"guideline"}},
			func(u corpusUnit) bool { return u.docType == "guideline" },
		},
		"a space of the scope": {
			everything,
			rag.Filter{Spaces: []int64{b.clinic.ID}},
			func(u corpusUnit) bool { return u.space == b.clinic.ID },
		},
		"T59b: space and type": {
			b.clinicScope,
			rag.Filter{Spaces: []int64{b.clinic.ID, b.ops.ID}, DocTypes: []string{"runbook", "note"}},
			func(u corpusUnit) bool { return u.space == b.clinic.ID && u.docType == "runbook" },
		},
		"a space out of scope":   {b.opsScope, rag.Filter{Spaces: []int64{b.clinic.ID}}, func(corpusUnit) bool { return false }},
		"an unknown type":        {everything, rag.Filter{DocTypes: []string{"poem"}}, func(corpusUnit) bool { return false }},
		"an empty list of types": {everything, rag.Filter{DocTypes: []string{}}, func(corpusUnit) bool { return false }},
		"the zero scope":         {rag.Scope{}, rag.Filter{}, func(corpusUnit) bool { return false }},
		"a scope of no space":    {b.nobodyScope, rag.Filter{}, func(corpusUnit) bool { return false }},
	}
}

// cosine is computed from the numbers as they are stored, in float64.
func cosine(a, b []float32) float64 {
	var dot, aa, bb float64
	for i := range a {
		dot += float64(a[i]) * float64(b[i])
		aa += float64(a[i]) * float64(a[i])
		bb += float64(b[i]) * float64(b[i])
	}
	return dot / math.Sqrt(aa*bb)
}

type scored struct {
	corpusUnit
	score float64
}

// best sorts by score, then by place.
func best(list []scored, n int) []scored {
	slices.SortFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.version, b.version), cmp.Compare(a.unit.Ordinal, b.unit.Ordinal))
	})
	return list[:min(n, len(list))]
}
