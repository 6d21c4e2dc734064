package htmldoc

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"passage/rag"
	"passage/rag/extract/compose"
)

// Authors also type the numbers and bullets of a list, in paragraphs or in
// lines. They are one when they count: the next number stands below, typed in
// the same way. (Letters and "1.1" need nothing here; the reader of the text
// finds those that count.)

var (
	typedNumber = regexp.MustCompile(`^ *(\d{1,3})([.)]) +`)
	typedDot    = regexp.MustCompile(`^ *[•●▪‣◦∙·○■➢➤-] +`)
)

// farthest is how many blocks may stand between two typed numbers.
const farthest = 8

// mark is what a line begins with.
type mark struct {
	number int
	sign   string // behind the number; "" for a bullet
	length int    // bytes of the mark and the blanks around it
}

func markOf(words []compose.Inline) (m mark, ok bool) {
	if len(words) == 0 || words[0].Href != "" || words[0].Image || words[0].Style&compose.Mono != 0 {
		return m, false
	}
	start := words[0].Text
	for i := 1; i < len(words) && len(start) < 16; i++ {
		start += words[i].Text
	}
	start = start[:min(len(start), 64)]
	if s := typedNumber.FindStringSubmatch(start); s != nil {
		m.number, _ = strconv.Atoi(s[1])
		m.sign, m.length = s[2], len(s[0])
		return m, true
	}
	m.length = len(typedDot.FindString(start))
	return m, m.length > 0
}

// follows says that m is the mark behind last in one list.
func (m mark) follows(last mark) bool {
	return m.sign == last.sign && (m.sign == "" || m.number == last.number+1)
}

// typed makes lists of paragraphs and lines that begin with typed marks.
func typed(blocks []compose.Block) []compose.Block {
	if !slices.ContainsFunc(blocks, func(b compose.Block) bool { return b.Kind == rag.BlockParagraph && mayCount(b.Words) }) {
		return blocks
	}
	blocks = parted(blocks)
	var out []compose.Block
	for i := 0; i < len(blocks); {
		next := successor(blocks, i)
		if next < 0 {
			out = append(out, blocks[i])
			i++
			continue
		}
		m, _ := markOf(blocks[i].Words)
		list := compose.Block{Kind: rag.BlockList, Ordered: m.sign != ""}
		for i >= 0 {
			m, _ = markOf(blocks[i].Words)
			it := compose.Block{Kind: rag.BlockItem}
			if m.sign != "" {
				it.Label = strconv.Itoa(m.number) + m.sign
			}
			next = successor(blocks, i)
			end := max(next, i+1)
			own := compose.Block{Kind: rag.BlockParagraph, Words: without(blocks[i].Words, m.length)}
			it.Children = append([]compose.Block{own}, blocks[i+1:end]...)
			list.Children = append(list.Children, it)
			if next < 0 {
				i = end
				break
			}
			i = next
		}
		out = append(out, list)
	}
	return out
}

func mayCount(words []compose.Inline) bool {
	if _, ok := markOf(words); ok {
		return true
	}
	return slices.ContainsFunc(words, func(w compose.Inline) bool { return strings.Contains(w.Text, "\n") })
}

// successor is the index of the paragraph whose mark follows that of the one at
// i, -1 when there is none. Bullets follow each other directly; all that is
// bold is a heading.
func successor(blocks []compose.Block, i int) int {
	b := &blocks[i]
	if b.Kind != rag.BlockParagraph || allBold(b.Words) {
		return -1
	}
	m, ok := markOf(b.Words)
	if !ok {
		return -1
	}
	for k := i + 1; k < len(blocks) && k <= i+farthest+1; k++ {
		next := &blocks[k]
		if next.Kind == rag.BlockHeading {
			return -1
		}
		if n, ok := markOf(next.Words); ok && next.Kind == rag.BlockParagraph && !allBold(next.Words) {
			switch {
			case n.follows(m):
				return k
			case n.sign == m.sign && n.number == 1: // another list begins
				return -1
			}
		}
		if m.sign == "" {
			return -1
		}
	}
	return -1
}

// labelled takes the numbers that an author typed in front of all items of a list
// without its own, when they count.
func labelled(items []compose.Block) bool {
	var last mark
	for i := range items {
		in := items[i].Children
		if len(in) == 0 || in[0].Kind != rag.BlockParagraph {
			return false
		}
		m, ok := markOf(in[0].Words)
		if !ok || m.sign == "" || i > 0 && !m.follows(last) {
			return false
		}
		last = m
	}
	for i := range items {
		first := &items[i].Children[0]
		m, _ := markOf(first.Words)
		items[i].Label = strconv.Itoa(m.number) + m.sign
		first.Words = without(first.Words, m.length)
	}
	return len(items) > 0
}

func allBold(words []compose.Inline) bool {
	return !slices.ContainsFunc(words, func(w compose.Inline) bool {
		return w.Style&compose.Strong == 0 && strings.TrimSpace(w.Text) != ""
	})
}

// without takes bytes off the start of words.
func without(words []compose.Inline, n int) []compose.Inline {
	out := slices.Clone(words)
	for i := 0; i < len(out) && n > 0; i++ {
		k := min(n, len(out[i].Text))
		out[i].Text = out[i].Text[k:]
		n -= k
	}
	return out
}

// parted makes paragraphs of the lines of a paragraph where two of them begin
// with marks that follow each other.
func parted(blocks []compose.Block) []compose.Block {
	var out []compose.Block
	for _, b := range blocks {
		if b.Kind != rag.BlockParagraph {
			out = append(out, b)
			continue
		}
		lines := linesOf(b.Words)
		var last mark
		counts, some := false, false
		for _, line := range lines {
			m, ok := markOf(line)
			if !ok {
				continue
			}
			counts = counts || some && m.follows(last)
			last, some = m, true
		}
		if !counts {
			out = append(out, b)
			continue
		}
		var cur []compose.Inline
		for _, line := range lines {
			if _, ok := markOf(line); ok && len(cur) > 0 {
				out = append(out, compose.Block{Kind: rag.BlockParagraph, Words: cur})
				cur = nil
			}
			if len(cur) > 0 {
				cur = append(cur, compose.Inline{Text: "\n"})
			}
			cur = append(cur, line...)
		}
		out = append(out, compose.Block{Kind: rag.BlockParagraph, Words: cur})
	}
	return out
}

// linesOf cuts words at their line breaks; lines without words are left out.
func linesOf(words []compose.Inline) [][]compose.Inline {
	var lines [][]compose.Inline
	var cur []compose.Inline
	end := func() {
		if fold(codeOf(cur)) != "" {
			lines = append(lines, cur)
		}
		cur = nil
	}
	for _, w := range words {
		for {
			before, after, found := strings.Cut(w.Text, "\n")
			if part := w; before != "" && (len(cur) > 0 || strings.TrimLeft(before, " ") != "") {
				part.Text = before
				cur = append(cur, part)
			}
			if !found {
				break
			}
			end()
			w.Text = after
		}
	}
	end()
	return lines
}
