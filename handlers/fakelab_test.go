package handlers_test

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/handlers"
	"passage/rag"
	"passage/rag/evaluate"
	"passage/rag/retrieve"
)

// lab measures as the program does, on question sets and runs that are kept in
// memory and on a search that knows where each answer stands.
type lab struct {
	*evaluate.Bench
	rows  *evalRows
	found *finder
	tuned []string // what SetStrategy was called with
	types []rag.DocType
	mu    sync.Mutex
}

// withLab gives a site the pages of the evaluation.
func withLab(l *lab) option {
	return func(c *handlers.Config, s *site) {
		l.rows = &evalRows{store: s.store, bodies: map[int64][]rag.EvalQuestion{}}
		l.found = &finder{store: s.store}
		l.types = rag.DefaultDocTypes()
		l.Bench = evaluate.NewBench(evaluate.Options{
			Retriever: l.found, Corpus: corpus{s.store}, Rows: l.rows, Tokens: spaces{}, Log: slog.New(slog.DiscardHandler), Version: "test",
		})
		c.Evaluation, c.Tuner, c.Store = l, l, tunedStore{s.store, l}
	}
}

func newLab(t *testing.T) *lab {
	t.Helper()
	l := &lab{}
	t.Cleanup(func() {
		if l.Bench != nil {
			l.found.release()
			require.NoError(t, l.Close(context.Background()))
		}
	})
	return l
}

func (l *lab) SetStrategy(_ context.Context, docType string, s rag.Strategy) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	i := slices.IndexFunc(l.types, func(t rag.DocType) bool { return t.Name == docType })
	if i < 0 {
		return gone("document type")
	}
	l.types[i].Strategy = s
	l.tuned = append(l.tuned, docType+": "+s.String())
	return nil
}

// tunedStore is the store with the document types as they were changed.
type tunedStore struct {
	*memory
	lab *lab
}

func (s tunedStore) DocTypes(context.Context) ([]rag.DocType, error) {
	s.lab.mu.Lock()
	defer s.lab.mu.Unlock()
	return slices.Clone(s.lab.types), nil
}

// evaluated puts a set of questions into the lab, n for each of two documents,
// and measures it under the settings of a sweep.
func (l *lab) evaluated(t *testing.T, s *site, n int, sweep, name string) evaluate.Run {
	t.Helper()
	set, err := l.EnsureSet(t.Context(), scope(nil), 0, "Steps and facts")
	require.NoError(t, err)
	questions, err := evaluate.Read(strings.NewReader(l.questions(s, n)), "questions.jsonl", nil)
	require.NoError(t, err)
	_, _, err = l.Put(t.Context(), scope(nil), set.ID, questions)
	require.NoError(t, err)
	sw, err := evaluate.NamedSweep(sweep, nil)
	require.NoError(t, err)
	settings, err := sw.Settings()
	require.NoError(t, err)
	key := fmt.Sprint(n, sweep)
	measuredRuns.Lock()
	defer measuredRuns.Unlock()
	stored, ok := measuredRuns.byKey[key]
	if !ok { // the figures are the same each time, and the intervals take a while
		run, err := l.Measure(t.Context(), scope(nil), evaluate.Plan{SetID: set.ID, Settings: settings, Seed: 1}, nil)
		require.NoError(t, err)
		stored, err = l.rows.Run(t.Context(), scope(nil), run.ID, true)
		require.NoError(t, err)
		measuredRuns.byKey[key] = stored
		l.rows.rename(run.ID, name)
		run.Name = name
		return run
	}
	stored.SetID, stored.Name = set.ID, name
	created, err := l.rows.CreateRun(t.Context(), scope(nil), stored)
	require.NoError(t, err)
	stored.ID = created.ID
	require.NoError(t, l.rows.FinishRun(t.Context(), scope(nil), stored))
	run, err := l.Run(t.Context(), scope(nil), created.ID, true)
	require.NoError(t, err)
	return run
}

// measuredRuns are runs that some test has made already.
var measuredRuns = struct {
	sync.Mutex
	byKey map[string]rag.EvalRun
}{byKey: map[string]rag.EvalRun{}}

func (e *evalRows) rename(id int64, name string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for i := range e.runs {
		if e.runs[i].ID == id {
			e.runs[i].Name = name
		}
	}
}

// questions are lines of a file: n about the runbook, whose answer is all its
// steps or a part of them, and n about a design document.
func (l *lab) questions(s *site, n int) string {
	runbook := s.store.put("Platform", "runbooks/kafka/drain.md", "runbook", "Drain", longText(60), day)
	design := s.store.put("Platform", "design/orders.md", "design_doc", "Orders", longText(90), day)
	var b strings.Builder
	for i := range n {
		for _, d := range []rag.Document{runbook, design} {
			text := s.store.versions[d.VersionID].Text
			at := strings.Index(text, fmt.Sprintf("Sentence %d ", 3+i*2))
			length := 60 + (i%5)*130
			if d.ID == design.ID {
				length = 50
			}
			end := min(at+length, len(text))
			line, _ := json.Marshal(map[string]any{
				"id": fmt.Sprintf("%s-%d", d.DocType, i), "question": fmt.Sprintf("What about sentence %d of %s?", i, d.Title), "doc_id": d.SourceURI,
				"answer_spans": []map[string]any{{"start": at, "end": end, "text": text[at:end]}},
			})
			b.Write(line)
			b.WriteByte('\n')
			l.found.know(fmt.Sprintf("What about sentence %d of %s?", i, d.Title), d, rag.Span{Start: at, End: min(at+50, end)}, i%7 == 3)
		}
	}
	return b.String()
}

func longText(n int) string {
	var b strings.Builder
	b.WriteString("# A text\n\n")
	for i := range n {
		fmt.Fprintf(&b, "Sentence %d says what stands at this place.\n", i)
	}
	return b.String()
}

// finder finds what it was told of and grows it by the strategy.
type finder struct {
	store *memory
	mu    sync.Mutex
	known map[string]passageOf
	gate  chan struct{} // a retrieval takes one out; nil: none waits
}

type passageOf struct {
	doc    rag.Document
	span   rag.Span
	missed bool
}

func (f *finder) know(question string, d rag.Document, s rag.Span, missed bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.known == nil {
		f.known = map[string]passageOf{}
	}
	f.known[question] = passageOf{d, s, missed}
}

// hold lets retrievals wait until they are released.
func (f *finder) hold() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.gate = make(chan struct{})
}

func (f *finder) release() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.gate != nil {
		close(f.gate)
		f.gate = nil
	}
}

func (f *finder) Retrieve(ctx context.Context, req retrieve.Request) (retrieve.Result, error) {
	f.mu.Lock()
	p, ok, gate := f.known[req.Question], f.known != nil, f.gate
	f.mu.Unlock()
	if gate != nil {
		select {
		case <-gate:
		case <-ctx.Done():
			return retrieve.Result{}, ctx.Err()
		}
	}
	if !ok || p.doc.ID == 0 {
		return retrieve.Result{Refused: true}, nil
	}
	r, err := f.store.Reading(ctx, req.Scope, p.doc.ID, 0)
	if err != nil {
		return retrieve.Result{}, err
	}
	grow := 200
	if s := req.Strategy; s != nil {
		grow = map[rag.StrategyKind]int{rag.SentenceWindow: 90 * s.K, rag.ParentSection: s.Cap}[s.Kind]
		grow += map[rag.Extent]int{rag.ExtentParagraph: 300, rag.ExtentSection: 1500}[s.Extent]
	}
	at := p.span
	if p.missed {
		at = rag.Span{Start: 0, End: 50}
	}
	span := rag.Span{Start: max(at.Start-grow/2, 0), End: min(at.End+grow, len(r.Text))}
	passage := rag.Passage{Document: r.Document, Version: r.Version, Span: span, Text: span.In(r.Text)}
	passage.Tokens = spaces{}.Count(passage.Text)
	return retrieve.Result{Passages: []rag.Passage{passage}}, nil
}

// spaces takes what ends at a space for a token.
type spaces struct{}

func (spaces) Count(text string) int { return len(strings.Fields(text)) }

func (spaces) Ends(text string) []int {
	var ends []int
	for i, r := range text {
		if r == ' ' || r == '\n' {
			ends = append(ends, i+1)
		}
	}
	return append(ends, len(text))
}

// corpus is the store as an evaluation sees it.
type corpus struct{ *memory }

func (c corpus) Sources(_ context.Context, scope rag.Scope, spaces []int64, uris []string) ([]rag.Source, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found []rag.Source
	for _, d := range c.docs {
		if slices.Contains(uris, d.SourceURI) && scope.Reads(d.SpaceID) && (spaces == nil || slices.Contains(spaces, d.SpaceID)) {
			found = append(found, rag.Source{Document: d, Text: c.versions[d.VersionID].Text})
		}
	}
	return found, nil
}

func (c corpus) Texts(_ context.Context, _ rag.Scope, ids []int64) (map[int64]string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	texts := map[int64]string{}
	for _, id := range ids {
		if v := c.versions[id]; v != nil {
			texts[id] = v.Text
		}
	}
	return texts, nil
}

func (c corpus) CorpusSize(context.Context, rag.Scope, rag.Filter) (documents, units int, err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.docs), 10 * len(c.docs), nil
}

func (corpus) CommonSets(context.Context, rag.Scope, rag.Filter) ([]rag.UnitSet, error) {
	return []rag.UnitSet{rag.SentenceSet}, nil
}

// evalRows keeps question sets and runs in memory.
type evalRows struct {
	store *memory

	mu     sync.Mutex
	sets   []rag.QuestionSet
	bodies map[int64][]rag.EvalQuestion
	runs   []rag.EvalRun
	cancel map[int64]bool
}

func (e *evalRows) set(scope rag.Scope, id int64) (*rag.QuestionSet, error) {
	for i := range e.sets {
		if e.sets[i].ID == id && (scope.All || scope.Reads(e.sets[i].SpaceID)) {
			return &e.sets[i], nil
		}
	}
	return nil, gone("question set")
}

func (e *evalRows) run(scope rag.Scope, id int64) (*rag.EvalRun, error) {
	for i := range e.runs {
		if _, err := e.set(scope, e.runs[i].SetID); e.runs[i].ID == id && err == nil {
			return &e.runs[i], nil
		}
	}
	return nil, gone("run")
}

func (e *evalRows) EnsureQuestionSet(ctx context.Context, scope rag.Scope, spaceID int64, name string) (rag.QuestionSet, error) {
	spaces, err := e.store.Spaces(ctx, scope)
	if err != nil {
		return rag.QuestionSet{}, err
	}
	space := ""
	if i := slices.IndexFunc(spaces, func(s rag.Space) bool { return s.ID == spaceID }); i >= 0 {
		space = spaces[i].Name
	} else if spaceID != 0 || !scope.All {
		return rag.QuestionSet{}, gone("space")
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range e.sets {
		if s.Name == name && s.SpaceID == spaceID {
			return s, nil
		}
	}
	e.sets = append(e.sets, rag.QuestionSet{ID: int64(len(e.sets) + 1), Name: name, SpaceID: spaceID, Space: space, Created: day, Updated: day})
	return e.sets[len(e.sets)-1], nil
}

func (e *evalRows) QuestionSets(_ context.Context, scope rag.Scope) ([]rag.QuestionSet, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []rag.QuestionSet
	for _, s := range e.sets {
		if _, err := e.set(scope, s.ID); err == nil {
			all = append(all, s)
		}
	}
	slices.SortFunc(all, func(a, b rag.QuestionSet) int { return cmp.Compare(a.Name, b.Name) })
	return all, nil
}

func (e *evalRows) QuestionSet(_ context.Context, scope rag.Scope, id int64) (rag.QuestionSet, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.set(scope, id)
	if err != nil {
		return rag.QuestionSet{}, err
	}
	return *s, nil
}

func (e *evalRows) DeleteQuestionSet(context.Context, rag.Scope, int64) error { return nil }

func (e *evalRows) PutQuestions(_ context.Context, scope rag.Scope, setID int64, questions []rag.EvalQuestion) (added, changed int, err error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.set(scope, setID)
	if err != nil {
		return 0, 0, err
	}
	for _, q := range questions {
		if i := slices.IndexFunc(e.bodies[setID], func(o rag.EvalQuestion) bool { return o.ID == q.ID }); i >= 0 {
			e.bodies[setID][i] = q
			changed++
			continue
		}
		e.bodies[setID] = append(e.bodies[setID], q)
		added++
	}
	s.Questions = len(e.bodies[setID])
	return added, changed, nil
}

func (e *evalRows) AddQuestionTo(ctx context.Context, scope rag.Scope, setID int64, q rag.EvalQuestion) error {
	e.mu.Lock()
	taken := slices.ContainsFunc(e.bodies[setID], func(o rag.EvalQuestion) bool { return o.ID == q.ID })
	e.mu.Unlock()
	if taken {
		return rag.Errorf(rag.CodeConflict, "The set has a question of that id already.")
	}
	_, _, err := e.PutQuestions(ctx, scope, setID, []rag.EvalQuestion{q})
	return err
}

func (e *evalRows) EvalQuestions(_ context.Context, scope rag.Scope, setID int64) ([]rag.EvalQuestion, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if _, err := e.set(scope, setID); err != nil {
		return nil, err
	}
	return slices.Clone(e.bodies[setID]), nil
}

func (e *evalRows) DeleteEvalQuestion(context.Context, rag.Scope, int64, string) error { return nil }

func (e *evalRows) CreateRun(_ context.Context, scope rag.Scope, r rag.EvalRun) (rag.EvalRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s, err := e.set(scope, r.SetID)
	if err != nil {
		return rag.EvalRun{}, err
	}
	r.ID, r.Set, r.SpaceID, r.Started, r.State = int64(len(e.runs)+1), s.Name, s.SpaceID, day.Add(time.Duration(len(e.runs))*time.Hour), rag.RunRunning
	e.runs = append(e.runs, r)
	return r, nil
}

func (e *evalRows) SaveRunProgress(_ context.Context, scope rag.Scope, id int64, done, total int) (bool, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.run(scope, id)
	if err != nil {
		return false, err
	}
	r.Done, r.Total = done, total
	return e.cancel[id], nil
}

func (e *evalRows) FinishRun(_ context.Context, scope rag.Scope, run rag.EvalRun) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.run(scope, run.ID)
	if err != nil {
		return err
	}
	r.State, r.Done, r.Total, r.Failure, r.Plan, r.Results, r.Finished = run.State, run.Done, run.Total, run.Failure, run.Plan, run.Results, day
	return nil
}

func (e *evalRows) CancelRun(_ context.Context, scope rag.Scope, id int64) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.run(scope, id)
	if err != nil {
		return err
	}
	if r.State != rag.RunRunning {
		return rag.Errorf(rag.CodeConflict, "The run has ended already.")
	}
	if e.cancel == nil {
		e.cancel = map[int64]bool{}
	}
	e.cancel[id] = true
	return nil
}

func (e *evalRows) Runs(_ context.Context, scope rag.Scope, setID int64, limit int) ([]rag.EvalRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	var all []rag.EvalRun
	for _, r := range slices.Backward(e.runs) {
		if _, err := e.set(scope, r.SetID); err == nil && (setID == 0 || r.SetID == setID) {
			r.Results = nil
			all = append(all, r)
		}
	}
	return all[:min(limit, len(all))], nil
}

func (e *evalRows) Run(_ context.Context, scope rag.Scope, id int64, outcomes bool) (rag.EvalRun, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, err := e.run(scope, id)
	if err != nil {
		return rag.EvalRun{}, err
	}
	got := *r
	got.Results = slices.Clone(r.Results)
	for i := range got.Results {
		if !outcomes {
			got.Results[i].Outcomes = nil
		}
	}
	return got, nil
}

func (e *evalRows) DeleteRun(context.Context, rag.Scope, int64) error { return nil }

func (e *evalRows) Readings(ctx context.Context, scope rag.Scope, ids []int64) (map[int64]*rag.Reading, error) {
	return e.store.Readings(ctx, scope, ids)
}
