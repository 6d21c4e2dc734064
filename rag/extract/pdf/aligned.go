package pdf

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A table without drawn cells shows itself by words that stand in columns
// over several lines. Which lines make one row is then a guess; it is made
// only where the distances of the lines or the words themselves say so.

const (
	cellGap    = 1.0 // ems between cells at least
	maxCells   = 40  // in a row; more gaps than that are no table
	maxAligned = 500 // lines looked at for one table
)

// span is an interval along a line.
type span struct{ x0, x1 float32 }

// aligned looks for tables in the lines of a column. Lines of a table come
// back as one line that holds it; lines of what may be a table but does not
// say where its rows are come back marked to stand alone.
func aligned(ls []line, rules []rule) []line {
	var out []line
	for i := 0; i < len(ls); {
		n, cols := alignedRun(ls[i:])
		if n == 0 {
			out = append(out, ls[i])
			i++
			continue
		}
		part := ls[i : i+n]
		i += n
		if t := makeTable(part, cols, rules); t != nil {
			area := part[0].box
			for j := range part {
				area.add(part[j].box)
			}
			l := part[0]
			l.box = area
			l.words = []word{{x0: area.x0, x1: area.x1, base: area.y1, size: area.height(), runs: []run{{}}, table: t, area: area}}
			out = append(out, l)
			continue
		}
		for j := range part {
			part[j].alone = true
			out = append(out, part[j])
		}
	}
	return out
}

// gaps gives the parts of a line without words that are wide enough to part
// cells.
func (l *line) gaps() []span {
	var out []span
	for i := 1; i < len(l.words); i++ {
		if g := (span{l.words[i-1].x1, l.words[i].x0}); g.x1-g.x0 >= cellGap*l.size {
			out = append(out, g)
		}
	}
	return out
}

// alignedRun gives how many lines from the first on stand in the same columns,
// 0 when it is no table, and the gaps between the columns.
func alignedRun(ls []line) (int, []span) {
	first := &ls[0]
	if first.table() != nil || first.dot || len(first.gaps()) == 0 || (first.face&faceMono != 0) {
		return 0, nil
	}
	open := first.gaps()
	if len(open) >= maxCells {
		return 0, nil
	}
	n, both := 1, 1 // lines, lines with words on both sides of a gap
	end := 1
	x0, x1 := first.x0, first.x1
	for n < min(len(ls), maxAligned) {
		l := &ls[n]
		if l.table() != nil || l.dot || l.size > first.size*1.3 || l.base-ls[n-1].base > 4.5*first.size || l.face&faceMono != 0 {
			break
		}
		next := l.through(open, min(x0, l.x0), max(x1, l.x1))
		gappy := len(l.gaps()) > 0
		if len(next) == 0 || len(next) < len(open) && (!gappy || n >= 3 && both*2 > n) {
			break
		}
		open = next
		x0, x1 = min(x0, l.x0), max(x1, l.x1)
		n++
		if l.straddles(open) {
			both++
			end = n
		} else if l.beside(open) {
			end = n // more lines of a cell that is not the first
		}
	}
	n = end
	if both < 3 && (both < 2 || ls[0].face&faceBold == 0 || ls[1].face&faceBold != 0) {
		return 0, nil
	}
	if both*3 < n || labelled(ls[:n], open) {
		return 0, nil
	}
	return n, open
}

// through gives what of the gaps stays free on this line.
func (l *line) through(open []span, x0, x1 float32) []span {
	var out []span
	for _, g := range open {
		a, b := g.x0, g.x1
		free := true
		for i := range l.words {
			w := &l.words[i]
			if w.x1 <= a || w.x0 >= b {
				continue
			}
			if w.x0 <= a && w.x1 >= b {
				free = false
				break
			}
			// The bigger free side of the word stays.
			if w.x0-a >= b-w.x1 {
				b = w.x0
			} else {
				a = w.x1
			}
		}
		if free && b-a >= cellGap*l.size*0.8 && a > x0 && b < x1 {
			out = append(out, span{a, b})
		}
	}
	return out
}

// straddles says that the line has words left of some gap and right of it.
func (l *line) straddles(open []span) bool {
	for _, g := range open {
		if l.x0 < g.x0+1 && l.x1 > g.x1-1 {
			return true
		}
	}
	return false
}

// beside says that the line stands wholly right of the first gap.
func (l *line) beside(open []span) bool { return l.x0 >= open[0].x1-1 }

// labelled says that the first column is the marks of a list.
func labelled(ls []line, open []span) bool {
	some, all := 0, 0
	for i := range ls {
		if ls[i].x0 >= open[0].x0 {
			continue
		}
		all++
		if labelOf(&ls[i]).kind != labelNone && (len(ls[i].words) == 1 || ls[i].words[1].x0 >= open[0].x1-1) {
			some++
		}
	}
	return some*2 > all
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

// makeTable puts lines together to rows, nil when that would be a guess.
func makeTable(ls []line, open []span, rules []rule) *table {
	if !edged(ls, open) {
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
