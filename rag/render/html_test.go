package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/rag"
	"passage/rag/render"
)

// parse reads a fragment as a browser would inside a div.
func parse(t *testing.T, h render.HTML) *html.Node {
	t.Helper()
	doc, err := html.Parse(strings.NewReader("<!doctype html><body><div>" + string(h) + "</div>"))
	require.NoError(t, err)
	return doc
}

// all gives the elements with the tag, in order; "" gives every element.
func all(n *html.Node, tag string) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type == html.ElementNode && (tag == "" || d.Data == tag) {
			found = append(found, d)
		}
	}
	return found
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// words is the text below a node, white space folded.
func words(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func texts(nodes []*html.Node) []string {
	out := make([]string, 0, len(nodes))
	for _, n := range nodes {
		out = append(out, words(n))
	}
	return out
}

func values(nodes []*html.Node, name string) []string {
	out := make([]string, 0, len(nodes))
	for _, n := range nodes {
		out = append(out, attr(n, name))
	}
	return out
}

// span finds the bytes of part in the text.
func span(t *testing.T, text, part string) rag.Span {
	t.Helper()
	at := strings.Index(text, part)
	require.GreaterOrEqual(t, at, 0, "the text holds %q", part)
	return rag.Span{Start: at, End: at + len(part)}
}
