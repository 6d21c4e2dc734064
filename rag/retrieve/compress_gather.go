package retrieve

import (
	"slices"

	"passage/rag"
)

// gathering finds what must be kept with an atom: the warnings of its section,
// and for every unit its heading and the head of its table.
type gathering struct {
	*press
	bare     bool  // without headings and heads of tables
	most     cost  // above which there is no need to look for more
	sum      cost  // of the units, and of what is kept
	units    []int // the atom's own, warnings by their weight, then the others
	there    map[int]bool
	sections map[int]bool
}

func (g *gathering) atom(i int) {
	g.there, g.sections = map[int]bool{}, map[int]bool{}
	a := g.atoms[i]
	for u := a.lo; u < a.hi; u++ {
		g.unit(u)
	}
	own := len(g.units)
	var heads []int
	if !g.bare && a.under >= 0 {
		heads = append(heads, a.under)
	}
	for done := 0; (done < len(g.units) || len(heads) > 0) && !g.over(); {
		for ; done < len(g.units); done++ {
			heads = append(heads, g.heads(g.units[done])...)
		}
		for _, u := range heads {
			g.unit(u)
		}
		heads = nil
		g.warnings(a)
	}
	if g.over() {
		return
	}
	rest := g.units[own:]
	g.byWeight(rest)
	slices.SortStableFunc(rest, func(a, b int) int { // heads go first when there is no room
		switch wa, wb := g.warn.at(a), g.warn.at(b); {
		case wa == wb:
			return 0
		case wa:
			return -1
		default:
			return 1
		}
	})
}

func (g *gathering) unit(u int) {
	if !g.there[u] && !g.kept[u-g.warn.lo] {
		g.there[u] = true
		g.units = append(g.units, u)
		g.sum = g.sum.plus(g.c.unitCost(u))
	}
}

// warning adds one, and when there is room without end the procedure it stands
// in, which is not torn apart then.
func (g *gathering) warning(u int) {
	g.unit(u)
	i := g.of[u-g.warn.lo]
	if !g.roomy || i < 0 || g.atoms[i].cost.tokens > completeCap {
		return
	}
	for u := g.atoms[i].lo; u < g.atoms[i].hi; u++ {
		g.unit(u)
	}
}

func (g *gathering) over() bool { return !g.sum.fits(g.most) }

// warnings adds those of every section that has a unit among what is gathered.
func (g *gathering) warnings(a atom) {
	add := func(u int) {
		s := g.c.units[u].Section
		if g.sections[s] {
			return
		}
		g.sections[s] = true
		for _, w := range g.warn.of[s] {
			if g.warning(w); g.over() {
				return
			}
		}
	}
	for u := a.lo; u < a.hi; u++ {
		add(u)
	}
	for _, u := range g.units {
		add(u)
	}
}

// heads are the head of a unit's table, and the heading of a warning's section.
func (g *gathering) heads(u int) []int {
	if g.bare {
		return nil
	}
	var heads []int
	unit := g.c.units[u]
	if head := overlap(unit.Header, g.c.span); !unit.Header.Empty() && !head.Empty() {
		if first, _ := g.c.within(head); g.of[first-g.warn.lo] >= 0 {
			heads = append(heads, first)
		}
	}
	if section, ok := g.c.sectionAt(unit.Span.Start); ok && g.warn.at(u) {
		first, _ := g.c.within(section.Span)
		if first >= g.warn.lo && g.c.units[first].Kind == rag.UnitHeading {
			heads = append(heads, first)
		}
	}
	return heads
}
