package extract

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"passage/rag"
)

// tableTransformer finds a GFM table at the end of a paragraph. goldmark's
// own makes a node of every cell, some hundred bytes for each; rows are all
// that is needed here.
type tableTransformer struct{}

func (tableTransformer) Transform(p *ast.Paragraph, r text.Reader, _ parser.Context) {
	src, lines := r.Source(), p.Lines()
	for i := 1; i < lines.Len(); i++ {
		columns := delimiterColumns(segment(src, lines, i))
		if columns == 0 {
			continue
		}
		if columns != rowColumns(segment(src, lines, i-1)) {
			return
		}
		table := &node{kind: rag.BlockTable}
		table.Lines().AppendAll(lines.Sliced(i-1, lines.Len()))
		table.SetPos(lines.At(i - 1).Start)
		// The paragraph always goes: while it stays, a line of dashes below the
		// table would make a heading of what stands above it.
		parent := p.Parent()
		parent.InsertAfter(parent, p, table)
		if i > 1 {
			above := &node{kind: rag.BlockParagraph}
			above.Lines().AppendAll(lines.Sliced(0, i-1))
			parent.InsertAfter(parent, p, above)
		}
		parent.RemoveChild(parent, p)
		return
	}
}

// delimiterColumns counts the columns of a row like |---|:-:|; 0 when the
// line is none.
func delimiterColumns(line []byte) int {
	line = bytes.TrimSpace(line)
	if len(line) < 2 || bytes.IndexByte(line, '-') < 0 {
		return 0
	}
	piped := false
	for _, c := range line {
		switch c {
		case '|', ':':
			piped = true
		case '-', ' ', '\t':
		default:
			return 0
		}
	}
	if !piped {
		return 0
	}
	line = bytes.TrimSuffix(bytes.TrimPrefix(line, []byte{'|'}), []byte{'|'})
	n := 0
	for cell := range bytes.SplitSeq(line, []byte{'|'}) {
		cell = bytes.TrimSpace(cell)
		cell = bytes.TrimSuffix(bytes.TrimPrefix(cell, []byte{':'}), []byte{':'})
		if len(cell) == 0 || countByte(cell, 0, '-') != len(cell) {
			return 0
		}
		n++
	}
	return n
}

// rowColumns counts the cells of a table's row.
func rowColumns(line []byte) int {
	line = bytes.TrimSpace(line)
	n := 1
	for i, c := range line {
		if c == '|' && i > 0 && i < len(line)-1 && line[i-1] != '\\' {
			n++
		}
	}
	return n
}

// referenceTransformer takes the link reference definitions, [label]: target
// "title", from the start of a paragraph and keeps them as a block (CommonMark,
// section 4.7).
type referenceTransformer struct{}

func (referenceTransformer) Transform(p *ast.Paragraph, r text.Reader, _ parser.Context) {
	src, lines := r.Source(), p.Lines()
	if first := segment(src, lines, 0); len(first) == 0 || first[0] != '[' {
		return
	}
	c := referenceReader{src: src, lines: lines}
	for c.definition() {
	}
	n := c.row
	if n == 0 {
		return
	}
	refs := &node{kind: rag.BlockMeta}
	refs.Lines().AppendAll(lines.Sliced(0, n))
	refs.SetPos(lines.At(0).Start)
	p.Parent().InsertBefore(p.Parent(), p, refs)
	if n == lines.Len() {
		p.Parent().RemoveChild(p.Parent(), p)
		return
	}
	lines.SetSliced(n, lines.Len())
	p.SetPos(lines.At(0).Start)
}

// rawTransformer puts a node without inline content in the place of a
// paragraph that has ended, as goldmark would look through each for inline
// markup, which takes as long as all the rest. A paragraph that a line of
// dashes may make a heading must stay; goldmark closes it before it is
// transformed, all others after.
type rawTransformer struct{}

func (rawTransformer) Transform(p *ast.Paragraph, _ text.Reader, pc parser.Context) {
	if stateOf(pc).closed == p {
		return
	}
	n := &node{kind: rag.BlockParagraph}
	n.SetLines(p.Lines())
	n.SetPos(p.Pos())
	p.Parent().ReplaceChild(p.Parent(), p, n)
}

// segment is the bytes of one line of a block.
func segment(src []byte, lines *text.Segments, i int) []byte {
	s := lines.At(i)
	return src[s.Start:s.Stop]
}
