package render

import (
	"bytes"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag"
)

// safeTags are shown as what they are; they hold no attribute.
var safeTags = map[string]string{
	"<br>": "<br>", "<br/>": "<br>", "<br />": "<br>",
	"<sub>": "<sub>", "</sub>": "</sub>", "<sup>": "<sup>", "</sup>": "</sup>",
}

// rawHTML shows the source of a tag as text, because "<host>" in a procedure is
// a word of it. Comments are left out.
func (w *writer) rawHTML(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.RawHTML)
	if !entering || !ok || n.Segments.Len() == 0 {
		return ast.WalkSkipChildren, nil
	}
	first := n.Segments.At(0)
	value := first.Value(source)
	if bytes.HasPrefix(value, []byte("<!--")) {
		return ast.WalkSkipChildren, nil
	}
	if tag := safeTags[strings.ToLower(string(value))]; tag != "" && n.Segments.Len() == 1 {
		_, _ = out.WriteString(tag)
		return ast.WalkSkipChildren, nil
	}
	for _, s := range n.Segments.Sliced(0, n.Segments.Len()) {
		w.raw(out, source, s)
	}
	return ast.WalkSkipChildren, nil
}

// htmlBlock does the same for a block of HTML. What stands beside a comment in
// its lines is kept.
func (w *writer) htmlBlock(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.HTMLBlock)
	if !entering || !ok {
		return ast.WalkContinue, nil
	}
	lines := n.Lines().Sliced(0, n.Lines().Len())
	if n.HasClosure() {
		lines = append(lines[:len(lines):len(lines)], n.ClosureLine)
	}
	if len(lines) == 0 {
		return ast.WalkContinue, nil
	}
	comments := commentsIn(source, rag.Span{Start: lines[0].Start, End: lines[len(lines)-1].Stop})
	pieces := make([]text.Segment, 0, len(lines))
	blank := true
	for _, line := range lines {
		for _, s := range without(rag.Span{Start: line.Start, End: line.Stop}, comments) {
			pieces = append(pieces, text.NewSegment(s.Start, s.End))
			blank = blank && len(bytes.TrimSpace(source[s.Start:s.End])) == 0
		}
	}
	if blank {
		return ast.WalkContinue, nil
	}
	_, _ = out.WriteString("<p")
	attribute(out, node, "class")
	attribute(out, node, "dir")
	_ = out.WriteByte('>')
	for _, s := range pieces {
		w.raw(out, source, s)
	}
	_, _ = out.WriteString("</p>\n")
	return ast.WalkContinue, nil
}

// commentsIn finds the HTML comments of a part of the source; one that is never
// closed reaches to the end of the part.
func commentsIn(source []byte, in rag.Span) []rag.Span {
	var found []rag.Span
	for at := in.Start; at < in.End; {
		open := bytes.Index(source[at:in.End], []byte("<!--"))
		if open < 0 {
			break
		}
		start, end := at+open, in.End
		if i := bytes.Index(source[start+4:in.End], []byte("-->")); i >= 0 {
			end = start + 4 + i + 3
		}
		found = append(found, rag.Span{Start: start, End: end})
		at = end
	}
	return found
}

// without cuts the holes, which are in order, out of a span.
func without(s rag.Span, holes []rag.Span) []rag.Span {
	var rest []rag.Span
	for _, h := range holes {
		if !h.Overlaps(s) {
			continue
		}
		if h.Start > s.Start {
			rest = append(rest, rag.Span{Start: s.Start, End: h.Start})
		}
		s.Start = max(s.Start, h.End)
	}
	if !s.Empty() {
		rest = append(rest, s)
	}
	return rest
}
