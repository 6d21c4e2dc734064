package split_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
)

// readings gives every document of the development data that ends so.
func readings(tb testing.TB, ext ...string) []rag.Extraction {
	tb.Helper()
	var out []rag.Extraction
	root := shared(tb)
	for _, dir := range []string{"docs", "runbooks"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !strings.HasSuffix(path, ext[0]) && !strings.HasSuffix(path, ext[len(ext)-1]) {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			x, err := extract.File(tb.Context(), path, data)
			if err != nil {
				return err
			}
			out = append(out, x)
			return nil
		})
		require.NoError(tb, err)
	}
	return out
}

func size(readings []rag.Extraction) int64 {
	n := 0
	for _, x := range readings {
		n += len(x.Text)
	}
	return int64(n)
}

// BenchmarkMarkdown goes from the bytes of Markdown files to sections,
// procedures and sentences. The benchmarks report bytes allocated per byte of
// text.
func BenchmarkMarkdown(b *testing.B) {
	docs := readings(b, ".md")
	bench(b, docs, func(x rag.Extraction) error {
		again, err := extract.File(b.Context(), "a.md", []byte(x.Text))
		if err != nil {
			return err
		}
		_, err = split.Split(again, split.Options{})
		return err
	})
}

// BenchmarkSplit leaves the reading of the file out.
func BenchmarkSplit(b *testing.B) {
	bench(b, readings(b, ".md"), func(x rag.Extraction) error {
		_, err := split.Split(x, split.Options{})
		return err
	})
}

// BenchmarkSplitCounted counts the tokens of each section, too.
func BenchmarkSplitCounted(b *testing.B) {
	tok := cl100k(b)
	bench(b, readings(b, ".md"), func(x rag.Extraction) error {
		_, err := split.Split(x, split.Options{Tokens: tok})
		return err
	})
}

func BenchmarkSentences(b *testing.B) {
	bench(b, readings(b, ".txt"), func(x rag.Extraction) error {
		split.Sentences(x.Text)
		return nil
	})
}

// BenchmarkLimit measures every unit in the pieces of the built-in embedder and
// divides those over its limit.
func BenchmarkLimit(b *testing.B) {
	limit := split.Limit{Tokens: tokenizers(b)[2], Most: 128}
	bench(b, readings(b, ".md"), func(x rag.Extraction) error {
		_, err := split.Split(x, split.Options{Limit: limit, Title: x.Title})
		return err
	})
}

func BenchmarkChunks(b *testing.B) {
	for _, k := range kinds(b) {
		b.Run(k.name, func(b *testing.B) {
			s := k.strategy(256, 32)
			var outline rag.Outline
			bench(b, readings(b, ".md"), func(x rag.Extraction) error {
				_, err := split.Chunks(x.Text, &outline, s, k.tok)
				return err
			})
		})
	}
}

func bench(b *testing.B, docs []rag.Extraction, do func(rag.Extraction) error) {
	b.Helper()
	n := size(docs)
	b.SetBytes(n)
	b.ReportAllocs()
	for b.Loop() {
		for _, x := range docs {
			if err := do(x); err != nil {
				b.Fatal(err)
			}
		}
	}
}
