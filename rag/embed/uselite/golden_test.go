package uselite

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// golden is what the published runtime makes of a text; tools/pack-use-lite
// writes the file.
type golden struct {
	Text   string    `json:"text"`
	IDs    []int     `json:"ids"`
	Vector []float32 `json:"vector"`
}

func readGolden(tb testing.TB) []golden {
	tb.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	require.NoError(tb, err)
	var all []golden
	require.NoError(tb, json.Unmarshal(data, &all))
	require.GreaterOrEqual(tb, len(all), 60)
	return all
}

func TestPiecesMatchThePublishedRuntime(t *testing.T) {
	t.Parallel()
	e := setup(t)
	for i, g := range readGolden(t) {
		ids := []int{}
		for _, p := range e.Pieces(g.Text) {
			ids = append(ids, p.ID)
		}
		require.Equal(t, g.IDs, ids, "text %d: %q", i, g.Text)
		require.Equal(t, len(g.IDs), e.Count(g.Text))
	}
}

func TestVectorsMatchThePublishedRuntime(t *testing.T) {
	t.Parallel()
	const tolerance = 1e-3 // per component; the weights here are float16
	all := readGolden(t)
	texts := make([]string, len(all))
	for i, g := range all {
		texts[i] = g.Text
	}
	for _, k := range kernels() {
		t.Run(k.String(), func(t *testing.T) {
			t.Parallel()
			e, err := newEmbedder(k)
			require.NoError(t, err)
			all, texts := all, texts
			if k == kernelGo { // some fifty times slower: the short ones do
				all, texts = all[:16], texts[:16]
			}
			vectors, err := e.Embed(t.Context(), texts)
			require.NoError(t, err)
			var worst, least float64 = 0, 1
			for i, g := range all {
				require.Len(t, vectors[i], e.Dimension())
				var dot, square float64
				for j, want := range g.Vector {
					got := vectors[i][j]
					require.InDelta(t, want, got, tolerance, "text %d: %q, component %d", i, g.Text, j)
					worst = max(worst, math.Abs(float64(want-got)))
					dot += float64(want) * float64(got)
					square += float64(got) * float64(got)
				}
				require.InDelta(t, 1, square, 1e-5, "squared length of text %d", i)
				least = min(least, dot)
			}
			t.Logf("largest deviation %.2g, least cosine %.7f", worst, least)
		})
	}
}
