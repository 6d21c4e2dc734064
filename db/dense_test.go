package db_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/rag"
)

func TestDenseEqualsBruteForce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := rand.New(rand.NewPCG(3, 5))
	units := b.corpus(t, r, 3, 20)
	question := randomVector(r, dimension)

	for name, f := range b.filters() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all []scored
			for _, u := range units {
				if f.keep(u) {
					all = append(all, scored{u, cosine(question, u.index.Vector)})
				}
			}
			for _, n := range []int{1, 10, 1000} {
				hits, err := b.Dense(t.Context(), f.scope, f.filter, rag.SentenceSet, embedder, question, n)
				require.NoError(t, err)
				want := best(slices.Clone(all), n)
				require.Len(t, hits, len(want))
				for i, hit := range hits {
					require.InDelta(t, want[i].score, hit.Cosine, 1e-6)
					require.Equal(t, want[i].version, hit.VersionID)
					require.Equal(t, want[i].unit.Ordinal, hit.Ordinal)
					require.Equal(t, want[i].unit.Span, hit.Span)
					require.Equal(t, want[i].docType, hit.DocType)
					require.Equal(t, rag.SentenceSet, hit.Set)
					require.Zero(t, hit.BM25)
				}
			}
		})
	}
}

// With a low threshold nearly every search walks HNSW indexes; on small graphs
// it finds what brute force finds, in order, and never fewer than there are.
func TestDenseThroughHNSW(t *testing.T) {
	t.Parallel()
	b := setup(t, db.ExactLimit(10))
	r := rand.New(rand.NewPCG(7, 11))
	units := b.corpus(t, r, 4, 40)
	require.NoError(t, b.GrowIndexes(t.Context()))
	question := randomVector(r, dimension)

	for name, f := range b.filters() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var all []scored
			for _, u := range units {
				if f.keep(u) {
					all = append(all, scored{u, cosine(question, u.index.Vector)})
				}
			}
			plan, err := b.PlanDense(t.Context(), f.scope, f.filter, rag.SentenceSet, embedder, 10)
			require.NoError(t, err)
			require.Equal(t, len(all) > 0, strings.Contains(plan, "hnsw"), plan)
			for _, n := range []int{1, 10, 1000} {
				hits, err := b.Dense(t.Context(), f.scope, f.filter, rag.SentenceSet, embedder, question, n)
				require.NoError(t, err)
				want := best(slices.Clone(all), n)
				require.Len(t, hits, len(want))
				found := 0
				for i, hit := range hits {
					if i > 0 {
						require.GreaterOrEqual(t, hits[i-1].Cosine, hit.Cosine)
					}
					if slices.ContainsFunc(want, func(s scored) bool {
						return s.version == hit.VersionID && s.unit.Ordinal == hit.Ordinal
					}) {
						found++
					}
				}
				require.GreaterOrEqual(t, float64(found), 0.9*float64(len(want)), "n = %d", n)
			}
		})
	}
}

// A scan that gives up early, here among the many vectors of a space that the
// asker may not read, is completed by the exact one.
func TestDenseNeverGivesFewer(t *testing.T) {
	t.Parallel()
	b := setup(t, db.ExactLimit(10))
	near := version(b.ops, "near.md", strings.Repeat("Near.\n", 2000))
	far := version(b.clinic, "far.md", strings.Repeat("Far.\n", 30))
	r := rand.New(rand.NewPCG(13, 17))
	around := func(index []rag.UnitIndex, center float32) {
		for i := range index {
			v := randomVector(r, dimension)
			v[0] = center
			index[i].Vector = v
		}
	}
	around(near.Index, 8)
	around(far.Index, -8)
	b.put(t, near)
	b.put(t, far)
	require.NoError(t, b.GrowIndexes(t.Context()))
	_, err := b.Pool().Exec(t.Context(), `do $$ begin
		execute format('alter database %I set hnsw.max_scan_tuples = 1', current_database());
	end $$`)
	require.NoError(t, err)
	b.Pool().Reset()
	hits, err := b.Dense(t.Context(), b.clinicScope, rag.Filter{}, rag.SentenceSet, embedder, []float32{1, 0, 0, 0, 0, 0, 0, 0}, 20)
	require.NoError(t, err)
	require.Len(t, hits, 20)
}

func TestDenseKeepsEmbeddersApart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, version(b.ops, "a.md", rotate))
	other := version(b.ops, "b.md", "Other words.\n")
	other.Recipe.Embedder, other.Dimension = "wide/3", 3
	other.Index[0].Vector = []float32{0, 1, 0}
	b.put(t, other)

	hits, err := b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, "wide/3", []float32{0, 1, 0}, 10)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.InDelta(t, 1, hits[0].Cosine, 1e-6)

	for name, vector := range map[string][]float32{
		"T47: another dimension": {0, 1},
		"no direction":           {0, 0, 0},
		"not a number":           {float32(math.NaN()), 0, 0},
	} {
		_, err = b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, "wide/3", vector, 10)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), name)
	}
	hits, err = b.Dense(t.Context(), everything, rag.Filter{}, "tokens-256-32", embedder, vectorOf("x"), 10)
	require.NoError(t, err)
	require.Empty(t, hits)
	hits, err = b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, embedder, vectorOf("x"), 0)
	require.NoError(t, err)
	require.Empty(t, hits)
}

func TestCosinesOfUnits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	live := b.put(t, v)
	wide := version(b.ops, "wide.md", "Other words.\n")
	wide.Recipe.Embedder, wide.Dimension = "wide/3", 3
	wide.Index[0].Vector = []float32{0, 1, 0}
	b.put(t, wide)
	foreign := b.put(t, version(b.clinic, "b.md", "Foreign words.\n"))
	var ids []int64
	readings, err := b.Readings(t.Context(), everything, []int64{live.VersionID, foreign.VersionID})
	require.NoError(t, err)
	for _, r := range readings {
		for _, u := range r.Outline.Units {
			ids = append(ids, u.ID)
		}
	}
	ids = append(ids, 4711, int64(b.count(t, "select unit_id from embeddings where index_id = (select id from vector_indexes where embedder = 'wide/3')")))

	question := vectorOf("How?")
	cosines, err := b.Cosines(t.Context(), b.opsScope, embedder, question, ids)
	require.NoError(t, err)
	require.Len(t, cosines, len(v.Outline.Units))
	for i, u := range readings[live.VersionID].Outline.Units {
		require.InDelta(t, cosine(question, v.Index[i].Vector), cosines[u.ID], 1e-6)
	}
	for _, scope := range []rag.Scope{{}, b.nobodyScope, b.strangeScope} {
		cosines, err = b.Cosines(t.Context(), scope, embedder, question, ids)
		require.NoError(t, err)
		require.Empty(t, cosines)
	}
	cosines, err = b.Cosines(t.Context(), everything, embedder, make([]float32, dimension), ids)
	require.NoError(t, err)
	require.Empty(t, cosines)
}
