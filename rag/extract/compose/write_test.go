package compose_test

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/extract/compose"
	"passage/rag/render"
)

func itoa(n int) string { return strconv.Itoa(n) }

// seen is a text as a reader sees it: white space folded, controls gone.
func seen(s string) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if unicode.IsControl(r) || r == '\ufeff' {
			return -1
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

func wordsOf(runs []compose.Inline) string {
	var b strings.Builder
	for _, r := range runs {
		b.WriteString(r.Text)
	}
	return seen(b.String())
}

// outline writes the blocks of a document, a line for each, as they should be
// read back.
func outline(blocks []compose.Block, indent string) string {
	var b strings.Builder
	for i, c := range blocks {
		switch c.Kind {
		case rag.BlockRow:
			var cells []string
			for _, cell := range c.Cells {
				if w := wordsOf(cell); w != "" {
					cells = append(cells, w)
				}
			}
			fmt.Fprintf(&b, "%srow %t %s\n", indent, c.Header, strings.Join(cells, " / "))
			continue
		case rag.BlockHeading:
			fmt.Fprintf(&b, "%sheading %d %s\n", indent, c.Level, wordsOf(c.Words))
			continue
		case rag.BlockParagraph:
			words := wordsOf(c.Words)
			if i == 0 && strings.HasSuffix(indent, "* ") {
				words = withoutBox(words)
			}
			fmt.Fprintf(&b, "%sparagraph %s\n", indent, words)
			continue
		case rag.BlockCode:
			fmt.Fprintf(&b, "%scode %s %s\n", indent, c.Label, seen(strings.ReplaceAll(c.Code, ">", "")))
			continue
		case rag.BlockList:
			fmt.Fprintf(&b, "%slist %t\n", indent, c.Ordered)
		case rag.BlockItem:
			fmt.Fprintf(&b, "%sitem %s\n", indent, c.Label)
			b.WriteString(outline(c.Children, indent+"* "))
			continue
		default:
			fmt.Fprintf(&b, "%s%s %s\n", indent, c.Kind, c.Label)
		}
		b.WriteString(outline(c.Children, indent+"  "))
	}
	return b.String()
}

func withoutBox(words string) string {
	if len(words) > 4 && words[0] == '[' && (words[1] == ' ' || words[1] == 'x') && words[2] == ']' && words[3] == ' ' {
		return words[4:]
	}
	return words
}

// read writes the same of what was read.
func read(text string, blocks []rag.Block, indent string) string {
	var b strings.Builder
	for i, c := range blocks {
		words := c.Content.In(text)
		switch c.Kind {
		case rag.BlockRow:
			fmt.Fprintf(&b, "%srow %t %s\n", indent, c.Header, strings.Join(cells(words), " / "))
			continue
		case rag.BlockHeading:
			fmt.Fprintf(&b, "%sheading %d %s\n", indent, c.Level, seen(extract.PlainText(words)))
		case rag.BlockParagraph:
			words = seen(extract.PlainText(words))
			if i == 0 && strings.HasSuffix(indent, "* ") {
				words = withoutBox(words)
			}
			fmt.Fprintf(&b, "%sparagraph %s\n", indent, words)
		case rag.BlockCode:
			fmt.Fprintf(&b, "%scode %s %s\n", indent, c.Label, seen(strings.ReplaceAll(words, ">", "")))
		case rag.BlockList:
			fmt.Fprintf(&b, "%slist %t\n", indent, c.Ordered)
		case rag.BlockItem:
			label := c.Label
			if !c.Ordered {
				label = ""
			}
			fmt.Fprintf(&b, "%sitem %s\n", indent, label)
			b.WriteString(read(text, c.Children, indent+"* "))
			continue
		default:
			fmt.Fprintf(&b, "%s%s %s\n", indent, c.Kind, c.Label)
		}
		b.WriteString(read(text, c.Children, indent+"  "))
	}
	return b.String()
}

// cells are the words of the cells of a row that are not empty.
func cells(row string) []string {
	var out []string
	from := 0
	for i := 0; i <= len(row); i++ {
		if i < len(row) && (row[i] != '|' || i > 0 && row[i-1] == '\\') {
			continue
		}
		if w := seen(extract.PlainText(row[from:i])); w != "" {
			out = append(out, w)
		}
		from = i + 1
	}
	return out
}

// faults checks a text and its pages.
func faults(tb testing.TB, doc compose.Document, text string, pages []int) []string {
	tb.Helper()
	var out []string
	if !utf8.ValidString(text) {
		out = append(out, "not UTF-8")
	}
	if !slices.IsSorted(pages) {
		out = append(out, "pages not in order")
	}
	for _, p := range pages {
		if p < 0 || p > len(text) || p < len(text) && !utf8.RuneStart(text[p]) {
			out = append(out, "a page begins inside a character")
		}
	}
	x, err := extract.File(tb.Context(), "a.md", []byte(text))
	if text == "" {
		return out
	}
	if err != nil {
		if strings.Trim(text, "* \n>") == "" { // nothing but breaks
			return out
		}
		return append(out, err.Error())
	}
	if x.Text != text {
		out = append(out, "the text is not clean")
	}
	for _, w := range x.Warnings {
		out = append(out, "warning: "+w)
	}
	want, got := outline(doc.Blocks, ""), read(text, x.Blocks, "")
	if want != got {
		a, b := strings.Split(want, "\n"), strings.Split(got, "\n")
		i := 0
		for i < min(len(a), len(b))-1 && a[i] == b[i] {
			i++
		}
		out = append(out, fmt.Sprintf("line %d:\nwant %s\ngot  %s", i+1, a[i], b[i]))
	}
	return out
}

// settled is a document as it can be read back: lists that count on are one,
// and a rule parts lists that would be one.
func settled(blocks []compose.Block) []compose.Block {
	var out []compose.Block
	for _, b := range blocks {
		b.Children = settled(b.Children)
		n := len(out)
		if b.Kind == rag.BlockList && n > 0 && out[n-1].Kind == rag.BlockList && b.Ordered && out[n-1].Ordered {
			x, y := out[n-1].Children[len(out[n-1].Children)-1].Label, b.Children[0].Label
			last, err := strconv.Atoi(x[:len(x)-1])
			first, err2 := strconv.Atoi(y[:len(y)-1])
			switch same := err == nil && err2 == nil && x[len(x)-1] == y[len(y)-1]; {
			case same && first == last+1:
				out[n-1].Children = append(slices.Clip(out[n-1].Children), b.Children...)
				continue
			case same:
				out = append(out, compose.Block{Kind: rag.BlockBreak})
			}
		}
		out = append(out, b)
	}
	return out
}

// TestRandomDocuments writes and reads random documents, always the same
// ones; PASSAGE_RANDOM asks for more of them.
func TestRandomDocuments(t *testing.T) {
	t.Parallel()
	n := 1_500
	if more, err := strconv.Atoi(os.Getenv("PASSAGE_RANDOM")); err == nil {
		n = more
	}
	for i := range n {
		doc := random(uint64(i))
		text, pages := compose.Write(doc)
		doc.Blocks = settled(doc.Blocks)
		if bad := faults(t, doc, text, pages); len(bad) > 0 {
			t.Fatalf("document %d:\n%s\n%s", i, text, strings.Join(bad, "\n"))
		}
	}
}

// TestShownWords writes random paragraphs: what a browser shows are their
// words too.
func TestShownWords(t *testing.T) {
	t.Parallel()
	r := render.New()
	for i := range 1_500 {
		g := &generator{Rand: newRand(uint64(i))}
		runs := g.words()
		for k := range runs {
			runs[k].Image = false
		}
		text, _ := compose.Write(compose.Document{Blocks: []compose.Block{{Kind: rag.BlockParagraph, Words: runs}}})
		page := r.Source(text, render.Markdown, render.View{})
		require.Equal(t, letters(wordsOf(runs)), letters(shown(t, string(page.HTML))), "document %d: %q\n%q\n%s", i, runs, text, page.HTML)
	}
}

func shown(t *testing.T, markup string) string {
	t.Helper()
	doc, err := html.Parse(strings.NewReader("<!doctype html><body>" + markup))
	require.NoError(t, err)
	var b strings.Builder
	for d := range doc.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		} else if d.Data == "br" {
			b.WriteByte(' ')
		}
	}
	return seen(b.String())
}

func letters(s string) string { return strings.Join(strings.Fields(s), "") }
