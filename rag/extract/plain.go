package extract

import (
	"fmt"
	"strings"

	"passage/rag"
)

// longLine is the length in bytes over which a line was not wrapped by hand,
// so that its end is the end of a paragraph.
const longLine = 200

// plain reads clean plain text by what its lines look like: blank lines,
// indentation, markers, underlines. In doubt a line is part of a paragraph: a
// false heading would cut a section in two, a false item would make a step.
func plain(name string, src []byte) (rag.Extraction, error) {
	x := rag.Extraction{Extractor: PlainID, Text: string(src)}
	p := &plainReader{src: src, text: x.Text, lines: splitLines(src)}
	p.survey()
	x.Blocks = p.sequence(-1, 0)
	setLevels(x.Blocks, 0)
	if p.blocks >= MaxBlocks {
		return x, tooLarge(name, "headings, paragraphs and items", MaxBlocks)
	}
	for i := range x.Blocks {
		if b := &x.Blocks[i]; b.Kind == rag.BlockHeading && b.Level == 1 {
			x.Title = strings.Join(strings.Fields(b.Content.In(x.Text)), " ")
			break
		}
	}
	for _, w := range p.warnings {
		x.Warnings = append(x.Warnings, fmt.Sprintf(w.format, lineNumber(src, w.at)))
	}
	return x, nil
}

// plainLine is one line of plain text.
type plainLine struct {
	start  int // offset of its first character that is not white space
	end    int // offset after its last one; start when the line is blank
	indent int // columns before start
}

func (l plainLine) blank() bool { return l.start == l.end }

func splitLines(src []byte) []plainLine {
	lines := make([]plainLine, 0, len(src)/60+1)
	for at := 0; at < len(src); {
		end := lineEnd(src, at)
		l := plainLine{start: skipBlanks(src, at, end)}
		l.end = trimmedEnd(src, l.start, end)
		for _, c := range src[at:l.start] {
			if c == '\t' {
				l.indent += 4 - l.indent%4
			} else {
				l.indent++
			}
		}
		lines = append(lines, l)
		at = end + 1
	}
	return lines
}

// plainReader reads lines from i on.
type plainReader struct {
	src      []byte
	text     string
	lines    []plainLine
	i        int
	first    int            // the first line that is not blank
	outlined bool           // headings are numbered in it
	level    int            // of the last heading that is more than a usual name
	last     map[style]mark // the last item of each style
	open     []mark         // the last markers of the lists being read
	blocks   int
	warnings []warning
}

// survey looks over the text once: where it begins, and whether headings are
// numbered in it, "2.3 Title".
func (p *plainReader) survey() {
	p.last = map[style]mark{}
	for p.first < len(p.lines)-1 && p.lines[p.first].blank() {
		p.first++
	}
	for i := range p.lines {
		if isDigit(p.byteAt(p.lines[i].start)) && p.alone(i) {
			if parts, words := p.numbering(i); parts > 1 && p.titled(words, p.lines[i].end) {
				p.outlined = true
				return
			}
		}
	}
}

// line is the words of line i.
func (p *plainReader) line(i int) []byte { return p.src[p.lines[i].start:p.lines[i].end] }

func (p *plainReader) byteAt(at int) byte {
	if at < len(p.src) {
		return p.src[at]
	}
	return 0
}

func (p *plainReader) blankAt(i int) bool {
	return i < 0 || i >= len(p.lines) || p.lines[i].blank()
}

// alone says that the lines before and after i are blank.
func (p *plainReader) alone(i int) bool { return p.blankAt(i-1) && p.blankAt(i+1) }

// sequence reads the blocks of a container: all lines that stand further to
// the right than left.
func (p *plainReader) sequence(left, depth int) []rag.Block {
	var blocks []rag.Block
	for p.i < len(p.lines) && p.blocks < MaxBlocks {
		l := p.lines[p.i]
		if l.blank() {
			p.i++
			continue
		}
		if l.indent <= left {
			break
		}
		if left >= 0 && l.indent == left+1 { // a marker there stands below the item's own
			if m, ok := p.marker(p.i); ok && p.begins(m, p.blankAt(p.i-1)) {
				break
			}
		}
		p.blocks++
		blocks = append(blocks, p.block(left, depth))
	}
	return blocks
}

// block reads the block that begins with the words of line i.
func (p *plainReader) block(left, depth int) rag.Block {
	if left < 0 {
		if h, ok := p.heading(); ok {
			return h
		}
	}
	if p.rule(p.i) {
		l := p.lines[p.i]
		p.i++
		span := rag.Span{Start: l.start, End: l.end}
		return rag.Block{Kind: rag.BlockBreak, Span: span, Content: span}
	}
	if b, ok := p.fencedCode(); ok {
		return b
	}
	if m, ok := p.marker(p.i); ok && depth < maxDepth && p.begins(m, p.blankAt(p.i-1)) {
		return p.list(m, depth)
	}
	if b, ok := p.code(left); ok {
		return b
	}
	return p.paragraph(p.lines[p.i].start)
}

// rule says that line i is a line of dashes or the like.
func (p *plainReader) rule(i int) bool {
	s := p.line(i)
	if len(s) < 3 || strings.IndexByte("-=*_~#+", s[0]) < 0 {
		return false
	}
	signs := 0
	for _, c := range s {
		switch c {
		case s[0]:
			signs++
		case ' ':
		default:
			return false
		}
	}
	return signs >= 3
}

// paragraph reads lines up to one that is blank or that begins another block.
// Its words begin at the offset at, in line i.
func (p *plainReader) paragraph(at int) rag.Block {
	span := rag.Span{Start: at, End: p.lines[p.i].end}
	p.i++
	for ; p.i < len(p.lines); p.i++ {
		l := p.lines[p.i]
		if l.blank() || p.lines[p.i-1].end-p.lines[p.i-1].start > longLine ||
			p.rule(p.i) || p.fence(p.i) > 0 {
			break
		}
		if m, ok := p.marker(p.i); ok && p.begins(m, false) {
			break
		}
		if p.ledCode(p.i) || p.prompt(p.i) {
			break
		}
		span.End = l.end
	}
	return rag.Block{Kind: rag.BlockParagraph, Span: span, Content: span}
}

// list reads the items of one list, from the marker in line i on.
func (p *plainReader) list(m mark, depth int) rag.Block {
	blk := rag.Block{Kind: rag.BlockList, Ordered: m.style.ordered()}
	if blk.Ordered {
		blk.Start = m.number
	}
	indent := p.lines[p.i].indent
	level := len(p.open)
	defer func() { p.open = p.open[:level] }()
	for {
		p.open = append(p.open[:level], m)
		blk.Children = append(blk.Children, p.item(m, indent, depth))
		p.blocks++
		next := p.i
		for next < len(p.lines) && p.lines[next].blank() {
			next++
		}
		if next == len(p.lines) || p.blocks >= MaxBlocks {
			break
		}
		after, ok := p.marker(next)
		if ok {
			after, ok = after.as(m.style)
		}
		if !ok || !near(p.lines[next].indent, indent) ||
			!p.continues(after, m, next > p.i) {
			break
		}
		if _, ok := p.headingAt(next); ok {
			break
		}
		p.i, m = next, after
	}
	end := blk.Children[len(blk.Children)-1].Span.End
	blk.Span = rag.Span{Start: blk.Children[0].Span.Start, End: end}
	blk.Content = blk.Span
	return blk
}

// near says that two markers stand below each other; numbers set flush right
// differ by a column.
func near(a, b int) bool { return a-b <= 1 && b-a <= 1 }

// item reads the item whose marker stands in line i.
func (p *plainReader) item(m mark, indent, depth int) rag.Block {
	l := p.lines[p.i]
	p.last[m.style] = m
	blk := rag.Block{
		Kind: rag.BlockItem, Ordered: m.style.ordered(), Label: p.text[l.start:m.end],
		Span: rag.Span{Start: l.start, End: m.end},
	}
	if blk.Ordered {
		blk.Start = m.number
	}
	if m.words < l.end {
		blk.Children = append(blk.Children, p.paragraph(m.words))
		p.blocks++
	} else {
		p.i++
	}
	blk.Children = append(blk.Children, p.sequence(max(indent, l.indent), depth+1)...)
	blk.Content = rag.Span{Start: m.end, End: m.end}
	if n := len(blk.Children); n > 0 {
		blk.Content = rag.Span{Start: blk.Children[0].Span.Start, End: blk.Children[n-1].Span.End}
		blk.Span.End = blk.Content.End
	}
	return blk
}
