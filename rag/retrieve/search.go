package retrieve

import (
	"context"
	"errors"
	"slices"

	"golang.org/x/sync/errgroup"

	"passage/rag"
	"passage/rag/analyze"
)

// plan is which sets are searched for which document types, and how their
// hits grow.
type plan struct {
	strategies map[string]rag.Strategy  // by document type
	fusions    map[string]rag.Fusion    // by document type
	sets       map[rag.UnitSet][]string // set → names of document types
	order      []rag.UnitSet
	words      []string         // of the question, for the marks
	terms      []rag.SearchTerm // what the lexical leg searches; none when it takes no part
	vector     []float32
	dense      [][]rag.Hit // what the legs gave, by the order of the sets
	lexical    [][]rag.Hit
	empty      map[rag.UnitSet]bool               // sets without units among those that are searched
	wordsOnly  bool                               // the embedder did not answer
	possible   map[rag.UnitSet]float64            // BM25 that a unit comes near to when it holds every term
	unknown    []string                           // terms that stand in no unit
	similar    map[string][]rag.SimilarTerm       // what is searched in the place of some of them
	local      map[rag.UnitSet]map[string]float64 // IDF of the terms in each set
	idf        map[string]float64                 // of the words and of what stands in for them, over all sets together
	query      *query
	pages      map[int64]*page // by version; nil for one that is not there
	earlier    []remembered
	unfound    map[int64]float64 // scores of their units that no leg found
	forgot     []TraceCut        // why passages read before are not in earlier
}

// found is what a search gave.
type found struct {
	hits []rag.Hit
	more bool // a leg gave all that was asked for: there may be more
}

// nearestTitles is how many documents a refusal names.
const nearestTitles = 3

func (r *Retriever) plan(ctx context.Context, req Request) (plan, error) {
	types, err := r.index.DocTypes(ctx)
	if err != nil {
		return plan{}, err
	}
	p := plan{strategies: map[string]rag.Strategy{}, fusions: map[string]rag.Fusion{}, sets: map[rag.UnitSet][]string{}}
	for _, t := range types {
		if !wanted(req.Filter.DocTypes, t.Name) {
			continue
		}
		s := t.Strategy
		if req.Strategy != nil {
			s = *req.Strategy
		}
		set := s.UnitSet(r.chunks)
		if len(p.sets[set]) == 0 {
			p.order = append(p.order, set)
		}
		p.strategies[t.Name], p.fusions[t.Name] = s, t.Fusion.Or(t.Name)
		p.sets[set] = append(p.sets[set], t.Name)
	}
	p.words = analyze.QueryTerms(req.Question)
	return p, nil
}

// read embeds the question and weighs its words, both at once, and each leg goes
// on to its first search as soon as it can. An embedder that is away leaves the
// words.
func (r *Retriever) read(ctx context.Context, req Request, p *plan) error {
	g, ctx := errgroup.WithContext(ctx)
	if req.Legs != LexicalOnly && r.embedder != nil {
		g.Go(func() (err error) {
			p.vector, err = r.embed(ctx, req.Question)
			if p.wordsOnly = err != nil; err != nil && req.Legs != DenseOnly && passing(err) {
				return nil
			}
			if err == nil {
				p.dense, err = r.searchDense(ctx, req, p, overfetch)
			}
			return err
		})
	}
	g.Go(func() error {
		err := r.weigh(ctx, req, p)
		if err == nil {
			p.lexical, err = r.searchLexical(ctx, req, p, overfetch)
		}
		return err
	})
	return g.Wait()
}

// embed gives the vector of the question. It waits less long than an ingest
// does: words alone find something too.
func (r *Retriever) embed(ctx context.Context, question string) ([]float32, error) {
	ctx, cancel := context.WithTimeout(ctx, embedTimeout)
	defer cancel()
	vectors, err := r.embedder.Embed(ctx, []string{question})
	if err != nil {
		return nil, err
	}
	if len(vectors) != 1 {
		return nil, errors.New("embedder returned another number of vectors than it was given texts")
	}
	return vectors[0], nil
}

// passing says that the embedder is away and may come back.
func passing(err error) bool {
	code := rag.ErrorCode(err)
	return code == rag.CodeUnavailable || code == rag.CodeRateLimited || errors.Is(err, context.DeadlineExceeded)
}

// nearest gives the titles of the first documents among the hits.
func (r *Retriever) nearest(ctx context.Context, scope rag.Scope, hits []rag.Hit, p plan) ([]string, error) {
	if err := r.openNext(ctx, scope, hits, nearestTitles-1, p); err != nil {
		return nil, err
	}
	var titles []string
	for _, h := range hits {
		page := p.pages[h.VersionID]
		if page != nil && !slices.Contains(titles, page.reading.Document.Title) {
			if titles = append(titles, page.reading.Document.Title); len(titles) == nearestTitles {
				break
			}
		}
	}
	return titles, nil
}

// denseWanted is how many units are asked of the dense leg when n are asked of the
// other. Beside the words the second hundred brings nothing that the signs lift
// into the passages, and costs as much time as the first.
func denseWanted(req Request, n int) int {
	if req.Legs == Hybrid {
		return n / 2
	}
	return n
}

// search mixes the scores of both legs, asked for n units of every set.
func (r *Retriever) search(ctx context.Context, req Request, p plan, n int, trace *Trace) (found, error) {
	if n != overfetch {
		if err := r.searchFurther(ctx, req, &p, n); err != nil {
			return found{}, err
		}
	}
	var out found
	var err error
	for i := range p.order {
		out.more = out.more || len(p.dense) > i && len(p.dense[i]) >= denseWanted(req, n) || len(p.lexical[i]) >= n
	}
	d, l := flatten(p.dense), flatten(p.lexical)
	if out.hits, err = r.rank(ctx, req, p, d, l, p.unfoundUnits(d, l), trace); err != nil {
		return found{}, err
	}
	out.hits = p.rated(out.hits)
	trace.legs(d, l, out.hits)
	return out, nil
}

// searchFurther asks both legs for more than read did.
func (r *Retriever) searchFurther(ctx context.Context, req Request, p *plan, n int) error {
	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() (err error) {
		p.dense, err = r.searchDense(ctx, req, p, n)
		return err
	})
	g.Go(func() (err error) {
		p.lexical, err = r.searchLexical(ctx, req, p, n)
		return err
	})
	return g.Wait()
}

// searchDense gives the units of each set that are nearest to the question;
// none without its vector.
func (r *Retriever) searchDense(ctx context.Context, req Request, p *plan, n int) ([][]rag.Hit, error) {
	if p.vector == nil {
		return nil, nil
	}
	return each(ctx, p.order, func(ctx context.Context, set rag.UnitSet) ([]rag.Hit, error) {
		return r.index.Dense(ctx, req.Scope, p.within(req, set), set, r.embedder.ID(), p.vector, denseWanted(req, n))
	})
}

// searchLexical gives the units of each set with the most of the question's
// words.
func (r *Retriever) searchLexical(ctx context.Context, req Request, p *plan, n int) ([][]rag.Hit, error) {
	return each(ctx, p.order, func(ctx context.Context, set rag.UnitSet) ([]rag.Hit, error) {
		if len(p.terms) == 0 || p.empty[set] {
			return nil, nil
		}
		return r.index.LexicalWeighted(ctx, req.Scope, p.within(req, set), set, p.terms, n)
	})
}

// each calls fn for every set at the same time and gives what it found in their
// order.
func each[T any](ctx context.Context, sets []rag.UnitSet, fn func(context.Context, rag.UnitSet) (T, error)) ([]T, error) {
	out := make([]T, len(sets))
	g, ctx := errgroup.WithContext(ctx)
	for i, set := range sets {
		g.Go(func() (err error) {
			out[i], err = fn(ctx, set)
			return err
		})
	}
	return out, g.Wait()
}
