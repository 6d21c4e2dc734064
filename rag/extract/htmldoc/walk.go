package htmldoc

import (
	"strconv"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// children reads what is inside an element.
func (r *reader) children(f *flow, n *html.Node, set setting) {
	for c := range n.ChildNodes() {
		r.node(f, c, set)
	}
}

// node reads a node into a flow.
func (r *reader) node(f *flow, n *html.Node, set setting) {
	switch {
	case n.Type == html.TextNode:
		f.text(n.Data, set)
		return
	case n.Type != html.ElementNode || r.skip[n] || r.dropped(n):
		return
	case n.Namespace == "svg":
		r.svg(f, n)
		return
	case n.Namespace == "math":
		r.math(f, n, set)
		return
	}
	if level := headingLevel(n); level > 0 {
		r.heading(f, n, level, set)
		return
	}
	if r.special(f, n, set) {
		return
	}
	switch n.DataAtom {
	case atom.Ul, atom.Ol, atom.Menu, atom.Dir:
		r.list(f, n, set)
	case atom.Li: // outside of a list
		r.orphan(f, n, set)
	case atom.Dt:
		f.flush()
		r.children(f, n, setting{set.style | compose.Strong, set.href})
		f.flush()
	case atom.Table:
		r.table(f, n, set)
	case atom.Pre, atom.Listing, atom.Xmp, atom.Plaintext:
		r.code(f, n)
	case atom.Blockquote:
		var in flow
		r.children(&in, n, set)
		f.add(compose.Block{Kind: rag.BlockQuote, Children: in.done()})
	case atom.Hr:
		f.add(compose.Block{Kind: rag.BlockBreak})
	case atom.Br:
		f.lineBreak(set)
	case atom.Summary, atom.Legend:
		r.strongLine(f, n, set)
	default:
		if !isBlock(n) {
			r.inline(f, n, set)
			return
		}
		f.flush()
		r.children(f, n, styleOf(n, set))
		f.flush()
	}
}

// strongLine reads an element as a paragraph in bold.
func (r *reader) strongLine(f *flow, n *html.Node, set setting) {
	f.flush()
	r.children(f, n, setting{set.style | compose.Strong, set.href})
	f.flush()
}

// headingLevel is the level of a heading, 0 for other elements.
func headingLevel(n *html.Node) int {
	switch n.DataAtom {
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		return int(n.Data[1] - '0')
	default: // perhaps by its role
	}
	if attr(n, "role") == "heading" {
		if level, err := strconv.Atoi(attr(n, "aria-level")); err == nil {
			return min(max(level, 1), 6)
		}
		return 2
	}
	return 0
}

// heading reads a heading on one line. What else stands in it, a table say,
// follows it.
func (r *reader) heading(f *flow, n *html.Node, level int, set setting) {
	var in flow
	r.children(&in, n, set)
	in.flush()
	var words []compose.Inline
	var rest []compose.Block
	for _, b := range in.blocks {
		if b.Kind != rag.BlockParagraph {
			rest = append(rest, b)
			continue
		}
		if len(words) > 0 {
			words = append(words, compose.Inline{Text: " "})
		}
		for _, w := range b.Words {
			w.Style &^= compose.Strong // all of a heading is
			if strings.HasPrefix(w.Href, "#") && !w.Image {
				w.Href = "" // to itself, or back to the contents
			}
			words = append(words, w)
		}
	}
	if len(words) > 0 {
		f.add(compose.Block{Kind: rag.BlockHeading, Level: level, Words: words})
	}
	for _, b := range rest {
		f.add(b)
	}
}

// svg reads the words of a drawing as one paragraph.
func (r *reader) svg(f *flow, n *html.Node) {
	var words []string
	var walk func(*html.Node)
	walk = func(n *html.Node) {
		for c := range n.ChildNodes() {
			switch {
			case c.Type == html.TextNode && n.Data != "svg" && n.Data != "g":
				if s := fold(visible.Replace(c.Data)); s != "" {
					words = append(words, s)
				}
			case c.Type != html.ElementNode:
			case c.Data == "title" || c.Data == "desc" || c.Data == "style" || c.Data == "defs" || c.Data == "script" || c.Data == "metadata":
			default:
				walk(c)
			}
		}
	}
	walk(n)
	if len(words) > 0 {
		f.paragraph(strings.Join(words, " "), 0)
	}
}

// math reads a formula: the TeX that it was made from, else its letters.
func (r *reader) math(f *flow, n *html.Node, set setting) {
	tex := attr(n, "alttext")
	if tex == "" {
		if a := find(n, 4, func(c *html.Node) bool {
			return c.Data == "annotation" && strings.Contains(strings.ToLower(attr(c, "encoding")), "tex")
		}); a != nil {
			tex = textOf(a)
		}
	}
	if tex != "" {
		f.text(tex, setting{set.style | compose.Mono, ""})
		return
	}
	f.text(textOf(n), set)
}
