package compose

import "strings"

// maxPadding bounds the empty cells that make the rows of a table even: one
// row of many columns must not make all others as long. Rows may be shorter
// than the header.
const maxPadding = 10_000

// table writes a table. Its first row is the header when it says so.
func (w *writer) table(b *Block) {
	columns := 1
	for i := range b.Children {
		columns = max(columns, len(b.Children[i].Cells))
	}
	padding := maxPadding
	rows := b.Children
	if rows[0].Header {
		w.row(&rows[0], columns)
		rows = rows[1:]
	} else {
		w.row(&Block{}, columns)
	}
	w.line("|" + strings.Repeat(" --- |", columns))
	for i := range rows {
		width := len(rows[i].Cells)
		if missing := columns - width; missing > 0 && missing <= padding {
			padding -= missing
			width = columns
		}
		w.row(&rows[i], max(width, 1))
	}
}

// row writes a row of so many cells.
func (w *writer) row(r *Block, columns int) {
	w.begin()
	w.startPage(r)
	w.out = append(w.out, '|')
	for _, cell := range r.Cells {
		w.out = append(w.out, ' ')
		at := len(w.out)
		w.words(cell, inCell)
		if len(w.out) > at {
			w.out = append(w.out, ' ')
		}
		w.out = append(w.out, '|')
	}
	for range columns - len(r.Cells) {
		w.out = append(w.out, " |"...)
	}
	w.end()
}
