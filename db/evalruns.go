package db

import (
	"context"
	"encoding/json"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

const runQuery = `
	select r.id, r.set_id, q.name as set_name, coalesce(q.space_id, 0) as space_id, r.name, r.state, r.done, r.total,
	       r.failure, r.plan, r.started_at, r.finished_at
	from eval_runs r
	join question_sets q on q.id = r.set_id
	where` + setScope

func toRun(row pgx.CollectableRow) (rag.EvalRun, error) {
	type runRow struct {
		ID, SetID   int64
		SetName     string
		SpaceID     int64
		Name        string
		State       rag.RunState
		Done, Total int
		Failure     string
		Plan        json.RawMessage
		StartedAt   time.Time
		FinishedAt  *time.Time
	}
	r, err := pgx.RowToStructByName[runRow](row)
	return rag.EvalRun{
		ID: r.ID, SetID: r.SetID, Set: r.SetName, SpaceID: r.SpaceID, Name: r.Name, State: r.State, Done: r.Done, Total: r.Total,
		Failure: r.Failure, Started: r.StartedAt, Finished: moment(r.FinishedAt), Plan: r.Plan,
	}, err
}

// CreateRun stores a run of the set it names as running, and gives it with its
// id. Errors: CodeNotFound.
func (s *Store) CreateRun(ctx context.Context, scope rag.Scope, run rag.EvalRun) (rag.EvalRun, error) {
	err := s.write(ctx, func(tx pgx.Tx) error {
		var id int64
		err := tx.QueryRow(ctx, `
			insert into eval_runs (set_id, name, state, total, plan)
			select q.id, @name, 'running', @total, @plan::jsonb
			from question_sets q
			where q.id = @set and`+setScope+`
			returning id`,
			scopeArgs(scope, pgx.StrictNamedArgs{
				"set": run.SetID, "name": clean(run.Name), "total": run.Total, "plan": string(cleanJSON(run.Plan)),
			})).Scan(&id)
		if err != nil {
			return orNotFound(err, "question set")
		}
		run, err = readRun(ctx, tx, scope, id)
		return err
	})
	return run, wrap(err, "create a run")
}

func readRun(ctx context.Context, tx pgx.Tx, scope rag.Scope, id int64) (rag.EvalRun, error) {
	rows, err := tx.Query(ctx, runQuery+" and r.id = @id", scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
	if err != nil {
		return rag.EvalRun{}, err
	}
	run, err := pgx.CollectExactlyOneRow(rows, toRun)
	return run, orNotFound(err, "run")
}

// SaveRunProgress says how far a run is, and tells whether it is to stop.
// Errors: CodeNotFound, also when the run has been deleted or has ended.
func (s *Store) SaveRunProgress(ctx context.Context, scope rag.Scope, id int64, done, total int) (cancelled bool, err error) {
	err = s.pool.QueryRow(ctx, `
		update eval_runs r set done = @done, total = @total, updated_at = clock_timestamp()
		from question_sets q
		where r.id = @id and r.state = 'running' and q.id = r.set_id and`+setScope+`
		returning r.cancel`,
		scopeArgs(scope, pgx.StrictNamedArgs{"id": id, "done": done, "total": total})).Scan(&cancelled)
	return cancelled, wrap(orNotFound(err, "run"), "save the progress of run %d", id)
}

// FinishRun stores the state, plan and results of a run that has ended. Errors:
// CodeInvalid for a state that is not final, CodeNotFound, also when the run has
// ended before.
func (s *Store) FinishRun(ctx context.Context, scope rag.Scope, run rag.EvalRun) error {
	if run.State == rag.RunRunning || run.State == "" {
		return rag.Errorf(rag.CodeInvalid, "A run ends in a final state.")
	}
	err := s.write(ctx, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `
			update eval_runs r
			set state = @state, done = @done, total = @total, failure = @failure, plan = @plan::jsonb,
			    updated_at = clock_timestamp(), finished_at = clock_timestamp()
			from question_sets q
			where r.id = @id and r.state = 'running' and q.id = r.set_id and`+setScope,
			scopeArgs(scope, pgx.StrictNamedArgs{
				"id": run.ID, "state": string(run.State), "done": run.Done, "total": run.Total,
				"failure": clean(run.Failure), "plan": string(cleanJSON(run.Plan)),
			}))
		if err := affected(tag, err, "run"); err != nil {
			return err
		}
		_, err = tx.CopyFrom(ctx, pgx.Identifier{"eval_results"}, []string{"run_id", "ordinal", "summary", "outcomes"},
			pgx.CopyFromSlice(len(run.Results), func(i int) ([]any, error) {
				r := run.Results[i]
				return []any{run.ID, i, json.RawMessage(cleanJSON(r.Summary)), json.RawMessage(cleanJSON(r.Outcomes))}, nil
			}))
		return err
	})
	return wrap(err, "finish run %d", run.ID)
}

// CancelRun asks a run to stop. Errors: CodeNotFound, CodeConflict when it has
// ended.
func (s *Store) CancelRun(ctx context.Context, scope rag.Scope, id int64) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := claimRun(ctx, tx, scope, id, true); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "update eval_runs set cancel = true where id = @id", pgx.StrictNamedArgs{"id": id})
		return err
	})
	return wrap(err, "cancel run %d", id)
}

// claimRun locks a run that is running, or one that is not.
func claimRun(ctx context.Context, tx pgx.Tx, scope rag.Scope, id int64, running bool) error {
	var state rag.RunState
	err := tx.QueryRow(ctx, `
		select r.state
		from eval_runs r
		join question_sets q on q.id = r.set_id
		where r.id = @id and`+setScope+`
		for update of r`, scopeArgs(scope, pgx.StrictNamedArgs{"id": id})).Scan(&state)
	switch {
	case err != nil:
		return orNotFound(err, "run")
	case running && state != rag.RunRunning:
		return rag.Errorf(rag.CodeConflict, "The run has ended already.")
	case !running && state == rag.RunRunning:
		return rag.Errorf(rag.CodeConflict, "The run is still going on. Cancel it first.")
	}
	return nil
}

// Runs lists the runs of a set, of every readable set for 0, newest first and
// without results.
func (s *Store) Runs(ctx context.Context, scope rag.Scope, setID int64, limit int) ([]rag.EvalRun, error) {
	rows, err := s.pool.Query(ctx, runQuery+`
		and (@set = 0 or r.set_id = @set)
		order by r.id desc
		limit @limit`, scopeArgs(scope, pgx.StrictNamedArgs{"set": setID, "limit": max(limit, 0)}))
	if err != nil {
		return nil, wrap(err, "list runs")
	}
	runs, err := pgx.CollectRows(rows, toRun)
	return runs, wrap(err, "list runs")
}

// Run reads a run with its results, in the order of its settings; their outcomes
// only when they are asked for. Errors: CodeNotFound.
func (s *Store) Run(ctx context.Context, scope rag.Scope, id int64, outcomes bool) (rag.EvalRun, error) {
	var run rag.EvalRun
	err := s.read(ctx, func(tx pgx.Tx) (err error) {
		if run, err = readRun(ctx, tx, scope, id); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			select summary, case when @outcomes then outcomes end as outcomes
			from eval_results
			where run_id = @id
			order by ordinal`, pgx.StrictNamedArgs{"id": id, "outcomes": outcomes})
		if err != nil {
			return err
		}
		run.Results, err = pgx.CollectRows(rows, pgx.RowToStructByName[rag.EvalResult])
		return err
	})
	return run, wrap(err, "read run %d", id)
}

// DeleteRun removes a run. Errors: CodeNotFound, CodeConflict while it runs.
func (s *Store) DeleteRun(ctx context.Context, scope rag.Scope, id int64) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := claimRun(ctx, tx, scope, id, false); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, "delete from eval_runs where id = @id", pgx.StrictNamedArgs{"id": id})
		return err
	})
	return wrap(err, "delete run %d", id)
}

// AbandonRuns marks runs as failed that are said to be running but did not say
// so for longer than idle: the process that did them is gone. It gives their
// number.
func (s *Store) AbandonRuns(ctx context.Context, idle time.Duration, failure string) (int, error) {
	tag, err := s.pool.Exec(ctx, `
		update eval_runs set state = 'failed', failure = @failure, finished_at = clock_timestamp()
		where state = 'running' and updated_at <= clock_timestamp() - @idle::interval`,
		pgx.StrictNamedArgs{"failure": clean(failure), "idle": idle})
	return int(tag.RowsAffected()), wrap(err, "abandon runs")
}
