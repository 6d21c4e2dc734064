package render

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag"
)

// outsideURL is where a link may lead: nothing else becomes a link.
var outsideURL = regexp.MustCompile(`(?i)^(https?://[^/]|mailto:.)`)

func (w *writer) link(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	if n, ok := node.(*ast.Link); ok {
		w.anchorTag(out, string(n.Destination), "link", insideLink(node), entering)
	}
	return ast.WalkContinue, nil
}

// image shows what an image is about and links to it: nothing is loaded from
// elsewhere, so that opening a document tells nobody.
func (w *writer) image(out util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.Image)
	if !ok {
		return ast.WalkContinue, nil
	}
	if !entering {
		if node.FirstChild() == nil {
			_, _ = out.Write(util.EscapeHTML(n.Destination))
		}
		w.anchorTag(out, string(n.Destination), "image", insideLink(node), false)
		return ast.WalkContinue, nil
	}
	w.anchorTag(out, string(n.Destination), "image", insideLink(node), true)
	_, _ = out.WriteString("Image: ")
	return ast.WalkContinue, nil
}

// anchorTag opens or closes a link: an a element for addresses outside and for
// headings of this page, a span for everything else.
func (w *writer) anchorTag(out util.BufWriter, destination, class string, nested, entering bool) {
	href, rel := w.resolve(destination)
	if href == "" || nested {
		if entering {
			_, _ = out.WriteString(`<span class="` + class + `">`)
		} else {
			_, _ = out.WriteString("</span>")
		}
		return
	}
	if !entering {
		_, _ = out.WriteString("</a>")
		return
	}
	_, _ = out.WriteString(`<a href="`)
	_, _ = out.Write(util.EscapeHTML(util.URLEscape([]byte(href), true)))
	_ = out.WriteByte('"')
	if rel != "" {
		_, _ = out.WriteString(` rel="` + rel + `"`)
	}
	if class == "image" {
		_, _ = out.WriteString(` class="image"`)
	}
	_ = out.WriteByte('>')
}

// resolve gives the address to link to and its rel, "" for none.
func (w *writer) resolve(destination string) (href, rel string) {
	if fragment, ok := strings.CutPrefix(destination, "#"); ok {
		id := "h-" + slug(fragment)
		for _, h := range w.headings {
			if h.ID == id {
				return "#" + id, ""
			}
		}
		return "", ""
	}
	if outsideURL.MatchString(destination) {
		return destination, outside
	}
	return "", ""
}

// autoLink writes an address that stands in the text as a link to itself.
func (w *writer) autoLink(out util.BufWriter, source []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
	n, ok := node.(*ast.AutoLink)
	if !entering || !ok {
		return ast.WalkContinue, nil
	}
	destination := string(n.URL(source))
	if n.AutoLinkType == ast.AutoLinkEmail && !strings.HasPrefix(strings.ToLower(destination), "mailto:") {
		destination = "mailto:" + destination
	}
	nested := insideLink(node)
	w.anchorTag(out, destination, "link", nested, true)
	s := labelOf(n, source)
	w.raw(out, source, text.NewSegment(s.Start, s.End))
	w.anchorTag(out, destination, "link", nested, false)
	return ast.WalkContinue, nil
}

// labelOf finds where the label of an auto link stands; goldmark keeps the
// place of its first byte or of the bracket before it.
func labelOf(n *ast.AutoLink, source []byte) rag.Span {
	label, at := n.Label(source), max(n.Pos(), 0)
	at += max(bytes.Index(source[at:], label), 0)
	return rag.Span{Start: at, End: at + len(label)}
}
