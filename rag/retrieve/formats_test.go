package retrieve

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
)

// Invariant 2 on a document of each format: a window of k around a sentence is
// the k sentences before and after it, cut out of the text byte for byte.
func TestWindowsInEveryFormat(t *testing.T) { // T01
	t.Parallel()
	for _, ending := range []string{".md", ".txt", ".html", ".docx"} {
		t.Run(ending, func(t *testing.T) {
			t.Parallel()
			checkSamples(t, ending)
		})
	}
}

// checkSamples reads the documents that the reader of a format is tested with.
func checkSamples(t *testing.T, ending string) {
	t.Helper()
	checked := 0
	for _, pattern := range []string{"testdata/*/*", "*/testdata/*", "*/testdata/*/*"} {
		paths, err := filepath.Glob(filepath.Join("..", "extract", pattern+ending))
		require.NoError(t, err)
		for _, p := range paths {
			data, err := os.ReadFile(filepath.Clean(p))
			require.NoError(t, err)
			if x, err := extract.File(t.Context(), p, data); err == nil {
				checked += checkWindows(t, x)
			}
		}
	}
	require.Greater(t, checked, 20)
}

// checkWindows counts the windows that it checked.
func checkWindows(t *testing.T, x rag.Extraction) int {
	t.Helper()
	o, err := split.Split(x, split.Options{})
	require.NoError(t, err)
	units := o.UnitsOf(rag.SentenceSet)
	g := grower{page: newPage(&rag.Reading{Text: x.Text, Outline: o}, words{}, nil), exactly: true}
	for i, u := range units {
		for _, k := range []int{0, 1, 3, len(units)} {
			got := g.grow(rag.Hit{Set: u.Set, Ordinal: i, Span: u.Span}, rag.Strategy{Kind: rag.SentenceWindow, K: k})
			var want strings.Builder // the sentences with what stands between them
			for j := max(0, i-k); j <= min(len(units)-1, i+k); j++ {
				if j > max(0, i-k) {
					want.WriteString(x.Text[units[j-1].Span.End:units[j].Span.Start])
				}
				want.WriteString(units[j].Span.In(x.Text))
			}
			require.Equal(t, want.String(), got.In(x.Text), "sentence %d, k %d", i, k)
		}
	}
	return len(units)
}
