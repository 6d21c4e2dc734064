package db

import (
	"context"
	"crypto/sha256"
	"errors"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"passage/rag"
)

// jobAttempts is how often a job is tried before it fails for good.
const jobAttempts = 6

// maxJobs is the most jobs of one list.
const maxJobs = 500

// jobRow is a rag.Job as jobQuery gives it.
type jobRow struct {
	ID, SpaceID                      int64
	Space, SourceURI, Name, DocType  string
	SourceID, DocumentID, VersionID  int64
	Bytes                            int
	State                            rag.JobState
	Stage                            rag.JobStage
	UnitsDone, Units                 int
	Attempt, Attempts                int
	Message, Outcome, Reason         string
	Warnings                         []string
	CreatedAt                        time.Time
	StartedAt, FinishedAt, NextTryAt *time.Time
}

func (r jobRow) job() rag.Job {
	return rag.Job{
		ID: r.ID, SpaceID: r.SpaceID, Space: r.Space, SourceURI: r.SourceURI, Name: r.Name, DocType: r.DocType,
		SourceID: r.SourceID, Bytes: r.Bytes, State: r.State, Stage: r.Stage, UnitsDone: r.UnitsDone, Units: r.Units,
		Attempt: r.Attempt, Attempts: r.Attempts, Message: r.Message, Outcome: r.Outcome, Reason: r.Reason,
		Warnings: r.Warnings, DocumentID: r.DocumentID, VersionID: r.VersionID,
		Created: r.CreatedAt, Started: moment(r.StartedAt), Finished: moment(r.FinishedAt), NextTry: moment(r.NextTryAt),
	}
}

// jobQuery reads jobs; the caller adds the where clause.
const jobQuery = `
	select j.id, j.space_id, s.name as space, j.source_uri, j.name, j.doc_type,
	       coalesce(j.source_id, 0) as source_id, coalesce(j.document_id, 0) as document_id,
	       coalesce(j.version_id, 0) as version_id, j.bytes, j.state, j.stage, j.units_done, j.units, j.attempt, j.attempts,
	       j.message, j.outcome, j.reason, j.warnings, j.created_at, j.started_at, j.finished_at, j.next_try_at
	from jobs j
	join spaces s on s.id = j.space_id`

// AddJob stores a file and has it taken in, both or neither. The same bytes for
// the same place and type are one job while it is under way: the one that is
// there is given back. Errors: CodeNotFound (space out of scope), CodeInvalid (no
// source URI), CodeUnavailable.
func (s *Store) AddJob(ctx context.Context, scope rag.Scope, n rag.NewJob) (rag.Job, error) {
	n.SourceURI, n.Name, n.DocType, n.Link = clean(n.SourceURI), clean(n.Name), clean(n.DocType), clean(n.Link)
	if n.SourceURI == "" {
		return rag.Job{}, rag.Errorf(rag.CodeInvalid, "A file needs a name.")
	}
	var id int64
	err := s.write(ctx, func(tx pgx.Tx) (err error) {
		id, err = s.addJob(ctx, tx, scope, n)
		return err
	})
	if err != nil {
		return rag.Job{}, wrap(err, "add a job for %q in space %d", n.SourceURI, n.SpaceID)
	}
	return s.Job(ctx, scope, id)
}

func (s *Store) addJob(ctx context.Context, tx pgx.Tx, scope rag.Scope, n rag.NewJob) (id int64, err error) {
	if err := unhurried(ctx, tx); err != nil { // a large file takes its time
		return 0, err
	}
	hash := sha256.Sum256(n.Data)
	args := scopeArgs(scope, pgx.StrictNamedArgs{"space": n.SpaceID})
	var there bool
	err = tx.QueryRow(ctx, "select exists (select from spaces where id = @space and (@all_spaces or id = any(@scope_spaces)))", args).Scan(&there)
	if err == nil && !there {
		err = orNotFound(pgx.ErrNoRows, "space")
	}
	if err != nil {
		return 0, err
	}
	_, err = tx.Exec(ctx, `
		insert into originals (space_id, content_hash, data) values (@space, @hash, @data)
		on conflict (space_id, content_hash) do nothing`,
		pgx.StrictNamedArgs{"space": n.SpaceID, "hash": hash[:], "data": n.Data})
	if err != nil {
		return 0, wrap(err, "store the file")
	}
	job := pgx.StrictNamedArgs{
		"space": n.SpaceID, "uri": n.SourceURI, "name": n.Name, "doc_type": n.DocType, "hash": hash[:], "bytes": len(n.Data),
		"link": n.Link, "source": n.SourceID, "attempts": jobAttempts,
	}
	err = tx.QueryRow(ctx, `
		insert into jobs (space_id, source_uri, name, doc_type, content_hash, bytes, link, source_id, attempts)
		values (@space, @uri, @name, @doc_type, @hash, @bytes, @link, nullif(@source::bigint, 0), @attempts)
		on conflict (space_id, source_uri, content_hash, doc_type) where state in ('queued', 'running') do nothing
		returning id`, job).Scan(&id)
	if errors.Is(err, pgx.ErrNoRows) {
		err = tx.QueryRow(ctx, `
			select id from jobs
			where space_id = @space and source_uri = @uri and content_hash = @hash and doc_type = @doc_type
			  and state in ('queued', 'running')`,
			pgx.StrictNamedArgs{"space": n.SpaceID, "uri": n.SourceURI, "hash": hash[:], "doc_type": n.DocType}).Scan(&id)
		return id, wrap(err, "find the job that is under way")
	}
	if err != nil {
		return 0, err
	}
	return id, s.enqueue(ctx, tx, id)
}

// Job reads one job. Errors: CodeNotFound.
func (s *Store) Job(ctx context.Context, scope rag.Scope, id int64) (rag.Job, error) {
	jobs, err := s.jobs(ctx, jobQuery+" where j.id = @id and (@all_spaces or j.space_id = any(@scope_spaces))",
		scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
	if err == nil && len(jobs) == 0 {
		err = orNotFound(pgx.ErrNoRows, "job")
	}
	if err != nil {
		return rag.Job{}, wrap(err, "read job %d", id)
	}
	return jobs[0], nil
}

// Jobs lists jobs, newest first. Errors: CodeInvalid for a limit outside 1–500.
func (s *Store) Jobs(ctx context.Context, scope rag.Scope, f rag.JobFilter) ([]rag.Job, error) {
	if f.Limit < 1 || f.Limit > maxJobs {
		return nil, rag.Errorf(rag.CodeInvalid, "A list holds 1 to %d jobs.", maxJobs)
	}
	states := make([]string, len(f.States))
	for i, state := range f.States {
		states[i] = string(state)
	}
	jobs, err := s.jobs(ctx, jobQuery+`
		where (@all_spaces or j.space_id = any(@scope_spaces))
		  and (@ids::bigint[] is null or j.id = any(@ids))
		  and (cardinality(@states::text[]) = 0 or j.state = any(@states))
		  and (@document = 0 or j.document_id = @document)
		  and j.id >= @from
		  and (@before = 0 or j.id < @before)
		order by j.id desc
		limit @limit`, scopeArgs(scope, pgx.StrictNamedArgs{
		"ids": f.IDs, "states": states, "document": f.Document, "from": f.From, "before": f.Before, "limit": f.Limit,
	}))
	return jobs, wrap(err, "list jobs")
}

func (s *Store) jobs(ctx context.Context, query string, args pgx.StrictNamedArgs) ([]rag.Job, error) {
	rows, err := s.pool.Query(ctx, query, args)
	if err != nil {
		return nil, err
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[jobRow])
	jobs := make([]rag.Job, len(list))
	for i, r := range list {
		jobs[i] = r.job()
	}
	return jobs, err
}

// JobCounts says how many jobs are in each state.
func (s *Store) JobCounts(ctx context.Context, scope rag.Scope) (map[rag.JobState]int, error) {
	rows, err := s.pool.Query(ctx, `
		select state, count(*)::int from jobs
		where @all_spaces or space_id = any(@scope_spaces)
		group by state`, scopeArgs(scope, pgx.StrictNamedArgs{}))
	if err != nil {
		return nil, wrap(err, "count jobs")
	}
	counts := map[rag.JobState]int{}
	var state rag.JobState
	var n int
	_, err = pgx.ForEachRow(rows, []any{&state, &n}, func() error { counts[state] = n; return nil })
	return counts, wrap(err, "count jobs")
}

// CancelJob ends a job that is not final; a try under way writes nothing more.
// Errors: CodeNotFound, CodeConflict when it is final already.
func (s *Store) CancelJob(ctx context.Context, scope rag.Scope, id int64) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		river, err := changeJob(ctx, tx, scope, id, []rag.JobState{rag.JobQueued, rag.JobRunning}, `
			state = 'cancelled', stage = '', message = 'Cancelled.', finished_at = now(), next_try_at = null`)
		if err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "delete from job_vectors where job_id = @id", pgx.StrictNamedArgs{"id": id}); err != nil {
			return err
		}
		if river == 0 {
			return nil
		}
		return s.unqueue(ctx, tx, river)
	})
	return wrap(err, "cancel job %d", id)
}

// RetryJob tries a job again that failed or was cancelled, from its first try on.
// Errors: CodeNotFound; CodeConflict when it is not final, is done, or the same
// file is under way again.
func (s *Store) RetryJob(ctx context.Context, scope rag.Scope, id int64) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		_, err := changeJob(ctx, tx, scope, id, []rag.JobState{rag.JobFailed, rag.JobCancelled}, `
			state = 'queued', stage = '', message = '', attempt = 0, units_done = 0, finished_at = null, next_try_at = null`)
		if err != nil {
			return err
		}
		return s.enqueue(ctx, tx, id)
	})
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == stateUniqueViolation {
		err = rag.WithCause(err, rag.CodeConflict, "The same file is being taken in already.")
	}
	return wrap(err, "retry job %d", id)
}

// changeJob sets columns of a job that is in one of the states, and gives its job
// in River.
func changeJob(ctx context.Context, tx pgx.Tx, scope rag.Scope, id int64, from []rag.JobState, set string) (river int64, err error) {
	var state rag.JobState
	err = tx.QueryRow(ctx, `
		select state from jobs
		where id = @id and (@all_spaces or space_id = any(@scope_spaces))
		for update`, scopeArgs(scope, pgx.StrictNamedArgs{"id": id})).Scan(&state)
	if err != nil {
		return 0, orNotFound(err, "job")
	}
	if !slices.Contains(from, state) {
		return 0, rag.Errorf(rag.CodeConflict, "The job is %s.", state)
	}
	err = tx.QueryRow(ctx, "update jobs set "+set+" where id = @id returning coalesce(river_job, 0)",
		pgx.StrictNamedArgs{"id": id}).Scan(&river)
	return river, err
}
