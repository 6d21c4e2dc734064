package handlers_test

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"passage/rag"
)

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
