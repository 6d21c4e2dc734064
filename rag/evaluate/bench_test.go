package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/retrieve"
)

// rows is a store in memory with one set and the runs of it.
type rows struct {
	Rows
	mu        sync.Mutex
	questions []rag.EvalQuestion
	runs      map[int64]rag.EvalRun
	cancel    bool
	signs     chan struct{} // when set, gets one for each progress stored
	readings  map[int64]*rag.Reading
}

func (r *rows) QuestionSet(_ context.Context, _ rag.Scope, id int64) (rag.QuestionSet, error) {
	if id != 1 {
		return rag.QuestionSet{}, rag.Errorf(rag.CodeNotFound, "There is no such question set.")
	}
	return rag.QuestionSet{ID: 1, Name: "Set", SpaceID: 4, Space: "Ops"}, nil
}

func (r *rows) EvalQuestions(context.Context, rag.Scope, int64) ([]rag.EvalQuestion, error) {
	return r.questions, nil
}

func (r *rows) AddQuestionTo(_ context.Context, _ rag.Scope, _ int64, q rag.EvalQuestion) error {
	r.questions = append(r.questions, q)
	return nil
}

func (r *rows) PutQuestions(_ context.Context, _ rag.Scope, _ int64, list []rag.EvalQuestion) (added, changed int, err error) {
	r.questions = append(r.questions, list...)
	return len(list), 0, nil
}

func (r *rows) CreateRun(_ context.Context, _ rag.Scope, run rag.EvalRun) (rag.EvalRun, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	run.ID = int64(len(r.runs) + 1)
	r.runs[run.ID] = run
	return run, nil
}

func (r *rows) SaveRunProgress(context.Context, rag.Scope, int64, int, int) (bool, error) {
	if r.signs != nil {
		r.signs <- struct{}{}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.cancel, nil
}

func (r *rows) CancelRun(context.Context, rag.Scope, int64) error { return nil }

func (r *rows) FinishRun(ctx context.Context, _ rag.Scope, run rag.EvalRun) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.runs[run.ID] = run
	return ctx.Err()
}

func (r *rows) Run(_ context.Context, _ rag.Scope, id int64, _ bool) (rag.EvalRun, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.runs[id], nil
}

func (r *rows) Readings(context.Context, rag.Scope, []int64) (map[int64]*rag.Reading, error) {
	return r.readings, nil
}

// finder is a retriever made by a test.
type finder func(ctx context.Context, req retrieve.Request) (retrieve.Result, error)

func (f finder) Retrieve(ctx context.Context, req retrieve.Request) (retrieve.Result, error) {
	return f(ctx, req)
}

type bundle struct {
	*Bench
	rows  *rows
	shelf *shelf
	plan  Plan
}

const pump = "Die Pumpe läuft. Prüfe den Druck. Öffne das Ventil."

// setup makes a bench with two documents and three questions; the retriever
// finds the first document whole.
func setup(t *testing.T, find finder) bundle {
	t.Helper()
	b := bundle{
		rows:  &rows{runs: map[int64]rag.EvalRun{}},
		shelf: &shelf{sources: []rag.Source{source(1, "Ops", "pump.md", "runbook", pump), source(2, "Ops", "other.md", "note", "Über anderes.")}},
		plan:  Plan{SetID: 1, Seed: 1, Settings: []Setting{{Strategy: window(0)}, {Strategy: window(1)}}},
	}
	if find == nil {
		find = func(context.Context, retrieve.Request) (retrieve.Result, error) {
			return found(b.passage(1, 0, len(pump))), nil
		}
	}
	b.Bench = NewBench(Options{
		Retriever: find, Corpus: b.shelf, Rows: b.rows, Tokens: wordTokens{}, Embedder: "e/1", Version: "v1", Log: slog.New(slog.DiscardHandler),
	})
	t.Cleanup(func() { require.NoError(t, b.Close(context.WithoutCancel(t.Context()))) })
	_, _, err := b.Put(t.Context(), rag.Scope{}, 1, []Question{
		{ID: "druck", Text: "Druck?", Kind: KindSpan, Target: Target{DocID: "pump.md", Spans: []AnswerSpan{{17, 33, "Prüfe den Druck."}}}},
		{ID: "gone", Text: "Gone?", Kind: KindDocument, Target: Target{DocID: "gone.md"}},
		{ID: "never", Text: "Never?", Kind: KindUnanswerable},
	})
	require.NoError(t, err)
	return b
}

func (b bundle) passage(id int64, start, end int, gaps ...rag.Span) rag.Passage {
	s := b.shelf.sources[id-1]
	span := rag.Span{Start: start, End: end}
	return rag.Passage{Document: s.Document, Version: s.Document.VersionID, Span: span, Gaps: gaps, Tokens: wordTokens{}.Count(span.In(s.Text))}
}

func found(passages ...rag.Passage) retrieve.Result { return retrieve.Result{Passages: passages} }

func TestRunMeasuresEveryQuestionUnderEverySetting(t *testing.T) {
	t.Parallel()
	var order []string
	var b bundle
	b = setup(t, func(_ context.Context, req retrieve.Request) (retrieve.Result, error) {
		order = append(order, fmt.Sprint(req.Question, req.Strategy.K))
		require.Equal(t, []int64{4}, req.Filter.Spaces)
		require.Equal(t, "anna", req.Scope.User)
		if req.Question == "Never?" {
			return retrieve.Result{Refused: true}, nil
		}
		gap := strings.Index(pump, "Öffne")
		return found(b.passage(2, 0, 5), b.passage(1, 0, len(pump), rag.Span{Start: gap, End: gap + len("Öffne das ")})), nil
	})
	var told []Progress
	run, err := b.Measure(t.Context(), rag.Scope{User: "anna"}, b.plan, func(p Progress) { told = append(told, p) })
	require.NoError(t, err)
	require.Equal(t, rag.RunDone, run.State)
	require.Equal(t, CorpusState{Documents: 2, Units: 7, Embedder: "e/1", Version: "v1"}, run.Plan.Corpus)
	require.Equal(t, []Problem{{Question: "gone", Why: `There is no document "gone.md".`, LeftOut: true}}, run.Plan.Problems)
	require.Equal(t, []string{"Druck?0", "Druck?1", "Never?0", "Never?1"}, order, "settings take turns in being the first")
	require.Equal(t, Progress{4, 4}, told[len(told)-1])
	require.Equal(t, 3, run.Plan.Questions)

	r := run.Results[0]
	require.Equal(t, 2, r.Questions)
	require.Equal(t, []string{"runbook"}, r.TypeNames())
	o := r.Outcomes[0]
	require.Equal(t, []Context{ // the gap makes two contexts of one rank
		{DocID: "other.md", Space: "Ops", Start: 0, End: 4, Rank: 1},
		{DocID: "pump.md", Space: "Ops", Start: 0, End: 34, Rank: 2},
		{DocID: "pump.md", Space: "Ops", Start: 44, End: 51, Rank: 2},
	}, o.Contexts)
	require.InDelta(t, 45, o.Values[Chars], 0)
	require.InDelta(t, 10, o.Values[Tokens], 0)
	require.InDelta(t, 1, o.Values[Found], 0)
	require.InDelta(t, 0.5, o.Values[MRR], 0)
	require.InDelta(t, 1, o.Values[TokenRecall], 0)
	require.InDelta(t, 3.0/10, o.Values[TokenPrecision], 1e-9)
	require.InDelta(t, 1, r.Total[RefusedRightly].Mean, 0)
	require.InDelta(t, 0, r.Total[RefusedWrongly].Mean, 0)

	stored, err := b.Run(t.Context(), rag.Scope{}, run.ID, true)
	require.NoError(t, err)
	require.Equal(t, run.Results, stored.Results)
	require.Equal(t, run.Plan, stored.Plan)
}

func TestRepeatedQuestionsAreMarked(t *testing.T) {
	t.Parallel()
	b := setup(t, func(context.Context, retrieve.Request) (retrieve.Result, error) {
		return retrieve.Result{Refused: true}, nil
	})
	b.rows.questions = nil
	_, _, err := b.Put(t.Context(), rag.Scope{}, 1, []Question{
		{ID: "a", Text: "Which pump?", Kind: KindUnanswerable},
		{ID: "b", Text: " which  pump?", Kind: KindUnanswerable},
		{ID: "c", Text: "Which pumps?", Kind: KindUnanswerable},
	})
	require.NoError(t, err)
	run, err := b.Measure(t.Context(), rag.Scope{}, b.plan, nil)
	require.NoError(t, err)
	var repeats []string
	for _, o := range run.Results[0].Outcomes {
		repeats = append(repeats, o.Question+" "+o.Repeats)
	}
	require.Equal(t, []string{"a ", "b a", "c "}, repeats)
}

func TestRunsThatEndEarly(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		find     func(b *bundle, calls int, cancel func()) (retrieve.Result, error)
		state    rag.RunState
		failure  string
		measured int
	}{
		{"cancelled in the second question", func(b *bundle, calls int, cancel func()) (retrieve.Result, error) {
			if calls == 3 {
				cancel()
			}
			return found(b.passage(1, 0, 9)), nil
		}, rag.RunCancelled, "", 1},
		{"cancelled from elsewhere at the first question", func(b *bundle, _ int, _ func()) (retrieve.Result, error) {
			b.rows.mu.Lock()
			defer b.rows.mu.Unlock()
			b.rows.cancel = true
			return found(b.passage(1, 0, 9)), nil
		}, rag.RunCancelled, "", 0},
		{"the retriever refuses", func(b *bundle, calls int, _ func()) (retrieve.Result, error) {
			if calls == 4 {
				return retrieve.Result{}, rag.Errorf(rag.CodeUnavailable, "The database cannot be reached.")
			}
			return found(b.passage(1, 0, 9)), nil
		}, rag.RunFailed, "The database cannot be reached.", 1},
		{"the embedder is away", func(*bundle, int, func()) (retrieve.Result, error) {
			return retrieve.Result{Trace: retrieve.Trace{WordsOnly: true}}, nil
		}, rag.RunFailed, "The embedder did not answer", 0},
		{"a fault without a message", func(*bundle, int, func()) (retrieve.Result, error) {
			return retrieve.Result{}, errors.New("secret host 10.0.0.7")
		}, rag.RunFailed, "Something went wrong here", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			calls := 0
			var b bundle
			b = setup(t, func(ctx context.Context, _ retrieve.Request) (retrieve.Result, error) {
				calls++
				res, err := tt.find(&b, calls, cancel)
				return res, errors.Join(err, ctx.Err())
			})
			run, err := b.Measure(ctx, rag.Scope{}, b.plan, nil)
			require.Equal(t, tt.state == rag.RunFailed, err != nil, "%v", err)
			stored := b.rows.runs[run.ID]
			require.Equal(t, tt.state, stored.State)
			require.Contains(t, stored.Failure, tt.failure)
			require.NotContains(t, stored.Failure, "10.0.0.7")
			require.Len(t, stored.Results, 2)
			for _, r := range run.Results { // all settings compare the same questions
				require.Equal(t, tt.measured, r.Questions)
			}
		})
	}
}

func TestReplacedDocumentIsReported(t *testing.T) {
	t.Parallel()
	var b bundle
	b = setup(t, func(context.Context, retrieve.Request) (retrieve.Result, error) {
		p := b.passage(1, 0, 9)
		p.Version = 11 // newer than the one in which the answer was found
		return found(p), nil
	})
	b.rows.questions = b.rows.questions[:1]
	run, err := b.Measure(t.Context(), rag.Scope{}, b.plan, nil)
	require.NoError(t, err)
	require.Equal(t, rag.RunDone, run.State)
	require.Zero(t, run.Results[0].Questions)
	require.Len(t, run.Plan.Problems, 1)
	require.Contains(t, run.Plan.Problems[0].Why, "was replaced")
	require.Empty(t, run.Results[0].Total)
}

func TestPlansAreChecked(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	fixed := Setting{Strategy: &rag.Strategy{Kind: rag.FixedTokens, Size: 64}}
	for _, tt := range []struct {
		name string
		plan Plan
		code rag.Code
		want string
	}{
		{"no set", Plan{SetID: 2, Settings: []Setting{{}}}, rag.CodeNotFound, "no such question set"},
		{"no setting", Plan{SetID: 1}, rag.CodeInvalid, "at least one setting"},
		{"too many", Plan{SetID: 1, Settings: make([]Setting, 501)}, rag.CodeInvalid, "at most 500"},
		{"a setting out of range", Plan{SetID: 1, Settings: []Setting{{Top: -1}}}, rag.CodeInvalid, "from 1 to 100"},
		{"chunks that are missing", Plan{SetID: 1, Settings: []Setting{fixed}}, rag.CodeInvalid, "--chunks"},
	} {
		_, err := b.Measure(t.Context(), rag.Scope{}, tt.plan, nil)
		require.Equal(t, tt.code, rag.ErrorCode(err), tt.name)
		require.Contains(t, rag.ErrorMessage(err), tt.want, tt.name)
		require.Empty(t, b.rows.runs, tt.name)
	}
	var prepared []string
	b.o.Prepare = func(_ context.Context, f rag.Filter, s *rag.Strategy) error {
		prepared = append(prepared, fmt.Sprint(f.Spaces, s))
		return nil
	}
	_, err := b.Measure(t.Context(), rag.Scope{}, Plan{SetID: 1, AddChunks: true, Settings: []Setting{fixed, {}}}, nil)
	require.NoError(t, err)
	require.Equal(t, []string{"[4] fixed_tokens 64/0", "[4] <nil>"}, prepared)

	b.shelf.sets = []rag.UnitSet{"tokens-64-0", rag.SentenceSet}
	_, err = b.Measure(t.Context(), rag.Scope{}, Plan{SetID: 1, Settings: []Setting{fixed}}, nil)
	require.NoError(t, err)
	list, err := b.ChunkStrategies(t.Context(), rag.Scope{}, 1)
	require.NoError(t, err)
	require.Equal(t, []rag.Strategy{*fixed.Strategy}, list)

	b.rows.questions = nil
	_, err = b.Measure(t.Context(), rag.Scope{}, b.plan, nil)
	require.ErrorContains(t, err, "no question")
}

func TestRunsInTheBackground(t *testing.T) {
	t.Parallel()
	begun, hold := make(chan struct{}), make(chan struct{})
	var once sync.Once
	var b bundle
	b = setup(t, func(ctx context.Context, _ retrieve.Request) (retrieve.Result, error) {
		once.Do(func() { close(begun) })
		select {
		case <-hold:
			return found(b.passage(1, 0, 9)), nil
		case <-ctx.Done():
			return retrieve.Result{}, ctx.Err()
		}
	})
	ctx, cancel := context.WithCancel(t.Context())
	run, err := b.Start(ctx, rag.Scope{}, b.plan)
	require.NoError(t, err)
	require.Equal(t, rag.RunRunning, run.State)
	cancel() // the request is over, the run goes on
	<-begun
	_, err = b.Start(t.Context(), rag.Scope{}, b.plan)
	require.Equal(t, rag.CodeConflict, rag.ErrorCode(err))
	require.NoError(t, b.CancelRun(t.Context(), rag.Scope{}, run.ID))
	b.wg.Wait()
	require.Equal(t, rag.RunCancelled, b.rows.runs[run.ID].State)

	close(hold)
	run, err = b.Start(t.Context(), rag.Scope{}, b.plan)
	require.NoError(t, err)
	b.wg.Wait()
	require.Equal(t, rag.RunDone, b.rows.runs[run.ID].State)
	require.Empty(t, b.cancels)

	require.NoError(t, b.Close(t.Context()))
	_, err = b.Start(t.Context(), rag.Scope{}, b.plan)
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
}

func TestCloseCancelsRuns(t *testing.T) {
	t.Parallel()
	begun := make(chan struct{}, 1)
	b := setup(t, func(ctx context.Context, _ retrieve.Request) (retrieve.Result, error) {
		begun <- struct{}{}
		<-ctx.Done()
		return retrieve.Result{}, ctx.Err()
	})
	run, err := b.Start(t.Context(), rag.Scope{}, b.plan)
	require.NoError(t, err)
	<-begun
	require.NoError(t, b.Close(t.Context()))
	require.Equal(t, rag.RunCancelled, b.rows.runs[run.ID].State)
}

func TestDraftsBecomeQuestions(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.rows.readings = map[int64]*rag.Reading{
		10: {Version: 10, Document: b.shelf.sources[0].Document, Text: pump},
		20: {Version: 20, Document: b.shelf.sources[1].Document, Text: b.shelf.sources[1].Text},
	}
	at := strings.Index(pump, "Prüfe")
	q, err := b.AddDraft(t.Context(), rag.Scope{}, 1, Draft{ID: "message-7", Question: "Wie hoch?", Note: "n", Places: []rag.Place{
		{Version: 10, Span: rag.Span{Start: at, End: at + len("Prüfe den Druck.")}}, {Version: 20, Span: rag.Span{Start: 0, End: 5}}, {Version: 10, Span: rag.Span{Start: 0, End: 3}},
	}})
	require.NoError(t, err)
	require.Equal(t, Question{
		ID: "message-7", Text: "Wie hoch?", Kind: KindSpan, Note: "n",
		Target:       Target{DocID: "pump.md", Space: "Ops", Spans: []AnswerSpan{{17, 33, "Prüfe den Druck."}, {0, 3, "Die"}}},
		Alternatives: []Target{{DocID: "other.md", Space: "Ops", Spans: []AnswerSpan{{0, 4, "Über"}}}},
	}, q)
	var kept Question
	require.NoError(t, json.Unmarshal(b.rows.questions[3].Body, &kept))
	require.Equal(t, q, kept)

	q, err = b.AddDraft(t.Context(), rag.Scope{}, 1, Draft{ID: "message-8", Question: "Nie?", Unanswerable: true})
	require.NoError(t, err)
	require.Equal(t, KindUnanswerable, q.Kind)
	for _, d := range []Draft{
		{ID: "x", Question: "?"},
		{ID: "x", Question: "?", Places: []rag.Place{{Version: 10, Span: rag.Span{Start: 0, End: 999}}}},
		{ID: "x", Question: "?", Places: []rag.Place{{Version: 99, Span: rag.Span{Start: 0, End: 9}}}},
		{ID: "x", Question: "?", Unanswerable: true, Places: []rag.Place{{Version: 10, Span: rag.Span{Start: 0, End: 3}}}},
	} {
		_, err := b.AddDraft(t.Context(), rag.Scope{}, 1, d)
		require.True(t, slices.Contains([]rag.Code{rag.CodeInvalid, rag.CodeNotFound}, rag.ErrorCode(err)), "%v", err)
	}
	require.Len(t, b.rows.questions, 5)
	_, _, err = b.Put(t.Context(), rag.Scope{}, 1, []Question{q, q})
	require.ErrorContains(t, err, "stands twice")
}

func TestReportsHoldEverything(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	_, _, err := b.Put(t.Context(), rag.Scope{}, 1, []Question{{ID: "=cmd()", Text: "?", Kind: KindUnanswerable}})
	require.NoError(t, err)
	run, err := b.Measure(t.Context(), rag.Scope{}, b.plan, nil)
	require.NoError(t, err)
	var out strings.Builder
	require.NoError(t, WriteCSV(&out, run))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Equal(t, "number,setting,doc_type,measure,mean,low,high,n,p50,p95", lines[0])
	require.Contains(t, lines, "1,sentence_window k=0,runbook,found,1,1,1,1,,")
	require.Contains(t, lines, "2,sentence_window k=1,,chars,51,51,51,3,51,51")
	out.Reset()
	require.NoError(t, WriteOutcomesCSV(&out, run))
	require.Equal(t, 1+2*3, strings.Count(out.String(), "\n"))
	require.Contains(t, out.String(), "'=cmd()", "a spreadsheet must not run it")
	out.Reset()
	require.NoError(t, WriteJSON(&out, run))
	var report map[string]any
	require.NoError(t, json.Unmarshal([]byte(out.String()), &report))
	require.Equal(t, "done", report["state"])
	require.Len(t, report["results"], 2)
}
