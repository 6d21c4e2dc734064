package htmldoc

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// attr is the value of an attribute, "" when there is none.
func attr(n *html.Node, key string) string {
	for i := range n.Attr {
		if n.Attr[i].Key == key {
			return n.Attr[i].Val
		}
	}
	return ""
}

func hasAttr(n *html.Node, key string) bool {
	return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
}

// classes are the names of an element's classes, in small letters.
func classes(n *html.Node) []string {
	c := attr(n, "class")
	if c == "" {
		return nil
	}
	return strings.Fields(strings.ToLower(c[:min(len(c), 2_000)]))
}

// hasClass says that an element has one of the classes.
func hasClass(n *html.Node, names ...string) bool {
	return slices.ContainsFunc(classes(n), func(c string) bool { return slices.Contains(names, c) })
}

// styled says that the style attribute sets a property to one of the values.
func styled(n *html.Node, property string, values ...string) bool {
	style := attr(n, "style")
	if style == "" {
		return false
	}
	for rule := range strings.SplitSeq(strings.ToLower(style[:min(len(style), 2_000)]), ";") {
		key, value, _ := strings.Cut(rule, ":")
		value, _, _ = strings.Cut(value, "!")
		if strings.TrimSpace(key) == property && slices.Contains(values, strings.TrimSpace(value)) {
			return true
		}
	}
	return false
}

// elements are the children of n that are elements.
func elements(n *html.Node) []*html.Node {
	var out []*html.Node
	for c := range n.ChildNodes() {
		if c.Type == html.ElementNode {
			out = append(out, c)
		}
	}
	return out
}

// find is the first element below n that fits, at most so many levels down.
func find(n *html.Node, levels int, fits func(*html.Node) bool) *html.Node {
	if levels == 0 {
		return nil
	}
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode {
			continue
		}
		if fits(c) {
			return c
		}
		if found := find(c, levels-1, fits); found != nil {
			return found
		}
	}
	return nil
}

// textOf is the text below n, white space folded; it is for short texts and
// stops when there is too much.
func textOf(n *html.Node) string {
	const enough = 10_000
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
		if b.Len() > enough {
			break
		}
	}
	return fold(b.String())
}

func fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// inside says that n stands in an element with one of the tags.
func inside(n *html.Node, tags ...atom.Atom) bool {
	for p := n.Parent; p != nil; p = p.Parent {
		if slices.Contains(tags, p.DataAtom) {
			return true
		}
	}
	return false
}

// isBlock says that an element begins and ends a line.
func isBlock(n *html.Node) bool {
	switch n.DataAtom {
	case atom.Address, atom.Article, atom.Aside, atom.Blockquote, atom.Body, atom.Caption, atom.Center, atom.Dd, atom.Details,
		atom.Dialog, atom.Dir, atom.Div, atom.Dl, atom.Dt, atom.Fieldset, atom.Figcaption, atom.Figure, atom.Footer, atom.Form,
		atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6, atom.Header, atom.Hgroup, atom.Hr, atom.Html, atom.Legend, atom.Li,
		atom.Listing, atom.Main, atom.Menu, atom.Nav, atom.Ol, atom.Optgroup, atom.Option, atom.P, atom.Plaintext, atom.Pre,
		atom.Section, atom.Summary, atom.Table, atom.Tbody, atom.Td, atom.Tfoot, atom.Th, atom.Thead, atom.Tr, atom.Ul, atom.Xmp:
		return true
	default:
		return n.Data == "search"
	}
}
