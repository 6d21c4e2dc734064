package extract

import (
	"testing"

	"passage/rag"
)

func BenchmarkMarkdown(b *testing.B) { benchmark(b, ".md") }
func BenchmarkPlain(b *testing.B)    { benchmark(b, ".txt") }

func benchmark(b *testing.B, ext string) {
	b.Helper()
	docs := files(b, shared(b, "eval"), ext)
	n := 0
	for _, d := range docs {
		n += len(d)
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	blocks := 0
	for b.Loop() {
		blocks = 0
		for name, d := range docs {
			x, err := File(b.Context(), name, d)
			if err != nil {
				b.Fatal(err)
			}
			blocks += count(x.Blocks)
		}
	}
	b.ReportMetric(float64(blocks), "blocks")
	b.ReportMetric(float64(n), "bytes")
}

// BenchmarkPlainText strips the inline markup of every paragraph and heading.
func BenchmarkPlainText(b *testing.B) {
	var pieces []string
	n := 0
	for name, d := range files(b, shared(b, "eval"), ".md") {
		x, err := File(b.Context(), name, d)
		if err != nil {
			b.Fatal(err)
		}
		for i := range x.Blocks {
			if k := x.Blocks[i].Kind; k == rag.BlockParagraph || k == rag.BlockHeading {
				pieces = append(pieces, x.Blocks[i].Content.In(x.Text))
				n += x.Blocks[i].Content.Len()
			}
		}
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range pieces {
			PlainText(s)
		}
	}
}

func count(blocks []rag.Block) int {
	n := len(blocks)
	for i := range blocks {
		n += count(blocks[i].Children)
	}
	return n
}
