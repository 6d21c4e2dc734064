package htmldoc

import (
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// menus are the classes and ids of what leads elsewhere, of what a page says
// about itself, and of buttons, by the makers of pages that give them.
var menus = map[string]bool{
	// many
	"breadcrumb": true, "breadcrumbs": true, "skip-link": true, "skip-to-content": true, "skip-nav": true, "skiplink": true,
	"copy-button": true, "copybtn": true, "btn-copy": true, "copy-to-clipboard-button": true, "clipboard-copy": true,
	"edit-this-page": true, "edit-page-link": true, "cookie-banner": true, "cookie-consent": true, "sidebar-nav": true,
	// Confluence
	"breadcrumb-section": true, "toc-macro": true, "plugin_pagetree": true, "childpages-macro": true, "children-macro": true,
	"page-metadata": true, "likes-and-labels-container": true, "comments-section": true, "labels-section": true,
	"aui-icon": true, "expand-control-icon": true, "confluence-button": true,
	// MkDocs, Docusaurus, VuePress
	"tabbed-labels": true, "nav-tabs": true, "md-sidebar": true, "md-header": true, "md-footer": true, "md-content__button": true, "md-skip": true, "md-clipboard": true,
	"theme-edit-this-page": true, "pagination-nav": true, "theme-doc-toc-mobile": true, "theme-doc-toc-desktop": true,
	"theme-doc-breadcrumbs": true, "theme-doc-sidebar-container": true, "page-nav": true, "page-edit": true,
	// Sphinx
	"sphinxsidebar": true, "wy-nav-side": true, "wy-breadcrumbs": true, "rst-footer-buttons": true, "viewcode-link": true,
	// MediaWiki, GitHub
	"mw-editsection": true, "mw-jump-link": true, "printfooter": true, "catlinks": true, "mw-navigation": true, "sitesub": true,
	"jump-to-nav": true, "navbox": true, "zeroclipboard-container": true, "octicon": true,
}

// perhaps are names that are also given to content: they are believed when
// most of the words are links.
var perhaps = map[string]bool{
	"toc": true, "nav": true, "navbar": true, "navigation": true, "sidebar": true, "menu": true, "footer": true, "header": true,
	"site-header": true, "site-footer": true, "topbar": true, "contents": true, "toctree-wrapper": true, "pagination": true,
	"related": true, "related-posts": true, "table-of-contents": true, "social": true, "share": true, "local-toc": true, "side-nav": true, "toctitle": true, "page-toc": true,
}

// dropped says that an element is no part of what the page has to say.
func (r *reader) dropped(n *html.Node) bool {
	if r.kept == n {
		return false
	}
	switch n.DataAtom {
	case atom.Script, atom.Style, atom.Template, atom.Noscript, atom.Head, atom.Input, atom.Select, atom.Textarea, atom.Datalist,
		atom.Iframe, atom.Noembed, atom.Noframes, atom.Meta, atom.Link, atom.Title, atom.Canvas, atom.Map, atom.Progress, atom.Meter:
		return true
	case atom.Nav:
		return !r.all
	case atom.Button:
		return !unfolds(n)
	case atom.Dialog:
		return !hasAttr(n, "open")
	case atom.Header, atom.Footer:
		return r.pageEdge(n)
	case atom.Aside:
		return !r.all && (r.linked(n) || find(n, 4, func(c *html.Node) bool { return c.DataAtom == atom.Nav }) != nil)
	default: // its role or name may tell
	}
	switch strings.ToLower(attr(n, "role")) {
	case "navigation", "search", "menu", "menubar", "toolbar", "tablist", "doc-toc":
		return !r.all
	case "doc-backlink":
		return r.shares[n].letters <= 4
	case "button":
		return !unfolds(n)
	case "banner", "contentinfo":
		return r.pageEdge(n)
	}
	return r.hidden(n) || !r.all && r.namedMenu(n)
}

// unfolds says that a button is the title of what it shows when it is pressed.
func unfolds(n *html.Node) bool {
	if hasAttr(n, "aria-expanded") || n.Parent != nil && headingLevel(n.Parent) > 0 {
		return true
	}
	return slices.ContainsFunc(classes(n), func(c string) bool { return strings.Contains(c, "accordion") || strings.Contains(c, "collaps") })
}

// namedMenu says that a class or the id of an element names a menu.
func (r *reader) namedMenu(n *html.Node) bool {
	names := classes(n)
	if id := attr(n, "id"); id != "" {
		names = append(names, strings.ToLower(id))
	}
	for _, name := range names {
		if menus[name] {
			// Themes give such names to a whole page and to headings with an anchor too.
			return n.DataAtom != atom.Body && n.DataAtom != atom.Main && n.DataAtom != atom.Article && headingLevel(n) == 0
		}
	}
	switch n.DataAtom {
	case atom.Div, atom.Section, atom.Ul, atom.Ol:
	default: // a heading's link to itself, a cell of a header
		return false
	}
	for _, name := range names {
		s := r.shares[n]
		if perhaps[name] && (r.linked(n) || contents[name] && s.linked > 0 && s.letters-s.linked <= len("Table of contents")) {
			return true
		}
	}
	return false
}

// contents are the names of tables of contents, which may have a title.
var contents = map[string]bool{"toc": true, "contents": true, "local-toc": true, "page-toc": true, "toctree-wrapper": true}

// hidden says that a browser does not show an element, and no click will.
// What stands behind tabs and folds is content.
func (r *reader) hidden(n *html.Node) bool {
	if strings.EqualFold(attr(n, "aria-hidden"), "true") {
		return r.shares[n].letters <= 4 || n.DataAtom == atom.I || n.DataAtom == atom.Svg || slices.ContainsFunc(classes(n), func(c string) bool {
			return strings.Contains(c, "icon") || strings.Contains(c, "anchor")
		})
	}
	if !hasAttr(n, "hidden") && !styled(n, "display", "none") && !styled(n, "visibility", "hidden") {
		return false
	}
	if strings.EqualFold(attr(n, "role"), "tabpanel") {
		return false
	}
	return !slices.ContainsFunc(append(classes(n), strings.ToLower(attr(n, "id"))), func(c string) bool {
		return strings.Contains(c, "tab") || strings.Contains(c, "panel") || strings.Contains(c, "expand") ||
			strings.Contains(c, "collaps") || strings.Contains(c, "accordion") || strings.Contains(c, "fold") || strings.Contains(c, "details")
	})
}

// pageEdge says that a header or footer is that of the page, and not of a part
// of its content. A header with a heading in it stays.
func (r *reader) pageEdge(n *html.Node) bool {
	if r.all || inside(n, atom.Article, atom.Main, atom.Section, atom.Blockquote, atom.Figure, atom.Td, atom.Li) {
		return false
	}
	if r.kept != nil && r.kept.DataAtom != atom.Body && r.kept.DataAtom != atom.Html {
		return false // stands in the chosen content
	}
	if n.DataAtom == atom.Footer || strings.EqualFold(attr(n, "role"), "contentinfo") {
		const much = 800 // more words than a footer has
		s := r.shares[n]
		return s.letters-s.linked <= much
	}
	titled := find(n, 5, func(c *html.Node) bool { return headingLevel(c) > 0 }) != nil
	return !titled || r.linked(n)
}

// share counts the letters below a node, and those of them in links.
type share struct{ letters, linked int }

// linked says that most of the words below n are links.
func (r *reader) linked(n *html.Node) bool {
	s := r.shares[n]
	return s.letters == 0 || s.linked*10 >= s.letters*7
}

// measure counts for every element whose name or tag makes one ask.
func (r *reader) measure(n *html.Node, link bool) share {
	var s share
	for c := range n.ChildNodes() {
		var below share
		switch {
		case c.Type == html.TextNode:
			below.letters = letters(c.Data)
			if link {
				below.linked = below.letters
			}
		case c.Type == html.ElementNode && !isRaw(c):
			below = r.measure(c, link || c.DataAtom == atom.A)
		}
		s.letters += below.letters
		s.linked += below.linked
	}
	if n.DataAtom == atom.Aside || n.DataAtom == atom.Header || n.DataAtom == atom.Footer || len(n.Attr) > 0 {
		r.shares[n] = s
	}
	return s
}

// isRaw says that what an element holds is no text.
func isRaw(n *html.Node) bool {
	return n.DataAtom == atom.Script || n.DataAtom == atom.Style || n.DataAtom == atom.Template || n.DataAtom == atom.Noscript
}

// letters counts the bytes of s that are no white space in ASCII.
func letters(s string) int {
	n := 0
	for i := range len(s) {
		if s[i] > ' ' {
			n++
		}
	}
	return n
}
