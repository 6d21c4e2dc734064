package docx

import (
	"archive/zip"
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract/compose"
)

const namespaces = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ` +
	`xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" ` +
	`xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math" ` +
	`xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
	`xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ` +
	`xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" ` +
	`xmlns:v="urn:schemas-microsoft-com:vml" ` +
	`xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"`

// parts are the XML of a document's parts by their names, each with or
// without its outermost element.
type parts map[string]string

var roots = map[string]string{
	"word/document.xml": "w:document", "word/styles.xml": "w:styles", "word/numbering.xml": "w:numbering",
	"word/footnotes.xml": "w:footnotes", "word/endnotes.xml": "w:endnotes", "word/settings.xml": "w:settings",
}

// pack zips parts as Word does. The document's body needs no element around it.
func pack(tb testing.TB, p parts) []byte {
	tb.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	put := func(name, text string) {
		w, err := z.Create(name)
		require.NoError(tb, err)
		_, err = w.Write([]byte(text))
		require.NoError(tb, err)
	}
	for _, name := range slices.Sorted(maps.Keys(p)) {
		text := p[name]
		if root := roots[name]; root != "" && !strings.Contains(text, "<"+root) && !strings.HasPrefix(text, "<?xml") && !strings.Contains(text, "\x00") {
			if name == "word/document.xml" {
				text = "<w:body>" + text + "</w:body>"
			}
			text = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?><` + root + " " + namespaces + ">" + text + "</" + root + ">"
		}
		put(name, text)
	}
	require.NoError(tb, z.Close())
	return out.Bytes()
}

// read reads a document of these parts.
func read(tb testing.TB, p parts) compose.Document {
	tb.Helper()
	doc, err := Read(pack(tb, p))
	require.NoError(tb, err)
	return doc
}

// body reads a document of a body alone.
func body(tb testing.TB, xml string) compose.Document {
	tb.Helper()
	return read(tb, parts{"word/document.xml": xml})
}

// para writes a paragraph of plain text with properties.
func par(props, text string) string {
	if props != "" {
		props = "<w:pPr>" + props + "</w:pPr>"
	}
	return "<w:p>" + props + run("", text) + "</w:p>"
}

func run(props, text string) string {
	if props != "" {
		props = "<w:rPr>" + props + "</w:rPr>"
	}
	return "<w:r>" + props + `<w:t xml:space="preserve">` + text + "</w:t></w:r>"
}

// item is a paragraph of a list.
func item(num, level int, text string) string {
	return par(fmt.Sprintf(`<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>`, level, num), text)
}

// styled is a paragraph of a style.
func styled(style, text string) string { return par(`<w:pStyle w:val="`+style+`"/>`, text) }

// dump writes a document, a line for each block.
func dump(doc compose.Document) string {
	var sb strings.Builder
	if doc.Title != "" {
		fmt.Fprintf(&sb, "title %q\n", doc.Title)
	}
	for _, k := range slices.Sorted(maps.Keys(doc.Meta)) {
		fmt.Fprintf(&sb, "meta %s=%q\n", k, doc.Meta[k])
	}
	dumpBlocks(&sb, doc.Blocks, "")
	for _, w := range doc.Warnings {
		sb.WriteString("warning: " + w + "\n")
	}
	return sb.String()
}

func dumpBlocks(sb *strings.Builder, blocks []compose.Block, indent string) {
	for i := range blocks {
		b := &blocks[i]
		sb.WriteString(indent + string(b.Kind))
		if b.Kind == rag.BlockHeading {
			sb.WriteString(strconv.Itoa(b.Level))
		}
		if b.Ordered {
			sb.WriteString(" ordered")
		}
		if b.Label != "" {
			sb.WriteString(" " + strconv.Quote(b.Label))
		}
		if b.Header {
			sb.WriteString(" header")
		}
		switch b.Kind {
		case rag.BlockHeading, rag.BlockParagraph:
			sb.WriteString(" " + show(b.Words))
		case rag.BlockCode:
			sb.WriteString(" " + strconv.Quote(b.Code))
		case rag.BlockRow:
			for _, c := range b.Cells {
				sb.WriteString(" | " + show(c))
			}
		default:
		}
		sb.WriteString("\n")
		dumpBlocks(sb, b.Children, indent+"  ")
	}
}

// show writes words with the marks of their looks.
func show(words []compose.Inline) string {
	var sb strings.Builder
	for _, in := range words {
		text := strings.ReplaceAll(in.Text, "\n", "⏎")
		for _, m := range []struct {
			style compose.Style
			mark  string
		}{{compose.Mono, "`"}, {compose.Emphasis, "_"}, {compose.Strong, "**"}, {compose.Struck, "~~"}} {
			if in.Style&m.style != 0 {
				text = m.mark + text + m.mark
			}
		}
		if in.Image {
			text = "!" + "[" + text + "]"
		}
		if in.Href != "" {
			text = "[" + text + "](" + in.Href + ")"
		}
		sb.WriteString(text)
	}
	return sb.String()
}

// tree is the dump of the blocks alone.
func tree(doc compose.Document) string {
	var sb strings.Builder
	dumpBlocks(&sb, doc.Blocks, "")
	return sb.String()
}
