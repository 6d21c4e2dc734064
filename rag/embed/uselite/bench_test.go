package uselite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// sentences gives real English sentences: those of the evaluation documents
// where these are at hand, else those of the golden file.
func sentences(b *testing.B) []string {
	b.Helper()
	folder := os.Getenv("PASSAGE_SHARED")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared")
	}
	files, err := filepath.Glob(filepath.Join(folder, "eval", "docs", "xquad", "*"))
	require.NoError(b, err)
	var all []string
	for _, f := range files {
		data, err := os.ReadFile(f)
		require.NoError(b, err)
		for line := range strings.Lines(string(data)) {
			for s := range strings.SplitAfterSeq(line, ". ") {
				if s = strings.TrimSpace(s); len(s) > 20 {
					all = append(all, s)
				}
			}
		}
	}
	if len(all) == 0 {
		for range 20 {
			for _, g := range readGolden(b) {
				all = append(all, g.Text)
			}
		}
	}
	return all
}

// BenchmarkEmbed embeds real sentences, some 30 pieces each. Run it with
// -cpu 1,2 to see what a second processor brings.
func BenchmarkEmbed(b *testing.B) {
	texts := sentences(b)
	for _, k := range kernels() {
		b.Run(k.String(), func(b *testing.B) {
			e, err := newEmbedder(k)
			require.NoError(b, err)
			pieces := 0
			for _, t := range texts {
				pieces += e.Count(t)
			}
			for b.Loop() {
				_, err := e.Embed(b.Context(), texts)
				require.NoError(b, err)
			}
			b.ReportMetric(float64(len(texts)*b.N)/b.Elapsed().Seconds(), "sentences/s")
			b.ReportMetric(float64(pieces)/float64(len(texts)), "pieces/sentence")
		})
	}
}

func BenchmarkQuestion(b *testing.B) {
	e, err := New()
	require.NoError(b, err)
	for b.Loop() {
		_, err := e.Embed(b.Context(), []string{"How do I rotate the broker certificates before they expire?"})
		require.NoError(b, err)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		_, err := New()
		require.NoError(b, err)
	}
}

func BenchmarkCount(b *testing.B) {
	e, err := New()
	require.NoError(b, err)
	text := strings.Join(sentences(b), " ")
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		e.Count(text)
	}
}
