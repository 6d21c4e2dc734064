package retrieve

import (
	"cmp"
	"slices"

	"passage/rag"
)

// keepBest takes the atom of the best hit, and says whether it fits. Its heading
// or the head of its table is given up before it is: a passage names its path,
// and brings the head of the table that it starts in.
func (p *press) keepBest(hard cost) bool {
	if p.best < 0 {
		return false
	}
	if p.take(p.best, hard) {
		return true
	}
	p.atoms[p.best].needs = nil
	return p.take(p.best, hard)
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
	if p.atoms[i].kept {
		return true
	}
	sum := p.used.plus(p.atoms[i].cost)
	for _, n := range p.atoms[i].needs {
		if !p.atoms[n].kept {
			sum = sum.plus(p.atoms[n].cost)
		}
	}
	if !sum.fits(most) {
		return false
	}
	p.used = sum
	for _, n := range append(slices.Clone(p.atoms[i].needs), i) {
		if !p.atoms[n].kept {
			p.atoms[n].kept = true
			p.order = append(p.order, n)
		}
	}
	return true
}

// close takes the little that lies between what is kept: a gap of a few words
// costs a reader more than they do. Headings without anything under them are
// left out.
func (p *press) close(soft cost) {
	for i := 1; i+1 < len(p.atoms); i++ {
		a := &p.atoms[i]
		if !a.kept && !a.heading && a.cost.tokens <= sliver && p.atoms[i-1].kept && p.atoms[i+1].kept {
			p.take(i, soft)
		}
	}
}

// result makes the candidate of what is kept. The cost so far was added up from
// units; should it be more when counted as a whole, what was taken last goes.
func (p *press) result(hard cost) *candidate {
	for {
		small := p.candidate()
		if small.cost().fits(hard) {
			return small
		}
		last := len(p.order) - 1
		for last >= 0 && p.needed(p.order[last]) {
			last--
		}
		if last < 0 {
			return nil
		}
		p.atoms[p.order[last]].kept = false
		p.order = slices.Delete(p.order, last, last+1)
	}
}

// needed says that an atom is the best hit's or that a kept one needs it.
func (p *press) needed(n int) bool {
	if n == p.best {
		return true
	}
	return slices.ContainsFunc(p.atoms, func(a atom) bool { return a.kept && slices.Contains(a.needs, n) })
}

func (p *press) candidate() *candidate {
	c := p.c
	small := *c
	small.gaps, small.hits, small.counted = nil, nil, nil
	lo, hi := c.within(c.span)
	var pieces []rag.Span
	for i := 0; i < len(p.atoms); i++ {
		if !p.atoms[i].kept {
			continue
		}
		first := p.atoms[i].lo
		for i+1 < len(p.atoms) && p.atoms[i+1].kept && p.atoms[i+1].lo == p.atoms[i].hi {
			i++
		}
		last := p.atoms[i].hi - 1
		from, floor := c.span.Start, c.span.Start
		if n := len(pieces); n > 0 {
			floor = pieces[n-1].End
		}
		if first > lo {
			from = c.indent(max(c.units[first].Span.Start, floor), floor)
		}
		to := c.span.End
		if last+1 < hi {
			to = min(c.units[last].Span.End, c.span.End)
		}
		pieces = append(pieces, rag.Span{Start: from, End: to})
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
// of the gap stands in the place of the words alone.
func (c *candidate) narrow(gaps []rag.Span) []rag.Span {
	for i, g := range gaps {
		lo, hi := c.within(g)
		if lo >= hi {
			continue
		}
		gaps[i] = rag.Span{
			Start: max(g.Start, c.indent(c.units[lo].Span.Start, g.Start)),
			End:   min(g.End, c.units[hi-1].Span.End),
		}
	}
	return gaps
}
