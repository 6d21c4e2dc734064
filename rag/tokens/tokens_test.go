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

func o200k(tb testing.TB) tokens.Tokenizer {
	tb.Helper()
	tok, err := tokens.O200K()
	require.NoError(tb, err)
	return tok
}

// encoding is a tokenizer with the library's own encoder for the same
// vocabulary: by a regular expression, and in the square of a piece's length, so
// it is only fed short texts.
type encoding struct {
	tokens.Tokenizer
	ref *tiktoken.Tiktoken
}

// encodings are made once: the library's loader is a variable of its package.
var encodings = sync.OnceValues(func() ([]encoding, error) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	var out []encoding
	for _, open := range []func() (tokens.Tokenizer, error){tokens.CL100K, tokens.O200K} {
		tok, err := open()
		if err != nil {
			return nil, err
		}
		ref, err := tiktoken.GetEncoding(tok.Name())
		if err != nil {
			return nil, err
		}
		out = append(out, encoding{tok, ref})
	}
	return out, nil
})

func openEncodings(tb testing.TB) []encoding {
	tb.Helper()
	all, err := encodings()
	require.NoError(tb, err)
	return all
}

// hard holds what a scanner for the pattern may get wrong.
var hard = []string{
	"", " ", "  ", "\n", "\n\n", " \n", "\n ", "a", "a ", " a", "  a", "\ta", "\t\ta", " \n  b", "x\r\n\r\n  y", "end  \n",
	"I'm we'RE they'll don't 'sup 'LL it's. 'tis", "'", "''s", "' s", "x'", "1234567 12 1", "12a3", "½ ² ١٢٣٤",
	"kubectl get pods -n kube-system --dry-run=client -o yaml | grep -v '^#'",
	"ERR-4012 CVE-2026-3172 /etc/kafka/server.properties v1.28.3 5mg/kg",
	"Übergröße 🩺 naïve Ærøskøbing", "日本語のテキスト。中文句子！", "हिन्दी वाक्य।", "هل يمكن استخدام warfarin؟", "\u00a0\u2003x\u2028y", "🚀", "👩‍👩‍👧‍👦 family",
	"....\n\n....", "*** --- ___\n\n", "a\u0301b", "<|endoftext|>", "\x00\x01", "word\v\fword", "\u0085x", "ﬃ Ⅷ",
	"HTML's JSONObject camelCaseWord XMLHttpRequest ABCdef aBC DŽungla ǅ İstanbul", "日本ABC 日本ABCd ABC日本 ʰA Aʰ", "!\u0301a \u0301A \u0301\u0302B \u03011 x\u0301Y'S 日'll",
	"// https://a.b/c\n//\n/ !!/\r\n/x", "Don'T DON'T l'été 'S", "ΑΒΓ абв ЁЖ ქართული ᏣᎳᎩ", "a//b ..//\n\nC", " \u0301", "日ABC'S",
	strings.Repeat("=", 70) + "\n" + strings.Repeat(" ", 90) + "x", strings.Repeat("ab", 40),
}

func TestCountIsExact(t *testing.T) {
	t.Parallel()
	for _, e := range openEncodings(t) {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			for _, text := range hard {
				require.Len(t, e.ref.EncodeOrdinary(text), e.Count(text), "%q", text)
			}
		})
	}
}

// Prose, tables, code and mathematics.
func TestCountIsExactOnDocuments(t *testing.T) {
	t.Parallel()
	root := shared(t)
	for _, e := range openEncodings(t) {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			for _, name := range []string{
				"docs/chroma/finance.md", "docs/covidqa/1545.txt", "docs/design/go/design__15292__2011-03-gen.md",
				"runbooks/openshift/alerts/cluster-dns-operator/CoreDNSErrorsHigh.md", "segmentation/english_cases.json",
			} {
				data, err := os.ReadFile(filepath.Join(root, name))
				require.NoError(t, err)
				text := strings.ToValidUTF8(string(data[:min(len(data), 20_000)]), "")
				require.Len(t, e.ref.EncodeOrdinary(text), e.Count(text), name)
			}
		})
	}
}

// T15: a token that ends inside a character is joined with the next.
func TestEndsOnRuneBoundaries(t *testing.T) {
	t.Parallel()
	for _, e := range openEncodings(t) {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			for _, text := range hard {
				var want []int // the reference's ends that are rune boundaries
				for at, id := 0, e.ref.EncodeOrdinary(text); len(id) > 0; id = id[1:] {
					at += len(e.ref.Decode(id[:1]))
					if at == len(text) || utf8.RuneStart(text[at]) {
						want = append(want, at)
					}
				}
				require.Equal(t, want, append([]int(nil), e.Ends(text)...), "%q", text)
				requireEnds(t, e, text)
			}
		})
	}
}

// requireEnds checks what holds for the ends of every tokenizer.
func requireEnds(tb testing.TB, tok tokens.Tokenizer, text string) {
	tb.Helper()
	ends, from := tok.Ends(text), 0
	for _, end := range ends {
		require.Greater(tb, end, from)
		require.True(tb, utf8.ValidString(text[from:end]) || !utf8.ValidString(text), "%q", text)
		from = end
	}
	require.Equal(tb, len(text), from)
	require.LessOrEqual(tb, len(ends), max(tok.Count(text), 1))
}

func TestLongPiecesTakeLinearTime(t *testing.T) {
	t.Parallel()
	for _, e := range openEncodings(t) {
		t.Run(e.Name(), func(t *testing.T) {
			t.Parallel()
			// Between the two ways of merging the counts agree with the reference.
			for _, n := range []int{90, 95, 96, 97, 98, 200, 700} {
				text := strings.Repeat("eyJhbGciOiJIUzI", n/15+1)[:n]
				require.Len(t, e.ref.EncodeOrdinary(text), e.Count(text), "%d bytes", n)
			}
			// In the square of its length this would take minutes.
			long := strings.Repeat("QmFzZTY0IHdpdGhvdXQgYW55IGVuZA", 10_000)
			require.Greater(t, e.Count(long), len(long)/8)
			ends := e.Ends(strings.Repeat("-", 100_000))
			require.Equal(t, 100_000, ends[len(ends)-1])
			// Words that end in front of a long run which was looked through already.
			require.Greater(t, e.Count(strings.Repeat("日"+strings.Repeat("A", 2_000), 20)), 100)
		})
	}
}

func FuzzCount(f *testing.F) {
	for _, text := range hard {
		f.Add(text)
	}
	all := openEncodings(f)
	f.Fuzz(func(t *testing.T, text string) {
		for _, e := range all {
			requireEnds(t, e, text)
			// The reference folds more letters to the "s" of 's than the published
			// pattern's ASCII, and reads invalid bytes as replacement characters.
			if utf8.ValidString(text) && len(text) < 2_000 {
				require.Len(t, e.ref.EncodeOrdinary(text), e.Count(text), e.Name())
			}
		}
	})
}

func BenchmarkLoad(b *testing.B) {
	for name, open := range map[string]func(testing.TB) tokens.Tokenizer{"cl100k": cl100k, "o200k": o200k} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				open(b)
			}
		})
	}
}

func BenchmarkCount(b *testing.B) {
	for name, open := range map[string]func(testing.TB) tokens.Tokenizer{"cl100k": cl100k, "o200k": o200k, "wordpiece": wordPiece} {
		b.Run(name, func(b *testing.B) {
			tok, text := open(b), corpus(b)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				tok.Count(text)
			}
		})
	}
}

func BenchmarkReference(b *testing.B) {
	for _, e := range openEncodings(b) {
		b.Run(e.Name(), func(b *testing.B) {
			text := corpus(b)[:200_000]
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				e.ref.EncodeOrdinary(text)
			}
		})
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
