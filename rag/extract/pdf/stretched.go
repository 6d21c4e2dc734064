package pdf

import "slices"

// Lines that are set flush left and right have wide gaps too, where their
// words are long and their column is narrow. Three things part them from the
// rows of a table: they reach both edges, the gaps of a line are alike, and
// the first word of the next line had no room on them.

const blank = 0.25 // ems between words that nothing parts further

// stretched says that at least half of the lines are set flush.
func stretched(ls []line) bool {
	x1 := ls[0].x1
	lefts := make([]float32, len(ls))
	for i := range ls {
		lefts[i], x1 = ls[i].x0, max(x1, ls[i].x1)
	}
	slices.Sort(lefts)
	x0 := lefts[len(lefts)/2] // below the mark of an item its lines stand in
	n := 0
	for i := range ls {
		l := &ls[i]
		if abs(l.x0-x0) > 0.5*l.size || l.x1 < x1-0.5*l.size || !l.even() {
			continue
		}
		if i+1 == len(ls) || l.natural()+blank*l.size+ls[i+1].opener() > x1-x0 {
			n++
		}
	}
	return n*2 >= len(ls)
}

// even says that the gaps of a line are alike.
func (l *line) even() bool {
	var small, big float32
	for i, d := range l.rooms() {
		if i == 0 || d < small {
			small = d
		}
		big = max(big, d)
	}
	return big > 0 && big <= 1.5*small+0.2*l.size
}

// rooms gives what is free between each word and the next.
func (l *line) rooms() []float32 {
	out := make([]float32, 0, len(l.words))
	for i := 1; i < len(l.words); i++ {
		g := l.room(i)
		out = append(out, max(g.x1-g.x0, 0))
	}
	return out
}

// room is the room before a word that is not the first.
func (l *line) room(i int) span {
	a, b := &l.words[i-1], &l.words[i]
	if b.x0 < a.x0 { // from right to left
		a, b = b, a
	}
	return span{a.x1, b.x0}
}

// natural is the width of the line's words with an ordinary blank between.
func (l *line) natural() float32 {
	w := blank * l.size * float32(len(l.words)-1)
	for i := range l.words {
		w += l.words[i].x1 - l.words[i].x0
	}
	return w
}

// opener is the width of the line's first word.
func (l *line) opener() float32 { return l.words[0].x1 - l.words[0].x0 }

// parted says that the gaps between columns are wider than the gaps inside of
// cells, on three lines of four. Where they are not, there are columns that
// the gaps do not show.
func parted(ls []line, open []span) bool {
	unclear, all := 0, 0
	for i := range ls {
		l := &ls[i]
		var inside, over float32 // the widest in a cell, the narrowest over a gap
		for j := 1; j < len(l.words); j++ {
			g := l.room(j)
			d := g.x1 - g.x0
			if !slices.ContainsFunc(open, func(o span) bool { return g.x0 <= o.x0+1 && g.x1 >= o.x1-1 }) {
				inside = max(inside, d)
			} else if over == 0 || d < over {
				over = d
			}
		}
		if over > 0 {
			all++
			if inside >= cellGap*l.size && inside >= 0.7*over {
				unclear++
			}
		}
	}
	return unclear*4 <= all
}

// inRows says that one side of a gutter stands in columns itself and has the
// other side beside its lines: the cells of one table.
func inRows(left, right []word) bool {
	a, b := lines(slices.Clone(left), 0), lines(slices.Clone(right), 0)
	return tabular(a) && level(a, b) || tabular(b) && level(b, a)
}

// tabular says that most of the lines stand in columns.
func tabular(ls []line) bool {
	in := 0
	for i := 0; i < len(ls); {
		n, _ := alignedRun(ls[i:])
		in += n
		i += max(n, 1)
	}
	return in*3 > len(ls)*2
}

// level says that half of the lines have the height of one of the others: not
// all, a cell may be empty or go on where its neighbours have ended. Both go
// down the page.
func level(ls, others []line) bool {
	j, n := 0, 0
	for i := range ls {
		for j < len(others) && others[j].base < ls[i].base-0.2*ls[i].size {
			j++
		}
		if j < len(others) && others[j].base <= ls[i].base+0.2*ls[i].size {
			n++
		}
	}
	return n*2 >= len(ls)
}
