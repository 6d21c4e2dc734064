// Package retrieve finds the passages that answer a question. Small units are
// searched by two legs (vectors and BM25) whose scores are mixed; each hit then
// grows into a passage by the strategy of its document type; passages that
// overlap become one, and the best of them are fitted to a budget.
//
// Everything after the search is a pure function over the text of a version
// and its outline, so that growing never changes which units are hit.
package retrieve

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/maypok86/otter/v2"
	"golang.org/x/sync/errgroup"

	"passage/rag"
	"passage/rag/analyze"
)

// Index is what the retriever needs of the store. Every method filters by the
// scope; units outside it are never fetched.
type Index interface {
	DocTypes(ctx context.Context) ([]rag.DocType, error)
	Dense(ctx context.Context, scope rag.Scope, f rag.Filter, set rag.UnitSet, embedder string, vector []float32, n int) ([]rag.Hit, error)
	LexicalWeighted(ctx context.Context, scope rag.Scope, f rag.Filter, set rag.UnitSet, terms []rag.SearchTerm, n int) ([]rag.Hit, error)
	Weights(ctx context.Context, scope rag.Scope, f rag.Filter, set rag.UnitSet, terms []string) ([]rag.TermWeight, error)
	SimilarTerms(ctx context.Context, scope rag.Scope, f rag.Filter, set rag.UnitSet, terms []string) (map[string][]rag.SimilarTerm, error)
	Cosines(ctx context.Context, scope rag.Scope, embedder string, vector []float32, unitIDs []int64) (map[int64]float64, error)
	Readings(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]*rag.Reading, error)
	Profiles(ctx context.Context, scope rag.Scope, set rag.UnitSet, versionIDs []int64) (map[int64]*rag.Profile, error)
}

// Counter counts tokens, for the budget.
type Counter interface {
	Count(text string) int
}

// Legs says which searches take part.
type Legs string

// The legs.
const (
	Hybrid      Legs = "hybrid"
	DenseOnly   Legs = "dense"
	LexicalOnly Legs = "bm25"
)

// Defaults of a request.
const (
	DefaultTop    = 5     // passages
	DefaultBudget = 3_000 // tokens
	overfetch     = 200   // units asked of each leg and set at first
	mostFetched   = 5_000 // and at most, when many hits lie in few passages
	embedTimeout  = 5 * time.Second
)

// Request is one question to the index.
type Request struct {
	Scope        rag.Scope
	Question     string
	Filter       rag.Filter
	Strategy     *rag.Strategy // nil: each document type's own
	Exact        bool          // windows of exactly k sentences: a procedure touched is labelled, not completed
	Top          int           // passages wanted; 0 means DefaultTop
	BudgetTokens int           // 0 means DefaultBudget, below 0 no limit
	BudgetChars  int           // code points of passage text; 0 means no limit
	Legs         Legs          // "" means Hybrid
	Earlier      []rag.Place   // passages of the answers before, which stay candidates in a follow-up
	EarlierFirst bool          // the question says nothing by itself ("yes"): they come before what is found
	PlainOrder   bool          // without the reranker
	Fusion       *rag.Fusion   // nil: each document type's own
}

// Result is what was found, best first.
type Result struct {
	Passages []rag.Passage // of a refusal: what came nearest, which is no answer
	Refused  bool          // nothing good enough was found
	Nearest  []string      // of a refusal: titles of the documents that came nearest
	// Unmentioned are words of the question that no document holds, when they
	// are a fair part of it.
	Unmentioned []string
	Trace       Trace
}

// Retriever answers requests. It is safe for concurrent use.
type Retriever struct {
	index    Index
	embedder rag.Embedder
	tokens   Counter
	chunks   string
	known    *otter.Cache[profileKey, *rag.Profile]

	calibrate func(embedder string) calibration

	reranker   rag.Reranker // nil: the order of the search is kept
	candidates int          // that it puts in order
}

// New makes a retriever. The embedder may be nil: then only the lexical leg
// searches. Passages are counted by tokens; chunks names the tokenizer that the
// chunks searched were cut by, see rag.Strategy.UnitSet.
func New(index Index, embedder rag.Embedder, tokens Counter, chunks string) *Retriever {
	return &Retriever{index: index, embedder: embedder, tokens: tokens, chunks: chunks, known: newProfiles(), calibrate: calibrated}
}

// Retrieve finds passages for the question. Errors: CodeInvalid for an empty
// question or a strategy out of range, CodeUnavailable when the store or the
// embedder cannot be reached.
func (r *Retriever) Retrieve(ctx context.Context, req Request) (Result, error) {
	start := time.Now()
	req, err := r.normalise(req)
	if err != nil {
		return Result{}, err
	}
	plan, err := r.plan(ctx, req)
	if err != nil {
		return Result{}, err
	}
	if err := r.weigh(ctx, req, &plan); err != nil {
		return Result{}, err
	}
	trace := newTrace(req, plan)
	plan.query, plan.pages = newQuery(plan.words, plan.idf), map[int64]*page{}
	plan.unfound = map[int64]float64{}
	if err := r.recall(ctx, req, &plan); err != nil {
		return Result{}, err
	}
	var passages []*candidate
	var refused bool
	var nearest []string
	growing := req
	growing.Top = r.wanted(req)
	for n := overfetch; ; n *= 4 {
		found, err := r.search(ctx, req, plan, n, &trace)
		if err != nil {
			return Result{}, err
		}
		trace.SearchMS = ms(start)
		isWeak := r.weak(found.hits, req, plan, trace.Evidence)
		req.EarlierFirst = req.EarlierFirst || isWeak
		growing.EarlierFirst = req.EarlierFirst
		if refused = isWeak && len(plan.earlier) == 0; refused {
			if nearest, err = r.nearest(ctx, req.Scope, found.hits, plan); err != nil {
				return Result{}, err
			}
		}
		if passages, err = r.collect(ctx, growing, plan, found.hits, &trace); err != nil {
			return Result{}, err
		}
		if len(passages) >= growing.Top || !found.more || n*4 > mostFetched {
			break
		}
	}
	if passages, err = r.rerank(ctx, req, passages, &trace); err != nil {
		return Result{}, err
	}
	passages = r.fit(req, passages, &trace)
	res := Result{Refused: refused, Nearest: nearest, Unmentioned: plan.unmentioned(req.Question), Trace: trace}
	for _, p := range passages {
		res.Passages = append(res.Passages, p.finish(plan.marked()))
	}
	res.Trace.finish(res.Passages, ms(start))
	return res, nil
}

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
	wordsOnly  bool                         // the embedder did not answer
	possible   map[rag.UnitSet]float64      // BM25 that a unit comes near to when it holds every term
	unknown    []string                     // terms that stand in no unit
	similar    map[string][]rag.SimilarTerm // what is searched in the place of some of them
	idf        map[string]float64           // of the words, the largest of all sets
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
	if req.Legs != LexicalOnly && r.embedder != nil {
		if p.vector, err = r.embed(ctx, req.Question); err != nil && (req.Legs == DenseOnly || !passing(err)) {
			return plan{}, err
		}
		p.wordsOnly = err != nil
	}
	return p, nil
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
			titles = append(titles, page.reading.Document.Title)
		}
	}
	return titles, nil
}

// search asks both legs for every set at the same time and mixes the scores.
func (r *Retriever) search(ctx context.Context, req Request, p plan, n int, trace *Trace) (found, error) {
	dense := make([][]rag.Hit, len(p.order))
	lexical := make([][]rag.Hit, len(p.order))
	g, gctx := errgroup.WithContext(ctx)
	for i, set := range p.order {
		f := rag.Filter{Spaces: req.Filter.Spaces, DocTypes: p.sets[set]}
		if p.vector != nil {
			g.Go(func() (err error) {
				dense[i], err = r.index.Dense(gctx, req.Scope, f, set, r.embedder.ID(), p.vector, n)
				return err
			})
		}
		if len(p.terms) > 0 {
			g.Go(func() (err error) {
				lexical[i], err = r.index.LexicalWeighted(gctx, req.Scope, f, set, p.terms, n)
				return err
			})
		}
	}
	if err := g.Wait(); err != nil {
		return found{}, err
	}
	var out found
	var err error
	for _, list := range slices.Concat(dense, lexical) {
		out.more = out.more || len(list) >= n
	}
	d, l := flatten(dense), flatten(lexical)
	if missing := withoutCosine(d, l); p.vector != nil && len(missing) > 0 {
		cosines, err := r.index.Cosines(ctx, req.Scope, r.embedder.ID(), p.vector, missing)
		if err != nil {
			return found{}, err
		}
		for i := range l {
			l[i].Cosine = cosines[l[i].UnitID]
		}
	}
	if out.hits, err = r.rank(ctx, req, p, p.withRemembered(d, l), l, trace); err != nil {
		return found{}, err
	}
	out.hits = p.rated(out.hits)
	trace.legs(d, l, out.hits)
	trace.Share = bestShare(l, p.possible)
	return out, nil
}

func (r *Retriever) normalise(req Request) (Request, error) {
	if blank(req.Question) {
		return req, rag.Errorf(rag.CodeInvalid, "The question is empty. Write what you want to know.")
	}
	if req.Strategy != nil {
		if err := req.Strategy.Validate(); err != nil {
			return req, err
		}
	}
	if req.Fusion != nil {
		if err := req.Fusion.Validate(); err != nil {
			return req, err
		}
	}
	switch req.Legs {
	case "":
		req.Legs = Hybrid
	case Hybrid, DenseOnly, LexicalOnly:
	default:
		return req, rag.Errorf(rag.CodeInvalid, "There is no search %q. Use hybrid, dense or bm25.", req.Legs)
	}
	if req.Legs == DenseOnly && r.embedder == nil {
		return req, rag.Errorf(rag.CodeInvalid, "A dense search needs an embedder, and none is configured.")
	}
	if req.Top <= 0 {
		req.Top = DefaultTop
	}
	if req.BudgetTokens == 0 {
		req.BudgetTokens = DefaultBudget
	}
	return req, nil
}
