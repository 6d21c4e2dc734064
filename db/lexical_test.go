package db_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// bm25 is written from the formula, over the units that a filter leaves.
func bm25(units []corpusUnit, terms []string) []scored {
	df := map[string]float64{}
	var total float64
	for _, u := range units {
		total += float64(len(u.index.Terms))
		for _, term := range terms {
			if slices.Contains(u.index.Terms, term) {
				df[term]++
			}
		}
	}
	n, average := float64(len(units)), total/float64(len(units))
	var list []scored
	for _, u := range units {
		var score float64
		for _, term := range terms {
			var tf float64
			for _, word := range u.index.Terms {
				if word == term {
					tf++
				}
			}
			idf := math.Log(1 + (n-df[term]+0.5)/(df[term]+0.5))
			score += idf * tf / (tf + 1.2*(1-0.75+0.75*float64(len(u.index.Terms))/average))
		}
		if score > 0 {
			list = append(list, scored{u, score})
		}
	}
	return list
}

func TestLexicalIsExactBM25(t *testing.T) {
	t.Parallel()
	b := setup(t)
	units := b.corpus(t, rand.New(rand.NewPCG(1, 2)), 3, 25)

	for name, f := range b.filters() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var left []corpusUnit
			for _, u := range units {
				if f.keep(u) {
					left = append(left, u)
				}
			}
			for _, terms := range [][]string{{"w0"}, {"w20"}, {"w3", "w9", "end"}, {"w1", "nowhere"}, {"nowhere"}} {
				for _, n := range []int{1, 7, 1000} {
					hits, err := b.Lexical(t.Context(), f.scope, f.filter, rag.SentenceSet, terms, n)
					require.NoError(t, err)
					want := bm25(left, terms)
					require.Len(t, hits, min(n, len(want)))
					for _, hit := range hits {
						i := slices.IndexFunc(want, func(s scored) bool {
							return s.version == hit.VersionID && s.unit.Ordinal == hit.Ordinal
						})
						require.GreaterOrEqual(t, i, 0)
						require.InDelta(t, want[i].score, hit.BM25, 1e-9)
						require.Equal(t, want[i].unit.Span, hit.Span)
						require.Equal(t, want[i].docType, hit.DocType)
						require.Zero(t, hit.Cosine)
					}
					for i, s := range best(want, n) {
						require.InDelta(t, s.score, hits[i].BM25, 1e-9)
					}
				}
			}
		})
	}
}

// T58: whatever is asked for, words are OR-ed and nothing is an error.
func TestLexicalTakesAnyTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, version(b.ops, "a.md", rotate))
	v := version(b.ops, "b.md", "A token: "+strings.Repeat("eyJhbGciOi", 300)+"\n")
	b.put(t, v)

	hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet,
		[]string{"how", "do", "i", "rotate", "the", "broker", "certs", "broker"}, 10)
	require.NoError(t, err)
	require.Len(t, hits, 6) // every line but the intro and a heading
	require.Equal(t, "# Rotate", hits[0].Span.In(rotate))
	once, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet,
		[]string{"how", "do", "i", "rotate", "the", "broker", "certs"}, 10)
	require.NoError(t, err)
	require.Equal(t, once, hits, "a term asked for twice counts once")

	for _, term := range []string{":|&!", "'; drop table units; --", "%", "\\", "a\x00b", "\xff\xfe", "", "https://x.test/a?b=c&d", "ſ", strings.Repeat("y", 100_000)} {
		hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{term}, 10)
		require.NoError(t, err, "%.20q", term)
		require.Empty(t, hits, "%.20q", term)
	}
	// T17: a long unbroken token is found whole.
	hits, err = b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{v.Index[0].Terms[2]}, 10)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, v.Outline.Units[0].Span, hits[0].Span)
}

func TestLexicalKeepsSetsApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	v.Outline.Units = append(v.Outline.Units, chunks("chars-60-0", v.Text)...)
	v.Index = indexOf(v.Text, v.Outline.Units)
	b.put(t, v)
	for set, n := range map[rag.UnitSet]int{rag.SentenceSet: 1, "chars-60-0": 1, "chars-99-0": 0} {
		hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, set, []string{"certificate"}, 10)
		require.NoError(t, err)
		require.Len(t, hits, n, set)
		for _, hit := range hits {
			require.Equal(t, set, hit.Set)
			require.Contains(t, hit.Span.In(v.Text), "certificate")
		}
	}
}
