package retrieve

import (
	"math"

	"passage/rag"
)

// The usual parameters of BM25; the index uses the same.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// mostNamed is how many documents a name in the question may be the title of:
// what more of them are called is a subject of the whole space.
const mostNamed = 2

// windowReach is how many neighbours on each side the window of a unit has when
// it is rated.
const windowReach = 2

// signs are what speaks for a unit, see rag.Fusion. The counts of words are not
// divided by the best yet.
type signs struct {
	cosine, words, window, document, title, aspect, steps float64

	other float64 // of another subject, see call
}

// reader rates the units of profiles for one question. It is for one goroutine.
type reader struct {
	terms    map[uint32]int // hash of each word of the question, and of what stands in for it → its place in idf
	sieve    [64]uint64     // bits of the words' hashes: most terms of a unit are no word of the question
	idf      []float64
	possible float64 // their sum
	aspect   *aspect
	how      bool
	names    []float64 // by word: what it weighs as the name of a subject, 0 for most
	sum      []float32 // counts that are being added up
	spare    []float32 // counts that are not given out yet
}

func newReader(question string, p plan) *reader {
	r := &reader{terms: make(map[uint32]int, len(p.words)), aspect: asked(question), how: asksHow(question)}
	for _, w := range p.words {
		h := rag.TermHash(w)
		if _, ok := r.terms[h]; ok {
			continue
		}
		r.learn(h)
		for _, like := range p.similar[w] {
			r.learn(rag.TermHash(like.Term))
		}
		r.idf = append(r.idf, p.idf[w])
		r.possible += p.idf[w]
	}
	r.sum = make([]float32, len(r.idf))
	return r
}

// learn makes a hash that of the next word.
func (r *reader) learn(h uint32) {
	r.terms[h] = len(r.idf)
	r.sieve[h>>6&63] |= 1 << (h & 63)
}

// rated is a profile with what the question's words do in it.
type rated struct {
	profile *rag.Profile
	own     []tally // by unit: words of the question among its own
	lead    []tally // by unit: and among those above it; shared by neighbours
	whole   tally   // of the document: title, and the own words of all units
	score   float64 // BM25 of the document
}

// tally is how often some terms hold each word of the question.
type tally struct {
	counts []float32 // nil when they hold none
	length int
}

// counts gives room for one tally. Many come from one piece of memory.
func (r *reader) counts() []float32 {
	const together = 256
	if len(r.spare) < len(r.idf) {
		r.spare = make([]float32, together*len(r.idf))
	}
	c := r.spare[:len(r.idf):len(r.idf)]
	r.spare = r.spare[len(r.idf):]
	return c
}

func (r *reader) count(terms []uint32) tally {
	t := tally{length: len(terms)}
	for _, h := range terms {
		if r.sieve[h>>6&63]&(1<<(h&63)) == 0 {
			continue
		}
		i, ok := r.terms[h]
		if !ok {
			continue
		}
		if t.counts == nil {
			t.counts = r.counts()
		}
		t.counts[i]++
	}
	return t
}

// together adds tallies up. The counts are good until the next call.
func (r *reader) together(parts ...[]tally) tally {
	t := tally{}
	for _, part := range parts {
		for _, o := range part {
			t.length += o.length
			if o.counts == nil {
				continue
			}
			if t.counts == nil {
				t.counts = r.sum
				clear(t.counts)
			}
			for i, n := range o.counts {
				t.counts[i] += n
			}
		}
	}
	return t
}

// bm25 is the BM25 of a text with these counts, as db.Store.Lexical has it.
func (r *reader) bm25(t tally, average float64) float64 {
	if t.counts == nil || average <= 0 {
		return 0
	}
	norm := bm25K1 * (1 - bm25B + bm25B*float64(t.length)/average)
	score := 0.0
	for i, n := range t.counts {
		if n > 0 {
			score += r.idf[i] * float64(n) / (float64(n) + norm)
		}
	}
	return score
}

// read counts the words of the question in every unit of a profile.
func (r *reader) read(p *rag.Profile) *rated {
	d := &rated{profile: p, own: make([]tally, len(p.Units)), lead: make([]tally, len(p.Units))}
	section := -1
	for i := range p.Units {
		u := &p.Units[i]
		d.own[i] = r.count(u.Own())
		if u.Section == section {
			d.lead[i] = d.lead[i-1]
		} else {
			d.lead[i], section = r.count(u.Terms[:u.Lead]), u.Section
		}
	}
	title := tally{}
	if len(p.Units) > 0 {
		title = r.count(p.Units[0].Terms[:p.Units[0].Title])
	}
	d.whole = r.together(d.own, []tally{title})
	d.whole.counts = append([]float32(nil), d.whole.counts...)
	return d
}

// averages are the mean lengths, in terms, over the profiles of a set that were
// read.
type averages struct {
	own, lead, document float64
}

// average gives the averages of each set.
func average(list []*rated) map[rag.UnitSet]averages {
	all, units, documents := map[rag.UnitSet]averages{}, map[rag.UnitSet]int{}, map[rag.UnitSet]int{}
	for _, d := range list {
		set := d.profile.Set
		a := all[set]
		for i := range d.own {
			a.own += float64(d.own[i].length)
			a.lead += float64(d.lead[i].length)
		}
		a.document += float64(d.whole.length)
		all[set] = a
		units[set] += len(d.own)
		documents[set]++
	}
	for set, a := range all {
		a.own /= float64(max(units[set], 1))
		a.lead /= float64(max(units[set], 1))
		a.document /= float64(max(documents[set], 1))
		all[set] = a
	}
	return all
}

// unit gives the words of a unit with those above it.
func (r *reader) unit(d *rated, i int) tally {
	return r.together(d.lead[i:i+1], d.own[i:i+1])
}

// window gives the words of a unit, of those above it and of its neighbours.
func (r *reader) window(d *rated, i int) tally {
	return r.together(d.lead[i:i+1], d.own[max(0, i-windowReach):min(len(d.own), i+windowReach+1)])
}

// rate gives the signs of a unit; the cosine is the caller's.
func (r *reader) rate(d *rated, i int, avg averages) signs {
	u := &d.profile.Units[i]
	s := signs{
		words:    r.bm25(r.unit(d, i), avg.lead+avg.own),
		document: d.score,
		title:    r.likeness(u.Terms[:u.Title]),
		aspect:   r.aspect.named(u),
	}
	s.window = s.words
	if d.profile.Set == rag.SentenceSet {
		s.window = r.bm25(r.window(d, i), avg.lead+(2*windowReach+1)*avg.own)
	}
	s.other = r.lacks(d)
	if r.how && u.Procedure {
		s.steps = 1
	}
	return s
}

// call learns which words of the question name a subject: those in the title of
// some of the documents, the more the fewer. A document that nowhere says the
// name is about another subject, however much it says of dose and children.
func (r *reader) call(list []*rated) {
	r.names = make([]float64, len(r.idf))
	titled := make([]int, len(r.idf))
	for _, d := range list {
		if len(d.profile.Units) == 0 {
			continue
		}
		for i, n := range r.count(d.profile.Units[0].Terms[:d.profile.Units[0].Title]).counts {
			if n > 0 {
				titled[i]++
			}
		}
	}
	for i, n := range titled {
		if n > 0 && n <= mostNamed {
			r.names[i] = math.Log(float64(len(list)) / float64(n))
		}
	}
}

// lacks is the share of the names, by weight, that a document does not say.
func (r *reader) lacks(d *rated) float64 {
	var all, lacked float64
	for i, w := range r.names {
		all += w
		if d.whole.counts == nil || d.whole.counts[i] == 0 {
			lacked += w
		}
	}
	if all == 0 {
		return 0
	}
	return lacked / all
}

// likeness of a title to the question: the weight of the words they share over
// the weight of all their words (Jaccard's index). A word that the question
// does not have weighs what its words weigh on average.
func (r *reader) likeness(title []uint32) float64 {
	if len(title) == 0 || r.possible == 0 {
		return 0
	}
	var shared, other float64
	mean := r.possible / float64(len(r.idf))
	seen := make(map[uint32]bool, len(title))
	for _, h := range title {
		if seen[h] {
			continue
		}
		seen[h] = true
		if i, ok := r.terms[h]; ok {
			shared += r.idf[i]
		} else {
			other += mean
		}
	}
	return shared / (r.possible + other)
}
