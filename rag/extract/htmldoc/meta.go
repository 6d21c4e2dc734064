package htmldoc

import (
	"net/url"
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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
