package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Rows of a table that is not drawn: which of its lines belong together.

// makeTable puts lines together to rows, nil when that would be a guess.

func makeTable(ls []line, open []span, rules []rule) *table {
	if !edged(ls, open) || !parted(ls, open) {
		return nil
	}
	near, far := distances(ls)
	t := &table{page: ls[0].page}
	ruled := 0 // rows that a drawn line ends
	for i := range ls {
		cells := ls[i].cells(open)
		cut := i > 0 && between(ls[i-1].base, ls[i].y0, ls[i].x0, ls[i].x1, rules)
		if i == 0 || cut {
			t.add(cells, ls[i].page)
			if cut {
				ruled++
				if ruled == 1 && len(t.rows) == 2 {
					t.rows[0].header = true
				}
			}
			continue
		}
		d := ls[i].base - ls[i-1].base
		tight := far > 1.2*near && d <= 1.1*near
		last := &t.rows[len(t.rows)-1]
		goes := goesOn(last, cells)
		switch {
		case cells[0] == nil && (tight || goes):
			last.more(cells, ls[i].page)
		case cells[0] == nil:
			return nil
		case tight && goes && !whole(cells):
			last.more(cells, ls[i].page)
		default:
			t.add(cells, ls[i].page)
		}
	}
	if ruled > 1 { // every row has its line; one below the header means nothing more
		t.rows[0].header = false
	}
	t.head()
	if len(t.rows) < 2 {
		return nil
	}
	return t
}

// edged says that the cells of each column have an edge or their middle in
// common. Words that stand between columns belong to a cell nobody knows.
func edged(ls []line, open []span) bool {
	all := make([][][]word, len(ls))
	for i := range ls {
		all[i] = ls[i].cells(open)
	}
	for c := range len(open) + 1 {
		var left, right, middle []float32
		for i := range ls {
			if ws := all[i][c]; len(ws) > 0 {
				x0, x1 := ws[0].x0, ws[len(ws)-1].x1
				left, right, middle = append(left, x0), append(right, x1), append(middle, (x0+x1)/2)
			}
		}
		em := 1.5 * ls[0].size
		if len(left) > 0 && !common(left, em) && !common(right, em) && !common(middle, em) {
			return false
		}
	}
	return true
}

// common says that numbers are near their median, but for one in ten.
func common(v []float32, within float32) bool {
	slices.Sort(v)
	mid := v[len(v)/2]
	far := 0
	for _, x := range v {
		if abs(x-mid) > within {
			far++
		}
	}
	return far*10 <= len(v)
}

// whole says that every cell begins like one of its own.
func whole(cells [][]word) bool {
	for _, c := range cells {
		if len(c) == 0 {
			return false
		}
		if r, _ := utf8.DecodeRuneInString(c[0].text); unicode.IsLower(r) {
			return false
		}
	}
	return true
}

// distances gives the usual small and the usual big distance of the lines.
func distances(ls []line) (near, far float32) {
	var ds []float32
	for i := 1; i < len(ls); i++ {
		ds = append(ds, ls[i].base-ls[i-1].base)
	}
	slices.Sort(ds)
	return ds[0], ds[len(ds)-1-len(ds)/4]
}

// goesOn says that the words of a cell go on in the middle of a sentence.
func goesOn(r *row, cells [][]word) bool {
	for c, ws := range cells {
		if len(ws) == 0 || len(r.cells[c]) == 0 {
			continue
		}
		above := r.cells[c][len(r.cells[c])-1].text()
		first, _ := utf8.DecodeRuneInString(ws[0].text)
		if unicode.IsLower(first) || strings.HasSuffix(above, "-") || strings.HasSuffix(above, ",") {
			return true
		}
	}
	return false
}

func (t *table) add(cells [][]word, page int) {
	r := row{cells: make([][]line, len(cells))}
	t.rows = append(t.rows, r)
	t.rows[len(t.rows)-1].more(cells, page)
}

func (r *row) more(cells [][]word, page int) {
	for c, ws := range cells {
		if len(ws) > 0 {
			r.cells[c] = append(r.cells[c], lines(slices.Clone(ws), page)...)
		}
	}
}

// between says that a lying line is drawn between two heights, over most of
// the width.
func between(y0, y1, x0, x1 float32, rules []rule) bool {
	covered := float32(0)
	for _, r := range rules {
		if !r.upright && r.y0 >= y0-0.5 && r.y1 <= y1+3 {
			covered += max(0, min(x1, r.x1)-max(x0, r.x0))
		}
	}
	return covered >= 0.6*(x1-x0)
}

// cells divides a line at the gaps.
func (l *line) cells(open []span) [][]word {
	out := make([][]word, len(open)+1)
	c := 0
	for i := range l.words {
		w := l.words[i]
		if i > 0 && w.x0+w.x1 < l.words[i-1].x0+l.words[i-1].x1 {
			c = 0 // the line runs from right to left
		}
		for c < len(open) && (w.x0+w.x1)/2 > (open[c].x0+open[c].x1)/2 {
			c++
		}
		out[c] = append(out[c], w)
	}
	return out
}
