package render

import (
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/util"
)

// anchor gives every heading an id that is unique in the document.
func (w *writer) anchor(doc ast.Node, source []byte) {
	w.ids = make(map[ast.Node]string)
	seen := make(map[string]int)
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		h, ok := n.(*ast.Heading)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		words := plainText(h, source)
		id := unique("h-"+slug(words), seen)
		w.ids[n] = id
		w.headings = append(w.headings, Heading{ID: id, Level: h.Level, Text: words, Start: max(h.Pos(), 0)})
		return ast.WalkSkipChildren, nil
	})
}

// plainText is a node's text without markup.
func plainText(n ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch t := c.(type) {
		case *ast.Text:
			b.Write(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(t.Segment.Value(source)))))
			if t.SoftLineBreak() || t.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.AutoLink:
			b.Write(t.Label(source))
		case *ast.RawHTML:
			for _, s := range t.Segments.Sliced(0, t.Segments.Len()) {
				b.Write(s.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.TrimSpace(b.String())
}

// longestSlug in bytes; headings of whole sentences are cut.
const longestSlug = 80

// slug is a heading as a fragment, in the manner of the common code hosts:
// lower case, words joined by hyphens, everything but letters and numbers
// dropped. It is never empty.
func slug(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(strings.TrimSpace(s)) {
		switch {
		case b.Len() >= longestSlug:
		case unicode.IsLetter(r) || unicode.IsNumber(r) || r == '_' || r == '-':
			b.WriteRune(r)
		case unicode.IsSpace(r):
			b.WriteByte('-')
		}
	}
	if b.Len() == 0 {
		return "section"
	}
	return b.String()
}

// unique adds a number to an id that was given before.
func unique(id string, seen map[string]int) string {
	for {
		n, taken := seen[id]
		if !taken {
			seen[id] = 0
			return id
		}
		seen[id] = n + 1
		id += "-" + strconv.Itoa(n+1)
	}
}
