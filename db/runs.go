package db

import (
	"encoding/binary"
	"errors"
)

// The body of a row of postings is a list of runs, one per version, as the
// migration that makes the table describes: numbers in base 128, as those of
// encoding/binary. Most numbers are below 128, so a posting takes two bytes.

// mostUnits is more than any version has, so that a damaged row does not make
// the scorer reserve all memory.
const mostUnits = 1 << 24

// errDamaged is met only when a body was not written by this program.
var errDamaged = errors.New("a row of postings is damaged")

// run is the postings of a term in one version, still encoded.
type run struct {
	version int64
	units   int // of the version
	body    []byte
}

// encode gives the postings of a run in a version of so many units.
func (p *posting) encode(units int) []byte {
	body := make([]byte, 0, 3*len(p.ordinals))
	before := -1
	for i, ordinal := range p.ordinals {
		step := uint64(ordinal-before) << 1
		if p.counts[i] > 1 {
			body = binary.AppendUvarint(body, step|1)
			body = binary.AppendUvarint(body, uint64(p.counts[i]))
		} else {
			body = binary.AppendUvarint(body, step)
		}
		body = binary.AppendUvarint(body, uint64(p.lengths[i]))
		before = ordinal
	}
	return run{units: units, body: body}.append(nil, 0)
}

// append adds a run to a body that ends with the version before, or begins with
// the run's own.
func (r run) append(body []byte, before int64) []byte {
	body = binary.AppendUvarint(body, uint64(r.version-before))
	body = binary.AppendUvarint(body, uint64(r.units))
	body = binary.AppendUvarint(body, uint64(len(r.body)))
	return append(body, r.body...)
}

// runsOf takes a body apart, of a row whose first version is first.
func runsOf(runs []run, first int64, body []byte) ([]run, error) {
	version := first
	for at := 0; at < len(body); {
		step, next := number(body, at)
		units, next := number(body, next)
		size, next := number(body, next)
		if next < 0 || units > mostUnits || size > len(body)-next {
			return nil, errDamaged
		}
		version += int64(step)
		runs = append(runs, run{version: version, units: units, body: body[next : next+size]})
		at = next + size
	}
	return runs, nil
}

// count gives the number of postings.
func (r run) count() (int, error) {
	n := 0
	for at := 0; at < len(r.body); n++ {
		step, next := number(r.body, at)
		if step&1 == 1 {
			_, next = number(r.body, next)
		}
		if _, at = number(r.body, next); at < 0 {
			return 0, errDamaged
		}
	}
	return n, nil
}

// number reads the number at a place and gives the place after it; that is
// negative when there is none, or at is.
func number(body []byte, at int) (value, next int) {
	if at >= 0 && at < len(body) {
		if b := body[at]; b < 0x80 {
			return int(b), at + 1
		}
		if v, n := binary.Uvarint(body[at:]); n > 0 && v < 1<<40 {
			return int(v), at + n
		}
	}
	return 0, -1
}
