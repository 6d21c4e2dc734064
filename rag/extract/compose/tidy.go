package compose

import (
	"slices"
	"strings"

	"passage/rag"
)

// maxDepth is how deep blocks are nested in the text, counted as the Markdown
// reader does: a quote is one level, a list and its item two. It stays below
// the reader's own limit.
const maxDepth = 20

// tidy gives blocks that can be written as they are, below a parent of the
// given depth: those without words are gone, labels are markers, lists that
// count on are joined, and no nesting is too deep. The blocks given stay
// unchanged.
func tidy(blocks []Block, depth int) []Block {
	out := make([]Block, 0, len(blocks))
	for i := range blocks {
		b := blocks[i]
		switch b.Kind {
		case rag.BlockList:
			out = tidyList(out, b, depth)
		case rag.BlockItem: // one without a list
			out = tidyList(out, Block{Kind: rag.BlockList, Ordered: b.Label != "", Page: b.Page, Children: []Block{b}}, depth)
		case rag.BlockTable:
			if b.Children = filled(b.Children); len(b.Children) > 0 {
				out = append(out, b)
			}
		case rag.BlockRow:
			if rows := filled([]Block{b}); len(rows) > 0 {
				out = append(out, Block{Kind: rag.BlockTable, Page: b.Page, Children: rows})
			}
		case rag.BlockQuote, rag.BlockNote:
			out = tidyQuote(out, b, depth)
		case rag.BlockCode:
			if b.Code = strings.Trim(clean(b.Code), "\n"); !blank(b.Code) {
				b.Label = language(b.Label)
				out = append(out, b)
			}
		case rag.BlockBreak:
			out = append(out, b)
		default: // words
			if b.Kind != rag.BlockHeading {
				b.Kind = rag.BlockParagraph
			}
			if hasWords(b.Words) {
				out = append(out, b)
			}
			out = append(out, tidy(b.Children, depth)...)
		}
	}
	return out
}

func tidyQuote(out []Block, b Block, depth int) []Block {
	children := tidy(withOwnWords(&b), min(depth+1, maxDepth))
	b.Label = noteLabel(b.Label)
	if b.Kind == rag.BlockNote && b.Label == "" {
		b.Label = "note"
	}
	switch {
	case len(children) == 0:
		return out
	case depth >= maxDepth:
		if b.Kind == rag.BlockNote {
			out = append(out, Block{Kind: rag.BlockParagraph, Words: []Inline{{Text: b.Label, Style: Strong}}, Page: b.Page})
		}
		return append(out, children...)
	}
	b.Words, b.Children = nil, children
	return append(out, b)
}

// withOwnWords are the children of a block, and before them the words that it
// holds itself, although it should not.
func withOwnWords(b *Block) []Block {
	if !hasWords(b.Words) {
		return b.Children
	}
	own := Block{Kind: rag.BlockParagraph, Words: b.Words}
	return append([]Block{own}, b.Children...)
}

// filled are the rows of a table; none when they hold no words.
func filled(rows []Block) []Block {
	out := make([]Block, 0, len(rows))
	for i := range rows {
		r := rows[i]
		if len(r.Cells) == 0 && hasWords(r.Words) {
			r.Cells = [][]Inline{r.Words}
		}
		if slices.ContainsFunc(r.Cells, hasWords) {
			out = append(out, r)
		}
	}
	return out
}

// tidyList appends a list, or joins it to the one before, or, where it would
// be too deep, appends what its items hold.
func tidyList(out []Block, list Block, depth int) []Block {
	deep := depth+2 > maxDepth
	below := depth + 2
	if deep {
		below = depth
	}
	var items []Block
	next := 1
	for i := range list.Children {
		it := list.Children[i]
		if it.Kind != rag.BlockItem {
			it = Block{Kind: rag.BlockItem, Page: it.Page, Children: []Block{it}}
		}
		label := it.Label
		if list.Ordered && label == "" {
			label = itoa(next) + "."
		}
		marker, ok := markerOf(label)
		if n, counts := number(marker); counts {
			next = n + 1
		}
		it.Children = tidy(withOwnWords(&it), below)
		it.Words = nil
		it.Label = marker
		if deep || !ok {
			it.Children = labelled(label, it.Children)
		}
		if len(it.Children) > 0 || marker != "" {
			items = append(items, it)
		}
	}
	for n := len(items); n > 0 && len(items[n-1].Children) == 0; n-- {
		items = items[:n-1]
	}
	switch n := len(out); {
	case len(items) == 0:
	case deep:
		for i := range items {
			out = append(out, items[i].Children...)
		}
	case n > 0 && out[n-1].Kind == rag.BlockList && countsOn(&out[n-1], items):
		out[n-1].Children = append(slices.Clip(out[n-1].Children), items...)
		settleRuns(out[n-1].Children)
	case stepsOnly(items) && runEnd(items) < 2:
		for i := range items {
			out = append(out, labelled(items[i].Label, items[i].Children)...)
		}
	default:
		settleRuns(items)
		list.Words, list.Children = nil, items
		out = append(out, list)
	}
	return out
}

// labelled puts a label that is no marker before the words of an item.
func labelled(label string, blocks []Block) []Block {
	if label == "" {
		return blocks
	}
	words := []Inline{{Text: label + " "}}
	if len(blocks) > 0 && blocks[0].Kind == rag.BlockParagraph {
		first := blocks[0]
		first.Words = append(words, first.Words...)
		return append([]Block{first}, blocks[1:]...)
	}
	return append([]Block{{Kind: rag.BlockParagraph, Words: words}}, blocks...)
}

// language is the name of a code's language as a fence can have it.
func language(s string) string {
	s = strings.Map(func(r rune) rune {
		if isLetter(r) || isDigit(r) || strings.ContainsRune("+#._-", r) {
			return r
		}
		return -1
	}, s)
	s = strings.TrimLeft(s, ".")
	return s[:min(len(s), 40)]
}

// noteLabel is the kind of a note as its first line can have it.
func noteLabel(s string) string {
	s = strings.Map(func(r rune) rune {
		if isLetter(r) || isDigit(r) || r == '-' || r == '_' {
			return r
		}
		return -1
	}, s)
	return strings.ToLower(s[:min(len(s), 40)])
}

func isDigit(r rune) bool  { return '0' <= r && r <= '9' }
func isLetter(r rune) bool { return 'a' <= r|0x20 && r|0x20 <= 'z' && r < 0x80 }
