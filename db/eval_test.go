package db_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func evalQuestion(id, body string) rag.EvalQuestion {
	return rag.EvalQuestion{ID: id, Body: json.RawMessage(body)}
}

// set makes a set with two questions in a space, over every space for 0.
func (b bundle) set(t *testing.T, space int64, name string) rag.QuestionSet {
	t.Helper()
	set, err := b.EnsureQuestionSet(t.Context(), everything, space, name)
	require.NoError(t, err)
	_, _, err = b.PutQuestions(t.Context(), everything, set.ID, []rag.EvalQuestion{evalQuestion("b", `{"n": 1}`), evalQuestion("a", `{"n": 2}`)})
	require.NoError(t, err)
	return set
}

func TestQuestionsKeepTheirOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := b.set(t, b.ops.ID, " Ops\x00 questions ")
	require.Equal(t, "Ops questions", set.Name)
	require.Equal(t, "Platform wiki", set.Space)
	added, changed, err := b.PutQuestions(t.Context(), b.opsScope, set.ID, []rag.EvalQuestion{
		evalQuestion("c", `{"n": 3}`), evalQuestion("b", `{"n": 9, "text": "nul \u0000 gone"}`), evalQuestion("a", `{"n":2}`),
	})
	require.NoError(t, err)
	require.Equal(t, [2]int{1, 1}, [2]int{added, changed}, "a was as it is")
	require.NoError(t, b.AddQuestionTo(t.Context(), b.opsScope, set.ID, evalQuestion("d", `{"n": 4}`)))
	requireCode(t, rag.CodeConflict, b.AddQuestionTo(t.Context(), b.opsScope, set.ID, evalQuestion("d", `{"n": 5}`)))
	require.NoError(t, b.DeleteEvalQuestion(t.Context(), b.opsScope, set.ID, "a"))
	requireCode(t, rag.CodeNotFound, b.DeleteEvalQuestion(t.Context(), b.opsScope, set.ID, "a"))

	list, err := b.EvalQuestions(t.Context(), b.opsScope, set.ID)
	require.NoError(t, err)
	var got []string
	for _, q := range list {
		got = append(got, q.ID+" "+string(q.Body))
	}
	require.Equal(t, []string{`b {"n": 9, "text": "nul  gone"}`, `c {"n": 3}`, `d {"n": 4}`}, got)
	again, err := b.EnsureQuestionSet(t.Context(), b.opsScope, b.ops.ID, "Ops questions")
	require.NoError(t, err)
	require.Equal(t, set.ID, again.ID)
	require.Equal(t, 3, again.Questions)
	require.True(t, again.Updated.After(set.Updated))

	for _, name := range []string{"", " ", strings.Repeat("x", 201)} {
		_, err := b.EnsureQuestionSet(t.Context(), everything, 0, name)
		requireCode(t, rag.CodeInvalid, err)
	}
	other, err := b.EnsureQuestionSet(t.Context(), everything, 0, "Ops questions")
	require.NoError(t, err)
	require.NotEqual(t, set.ID, other.ID, "a name is unique in its space only")
	same, err := b.EnsureQuestionSet(t.Context(), everything, 0, "Ops questions")
	require.NoError(t, err)
	require.Equal(t, other.ID, same.ID)
}

// Sets and runs of a space exist for its readers only, and those of no space for
// who reads everything.
func TestEvaluationsKeepToTheScope(t *testing.T) { // T74
	t.Parallel()
	b := setup(t)
	ops, all := b.set(t, b.ops.ID, "Ops"), b.set(t, 0, "All")
	run, err := b.CreateRun(t.Context(), everything, rag.EvalRun{SetID: ops.ID, Total: 4, Plan: json.RawMessage(`{}`)})
	require.NoError(t, err)

	sets, err := b.QuestionSets(t.Context(), b.opsScope)
	require.NoError(t, err)
	require.Len(t, sets, 1)
	require.Equal(t, ops.ID, sets[0].ID)
	sets, err = b.QuestionSets(t.Context(), everything)
	require.NoError(t, err)
	require.Len(t, sets, 2)

	for _, scope := range []rag.Scope{b.clinicScope, b.nobodyScope, b.strangeScope} {
		for _, id := range []int64{ops.ID, all.ID, 999_999} {
			_, err := b.QuestionSet(t.Context(), scope, id)
			requireCode(t, rag.CodeNotFound, err)
			_, err = b.EvalQuestions(t.Context(), scope, id)
			requireCode(t, rag.CodeNotFound, err)
			_, _, err = b.PutQuestions(t.Context(), scope, id, []rag.EvalQuestion{evalQuestion("x", `{}`)})
			requireCode(t, rag.CodeNotFound, err)
			requireCode(t, rag.CodeNotFound, b.AddQuestionTo(t.Context(), scope, id, evalQuestion("x", `{}`)))
			requireCode(t, rag.CodeNotFound, b.DeleteEvalQuestion(t.Context(), scope, id, "a"))
			requireCode(t, rag.CodeNotFound, b.DeleteQuestionSet(t.Context(), scope, id))
			_, err = b.CreateRun(t.Context(), scope, rag.EvalRun{SetID: id, Plan: json.RawMessage(`{}`)})
			requireCode(t, rag.CodeNotFound, err)
		}
		_, err = b.EnsureQuestionSet(t.Context(), scope, b.ops.ID, "Mine")
		requireCode(t, rag.CodeNotFound, err)
		_, err = b.EnsureQuestionSet(t.Context(), scope, 0, "Mine")
		requireCode(t, rag.CodeNotFound, err)
		runs, err := b.Runs(t.Context(), scope, 0, 10)
		require.NoError(t, err)
		require.Empty(t, runs)
		_, err = b.Run(t.Context(), scope, run.ID, true)
		requireCode(t, rag.CodeNotFound, err)
		_, err = b.SaveRunProgress(t.Context(), scope, run.ID, 1, 4)
		requireCode(t, rag.CodeNotFound, err)
		requireCode(t, rag.CodeNotFound, b.CancelRun(t.Context(), scope, run.ID))
		requireCode(t, rag.CodeNotFound, b.DeleteRun(t.Context(), scope, run.ID))
		requireCode(t, rag.CodeNotFound, b.FinishRun(t.Context(), scope, rag.EvalRun{ID: run.ID, State: rag.RunDone, Plan: json.RawMessage(`{}`)}))
	}
	run, err = b.Run(t.Context(), b.opsScope, run.ID, true)
	require.NoError(t, err)
	require.Equal(t, rag.RunRunning, run.State)
	require.Zero(t, run.Done)
}

func TestRunIsKeptFromBeginToEnd(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := b.set(t, b.ops.ID, "Ops")
	run, err := b.CreateRun(t.Context(), b.opsScope, rag.EvalRun{SetID: set.ID, Name: "First", Total: 10, Plan: json.RawMessage(`{"seed": 3}`)})
	require.NoError(t, err)
	require.Equal(t, "Ops", run.Set)
	require.Equal(t, b.ops.ID, run.SpaceID)
	require.True(t, run.Finished.IsZero())
	cancelled, err := b.SaveRunProgress(t.Context(), b.opsScope, run.ID, 4, 9)
	require.NoError(t, err)
	require.False(t, cancelled)
	requireCode(t, rag.CodeConflict, b.DeleteRun(t.Context(), b.opsScope, run.ID))
	require.NoError(t, b.CancelRun(t.Context(), b.opsScope, run.ID))
	cancelled, err = b.SaveRunProgress(t.Context(), b.opsScope, run.ID, 5, 9)
	require.NoError(t, err)
	require.True(t, cancelled)

	requireCode(t, rag.CodeInvalid, b.FinishRun(t.Context(), b.opsScope, rag.EvalRun{ID: run.ID, State: rag.RunRunning}))
	run.State, run.Done, run.Failure, run.Plan = rag.RunCancelled, 5, "nul\x00", json.RawMessage(`{"seed": 4}`)
	for i := range 12 {
		run.Results = append(run.Results, rag.EvalResult{
			Summary: json.RawMessage(fmt.Sprintf(`{"n": %d}`, i)), Outcomes: json.RawMessage(`[{"question": "a\u0000"}]`),
		})
	}
	require.NoError(t, b.FinishRun(t.Context(), b.opsScope, run))
	requireCode(t, rag.CodeNotFound, b.FinishRun(t.Context(), b.opsScope, run))
	requireCode(t, rag.CodeConflict, b.CancelRun(t.Context(), b.opsScope, run.ID))
	_, err = b.SaveRunProgress(t.Context(), b.opsScope, run.ID, 6, 9)
	requireCode(t, rag.CodeNotFound, err)

	got, err := b.Run(t.Context(), b.opsScope, run.ID, true)
	require.NoError(t, err)
	require.Equal(t, rag.RunCancelled, got.State)
	require.Equal(t, "nul", got.Failure)
	require.False(t, got.Finished.Before(got.Started))
	require.JSONEq(t, `{"seed": 4}`, string(got.Plan))
	require.Len(t, got.Results, 12)
	require.JSONEq(t, `{"n": 11}`, string(got.Results[11].Summary))
	require.JSONEq(t, `[{"question": "a"}]`, string(got.Results[0].Outcomes))
	got, err = b.Run(t.Context(), b.opsScope, run.ID, false)
	require.NoError(t, err)
	require.Nil(t, got.Results[0].Outcomes)

	second, err := b.CreateRun(t.Context(), everything, rag.EvalRun{SetID: set.ID, Plan: json.RawMessage(`{}`)})
	require.NoError(t, err)
	list, err := b.Runs(t.Context(), b.opsScope, set.ID, 10)
	require.NoError(t, err)
	require.Equal(t, []int64{second.ID, run.ID}, []int64{list[0].ID, list[1].ID}, "newest first")
	list, err = b.Runs(t.Context(), b.opsScope, 0, 1)
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.NoError(t, b.DeleteRun(t.Context(), b.opsScope, run.ID))
	require.Zero(t, b.count(t, "select count(*) from eval_results"))
	require.NoError(t, b.DeleteQuestionSet(t.Context(), b.opsScope, set.ID))
	require.Zero(t, b.count(t, "select count(*) from eval_runs"))
	require.Zero(t, b.count(t, "select count(*) from eval_questions"))
}

func TestRunsOfAProcessThatIsGoneAreAbandoned(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := b.set(t, 0, "All")
	run, err := b.CreateRun(t.Context(), everything, rag.EvalRun{SetID: set.ID, Plan: json.RawMessage(`{}`)})
	require.NoError(t, err)
	n, err := b.AbandonRuns(t.Context(), time.Hour, "Gone.")
	require.NoError(t, err)
	require.Zero(t, n)
	n, err = b.AbandonRuns(t.Context(), 0, "The program ended meanwhile.")
	require.NoError(t, err)
	require.Equal(t, 1, n)
	run, err = b.Run(t.Context(), everything, run.ID, false)
	require.NoError(t, err)
	require.Equal(t, rag.RunFailed, run.State)
	require.Equal(t, "The program ended meanwhile.", run.Failure)
	require.False(t, run.Finished.IsZero())
}

func TestQuestionsAreAddedByManyAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	set := b.set(t, b.ops.ID, "Ops")
	var group sync.WaitGroup
	errs := make([]error, 6)
	for i := range errs {
		group.Go(func() {
			_, _, errs[i] = b.PutQuestions(t.Context(), b.opsScope, set.ID, []rag.EvalQuestion{
				evalQuestion("same", fmt.Sprintf(`{"n": %d}`, i)), evalQuestion(fmt.Sprint("own", i), `{}`),
			})
		})
	}
	group.Wait()
	for _, err := range errs {
		require.NoError(t, err)
	}
	require.Equal(t, 2+1+len(errs), b.count(t, "select count(*) from eval_questions"))
}

func TestSourcesOfQuestions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.put(t, version(b.ops, "a.md", "Old.\n"))
	live := b.put(t, version(b.ops, "a.md", "New words.\n"))
	other := b.put(t, version(b.clinic, "a.md", "Clinic.\n"))
	b.put(t, version(b.ops, "b.md", "Another.\n"))

	sources, err := b.Sources(t.Context(), everything, nil, []string{"a.md", "missing.md", "nul\x00"})
	require.NoError(t, err)
	require.Len(t, sources, 2)
	require.Equal(t, "New words.\n", sources[0].Text)
	require.Equal(t, live.VersionID, sources[0].Document.VersionID)
	require.Equal(t, "runbook", sources[0].Document.DocType)
	require.Equal(t, "Clinical guidelines", sources[1].Document.Space)
	sources, err = b.Sources(t.Context(), everything, []int64{b.clinic.ID}, []string{"a.md"})
	require.NoError(t, err)
	require.Len(t, sources, 1)
	sources, err = b.Sources(t.Context(), b.opsScope, []int64{b.clinic.ID}, []string{"a.md"})
	require.NoError(t, err)
	require.Empty(t, sources)
	sources, err = b.Sources(t.Context(), b.nobodyScope, nil, []string{"a.md"})
	require.NoError(t, err)
	require.Empty(t, sources)

	texts, err := b.Texts(t.Context(), b.opsScope, []int64{first.VersionID, live.VersionID, other.VersionID, 999_999})
	require.NoError(t, err)
	require.Equal(t, map[int64]string{first.VersionID: "Old.\n", live.VersionID: "New words.\n"}, texts)
}

func TestCommonSetsAreThoseOfEveryDocument(t *testing.T) {
	t.Parallel()
	b := setup(t)
	documents, units, err := b.CorpusSize(t.Context(), everything, rag.Filter{})
	require.NoError(t, err)
	require.Zero(t, documents+units)
	live := b.put(t, version(b.ops, "a.md", "One.\nTwo.\n"))
	b.put(t, version(b.clinic, "a.md", "Three.\n"))
	list := chunks("tokens-8-0", "One.\nTwo.\n")
	require.NoError(t, b.AddUnits(t.Context(), everything, live.VersionID, list, indexOf("One.\nTwo.\n", list), embedder, dimension))

	for _, tt := range []struct {
		name   string
		scope  rag.Scope
		filter rag.Filter
		sets   []rag.UnitSet
		docs   int
		units  int
	}{
		{"everything", everything, rag.Filter{}, []rag.UnitSet{"sentence"}, 2, 5},
		{"one space", everything, rag.Filter{Spaces: []int64{b.ops.ID}}, []rag.UnitSet{"sentence", "tokens-8-0"}, 1, 4},
		{"one reader", b.opsScope, rag.Filter{}, []rag.UnitSet{"sentence", "tokens-8-0"}, 1, 4},
		{"another document type", everything, rag.Filter{DocTypes: []string{"note"}}, nil, 0, 0},
		{"a space that may not be read", b.clinicScope, rag.Filter{Spaces: []int64{b.ops.ID}}, nil, 0, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			sets, err := b.CommonSets(t.Context(), tt.scope, tt.filter)
			require.NoError(t, err)
			require.ElementsMatch(t, tt.sets, sets)
			documents, units, err := b.CorpusSize(t.Context(), tt.scope, tt.filter)
			require.NoError(t, err)
			require.Equal(t, [2]int{tt.docs, tt.units}, [2]int{documents, units})
		})
	}
}
