package extract

import (
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"

	"passage/rag"
)

// The longest terms that a definition can have: lines, and bytes in each.
const (
	maxTerms    = 4
	maxTermLine = 120
)

// definitionParser reads definitions, ": text" below a paragraph that holds
// the terms, as PHP Markdown Extra and Pandoc write them. The builder makes a
// list of them; the terms stay the paragraph that they are.
type definitionParser struct{ indented }

func (definitionParser) Trigger() []byte { return []byte{':'} }

func (definitionParser) Open(parent ast.Node, r text.Reader, pc parser.Context) (ast.Node, parser.State) {
	o, ok := openingLine(r, pc)
	if !ok || len(o.line) < 3 || !isSpace(o.line[1]) || !defines(parent.LastChild()) {
		return nil, parser.NoChildren
	}
	line, _ := r.PeekLine()
	indent, pos := util.IndentWidth(line, r.LineOffset())
	gap, blanks := util.IndentWidth(line[pos+1:], r.LineOffset()+indent+1)
	if gap > 4 {
		gap = 1
	}
	r.Advance(pos + 1 + blanks)
	return &node{kind: rag.BlockItem, label: ":", end: indent + 1 + gap}, parser.HasChildren
}

// defines says that definitions may stand below a block: short terms, or the
// definition before.
func defines(n ast.Node) bool {
	if n == nil {
		return false
	}
	c, ok := n.(*node)
	switch {
	case ok && c.kind == rag.BlockItem:
		return true
	case !ast.IsParagraph(n) && (!ok || c.kind != rag.BlockParagraph):
		return false
	}
	lines := n.Lines()
	for i := range min(lines.Len(), maxTerms+1) {
		if s := lines.At(i); i == maxTerms || s.Stop-s.Start > maxTermLine {
			return false
		}
	}
	return true
}

// Continue keeps what is indented, as far as the words or by two columns.
func (definitionParser) Continue(n ast.Node, r text.Reader, _ parser.Context) parser.State {
	line, _ := r.PeekLine()
	if util.IsBlank(line) {
		r.AdvanceToEOL()
		return parser.Continue | parser.HasChildren
	}
	c, _ := n.(*node)
	indent, _ := util.IndentWidth(line, r.LineOffset())
	if indent < 2 {
		return parser.Close
	}
	r.AdvanceAndSetPadding(util.IndentPosition(line, r.LineOffset(), min(indent, c.end)))
	return parser.Continue | parser.HasChildren
}

// definition makes the item of one definition.
func (b *builder) definition(n *node, at, limit int) rag.Block {
	blk := rag.Block{Kind: rag.BlockItem, Label: n.label, Span: rag.Span{Start: at, End: at + 1}}
	blk.Children = b.children(n, at+1, limit)
	blk.Content = rag.Span{Start: at + 1, End: at + 1}
	if k := len(blk.Children); k > 0 {
		blk.Span.End = blk.Children[k-1].Span.End
		blk.Content = rag.Span{Start: blk.Children[0].Span.Start, End: blk.Span.End}
	}
	return blk
}

// appendBlock puts a block behind others; a definition goes into the list that
// they end with, or begins one.
func (b *builder) appendBlock(blocks []rag.Block, blk rag.Block) []rag.Block {
	if blk.Kind != rag.BlockItem {
		return append(blocks, blk)
	}
	if k := len(blocks); k > 0 && blocks[k-1].Kind == rag.BlockList {
		if list := &blocks[k-1]; list.Children[0].Label == blk.Label {
			list.Children = append(list.Children, blk)
			stretch(list, blk.Span.End)
			return blocks
		}
	}
	b.blocks++
	return append(blocks, rag.Block{Kind: rag.BlockList, Span: blk.Span, Content: blk.Span, Children: []rag.Block{blk}})
}
