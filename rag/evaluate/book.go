package evaluate

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"passage/rag"
)

// Rows is what the Book needs of the store. What the scope may not read does not
// exist; every method may return CodeNotFound for a set or run that is not there.
type Rows interface {
	EnsureQuestionSet(ctx context.Context, scope rag.Scope, spaceID int64, name string) (rag.QuestionSet, error)
	QuestionSets(ctx context.Context, scope rag.Scope) ([]rag.QuestionSet, error)
	QuestionSet(ctx context.Context, scope rag.Scope, id int64) (rag.QuestionSet, error)
	DeleteQuestionSet(ctx context.Context, scope rag.Scope, id int64) error
	PutQuestions(ctx context.Context, scope rag.Scope, setID int64, questions []rag.EvalQuestion) (added, changed int, err error)
	AddQuestionTo(ctx context.Context, scope rag.Scope, setID int64, q rag.EvalQuestion) error
	EvalQuestions(ctx context.Context, scope rag.Scope, setID int64) ([]rag.EvalQuestion, error)
	DeleteEvalQuestion(ctx context.Context, scope rag.Scope, setID int64, id string) error

	CreateRun(ctx context.Context, scope rag.Scope, run rag.EvalRun) (rag.EvalRun, error)
	SaveRunProgress(ctx context.Context, scope rag.Scope, id int64, done, total int) (cancelled bool, err error)
	FinishRun(ctx context.Context, scope rag.Scope, run rag.EvalRun) error
	CancelRun(ctx context.Context, scope rag.Scope, id int64) error
	Runs(ctx context.Context, scope rag.Scope, setID int64, limit int) ([]rag.EvalRun, error)
	Run(ctx context.Context, scope rag.Scope, id int64, outcomes bool) (rag.EvalRun, error)
	DeleteRun(ctx context.Context, scope rag.Scope, id int64) error

	Readings(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]*rag.Reading, error)
}

// Book keeps question sets and runs: Rows with the words of this package.
type Book struct{ rows Rows }

// NewBook makes a Book over a store.
func NewBook(rows Rows) *Book { return &Book{rows} }

// Sets lists the readable sets by name.
func (b *Book) Sets(ctx context.Context, scope rag.Scope) ([]QuestionSet, error) {
	return b.rows.QuestionSets(ctx, scope)
}

// Set reads one set. Errors: CodeNotFound.
func (b *Book) Set(ctx context.Context, scope rag.Scope, id int64) (QuestionSet, error) {
	return b.rows.QuestionSet(ctx, scope, id)
}

// EnsureSet gives the set of that name in a space (0: over every space) and
// makes it when there is none. Errors: CodeInvalid for an empty or overlong
// name, CodeNotFound for a space the scope does not read.
func (b *Book) EnsureSet(ctx context.Context, scope rag.Scope, spaceID int64, name string) (QuestionSet, error) {
	return b.rows.EnsureQuestionSet(ctx, scope, spaceID, name)
}

// DeleteSet removes a set with its questions and runs. Errors: CodeNotFound.
func (b *Book) DeleteSet(ctx context.Context, scope rag.Scope, id int64) error {
	return b.rows.DeleteQuestionSet(ctx, scope, id)
}

// Put adds questions to a set; one whose id is there already replaces it, where
// it stands. Errors: CodeInvalid for a question that does not validate,
// CodeNotFound.
func (b *Book) Put(ctx context.Context, scope rag.Scope, setID int64, questions []Question) (added, changed int, err error) {
	rows := make([]rag.EvalQuestion, len(questions))
	seen := make(map[string]bool, len(questions))
	for i, q := range questions {
		if seen[q.ID] {
			return 0, 0, rag.Errorf(rag.CodeInvalid, "The id %q stands twice; an id stands once in a set.", q.ID)
		}
		seen[q.ID] = true
		if rows[i], err = row(q); err != nil {
			return 0, 0, err
		}
	}
	return b.rows.PutQuestions(ctx, scope, setID, rows)
}

// Questions reads the questions of a set in the order they were added. Errors:
// CodeNotFound.
func (b *Book) Questions(ctx context.Context, scope rag.Scope, setID int64) ([]Question, error) {
	rows, err := b.rows.EvalQuestions(ctx, scope, setID)
	if err != nil {
		return nil, err
	}
	questions := make([]Question, len(rows))
	for i, r := range rows {
		if err := json.Unmarshal(r.Body, &questions[i]); err != nil {
			return nil, fmt.Errorf("read question %q of set %d: %w", r.ID, setID, err)
		}
	}
	return questions, nil
}

// DeleteQuestion removes one question of a set. Errors: CodeNotFound.
func (b *Book) DeleteQuestion(ctx context.Context, scope rag.Scope, setID int64, id string) error {
	return b.rows.DeleteEvalQuestion(ctx, scope, setID, id)
}

// FeedbackSet is the name of the set that questions with a bad answer go to.
const FeedbackSet = "From feedback"

// Draft is a question as a reader of a bad answer describes it.
type Draft struct {
	ID           string // unique in the set, as "message-17"
	Question     string
	Places       []rag.Place // where the answer stands, in bytes of versions that the scope reads
	Unanswerable bool        // nothing answers it; then there are no places
	Note         string
}

// AddDraft appends a question to a set. The places in the first document are
// what is expected, those in others are alternatives. Errors: CodeInvalid for a
// draft without a question or places, CodeConflict when the set has the id
// already, CodeNotFound for a set, version or span that is not there.
func (b *Book) AddDraft(ctx context.Context, scope rag.Scope, setID int64, d Draft) (Question, error) {
	ids := make([]int64, len(d.Places))
	for i, p := range d.Places {
		ids[i] = p.Version
	}
	readings, err := b.rows.Readings(ctx, scope, ids)
	if err != nil {
		return Question{}, err
	}
	q := Question{ID: d.ID, Text: d.Question, Note: d.Note, Kind: KindSpan}
	if d.Unanswerable {
		q.Kind = KindUnanswerable
	}
	var targets []Target
	for _, p := range d.Places {
		r := readings[p.Version]
		if r == nil || p.Span.Start < 0 || p.Span.Empty() || p.Span.End > len(r.Text) {
			return Question{}, rag.Errorf(rag.CodeNotFound, "A passage of the draft is not there any more.")
		}
		i := slices.IndexFunc(targets, func(t Target) bool {
			return t.DocID == r.Document.SourceURI && t.Space == r.Document.Space
		})
		if i < 0 {
			i = len(targets)
			targets = append(targets, Target{DocID: r.Document.SourceURI, Space: r.Document.Space})
		}
		targets[i].Spans = append(targets[i].Spans, SpanOf(r.Text, p.Span))
	}
	if len(targets) > 0 {
		q.Target, q.Alternatives = targets[0], targets[1:]
	}
	stored, err := row(q)
	if err != nil {
		return Question{}, err
	}
	return q, b.rows.AddQuestionTo(ctx, scope, setID, stored)
}

// row validates a question and makes it ready to be stored.
func row(q Question) (rag.EvalQuestion, error) {
	if err := q.Validate(); err != nil {
		return rag.EvalQuestion{}, err
	}
	body, err := json.Marshal(q)
	return rag.EvalQuestion{ID: q.ID, Body: body}, err
}

// Runs lists the runs of a set, those of every readable set for 0, newest first
// and without results. Errors: CodeNotFound.
func (b *Book) Runs(ctx context.Context, scope rag.Scope, setID int64, limit int) ([]Run, error) {
	rows, err := b.rows.Runs(ctx, scope, setID, limit)
	if err != nil {
		return nil, err
	}
	runs := make([]Run, len(rows))
	for i, r := range rows {
		if runs[i], err = runOf(r); err != nil {
			return nil, err
		}
	}
	return runs, nil
}

// Run reads a run with its results, and their outcomes when they are asked for:
// comparing and advising needs them, a table of means does not. Errors:
// CodeNotFound.
func (b *Book) Run(ctx context.Context, scope rag.Scope, id int64, outcomes bool) (Run, error) {
	r, err := b.rows.Run(ctx, scope, id, outcomes)
	if err != nil {
		return Run{}, err
	}
	return runOf(r)
}

// CancelRun asks a running run to stop, in whichever process it runs; it keeps
// what it measured. Errors: CodeNotFound, CodeConflict when it has ended.
func (b *Book) CancelRun(ctx context.Context, scope rag.Scope, id int64) error {
	return b.rows.CancelRun(ctx, scope, id)
}

// DeleteRun removes a run that has ended. Errors: CodeNotFound, CodeConflict
// while it runs.
func (b *Book) DeleteRun(ctx context.Context, scope rag.Scope, id int64) error {
	return b.rows.DeleteRun(ctx, scope, id)
}

func runOf(r rag.EvalRun) (Run, error) {
	run := Run{
		ID: r.ID, SetID: r.SetID, Set: r.Set, SpaceID: r.SpaceID, Name: r.Name, State: r.State, Done: r.Done, Total: r.Total,
		Failure: r.Failure, Started: r.Started, Finished: r.Finished,
	}
	if err := json.Unmarshal(r.Plan, &run.Plan); err != nil {
		return Run{}, fmt.Errorf("read the plan of run %d: %w", r.ID, err)
	}
	for _, stored := range r.Results {
		var result Result
		if err := json.Unmarshal(stored.Summary, &result); err != nil {
			return Run{}, fmt.Errorf("read a result of run %d: %w", r.ID, err)
		}
		if stored.Outcomes != nil {
			if err := json.Unmarshal(stored.Outcomes, &result.Outcomes); err != nil {
				return Run{}, fmt.Errorf("read the outcomes of run %d: %w", r.ID, err)
			}
		}
		run.Results = append(run.Results, result)
	}
	return run, nil
}

// rowOf makes a run ready to be stored.
func rowOf(run Run) (rag.EvalRun, error) {
	r := rag.EvalRun{
		ID: run.ID, SetID: run.SetID, Name: run.Name, State: run.State, Done: run.Done, Total: run.Total, Failure: run.Failure,
	}
	var err error
	if r.Plan, err = json.Marshal(run.Plan); err != nil {
		return r, err
	}
	for _, result := range run.Results {
		var stored rag.EvalResult
		if stored.Outcomes, err = json.Marshal(result.Outcomes); err != nil {
			return r, err
		}
		result.Outcomes = nil
		if stored.Summary, err = json.Marshal(result); err != nil {
			return r, err
		}
		r.Results = append(r.Results, stored)
	}
	return r, nil
}
