package extract

import (
	"github.com/yuin/goldmark/ast"

	"passage/rag"
)

// node is a block that goldmark does not know.
type node struct {
	ast.BaseBlock
	kind  rag.BlockKind // BlockParagraph, BlockTable, BlockNote, BlockMeta for link references, BlockItem for definitions
	label string        // of a note or definition
	title rag.Span      // of a note, may be empty

	// Of a ::: container: the offset of the colons that should close it, and
	// whether they did. Of a definition: the columns that its blocks are
	// indented by.
	end    int
	closed bool
}

var kindNode = ast.NewNodeKind("PassageBlock")

// Kind implements ast.Node.
func (n *node) Kind() ast.NodeKind { return kindNode }

// IsRaw implements ast.Node: there is nothing inline to parse.
func (n *node) IsRaw() bool { return true }

// Dump implements ast.Node.
func (n *node) Dump(source []byte, level int) {
	ast.DumpHelper(n, source, level, map[string]string{"kind": string(n.kind), "label": n.label}, nil)
}
