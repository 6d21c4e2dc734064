package htmldoc

import (
	"cmp"
	"slices"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

	"passage/rag"
	"passage/rag/extract/compose"
)

// Limits on a table, so that spans cannot make much of little.
const (
	maxSpan    = 1_000   // columns or rows (HTML standard, 4.9.11, for columns)
	maxColumns = 1_000   // of a table
	maxCopies  = 1 << 20 // bytes of cells on a page that are repeated where they span, about
	longCell   = 600     // bytes of words; more are no cell of a table of data
)

// table reads a table: as rows when its cells hold words, else as the blocks of
// its cells.
func (r *reader) table(f *flow, n *html.Node, set setting) {
	if r.codeTable(f, n) {
		return
	}
	f.flush()
	for _, c := range elements(n) {
		if c.DataAtom == atom.Caption {
			r.strongLine(f, c, set)
		}
	}
	rows := r.grid(n, set)
	role := attr(n, "role")
	switch {
	case len(rows) == 0:
	case role == "presentation" || role == "none" || single(rows):
		for i := range rows {
			for j := range rows[i].cells {
				if c := &rows[i].cells[j]; c.first {
					f.blocks = append(f.blocks, c.blocks...)
				}
			}
		}
	default:
		head, body := headOf(rows)
		if simple(rows) {
			f.add(dataTable(head, body))
			return
		}
		r.spread(f, head, body)
	}
}

// single says that a table has one cell that holds anything.
func single(rows []row) bool {
	n := 0
	for i := range rows {
		for j := range rows[i].cells {
			if c := &rows[i].cells[j]; c.first && len(c.blocks) > 0 {
				n++
			}
		}
	}
	return n <= 1
}

// headOf takes the rows of the header off a table: those of its thead, else the
// rows of th it begins with, else a first row that is all bold.
func headOf(rows []row) (head, body []row) {
	n := 0
	for n < len(rows) && rows[n].head {
		n++
	}
	for n < len(rows)-1 && n < 3 && allCells(&rows[n], func(c *cell) bool { return c.head }) && len(rows[n].cells) > 1 && (n == 0 || rows[0].head || reaches(&rows[n-1])) {
		n++
	}
	if n == 0 && len(rows) > 1 && len(rows[0].cells) > 1 && allCells(&rows[0], bold) && !allCells(&rows[1], bold) {
		n = 1
	}
	return rows[:n], rows[n:]
}

// reaches says that a header's row goes on in the next one: some of its cells
// span rows or columns.
func reaches(r *row) bool {
	return slices.ContainsFunc(r.cells, func(c cell) bool { return !c.first || c.down > 1 })
}

func allCells(r *row, is func(*cell) bool) bool {
	some := false
	for i := range r.cells {
		c := &r.cells[i]
		if len(c.blocks) == 0 {
			continue
		}
		if !is(c) {
			return false
		}
		some = true
	}
	return some
}

// bold says that all words of a cell are.
func bold(c *cell) bool {
	for i := range c.blocks {
		for _, w := range c.blocks[i].Words {
			if w.Style&compose.Strong == 0 && strings.TrimSpace(w.Text) != "" {
				return false
			}
		}
	}
	return len(c.blocks) > 0
}

// simple says that all cells hold words that can stand in a row.
func simple(rows []row) bool {
	for i := range rows {
		for j := range rows[i].cells {
			if !simpleCell(rows[i].cells[j].blocks) {
				return false
			}
		}
	}
	return true
}

// simpleCell says that blocks are a few paragraphs, or items of one line each,
// and not long.
func simpleCell(blocks []compose.Block) bool {
	const many = 8
	lines, size := 0, 0
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case rag.BlockBreak: // a line drawn in a cell
		case rag.BlockParagraph:
			lines++
			size += len(codeOf(b.Words))
		case rag.BlockList:
			for k := range b.Children {
				in := b.Children[k].Children
				if len(in) != 1 || in[0].Kind != rag.BlockParagraph {
					return false
				}
				lines++
				size += len(codeOf(in[0].Words))
			}
		default:
			return false
		}
	}
	return len(blocks) <= 1 && lines <= 1 || lines <= many && size <= longCell
}

// wordsOf are the words of a cell, a line for each of its blocks. The cell may be
// one of a header, which can hold anything.
func wordsOf(blocks []compose.Block) []compose.Inline {
	var out []compose.Inline
	line := func(mark string, words []compose.Inline) {
		if len(out) > 0 {
			mark = "\n" + mark
		}
		if mark != "" {
			out = append(out, compose.Inline{Text: mark})
		}
		out = append(out, words...)
	}
	var walk func(mark string, blocks []compose.Block)
	walk = func(mark string, blocks []compose.Block) {
		for i := range blocks {
			b := &blocks[i]
			own := b.Words
			if b.Code != "" {
				own = []compose.Inline{{Text: b.Code, Style: compose.Mono}}
			}
			for _, c := range b.Cells {
				own = append(append(own, c...), compose.Inline{Text: " "})
			}
			if len(own) > 0 {
				line(mark, own)
				mark = ""
			}
			if b.Kind == rag.BlockItem {
				mark = cmp.Or(b.Label, "•") + " "
			}
			walk(mark, b.Children)
			mark = ""
		}
	}
	walk("", blocks)
	return out
}

// plainStrong takes the bold off the words of a header, which is set so.
func plainStrong(words []compose.Inline) []compose.Inline {
	out := slices.Clone(words)
	for i := range out {
		out[i].Style &^= compose.Strong
	}
	return out
}

// headWords joins the rows of a header: each column has what stands above it,
// said once.
func headWords(head []row) [][]compose.Inline {
	var out [][]compose.Inline
	for i := range head {
		for j := range head[i].cells {
			if j == len(out) {
				out = append(out, nil)
			}
			words := plainStrong(wordsOf(head[i].cells[j].blocks))
			said := fold(codeOf(out[j]))
			if text := fold(codeOf(words)); text == "" || text == said || strings.HasSuffix(said, " "+text) {
				continue
			}
			if said != "" {
				out[j] = append(out[j], compose.Inline{Text: " "})
			}
			out[j] = append(out[j], words...)
		}
	}
	return out
}

// dataTable makes a table of rows. What heads a row is set in bold.
func dataTable(head, body []row) compose.Block {
	t := compose.Block{Kind: rag.BlockTable}
	if len(head) > 0 {
		t.Children = append(t.Children, compose.Block{Kind: rag.BlockRow, Header: true, Cells: headWords(head)})
	}
	for i := range body {
		out := compose.Block{Kind: rag.BlockRow}
		for j := range body[i].cells {
			c := &body[i].cells[j]
			words := wordsOf(c.blocks)
			if c.head {
				words = slices.Clone(words)
				for k := range words {
					words[k].Style |= compose.Strong
				}
			}
			out.Cells = append(out.Cells, words)
		}
		t.Children = append(t.Children, out)
	}
	return t
}
