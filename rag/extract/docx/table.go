package docx

import (
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract/compose"
)

// maxCopy is the length in bytes up to which the words of a merged cell are
// repeated in every row and column that it covers.
const maxCopy = 2000

// maxHeads is how many rows a header has at most.
const maxHeads = 8

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

// alone writes a table of one row that only sets text apart: a box, or text
// side by side. It gives false for a row of a few words.
func (f *flow) alone(t *table, left int) bool {
	cells := t.rows[0].cells
	if len(cells) > 1 && !t.complex() {
		long := false
		for i := range cells {
			long = long || cells[i].length() > 120
		}
		if !long && noteLabel(cells[0].text()) == "" {
			return false
		}
	}
	t.asBlocks = true
	headings := 0
	var nodes []node
	for i := range cells {
		nodes = append(nodes, cells[i].nodes...)
	}
	label := ""
	for i := range nodes {
		if p := nodes[i].para; p != nil && !p.empty() {
			if _, ok := p.heading(); ok {
				headings++
			}
			if label == "" {
				if label = noteLabel(plain(inlines(p.spans))); label == "" {
					label = "-"
				}
			}
		}
	}
	boxed := headings < 2 && label != "" && label != "-"
	blks := f.blocks(nodes, headings < 2 || f.flat, boxed || f.plain)
	if len(blks) == 0 {
		return true
	}
	if boxed && !f.plain {
		blks = []compose.Block{{Kind: rag.BlockNote, Label: label, Children: blks}}
	}
	if headings >= 2 && !f.flat {
		f.close(0)
		f.out = append(f.out, blks...)
		return true
	}
	f.place(blks, left, false)
	return true
}

// noteLabel is the kind of note that words begin with: "Warning: …",
// "CAUTION", "Hinweis – …".
func noteLabel(words string) string {
	words = strings.TrimLeft(words, "⚠ℹ❗☠✋☝\uFE0F \n") // signs that stand for it as well
	end := strings.IndexFunc(words, func(r rune) bool { return !wordRune(r) })
	if end < 0 {
		end = len(words)
	}
	rest := strings.TrimLeft(words[end:], " ")
	if rest != "" && !strings.ContainsRune(":!\n-–—", []rune(rest)[0]) {
		return ""
	}
	return noteKinds[strings.ToLower(words[:end])]
}

// complex says that some cell holds more than words: a list, lines of code, a
// table.
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
	items, lines := 0, 0
	for _, n := range c.nodes {
		switch p := n.para; {
		case p.empty():
		case p.marked && p.mark.shown:
			items++
		case isCode(p):
			lines += len(codeLines(p.spans))
		}
	}
	return items > 1 || lines > 1
}

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
			if p.marked && p.mark.shown {
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

// rowwise writes a table whose cells hold lists, code or tables: row by row,
// cell by cell, each led by the head of its column.
func (f *flow) rowwise(t *table, g grid, left int) {
	t.asBlocks = true
	heads := t.heads(g)
	for r := range heads {
		for c := range t.rows[r].cells {
			if cell := &t.rows[r].cells[c]; cell.complex() || cell.length() > maxCopy/10 {
				heads = 0 // no heads of columns, whatever it is called
			}
		}
	}
	head := make([][]compose.Inline, g.width)
	for r := range heads {
		row := compose.Block{Cells: make([][]compose.Inline, g.width)}
		for c, gc := range g.cells[r] {
			if gc != nil {
				row.Cells[c] = oneLook(gc.words())
			}
		}
		if r == 0 {
			copy(head, row.Cells)
			continue
		}
		first := compose.Block{Cells: head}
		joinHeads(&first, row)
		head = first.Cells
	}
	var out []compose.Block
	led := make([]bool, g.width)
	for r := heads; r < len(g.cells); r++ {
		var seen *gridCell
		for c, gc := range g.cells[r] {
			if gc == nil || gc == seen {
				continue
			}
			seen = gc
			var blks []compose.Block
			switch {
			case gc.row == r:
				blks = f.blocks(gc.nodes, true, f.plain)
			case !gc.complex():
				if w := gc.words(); len(w) > 0 && f.repeat(w) {
					blks = []compose.Block{{Kind: rag.BlockParagraph, Words: w}}
				}
			}
			if len(blks) == 0 {
				continue
			}
			lead := compose.Plain(strings.ReplaceAll(plain(head[c]), "\n", " "))
			if lead[0].Text != "" && f.repeat(lead) {
				out = append(out, compose.Block{Kind: rag.BlockParagraph, Words: strong(lead)})
				led[c] = true
			}
			out = append(out, blks...)
		}
	}
	var idle []compose.Block // heads of columns without words
	for c := range head {
		if len(head[c]) > 0 && !led[c] && (c == 0 || plain(head[c]) != plain(head[c-1])) {
			idle = append(idle, compose.Block{Kind: rag.BlockParagraph, Words: strong(slices.Clone(head[c]))})
		}
	}
	f.place(append(idle, out...), left, false)
	for r := range heads {
		for c := range t.rows[r].cells {
			f.cellNotes(t.rows[r].cells[c].nodes)
		}
	}
}
