package docx_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/extract/compose"
	"passage/rag/extract/docx"
)

// TestWritten writes what was read as Markdown, reads that and looks for the
// same items with the same labels.
func TestWritten(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob(filepath.Join("testdata", "golden", "*.docx"))
	require.NoError(t, err)
	items := 0
	for _, p := range paths {
		data, err := os.ReadFile(filepath.Clean(p))
		require.NoError(t, err)
		doc, err := docx.Read(data)
		require.NoError(t, err)
		text, _ := compose.Write(doc)
		x, err := extract.File(t.Context(), "written.md", []byte(text))
		require.NoError(t, err)
		want := composed(doc.Blocks, nil)
		items += len(want)
		require.Equal(t, want, extracted(x.Text, x.Blocks, nil), "%s\n%s", p, text)
	}
	require.Greater(t, items, 10)
}

func composed(blocks []compose.Block, out []string) []string {
	for i := range blocks {
		if b := &blocks[i]; b.Kind == rag.BlockItem && len(b.Children) > 0 {
			var words strings.Builder
			for _, in := range b.Children[0].Words {
				words.WriteString(in.Text)
			}
			out = append(out, strings.TrimSpace(b.Label+" "+words.String()))
		}
		out = composed(blocks[i].Children, out)
	}
	return out
}

// extracted gives the items with their labels, and the paragraphs that are steps
// parted from their list by a heading.
func extracted(text string, blocks []rag.Block, out []string) []string {
	for i := range blocks {
		if b := &blocks[i]; b.Kind == rag.BlockParagraph && strings.HasPrefix(b.Content.In(text), "Step ") {
			out = append(out, extract.PlainText(b.Content.In(text)))
		}
		if b := &blocks[i]; b.Kind == rag.BlockItem && len(b.Children) > 0 {
			label := b.Label
			if !b.Ordered && len(label) == 1 {
				label = ""
			}
			words := extract.PlainText(b.Children[0].Content.In(text))
			out = append(out, strings.TrimSpace(label+" "+words))
		}
		out = extracted(text, blocks[i].Children, out)
	}
	return out
}
