package render

import (
	"slices"
	"strconv"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"passage/rag"
	"passage/rag/extract/counted"
)

// join makes one text of neighbours that were parsed apart, so that a mark
// over both is one mark.
func join(n ast.Node, source []byte) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		t, ok := c.(*ast.Text)
		for next := c.NextSibling(); ok && next != nil && t.Merge(next, source); next = c.NextSibling() {
			n.RemoveChild(n, next)
		}
		join(c, source)
	}
}

// number gives the items of ordered lists the numbers they were written with,
// before anything is cut: CommonMark counts from the first one, but a step that
// says 5 is step 5. A list that is written "1. 1. 1." is counted, as its
// writer meant.
func number(doc ast.Node, source []byte) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		list, ok := n.(*ast.List)
		if !ok || !entering || !list.IsOrdered() {
			return ast.WalkContinue, nil
		}
		var written []int
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			written = append(written, numberAt(source, c.Pos()))
		}
		counted := len(written) > 1 && !slices.ContainsFunc(written, func(v int) bool { return v != written[0] })
		for i, c := 0, n.FirstChild(); c != nil; i, c = i+1, c.NextSibling() {
			v := written[i]
			if counted || v < 0 {
				v = list.Start + i
			}
			c.SetAttributeString("value", []byte(strconv.Itoa(v)))
		}
		return ast.WalkContinue, nil
	})
}

// numberAt reads the number of a list marker, -1 when there is none.
func numberAt(source []byte, at int) int {
	if at < 0 {
		return -1
	}
	end := at
	for end < len(source) && end-at < 9 && source[end] >= '0' && source[end] <= '9' {
		end++
	}
	v, err := strconv.Atoi(string(source[at:end]))
	if err != nil {
		return -1
	}
	return v
}

// highest is the lowest level number among the headings of a tree, 1 when it has
// none.
func highest(doc ast.Node) int {
	level := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if h, ok := n.(*ast.Heading); ok && entering && (level == 0 || h.Level < level) {
			level = h.Level
		}
		return ast.WalkContinue, nil
	})
	return max(level, 1)
}

// dress gives blocks their direction, which follows their own text, and the
// class of the outermost blocks whose text lies wholly in the cited part.
func dress(doc ast.Node, cited rag.Span) {
	var walk func(n ast.Node, inside bool)
	walk = func(n ast.Node, inside bool) {
		switch n.Kind() {
		case ast.KindParagraph, ast.KindHeading, ast.KindListItem, counted.KindItem, ast.KindBlockquote, east.KindTableCell:
			n.SetAttributeString("dir", []byte("auto"))
		case counted.KindList:
			addClass(n, "counted")
		case ast.KindHTMLBlock:
			n.SetAttributeString("dir", []byte("auto"))
			addClass(n, "raw")
		}
		if !inside && n.Kind() != ast.KindDocument && n.Kind() != ast.KindTextBlock && !cited.Empty() {
			if e := extent(n); !e.Empty() && cited.Contains(e) {
				addClass(n, "cited")
				inside = true
			}
		}
		for c := n.FirstChild(); c != nil; c = c.NextSibling() {
			if c.Type() == ast.TypeBlock {
				walk(c, inside)
			}
		}
	}
	walk(doc, false)
}

func addClass(n ast.Node, class string) {
	if v, ok := n.AttributeString("class"); ok {
		if b, ok := v.([]byte); ok {
			class = string(b) + " " + class
		}
	}
	n.SetAttributeString("class", []byte(class))
}

// extent is from the first to the last byte of text below a node, without
// markers and fences.
func extent(n ast.Node) rag.Span {
	var e rag.Span
	add := func(s rag.Span) {
		if s.Empty() {
			return
		}
		if e.Empty() {
			e = s
			return
		}
		e = e.Union(s)
	}
	if n.Type() == ast.TypeBlock {
		if lines := n.Lines(); lines != nil && lines.Len() > 0 {
			last := lines.At(lines.Len() - 1)
			return rag.Span{Start: lines.At(0).Start, End: last.Stop}
		}
	}
	if t, ok := n.(*ast.Text); ok {
		return rag.Span{Start: t.Segment.Start, End: t.Segment.Stop}
	}
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		add(extent(c))
	}
	return e
}

// prune cuts everything outside the clip out of the tree and says whether
// anything of the node is left. Rows keep all their cells, a table keeps its
// header, an item keeps its number.
func prune(n ast.Node, source []byte, clip rag.Span) bool {
	switch t := n.(type) {
	case *ast.Text:
		return pruneText(t, source, clip)
	case *ast.AutoLink:
		return labelOf(t, source).Overlaps(clip)
	case *ast.RawHTML:
		t.Segments = cutSegments(t.Segments, clip)
		return t.Segments.Len() > 0
	case *ast.CodeBlock, *ast.FencedCodeBlock:
		return pruneLines(n, clip)
	case *ast.HTMLBlock:
		left := pruneLines(n, clip)
		if t.HasClosure() && overlaps(t.ClosureLine, clip) {
			return true
		}
		t.ClosureLine = text.NewSegment(-1, -1)
		return left
	case *ast.ThematicBreak:
		return within(n.Pos(), clip)
	case *east.Table:
		return pruneTable(t, source, clip)
	case *ast.ListItem:
		if n.Pos() >= 0 && n.Pos() < clip.Start {
			addClass(n, "cut")
		}
	case *counted.Item:
		if t.Label.Start < clip.Start {
			addClass(n, "cut")
		}
		if n.FirstChild() == nil {
			return within(t.Label.Start, clip)
		}
	}
	had := n.FirstChild() != nil
	for c := n.FirstChild(); c != nil; {
		next := c.NextSibling()
		if !prune(c, source, clip) {
			n.RemoveChild(n, c)
		}
		c = next
	}
	if had {
		return n.FirstChild() != nil
	}
	return n.Kind() == ast.KindString || within(n.Pos(), clip)
}

func within(pos int, clip rag.Span) bool { return clip.Start <= pos && pos < clip.End }

func overlaps(s text.Segment, clip rag.Span) bool {
	return clip.Overlaps(rag.Span{Start: s.Start, End: s.Stop})
}

func pruneText(t *ast.Text, source []byte, clip rag.Span) bool {
	if t.Segment.Len() == 0 && (t.SoftLineBreak() || t.HardLineBreak()) { // the line ends with a mark
		return clip.Start <= t.Segment.Start && t.Segment.Start < clip.End
	}
	if !overlaps(t.Segment, clip) {
		return false
	}
	start, stop := edgeOf(t, source, max(t.Segment.Start, clip.Start)), edgeOf(t, source, min(t.Segment.Stop, clip.End))
	if t.Segment.Stop >= clip.End {
		t.SetSoftLineBreak(false)
		t.SetHardLineBreak(false)
	}
	t.Segment = t.Segment.WithStop(stop)
	t.Segment = t.Segment.WithStart(start)
	return start < stop
}

func pruneLines(n ast.Node, clip rag.Span) bool {
	had := n.Lines().Len() > 0
	n.SetLines(cutSegments(n.Lines(), clip))
	return n.Lines().Len() > 0 || (!had && within(n.Pos(), clip))
}

// cutSegments keeps what lies in the clip.
func cutSegments(old *text.Segments, clip rag.Span) *text.Segments {
	kept := text.NewSegments()
	for _, s := range old.Sliced(0, old.Len()) {
		if !overlaps(s, clip) {
			continue
		}
		if s.Start < clip.Start {
			s.Start, s.Padding = clip.Start, 0
		}
		s.Stop = min(s.Stop, clip.End)
		kept.Append(s)
	}
	return kept
}

// pruneTable drops the rows outside. Rows stay whole and the header stays with
// them, because a cell means nothing without its column.
func pruneTable(t *east.Table, source []byte, clip rag.Span) bool {
	for row := t.FirstChild(); row != nil; {
		next := row.NextSibling()
		if row.Kind() != east.KindTableHeader && !rowSpan(row, source).Overlaps(clip) {
			t.RemoveChild(t, row)
		}
		row = next
	}
	header := t.FirstChild()
	return header != nil && (header.NextSibling() != nil || rowSpan(header, source).Overlaps(clip))
}

// rowSpan is the line of a row.
func rowSpan(row ast.Node, source []byte) rag.Span {
	start := max(row.Pos(), 0)
	end := start
	for end < len(source) && source[end] != '\n' {
		end++
	}
	return rag.Span{Start: start, End: end}
}
