package htmldoc_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/extract/compose"
	"passage/rag/extract/htmldoc"
)

// FuzzHTML reads a page, writes it and reads what was written: the text is
// clean, nothing is nested too deep, no fence is left open, and every word of
// the blocks is in a block again.
func FuzzHTML(f *testing.F) {
	paths, err := filepath.Glob(filepath.Join("testdata", "pages", "*.html"))
	if err != nil {
		f.Fatal(err)
	}
	for _, p := range paths {
		page, err := os.ReadFile(filepath.Clean(p))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(page)
		for part := range bytes.SplitSeq(page, []byte("\n")) {
			if len(part) > 40 {
				f.Add(part)
			}
		}
	}
	f.Fuzz(func(t *testing.T, page []byte) {
		htmldoc.Declared(page)
		if !utf8.Valid(page) {
			return
		}
		doc, err := htmldoc.Read(page)
		if err != nil {
			if code := rag.ErrorCode(err); code != rag.CodeInvalid && code != rag.CodeTooLarge {
				t.Fatalf("error without a code: %v", err)
			}
			return
		}
		text, _ := compose.Write(doc)
		x, err := extract.File(t.Context(), "a.md", []byte(text))
		if err != nil {
			t.Fatalf("%v\n%s", err, text)
		}
		for _, w := range x.Warnings {
			t.Errorf("%s\n%s", w, text)
		}
		if x.Text != text {
			t.Error("the text is not clean")
		}
		want, got := strings.Builder{}, strings.Builder{}
		source(&want, doc.Blocks)
		words(&got, x.Text, x.Blocks)
		if rest := missing(want.String(), got.String()); rest != "" {
			t.Errorf("lost %q\nof %q\nin %q\n%s", rest, want.String(), got.String(), text)
		}
	})
}

// source writes the words of the blocks that were read from a page.
func source(b *strings.Builder, blocks []compose.Block) {
	runs := func(words []compose.Inline) {
		for _, w := range words {
			b.WriteString(visible(w.Text))
		}
	}
	for i := range blocks {
		c := &blocks[i]
		runs(c.Words)
		for _, cell := range c.Cells {
			runs(cell)
		}
		b.WriteString(visible(c.Code))
		source(b, c.Children)
	}
}

// visible is s without what a stored text never holds, and without the box of a
// task, which is no word of its item.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\t' && r != '\n' || r >= 0x7F && r < 0xA0 || r == 0xFEFF || strings.ContainsRune("[]xX", r) {
			return -1
		}
		return r
	}, s)
}

// words writes the words of the blocks that were read from the text.
func words(b *strings.Builder, text string, blocks []rag.Block) {
	for i := range blocks {
		c := &blocks[i]
		switch {
		case c.Kind == rag.BlockCode:
			b.WriteString(visible(c.Content.In(text)))
		case c.Kind == rag.BlockItem && c.Label != "-" && c.Label != "+":
			b.WriteString(c.Label) // it may be one that the author typed
			words(b, text, c.Children)
		case len(c.Children) > 0:
			words(b, text, c.Children)
		case c.Kind == rag.BlockRow:
			b.WriteString(visible(extract.PlainText(strings.ReplaceAll(c.Content.In(text), "|", " | "))))
		default:
			b.WriteString(visible(extract.PlainText(c.Content.In(text))))
		}
		b.WriteByte('\n')
	}
}
