package extract

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCorpusMarkdown reads all Markdown of the development data: nothing is
// lost, and a clean file is its own text.
func TestCorpusMarkdown(t *testing.T) {
	t.Parallel()
	for name, data := range files(t, shared(t, "eval"), ".md") {
		x, err := File(t.Context(), name, data)
		require.NoError(t, err, name)
		require.Empty(t, faults(x), name)
		require.Equal(t, string(data), x.Text, name)
	}
}

func TestCorpusPlain(t *testing.T) {
	t.Parallel()
	for name, data := range files(t, shared(t, "eval"), ".txt") {
		x, err := File(t.Context(), name, data)
		require.NoError(t, err, name)
		require.Empty(t, faults(x), name)
		require.Equal(t, string(data), x.Text, name)
	}
}
