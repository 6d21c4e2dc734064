package tokens_test

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/stretchr/testify/require"

	"passage/rag/tokens"
)

func cl100k(tb testing.TB) tokens.Tokenizer {
	tb.Helper()
	tok, err := tokens.CL100K()
	require.NoError(tb, err)
	return tok
}

// reference gives the library's own encoder: by a regular expression, and in the
// square of a piece's length, so it is only fed short texts. Its loader is a
// variable of the library's package, hence once.
var reference = sync.OnceValues(func() (*tiktoken.Tiktoken, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	return tiktoken.GetEncoding("cl100k_base")
})

func tokenizers(tb testing.TB) (tokens.Tokenizer, *tiktoken.Tiktoken) {
	tb.Helper()
	ref, err := reference()
	require.NoError(tb, err)
	return cl100k(tb), ref
}

// hard holds what a scanner for the pattern may get wrong.
var hard = []string{
	"", " ", "  ", "\n", "\n\n", " \n", "\n ", "a", "a ", " a", "  a", "\ta", "\t\ta", " \n  b", "x\r\n\r\n  y", "end  \n",
	"I'm we'RE they'll don't 'sup 'LL it's. 'tis", "'", "''s", "' s", "x'", "1234567 12 1", "12a3", "½ ² ١٢٣٤",
	"kubectl get pods -n kube-system --dry-run=client -o yaml | grep -v '^#'",
	"ERR-4012 CVE-2026-3172 /etc/kafka/server.properties v1.28.3 5mg/kg",
	"Übergröße 🩺 naïve Ærøskøbing", "日本語のテキスト。中文句子！", "हिन्दी वाक्य।", "هل يمكن استخدام warfarin؟", "\u00a0\u2003x\u2028y", "🚀", "👩‍👩‍👧‍👦 family",
	"....\n\n....", "*** --- ___\n\n", "a\u0301b", "<|endoftext|>", "\x00\x01", "word\v\fword", "\u0085x", "ﬃ Ⅷ",
	strings.Repeat("=", 70) + "\n" + strings.Repeat(" ", 90) + "x", strings.Repeat("ab", 40),
}

func TestCountIsExact(t *testing.T) {
	t.Parallel()
	tok, ref := tokenizers(t)
	for _, text := range hard {
		require.Len(t, ref.EncodeOrdinary(text), tok.Count(text), "%q", text)
	}
	root := shared(t)
	for _, name := range []string{
		"docs/chroma/finance.md", "docs/covidqa/1545.txt", "docs/design/go/design__15292__2011-03-gen.md",
		"runbooks/openshift/alerts/cluster-dns-operator/CoreDNSErrorsHigh.md", "segmentation/english_cases.json",
	} {
		data, err := os.ReadFile(filepath.Join(root, name))
		require.NoError(t, err)
		text := string(data[:min(len(data), 60_000)])
		text = strings.ToValidUTF8(text, "")
		require.Len(t, ref.EncodeOrdinary(text), tok.Count(text), name)
	}
}

// T15: a token that ends inside a character is joined with the next.
func TestEndsOnRuneBoundaries(t *testing.T) {
	t.Parallel()
	tok, ref := tokenizers(t)
	for _, text := range hard {
		ends, from := tok.Ends(text), 0
		var want []int // the reference's ends that are rune boundaries
		for at, id := 0, ref.EncodeOrdinary(text); len(id) > 0; id = id[1:] {
			at += len(ref.Decode(id[:1]))
			if at == len(text) || utf8.RuneStart(text[at]) {
				want = append(want, at)
			}
		}
		require.Equal(t, want, append([]int(nil), ends...), "%q", text)
		for _, end := range ends {
			require.Greater(t, end, from)
			require.True(t, utf8.ValidString(text[from:end]), "%q", text)
			from = end
		}
		require.Equal(t, len(text), from)
	}
}

func TestLongPiecesTakeLinearTime(t *testing.T) {
	t.Parallel()
	tok, ref := tokenizers(t)
	// Between the two ways of merging the counts agree with the reference.
	for _, n := range []int{90, 95, 96, 97, 98, 200, 700} {
		text := strings.Repeat("eyJhbGciOiJIUzI", n/15+1)[:n]
		require.Len(t, ref.EncodeOrdinary(text), tok.Count(text), "%d bytes", n)
	}
	// In the square of its length this would take hours.
	long := strings.Repeat("QmFzZTY0IHdpdGhvdXQgYW55IGVuZA", 60_000)
	require.Greater(t, tok.Count(long), len(long)/8)
	ends := tok.Ends(strings.Repeat("-", 300_000))
	require.Equal(t, 300_000, ends[len(ends)-1])
}

func FuzzCount(f *testing.F) {
	for _, text := range hard {
		f.Add(text)
	}
	tok, ref := tokenizers(f)
	f.Fuzz(func(t *testing.T, text string) {
		ends, from := tok.Ends(text), 0
		for _, end := range ends {
			require.Greater(t, end, from)
			from = end
		}
		require.Equal(t, len(text), from)
		require.LessOrEqual(t, len(ends), tok.Count(text))
		// The reference folds more letters to the "s" of 's than the published
		// pattern's ASCII, and reads invalid bytes as replacement characters.
		if utf8.ValidString(text) && len(text) < 2_000 {
			require.Len(t, ref.EncodeOrdinary(text), tok.Count(text))
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		cl100k(b)
	}
}

func BenchmarkCount(b *testing.B) {
	tok, text := cl100k(b), corpus(b)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		tok.Count(text)
	}
}

func BenchmarkReference(b *testing.B) {
	_, ref := tokenizers(b)
	text := corpus(b)[:200_000]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		ref.EncodeOrdinary(text)
	}
}

func corpus(tb testing.TB) string {
	tb.Helper()
	files, err := filepath.Glob(filepath.Join(shared(tb), "docs/design/*/*.md"))
	require.NoError(tb, err)
	var all strings.Builder
	for _, name := range files {
		data, err := os.ReadFile(name)
		require.NoError(tb, err)
		all.Write(data)
	}
	return all.String()
}

// shared finds the development data beside the module; a clone without it skips.
func shared(tb testing.TB) string {
	tb.Helper()
	dir := os.Getenv("PASSAGE_SHARED")
	if dir == "" {
		dir = "../../../shared"
	}
	dir = filepath.Join(dir, "eval")
	if _, err := os.Stat(dir); err != nil {
		tb.Skip("the development data ../shared/eval is not here")
	}
	return dir
}
