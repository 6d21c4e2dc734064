package extract

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"

	"passage/rag"
	"passage/rag/extract/counted"
)

// builder makes the tree of rag.Blocks from goldmark's, which knows where a
// block begins and where its lines are, but not where its markers end. A
// block can reach no further than the line on which the next one begins.
type builder struct {
	src      []byte
	text     string // the same bytes
	blocks   int    // made
	strays   int    // words that no block held, see settle
	warnings []warning
}

// build makes the blocks of a whole document.
func (b *builder) build(root ast.Node) []rag.Block {
	blocks := b.children(root, 0, len(b.src))
	blocks = b.settle(blocks, rag.Span{Start: 0, End: len(b.src)}, false)
	setLevels(blocks, 0)
	return blocks
}

// children makes the blocks below n. from is the least offset that they can
// begin at, limit the one before which they end.
func (b *builder) children(n ast.Node, from, limit int) []rag.Block {
	if n.ChildCount() == 0 {
		return nil
	}
	blocks := make([]rag.Block, 0, n.ChildCount())
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		to := limit
		if next := c.NextSibling(); next != nil {
			to = max(from, lineStart(b.src, b.start(next)))
		}
		blk := b.block(c, from, to)
		if blk.Kind == "" {
			continue
		}
		b.blocks++
		blocks = b.appendBlock(blocks, blk)
		from = blk.Span.End
	}
	return joinNested(b.src, blocks)
}

// start is the offset of the first character of a node.
func (b *builder) start(n ast.Node) int {
	pos := n.Pos()
	if l := n.Lines(); l.Len() > 0 && n.Kind() != ast.KindFencedCodeBlock && n.Kind() != ast.KindHeading {
		pos = l.At(0).Start
	}
	return skipBlanks(b.src, max(pos, 0), len(b.src))
}

// block makes the block of one node, which may be of no kind when there is
// nothing to say.
func (b *builder) block(n ast.Node, from, limit int) rag.Block {
	at := max(b.start(n), from)
	switch n := n.(type) {
	case *ast.Heading:
		return b.heading(n, at, limit)
	case *ast.Paragraph, *ast.TextBlock:
		return b.lines(rag.BlockParagraph, n, at)
	case *ast.List:
		return b.list(n, rag.Block{Kind: rag.BlockList, Ordered: n.IsOrdered(), Start: n.Start}, at, limit)
	case *counted.List:
		return b.list(n, rag.Block{Kind: rag.BlockList, Ordered: true, Start: n.Start}, at, limit)
	case *ast.FencedCodeBlock:
		return b.fenced(n, at, limit)
	case *ast.CodeBlock:
		at = backBlanks(b.src, at, from)
		return b.lines(rag.BlockCode, n, at)
	case *ast.Blockquote:
		return b.quote(n, at, limit)
	case *ast.ThematicBreak:
		span := rag.Span{Start: at, End: trimmedEnd(b.src, at, lineEnd(b.src, at))}
		return rag.Block{Kind: rag.BlockBreak, Span: span, Content: span}
	case *ast.HTMLBlock:
		return b.html(n, at)
	case *node:
		if n.kind == rag.BlockTable {
			return b.table(n, at)
		}
		if n.kind == rag.BlockNote {
			return b.note(n, at, limit)
		}
		if n.kind == rag.BlockItem {
			return b.definition(n, at, limit)
		}
		return b.lines(n.kind, n, at)
	}
	return rag.Block{}
}

// linesEnd is where the last line of a node ends that is not blank.
func (b *builder) linesEnd(n ast.Node, at int) int {
	l := n.Lines()
	if l.Len() == 0 {
		return at
	}
	return trimmedEnd(b.src, at, max(at, l.At(l.Len()-1).Stop))
}

// lines makes a block that is nothing but its lines.
func (b *builder) lines(kind rag.BlockKind, n ast.Node, at int) rag.Block {
	span := rag.Span{Start: at, End: b.linesEnd(n, at)}
	if span.Empty() {
		return rag.Block{}
	}
	return rag.Block{Kind: kind, Span: span, Content: span}
}

func (b *builder) heading(n *ast.Heading, at, limit int) rag.Block {
	blk := rag.Block{Kind: rag.BlockHeading, Level: n.Level}
	end := trimmedEnd(b.src, at, lineEnd(b.src, at))
	blk.Span = rag.Span{Start: at, End: end}
	blk.Content = rag.Span{Start: end, End: end}
	if n.Lines().Len() > 0 {
		words := rag.Span{Start: max(at, n.Lines().At(0).Start), End: b.linesEnd(n, at)}
		if words.Start == at { // no hashes: the underline is the line after the words
			last := min(nextLine(b.src, words.End), limit)
			blk.Span.End = trimmedEnd(b.src, words.End, min(lineEnd(b.src, last), limit))
		}
		blk.Content = words
	}
	blk.Content.End = b.withoutAttributes(blk.Content)
	return blk
}

// withoutAttributes leaves {#anchor} and {: .class} out of a heading's words.
func (b *builder) withoutAttributes(s rag.Span) int {
	words := b.src[s.Start:s.End]
	if len(words) == 0 || words[len(words)-1] != '}' {
		return s.End
	}
	open := bytes.LastIndexByte(words, '{')
	if open < 0 || open+1 >= len(words) || !bytes.ContainsRune([]byte("#:."), rune(words[open+1])) {
		return s.End
	}
	end := trimmedEnd(b.src, s.Start, s.Start+open)
	if hash := len(bytes.TrimRight(b.src[s.Start:end], "#")); hash > 0 && s.Start+hash < end && isSpace(b.src[s.Start+hash-1]) {
		end = trimmedEnd(b.src, s.Start, s.Start+hash) // the closing hashes
	}
	return end
}

func (b *builder) list(n ast.Node, blk rag.Block, at, limit int) rag.Block {
	blk.Children = make([]rag.Block, 0, n.ChildCount())
	from := at
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		to := limit
		if next := c.NextSibling(); next != nil {
			to = max(from, lineStart(b.src, b.start(next)))
		}
		item := b.item(c, max(from, b.start(c)), to, blk.Ordered)
		b.blocks++
		blk.Children = append(blk.Children, item)
		from = item.Span.End
	}
	if len(blk.Children) == 0 { // the limit on blocks was reached
		return rag.Block{}
	}
	blk.Span = rag.Span{Start: at, End: from}
	blk.Content = blk.Span
	blk.Children = nestItems(b.src, blk.Children)
	return blk
}

func (b *builder) item(n ast.Node, at, limit int, ordered bool) rag.Block {
	blk := rag.Block{Kind: rag.BlockItem, Ordered: ordered}
	mark := at
	if c, ok := n.(*counted.Item); ok {
		blk.Start, mark = c.Number, c.Label.Stop
	} else {
		for mark < len(b.src) && isDigit(b.src[mark]) {
			mark++
		}
		if ordered {
			blk.Start, _ = strconv.Atoi(b.text[at:mark])
		}
		mark = min(mark+1, len(b.src))
	}
	blk.Label = b.text[at:mark]
	blk.Span = rag.Span{Start: at, End: mark}

	blk.Children = b.children(n, skipBlanks(b.src, mark, min(mark+1, len(b.src))), limit)
	if len(blk.Children) == 0 {
		blk.Content = rag.Span{Start: mark, End: mark}
		return blk
	}
	first, last := &blk.Children[0], &blk.Children[len(blk.Children)-1]
	if first.Kind == rag.BlockParagraph {
		b.cutTaskBox(first)
	}
	blk.Span.End = last.Span.End
	blk.Content = rag.Span{Start: first.Span.Start, End: last.Span.End}
	return blk
}

// cutTaskBox moves the start of an item's first paragraph behind [ ] or [x].
func (b *builder) cutTaskBox(p *rag.Block) {
	s := b.src[p.Span.Start:p.Span.End]
	if len(s) > 4 && s[0] == '[' && (s[1] == ' ' || s[1]|0x20 == 'x') && s[2] == ']' && isSpace(s[3]) {
		p.Span.Start += 4
		for isSpace(b.src[p.Span.Start]) {
			p.Span.Start++
		}
		p.Content = p.Span
	}
}

func (b *builder) fenced(n *ast.FencedCodeBlock, at, limit int) rag.Block {
	end := trimmedEnd(b.src, at, lineEnd(b.src, at))
	blk := rag.Block{Kind: rag.BlockCode, Span: rag.Span{Start: at, End: end}}
	if n.Info != nil {
		lang := b.src[n.Info.Segment.Start:n.Info.Segment.Stop]
		lang = bytes.TrimLeft(lang, "{. ")
		if i := bytes.IndexAny(lang, " \t{},:"); i >= 0 {
			lang = lang[:i]
		}
		blk.Label = string(lang)
	}
	after := lineEnd(b.src, at)
	blk.Content = rag.Span{Start: end, End: end}
	if l := n.Lines(); l.Len() > 0 {
		first, last := l.At(0), l.At(l.Len()-1)
		after = max(after, last.Stop-1)
		if last.Stop > 0 && b.src[last.Stop-1] != '\n' {
			after = last.Stop
		}
		blk.Content.Start = backBlanks(b.src, max(first.Start, end), end)
		blk.Content.End = max(blk.Content.Start, after)
		blk.Span.End = trimmedEnd(b.src, at, after)
	}
	if shut, ok := b.closingFence(at, after+1, limit); ok {
		blk.Span.End = shut
		return blk
	}
	blk.Content.Start = min(blk.Content.Start, blk.Span.End)
	blk.Content.End = min(blk.Content.End, blk.Span.End)
	b.warnings = append(b.warnings, warning{
		at,
		"The code fence opened in line %d is never closed; what follows is read as code.",
	})
	return blk
}

// closingFence looks for the fence that closes the one at open on the line
// that begins at next, and gives its end.
func (b *builder) closingFence(open, next, limit int) (end int, ok bool) {
	if next >= limit {
		return 0, false
	}
	c := b.src[open]
	end = trimmedEnd(b.src, next, lineEnd(b.src, next))
	at := end
	for at > next && b.src[at-1] == c {
		at--
	}
	if end-at < countByte(b.src, open, c) {
		return 0, false
	}
	for _, p := range b.src[next:at] {
		if p != ' ' && p != '\t' && p != '>' {
			return 0, false
		}
	}
	return end, true
}

func (b *builder) table(n *node, at int) rag.Block {
	l := n.Lines()
	blk := rag.Block{Kind: rag.BlockTable, Children: make([]rag.Block, 0, max(l.Len()-1, 1))}
	for i := range l.Len() {
		if i == 1 { // the line of dashes
			continue
		}
		seg := l.At(i)
		start := skipBlanks(b.src, seg.Start, seg.Stop)
		row := rag.Block{Kind: rag.BlockRow, Header: i == 0}
		row.Span = rag.Span{Start: start, End: trimmedEnd(b.src, start, seg.Stop)}
		row.Content = b.cells(row.Span)
		blk.Children = append(blk.Children, row)
	}
	b.blocks += len(blk.Children)
	blk.Span = rag.Span{Start: at, End: b.linesEnd(n, at)}
	blk.Content = blk.Span
	return blk
}

// cells is a row without its outer pipes.
func (b *builder) cells(row rag.Span) rag.Span {
	if !row.Empty() && b.src[row.Start] == '|' {
		row.Start = skipBlanks(b.src, row.Start+1, row.End)
	}
	if n := row.Len(); n > 0 && b.src[row.End-1] == '|' && (n == 1 || b.src[row.End-2] != '\\') {
		row.End = trimmedEnd(b.src, row.Start, row.End-1)
	}
	return row
}
