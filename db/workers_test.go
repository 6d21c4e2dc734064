package db_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/rag"
)

// workers starts workers that are stopped at the end of the test.
func (b bundle) workers(t *testing.T, n int, run db.RunJob) *db.Workers {
	t.Helper()
	w, err := b.StartWorkers(t.Context(), n, run)
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), waitFor)
		defer cancel()
		require.NoError(t, w.Stop(ctx))
	})
	return w
}

// finish is a try that finds the file live already.
func (b bundle) finish(ctx context.Context, id int64) error {
	job, _, ok, err := b.BeginJob(ctx, id)
	if err != nil || !ok {
		return err
	}
	live, err := b.PutVersion(ctx, everything, version(b.ops, job.SourceURI, job.SourceURI+".\n"))
	if err != nil {
		return err
	}
	return b.FinishJob(ctx, rag.JobTry{ID: id, Attempt: job.Attempt, Outcome: "created"}, live.DocumentID, live.VersionID)
}

func (b bundle) awaitState(t *testing.T, id int64, state rag.JobState) {
	t.Helper()
	require.Eventually(t, func() bool {
		job, err := b.Job(t.Context(), everything, id)
		return err == nil && job.State == state
	}, waitFor, tick, "job %d is %s", id, state)
}

func TestWorkersDoWhatIsQueued(t *testing.T) {
	t.Parallel()
	b := setup(t)
	early := b.add(t, "early.md", "x")
	b.workers(t, 1, func(ctx context.Context, id int64) (time.Duration, bool, error) { return 0, false, b.finish(ctx, id) })
	late := b.add(t, "late.md", "y")
	b.awaitState(t, early.ID, rag.JobDone)
	b.awaitState(t, late.ID, rag.JobDone)
}

// A job that is cancelled has its try ended at once.
func TestCancellingEndsTheTry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	begun, ended := make(chan struct{}), make(chan struct{})
	b.workers(t, 1, func(ctx context.Context, id int64) (time.Duration, bool, error) {
		_, _, _, err := b.BeginJob(ctx, id)
		close(begun)
		<-ctx.Done()
		close(ended)
		return 0, false, err
	})
	job := b.add(t, "a.md", "x")
	await(t, begun)
	require.NoError(t, b.CancelJob(t.Context(), b.opsScope, job.ID))
	await(t, ended)
	b.awaitState(t, job.ID, rag.JobCancelled)
}

func await(t *testing.T, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(waitFor):
		require.Fail(t, "waited in vain")
	}
}

// T51: what a process was at when it was killed is taken up again; what a living
// one is at is left alone.
func TestJobsOfAKilledProcessAreTakenUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var runs atomic.Int32
	begun, release := make(chan struct{}), make(chan struct{})
	b.workers(t, 1, func(ctx context.Context, id int64) (time.Duration, bool, error) {
		if runs.Add(1) == 1 {
			close(begun)
			<-release
		}
		return 0, false, b.finish(ctx, id)
	})
	busy := b.add(t, "busy.md", "x")
	await(t, begun)

	killed := b.add(t, "killed.md", "y")
	_, err := b.Pool().Exec(t.Context(), `
		update river_job set state = 'running', attempted_by = '{gone}', attempted_at = now()
		where (args ->> 'job_id')::bigint = $1`, killed.ID)
	require.NoError(t, err)
	_, err = b.Pool().Exec(t.Context(), "update jobs set state = 'running', stage = 'embedding' where id = $1", killed.ID)
	require.NoError(t, err)

	second := b.workers(t, 1, func(ctx context.Context, id int64) (time.Duration, bool, error) { return 0, false, b.finish(ctx, id) })
	require.NotNil(t, second)
	b.awaitState(t, killed.ID, rag.JobDone)
	require.Equal(t, 1, b.count(t, "select count(*) from river_job where state = 'running' and (args ->> 'job_id')::bigint = $1", busy.ID))
	close(release)
	b.awaitState(t, busy.ID, rag.JobDone)
	job, err := b.Job(t.Context(), everything, busy.ID)
	require.NoError(t, err)
	require.Equal(t, 1, job.Attempt, "it was begun once")
}
