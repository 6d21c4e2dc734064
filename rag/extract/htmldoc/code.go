package htmldoc

import (
	"regexp"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// code reads an element whose white space counts.
func (r *reader) code(f *flow, n *html.Node) {
	var b strings.Builder
	r.codeLines(&b, n)
	if text := strings.Trim(b.String(), "\n"); strings.TrimSpace(text) != "" {
		f.add(compose.Block{Kind: rag.BlockCode, Label: languageOf(n), Code: text})
	}
}

// codeLines writes the text below n. The numbers of lines that highlighters
// put before them are no part of it.
func (r *reader) codeLines(b *strings.Builder, n *html.Node) {
	for c := range n.ChildNodes() {
		switch {
		case c.Type == html.TextNode:
			b.WriteString(visible.Replace(strings.ReplaceAll(c.Data, "\r\n", "\n")))
		case c.Type != html.ElementNode:
		case c.DataAtom == atom.Br:
			b.WriteByte('\n')
		case c.DataAtom == atom.Button || c.DataAtom == atom.Script || c.DataAtom == atom.Style || isLineNumber(c) ||
			hasClass(c, "copybtn", "copy-button", "headerlink"):
		case c.DataAtom == atom.Img:
			b.WriteString(fold(attr(c, "alt")))
		case isBlock(c) && c.DataAtom != atom.Td && c.DataAtom != atom.Th:
			newLine(b)
			r.codeLines(b, c)
			newLine(b)
		default:
			r.codeLines(b, c)
		}
	}
}

func newLine(b *strings.Builder) {
	if s := b.String(); s != "" && s[len(s)-1] != '\n' {
		b.WriteByte('\n')
	}
}

func isLineNumber(n *html.Node) bool {
	return hasClass(n, "linenos", "lineno", "linenodiv", "line-number", "line-numbers-rows", "rouge-gutter", "gutter", "blob-num", "hljs-ln-numbers", "ln") &&
		!strings.ContainsFunc(textOf(n), func(r rune) bool { return r > '9' })
}

// codeTable finds the code of a table that a highlighter made to put numbers
// beside its lines.
func (r *reader) codeTable(f *flow, n *html.Node) bool {
	numbered := find(n, 6, func(c *html.Node) bool {
		return (c.DataAtom == atom.Td || c.DataAtom == atom.Th) && (isLineNumber(c) || hasAttr(c, "data-line-number"))
	})
	if numbered == nil && !hasClass(n, "highlighttable", "rouge-table", "hljs-ln") {
		return false
	}
	var b strings.Builder
	for row := range n.Descendants() {
		if row.DataAtom != atom.Tr {
			continue
		}
		for _, cell := range elements(row) {
			if isLineNumber(cell) || hasAttr(cell, "data-line-number") {
				continue
			}
			r.codeLines(&b, cell)
		}
		newLine(&b)
	}
	if text := strings.Trim(b.String(), "\n"); strings.TrimSpace(text) != "" {
		f.add(compose.Block{Kind: rag.BlockCode, Label: languageOf(n), Code: text})
	}
	return true
}

// Where highlighters write the language of code, in a class.
var (
	classLanguage = regexp.MustCompile(`^(?:language|lang|highlight-source|highlight-text|highlight|brush:?|sourcecode)-?([a-z0-9+#._-]+)$`)
	brush         = regexp.MustCompile(`brush:\s*([A-Za-z0-9+#._-]+)`)
)

// noLanguage are classes of the form of a language that name none.
func noLanguage(s string) bool {
	switch s {
	case "", "default", "none", "text", "plain", "plaintext", "notranslate", "block", "wrapper", "container", "table", "box", "line", "lines",
		"nohighlight", "no-highlight", "ts-tab":
		return true
	default:
		return false
	}
}

// languageOf is the language that a block of code, the code element in it or
// an element around it names.
func languageOf(n *html.Node) string {
	around := []*html.Node{n}
	if c := find(n, 2, func(c *html.Node) bool { return c.DataAtom == atom.Code }); c != nil {
		around = append(around, c)
	}
	for p, i := n.Parent, 0; p != nil && i < 3 && p.DataAtom != atom.Li && p.DataAtom != atom.Td; p, i = p.Parent, i+1 {
		around = append(around, p)
	}
	for _, e := range around {
		for _, key := range []string{"data-lang", "data-language", "data-code-language", "lang"} {
			if v := strings.ToLower(attr(e, key)); !noLanguage(v) && (key != "lang" || e.DataAtom == atom.Code) {
				return v
			}
		}
		if m := brush.FindStringSubmatch(attr(e, "data-syntaxhighlighter-params") + " " + attr(e, "class")); m != nil {
			if v := strings.ToLower(m[1]); !noLanguage(v) {
				return v
			}
			continue
		}
		list := classes(e)
		for i, c := range list {
			if m := classLanguage.FindStringSubmatch(c); m != nil && !noLanguage(m[1]) {
				return strings.TrimPrefix(m[1], "source-")
			}
			if c == "sourcecode" && i+1 < len(list) { // Pandoc: "sourceCode bash"
				return list[i+1]
			}
		}
	}
	return ""
}
