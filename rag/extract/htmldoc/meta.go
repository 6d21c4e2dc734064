package htmldoc

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// head reads what the page says about itself in its head.
func (r *reader) head(root *html.Node, doc *compose.Document) {
	put := func(key, value string) {
		if value = fold(value); value != "" && doc.Meta[key] == "" {
			doc.Meta[key] = short(value)
		}
	}
	base := ""
	for n := range root.Descendants() {
		switch n.DataAtom {
		case atom.Body:
			return
		case atom.Base:
			base = attr(n, "href")
		case atom.Link:
			if strings.EqualFold(attr(n, "rel"), "canonical") {
				put("canonical", attr(n, "href"))
			}
		case atom.Meta:
			key := strings.ToLower(attr(n, "name") + attr(n, "property") + attr(n, "itemprop"))
			if field := metaFields[key]; field != "" {
				put(field, attr(n, "content"))
			}
		default: // nothing that is kept
		}
		for _, href := range []string{base, doc.Meta["canonical"]} {
			if u, err := url.Parse(href); r.base == nil && err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" {
				r.base = u
			}
		}
	}
}

// maxMeta is the longest value that is kept, in bytes.
const maxMeta = 500

func short(s string) string { return strings.ToValidUTF8(s[:min(len(s), maxMeta)], "") }

// metaFields are the names of what is kept.
var metaFields = map[string]string{
	"description": "description", "og:description": "description", "author": "author", "article:author": "author", "dc.creator": "author",
	"article:modified_time": "date", "article:published_time": "date", "last-modified": "date", "date": "date", "dc.date": "date",
	"dcterms.modified": "date", "dcterms.date": "date", "revised": "date", "datemodified": "date", "datepublished": "date",
	"og:url": "canonical",
}

var onDate = regexp.MustCompile(`(?i)\bon\s+([^.]*\d{4}[^.]*)`)

// about reads the line in which Confluence says who wrote a page and when.
func (r *reader) about(body *html.Node, doc *compose.Document) {
	line := find(body, 8, func(n *html.Node) bool { return hasClass(n, "page-metadata") })
	if line == nil {
		return
	}
	if a := find(line, 6, func(n *html.Node) bool { return hasClass(n, "author") }); a != nil && doc.Meta["author"] == "" {
		if name := textOf(a); name != "" {
			doc.Meta["author"] = short(name)
		}
	}
	if m := onDate.FindStringSubmatch(textOf(line)); m != nil && doc.Meta["date"] == "" {
		doc.Meta["date"] = short(strings.TrimSpace(m[1]))
	}
}

// title is what the page is called: by the first heading of level 1 of its
// content, by one around that its head has too, or else by its head without the
// name of the site.
func (r *reader) title(root *html.Node, blocks []compose.Block) string {
	for i := range blocks {
		if b := &blocks[i]; b.Kind == rag.BlockHeading && b.Level == 1 {
			return fold(codeOf(b.Words))
		}
	}
	var named, site, og, heading string
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
			return visible.Replace(page)
		}
	}
	if heading != "" && strings.HasPrefix(named, heading) {
		return visible.Replace(heading)
	}
	if og == "" {
		og = named
	}
	return visible.Replace(withoutSite(og, site))
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
