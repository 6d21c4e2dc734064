package docx

import (
	"passage/rag"
	"passage/rag/extract/compose"
)

// Limits up to which a list in a cell is lines of words, so that the cell stays
// in its row: what belongs together is read together.
const (
	maxLines = 8
	longCell = 600 // bytes of words
)

// maxCopy is the length in bytes up to which the words of a merged cell are
// repeated in every row and column that it covers.
const maxCopy = 2000

// grid is a table with every cell in its place: a cell that spans rows or
// columns stands in each of them, so that every row can be read alone.
type grid struct {
	cells [][]*gridCell // by row and column; nil where there is none
	width int
}

type gridCell struct {
	*cell
	row, col int // where it begins
}

func (t *table) grid() grid {
	var g grid
	var above []*gridCell
	for r := range t.rows {
		var line []*gridCell
		for range t.rows[r].before {
			line = append(line, nil)
		}
		for i := range t.rows[r].cells {
			c := &t.rows[r].cells[i]
			at := len(line)
			gc := &gridCell{cell: c, row: r, col: at}
			if c.merged && at < len(above) && above[at] != nil && wordless(c.nodes) {
				gc = above[at]
			}
			for range c.span {
				if len(line) < maxColumns {
					line = append(line, gc)
				}
			}
		}
		g.cells = append(g.cells, line)
		g.width = max(g.width, len(line))
		above = line
	}
	return g
}

func wordless(nodes []node) bool {
	for i := range nodes {
		if nodes[i].table != nil || !nodes[i].para.empty() || len(nodes[i].para.after) > 0 {
			return false
		}
	}
	return true
}

// table writes a table: as rows when every cell is a few words, else row by
// row as blocks, each cell led by the head of its column.
func (f *flow) table(t *table) {
	if len(t.rows) == 0 {
		return
	}
	g := t.grid()
	left := t.indent
	switch {
	case len(t.rows) == 1 && f.alone(t, left):
	case t.complex():
		f.rowwise(t, g, left)
	default:
		f.rows(t, g, left)
	}
	if t.asBlocks { // with their notes
		return
	}
	for r := range t.rows {
		for c := range t.rows[r].cells {
			f.cellNotes(t.rows[r].cells[c].nodes)
		}
	}
}

// complex says that some cell holds more than words and short lines: a long
// list, lines of code, a table.
func (t *table) complex() bool {
	for r := range t.rows {
		for c := range t.rows[r].cells {
			if t.rows[r].cells[c].complex() {
				return true
			}
		}
	}
	return false
}

func (c *cell) complex() bool {
	if hasTable(c.nodes) {
		return true
	}
	items, lines, code := 0, 0, 0
	for _, n := range c.nodes {
		p := n.para
		if p.empty() {
			continue
		}
		lines++
		switch {
		case p.item():
			items++
		case isCode(p):
			code += len(codeLines(p.spans))
		}
	}
	return code > 1 || items > 1 && (lines > maxLines || c.length() > longCell)
}

// item says that a paragraph has the number or bullet of a list.
func (p *para) item() bool { return p.marked && p.mark.shown }

func hasTable(nodes []node) bool {
	for i := range nodes {
		if nodes[i].table != nil || hasTable(nodes[i].para.after) {
			return true
		}
	}
	return false
}

// text is the words of a cell that holds only such, without looks.
func (c *cell) text() string { return plain(c.words()) }

func (c *cell) length() (n int) {
	for i := range c.nodes {
		if p := c.nodes[i].para; p != nil {
			for k := range p.spans {
				n += len(p.spans[k].text)
			}
		}
	}
	return n
}

// words joins the paragraphs of a cell, each on its line.
func (c *cell) words() []compose.Inline {
	var out []compose.Inline
	var add func(nodes []node)
	add = func(nodes []node) {
		for _, n := range nodes {
			if n.table != nil {
				continue
			}
			p := n.para
			words := inlines(p.spans)
			switch {
			case !p.item():
			case !p.mark.ordered && p.mark.label == "" && !p.empty():
				words = prefixed("•", words)
			default:
				words = prefixed(p.mark.label, words)
			}
			for i, part := range paragraphs(words) {
				if len(part) == 0 {
					continue
				}
				if len(out) > 0 || i > 0 {
					out = append(out, compose.Inline{Text: "\n"})
				}
				out = append(out, part...)
			}
			add(p.after)
		}
	}
	add(c.nodes)
	return out
}

// cellNotes writes the notes that the words of a cell refer to.
func (f *flow) cellNotes(nodes []node) {
	for _, n := range nodes {
		if n.para != nil {
			f.notes(n.para.notes)
			f.cellNotes(n.para.after)
		}
	}
}

// rows writes a table as rows of words.
func (f *flow) rows(t *table, g grid, left int) {
	words := map[*gridCell][]compose.Inline{}
	at := func(r, c int) []compose.Inline {
		if c >= len(g.cells[r]) || g.cells[r][c] == nil {
			return nil
		}
		gc := g.cells[r][c]
		w, done := words[gc]
		if !done {
			w = gc.words()
			words[gc] = w
		}
		if gc.row == r && gc.col == c || f.repeat(w) {
			return w
		}
		return nil
	}
	heads := t.heads(g)
	blk := compose.Block{Kind: rag.BlockTable}
	f.cells += len(g.cells) * g.width
	for r := range g.cells {
		width := g.width
		if f.cells > f.most.cells { // rows of very different length: the short ones stay short
			width = len(g.cells[r])
		}
		row := compose.Block{Kind: rag.BlockRow, Header: r < heads, Cells: make([][]compose.Inline, width)}
		filled := false
		for c := range width {
			w := at(r, c)
			if row.Header {
				w = oneLook(w)
			}
			row.Cells[c] = w
			filled = filled || len(w) > 0
		}
		switch {
		case !filled:
		case row.Header && len(blk.Children) > 0:
			joinHeads(&blk.Children[0], row)
		default:
			blk.Children = append(blk.Children, row)
		}
	}
	if len(blk.Children) > 0 {
		f.place([]compose.Block{blk}, left, false)
	}
}

// repeat says that the words of a merged cell may be written once more.
func (f *flow) repeat(words []compose.Inline) bool {
	n := 0
	for i := range words {
		n += len(words[i].Text) + 16
	}
	if n > maxCopy || f.repeated+n > maxRepeated {
		return false
	}
	f.repeated += n
	return true
}
