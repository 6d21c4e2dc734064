package retrieve

import (
	"slices"
)

// unitRange is the units [lo, hi).
type unitRange struct{ lo, hi int }

// region is the units that are looked at: those near the hits, and the first
// two, so that a passage of a long document is not read from end to end.
func (c *candidate) region(soft cost) []unitRange {
	lo, hi := c.within(c.span)
	near := max(nearUnits, soft.tokens/nearTokens, soft.chars/charTokens/nearTokens)
	if hi-lo <= 4*near {
		return []unitRange{{lo, hi}}
	}
	ranges := []unitRange{{lo, min(lo+2, hi)}}
	for _, h := range c.hits[:min(len(c.hits), 8)] {
		from, to := c.within(h.Span)
		ranges = append(ranges, unitRange{max(lo, from-near), min(hi, to+near)})
		for u := from; u < to; u++ {
			if head := overlap(c.units[u].Header, c.span); !head.Empty() {
				first, end := c.within(head)
				ranges = append(ranges, unitRange{first, end})
			}
		}
	}
	return joinRanges(ranges, true)
}

// joinRanges puts ranges in order and joins those that overlap, or that touch.
func joinRanges(ranges []unitRange, touching bool) []unitRange {
	slices.SortFunc(ranges, func(a, b unitRange) int { return a.lo - b.lo })
	var joined []unitRange
	for _, r := range ranges {
		if n := len(joined) - 1; n >= 0 && (r.lo < joined[n].hi || touching && r.lo == joined[n].hi) {
			joined[n].hi = max(joined[n].hi, r.hi)
			continue
		}
		joined = append(joined, r)
	}
	return joined
}
