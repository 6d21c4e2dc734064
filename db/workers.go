package db

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
)

// Workers work on the jobs of the queue until they are stopped. Several
// processes may do so at once.
//
// A process holds a lock for as long as it is connected. When it is killed, or
// its connection is cut, Postgres frees the lock, and the jobs that it was at go to
// the next worker within seconds; River by itself waits an hour. A process that
// comes back to such a job cannot finish it: see JobTry.
type Workers struct {
	client *river.Client[pgx.Tx]
	log    *slog.Logger
	cancel context.CancelFunc
	ended  chan struct{}
}

// How often the lock is looked after, and jobs of processes that are gone are
// looked for.
const leaseInterval = 3 * time.Second

// StartWorkers begins to work on n jobs at a time. Errors: CodeUnavailable.
func (s *Store) StartWorkers(ctx context.Context, n int, run RunJob) (*Workers, error) {
	workers := river.NewWorkers()
	if err := river.AddWorkerSafely(workers, &fileWorker{run: run}); err != nil {
		return nil, err
	}
	client, err := river.NewClient(riverpgxv5.New(s.pool), &river.Config{
		Queues:  map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: n}},
		Workers: workers,
		Logger:  quiet(s.log),
		// A long document may take hours with a slow embedder; each call that leaves
		// the process has a limit of its own.
		JobTimeout: -1, RescueStuckJobsAfter: 7 * 24 * time.Hour,
	})
	if err != nil {
		return nil, err
	}
	// The context given may end before the workers are stopped: then they stop
	// by Stop, which puts back what they are at.
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	w := &Workers{client: client, log: s.log, cancel: cancel, ended: make(chan struct{})}
	lease, err := s.takeLease(ctx, client.ID())
	if err == nil {
		err = s.rescue(ctx, s.log)
	}
	if err == nil {
		err = client.Start(ctx)
	}
	if err != nil {
		cancel()
		if lease != nil {
			_ = lease.Close(context.WithoutCancel(ctx))
		}
		return nil, wrap(err, "start the workers")
	}
	go w.look(ctx, s, lease)
	return w, nil
}

// Stop takes no more jobs, ends those under way, which are put back as they are,
// and waits until they are.
func (w *Workers) Stop(ctx context.Context) error {
	err := w.client.StopAndCancel(ctx)
	w.cancel()
	select {
	case <-w.ended:
	case <-ctx.Done():
		err = errors.Join(err, ctx.Err())
	}
	return err
}

// look keeps the lock and puts back the jobs of processes that are gone.
func (w *Workers) look(ctx context.Context, s *Store, lease *pgx.Conn) {
	defer close(w.ended)
	defer func() {
		if lease != nil {
			_ = lease.Close(context.WithoutCancel(ctx))
		}
	}()
	tick := time.NewTicker(leaseInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if lease != nil && lease.Ping(ctx) != nil {
			_ = lease.Close(context.WithoutCancel(ctx))
			lease = nil
		}
		if lease == nil {
			var err error
			if lease, err = s.takeLease(ctx, w.client.ID()); err != nil {
				w.log.WarnContext(ctx, "the workers' connection is cut; trying again", "error", err)
				continue
			}
		}
		if err := s.rescue(ctx, w.log); err != nil && ctx.Err() == nil {
			w.log.WarnContext(ctx, "jobs of processes that are gone were not looked for", "error", err)
		}
	}
}

// takeLease connects and takes the lock of a process.
func (s *Store) takeLease(ctx context.Context, id string) (*pgx.Conn, error) {
	conn, err := pgx.ConnectConfig(ctx, s.pool.Config().ConnConfig)
	if err != nil {
		return nil, err
	}
	if _, err := conn.Exec(ctx, "select pg_advisory_lock(hashtextextended('worker/' || $1, 0))", id); err != nil {
		_ = conn.Close(context.WithoutCancel(ctx))
		return nil, err
	}
	return conn, nil
}

// rescue gives the jobs of processes without a lock back to the queue.
func (s *Store) rescue(ctx context.Context, log *slog.Logger) error {
	var ids []int64
	err := s.write(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			update river_job r
			set state = 'available', scheduled_at = now()
			where r.kind = @kind and r.state = 'running'
			  and not exists (
			      select from pg_locks l
			      where l.locktype = 'advisory' and l.granted and l.objsubid = 1
			        and l.database = (select oid from pg_database where datname = current_database())
			        and (l.classid::bigint << 32 | l.objid::bigint)
			            = hashtextextended('worker/' || r.attempted_by[array_upper(r.attempted_by, 1)], 0))
			returning (r.args ->> 'job_id')::bigint`, pgx.StrictNamedArgs{"kind": fileKind})
		if err != nil {
			return err
		}
		if ids, err = pgx.CollectRows(rows, pgx.RowTo[int64]); err != nil || len(ids) == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `
			update jobs set state = 'queued', stage = '', message = 'The server that was at it ended.'
			where id = any(@ids) and state = 'running'`, pgx.StrictNamedArgs{"ids": ids})
		return err
	})
	if len(ids) > 0 && err == nil {
		log.InfoContext(ctx, "jobs of a process that is gone are taken up again", "jobs", len(ids))
	}
	return wrap(err, "look for jobs of processes that are gone")
}
