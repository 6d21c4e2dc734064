package rerank

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag/tokens"
)

func TestCut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		limit      int
		want       string
	}{
		{"it fits", "Restart the broker. ", 9, "Restart the broker. "},
		{"after a sentence", "Stop it. Wait a bit. Start it again now.", 9, "Stop it. Wait a bit."},
		{"after a quoted sentence", `It says "stop it." Wait for the others.`, 10, `It says "stop it."`},
		{"after a line", "- stop it now\n- start it again", 7, "- stop it now"},
		{"after a word, no sentence ends in the second half", "Go. Restart the first broker of the cluster", 7, "Go. Restart the first"},
		{"a stop inside a number is none", "Give it 2.5 mg and 3.5 mg more", 9, "Give it 2.5 mg and"},
		{"after a Chinese sentence", "重启服务器。等待一会儿再看日志", 9, "重启服务器。"},
		{"one long word", strings.Repeat("x", 100), 5, strings.Repeat("x", 20)},
		{"nothing fits", "broker", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, cut(c.text, c.limit, rough{}))
		})
	}
}

// Whatever the text and the tokenizer: a beginning of the text, whole
// characters, within the limit, and the text itself when it fits.
func TestCutProperties(t *testing.T) {
	t.Parallel()
	cl100k, err := tokens.CL100K()
	require.NoError(t, err)
	pieces := []string{"restart ", "broker", ". ", "\n", "🩺", "ä", "重启", "。", "2.5 mg", " ", "\xff", "|---|", "kube_pod_status_phase ", "!\" "}
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 1_000 {
		var b strings.Builder
		for range rnd.IntN(40) {
			b.WriteString(pieces[rnd.IntN(len(pieces))])
		}
		text, limit := b.String(), rnd.IntN(60)
		for _, tok := range []Tokenizer{rough{}, cl100k} {
			got := cut(text, limit, tok)
			require.True(t, strings.HasPrefix(text, got))
			require.LessOrEqual(t, tok.Count(got), limit, "%q", text)
			if tok.Count(text) <= limit {
				require.Equal(t, text, got)
			}
			if utf8.ValidString(text) {
				require.True(t, utf8.ValidString(got), "%q", got)
			}
		}
	}
}

// A passage of megabytes costs no more than its beginning.
func TestCutOfHugeText(t *testing.T) {
	t.Parallel()
	counted := &counting{}
	got := cut(strings.Repeat("restart the broker. ", 1_000_000), 100, counted)
	require.LessOrEqual(t, rough{}.Count(got), 100)
	require.NotEmpty(t, got)
	require.LessOrEqual(t, counted.most, 100*mostTokenBytes)
}

// counting keeps the longest text it was given.
type counting struct{ most int }

func (c *counting) Count(text string) int {
	c.most = max(c.most, len(text))
	return rough{}.Count(text)
}

func (c *counting) Ends(text string) []int {
	c.most = max(c.most, len(text))
	return rough{}.Ends(text)
}
