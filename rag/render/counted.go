package render

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"

	"passage/rag/extract/counted"
)

// marker is the label of an item that no browser would count: it stands before
// the item's words, as written.
type marker struct {
	ast.BaseInline
	label []byte
}

var kindMarker = ast.NewNodeKind("Marker")

// Kind implements goldmark's ast.Node.
func (*marker) Kind() ast.NodeKind { return kindMarker }

// Dump implements goldmark's ast.Node.
func (m *marker) Dump(source []byte, level int) {
	ast.DumpHelper(m, source, level, map[string]string{"label": string(m.label)}, nil)
}

// label puts the markers of counted lists into the tree, after what is not
// shown has been cut: what is left of an item keeps its marker.
func label(doc ast.Node, source []byte) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		item, ok := n.(*counted.Item)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		m := &marker{label: item.Label.Value(source)}
		first := n.FirstChild()
		if first == nil || first.Kind() != ast.KindParagraph && first.Kind() != ast.KindTextBlock {
			words := ast.NewTextBlock()
			n.InsertBefore(n, first, words)
			first = words
		}
		first.InsertBefore(first, first.FirstChild(), m)
		return ast.WalkContinue, nil
	})
}

func (w *writer) marker(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if m, ok := node.(*marker); ok && entering {
		_, _ = out.WriteString(`<span class="marker">`)
		_, _ = out.Write(util.EscapeHTML(m.label))
		_, _ = out.WriteString("</span> ")
	}
	return ast.WalkContinue, nil
}

func (w *writer) countedList(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = out.WriteString("</ol>\n")
		return ast.WalkContinue, nil
	}
	_, _ = out.WriteString("<ol")
	attribute(out, node, "class")
	_, _ = out.WriteString(">\n")
	return ast.WalkContinue, nil
}

func (w *writer) countedItem(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = out.WriteString("</li>\n")
		return ast.WalkContinue, nil
	}
	_, _ = out.WriteString("<li")
	attribute(out, node, "class")
	attribute(out, node, "dir")
	_ = out.WriteByte('>')
	if first := node.FirstChild(); first != nil && first.Kind() != ast.KindTextBlock {
		_ = out.WriteByte('\n')
	}
	return ast.WalkContinue, nil
}
