package db

import (
	"cmp"
	"math"
	"slices"
	"sync"
)

// scorer adds up the scores of one search, term by term. Every unit of a version
// that holds any of the terms has a cell in sums, and those of a version stand
// together.
type scorer struct {
	average float64 // length of a unit in terms
	lists   []termList
	bodies  []byte // of all rows
	slots   versionTable
	places  []slot
	sums    []float64
	gains   [maxGain]float64 // what a unit gains by a term that stands there once, by its length
}

// maxGain is the length of a unit below which its gain is looked up.
const maxGain = 128

// left stands for the slot of a version that has left the index.
const left = -1

// termList is the rows of a term.
type termList struct {
	held int64 // units that hold the term
	rows []listRow
}

type listRow struct {
	first    int64
	from, to int // of bodies
}

// slot is a version with its cells.
type slot struct {
	version int64
	from    int // of sums
	units   int
}

// place is a unit by its place in the set.
type place struct {
	version int64
	ordinal int32
}

type scoredPlace struct {
	place
	score float64
}

// A search in common words fills some megabytes, which the next one takes over.
var scorers = sync.Pool{New: func() any { return &scorer{} }}

// mostKept is how many bytes or cells a scorer may hold between two searches.
const mostKept = 32 << 20

func newScorer(terms int) *scorer {
	s := scorers.Get().(*scorer) //nolint:forcetypeassert // the pool holds nothing else
	for len(s.lists) < terms {
		s.lists = append(s.lists, termList{})
	}
	return s
}

func (s *scorer) release() {
	if cap(s.bodies) > mostKept || cap(s.sums) > mostKept/8 {
		return
	}
	for i := range s.lists {
		s.lists[i] = termList{rows: s.lists[i].rows[:0]}
	}
	s.average, s.bodies, s.places, s.sums = 0, s.bodies[:0], s.places[:0], s.sums[:0]
	s.slots.clear()
	scorers.Put(s)
}

// keep takes a row of a term. The body is copied.
func (s *scorer) keep(term int, first int64, n int, body []byte) {
	list := &s.lists[term]
	list.held += int64(n)
	if n < 0 {
		s.slots.put(first, left)
		return
	}
	from := len(s.bodies)
	s.bodies = append(s.bodies, body...)
	list.rows = append(list.rows, listRow{first, from, len(s.bodies)})
}

// begin takes the number and total length of all units. All rows must have
// been kept.
func (s *scorer) begin(units, length float64) {
	s.average = length / units
	held := 0
	for _, list := range s.lists {
		held += int(max(list.held, 0))
	}
	// More cells than units with the terms are used, by their neighbours.
	s.sums = slices.Grow(s.sums, min(int(units), held*16))
}

// add adds the scores of a term to the sums.
func (s *scorer) add(term int, weight float64) error {
	for length := range s.gains {
		s.gains[length] = weight * 1 / (1 + bm25K1*(1-bm25B+bm25B*float64(length)/s.average))
	}
	// Versions most often stand in the order of their slots: the next one is
	// looked at before it is looked for.
	next, known := 0, len(s.places)
	for _, row := range s.lists[term].rows {
		body := s.bodies[row.from:row.to]
		version := row.first
		for at := 0; at < len(body); {
			var step, units, size int
			step, at = number(body, at)
			units, at = number(body, at)
			size, at = number(body, at)
			if at < 0 || units > mostUnits || size > len(body)-at {
				return errDamaged
			}
			version += int64(step)
			i := next
			if i >= known || s.places[i].version != version {
				i = s.slot(version, units)
			}
			if i >= 0 && i < known {
				next = i + 1
			}
			if i >= 0 {
				p := s.places[i]
				if err := s.addRun(s.sums[p.from:p.from+p.units], body[at:at+size], weight); err != nil {
					return err
				}
			}
			at += size
		}
	}
	return nil
}

// slot finds the slot of a version or makes one; left if there is none.
func (s *scorer) slot(version int64, units int) int {
	if i, found := s.slots.get(version); found {
		return int(i)
	}
	from := len(s.sums)
	s.slots.put(version, int32(len(s.places)))
	s.places = append(s.places, slot{version, from, units})
	s.sums = slices.Grow(s.sums, units)[:from+units]
	clear(s.sums[from:])
	return len(s.places) - 1
}

// addRun adds the scores of a term to the cells of one version.
func (s *scorer) addRun(sums []float64, body []byte, weight float64) error {
	ordinal := -1
	for at := 0; at < len(body); {
		// Nearly every posting is two bytes: a short step, once, in a short unit.
		if at+1 < len(body) && body[at]&0x81 == 0 && body[at+1] < 0x80 {
			if ordinal += int(body[at] >> 1); uint(ordinal) >= uint(len(sums)) {
				return errDamaged
			}
			sums[ordinal] += s.gains[body[at+1]]
			at += 2
			continue
		}
		var step, length int
		step, at = number(body, at)
		tf := 1
		if step&1 == 1 {
			tf, at = number(body, at)
		}
		length, at = number(body, at)
		ordinal += step >> 1
		if at < 0 || ordinal < 0 || ordinal >= len(sums) {
			return errDamaged
		}
		count := float64(tf)
		sums[ordinal] += weight * count / (count + bm25K1*(1-bm25B+bm25B*float64(length)/s.average))
	}
	return nil
}

// highest gives the n highest scores, highest first; equal ones in the order of
// their places.
func (s *scorer) highest(n int) []scoredPlace {
	order := func(a, b scoredPlace) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.version, b.version), cmp.Compare(a.ordinal, b.ordinal))
	}
	best := make([]scoredPlace, 0, min(2*n, len(s.sums)))
	least := math.SmallestNonzeroFloat64
	for _, p := range s.places {
		for i, score := range s.sums[p.from : p.from+p.units] {
			if score < least {
				continue
			}
			best = append(best, scoredPlace{place{p.version, int32(i)}, score})
			if len(best) == 2*n {
				slices.SortFunc(best, order)
				best = best[:n]
				least = best[n-1].score
			}
		}
	}
	slices.SortFunc(best, order)
	return best[:min(n, len(best))]
}

// idf is the inverse document frequency, see Store.Lexical.
func idf(units, holding float64) float64 {
	return math.Log(1 + (units-holding+0.5)/(holding+0.5))
}
