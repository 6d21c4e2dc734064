package db

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
	"github.com/riverqueue/river/rivertype"
)

// River holds when a job is worked on, and by whom. It knows a job by its id; all
// that a person is told stands in jobs.

// fileArgs are the arguments of a job in River.
type fileArgs struct {
	JobID int64 `json:"job_id"`
}

// Kind names the job in River's tables.
func (fileArgs) Kind() string { return fileKind }

const fileKind = "take_in_file"

// queue is a client that only adds and cancels jobs.
type queue = river.Client[pgx.Tx]

func newQueue(pool *pgxpool.Pool, log *slog.Logger) (*queue, error) {
	return river.NewClient(riverpgxv5.New(pool), &river.Config{Logger: quiet(log)})
}

// quiet leaves out River's notes on its own working and its warnings of jobs that
// were cancelled or ended with an error: those are told where they happen.
func quiet(log *slog.Logger) *slog.Logger {
	if log == nil {
		return slog.New(slog.DiscardHandler)
	}
	return slog.New(leveled{log.Handler()})
}

type leveled struct{ slog.Handler }

// Enabled reports whether a record is worth writing.
func (h leveled) Enabled(ctx context.Context, level slog.Level) bool {
	return level >= slog.LevelError && h.Handler.Enabled(ctx, level)
}

// migrateQueue brings River's own tables up to date. Several processes may start
// at once: they take turns.
func migrateQueue(ctx context.Context, config *pgxpool.Config) error {
	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return err
	}
	defer pool.Close()
	conn, err := pool.Acquire(ctx)
	if err != nil {
		return err
	}
	defer conn.Release()
	const lock = "hashtextextended('river/migrate', 0)"
	if _, err := conn.Exec(ctx, "select pg_advisory_lock("+lock+")"); err != nil {
		return err
	}
	defer func() { _, _ = conn.Exec(context.WithoutCancel(ctx), "select pg_advisory_unlock("+lock+")") }()
	migrator, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return err
	}
	_, err = migrator.Migrate(ctx, rivermigrate.DirectionUp, nil)
	return err
}

// enqueue has a job worked on once the transaction commits.
func (s *Store) enqueue(ctx context.Context, tx pgx.Tx, id int64) error {
	added, err := s.queue.InsertTx(ctx, tx, fileArgs{JobID: id}, nil)
	if err != nil {
		return wrap(err, "enqueue job %d", id)
	}
	_, err = tx.Exec(ctx, "update jobs set river_job = @river where id = @id",
		pgx.StrictNamedArgs{"river": added.Job.ID, "id": id})
	return wrap(err, "enqueue job %d", id)
}

// unqueue ends a job in River; one that runs has its context cancelled.
func (s *Store) unqueue(ctx context.Context, tx pgx.Tx, riverJob int64) error {
	_, err := s.queue.JobCancelTx(ctx, tx, riverJob)
	if errors.Is(err, rivertype.ErrNotFound) {
		return nil
	}
	return wrap(err, "cancel job %d of the queue", riverJob)
}

// RunJob does one try at a job. When again is set the job is tried once more after
// the wait. An error is one of the program or the database: the queue tries again
// by itself.
type RunJob func(ctx context.Context, jobID int64) (wait time.Duration, again bool, err error)

// fileWorker hands jobs of the queue to RunJob.
type fileWorker struct {
	river.WorkerDefaults[fileArgs]
	run RunJob
}

// Work does one try.
func (w *fileWorker) Work(ctx context.Context, job *river.Job[fileArgs]) error {
	wait, again, err := w.run(ctx, job.Args.JobID)
	switch {
	case err != nil:
		return fmt.Errorf("job %d: %w", job.Args.JobID, err)
	case again:
		return river.JobSnooze(max(wait, 0))
	default:
		return nil
	}
}
