package htmldoc

import (
	"bytes"
	"regexp"
	"strings"

	"golang.org/x/net/html"
)

// headMax is how far a declaration of the encoding is looked for. Browsers
// look at 1,024 bytes; exports of wikis have longer comments before it.
const headMax = 8 << 10

var xmlEncoding = regexp.MustCompile(`^\s*<\?xml[^>]*\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']`)

// Declared gives the name of the encoding that a page says it is in, by a meta
// element or an XML declaration, "" when it says none. The names are those of
// the WHATWG Encoding Standard. A page that can be read so far cannot be in
// UTF-16, whatever it says (HTML standard, "prescan a byte stream").
func Declared(data []byte) string {
	head := data[:min(len(data), headMax)]
	name := declared(bytes.TrimPrefix(head, []byte("\xEF\xBB\xBF")))
	if strings.HasPrefix(strings.ToLower(name), "utf-16") || strings.EqualFold(name, "utf16") {
		return "utf-8"
	}
	return name
}

func declared(head []byte) string {
	if m := xmlEncoding.FindSubmatch(head); m != nil {
		return string(m[1])
	}
	z := html.NewTokenizer(bytes.NewReader(head))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return ""
		case html.StartTagToken, html.SelfClosingTagToken:
			name, more := z.TagName()
			if string(name) == "body" {
				return ""
			}
			if string(name) != "meta" || !more {
				continue
			}
			if enc := metaCharset(z); enc != "" {
				return enc
			}
		default: // says nothing
		}
	}
}

// metaCharset reads the attributes of a meta element.
func metaCharset(z *html.Tokenizer) string {
	content, isType := "", false
	for {
		key, value, more := z.TagAttr()
		switch string(key) {
		case "charset":
			return strings.TrimSpace(string(value))
		case "http-equiv":
			isType = strings.EqualFold(strings.TrimSpace(string(value)), "content-type")
		case "content":
			content = string(value)
		}
		if !more {
			break
		}
	}
	if !isType {
		return ""
	}
	_, name, _ := strings.Cut(strings.ToLower(content), "charset")
	name, ok := strings.CutPrefix(strings.TrimLeft(name, " \t\n\r\f"), "=")
	if !ok {
		return ""
	}
	name = strings.Trim(name, " \t\n\r\f\"'")
	if end := strings.IndexAny(name, " ;\"'\t\n"); end >= 0 {
		name = name[:end]
	}
	return name
}
