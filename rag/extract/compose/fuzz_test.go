package compose_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract/compose"
)

// FuzzWords writes words of any content in two styles, as a paragraph, in an
// item and in a cell, and reads them back.
func FuzzWords(f *testing.F) {
	for i, s := range signs {
		f.Add(s, "word "+s, byte(i))
		f.Add(s+signs[(i+7)%len(signs)], s, byte(i*5))
	}
	f.Fuzz(func(t *testing.T, a, b string, styles byte) {
		a, b = strings.ToValidUTF8(a, "?"), strings.ToValidUTF8(b, "?") // halves of a character must not meet
		runs := []compose.Inline{
			{Text: "x "}, {Text: a, Style: compose.Style(styles & 15)}, {Text: b, Style: compose.Style(styles >> 4)}, {Text: " y"},
		}
		if strings.Contains(a+b, "[x]") || strings.Contains(a+b, "[X]") || strings.Contains(a+b, "[ ]") {
			return // a task
		}
		p := compose.Block{Kind: rag.BlockParagraph, Words: runs}
		doc := compose.Document{Blocks: []compose.Block{
			p,
			{Kind: rag.BlockHeading, Level: 2, Words: runs},
			{Kind: rag.BlockList, Ordered: true, Children: []compose.Block{{Kind: rag.BlockItem, Label: "3.", Children: []compose.Block{p}}}},
			{Kind: rag.BlockTable, Children: []compose.Block{{Kind: rag.BlockRow, Header: true, Cells: [][]compose.Inline{runs, runs}}}},
		}}
		text, pages := compose.Write(doc)
		for _, fault := range faults(t, doc, text, pages) {
			t.Errorf("%s\n%s", fault, text)
		}
	})
}

// TestHostileInput has words and blocks that make a careless writer slow or
// its text large.
func TestHostileInput(t *testing.T) {
	t.Parallel()
	deep := compose.Block{Kind: rag.BlockParagraph, Words: compose.Plain("deep")}
	for i := range 600 {
		switch i % 3 {
		case 0:
			deep = compose.Block{Kind: rag.BlockQuote, Children: []compose.Block{deep}}
		case 1:
			deep = compose.Block{Kind: rag.BlockNote, Label: "tip", Children: []compose.Block{deep}}
		default:
			item := compose.Block{Kind: rag.BlockItem, Children: []compose.Block{deep}}
			deep = compose.Block{Kind: rag.BlockList, Children: []compose.Block{item}}
		}
	}
	many := make([]compose.Inline, 40_000)
	for i := range many {
		many[i] = compose.Inline{Text: "a", Style: compose.Style(i % 16)}
	}
	same := make([]compose.Inline, 40_000)
	for i := range same {
		same[i] = compose.Inline{Text: "a", Style: compose.Strong}
	}
	wide := compose.Block{Kind: rag.BlockTable, Children: make([]compose.Block, 5_000)}
	for i := range wide.Children {
		wide.Children[i] = compose.Block{Kind: rag.BlockRow, Cells: [][]compose.Inline{compose.Plain("a")}}
	}
	wide.Children[0].Cells = make([][]compose.Inline, 5_000)
	for name, b := range map[string]compose.Block{
		"deep":   deep,
		"styles": {Kind: rag.BlockParagraph, Words: many},
		"same":   {Kind: rag.BlockParagraph, Words: same},
		"wide":   wide,
		"signs":  {Kind: rag.BlockParagraph, Words: compose.Plain(strings.Repeat("*_~[<&`\\]", 10_000))},
		"lines":  {Kind: rag.BlockParagraph, Words: compose.Plain(strings.Repeat("a\n", 20_000))},
		"code":   {Kind: rag.BlockCode, Code: strings.Repeat("`", 500_000)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			text, _ := compose.Write(compose.Document{Blocks: []compose.Block{b}})
			require.Less(t, time.Since(start), 20*time.Second)
			require.Less(t, len(text), 8<<20)
			require.NotEmpty(t, text)
		})
	}
}
