package htmldoc

import (
	"net/url"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag/extract/compose"
)

// inline reads an element of a line.
func (r *reader) inline(f *flow, n *html.Node, set setting) {
	set = styleOf(n, set)
	switch n.DataAtom {
	case atom.A:
		r.link(f, n, set)
	case atom.Img:
		r.image(f, n, set)
	case atom.Sup:
		r.superscript(f, n, set)
	case atom.Q:
		f.text("“", set)
		r.children(f, n, set)
		f.text("”", set)
	case atom.Rt:
		bare := n.PrevSibling == nil || n.PrevSibling.DataAtom != atom.Rp
		if bare {
			f.text("(", set)
		}
		r.children(f, n, set)
		if bare {
			f.text(")", set)
		}
	case atom.Wbr, atom.Area, atom.Param, atom.Source, atom.Track, atom.Embed:
	default:
		r.children(f, n, set)
	}
}

// styleOf is the setting inside an element.
func styleOf(n *html.Node, set setting) setting {
	switch n.DataAtom {
	case atom.B, atom.Strong:
		if !styled(n, "font-weight", "normal", "400") { // what copies from Google Docs are wrapped in
			set.style |= compose.Strong
		}
	case atom.I, atom.Em, atom.Cite, atom.Dfn, atom.Var:
		set.style |= compose.Emphasis
	case atom.Code, atom.Kbd, atom.Samp, atom.Tt:
		set.style |= compose.Mono
	case atom.S, atom.Strike, atom.Del:
		set.style |= compose.Struck
	default: // plain
	}
	if attr(n, "style") != "" {
		switch {
		case styled(n, "font-weight", "bold", "bolder", "600", "700", "800", "900"):
			set.style |= compose.Strong
		case styled(n, "font-style", "italic"):
			set.style |= compose.Emphasis
		case styled(n, "text-decoration", "line-through"):
			set.style |= compose.Struck
		}
	}
	return set
}

// link reads an a element. The sign that links a heading to itself is none of
// its words.
func (r *reader) link(f *flow, n *html.Node, set setting) {
	href := strings.TrimSpace(attr(n, "href"))
	if strings.Contains(href, "#") && isPermalink(n) {
		return
	}
	set.href = r.resolve(href)
	r.children(f, n, set)
}

// isPermalink says that a link shows nothing but a sign.
func isPermalink(n *html.Node) bool {
	switch strings.TrimSpace(visible.Replace(textOf(n))) {
	case "¶", "#", "§", "🔗", "\uf0c1", "\ue157":
		return true
	case "":
		return find(n, 3, func(c *html.Node) bool { return c.DataAtom == atom.Img }) == nil
	default:
		return false
	}
}

// resolve makes an address absolute where the page says what it is relative to.
func (r *reader) resolve(href string) string {
	if r.base == nil || href == "" || href[0] == '#' || len(href) > 1_000 {
		return href
	}
	u, err := url.Parse(href)
	if err != nil || u.IsAbs() || u.Opaque != "" {
		return href
	}
	return r.base.ResolveReference(u).String()
}

// image reads what stands for a picture. Signs that are drawn as pictures are
// words.
func (r *reader) image(f *flow, n *html.Node, set setting) {
	words := fold(attr(n, "alt"))
	if words == "" {
		words = fold(attr(n, "data-emoji-fallback"))
	}
	if words == "" {
		words = fold(attr(n, "title"))
	}
	if words == "" {
		return
	}
	words = visible.Replace(words)
	if hasClass(n, "emoticon", "emoji", "emojione", "twemoji", "wp-smiley") {
		f.text(words, set)
		return
	}
	src := strings.TrimSpace(attr(n, "src"))
	if strings.HasPrefix(strings.ToLower(src), "data:") {
		src = ""
	}
	f.run(compose.Inline{Text: words, Href: r.resolve(src), Image: src != ""})
}

// superscript keeps a power from joining its base: 10<sup>9</sup> is not 109.
// Ordinals, charges and trade marks are joined as they are written in plain
// text; the mark of a footnote gets brackets.
func (r *reader) superscript(f *flow, n *html.Node, set setting) {
	words := textOf(n)
	mark := find(n, 3, func(c *html.Node) bool {
		return c.DataAtom == atom.A && (strings.HasPrefix(attr(c, "href"), "#") || hasClass(c, "footnote-ref", "footnote-reference"))
	})
	before, after := "", ""
	switch {
	case mark != nil && words != "" && words[0] != '[' && words[0] != '(':
		before, after = "[", "]"
	case mark != nil || f.last == 0 || unicode.IsSpace(f.last):
	case isPower(words, f.last):
		before = "^"
		if strings.Contains(words, " ") {
			before, after = "^(", ")"
		}
	}
	if before != "" {
		f.text(before, set)
	}
	r.children(f, n, set)
	if after != "" {
		f.text(after, set)
	}
}

// isPower says that words behind base are an exponent or an index.
func isPower(words string, base rune) bool {
	if words == "" || !unicode.IsLetter(base) && !unicode.IsDigit(base) && base != ')' && base != ']' {
		return false
	}
	first, size := utf8.DecodeRuneInString(words)
	last, _ := utf8.DecodeLastRuneInString(words)
	isSign := func(r rune) bool { return r == '+' || r == '-' || r == '−' || r == '–' }
	switch {
	case isSign(last): // a charge
		return false
	case unicode.IsDigit(first) || isSign(first):
		return true
	case size == len(words) && unicode.IsLetter(first): // x to the n, but 1 to the "a" is an ordinal
		return !unicode.IsDigit(base)
	}
	return false
}
