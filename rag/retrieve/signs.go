package retrieve

import (
	"slices"

	"passage/rag"
)

// The usual parameters of BM25; the index uses the same.
const (
	bm25K1 = 1.2
	bm25B  = 0.75
)

// windowReach is how many neighbours on each side the window of a unit has when
// it is rated.
const windowReach = 2

// signs are what speaks for a unit, see rag.Fusion. The counts of words are not
// divided by the best yet.
type signs struct {
	cosine, words, window, document, title, aspect, steps float64
}

// reader rates the units of profiles for one question.
type reader struct {
	terms    map[uint32]int // hash of each word of the question → its place in idf
	idf      []float64
	possible float64 // their sum
	aspect   *aspect
	how      bool
}

func newReader(question string, p plan) *reader {
	r := &reader{terms: make(map[uint32]int, len(p.words)), aspect: asked(question), how: asksHow(question)}
	for _, w := range p.words {
		h := rag.TermHash(w)
		if _, ok := r.terms[h]; ok {
			continue
		}
		r.terms[h] = len(r.idf)
		for _, like := range p.similar[w] {
			if h := rag.TermHash(like.Term); !slices.Contains(p.words, like.Term) {
				r.terms[h] = len(r.idf)
			}
		}
		r.idf = append(r.idf, p.idf[w])
		r.possible += p.idf[w]
	}
	return r
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

func (r *reader) count(terms []uint32) tally {
	t := tally{length: len(terms)}
	for _, h := range terms {
		i, ok := r.terms[h]
		if !ok {
			continue
		}
		if t.counts == nil {
			t.counts = make([]float32, len(r.idf))
		}
		t.counts[i]++
	}
	return t
}

func (t *tally) add(o tally) {
	t.length += o.length
	if o.counts == nil {
		return
	}
	if t.counts == nil {
		t.counts = make([]float32, len(o.counts))
	}
	for i, n := range o.counts {
		t.counts[i] += n
	}
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
		d.whole.add(d.own[i])
	}
	if len(p.Units) > 0 {
		d.whole.add(r.count(p.Units[0].Terms[:p.Units[0].Title]))
	}
	return d
}

// averages are the mean lengths, in terms, over the profiles that were read.
type averages struct {
	own, lead, document float64
}

func average(list []*rated) averages {
	var a averages
	units := 0
	for _, d := range list {
		units += len(d.own)
		for i := range d.own {
			a.own += float64(d.own[i].length)
			a.lead += float64(d.lead[i].length)
		}
		a.document += float64(d.whole.length)
	}
	a.own /= float64(max(units, 1))
	a.lead /= float64(max(units, 1))
	a.document /= float64(max(len(list), 1))
	return a
}

// unit gives the words of a unit with those above it.
func (d *rated) unit(i int) tally {
	t := tally{}
	t.add(d.lead[i])
	t.add(d.own[i])
	return t
}

// window gives the words of a unit, of those above it and of its neighbours.
func (d *rated) window(i int) tally {
	t := tally{}
	t.add(d.lead[i])
	for k := max(0, i-windowReach); k <= min(len(d.own)-1, i+windowReach); k++ {
		t.add(d.own[k])
	}
	return t
}

// rate gives the signs of a unit; the cosine is the caller's.
func (r *reader) rate(d *rated, i int, avg averages) signs {
	u := &d.profile.Units[i]
	s := signs{
		words:    r.bm25(d.unit(i), avg.lead+avg.own),
		document: d.score,
		title:    r.likeness(u.Terms[:u.Title]),
		aspect:   r.aspect.named(u),
	}
	s.window = s.words
	if d.profile.Set == rag.SentenceSet {
		s.window = r.bm25(d.window(i), avg.lead+(2*windowReach+1)*avg.own)
	}
	if r.how && u.Procedure {
		s.steps = 1
	}
	return s
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
