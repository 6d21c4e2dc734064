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

// kind is a way to cut chunks: in the tokens of a tokenizer, or in characters.
type kind struct {
	name string
	tok  tokens.Tokenizer // nil for characters
}

func kinds(tb testing.TB) []kind {
	tb.Helper()
	all := []kind{{name: "characters"}}
	for _, tok := range tokenizers(tb) {
		all = append(all, kind{tok.Name(), tok})
	}
	return all
}

func (k kind) strategy(size, overlap int) rag.Strategy {
	if k.tok == nil {
		return rag.Strategy{Kind: rag.FixedChars, Size: size, Overlap: overlap}
	}
	return rag.Strategy{Kind: rag.FixedTokens, Size: size, Overlap: overlap}
}

// ends gives where the tokens or characters of a text end.
func (k kind) ends(text string) []int {
	if k.tok != nil {
		return k.tok.Ends(text)
	}
	var ends []int
	for g := uniseg.NewGraphemes(text); g.Next(); {
		_, end := g.Positions()
		ends = append(ends, end)
	}
	return ends
}

// cut makes chunks and checks them against the plain definition: each starts
// size minus overlap after the one before and has exactly the size, until one
// ends with the text (T19).
func (k kind) cut(tb testing.TB, text string, size, overlap int) []string {
	tb.Helper()
	units := chunks(tb, text, k.strategy(size, overlap), k.tok)
	ends := append([]int{0}, k.ends(text)...)
	var want, got []string
	for from, to := 0, 0; to < len(ends)-1; from += size - overlap {
		to = min(from+size, len(ends)-1)
		if chunk := text[ends[from]:ends[to]]; strings.TrimSpace(chunk) != "" {
			want = append(want, chunk)
		}
	}
	for _, u := range units {
		got = append(got, u.Span.In(text))
	}
	require.Equal(tb, want, got, "%s %d/%d", k.name, size, overlap)
	return got
}

// T15: no token boundary inside a character makes an empty chunk or shifts what
// follows.
func TestChunksOfOneToThreeTokens(t *testing.T) {
	t.Parallel()
	text := "Übergröße 🩺 of the broker's keystore: e\u0301 한글 重启 👩‍👩‍👧‍👦 " + strings.Repeat("kubectl get pods -n kafka. ", 10)
	for _, k := range kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for size := 1; size <= 3; size++ {
				for overlap := range size {
					k.cut(t, text, size, overlap)
				}
			}
			solid := strings.ReplaceAll(text, " ", "_") // no chunk is left out
			require.Equal(t, solid, strings.Join(k.cut(t, solid, 1, 0), ""))
		})
	}
}

// T17: a long word without a boundary ends, and is not one chunk.
func TestChunksOfALongLine(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("QmFzZTY0IHdpdGhvdXQg", 100)
	for _, k := range kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			require.Greater(t, len(k.cut(t, long, 200, 50)), 3)
			require.Error(t, k.strategy(200, 200).Validate())
		})
	}
}

// T18: one character over the size is one chunk.
func TestChunkOfOneCharacter(t *testing.T) {
	t.Parallel()
	for _, k := range kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, []string{"🚀"}, k.cut(t, "🚀", 1, 0))
		})
	}
}

// T19: the overlap is there also when the last chunk exactly fills the size.
func TestOverlapWhenChunksFill(t *testing.T) {
	t.Parallel()
	for _, k := range kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Repeat("restart the broker and then verify it. ", 20)
			n := len(k.ends(text))
			for _, last := range []int{n, n - 1, n - 2} {
				text := text[:k.ends(text)[last-1]]
				for _, size := range []int{last, last/2 + 2, 10} {
					got := k.cut(t, text, size, 4)
					require.True(t, strings.HasSuffix(text, got[len(got)-1]))
				}
			}
		})
	}
}

// T13: a Chinese paragraph of 10,000 characters without a stop is under the cap,
// also for vocabularies that do not know a character of it.
func TestChunksOfChinese(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("重启服务器之前请先检查日志并通知值班人员", 500)
	for _, k := range kinds(t) {
		t.Run(k.name, func(t *testing.T) {
			t.Parallel()
			for _, chunk := range k.cut(t, text, 256, 32) {
				require.LessOrEqual(t, utf8.RuneCountInString(chunk), 2*256)
				if k.tok != nil {
					require.LessOrEqual(t, k.tok.Count(chunk), 256*5/4, "some characters are several tokens")
				}
			}
		})
	}
}

func FuzzChunks(f *testing.F) {
	all := kinds(f)
	for i := range all {
		f.Add("Übergröße 🩺 e\u0301 ﬁ\r\n重启", uint8(i), uint8(1), uint8(0))
		f.Add(strings.Repeat("QmFzZTY0", 40)+" \n  \t "+strings.Repeat(" \u0301", 5), uint8(i), uint8(7), uint8(6))
	}
	f.Fuzz(func(t *testing.T, text string, which, size, overlap uint8) {
		if size == 0 || overlap >= size || len(text) > 4_000 || !utf8.ValidString(text) {
			t.Skip()
		}
		all[int(which)%len(all)].cut(t, text, int(size), int(overlap))
	})
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
