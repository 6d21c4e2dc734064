package counted

import (
	"bytes"
	"strconv"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"
)

// The kinds of node that the parser makes.
var (
	KindList = ast.NewNodeKind("CountedList")
	KindItem = ast.NewNodeKind("CountedItem")
)

// List is a list of one way of counting. All of its children are Items.
type List struct {
	ast.BaseBlock
	Start   int  // the number of its first item
	IsTight bool // no blank lines between its items and what they hold

	style  Style
	indent int // columns before its first marker
}

// Kind implements goldmark's ast.Node.
func (*List) Kind() ast.NodeKind { return KindList }

// Dump implements goldmark's ast.Node.
func (l *List) Dump(source []byte, level int) {
	ast.DumpHelper(l, source, level, map[string]string{
		"Start": strconv.Itoa(l.Start), "Tight": strconv.FormatBool(l.IsTight),
	}, nil)
}

// Item is an item of such a list.
type Item struct {
	ast.BaseBlock
	Label  text.Segment // its marker, as written: "a)", "1.1", "Step 1:"
	Number int          // the last of its numbers: a is 1, iv is 4, 1.3 is 3

	indent  int  // columns before its marker
	offset  int  // columns before what belongs to it
	settled bool // a line further down has said so
}

// Kind implements goldmark's ast.Node.
func (*Item) Kind() ast.NodeKind { return KindItem }

// Dump implements goldmark's ast.Node.
func (n *Item) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"Label": string(n.Label.Value(source))}, nil)
}

// holds says that a line of that indentation belongs to the item.
func (n *Item) holds(indent int) bool {
	return indent >= n.offset || !n.settled && indent >= n.indent+2
}

// strip gives the columns to take off a line of the item. The first block below
// the item's first words says how far its blocks are indented, when that is
// less than usual; a line that goes on with a paragraph says nothing.
func (n *Item) strip(line []byte, indent, pos int, inParagraph bool) int {
	opens := bytes.IndexByte([]byte("-*+>`~|#!("), line[pos]) >= 0 || isDigit(line[pos])
	switch {
	case inParagraph && !opens:
		return min(indent, n.offset)
	case indent >= n.offset:
		n.settled = true
		return n.offset
	case !opens && indent >= n.indent+4: // as far as code is indented
		return n.indent
	default:
		n.settled, n.offset = true, indent
		return indent
	}
}
