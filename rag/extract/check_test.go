package extract

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"passage/rag"
)

// dump writes a tree, a line for each block: kind and fields, the source of a
// leaf, and in braces its content where that is not the whole block.
func dump(x rag.Extraction) string {
	var sb strings.Builder
	if x.Title != "" {
		fmt.Fprintf(&sb, "title %q\n", x.Title)
	}
	dumpBlocks(&sb, x.Text, x.Blocks, "")
	for _, w := range x.Warnings {
		sb.WriteString("warning: " + w + "\n")
	}
	return sb.String()
}

func dumpBlocks(sb *strings.Builder, text string, blocks []rag.Block, indent string) {
	for _, b := range blocks {
		sb.WriteString(indent + string(b.Kind))
		if b.Level > 0 && b.Kind == rag.BlockHeading {
			sb.WriteString(strconv.Itoa(b.Level))
		}
		if b.Kind == rag.BlockList {
			fmt.Fprintf(sb, " level=%d", b.Level)
			if b.Ordered {
				fmt.Fprintf(sb, " start=%d", b.Start)
			}
		}
		if b.Label != "" {
			sb.WriteString(" " + strconv.Quote(b.Label))
		}
		if b.Header {
			sb.WriteString(" header")
		}
		switch {
		case b.Kind == rag.BlockTable || len(b.Children) > 0:
		case b.Kind == rag.BlockParagraph:
			fmt.Fprintf(sb, " %q", b.Span.In(text))
		default:
			fmt.Fprintf(sb, " %q", b.Span.In(text))
			if b.Content != b.Span {
				fmt.Fprintf(sb, " {%q}", b.Content.In(text))
			}
		}
		sb.WriteString("\n")
		dumpBlocks(sb, text, b.Children, indent+"  ")
	}
}

// faults checks what must hold for every extraction and gives what does not.
func faults(x rag.Extraction) []string {
	var out []string
	if !utf8.ValidString(x.Text) {
		out = append(out, "the text is not UTF-8")
	}
	for _, r := range x.Text {
		if r != '\t' && r != '\n' && unicode.IsControl(r) || r == '\ufeff' {
			out = append(out, fmt.Sprintf("the text holds %U", r))
			break
		}
	}
	c := checker{text: x.Text}
	c.blocks(x.Blocks, rag.Span{Start: 0, End: len(x.Text)}, "", false, 0)
	return append(out, c.out...)
}

type checker struct {
	text string
	out  []string
}

func (c *checker) add(at string, format string, args ...any) {
	if len(c.out) < 10 {
		c.out = append(c.out, at+": "+fmt.Sprintf(format, args...))
	}
}

func (c *checker) boundary(i int) bool {
	return i == len(c.text) || utf8.RuneStart(c.text[i])
}

func (c *checker) blocks(blocks []rag.Block, within rag.Span, at string, quoted bool, depth int) {
	end := within.Start
	for i := range blocks {
		b := &blocks[i]
		here := fmt.Sprintf("%s/%s[%d]", at, b.Kind, i)
		if b.Span.Start < end || b.Span.End > within.End || b.Span.Empty() {
			c.add(here, "span %v after %d in %v", b.Span, end, within)
			return
		}
		if !b.Span.Contains(b.Content) || b.Content.Start > b.Content.End {
			c.add(here, "content %v in %v", b.Content, b.Span)
			return
		}
		for _, o := range []int{b.Span.Start, b.Span.End, b.Content.Start, b.Content.End} {
			if !c.boundary(o) {
				c.add(here, "%d is inside a character", o)
			}
		}
		c.gap(here, end, b.Span.Start, quoted)
		if s := b.Span.In(c.text); b.Kind != rag.BlockCode && isSpace(s[0]) || isSpace(s[len(s)-1]) {
			c.add(here, "white space at an end: %q", s)
		}
		c.block(b, here, quoted, depth)
		end = b.Span.End
	}
	c.gap(at, end, within.End, quoted)
}

func (c *checker) gap(at string, from, to int, quoted bool) {
	if from >= to {
		return
	}
	words := strings.Trim(c.text[from:to], " \t\n")
	if quoted {
		words = strings.Trim(words, "> \t\n")
	}
	if words != "" {
		c.add(at, "lost %q", words)
	}
}

// block checks one block's own fields and what is below it.
func (c *checker) block(b *rag.Block, here string, quoted bool, depth int) {
	inner := b.Content
	head := rag.Span{Start: b.Span.Start, End: b.Content.Start}.In(c.text)
	switch b.Kind {
	case rag.BlockHeading:
		if b.Level < 1 || b.Level > 6 {
			c.add(here, "level %d", b.Level)
		}
	case rag.BlockList:
		inner = b.Span
		if b.Level != depth+1 || len(b.Children) == 0 {
			c.add(here, "level %d at depth %d, %d items", b.Level, depth, len(b.Children))
		}
		for i := range b.Children {
			if it := &b.Children[i]; it.Kind != rag.BlockItem || it.Ordered != b.Ordered {
				c.add(here, "%s in a list", it.Kind)
			}
		}
		depth++
	case rag.BlockItem:
		if b.Level != depth || !strings.HasPrefix(b.Span.In(c.text), b.Label) || b.Label == "" {
			c.add(here, "level %d, label %q", b.Level, b.Label)
		}
		rest := strings.Trim(strings.TrimPrefix(head, b.Label), " \t\n>")
		if rest != "" && rest != "[ ]" && rest != "[x]" && rest != "[X]" {
			c.add(here, "lost %q behind the marker", rest)
		}
	case rag.BlockTable:
		for i := range b.Children {
			if r := &b.Children[i]; r.Kind != rag.BlockRow || r.Header != (i == 0) {
				c.add(here, "%s in a table", r.Kind)
			}
		}
		return
	case rag.BlockQuote:
		quoted = true
		if strings.Trim(head, "> \t\n") != "" {
			c.add(here, "lost %q", head)
		}
	case rag.BlockNote:
		quoted = quoted || head[0] == '>'
		if b.Label == "" {
			c.add(here, "no label")
		}
	default:
		if len(b.Children) > 0 {
			c.add(here, "has children")
		}
	}
	if b.Kind == rag.BlockNote && len(b.Children) > 0 && hasHead(c.text[b.Span.Start]) {
		if line := lineEnd([]byte(c.text), b.Span.Start); inner.Start < line {
			title := b.Children[0]
			if title.Kind != rag.BlockParagraph || title.Span.End > line || title.Span.Start != inner.Start {
				c.add(here, "title %v", title)
			}
			c.blocks(b.Children[1:], rag.Span{Start: line, End: max(line, inner.End)}, here, quoted, depth)
			return
		}
	}
	if len(b.Children) > 0 {
		c.blocks(b.Children, inner, here, quoted, depth)
	} else if b.Kind == rag.BlockItem || b.Kind == rag.BlockQuote || b.Kind == rag.BlockNote {
		c.gap(here, inner.Start, inner.End, true)
	}
}

// shared finds the development data, which a checkout may be without.
func shared(tb testing.TB, parts ...string) string {
	tb.Helper()
	root := os.Getenv("PASSAGE_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "..", "shared")
	}
	dir := filepath.Join(append([]string{root}, parts...)...)
	if _, err := os.Stat(dir); err != nil {
		tb.Skipf("no development data at %s", filepath.Join(append([]string{"../shared"}, parts...)...))
	}
	return dir
}

// files reads every file below a folder that has the extension.
func files(tb testing.TB, dir, ext string) map[string][]byte {
	tb.Helper()
	out := map[string][]byte{}
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || filepath.Ext(p) != ext {
			return err
		}
		data, err := os.ReadFile(filepath.Clean(p))
		out[p] = data
		return err
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}
