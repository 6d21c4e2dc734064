package extract

import (
	"testing"

	"passage/rag"
)

func BenchmarkMarkdown(b *testing.B) {
	docs := files(b, shared(b, "eval"), ".md")
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
			x, err := File(name, d)
			if err != nil {
				b.Fatal(err)
			}
			blocks += count(x.Blocks)
		}
	}
	b.ReportMetric(float64(blocks), "blocks")
}

func count(blocks []rag.Block) int {
	n := len(blocks)
	for i := range blocks {
		n += count(blocks[i].Children)
	}
	return n
}
