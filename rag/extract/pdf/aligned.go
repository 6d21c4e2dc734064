package pdf

import (
	"cmp"
	"slices"
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
	open = free(ls[:n], open)
	if both*3 < n || labelled(ls[:n], open) || stretched(ls[:n]) {
		return 0, nil
	}
	return n, open
}

// free gives the gaps that all lines of a table leave free: the first line,
// of which the search went out, has none before or after an empty cell. Where
// fewer than two lines have words on both sides of a new one, it is none.
func free(ls []line, open []span) []span {
	var words []span
	for i := range ls {
		for j := range ls[i].words {
			words = append(words, span{ls[i].words[j].x0, ls[i].words[j].x1})
		}
	}
	slices.SortFunc(words, func(a, b span) int { return cmp.Compare(a.x0, b.x0) })
	out := slices.Clone(open)
	end := words[0].x1
	for _, w := range words {
		g := span{end, w.x0}
		end = max(end, w.x1)
		known := slices.ContainsFunc(open, func(o span) bool { return o.x0 < g.x1 && o.x1 > g.x0 })
		if g.x1-g.x0 < cellGap*ls[0].size || known {
			continue
		}
		n := 0
		for i := range ls {
			if ls[i].straddles([]span{g}) {
				n++
			}
		}
		if n > 1 {
			out = append(out, g)
		}
	}
	if len(out) >= maxCells {
		return open
	}
	slices.SortFunc(out, func(a, b span) int { return cmp.Compare(a.x0, b.x0) })
	return out
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
