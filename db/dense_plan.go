package db

import (
	"cmp"
	"maps"
	"slices"
)

// part is what one HNSW index covers of a vector index: the vectors of a space,
// of a document type, of both, or all; 0 does not narrow.
type part struct{ space, docType int64 }

func (p part) holds(c cell) bool {
	return (p.space == 0 || p.space == c.space) && (p.docType == 0 || p.docType == c.docType)
}

// parts are those that have an HNSW index.
type parts map[part]bool

// cell is the smallest part, that of a space and a type, with the number of its
// vectors, at least one, and whether a search asks for them.
type cell struct {
	part
	vectors int
	asked   bool
}

// usualHits is the number of hits that indexes are laid out for: what a search
// asks for at first.
const usualHits = 200

// scanCost is what an HNSW scan for n hits costs. Costs are counted in vectors
// compared: a scan for the usual hits takes as long as to compare three quarters
// of the exact limit, a longer one as much more.
func scanCost(n, limit int) int { return 3 * limit * max(n, usualHits) / usualHits / 4 }

// Costs, in exact limits, of searching a part by its parts, above which it gets
// an index of its own. They grow with how seldom such a part is asked for, since
// every index takes time when vectors are written.
const (
	mostForAll   = 2
	mostForSpace = 3
	mostForType  = 4 // across all spaces
)

// cover is how to search some cells by what indexes there are: HNSW scans of
// whole parts, and an exact scan of the cells that are left.
type cover struct {
	scans []scan
	rest  []cell
	cost  int
}

// scan is of the HNSW index of a part, with the number of its vectors.
type scan struct {
	part
	vectors int
}

// coverOf finds the cheapest cover of the cells that are asked for, where an
// HNSW scan costs so much.
func coverOf(census []cell, indexed parts, scanCost int) cover {
	if indexed[part{}] && !slices.ContainsFunc(census, func(c cell) bool { return !c.asked }) {
		all := scan{}
		for _, c := range census {
			all.vectors += c.vectors
		}
		return cover{scans: []scan{all}, cost: scanCost}
	}
	bySpace := coverBy(census, indexed, scanCost, func(c cell) part { return part{space: c.space} })
	byType := coverBy(census, indexed, scanCost, func(c cell) part { return part{docType: c.docType} })
	if byType.cost < bySpace.cost {
		return byType
	}
	return bySpace
}

// coverBy takes a group whole when all of it is asked for and it has an index,
// else each cell that has one; but compares what costs less than a scan.
func coverBy(census []cell, indexed parts, scanCost int, group func(cell) part) cover {
	sizes, partly := map[part]int{}, parts{}
	for _, c := range census {
		sizes[group(c)] += c.vectors
		if !c.asked {
			partly[group(c)] = true
		}
	}
	var out cover
	taken := parts{}
	for _, c := range census {
		if !c.asked {
			continue
		}
		whole := group(c)
		switch {
		case taken[whole]:
		case indexed[whole] && !partly[whole] && sizes[whole] > scanCost:
			taken[whole] = true
			out.scans = append(out.scans, scan{whole, sizes[whole]})
		case indexed[c.part] && c.vectors > scanCost:
			out.scans = append(out.scans, scan{c.part, c.vectors})
		default:
			out.rest = append(out.rest, c)
			out.cost += c.vectors
		}
	}
	out.cost += len(out.scans) * scanCost
	return out
}

// wantedIndexes says which parts should have an HNSW index: a cell that has
// outgrown the exact scan, and a space, a type or all when they cost too much to
// search by their parts. What has an index keeps it until half of that.
func wantedIndexes(census []cell, has parts, limit int) parts {
	want := parts{}
	consider := func(p part, most int) {
		if want[p] {
			return
		}
		if has[p] {
			most /= 2
		}
		inside := slices.Clone(census)
		for i := range inside {
			inside[i].asked = p.holds(inside[i])
		}
		if coverOf(inside, want, scanCost(usualHits, limit)).cost > most {
			want[p] = true
		}
	}
	for _, c := range census {
		consider(c.part, limit)
	}
	for _, c := range census {
		consider(part{space: c.space}, mostForSpace*limit)
		consider(part{docType: c.docType}, mostForType*limit)
	}
	consider(part{}, mostForAll*limit)
	return want
}

// densePlan is how a search goes about it.
type densePlan struct {
	left      int  // vectors that the filter leaves
	partial   bool // it leaves out others
	mostAlike int  // up to so many are compared when they are about equally far, see alike
	probe     *probe
	cover     cover
}

// probe is a look at the width nearest vectors of a part, of which the filter
// leaves enough unless it leaves other regions. What is left of them is then
// as good as a scan without a filter; a scan that goes on until it has enough
// is not, because it ends at the edge of the region that it comes to.
type probe struct {
	scan
	width   int
	passing float64 // share of the part that the filter leaves
}

// A probe looks at so many vectors at least and at most, and is tried when
// other plans cost so many exact limits: it may be in vain.
const (
	minProbe      = 200
	maxProbe      = 3 * maxEfSearch
	costsNoProbes = 2
)

// exactWhenAlike is up to how many exact limits of vectors every one is compared
// when an HNSW scan cannot be relied on.
const exactWhenAlike = 64

// planDense chooses how to find the n nearest among the cells asked for.
// Postgres does not choose well by itself: through an HNSW index with a narrow
// filter it finds as little as a quarter of the nearest.
func planDense(census []cell, indexed parts, n, limit int) densePlan {
	plan := densePlan{mostAlike: exactWhenAlike * limit}
	for _, c := range census {
		if c.asked {
			plan.left += c.vectors
		} else {
			plan.partial = true
		}
	}
	if plan.left <= limit {
		return plan
	}
	c := coverOf(census, indexed, scanCost(n, limit))
	if c.cost < plan.left {
		plan.cover = c
	}
	if min(plan.left, c.cost) > costsNoProbes*limit {
		plan.probe = probeFor(census, indexed, plan.left, n)
	}
	return plan
}

// probeFor finds the smallest indexed part around all that is asked for.
func probeFor(census []cell, indexed parts, left, n int) *probe {
	var best *probe
	order := func(a, b part) int { return cmp.Or(cmp.Compare(a.space, b.space), cmp.Compare(a.docType, b.docType)) }
	for _, p := range slices.SortedFunc(maps.Keys(indexed), order) {
		inside, around := 0, true
		for _, c := range census {
			if p.holds(c) {
				inside += c.vectors
			} else if c.asked {
				around = false
			}
		}
		if around && (best == nil || inside < best.vectors) {
			// Half as many again as an even spread would need.
			best = &probe{scan: scan{p, inside}, width: 3*n*inside/(2*left) + 1, passing: float64(left) / float64(inside)}
		}
	}
	if best == nil || best.width > maxProbe {
		return nil
	}
	best.width = max(best.width, minProbe)
	return best
}
