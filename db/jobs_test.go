package db_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func (b bundle) add(t *testing.T, uri, text string) rag.Job {
	t.Helper()
	job, err := b.AddJob(t.Context(), b.opsScope, rag.NewJob{SpaceID: b.ops.ID, SourceURI: uri, Name: uri, Data: []byte(text)})
	require.NoError(t, err)
	return job
}

// begin begins a try that has to begin.
func (b bundle) begin(t *testing.T, id int64) (rag.Job, rag.JobTry) {
	t.Helper()
	job, _, ok, err := b.BeginJob(t.Context(), id)
	require.NoError(t, err)
	require.True(t, ok)
	return job, rag.JobTry{ID: job.ID, Attempt: job.Attempt, Outcome: "created", Reason: "as given"}
}

func TestAJobIsStoredWithItsFile(t *testing.T) {
	t.Parallel()
	b := setup(t)
	job := b.add(t, "a.md", rotate)
	require.Equal(t, rag.JobQueued, job.State)
	require.Equal(t, len(rotate), job.Bytes)
	require.Equal(t, b.ops.Name, job.Space)
	require.Equal(t, 1, b.count(t, "select count(*) from river_job where state = 'available' and (args ->> 'job_id')::bigint = $1", job.ID))

	begun, data, ok, err := b.BeginJob(t.Context(), job.ID)
	require.NoError(t, err)
	require.True(t, ok)
	require.Equal(t, rotate, string(data))
	require.Equal(t, rag.JobRunning, begun.State)
	require.Equal(t, rag.StageReading, begun.Stage)
	require.Equal(t, 1, begun.Attempt)
	require.False(t, begun.Started.IsZero())
}

// T41: the same bytes for the same place are one job, also when they arrive at
// once; other bytes, another place or another type are another one.
func TestTheSameFileIsOneJob(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var wg sync.WaitGroup
	ids := make([]int64, 8)
	for i := range ids {
		wg.Go(func() {
			job, err := b.AddJob(context.WithoutCancel(t.Context()), b.opsScope, rag.NewJob{SpaceID: b.ops.ID, SourceURI: "a.md", Data: []byte(rotate)})
			if err == nil {
				ids[i] = job.ID
			}
		})
	}
	wg.Wait()
	for _, id := range ids {
		require.NotZero(t, id)
		require.Equal(t, ids[0], id)
	}
	require.NotEqual(t, ids[0], b.add(t, "a.md", rotate+"More.\n").ID)
	require.NotEqual(t, ids[0], b.add(t, "b.md", rotate).ID)
	require.Equal(t, 2, b.count(t, "select count(*) from originals"), "the same bytes are stored once")

	_, try := b.begin(t, ids[0])
	require.NoError(t, b.FailJob(t.Context(), try, "No."))
	require.NotEqual(t, ids[0], b.add(t, "a.md", rotate).ID, "what has ended is no hindrance")
}

// A version and its job are written together: a job that was cancelled, or whose
// later try is under way, leaves what was live.
func TestAVersionGoesLiveWithItsJobOnly(t *testing.T) {
	t.Parallel()
	b := setup(t)
	put := func(try rag.JobTry, text string) error {
		v := version(b.ops, "a.md", text)
		v.Job = &try
		_, err := b.PutVersion(t.Context(), everything, v)
		return err
	}
	job := b.add(t, "a.md", rotate)
	_, early := b.begin(t, job.ID)
	_, late := b.begin(t, job.ID) // another process has taken it over
	requireCode(t, rag.CodeConflict, put(early, rotate))
	requireCode(t, rag.CodeConflict, b.ShowJob(t.Context(), early, rag.StageEmbedding, 1, 2))
	requireCode(t, rag.CodeConflict, b.FailJob(t.Context(), early, "x"))
	require.Zero(t, b.count(t, "select count(*) from versions"))

	require.NoError(t, b.ShowJob(t.Context(), late, rag.StageEmbedding, 1, 8))
	require.NoError(t, put(late, rotate))
	done, err := b.Job(t.Context(), b.opsScope, job.ID)
	require.NoError(t, err)
	require.Equal(t, rag.JobDone, done.State)
	require.Equal(t, "created", done.Outcome)
	require.Equal(t, 8, done.UnitsDone)
	require.NotZero(t, done.DocumentID)
	require.NotZero(t, done.VersionID)
	_, _, ok, err := b.BeginJob(t.Context(), job.ID)
	require.NoError(t, err)
	require.False(t, ok, "what is done is not done again")

	job = b.add(t, "a.md", "New.\n")
	_, try := b.begin(t, job.ID)
	require.NoError(t, b.CancelJob(t.Context(), b.opsScope, job.ID))
	requireCode(t, rag.CodeConflict, put(try, "New.\n"))
	live, err := b.Reading(t.Context(), b.opsScope, done.DocumentID, 0)
	require.NoError(t, err)
	require.Equal(t, rotate, live.Text)
}

func TestJobsAreCancelledAndTriedAgain(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	job := b.add(t, "a.md", rotate)
	requireCode(t, rag.CodeConflict, b.RetryJob(ctx, b.opsScope, job.ID))
	for _, scope := range []rag.Scope{b.clinicScope, b.nobodyScope} {
		requireCode(t, rag.CodeNotFound, b.CancelJob(ctx, scope, job.ID))
		requireCode(t, rag.CodeNotFound, b.RetryJob(ctx, scope, job.ID))
		_, err := b.Job(ctx, scope, job.ID)
		requireCode(t, rag.CodeNotFound, err)
		list, err := b.Jobs(ctx, scope, rag.JobFilter{Limit: 10})
		require.NoError(t, err)
		require.Empty(t, list)
		_, err = b.AddJob(ctx, scope, rag.NewJob{SpaceID: b.ops.ID, SourceURI: "b.md"})
		requireCode(t, rag.CodeNotFound, err)
	}
	require.NoError(t, b.CancelJob(ctx, b.opsScope, job.ID))
	requireCode(t, rag.CodeConflict, b.CancelJob(ctx, b.opsScope, job.ID))
	require.Zero(t, b.count(t, "select count(*) from river_job where state = 'available'"))
	require.NoError(t, b.RetryJob(ctx, b.opsScope, job.ID))
	require.Equal(t, 1, b.count(t, "select count(*) from river_job where state = 'available'"))

	_, try := b.begin(t, job.ID)
	next := time.Now().Add(time.Hour)
	require.NoError(t, b.DelayJob(ctx, try, "The server is busy.", next, true))
	delayed, err := b.Job(ctx, b.opsScope, job.ID)
	require.NoError(t, err)
	require.Equal(t, rag.JobQueued, delayed.State)
	require.Equal(t, "The server is busy.", delayed.Message)
	require.WithinDuration(t, next, delayed.NextTry, time.Millisecond)
	require.Equal(t, 1, delayed.Attempt)
	_, try = b.begin(t, job.ID)
	require.NoError(t, b.DelayJob(ctx, try, "Stopped.", next, false))
	delayed, err = b.Job(ctx, b.opsScope, job.ID)
	require.NoError(t, err)
	require.Equal(t, 1, delayed.Attempt, "a try that the end of a process ended does not count")

	_, try = b.begin(t, job.ID)
	require.NoError(t, b.FailJob(ctx, try, "It cannot be read."))
	counts, err := b.JobCounts(ctx, b.opsScope)
	require.NoError(t, err)
	require.Equal(t, map[rag.JobState]int{rag.JobFailed: 1}, counts)
	list, err := b.Jobs(ctx, b.opsScope, rag.JobFilter{States: []rag.JobState{rag.JobFailed}, Limit: 10})
	require.NoError(t, err)
	require.Len(t, list, 1)
	require.Equal(t, "It cannot be read.", list[0].Message)
	second := b.add(t, "a.md", rotate)
	requireCode(t, rag.CodeConflict, b.RetryJob(ctx, b.opsScope, job.ID))
	require.NoError(t, b.CancelJob(ctx, b.opsScope, second.ID))
}

// Several workers may be at one document: what was sent last stays, whoever is
// quicker, and what is deleted stays so.
func TestWhatWasSentLastStays(t *testing.T) {
	t.Parallel()
	b := setup(t)
	_, first := b.begin(t, b.add(t, "a.md", "First.\n").ID)
	_, second := b.begin(t, b.add(t, "a.md", "Second.\n").ID)
	put := func(try rag.JobTry, text string) rag.Live {
		v := version(b.ops, "a.md", text)
		v.Job = &try
		return b.put(t, v)
	}
	live := put(second, "Second.\n")
	require.Equal(t, live.VersionID, put(first, "First.\n").VersionID)
	r, err := b.Reading(t.Context(), b.opsScope, live.DocumentID, 0)
	require.NoError(t, err)
	require.Equal(t, "Second.\n", r.Text)
	job, err := b.Job(t.Context(), b.opsScope, first.ID)
	require.NoError(t, err)
	require.Equal(t, rag.JobDone, job.State)
	require.Equal(t, "unchanged", job.Outcome)

	_, third := b.begin(t, b.add(t, "a.md", "Third.\n").ID)
	require.NoError(t, b.DeleteDocument(t.Context(), b.opsScope, live.DocumentID))
	v := version(b.ops, "a.md", "Third.\n")
	v.Job = &third
	_, err = b.PutVersion(t.Context(), everything, v)
	requireCode(t, rag.CodeConflict, err)
	require.Zero(t, b.count(t, "select count(*) from documents"))
}

// The next try, and the next version, embed only what has no vector yet.
func TestVectorsAreKeptForTheNextTry(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	b.put(t, v)
	text := rotate + "A new line.\n"
	job, try := b.begin(t, b.add(t, "a.md", text).ID)
	next := version(b.ops, "a.md", text)
	kept, err := b.KeptVectors(t.Context(), job, embedder)
	require.NoError(t, err)
	last := next.Index[len(next.Index)-1]
	require.NotContains(t, kept, last.Hash)
	for i, u := range v.Index {
		require.InDeltaSlice(t, toFloat64(u.Vector), toFloat64(kept[u.Hash]), 0.01, i)
	}
	require.NoError(t, b.KeepVectors(t.Context(), try, embedder, []rag.UnitIndex{last, last}))
	kept, err = b.KeptVectors(t.Context(), job, embedder)
	require.NoError(t, err)
	require.Contains(t, kept, last.Hash)
	other, err := b.KeptVectors(t.Context(), job, "another/8")
	require.NoError(t, err)
	require.Empty(t, other, "these are of an embedder of their own")

	next.Job = &try
	b.put(t, next)
	require.Zero(t, b.count(t, "select count(*) from job_vectors"))
}

func toFloat64(v []float32) []float64 {
	out := make([]float64, len(v))
	for i, x := range v {
		out[i] = float64(x)
	}
	return out
}

// T42: the file goes with the last version that was made of it.
func TestOriginalsGoWithTheirDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	finish := func(uri, text string) rag.Live {
		_, try := b.begin(t, b.add(t, uri, text).ID)
		v := version(b.ops, uri, text)
		v.Job = &try
		return b.put(t, v)
	}
	first := finish("a.md", rotate)
	finish("a.md", "Second.\n")
	other := finish("b.md", "Other.\n")
	require.Equal(t, 3, b.count(t, "select count(*) from originals"))
	require.NoError(t, b.DeleteDocument(t.Context(), b.opsScope, first.DocumentID))
	require.Equal(t, 1, b.count(t, "select count(*) from originals"))
	require.NoError(t, b.DeleteDocument(t.Context(), b.opsScope, other.DocumentID))
	require.Zero(t, b.count(t, "select count(*) from originals"))
}
