package compose

import (
	"html"
	"strings"
)

// maxTarget is the longest target of a link, in bytes; longer ones are data
// rather than addresses.
const maxTarget = 900

// target is where a link leads, as it is written between parentheses; ""
// for what is no link: other schemes than http, https and mailto, and
// targets that are too long.
func target(href string) string {
	href = strings.TrimSpace(clean(href))
	if href == "" || len(href) > maxTarget || !allowed(href) {
		return ""
	}
	var b strings.Builder
	for i := range len(href) {
		switch c := href[i]; {
		case c == '\n' || c == '\t':
		case c <= ' ' || strings.IndexByte("()<>\\\"`|*[]", c) >= 0:
			const digits = "0123456789ABCDEF"
			b.WriteByte('%')
			b.WriteByte(digits[c>>4])
			b.WriteByte(digits[c&15])
		default:
			b.WriteByte(c)
		}
	}
	s := b.String()
	if html.UnescapeString(s) != s {
		s = strings.ReplaceAll(s, "&", "&amp;")
	}
	if len(s) > maxTarget {
		return ""
	}
	return s
}

// allowed says that an address has no scheme, or one that a reader can follow
// without harm. A colon behind a slash, a question mark or a hash is part of
// a relative address.
func allowed(href string) bool {
	colon := strings.IndexByte(href, ':')
	if colon < 0 || strings.ContainsAny(href[:colon], "/?#") {
		return true
	}
	switch strings.ToLower(href[:colon]) {
	case "http", "https", "mailto":
		return true
	}
	return false
}
