package docx

import (
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract/compose"
)

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

// rowwise writes a table whose cells hold long lists, code or tables: row by
// row, cell by cell, each led by the head of its column, or, where the columns
// have none, by the words of the row's first cell.
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
	var named []node // of the cells that lead rows
	for r := heads; r < len(g.cells); r++ {
		name := rowName(g.cells[r])
		if heads == 0 && name != nil {
			if blks := f.namedRow(name, g.cells[r], r); blks != nil {
				out = append(out, blks...)
				if first := g.cells[r][0]; first.row == r {
					named = append(named, first.nodes...)
				}
				continue
			}
		}
		var seen *gridCell
		for c, gc := range g.cells[r] {
			if gc == nil || gc == seen {
				continue
			}
			seen = gc
			blks := f.cellBlocks(gc, r)
			if len(blks) == 0 {
				continue
			}
			lead := compose.Plain(strings.ReplaceAll(plain(head[c]), "\n", " "))
			if lead[0].Text != "" && f.repeat(lead) {
				led[c] = true
				if c > 0 && name != nil && f.repeat(name) {
					lead = append(append(slices.Clone(name), compose.Inline{Text: " – "}), lead...)
				}
				blks = ledBy(strong(lead), blks)
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
	f.cellNotes(named)
	for r := range heads {
		for c := range t.rows[r].cells {
			f.cellNotes(t.rows[r].cells[c].nodes)
		}
	}
}

// cellBlocks are the blocks of a cell where row r is written. One that began
// further up is repeated when it is a few words.
func (f *flow) cellBlocks(gc *gridCell, r int) []compose.Block {
	if gc.row == r {
		return f.blocks(gc.nodes, true, f.plain)
	}
	if gc.complex() {
		return nil
	}
	if w := gc.words(); len(w) > 0 && f.repeat(w) {
		return []compose.Block{{Kind: rag.BlockParagraph, Words: w}}
	}
	return nil
}

// rowName is the words of a row's first cell, in bold; nil when it holds none, or
// more than a name.
func rowName(cells []*gridCell) []compose.Inline {
	if len(cells) == 0 || cells[0] == nil || cells[0].complex() || cells[0].length() > maxCopy/10 {
		return nil
	}
	name := strong(oneLine(cells[0].words()))
	if plain(name) == "" {
		return nil
	}
	return name
}

// namedRow writes row r of a table without heads of columns: each cell led by
// the name in the first, so that no dose stands without its drug. It gives nil
// when no other cell holds anything.
func (f *flow) namedRow(name []compose.Inline, cells []*gridCell, r int) (out []compose.Block) {
	seen := cells[0]
	for _, gc := range cells {
		if gc == nil || gc == seen {
			continue
		}
		seen = gc
		blks := f.cellBlocks(gc, r)
		if len(blks) == 0 {
			continue
		}
		if len(out) == 0 || f.repeat(name) {
			blks = ledBy(name, blks)
		}
		out = append(out, blks...)
	}
	return out
}

// ledBy puts a name before blocks: into the paragraph when that is all they are.
func ledBy(name []compose.Inline, blks []compose.Block) []compose.Block {
	name = slices.Clone(name)
	if blks[0].Kind != rag.BlockParagraph || len(blks) > 1 && blks[1].Kind != rag.BlockNote {
		return append([]compose.Block{{Kind: rag.BlockParagraph, Words: name}}, blks...)
	}
	end := ": "
	if strings.HasSuffix(plain(name), ":") || strings.HasSuffix(plain(name), ".") {
		end = " "
	}
	blks[0].Words = append(append(name, compose.Inline{Text: end, Style: compose.Strong}), blks[0].Words...)
	return blks
}
