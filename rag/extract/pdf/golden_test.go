package pdf

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract/compose"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// TestGolden reads each PDF in testdata and compares a dump of its blocks.
func TestGolden(t *testing.T) {
	t.Parallel()
	slow(t)
	files, err := filepath.Glob("testdata/*.pdf")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(name)
			require.NoError(t, err)
			doc, err := Read(context.Background(), data)
			require.NoError(t, err)
			got := dump(doc)
			golden := strings.TrimSuffix(name, ".pdf") + ".golden"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got), 0o600))
				return
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got)
		})
	}
}

// dump writes a document so that a person can check it: one block a line,
// children indented, **strong**, _emphasis_, `mono`, ⟨2⟩ where page 2 begins.
func dump(doc compose.Document) string {
	var b strings.Builder
	if doc.Title != "" {
		fmt.Fprintf(&b, "title %s\n", doc.Title)
	}
	for _, k := range []string{"author", "subject"} {
		if doc.Meta[k] != "" {
			fmt.Fprintf(&b, "%s %s\n", k, doc.Meta[k])
		}
	}
	for _, w := range doc.Warnings {
		fmt.Fprintf(&b, "warning %s\n", w)
	}
	page := 0
	dumpBlocks(&b, doc.Blocks, 0, &page)
	return b.String()
}

func dumpBlocks(b *strings.Builder, blocks []compose.Block, depth int, page *int) {
	for i := range blocks {
		x := &blocks[i]
		b.WriteString(strings.Repeat("  ", depth))
		switch x.Kind {
		case rag.BlockHeading:
			fmt.Fprintf(b, "h%d %s\n", x.Level, dumpWords(x.Words, page))
		case rag.BlockCode:
			pad := "\n" + strings.Repeat("  ", depth) + "  | "
			fmt.Fprintf(b, "code p%d%s%s\n", x.Page, pad, strings.ReplaceAll(x.Code, "\n", pad))
		case rag.BlockRow:
			cells := make([]string, len(x.Cells))
			for j, c := range x.Cells {
				cells[j] = dumpWords(c, page)
			}
			kind := "row"
			if x.Header {
				kind = "header"
			}
			fmt.Fprintf(b, "%s %s\n", kind, strings.Join(cells, " ¦ "))
		case rag.BlockList:
			kind := "list"
			if x.Ordered {
				kind = "ordered list"
			}
			fmt.Fprintf(b, "%s\n", kind)
			dumpBlocks(b, x.Children, depth+1, page)
		case rag.BlockItem:
			fmt.Fprintf(b, "item %q\n", x.Label)
			dumpBlocks(b, x.Children, depth+1, page)
		default:
			fmt.Fprintf(b, "%s %s\n", x.Kind, dumpWords(x.Words, page))
			dumpBlocks(b, x.Children, depth+1, page)
		}
	}
}

func dumpWords(words []compose.Inline, page *int) string {
	var b strings.Builder
	for _, w := range words {
		if w.Page != 0 && w.Page != *page {
			fmt.Fprintf(&b, "⟨%d⟩", w.Page)
			*page = w.Page
		}
		mark := ""
		switch {
		case w.Style&compose.Mono != 0:
			mark = "`"
		case w.Style&compose.Strong != 0:
			mark = "**"
		case w.Style&compose.Emphasis != 0:
			mark = "_"
		}
		b.WriteString(mark + strings.ReplaceAll(w.Text, "\n", "⏎") + mark)
	}
	return b.String()
}
