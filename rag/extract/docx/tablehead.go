package docx

import (
	"slices"
	"strings"

	"passage/rag/extract/compose"
)

// maxHeads is how many rows a header has at most.
const maxHeads = 8

// heads says how many rows at the top are the header. Rows that say so are
// (17.4.50); else the first one is when the look of the table sets it apart,
// or when it alone is bold. A table whose first column is bold as well names
// its rows, not its columns.
func (t *table) heads(g grid) int {
	n := 0
	for n < len(t.rows) && t.rows[n].header {
		n++
	}
	switch {
	case n > 0 && n < len(t.rows) && n <= maxHeads:
		return n
	case n > 0:
		return 1
	case len(t.rows) < 2:
		return 0
	}
	bold := t.rows[0].bold(0)
	if t.look {
		if !bold && g.width > 1 && t.namesRows() {
			return 0
		}
		return 1
	}
	if bold && !t.rows[1].bold(0) {
		return 1
	}
	return 0
}

// namesRows says that the first cell of every row is bold and the rest is not.
func (t *table) namesRows() bool {
	for i := range t.rows {
		cells := t.rows[i].cells
		if len(cells) < 2 || !cells[0].bold() || t.rows[i].bold(1) {
			return false
		}
	}
	return true
}

func (r *row) bold(from int) bool {
	some := false
	for i := from; i < len(r.cells); i++ {
		if wordless(r.cells[i].nodes) {
			continue
		}
		if !r.cells[i].bold() {
			return false
		}
		some = true
	}
	return some
}

func (c *cell) bold() bool {
	some := false
	for _, n := range c.nodes {
		if n.table != nil {
			return false
		}
		if n.para.empty() {
			continue
		}
		_, head := n.para.heading()
		if !n.para.bold && !head {
			return false
		}
		some = true
	}
	return some
}

// oneLook takes bold from the words of a header, which all of it is.
func oneLook(words []compose.Inline) []compose.Inline {
	words = slices.Clone(words)
	for i := range words {
		words[i].Style &^= compose.Strong
	}
	return words
}

// joinHeads joins a further row of the header to the first, column by column:
// "Adults" above "mg" heads its column as "Adults – mg".
func joinHeads(first *compose.Block, next compose.Block) {
	for c := range first.Cells {
		if c >= len(next.Cells) {
			break
		}
		a, b := plain(first.Cells[c]), plain(next.Cells[c])
		switch {
		case b == "" || a == b || strings.HasSuffix(a, " – "+b):
		case a == "":
			first.Cells[c] = next.Cells[c]
		default:
			joined := append(slices.Clone(first.Cells[c]), compose.Inline{Text: " – "})
			first.Cells[c] = append(joined, next.Cells[c]...)
		}
	}
}
