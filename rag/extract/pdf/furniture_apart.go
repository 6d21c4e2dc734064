package pdf

import (
	"cmp"
	"maps"
	"slices"
)

// A line that is on many pages at one height may still be of the body: the
// last line of a cell, the last step of each of several cards. Only what is
// set otherwise than the lines beside it is taken out. A head that is kept does
// less harm than a dose that is lost.

const (
	bodyLines = 8    // looked at further in, for how far apart lines are there
	wider     = 1.3  // than lines are apart further in
	smaller   = 0.93 // of the size of the body
	fewWords  = 5    // "- Page 3 of 7" and the like
	minSpace  = 2.25 // in sizes of the body: more than between two paragraphs
	maxSpace  = 3.0
)

// clearSpace is how far apart lines must be at least so that they are not two
// paragraphs of the body: more than nearly all lines in the middle of pages.
func clearSpace(pages []page, body float32) float32 {
	const bins = 4 // for a point
	count, all := map[int]int{}, 0
	for i := range pages {
		p := &pages[i]
		bases := make([]float32, 0, len(p.words))
		for j := range p.words {
			if y := p.words[j].base; y > p.height*edgePart && y < p.height*(1-edgePart) {
				bases = append(bases, y)
			}
		}
		slices.Sort(bases)
		for j := 1; j < len(bases); j++ {
			if d := bases[j] - bases[j-1]; d > 0.4*body && d < 2*maxSpace*body {
				count[int(d*bins+0.5)]++
				all++
			}
		}
	}
	seen := 0
	for _, k := range slices.Sorted(maps.Keys(count)) {
		if seen += count[k]; seen*100 >= all*85 {
			return min(max(1.15*float32(k)/bins, minSpace*body), maxSpace*body)
		}
	}
	return minSpace * body
}

// apart gives the lines to be taken out: from the edge to the innermost that
// stands apart from what is inside it.
func apart(edge []edgeLine) []edgeLine {
	n := 0
	for n < len(edge) && edge[n].gone {
		n++
	}
	for n > 0 && !edge[n-1].apart {
		n--
	}
	return edge[:n]
}

// standsApart says that the first of lines, which go from the edge inwards, is
// set otherwise than the ones after it.
func standsApart(ls []edgeLine, body, least float32) bool {
	if len(ls) < 2 {
		return true
	}
	e, inner := &ls[0], &ls[1]
	if e.paged && len(e.words) <= fewWords || e.size < smaller*min(body, inner.size) {
		return true
	}
	space := abs(inner.y - e.y)
	if space <= least {
		return false
	}
	gaps := make([]float32, 0, len(ls))
	for i := 2; i < len(ls); i++ {
		gaps = append(gaps, abs(ls[i].y-ls[i-1].y))
	}
	slices.Sort(gaps)
	return len(gaps) < 2 || space > wider*gaps[len(gaps)/2]
}

// frames are the upright rules of a page from end to end.
type frames []box

// frames joins rules that are drawn cell by cell.
func (p *page) frames() frames {
	var up frames
	for i := range p.rules {
		if p.rules[i].upright {
			up = append(up, p.rules[i].box)
		}
	}
	const near = 2
	column := func(b box) int { return int((b.x0 + b.x1) / 2 / near) }
	slices.SortFunc(up, func(a, b box) int {
		return cmp.Or(cmp.Compare(column(a), column(b)), cmp.Compare(a.y0, b.y0))
	})
	out := up[:0]
	for _, b := range up {
		if n := len(out); n > 0 && column(out[n-1]) == column(b) && b.y0-out[n-1].y1 <= near {
			out[n-1].y1 = max(out[n-1].y1, b.y1)
			continue
		}
		out = append(out, b)
	}
	return out
}

// hold says that both heights are inside one table. Two rules alone may be the
// frame of the whole page.
func (f frames) hold(a, b float32) bool {
	if a > b {
		a, b = b, a
	}
	const distinct = 6
	n, last := 0, float32(-distinct)
	for _, r := range f {
		if r.y0 <= a && r.y1 >= b && r.x0-last >= distinct {
			n, last = n+1, r.x0
		}
	}
	return n > 2
}
