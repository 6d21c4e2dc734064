package retrieve

import (
	"math"
	"slices"

	"passage/rag"
)

// Bounds of compression.
const (
	nearUnits  = 30 // units on each side of a hit that are looked at, at least,
	nearTokens = 8  // and one for so many tokens that may be kept
	charTokens = 4  // code points that a token has, about
	sliver     = 10 // tokens: what is shorter is not left out between kept neighbours
	gapTokens  = 3  // that a model reads for the mark of a gap
)

// compress leaves out sentences of a candidate that are far from the question,
// in the order of the text and with gaps between what is kept. What the best hit
// needs must fit hard; all else is added while it fits soft: the other hits, the
// neighbours of hits, the sentence that opens the passage, then the sentences
// that score best. A heading is kept with what stands under it, the head of a
// table with its rows, a procedure with its warnings, whole or not at all.
//
// A procedure that holds the best hit and does not fit is kept in whole steps,
// and a step that does not fit in units; nil says that not even the hit fits.
//
// The warnings of a section come with whatever is kept of it, alone if the
// procedure they stand in is not kept; only when the best hit fits but not with
// all of them, some are left out, see lost.
func (c *candidate) compress(hard, soft cost) *candidate {
	warn := c.warnings()
	for _, fine := range [...]grain{wholeProcedures, wholeSteps, singleUnits} {
		p := newPress(c, warn, soft, fine)
		if p.best < 0 {
			return nil
		}
		p.roomy = hard == cost{-1, -1}
		if !p.keepBest(hard, fine == singleUnits) {
			continue
		}
		p.fill(soft)
		if small := p.result(hard, fine == singleUnits); small != nil {
			return small
		}
	}
	return nil
}

// grain is how far a procedure may be taken apart.
type grain int

const (
	wholeProcedures grain = iota
	wholeSteps
	singleUnits
)

// The order in which atoms are kept.
const (
	classHit = iota
	classNear
	classLead
	classRest
)

// atom is what is kept or left out as one: a unit, or several that belong
// together.
type atom struct {
	lo, hi  int // units [lo, hi)
	cost    cost
	class   int
	score   float64
	heading bool
	under   int // unit of the heading it stands under, -1 for none
}

// press is one compression.
type press struct {
	c     *candidate
	warn  *warnings
	atoms []atom
	best  int     // atom of the best hit
	of    []int   // unit → its atom, -1 for none; by what the unit is after the first
	kept  []bool  // units, in the same way
	taken [][]int // units kept, by what they were taken with, in that order
	used  cost
	roomy bool // what must be kept may have any length
}

func newPress(c *candidate, warn *warnings, soft cost, fine grain) *press {
	p := &press{c: c, warn: warn, best: -1, used: cost{tokens: passageOverhead}}
	best := c.bestUnit()
	if best < 0 {
		return p
	}
	for _, r := range p.withWarnings(c.region(soft)) {
		p.divide(r.lo, r.hi, best, fine)
	}
	for i := range p.atoms {
		a := &p.atoms[i]
		if a.lo <= best && best < a.hi {
			p.best = i
		}
		for u := a.lo; u < a.hi; u++ {
			a.cost = a.cost.plus(c.unitCost(u))
		}
		a.heading = a.hi == a.lo+1 && c.units[a.lo].Kind == rag.UnitHeading
	}
	p.bind()
	p.rate()
	return p
}

// bestUnit is the unit of the best hit; of a chunk the sentence in it that holds
// most of the question. -1 when the hit holds no unit.
func (c *candidate) bestUnit() int {
	lo, hi := c.within(overlap(c.hits[0].Span, c.span))
	best, most := -1, -1.0
	for i := lo; i < hi; i++ {
		if hi == lo+1 {
			return i
		}
		if share := c.share(i); share > most {
			best, most = i, share
		}
	}
	return best
}

func (c *candidate) unitCost(i int) cost {
	return cost{tokens: c.cellTokens(i), chars: runes(overlap(c.cell(i), c.span).In(c.reading.Text))}
}

// divide makes the atoms of a range of units. Only the procedure of the best hit
// is ever taken apart.
func (p *press) divide(lo, hi, best int, fine grain) {
	c := p.c
	protected := make([]unitRange, 0, 4)
	for _, proc := range c.procedures(c.span) {
		from, to := c.within(overlap(withWarnings(proc), c.span))
		if fine == wholeProcedures || best < from || best >= to {
			protected = append(protected, unitRange{from, to})
			continue
		}
		if fine == singleUnits {
			continue
		}
		for _, step := range proc.Steps {
			if from, to := c.within(overlap(step.Span, c.span)); from < to {
				protected = append(protected, unitRange{from, to})
			}
		}
	}
	protected = joinRanges(protected, false)
	for i := lo; i < hi; {
		for len(protected) > 0 && protected[0].hi <= i {
			protected = protected[1:]
		}
		next := i + 1
		if len(protected) > 0 && protected[0].lo <= i {
			next = protected[0].hi
		}
		if fine != singleUnits {
			for next < len(c.units) && next < hi && ofOne(c.units[next-1], c.units[next]) {
				next++
			}
		}
		p.atoms = append(p.atoms, atom{lo: i, hi: next})
		i = next
	}
}

// withWarnings is a procedure with the warnings beside it.
func withWarnings(p rag.Procedure) rag.Span {
	span := p.Span
	for _, s := range p.Around {
		if s.Kind == rag.Warning {
			span = span.Union(s.Span)
		}
	}
	return span
}

// withWarnings adds to the units that are looked at the warnings of their
// sections, however far away.
func (p *press) withWarnings(ranges []unitRange) []unitRange {
	seen := map[int]bool{}
	for _, r := range slices.Clone(ranges) {
		for u := r.lo; u < r.hi; u++ {
			s := p.c.units[u].Section
			if seen[s] {
				continue
			}
			seen[s] = true
			for _, w := range p.warn.of[s] {
				ranges = append(ranges, unitRange{w, w + 1})
			}
		}
	}
	return joinRanges(ranges, true)
}

// bind says where the atoms are and what heading each stands under.
func (p *press) bind() {
	p.of, p.kept = make([]int, len(p.warn.is)), make([]bool, len(p.warn.is))
	for i := range p.of {
		p.of[i] = -1
	}
	heading := -1
	for i := range p.atoms {
		a := &p.atoms[i]
		for u := a.lo; u < a.hi; u++ {
			p.of[u-p.warn.lo] = i
		}
		a.under = heading
		if a.heading {
			heading, a.under = a.lo, -1
		}
	}
}

// rate gives every atom its class and score. Scores of hits are shares of the
// best one; those of others the share of the question's words they hold, which
// tells less.
func (p *press) rate() {
	c := p.c
	hits := c.hitUnits()
	lead := true
	var strong []int // atoms of the better hits
	for i := range p.atoms {
		a := &p.atoms[i]
		a.class = classRest
		for u := a.lo; u < a.hi; u++ {
			a.score = max(a.score, hits[u])
		}
		switch {
		case i == p.best || a.score >= markShare:
			a.class = classHit
			strong = append(strong, i)
		case lead && !a.heading:
			a.class = classLead
		}
		lead = lead && a.heading
	}
	for _, i := range strong {
		for _, n := range [...]int{i - 1, i + 1} {
			if n >= 0 && n < len(p.atoms) && !p.atoms[n].heading && p.atoms[n].class > classNear {
				p.atoms[n].class = classNear
			}
		}
	}
	p.related()
	for i := range p.atoms {
		a := &p.atoms[i]
		if a.class == classHit {
			continue
		}
		for u := a.lo; u < a.hi; u++ {
			a.score = max(a.score, wordShare*c.share(u))
		}
		a.score += nearShare / float64(1+distance(i, strong))
	}
}

// How much the score of an atom owes to what is not a hit.
const (
	wordShare = 0.8
	nearShare = 0.1
)

// distance is the number of atoms between one and the nearest of some.
func distance(i int, from []int) int {
	d := math.MaxInt32
	for _, n := range from {
		d = min(d, max(i-n, n-i))
	}
	return d
}

// related keeps what stands around the procedures that hold hits near to them,
// and of one that was taken apart the warnings first.
func (p *press) related() {
	for _, proc := range p.c.procedures(p.c.span) {
		lo, hi := p.c.within(proc.Span)
		held := slices.ContainsFunc(p.atoms, func(a atom) bool { return a.class == classHit && a.lo < hi && lo < a.hi })
		if !held {
			continue
		}
		for _, s := range proc.Around {
			for i := range p.atoms {
				a := &p.atoms[i]
				if from, to := p.c.within(s.Span); a.lo >= to || from >= a.hi || a.class == classHit || a.heading {
					continue
				}
				a.class = classNear
				if s.Kind == rag.Warning {
					a.class, a.score = classHit, 1
				}
			}
		}
	}
}

// hitUnits gives the share of the best score that the units of hits have.
func (c *candidate) hitUnits() map[int]float64 {
	units := map[int]float64{}
	for _, h := range c.hits {
		share := 1.0
		if best := c.hits[0].Score; best > 0 {
			share = h.Score / best
		}
		lo, hi := c.within(overlap(h.Span, c.span))
		for i := lo; i < hi; i++ {
			units[i] = max(units[i], share)
		}
	}
	return units
}
