package extract

import (
	"slices"

	"passage/rag"
	"passage/rag/extract/counted"
)

// CommonMark counts columns exactly: below "1. step" a bullet that is
// indented by one or two columns ends the ordered list, and a "1." indented
// by two is the list's next item. Authors who write so mean a nested list, and
// readers of the source see one, so that it is put back into its item here;
// else a procedure would fall into pieces or its steps be miscounted.

// joinNested puts a list that follows another one directly, further to the
// right, into the other's last item, and joins what then continues the list.
func joinNested(src []byte, blocks []rag.Block) []rag.Block {
	adjacent := false
	for i := 1; i < len(blocks) && !adjacent; i++ {
		adjacent = blocks[i-1].Kind == rag.BlockList && blocks[i].Kind == rag.BlockList
	}
	if !adjacent {
		return blocks
	}
	out := blocks[:1]
	adopted := false // the last block has taken in another
	for _, cur := range blocks[1:] {
		last := &out[len(out)-1]
		if last.Kind != rag.BlockList || cur.Kind != rag.BlockList {
			out, adopted = append(out, cur), false
			continue
		}
		left, here := column(src, last.Span.Start), column(src, cur.Span.Start)
		switch {
		case left < 0 || here < 0:
			out, adopted = append(out, cur), false
		case here >= left+2, here > left && last.Ordered && !cur.Ordered, here >= left && countsBelow(last, &cur):
			adopt(last, cur)
			adopted = true
		case adopted && here == left && sameMarkers(last, &cur):
			last.Children = append(last.Children, cur.Children...)
			stretch(last, cur.Span.End)
		default:
			out, adopted = append(out, cur), false
		}
	}
	return out
}

// nestItems makes a nested list of the items that stand two columns and more
// to the right of the first one. Numbers must begin anew there: a "2." that
// is only out of line follows its "1.".
func nestItems(src []byte, items []rag.Block) []rag.Block {
	if len(items) < 2 {
		return items
	}
	left := column(src, items[0].Span.Start)
	if left < 0 {
		return items
	}
	out := items[:1]
	nesting := false
	for _, it := range items[1:] {
		nesting = column(src, it.Span.Start) >= left+2 && (nesting || !it.Ordered || it.Start <= 1)
		if !nesting {
			out = append(out, it)
			continue
		}
		adoptInto(&out[len(out)-1], rag.Block{
			Kind: rag.BlockList, Ordered: it.Ordered, Start: it.Start,
			Span: it.Span, Content: it.Span, Children: []rag.Block{it},
		})
	}
	return slices.Clip(out)
}

// adopt puts a list into the last item of another.
func adopt(list *rag.Block, nested rag.Block) {
	adoptInto(&list.Children[len(list.Children)-1], nested)
	stretch(list, nested.Span.End)
}

func adoptInto(item *rag.Block, nested rag.Block) {
	if n := len(item.Children); n > 0 && sameMarkers(&item.Children[n-1], &nested) {
		own := &item.Children[n-1]
		own.Children = append(own.Children, nested.Children...)
		stretch(own, nested.Span.End)
	} else {
		if n == 0 {
			item.Content = nested.Span
		}
		item.Children = append(item.Children, nested)
	}
	stretch(item, nested.Span.End)
}

func stretch(b *rag.Block, end int) {
	b.Span.End = end
	b.Content.End = end
}

// sameMarkers says that two lists are of one kind: the same bullet, or
// numbers with the same sign behind.
func sameMarkers(a, b *rag.Block) bool {
	if a.Kind != rag.BlockList || b.Kind != rag.BlockList || a.Ordered != b.Ordered {
		return false
	}
	return counted.SameStyle(a.Children[0].Label, b.Children[0].Label)
}

// countsBelow says that a list counts 1.1, 1.2 and the last item before it is
// number 1.
func countsBelow(list, cur *rag.Block) bool {
	return cur.Ordered && list.Ordered && counted.Below(cur.Children[0].Label, list.Children[len(list.Children)-1].Label)
}

// column is how far to the right a block begins, -1 when something other than
// white space and quote marks stands before it on its line.
func column(src []byte, at int) int {
	n := 0
	for _, c := range src[lineStart(src, at):at] {
		switch c {
		case ' ', '>':
			n++
		case '\t':
			n += 4 - n%4
		default:
			return -1
		}
	}
	return n
}

// setLevels numbers the depth of lists and items from 1.
func setLevels(blocks []rag.Block, depth int) {
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case rag.BlockList:
			b.Level = depth + 1
			setLevels(b.Children, depth+1)
		case rag.BlockItem:
			b.Level = depth
			setLevels(b.Children, depth)
		case rag.BlockTable:
		default:
			setLevels(b.Children, depth)
		}
	}
}
