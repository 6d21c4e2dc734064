package evaluate

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"time"

	"passage/rag"
	"passage/rag/retrieve"
)

// Retriever is what is measured.
type Retriever interface {
	Retrieve(ctx context.Context, req retrieve.Request) (retrieve.Result, error)
}

// Options is what a Bench works with.
type Options struct {
	Retriever Retriever
	Corpus    Corpus
	Rows      Rows
	Tokens    Tokenizer // of the language model
	Chunks    string    // tokenizer that chunks are cut by, see rag.Strategy.UnitSet
	Embedder  string    // its id, "" without one
	Version   string    // of the program
	Log       *slog.Logger
	// Prepare makes the chunks that a strategy searches where they are missing;
	// nil is the strategies of the document types.
	Prepare func(ctx context.Context, f rag.Filter, s *rag.Strategy) error
}

// Bench runs evaluations. Runs that were started in the background go on until
// they are done, cancelled, or the bench is closed.
type Bench struct {
	*Book
	o    Options
	sign time.Duration // between two signs of life while chunks are made

	mu      sync.Mutex
	closed  bool
	cancels map[int64]context.CancelFunc // of the runs in the background
	wg      sync.WaitGroup
}

// signEvery is a fraction of the time after which a run without a sign of life
// counts as abandoned, see db.Store.AbandonRuns.
const signEvery = 15 * time.Second

// NewBench makes a bench. Close it to stop the runs in the background.
func NewBench(o Options) *Bench {
	return &Bench{Book: NewBook(o.Rows), o: o, sign: signEvery, cancels: map[int64]context.CancelFunc{}}
}

// Close cancels the runs in the background and waits until they have stored what
// they measured, or the context ends.
func (b *Bench) Close(ctx context.Context) error {
	b.mu.Lock()
	b.closed = true
	for _, cancel := range b.cancels {
		cancel()
	}
	b.mu.Unlock()
	done := make(chan struct{})
	go func() { b.wg.Wait(); close(done) }()
	select {
	case <-done:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// CancelRun is Book.CancelRun; a run of this process stops at once.
func (b *Bench) CancelRun(ctx context.Context, scope rag.Scope, id int64) error {
	if err := b.Book.CancelRun(ctx, scope, id); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if cancel := b.cancels[id]; cancel != nil {
		cancel()
	}
	return nil
}

// ChunkStrategies lists the strategies of fixed chunks that every document of a
// set's space has, so that comparing them needs no embedding. Errors:
// CodeNotFound.
func (b *Bench) ChunkStrategies(ctx context.Context, scope rag.Scope, setID int64) ([]rag.Strategy, error) {
	set, err := b.Set(ctx, scope, setID)
	if err != nil {
		return nil, err
	}
	sets, err := b.o.Corpus.CommonSets(ctx, scope, filterOf(set))
	if err != nil {
		return nil, err
	}
	var list []rag.Strategy
	for _, name := range sets {
		if s, ok := chunkStrategy(name, b.o.Chunks); ok {
			list = append(list, s)
		}
	}
	return list, nil
}

// Check looks for the places of all questions of a set and lists what is wrong.
// Errors: CodeNotFound.
func (b *Bench) Check(ctx context.Context, scope rag.Scope, setID int64) ([]Problem, error) {
	set, err := b.Set(ctx, scope, setID)
	if err != nil {
		return nil, err
	}
	list, err := b.Questions(ctx, scope, setID)
	if err != nil {
		return nil, err
	}
	l := locator{b.o.Corpus, scope, filterOf(set).Spaces}
	var problems []Problem
	for _, q := range list {
		_, found, err := l.locate(ctx, q)
		if err != nil {
			return nil, err
		}
		problems = append(problems, found...)
	}
	return problems, nil
}

// Start begins a run in the background and gives it as it is stored. Errors:
// CodeInvalid for a plan without settings or questions, or with chunks that are
// missing, CodeNotFound for the set, CodeConflict while another run goes on in
// the background, which would blur the times of both, CodeUnavailable when the
// program is stopping.
func (b *Bench) Start(ctx context.Context, scope rag.Scope, plan Plan) (Run, error) {
	b.mu.Lock() // held while the run is stored, so that two never start at once
	defer b.mu.Unlock()
	switch {
	case b.closed:
		return Run{}, rag.Errorf(rag.CodeUnavailable, "The program is stopping. Start the run again in a moment.")
	case len(b.cancels) > 0:
		return Run{}, rag.Errorf(rag.CodeConflict, "Another run is going on. Wait until it has ended, or cancel it.")
	}
	j, err := b.begin(ctx, scope, plan)
	if err != nil {
		return Run{}, err
	}
	started := j.run
	rctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	b.cancels[started.ID] = cancel
	b.wg.Go(func() {
		defer b.forget(started.ID)
		if _, err := j.work(rctx, nil); err != nil {
			b.o.Log.WarnContext(rctx, "evaluation run ended early", "run", started.ID, "error", err)
		}
	})
	return started, nil
}

func (b *Bench) forget(id int64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.cancels[id]()
	delete(b.cancels, id)
}

// Measure does a run and waits for it; progress may be nil. A run that is
// cancelled by the context or by CancelRun is stored and returned with what it
// measured, without an error. Errors: as Start, and what the retriever returns.
func (b *Bench) Measure(ctx context.Context, scope rag.Scope, plan Plan, progress func(Progress)) (Run, error) {
	job, err := b.begin(ctx, scope, plan)
	if err != nil {
		return Run{}, err
	}
	return job.work(ctx, progress)
}

// begin checks the plan and stores the run as running.
func (b *Bench) begin(ctx context.Context, scope rag.Scope, plan Plan) (*job, error) {
	set, err := b.Set(ctx, scope, plan.SetID)
	if err != nil {
		return nil, err
	}
	list, err := b.Questions(ctx, scope, plan.SetID)
	if err != nil {
		return nil, err
	}
	j := &job{Bench: b, scope: scope, filter: filterOf(set), questions: plan.Half.Of(list)}
	if err := b.check(ctx, scope, j.filter, plan, len(j.questions)); err != nil {
		return nil, err
	}
	plan.Questions, plan.Problems = len(j.questions), nil
	plan.Corpus = CorpusState{Embedder: b.o.Embedder, Version: b.o.Version}
	if plan.Corpus.Documents, plan.Corpus.Units, err = b.o.Corpus.CorpusSize(ctx, scope, j.filter); err != nil {
		return nil, err
	}
	j.run = Run{
		SetID: set.ID, Name: plan.Name, State: rag.RunRunning, Total: len(j.questions) * len(plan.Settings), Plan: plan,
	}
	stored, err := rowOf(j.run)
	if err != nil {
		return nil, err
	}
	if stored, err = b.rows.CreateRun(ctx, scope, stored); err != nil {
		return nil, err
	}
	j.run, err = runOf(stored)
	j.outcomes = make([][]Outcome, len(plan.Settings))
	return j, err
}

func (b *Bench) check(ctx context.Context, scope rag.Scope, f rag.Filter, plan Plan, questions int) error {
	switch {
	case questions == 0:
		return rag.Errorf(rag.CodeInvalid, "There is no question in the set or in this half of it. Import some first.")
	case len(plan.Settings) == 0:
		return rag.Errorf(rag.CodeInvalid, "Choose at least one setting to measure.")
	case len(plan.Settings) > maxSettings:
		return rag.Errorf(rag.CodeInvalid, "One run compares at most %d settings.", maxSettings)
	}
	sets, err := b.o.Corpus.CommonSets(ctx, scope, f)
	if err != nil {
		return err
	}
	for _, s := range plan.Settings {
		if err := s.Validate(); err != nil {
			return err
		}
		if s.Strategy == nil || plan.AddChunks {
			continue
		}
		if set := s.Strategy.UnitSet(b.o.Chunks); set != rag.SentenceSet && !slices.Contains(sets, set) {
			return rag.Errorf(rag.CodeInvalid, "Not every document is cut into chunks of %s. Add them with the run (--chunks), or leave this setting out.", s.Strategy)
		}
	}
	return nil
}

func filterOf(set QuestionSet) rag.Filter {
	if set.SpaceID == 0 {
		return rag.Filter{}
	}
	return rag.Filter{Spaces: []int64{set.SpaceID}}
}
