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
	"time"

	"github.com/maypok86/otter/v2"

	"passage/rag"
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
	DefaultTop    = 5     // passages under one strategy
	DefaultAuto   = 8     // passages when each document type has its own: a runbook's sections are short
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
	Top          int           // passages wanted; 0 means DefaultTop, or DefaultAuto without a strategy
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
	known    *otter.Cache[profileKey, *rag.Profile] // see profiles

	calibrate func(embedder string) calibration // see weak
	keep      float64                           // see withoutFar

	reranker   rag.Reranker // nil: the order of the search is kept
	candidates int          // that it puts in order
}

// New makes a retriever. The embedder may be nil: then only the lexical leg
// searches. Passages are counted by tokens; chunks names the tokenizer that the
// chunks searched were cut by, see rag.Strategy.UnitSet.
func New(index Index, embedder rag.Embedder, tokens Counter, chunks string) *Retriever {
	return &Retriever{index: index, embedder: embedder, tokens: tokens, chunks: chunks, known: newProfiles(), calibrate: calibrated, keep: keepShare}
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
	if err := r.read(ctx, req, &plan); err != nil {
		return Result{}, err
	}
	trace := newTrace(req, plan)
	plan.query, plan.pages = newQuery(plan.marked(), plan.idf), map[int64]*page{}
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
		growing.EarlierFirst = req.EarlierFirst || isWeak
		if refused = isWeak && len(plan.earlier) == 0; refused {
			if nearest, err = r.nearest(ctx, req.Scope, found.hits, plan); err != nil {
				return Result{}, err
			}
		}
		if passages, err = r.collect(ctx, growing, plan, found.hits, &trace); err != nil {
			return Result{}, err
		}
		if refused || len(passages) >= growing.Top || !found.more || n*4 > mostFetched {
			break
		}
	}
	if passages, err = r.rerank(ctx, growing, req.Top, passages, &trace); err != nil {
		return Result{}, err
	}
	passages = r.fit(req, r.withoutFar(growing, passages, &trace), &trace)
	res := Result{Refused: refused, Nearest: nearest, Unmentioned: plan.unmentioned(req.Question), Trace: trace}
	for _, p := range passages {
		res.Passages = append(res.Passages, p.finish(plan.marked()))
	}
	res.Trace.finish(res.Passages, ms(start))
	return res, nil
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
	switch {
	case req.Top > 0:
	case req.Strategy == nil:
		req.Top = DefaultAuto
	default:
		req.Top = DefaultTop
	}
	if req.BudgetTokens == 0 {
		req.BudgetTokens = DefaultBudget
	}
	return req, nil
}
