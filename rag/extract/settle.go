package extract

import (
	"slices"

	"passage/rag"
)

// settle makes sure that nothing is lost between the blocks of a container,
// whatever the parser thinks of the text: words that no block holds become
// paragraphs of their own. No input is known that has such words; the fuzz
// tests look for one.
func (b *builder) settle(blocks []rag.Block, within rag.Span, quoted bool) []rag.Block {
	at := within.Start
	for i := 0; i < len(blocks); i++ {
		if stray, ok := b.stray(at, blocks[i].Span.Start, quoted); ok {
			blocks = slices.Insert(blocks, i, stray)
			at = stray.Span.End
			continue
		}
		c := &blocks[i]
		at = c.Span.End
		switch c.Kind {
		case rag.BlockList:
			for j := range c.Children {
				it := &c.Children[j]
				if j+1 < len(c.Children) {
					b.keepInItem(it, c.Children[j+1].Span.Start, quoted)
				}
				it.Children = b.settle(it.Children, it.Content, quoted)
			}
		case rag.BlockQuote:
			c.Children = b.settle(c.Children, c.Content, true)
		case rag.BlockNote:
			b.settleNote(c, quoted || b.src[c.Span.Start] == '>')
		default: // no blocks inside, or rows
		}
	}
	if stray, ok := b.stray(at, within.End, quoted); ok {
		blocks = append(blocks, stray)
	}
	return blocks
}

// settleNote passes over what stands beside the title on a note's first line:
// its quotes or brackets, and attributes.
func (b *builder) settleNote(n *rag.Block, quoted bool) {
	if head := lineEnd(b.src, n.Span.Start); len(n.Children) > 0 && n.Content.Start < head && hasHead(b.src[n.Span.Start]) {
		rest := b.settle(n.Children[1:], rag.Span{Start: head, End: max(head, n.Content.End)}, quoted)
		n.Children = append(n.Children[:1], rest...)
		return
	}
	n.Children = b.settle(n.Children, n.Content, quoted)
}

// hasHead says that a note that begins with c has its title, and nothing
// else, on its first line.
func hasHead(c byte) bool { return c != '>' && c != '[' }

// keepInItem gives words between two items to the first.
func (b *builder) keepInItem(it *rag.Block, next int, quoted bool) {
	stray, ok := b.stray(it.Span.End, next, quoted)
	if !ok {
		return
	}
	if len(it.Children) == 0 {
		it.Content = stray.Span
	}
	it.Children = append(it.Children, stray)
	stretch(it, stray.Span.End)
}

// stray makes a paragraph of the words in a gap.
func (b *builder) stray(from, to int, quoted bool) (rag.Block, bool) {
	for from < to && (isSpace(b.src[from]) || (quoted && b.src[from] == '>')) {
		from++
	}
	if from >= to {
		return rag.Block{}, false
	}
	b.strays++
	b.blocks++
	span := rag.Span{Start: from, End: trimmedEnd(b.src, from, to)}
	return rag.Block{Kind: rag.BlockParagraph, Span: span, Content: span}, true
}
