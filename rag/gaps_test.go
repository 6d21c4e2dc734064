package rag_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestGapsAreMarkedWhereTheyAre(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, text, left, want string }{
		{"nothing left out", "One. Two.", "", "One. Two."},
		{"sentence", "One. Two. Three.", "Two.", "One. […] Three."},
		{"line", "One.\nTwo.\nThree.", "Two.", "One.\n[…]\nThree."},
		{"rows", "| a |\n|---|\n| 1 |\n| 2 |\n| 3 |", "| 1 |\n| 2 |", "| a |\n|---|\n[…]\n| 3 |"},
		{"paragraph", "One.\n\nTwo.\n\nThree.", "Two.", "One.\n\n[…]\n\nThree."},
		{"over paragraphs", "One. Two.\n\nThree. Four.", "Two.\n\nThree.", "One. \n\n[…]\n\n Four."},
		{"over lines", "- one more\n- two\n- three", "more\n- two\n- ", "- one \n[…]\nthree"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			const at = 100
			span := rag.Span{Start: at, End: at + len(tt.text)}
			var gaps []rag.Span
			if i := strings.Index(tt.text, tt.left); tt.left != "" {
				gaps = []rag.Span{{Start: at + i, End: at + i + len(tt.left)}}
			}
			require.Equal(t, tt.want, rag.Passage{Span: span, Text: tt.text, Gaps: gaps}.Shown())
			require.Equal(t, tt.want, rag.Citation{Span: span, Text: tt.text, Gaps: gaps}.Shown())
		})
	}
}

// Pieces and gaps tile the span, whatever the gaps are.
func TestPiecesAndGapsTileTheSpan(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(3, 4))
	for range 500 {
		span := rag.Span{Start: 10, End: 10 + rng.IntN(40)}
		var gaps []rag.Span
		for at := 5 + rng.IntN(9); at < 60; at += 1 + rng.IntN(12) {
			gaps = append(gaps, rag.Span{Start: at, End: at + rng.IntN(8)})
		}
		kept := make([]bool, 100)
		for i, p := range rag.Pieces(span, gaps) {
			require.False(t, p.Empty())
			for at := p.Start; at < p.End; at++ {
				require.False(t, kept[at], "piece %d", i)
				kept[at] = true
			}
		}
		for at := range kept {
			out := !span.Contains(rag.Span{Start: at, End: at + 1})
			for _, g := range gaps {
				out = out || g.Contains(rag.Span{Start: at, End: at + 1})
			}
			require.Equal(t, !out, kept[at])
		}
	}
}

func TestCitationOfADeletedDocumentShowsNothing(t *testing.T) { // T42
	t.Parallel()
	require.Empty(t, rag.Citation{Deleted: true, Gaps: []rag.Span{{Start: 1, End: 2}}}.Shown())
}
