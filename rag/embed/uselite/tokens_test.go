package uselite

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
)

func openTokens(tb testing.TB) *Tokenizer {
	tb.Helper()
	tok, err := NewTokenizer()
	require.NoError(tb, err)
	return tok
}

func TestEnds(t *testing.T) {
	t.Parallel()
	tok := openTokens(t)
	require.Equal(t, "use-lite", tok.Name())
	for name, c := range map[string]struct {
		text string
		n    int
		want []string
	}{
		"nothing":                      {"", 0, []string{}},
		"white space alone":            {" \n", 0, []string{" \n"}},
		"white space goes with a word": {" the \t\n system\r\n", 2, []string{" the", " \t\n system\r\n"}},
		"unknown ones count each":      {"on 🩺🚀 on", 5, []string{"on", " ", "🩺", "🚀", " on"}},
		"T18":                          {"🚀", 2, []string{"🚀"}},
		"one character, more pieces":   {"½", 3, []string{"½"}},
		"T15 no character is cut":      {"Übergröße", 7, []string{"Ü", "berg", "r", "ö", "ß", "e"}},
		"a composed character":         {"e\u0301 e", 3, []string{"e\u0301", " e"}},
		"T13 Chinese":                  {"重启服务器", 6, []string{"重", "启", "服", "务", "器"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.n, tok.Count(c.text))
			got, from := []string{}, 0
			for _, end := range tok.Ends(c.text) {
				got = append(got, c.text[from:end])
				from = end
			}
			require.Equal(t, c.want, got)
		})
	}
}

// The pieces of a long text, which is divided segment by segment, are those the
// model gets, but for neighbours it does not know.
func TestTokensAreThePiecesOfTheModel(t *testing.T) {
	t.Parallel()
	tok := openTokens(t)
	texts := []string{
		strings.Repeat("Restart the brokers one by one :) 重启 (½) e\u0301, ﬁne.\n\n  ", 400),
		strings.Repeat("QmFzZTY0IHdpdGhvdXQg", 1_000), strings.Repeat("🚀", 5_000), strings.Repeat(" \n", 5_000) + "x",
	}
	for _, g := range readGolden(t) {
		texts = append(texts, g.Text)
	}
	files, err := filepath.Glob("../../../../shared/eval/docs/*/*.md")
	require.NoError(t, err)
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(t, err)
		texts = append(texts, string(data))
	}
	for _, text := range texts {
		requireSamePieces(t, tok, text)
	}
}

// requireSamePieces compares with the division of the whole text at once.
func requireSamePieces(tb testing.TB, tok *Tokenizer, text string) {
	tb.Helper()
	n, runs, unknowns := 0, 0, 0
	s := normalize(text)
	last, _ := tok.tokenizer.bestEnds(s.runes, 0)
	for end := len(s.runes); end > 0; end -= tok.tokenizer.lengths[last[end]] {
		n++
		if last[end] == unknown {
			unknowns++
		}
	}
	pieces := tok.tokenizer.pieces(text)
	for _, p := range pieces {
		if p.ID == unknown {
			runs++
		}
	}
	require.Equal(tb, n, tok.Count(text), "%.200q", text)
	require.Equal(tb, len(pieces)-runs+unknowns, n)

	at := map[int]bool{}
	from := 0
	for _, end := range tok.Ends(text) {
		require.Greater(tb, end, from)
		require.True(tb, end == len(text) || utf8.RuneStart(text[end]))
		at[end] = true
		from = end
	}
	require.Equal(tb, len(text), from)
	for _, p := range pieces {
		require.True(tb, p.End == 0 || at[p.End], "%q", p.In(text))
	}
}

func FuzzEnds(f *testing.F) {
	for _, g := range readGolden(f) {
		f.Add(g.Text)
	}
	f.Add(strings.Repeat("a\u0301 \u0301b\u200b\x00", 900))
	f.Add("\xff\xfe broken \xf0\x9f")
	tok := openTokens(f)
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) {
			requireSamePieces(t, tok, text)
			// Divided at every chance, too.
			requireSamePieces(t, tok, strings.Repeat(text+" ", 1+segment/(len(text)+1)))
		}
	})
}

func BenchmarkTokens(b *testing.B) {
	tok := openTokens(b)
	text := strings.Repeat("Restart the brokers one by one, and wait for the controller (kafka-0) each time.\n", 2_000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tok.Count(text)
	}
}
