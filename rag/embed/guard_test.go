package embed

import (
	"context"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"github.com/tmc/langchaingo/embeddings"

	"passage/rag/outbound"
)

// A client may write into the texts it is given, as langchaingo's do when they
// take newlines out. The caller's are not touched by that, nor a repeat.
func TestClientGetsACopy(t *testing.T) {
	t.Parallel()
	texts := []string{"a\nb", "c\nd"}
	calls := 0
	r := &Remote{cfg: Config{BatchSize: 2, MaxTokens: 10, Tokens: rough{}}, policy: outbound.Policy{
		Attempts: 2, Sleep: func(context.Context, time.Duration) error { return nil },
	}}
	r.client = embeddings.EmbedderClientFunc(func(_ context.Context, given []string) ([][]float32, error) {
		calls++
		require.Equal(t, []string{"a\nb", "c\nd"}, given)
		embeddings.MaybeRemoveNewLines(given, true)
		if calls == 1 {
			return nil, &outbound.Error{Kind: outbound.KindCut}
		}
		return [][]float32{{1, 0}, {0, 1}}, nil
	})
	_, err := r.Embed(t.Context(), texts)
	require.NoError(t, err)
	require.Equal(t, 2, calls)
	require.Equal(t, []string{"a\nb", "c\nd"}, texts)
}

func TestRoughTokens(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		"":               0,
		"a":              1,
		"rotate":         2,
		"a b c d e":      5, // words
		"größe":          3, // three ASCII bytes and two others
		"证书轮换":           4,
		"0123456789abcd": 4,
	} {
		require.Equal(t, want, roughTokens(text), text)
	}
}

// The halves are the text, are smaller than it, and are cut between characters.
func FuzzHalve(f *testing.F) {
	f.Add(strings.Repeat("rotate the certificate ", 5))
	f.Add(strings.Repeat("证", 40))
	f.Add(strings.Repeat(" ", 100) + "a")
	f.Add(strings.Repeat("\x80", 100))
	f.Fuzz(func(t *testing.T, text string) {
		a, b, ok := halve(text)
		if !ok {
			return
		}
		require.Equal(t, text, a+b)
		require.NotEmpty(t, strings.TrimSpace(a))
		require.NotEmpty(t, strings.TrimSpace(b))
		if utf8.ValidString(text) {
			require.True(t, utf8.ValidString(a))
		}
	})
}
