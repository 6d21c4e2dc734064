package render

import (
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag"
	"passage/rag/extract/counted"
)

// gap is the mark of what was left out.
type gap struct{ ast.BaseInline }

var kindGap = ast.NewNodeKind("Gap")

// Kind implements goldmark's ast.Node.
func (*gap) Kind() ast.NodeKind { return kindGap }

// Dump implements goldmark's ast.Node.
func (n *gap) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

const gapHTML = `<span class="gap">` + rag.GapMark + `</span>`

func (w *writer) gap(out util.BufWriter, _ []byte, _ ast.Node, entering bool) (ast.WalkStatus, error) {
	if entering {
		_, _ = out.WriteString(" " + gapHTML + " ")
	}
	return ast.WalkContinue, nil
}

// leaveOut cuts a gap out of the tree and marks its place: inside a paragraph
// where it is in one, else between the blocks it parts, in a table as a row.
func leaveOut(doc ast.Node, source []byte, g rag.Span) {
	excise(doc, source, g)
	var before, after ast.Node
	for _, leaf := range leaves(doc, nil) {
		if start := startOf(leaf); start < g.Start {
			before = leaf
		} else {
			after = leaf
			break
		}
	}
	if before != nil && insideLeaf(before, g) {
		return
	}
	if before != nil && after != nil {
		markBetween(before, after)
	}
}

// insideLeaf marks a gap inside a block that goes on behind it, and says
// whether it does. Code marks its gaps when it is written.
func insideLeaf(leaf ast.Node, g rag.Span) bool {
	e := extent(leaf)
	switch leaf.(type) {
	case *east.TableRow, *east.TableHeader:
		return false
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		return e.End > g.Start
	}
	if e.End <= g.Start {
		return false
	}
	var next ast.Node
	_ = ast.Walk(leaf, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if t, ok := n.(*ast.Text); ok && entering && t.Segment.Start >= g.End {
			next = n
			return ast.WalkStop, nil
		}
		return ast.WalkContinue, nil
	})
	if next == nil {
		return false
	}
	for next.Parent() != leaf { // not inside a link or inline code
		next = next.Parent()
	}
	leaf.InsertBefore(leaf, next, new(gap))
	return true
}

// markBetween marks a gap between two blocks, where what holds both of them is
// parted.
func markBetween(before, after ast.Node) {
	above := map[ast.Node]bool{}
	for n := after.Parent(); n != nil; n = n.Parent() {
		above[n] = true
	}
	side := before
	for side.Parent() != nil && !above[side.Parent()] {
		side = side.Parent()
	}
	holder := side.Parent()
	mark := ast.NewParagraph()
	mark.SetAttributeString("class", []byte("gap"))
	mark.AppendChild(mark, new(gap))
	switch {
	case holder == nil:
	case holder.Kind() == east.KindTable:
		row, cell := east.NewTableRow(nil), east.NewTableCell()
		cell.AppendChild(cell, new(gap))
		row.AppendChild(row, cell)
		holder.InsertAfter(holder, side, row)
	case isItem(side): // only items may stand in a list
		side.AppendChild(side, mark)
	default:
		holder.InsertAfter(holder, side, mark)
	}
}

// excise cuts everything inside the gap out of the tree and says whether
// anything of the node is left. Rows are cut whole or not at all.
func excise(n ast.Node, source []byte, g rag.Span) bool {
	switch t := n.(type) {
	case *ast.Text:
		return exciseText(t, source, g)
	case *ast.AutoLink:
		return !g.Contains(labelOf(t, source))
	case *ast.RawHTML:
		t.Segments = exciseSegments(t.Segments, g)
		return t.Segments.Len() > 0
	case *ast.CodeBlock, *ast.FencedCodeBlock, *ast.HTMLBlock:
		had := n.Lines().Len() > 0
		n.SetLines(exciseSegments(n.Lines(), g))
		if html, ok := n.(*ast.HTMLBlock); ok && html.HasClosure() {
			if !overlaps(html.ClosureLine, g) {
				return true
			}
			html.ClosureLine = text.NewSegment(-1, -1)
		}
		return n.Lines().Len() > 0 || !had && !within(n.Pos(), g)
	case *ast.ThematicBreak:
		return !within(n.Pos(), g)
	case *east.TableRow, *east.TableHeader:
		return !g.Contains(rowSpan(n, source))
	case *gap:
		return true
	}
	if at, ok := itemAt(n); ok && within(at, g) {
		addClass(n, "cut")
	}
	had := n.FirstChild() != nil
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if !excise(c, source, g) {
			n.RemoveChild(n, c)
		}
		c = next
	}
	if had {
		return n.FirstChild() != nil
	}
	return n.Kind() == ast.KindString || !within(n.Pos(), g)
}

// exciseText cuts a gap out of a text; when something is left on both sides, the
// second half becomes a text of its own.
func exciseText(t *ast.Text, source []byte, g rag.Span) bool {
	s := t.Segment
	if s.Len() == 0 {
		return !within(s.Start, g)
	}
	if !overlaps(s, g) {
		return true
	}
	head, tail := s.Start, s.Stop // the kept text is before head and from tail on
	if g.Start > s.Start {
		head = edgeOf(t, source, g.Start)
	}
	if g.End < s.Stop {
		tail = edgeOf(t, source, g.End)
	}
	switch {
	case head > s.Start && tail < s.Stop:
		rest := ast.NewTextSegment(s.WithStart(tail))
		rest.SetSoftLineBreak(t.SoftLineBreak())
		rest.SetHardLineBreak(t.HardLineBreak())
		rest.SetRaw(t.IsRaw())
		t.Parent().InsertAfter(t.Parent(), t, rest)
		t.SetSoftLineBreak(false)
		t.SetHardLineBreak(false)
		t.Segment = s.WithStop(head)
	case head > s.Start:
		t.Segment = s.WithStop(head)
	case tail < s.Stop:
		t.Segment = s.WithStart(tail)
	default:
		return false
	}
	return true
}

func exciseSegments(old *text.Segments, g rag.Span) *text.Segments {
	kept := text.NewSegments()
	for _, s := range old.Sliced(0, old.Len()) {
		if !overlaps(s, g) {
			kept.Append(s)
			continue
		}
		if s.Start < g.Start {
			kept.Append(s.WithStop(g.Start))
		}
		if g.End < s.Stop {
			s.Start, s.Padding = g.End, 0
			kept.Append(s)
		}
	}
	return kept
}

func isItem(n ast.Node) bool {
	_, ok := itemAt(n)
	return ok
}

// itemAt is where the marker of an item stands.
func itemAt(n ast.Node) (int, bool) {
	switch t := n.(type) {
	case *ast.ListItem:
		return t.Pos(), true
	case *counted.Item:
		return t.Label.Start, true
	default:
		return 0, false
	}
}

// leaves lists the blocks that hold words themselves, and the rows of tables, in
// the order of the text.
func leaves(n ast.Node, list []ast.Node) []ast.Node {
	switch n.(type) {
	case *east.TableRow, *east.TableHeader:
		return append(list, n)
	}
	inner := false
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if c.Type() == ast.TypeBlock {
			list, inner = leaves(c, list), true
		}
	}
	if !inner && n.Type() == ast.TypeBlock {
		list = append(list, n)
	}
	return list
}

// startOf is where a block begins in the source: its first word, or its place
// when it has none.
func startOf(n ast.Node) int {
	if e := extent(n); !e.Empty() {
		return e.Start
	}
	return n.Pos()
}

// gapBetween says that something was left out between two places of code, and
// whether it reaches over a line.
func (w *writer) gapBetween(source []byte, from, to int) (found, lines bool) {
	for _, g := range w.view.Gaps {
		if g.Start >= from && g.End <= to {
			for _, b := range source[g.Start:g.End] {
				lines = lines || b == '\n'
			}
			return true, lines || from > 0 && source[from-1] == '\n'
		}
	}
	return false, false
}
