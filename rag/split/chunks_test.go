package split_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"
	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/split"
	"passage/rag/tokens"
)

func chunks(tb testing.TB, text string, s rag.Strategy, tok tokens.Tokenizer) []rag.Unit {
	tb.Helper()
	units, err := split.Chunks(text, &rag.Outline{Sections: []rag.Section{{Span: rag.Span{End: len(text)}}}}, s, tok)
	require.NoError(tb, err)
	requireChunks(tb, text, units)
	return units
}

// requireChunks checks that chunks are exact, in order, none inside another, and
// together hold everything.
func requireChunks(tb testing.TB, text string, units []rag.Unit) {
	tb.Helper()
	start, end := -1, 0
	for i, u := range units {
		require.Equal(tb, i, u.Ordinal)
		require.True(tb, utf8.ValidString(u.Span.In(text)))
		require.Greater(tb, u.Span.Start, start)
		require.Greater(tb, u.Span.End, end, "a chunk inside its predecessor")
		if u.Span.Start > end {
			require.Empty(tb, strings.TrimSpace(text[end:u.Span.Start]), "lost")
		}
		start, end = u.Span.Start, u.Span.End
	}
	require.Empty(tb, strings.TrimSpace(text[end:]))
}

func TestFixedChars(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text    string
		size, overlap int
		want          []string
	}{
		{"plain", "abcdefgh", 3, 0, []string{"abc", "def", "gh"}},
		{"overlap", "abcdefgh", 4, 2, []string{"abcd", "cdef", "efgh"}},
		{"T19 the last chunk fills the size, overlap kept", "abcdef", 4, 2, []string{"abcd", "cdef"}},
		{"no tail that is only overlap", "abcdefg", 4, 3, []string{"abcd", "bcde", "cdef", "defg"}},
		{"shorter than a chunk", "ab", 4, 2, []string{"ab"}},
		{"T15 characters stay whole", "Über🩺👩‍👩‍👧‍👦e\u0301x", 2, 0, []string{"Üb", "er", "🩺👩‍👩‍👧‍👦", "e\u0301x"}},
		{"T18 one character over the size in bytes", "🚀", 1, 0, []string{"🚀"}},
		{"white space alone is no chunk", "a   b", 1, 0, []string{"a", "b"}},
		{"empty", "", 4, 2, []string{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			units := chunks(t, c.text, rag.Strategy{Kind: rag.FixedChars, Size: c.size, Overlap: c.overlap}, nil)
			got := make([]string, len(units))
			for i, u := range units {
				got[i] = u.Span.In(c.text)
				require.LessOrEqual(t, uniseg.GraphemeClusterCount(got[i]), c.size)
			}
			require.Equal(t, c.want, got)
		})
	}
}

// T15, T17, T18, T19.
func TestFixedTokens(t *testing.T) {
	t.Parallel()
	tok := cl100k(t)
	text := "Übergröße 🩺 of the broker's keystore: " + strings.Repeat("kubectl get pods -n kafka. ", 40)
	for size := 1; size <= 5; size++ {
		for overlap := range size {
			units := chunks(t, text, rag.Strategy{Kind: rag.FixedTokens, Size: size, Overlap: overlap}, tok)
			ends := tok.Ends(text)
			for i, u := range units[1:] {
				before := units[i].Span
				shared := 0
				for _, end := range ends {
					if end > u.Span.Start && end <= before.End {
						shared++
					}
				}
				require.Equal(t, overlap, shared, "size %d overlap %d chunk %d", size, overlap, i+1)
			}
		}
	}
	long := strings.Repeat("QmFzZTY0IHdpdGhvdXQgYW55IGVuZA", 70)
	require.Greater(t, len(chunks(t, long, rag.Strategy{Kind: rag.FixedTokens, Size: 200, Overlap: 50}, tok)), 3)
	require.Len(t, chunks(t, "🚀", rag.Strategy{Kind: rag.FixedTokens, Size: 1}, tok), 1)
}

// T17: an overlap that never gets anywhere is refused, with words.
func TestChunksRefuse(t *testing.T) {
	t.Parallel()
	for _, s := range []rag.Strategy{
		{Kind: rag.FixedTokens, Size: 50, Overlap: 50},
		{Kind: rag.FixedChars, Size: 0},
		{Kind: rag.SentenceWindow, K: 2},
		{Kind: rag.FixedTokens, Size: 50}, // without a tokenizer
	} {
		_, err := split.Chunks("text", &rag.Outline{}, s, nil)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), s.String())
	}
	x := read(t, "a.md", "text")
	for _, set := range []rag.UnitSet{"tokens-5-5", "chars-5", "words-5-0", "tokens-5-1x"} {
		_, err := split.Split(x, split.Options{Tokens: cl100k(t), Sets: []rag.UnitSet{set}})
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), string(set))
	}
}

func TestSetsFollowTheSentences(t *testing.T) {
	t.Parallel()
	text := "# A\n\n| a | b |\n|---|---|\n" + strings.Repeat("| 1 | 2 |\n", 30) + "\n## B\n\n" + strings.Repeat("Words. ", 20)
	x := read(t, "a.md", text)
	o, err := split.Split(x, split.Options{Tokens: cl100k(t), Sets: []rag.UnitSet{rag.SentenceSet, "tokens-20-5", "chars-50-10"}})
	require.NoError(t, err)
	require.Equal(t, rag.SentenceSet, o.Units[0].Set)
	require.Equal(t, rag.UnitSet("chars-50-10"), o.Units[len(o.Units)-1].Set)
	require.Equal(t, 1, o.Units[len(o.Units)-1].Section)
	for i, u := range o.UnitsOf("tokens-20-5")[1:6] {
		require.Equal(t, -1, u.Procedure)
		require.Equal(t, "| a | b |", u.Header.In(text), "T25: chunk %d starts in the table", i+1)
	}
}
