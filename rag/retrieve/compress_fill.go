package retrieve

import (
	"cmp"
	"slices"
	"strings"

	"passage/rag"
)

// keepBest takes the atom of the best hit, and says whether it fits. Its heading
// or the head of its table is given up before it is: a passage names its path,
// and brings the head of the table that it starts in. With the last resort
// warnings are given up too, one by one.
func (p *press) keepBest(hard cost, last bool) bool {
	if p.take(p.best, hard) {
		return true
	}
	g := gathering{press: p, bare: true, most: cost{-1, -1}}
	g.atom(p.best)
	if p.keep(g.units, hard) {
		return true
	}
	a := p.atoms[p.best]
	own := len(p.missing(a))
	if !last || !p.keep(slices.Clone(g.units[:own]), hard) {
		return false
	}
	for _, u := range g.units[own:] {
		if p.keep([]int{u}, hard) { // they belong to what was taken first
			p.taken = [][]int{append(p.taken[0], u)}
		}
	}
	return true
}

// fill takes what else fits, by class and score.
func (p *press) fill(soft cost) {
	rest := make([]int, 0, len(p.atoms))
	for i := range p.atoms {
		if a := &p.atoms[i]; !a.heading || a.class == classHit {
			rest = append(rest, i)
		}
	}
	slices.SortStableFunc(rest, func(i, j int) int {
		a, b := &p.atoms[i], &p.atoms[j]
		return cmp.Or(cmp.Compare(a.class, b.class), cmp.Compare(b.score, a.score))
	})
	for _, i := range rest {
		p.take(i, soft)
	}
	p.close(soft)
}

// take keeps an atom with what it needs, if that fits.
func (p *press) take(i int, most cost) bool {
	g := gathering{press: p, most: most, sum: p.used}
	g.atom(i)
	return !g.over() && p.keep(g.units, most)
}

// keep keeps units, if they fit.
func (p *press) keep(units []int, most cost) bool {
	sum := p.used
	for _, u := range units {
		sum = sum.plus(p.c.unitCost(u))
	}
	if !sum.fits(most) {
		return false
	}
	if len(units) == 0 {
		return true
	}
	p.used = sum
	for _, u := range units {
		p.kept[u-p.warn.lo] = true
	}
	p.taken = append(p.taken, units)
	return true
}

// missing are the units of an atom that are not kept yet.
func (p *press) missing(a atom) []int {
	var units []int
	for u := a.lo; u < a.hi; u++ {
		if !p.kept[u-p.warn.lo] {
			units = append(units, u)
		}
	}
	return units
}

// close takes the little that lies between what is kept: a gap of a few words
// costs a reader more than they do. Headings without anything under them are
// left out.
func (p *press) close(soft cost) {
	for i := 1; i+1 < len(p.atoms); i++ {
		a, before, after := &p.atoms[i], &p.atoms[i-1], &p.atoms[i+1]
		if !a.heading && a.cost.tokens <= sliver && p.kept[before.hi-1-p.warn.lo] && p.kept[after.lo-p.warn.lo] {
			p.take(i, soft)
		}
	}
}

// result makes the candidate of what is kept. The cost so far was added up from
// units; should it be more when counted as a whole, what was taken last goes,
// with the last resort down to the atom of the best hit.
func (p *press) result(hard cost, last bool) *candidate {
	own := p.atoms[p.best]
	for {
		small := p.candidate()
		if small.cost().fits(hard) {
			return small
		}
		n := len(p.taken) - 1
		gone := p.taken[n]
		if n == 0 {
			if len(gone) <= own.hi-own.lo || !last {
				return nil
			}
			gone = gone[len(gone)-1:]
		}
		for _, u := range gone {
			p.kept[u-p.warn.lo] = false
		}
		p.taken[n] = p.taken[n][:len(p.taken[n])-len(gone)]
		if n > 0 {
			p.taken = p.taken[:n]
		}
	}
}

func (p *press) candidate() *candidate {
	c := p.c
	small := *c
	small.gaps, small.hits, small.counted = nil, nil, nil
	lo, hi := c.within(c.span)
	var pieces []rag.Span
	for first := lo; first < hi; first++ {
		if !p.kept[first-lo] {
			continue
		}
		last := first
		for last+1 < hi && p.kept[last+1-lo] {
			last++
		}
		from, floor := c.span.Start, c.span.Start
		if n := len(pieces); n > 0 {
			floor = pieces[n-1].End
		}
		if first > lo {
			from = c.indent(max(c.units[first].Span.Start, floor), floor)
			if at := c.marker(first); at >= floor {
				from = min(from, at)
			}
		}
		to := c.span.End
		if last+1 < hi {
			to = min(c.units[last].Span.End, c.span.End)
		}
		pieces = append(pieces, rag.Span{Start: from, End: to})
		first = last
	}
	small.span = rag.Span{Start: pieces[0].Start, End: pieces[len(pieces)-1].End}
	for i := 1; i < len(pieces); i++ {
		small.gaps = append(small.gaps, rag.Span{Start: pieces[i-1].End, End: pieces[i].Start})
	}
	small.gaps = c.narrow(small.gaps)
	for _, h := range c.hits {
		if small.holds(h.Span) {
			small.hits = append(small.hits, h)
		}
	}
	if len(small.hits) == 0 { // a chunk of which a sentence is left
		small.hits = c.hits[:1]
	}
	return &small
}

// narrow leaves the white space around a gap to what is kept, so that the mark
// of the gap stands in the place of the words alone. The marks of a quote or
// note go with its words, unless what is kept goes on in their line.
func (c *candidate) narrow(gaps []rag.Span) []rag.Span {
	for i, g := range gaps {
		lo, hi := c.within(g)
		if lo >= hi {
			continue
		}
		start := c.indent(c.units[lo].Span.Start, g.Start)
		end := min(g.End, c.units[hi-1].Span.End)
		if hi == len(c.units) || strings.Contains(c.reading.Text[end:c.units[hi].Span.Start], "\n") {
			start = min(start, c.marker(lo))
		}
		gaps[i] = rag.Span{Start: max(g.Start, start), End: end}
	}
	return gaps
}
