package render

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	east "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag"
	"passage/rag/extract/counted"
)

// writer renders one source. It is the node renderer for everything that goldmark
// would render without looking at source positions, or less safely.
type writer struct {
	parser   parser.Parser
	view     View
	cites    map[int]Cite
	headings []Heading
	ids      map[ast.Node]string
	shift    int  // added to the level of headings
	marked   bool // the mark with the id has been written
}

// markdown parses and renders the body of a source; the view is relative to it.
func (w *writer) markdown(body string) string {
	source := []byte(body)
	if w.view.Clip.Empty() && w.cites == nil {
		return ""
	}
	doc := w.parser.Parse(text.NewReader(source))
	join(doc, source)
	number(doc, source)
	if w.view.Anchors {
		w.anchor(doc, source)
	}
	if !w.view.Clip.Empty() {
		prune(doc, source, w.view.Clip)
	}
	for _, g := range w.view.Gaps {
		leaveOut(doc, source, g)
	}
	label(doc, source)
	if w.view.Top > 0 {
		w.shift = w.view.Top - highest(doc)
	}
	dress(doc, w.view.Cited)
	out := new(bytes.Buffer)
	r := renderer.NewRenderer(renderer.WithNodeRenderers(
		util.Prioritized(w, 100),
		util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignAttribute)), 500),
		util.Prioritized(extension.NewStrikethroughHTMLRenderer(), 500),
		util.Prioritized(html.NewRenderer(), 1000),
	))
	if err := r.Render(out, source, doc); err != nil {
		// A buffer takes every write and no node renderer returns an error.
		return ""
	}
	return out.String()
}

// RegisterFuncs implements goldmark's renderer.NodeRenderer.
func (w *writer) RegisterFuncs(reg renderer.NodeRendererFuncRegisterer) {
	reg.Register(ast.KindText, w.text)
	reg.Register(ast.KindCodeSpan, w.codeSpan)
	reg.Register(ast.KindCodeBlock, w.codeBlock)
	reg.Register(ast.KindFencedCodeBlock, w.codeBlock)
	reg.Register(ast.KindHeading, w.heading)
	reg.Register(ast.KindHTMLBlock, w.htmlBlock)
	reg.Register(ast.KindRawHTML, w.rawHTML)
	reg.Register(ast.KindLink, w.link)
	reg.Register(ast.KindAutoLink, w.autoLink)
	reg.Register(ast.KindImage, w.image)
	reg.Register(east.KindTable, w.table)
	reg.Register(kindCitation, w.citation)
	reg.Register(counted.KindList, w.countedList)
	reg.Register(counted.KindItem, w.countedItem)
	reg.Register(kindMarker, w.marker)
	reg.Register(kindGap, w.gap)
}

// spread writes source[start:stop) piece by piece, the marked pieces inside
// mark elements. edge moves an end of a mark to where the text may be parted;
// put writes one piece escaped.
func (w *writer) spread(out util.BufWriter, start, stop int, edge func(int) int, put func(start, stop int)) {
	for _, m := range w.view.Marks {
		if m.End <= start || m.Start >= stop {
			continue
		}
		from, to := start, stop
		if m.Start > start {
			from = edge(m.Start)
		}
		if m.End < stop {
			to = edge(m.End)
		}
		if from >= to {
			continue
		}
		if from > start {
			put(start, from)
		}
		w.openMark(out, rag.Span{Start: from, End: to})
		put(from, to)
		_, _ = out.WriteString("</mark>")
		start = to
	}
	if start < stop {
		put(start, stop)
	}
}

// anywhere lets raw text be parted at every byte that starts a rune.
func anywhere(at int) int { return at }

// edgeOf is the last place at or before a byte where the text of a node may be
// parted: not between a backslash and what it escapes, nor inside an entity.
func edgeOf(n *ast.Text, source []byte, at int) int {
	start := n.Segment.Start
	if n.IsRaw() || at <= start || at >= n.Segment.Stop {
		return at
	}
	slashes := 0
	for at-slashes > start && source[at-slashes-1] == '\\' {
		slashes++
	}
	if slashes%2 == 1 {
		return at - 1
	}
	const longest = 33 // bytes of an entity: the longest name of HTML5 and its frame
	head := source[max(start, at-longest):at]
	open := bytes.LastIndexByte(head, '&')
	if open < 0 || bytes.ContainsAny(head[open:], "; \n") {
		return at
	}
	tail := source[at:min(n.Segment.Stop, at+longest)]
	if end := bytes.IndexAny(tail, "; &\n"); end >= 0 && tail[end] == ';' {
		return at - len(head) + open
	}
	return at
}

func (w *writer) openMark(out util.BufWriter, piece rag.Span) {
	if !w.marked && w.view.Hit.Overlaps(piece) {
		w.marked = true
		_, _ = out.WriteString(`<mark id="` + hit + `">`)
		return
	}
	_, _ = out.WriteString("<mark>")
}

func (w *writer) text(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.Text)
	if !entering || !ok {
		return ast.WalkContinue, nil
	}
	put := func(start, stop int) {
		if n.IsRaw() {
			html.DefaultWriter.RawWrite(out, source[start:stop])
			return
		}
		html.DefaultWriter.Write(out, source[start:stop])
	}
	edge := func(at int) int { return edgeOf(n, source, at) }
	start, stop := n.Segment.Start, n.Segment.Stop
	if kind, end := alert(n, source); kind != "" {
		_, _ = out.WriteString("<strong>" + kind + "</strong>")
		if start = end; n.SoftLineBreak() {
			w.spread(out, start, stop, edge, put)
			_, _ = out.WriteString("<br>\n")
			return ast.WalkContinue, nil
		}
	}
	if n.SoftLineBreak() && stop < len(source) && source[stop] == '\n' {
		w.spread(out, start, stop+1, edge, put) // a mark that goes on covers the space between the lines
		return ast.WalkContinue, nil
	}
	w.spread(out, start, stop, edge, put)
	switch {
	case n.HardLineBreak():
		_, _ = out.WriteString("<br>\n")
	case n.SoftLineBreak():
		_ = out.WriteByte('\n')
	}
	return ast.WalkContinue, nil
}

// raw writes text in which nothing is markup.
func (w *writer) raw(out util.BufWriter, source []byte, s text.Segment) {
	for range s.Padding {
		_ = out.WriteByte(' ')
	}
	w.spread(out, s.Start, s.Stop, anywhere, func(start, stop int) { html.DefaultWriter.RawWrite(out, source[start:stop]) })
	if s.ForceNewline && (s.Stop == s.Start || source[s.Stop-1] != '\n') {
		_ = out.WriteByte('\n')
	}
}

func (w *writer) codeSpan(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = out.WriteString("</code>")
		return ast.WalkContinue, nil
	}
	_, _ = out.WriteString("<code>")
	for c := node.FirstChild(); c != nil; c = c.NextSibling() {
		if t, ok := c.(*ast.Text); ok {
			s := t.Segment
			if s.Stop > s.Start && source[s.Stop-1] == '\n' {
				w.raw(out, source, s.WithStop(s.Stop-1))
				_ = out.WriteByte(' ')
				continue
			}
			w.raw(out, source, s)
		}
	}
	return ast.WalkSkipChildren, nil
}

func (w *writer) codeBlock(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = out.WriteString("</code></pre>\n")
		return ast.WalkContinue, nil
	}
	_, _ = out.WriteString(`<pre dir="ltr" tabindex="0"`)
	attribute(out, node, "class")
	_, _ = out.WriteString("><code")
	if f, ok := node.(*ast.FencedCodeBlock); ok {
		if language := f.Language(source); len(language) > 0 {
			_, _ = out.WriteString(` class="language-`)
			html.DefaultWriter.RawWrite(out, language)
			_ = out.WriteByte('"')
		}
	}
	_ = out.WriteByte('>')
	end := -1
	for _, line := range node.Lines().Sliced(0, node.Lines().Len()) {
		if found, lines := w.gapBetween(source, end, line.Start); end >= 0 && found {
			_, _ = out.WriteString(gapHTML)
			if lines {
				_ = out.WriteByte('\n')
			}
		}
		w.raw(out, source, line)
		end = line.Stop
	}
	return ast.WalkContinue, nil
}

func (w *writer) heading(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.Heading)
	if !ok {
		return ast.WalkContinue, nil
	}
	tag := "h" + strconv.Itoa(min(n.Level+w.shift, 6))
	if !entering {
		_, _ = out.WriteString("</" + tag + ">\n")
		return ast.WalkContinue, nil
	}
	_, _ = out.WriteString("<" + tag)
	if id := w.ids[node]; id != "" {
		_, _ = out.WriteString(` id="` + id + `"`)
	}
	attribute(out, node, "class")
	attribute(out, node, "dir")
	_ = out.WriteByte('>')
	return ast.WalkContinue, nil
}

// table wraps the table, so that a wide one scrolls by itself.
func (w *writer) table(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		_, _ = out.WriteString("</table>\n</div>\n")
		return ast.WalkContinue, nil
	}
	class := "table"
	if _, cited := node.AttributeString("class"); cited {
		class += " cited"
	}
	_, _ = out.WriteString(`<div class="` + class + `" role="region" aria-label="Table" tabindex="0">` + "\n<table>\n")
	return ast.WalkContinue, nil
}

// attribute writes an attribute that dress or prune gave to the node.
func attribute(out util.BufWriter, node ast.Node, name string) {
	if v, ok := node.AttributeString(name); ok {
		if b, ok := v.([]byte); ok {
			_, _ = out.WriteString(" " + name + `="`)
			_, _ = out.Write(util.EscapeHTML(b))
			_ = out.WriteByte('"')
		}
	}
}
