package retrieve

import (
	"context"
	"math"
	"slices"

	"passage/rag"
)

// weigh learns how much each word of the question tells, and which ones no
// document holds. For those it looks for words that may stand in: one misspelt,
// or with another ending. A stand-in counts by how similar it is.
func (r *Retriever) weigh(ctx context.Context, req Request, p *plan) error {
	p.local, p.empty = map[rag.UnitSet]map[string]float64{}, map[rag.UnitSet]bool{}
	known, err := r.held(ctx, req, p, p.words)
	if err != nil {
		return err
	}
	p.idf = map[string]float64{}
	for _, t := range p.words {
		p.idf[t] = known[t].weight()
		if known[t].units == 0 {
			p.unknown = append(p.unknown, t)
		}
	}
	if err := r.standIn(ctx, req, p); err != nil {
		return err
	}
	if req.Legs != DenseOnly {
		p.terms = p.searchTerms()
	}
	p.possible = map[rag.UnitSet]float64{}
	for _, set := range p.order {
		for _, t := range p.searchTerms() {
			p.possible[set] += t.Weight * p.local[set][t.Term]
		}
	}
	return nil
}

// spread is in how many units of all sets together a term stands.
type spread struct {
	units, of float64
}

// besides is how many units without any of the words are taken to be there
// besides those that are: in a handful of units nearly every word is common, and
// says as much as a rare one.
const besides = 500

// weight is the inverse document frequency with those units added.
func (s spread) weight() float64 { return spread{s.units, s.of + besides}.idf() }

// idf is the inverse document frequency, the one of db.Store.Lexical.
func (s spread) idf() float64 { return math.Log(1 + (s.of-s.units+0.5)/(s.units+0.5)) }

// held counts the units that hold each term over all sets that are searched, so
// that a word weighs the same wherever it is found.
func (r *Retriever) held(ctx context.Context, req Request, p *plan, terms []string) (map[string]spread, error) {
	known := make(map[string]spread, len(terms))
	if len(terms) == 0 {
		return known, nil
	}
	lists, err := each(ctx, p.order, func(ctx context.Context, set rag.UnitSet) ([]rag.TermWeight, error) {
		return r.index.Weights(ctx, req.Scope, p.within(req, set), set, terms)
	})
	if err != nil {
		return nil, err
	}
	for i, set := range p.order {
		if p.local[set] == nil {
			p.local[set] = make(map[string]float64, len(terms))
		}
		for _, w := range lists[i] {
			p.local[set][w.Term] = w.IDF
			p.empty[set] = w.Of == 0
			s := known[w.Term]
			known[w.Term] = spread{s.units + float64(w.Units), s.of + float64(w.Of)}
		}
	}
	return known, nil
}

// within is the filter of a request narrowed to the document types of a set.
func (p *plan) within(req Request, set rag.UnitSet) rag.Filter {
	return rag.Filter{Spaces: req.Filter.Spaces, DocTypes: p.sets[set]}
}

// standIn finds what may stand in for the words that no document holds. Such a
// word then weighs what its best stand-in weighs, by their similarity. A word
// stands in once, and never when the question has it anyway.
func (r *Retriever) standIn(ctx context.Context, req Request, p *plan) error {
	p.similar = map[string][]rag.SimilarTerm{}
	if len(p.unknown) == 0 {
		return nil
	}
	found := map[string][]rag.SimilarTerm{}
	lists, err := each(ctx, p.order, func(ctx context.Context, set rag.UnitSet) (map[string][]rag.SimilarTerm, error) {
		if p.empty[set] {
			return nil, nil
		}
		return r.index.SimilarTerms(ctx, req.Scope, p.within(req, set), set, p.unknown)
	})
	if err != nil {
		return err
	}
	for _, similar := range lists {
		for word, list := range similar {
			found[word] = append(found[word], list...)
		}
	}
	taken := slices.Clone(p.words)
	var terms []string
	for _, word := range p.unknown {
		for _, s := range found[word] {
			if !slices.Contains(taken, s.Term) {
				taken, terms = append(taken, s.Term), append(terms, s.Term)
				p.similar[word] = append(p.similar[word], s)
			}
		}
	}
	known, err := r.held(ctx, req, p, terms)
	if err != nil {
		return err
	}
	for _, word := range p.unknown {
		if len(found[word]) == 0 {
			continue
		}
		p.idf[word] = 0
		for _, s := range p.similar[word] {
			p.idf[s.Term] = s.Similarity * known[s.Term].weight()
			p.idf[word] = max(p.idf[word], p.idf[s.Term])
		}
	}
	p.unknown = slices.DeleteFunc(p.unknown, func(t string) bool { return len(found[t]) > 0 })
	return nil
}

// searchTerms are the words of the question that stand in some document, and
// what stands in for others, in the order of the question.
func (p *plan) searchTerms() []rag.SearchTerm {
	var terms []rag.SearchTerm
	for _, w := range p.words {
		list := p.similar[w]
		if len(list) == 0 {
			terms = append(terms, rag.SearchTerm{Term: w, Weight: 1})
		}
		for _, s := range list {
			terms = append(terms, rag.SearchTerm{Term: s.Term, Weight: s.Similarity})
		}
	}
	return terms
}

// standIns names what was searched in the place of words.
func (p *plan) standIns() map[string][]string {
	if len(p.similar) == 0 {
		return nil
	}
	names := map[string][]string{}
	for word, list := range p.similar {
		for _, s := range list {
			names[word] = append(names[word], s.Term)
		}
	}
	return names
}

// marked are the terms whose sentences are marked: the words of the question,
// and what stands in for them.
func (p *plan) marked() []string {
	var terms []string
	for _, w := range p.words {
		terms = append(terms, w)
		for _, s := range p.similar[w] {
			terms = append(terms, s.Term)
		}
	}
	return terms
}
