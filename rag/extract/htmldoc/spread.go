package htmldoc

import (
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract/compose"
)

// spread makes blocks of a table whose cells hold more than words: row by row,
// each cell led by the words of the row's first cell and the name of its column,
// as far as there are such, so that no dose stands without its drug.
func (r *reader) spread(f *flow, head, body []row) {
	names := headWords(head)
	for i := range body {
		name, size := rowName(body[i].cells)
		if len(head) == 0 && name != nil && r.namedRow(f, name, size, body[i].cells) {
			continue
		}
		for j := range body[i].cells {
			c := &body[i].cells[j]
			if len(c.blocks) == 0 || c.beside {
				continue
			}
			var lead []compose.Inline
			if j > 0 && name != nil && j < len(names) && fold(codeOf(names[j])) != "" {
				if r.copies += size; r.copies <= maxCopies {
					lead = append(slices.Clone(name), compose.Inline{Text: " – ", Style: compose.Strong})
				}
			}
			if j < len(names) && fold(codeOf(names[j])) != "" {
				for _, w := range names[j] {
					w.Style |= compose.Strong
					lead = append(lead, w)
				}
			}
			if lead == nil && c.head && simpleCell(c.blocks) {
				f.paragraph(fold(codeOf(wordsOf(c.blocks))), compose.Strong)
				continue
			}
			f.led(lead, c.blocks)
		}
	}
}

// rowName is the words of a row's first cell, in bold, with their size in bytes;
// nil when it holds none, or more than a name.
func rowName(cells []cell) ([]compose.Inline, int) {
	const longName = 200 // bytes
	if len(cells) < 2 || len(cells[0].blocks) == 0 || !simpleCell(cells[0].blocks) {
		return nil, 0
	}
	name := slices.Clone(wordsOf(cells[0].blocks))
	size := len(codeOf(name))
	if size == 0 || size > longName {
		return nil, 0
	}
	for k := range name {
		name[k].Text = strings.ReplaceAll(name[k].Text, "\n", " ")
		name[k].Style |= compose.Strong
	}
	return name, size
}

// namedRow makes blocks of a row of a table without a header: each cell led by
// the name in the first, of size bytes. It gives false when no other cell holds
// anything.
func (r *reader) namedRow(f *flow, name []compose.Inline, size int, cells []cell) bool {
	named := false
	for i := range cells[1:] {
		c := &cells[1+i]
		if len(c.blocks) == 0 || c.beside {
			continue
		}
		lead := name
		if named {
			if r.copies += size; r.copies > maxCopies {
				lead = nil
			}
		}
		f.led(lead, c.blocks)
		named = true
	}
	return named
}

// led appends blocks behind the words that lead them: in the paragraph when
// that is all they are.
func (f *flow) led(lead []compose.Inline, blocks []compose.Block) {
	switch {
	case lead == nil:
	case simpleCell(blocks) && blocks[0].Kind == rag.BlockParagraph && len(blocks) == 1:
		end := ": "
		if said := strings.TrimSpace(codeOf(lead)); strings.HasSuffix(said, ":") || strings.HasSuffix(said, ".") {
			end = " "
		}
		words := append(slices.Clone(lead), compose.Inline{Text: end, Style: compose.Strong})
		f.add(compose.Block{Kind: rag.BlockParagraph, Words: append(words, blocks[0].Words...)})
		return
	default:
		f.add(compose.Block{Kind: rag.BlockParagraph, Words: lead})
	}
	f.blocks = append(f.blocks, blocks...)
}
