package htmldoc

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// above is the heading of level 1 that a page has before the element that was
// chosen as its content, nil when it has none: makers of pages set the title of
// an article over it. A logo is none, nor what stands in a menu.
func (r *reader) above(n, kept *html.Node) *html.Node {
	if n == kept {
		return nil
	}
	found, _ := r.before(n, kept)
	return found
}

// before looks for that heading below n; done says that the content was reached.
func (r *reader) before(n, kept *html.Node) (found *html.Node, done bool) {
	for c := range n.ChildNodes() {
		switch {
		case c == kept:
			return nil, true
		case c.Type != html.ElementNode || r.dropped(c) || c.DataAtom == atom.Aside || c.DataAtom == atom.Footer || namesSite(c):
			continue
		case headingLevel(c) == 1:
			if !logo(c) {
				return c, true
			}
			continue
		}
		if found, done = r.before(c, kept); done {
			return found, true
		}
	}
	return nil, false
}

// namesSite says that a class or the id of an element is one that makers of
// pages give the name and sign of a site.
func namesSite(n *html.Node) bool {
	return slices.ContainsFunc(append(classes(n), strings.ToLower(attr(n, "id"))), func(c string) bool {
		switch c {
		case "logo", "site-logo", "brand", "navbar-brand", "site-branding", "site-title", "sitetitle", "site-name", "sitename":
			return true
		default:
			return false
		}
	})
}

// logo says that a heading has no words, or that all of it leads elsewhere: to
// the front page.
func logo(n *html.Node) bool {
	words, linked := textOf(n), 0
	for a := range n.Descendants() {
		if a.DataAtom == atom.A && !strings.HasPrefix(attr(a, "href"), "#") && attr(a, "href") != "" {
			linked += len(textOf(a))
		}
	}
	return len(words) == 0 || linked >= len(words)
}

// name gives a document its title: the heading above its content, else the first
// heading of level 1 in it, or else what its head says without the name of the
// site. Where neither head nor content has the words of the heading above, it
// becomes the first block, so that they can be found.
func (r *reader) name(root, above *html.Node, doc *compose.Document) {
	own := ""
	for i := range doc.Blocks {
		if b := &doc.Blocks[i]; b.Kind == rag.BlockHeading && b.Level == 1 {
			own = fold(codeOf(b.Words))
			break
		}
	}
	named, page := r.headTitle(root)
	var over flow
	if above != nil {
		r.heading(&over, above, 1, setting{})
		over.flush()
	}
	heading := ""
	if len(over.blocks) > 0 && over.blocks[0].Kind == rag.BlockHeading {
		heading = fold(codeOf(over.blocks[0].Words))
	}
	switch {
	case heading == "" || same(heading, own):
		doc.Title = own
		if own == "" {
			doc.Title = page
		}
	case own != "" && begins(named, own) && !begins(named, heading): // the one above is the site's
		doc.Title = own
	case begins(named, heading) || same(page, heading):
		doc.Title = heading
		if same(fold(visible.Replace(named)), heading) {
			doc.Title = page // without the name of the space
		}
	default:
		doc.Title = heading
		if own == "" {
			doc.Blocks = append(over.blocks, doc.Blocks...)
		}
	}
}

func same(a, b string) bool { return strings.EqualFold(a, b) }

// begins says that a title begins with the words of a heading.
func begins(title, heading string) bool {
	title = fold(visible.Replace(title))
	if len(title) < len(heading) || !same(title[:len(heading)], heading) {
		return false
	}
	return len(title) == len(heading) || title[len(heading)] == ' '
}

// headTitle is what the head of a page calls it (named), and that without the
// name of the site or space (page).
func (r *reader) headTitle(root *html.Node) (named, page string) {
	var site, og, heading string
	for n := range root.Descendants() {
		switch {
		case n.DataAtom == atom.Title && n.Namespace == "" && named == "":
			named = textOf(n)
		case n.DataAtom == atom.Meta && attr(n, "property") == "og:title":
			og = fold(attr(n, "content"))
		case n.DataAtom == atom.Meta && attr(n, "property") == "og:site_name":
			site = fold(attr(n, "content"))
		}
		if n.DataAtom == atom.H1 {
			heading = textOf(n)
			break
		}
	}
	if r.kept != nil && hasClass(r.kept, "wiki-content") { // Confluence: "Space : Page"
		if _, page, ok := strings.Cut(named, " : "); ok {
			return named, visible.Replace(page)
		}
	}
	if heading != "" && strings.HasPrefix(named, heading) {
		return named, visible.Replace(heading)
	}
	if og == "" {
		og = named
	}
	return named, visible.Replace(withoutSite(og, site))
}

// withoutSite takes the name of the site off a title: the part behind the last
// bar or dash when the page says that it is that, or when it is behind a bar.
func withoutSite(title, site string) string {
	for _, sep := range []string{" | ", " — ", " – ", " - ", " · ", " :: "} {
		i := strings.LastIndex(title, sep)
		if i <= 0 {
			continue
		}
		page, last := title[:i], title[i+len(sep):]
		if strings.EqualFold(last, site) || sep == " | " || sep == " — " && !strings.Contains(page, sep) {
			return page
		}
	}
	return title
}
