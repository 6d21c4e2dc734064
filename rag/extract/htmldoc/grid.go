package htmldoc

import (
	"slices"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// cell is a cell of a table's grid.
type cell struct {
	blocks []compose.Block
	head   bool // th
	first  bool // the cell itself, not a copy where it spans
	beside bool // a copy in the same row
	down   int  // rows that it reaches down, with this one
}

// row is a row of the grid.
type row struct {
	cells []cell
	head  bool // in thead
}

// rowsOf are the rows of a table, its head first and its foot last.
func rowsOf(n *html.Node) (rows []*html.Node, heads int) {
	var body, foot []*html.Node
	for _, c := range elements(n) {
		switch c.DataAtom {
		case atom.Tr:
			body = append(body, c)
		case atom.Thead, atom.Tbody, atom.Tfoot:
			for _, tr := range elements(c) {
				switch {
				case tr.DataAtom != atom.Tr:
				case c.DataAtom == atom.Thead && len(body) == 0:
					rows = append(rows, tr)
				case c.DataAtom == atom.Tfoot:
					foot = append(foot, tr)
				default:
					body = append(body, tr)
				}
			}
		default: // captions and columns
		}
	}
	return slices.Concat(rows, body, foot), len(rows)
}

// grid reads the cells and repeats those that span rows or columns, so that
// each row can be understood alone. A cell as wide as the table stands once.
func (r *reader) grid(n *html.Node, set setting) []row {
	trs, heads := rowsOf(n)
	rows := make([]row, 0, len(trs))
	var above []cell
	for i, tr := range trs {
		if r.dropped(tr) {
			continue
		}
		cur := row{head: i < heads}
		down := func() { // cells of the rows above that reach here
			for len(cur.cells) < len(above) && above[len(cur.cells)].down > 1 && r.copies < maxCopies {
				c := above[len(cur.cells)]
				c.first, c.down = false, c.down-1
				c.blocks = r.copied(c.blocks)
				cur.cells = append(cur.cells, c)
			}
		}
		own := elements(tr)
		for _, td := range own {
			if td.DataAtom != atom.Td && td.DataAtom != atom.Th || r.dropped(td) {
				continue
			}
			down()
			in := flow{cell: true}
			r.children(&in, td, styleOf(td, set))
			in.flush()
			c := cell{blocks: in.blocks, head: td.DataAtom == atom.Th, first: true, down: span(td, "rowspan")}
			cur.cells = append(cur.cells, c)
			c.first, c.beside = false, true
			if len(own) == 1 && len(cur.cells) == 1 {
				c.blocks = nil
			}
			for range span(td, "colspan") - 1 {
				if len(cur.cells) >= maxColumns || r.copies >= maxCopies {
					break
				}
				c.blocks = r.copied(c.blocks)
				cur.cells = append(cur.cells, c)
			}
		}
		down()
		above = cur.cells
		rows = append(rows, cur)
	}
	return rows
}

func span(n *html.Node, key string) int {
	v, ok := integer(attr(n, key))
	if ok && v == 0 && key == "rowspan" {
		return maxSpan // to the end
	}
	return min(max(v, 1), maxSpan)
}

// copied are the blocks that a copy of a cell holds: those of the cell when they
// are a few words.
func (r *reader) copied(blocks []compose.Block) []compose.Block {
	const empty = 16 // about what a cell without words takes
	r.copies += empty
	size := 0
	for i := range blocks {
		if blocks[i].Kind != rag.BlockParagraph {
			return nil
		}
		size += len(codeOf(blocks[i].Words))
	}
	if size > longCell {
		return nil
	}
	r.copies += size
	return blocks
}
