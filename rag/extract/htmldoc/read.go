package htmldoc

import (
	"bytes"
	"net/url"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// Read reads a page in clean UTF-8. Errors: CodeInvalid for a page that cannot
// be parsed or holds no words, CodeTooLarge for one with too many elements.
func Read(text []byte) (compose.Document, error) {
	if bytes.Count(text, []byte{'<'}) > maxTags {
		return compose.Document{}, rag.Errorf(rag.CodeTooLarge,
			"The page has more than %d elements. Divide it into several pages.", maxTags)
	}
	root, err := html.Parse(bytes.NewReader(tame(text)))
	if err != nil {
		return compose.Document{}, rag.Errorf(rag.CodeInvalid,
			"Its elements are nested more than 500 deep. Save the page anew, or upload its text.")
	}
	r := &reader{shares: map[*html.Node]share{}, skip: map[*html.Node]bool{}}
	r.measure(root, false)
	body := find(root, 2, func(n *html.Node) bool { return n.DataAtom == atom.Body || n.DataAtom == atom.Frameset })
	if body == nil {
		body = root
	}
	doc := compose.Document{Meta: map[string]string{}}
	r.head(root, &doc)
	kept := r.content(body)
	above := r.above(body, kept)
	r.kept = kept
	r.about(body, &doc)
	doc.Blocks = r.blocks()
	if !hasWords(doc.Blocks) { // a page of links is not nothing
		r.kept, r.all, r.skip = body, true, map[*html.Node]bool{}
		doc.Blocks, above = r.blocks(), nil
		doc.Warnings = append(doc.Warnings, "The page seems to hold only navigation.")
	}
	r.name(root, above, &doc)
	if !hasWords(doc.Blocks) {
		return compose.Document{}, rag.Errorf(rag.CodeInvalid,
			"The page holds no text: what it shows may be made by scripts or be pictures. Save it from the browser as a complete page, or upload its text.")
	}
	return doc, nil
}

// blocks reads the content that was chosen.
func (r *reader) blocks() []compose.Block {
	var f flow
	r.children(&f, r.kept, setting{})
	return f.done()
}

// reader is the state of reading one page.
type reader struct {
	kept   *html.Node            // the element whose content is read
	all    bool                  // menus are read too
	base   *url.URL              // what relative links are relative to, may be nil
	shares map[*html.Node]share  // of elements with attributes
	skip   map[*html.Node]bool   // that have been read out of turn
	ids    map[string]*html.Node // made when first asked for
	tabs   int                   // whose titles have been looked for
	copies int                   // bytes of cells that were repeated
}

// content chooses the element that holds what the page is about: the one that
// its maker calls so, when it is one and holds a fair part of the words.
func (r *reader) content(body *html.Node) *html.Node {
	r.kept = body
	total := r.count(body)
	for _, fits := range []func(*html.Node) bool{
		func(n *html.Node) bool { return attr(n, "id") == "main-content" && hasClass(n, "wiki-content") },
		func(n *html.Node) bool { return hasClass(n, "wiki-content") },
		func(n *html.Node) bool {
			return hasClass(n, "mw-parser-output", "theme-doc-markdown", "md-content__inner")
		},
		func(n *html.Node) bool { return n.DataAtom == atom.Main || attr(n, "role") == "main" },
		func(n *html.Node) bool { return n.DataAtom == atom.Article },
		func(n *html.Node) bool { return attr(n, "id") == "main-content" },
		func(n *html.Node) bool { return hasClass(n, "markdown-body") },
	} {
		found := r.outermost(body, fits)
		if len(found) != 1 {
			continue
		}
		if n := r.count(found[0]); n > 0 && n*4 >= total {
			return found[0]
		}
	}
	return body
}

// outermost are the elements below n that fit, without those inside others and
// those that are dropped.
func (r *reader) outermost(n *html.Node, fits func(*html.Node) bool) []*html.Node {
	var out []*html.Node
	for c := range n.ChildNodes() {
		if c.Type != html.ElementNode || r.dropped(c) {
			continue
		}
		if fits(c) {
			out = append(out, c)
			continue
		}
		if out = append(out, r.outermost(c, fits)...); len(out) > 1 {
			return out
		}
	}
	return out
}

// count is how many letters below n are read.
func (r *reader) count(n *html.Node) int {
	total := 0
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			total += letters(c.Data)
		case c.Type == html.ElementNode && !r.dropped(c):
			total += r.count(c)
		}
	}
	return total
}

func hasWords(blocks []compose.Block) bool {
	for i := range blocks {
		b := &blocks[i]
		if b.Code != "" || hasWords(b.Children) {
			return true
		}
		for _, w := range b.Words {
			if fold(w.Text) != "" {
				return true
			}
		}
		for _, cell := range b.Cells {
			for _, w := range cell {
				if fold(w.Text) != "" {
					return true
				}
			}
		}
	}
	return false
}
