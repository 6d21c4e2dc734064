package retrieve

import (
	"context"
	"slices"

	"passage/rag"
)

// weigh learns how much each word of the question tells in each set, and which
// ones no document holds. For those it looks for words that may stand in: one
// misspelt, or with another ending. A stand-in counts by how similar it is.
func (r *Retriever) weigh(ctx context.Context, req Request, p *plan) error {
	p.possible, p.idf = map[rag.UnitSet]float64{}, map[string]float64{}
	held := map[string]bool{}
	for _, set := range p.order {
		weights, err := r.index.Weights(ctx, req.Scope, p.within(req, set), set, p.words)
		if err != nil {
			return err
		}
		for _, w := range weights {
			p.possible[set] += w.IDF
			p.idf[w.Term] = max(p.idf[w.Term], w.IDF)
			held[w.Term] = held[w.Term] || w.Units > 0
		}
	}
	for _, t := range p.words {
		if !held[t] {
			p.unknown = append(p.unknown, t)
		}
	}
	if err := r.standIn(ctx, req, p); err != nil {
		return err
	}
	if req.Legs != DenseOnly {
		p.terms = p.searchTerms()
	}
	return nil
}

// within is the filter of a request narrowed to the document types of a set.
func (p *plan) within(req Request, set rag.UnitSet) rag.Filter {
	return rag.Filter{Spaces: req.Filter.Spaces, DocTypes: p.sets[set]}
}

// standIn finds what may stand in for the words that no document holds. Such a
// word then weighs what its best stand-in weighs, by their similarity.
func (r *Retriever) standIn(ctx context.Context, req Request, p *plan) error {
	p.similar = map[string][]rag.SimilarTerm{}
	if len(p.unknown) == 0 {
		return nil
	}
	weigh := map[string]float64{}
	for _, set := range p.order {
		f := p.within(req, set)
		similar, err := r.index.SimilarTerms(ctx, req.Scope, f, set, p.unknown)
		if err != nil {
			return err
		}
		var terms []string
		for word, list := range similar {
			for _, s := range list {
				terms = append(terms, s.Term)
				if !slices.ContainsFunc(p.similar[word], func(o rag.SimilarTerm) bool { return o.Term == s.Term }) {
					p.similar[word] = append(p.similar[word], s)
				}
			}
		}
		weights, err := r.index.Weights(ctx, req.Scope, f, set, terms)
		if err != nil {
			return err
		}
		for _, w := range weights {
			weigh[w.Term] = max(weigh[w.Term], w.IDF)
		}
	}
	for word, list := range p.similar {
		before := p.idf[word]
		p.idf[word] = 0
		for _, s := range list {
			p.idf[word] = max(p.idf[word], s.Similarity*weigh[s.Term])
		}
		for set := range p.possible {
			p.possible[set] += p.idf[word] - before
		}
	}
	p.unknown = slices.DeleteFunc(p.unknown, func(t string) bool { return len(p.similar[t]) > 0 })
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
			if !slices.Contains(names[word], s.Term) {
				names[word] = append(names[word], s.Term)
			}
		}
	}
	return names
}

// marked are the terms whose sentences are marked.
func (p *plan) marked() []string {
	terms := slices.Clone(p.words)
	for _, list := range p.similar {
		for _, s := range list {
			terms = append(terms, s.Term)
		}
	}
	return terms
}
