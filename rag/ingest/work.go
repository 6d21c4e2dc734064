package ingest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"passage/rag"
	"passage/rag/outbound"
)

// JobStore is where jobs are kept. What is written for a try that is not the job's
// any more is refused with CodeConflict.
type JobStore interface {
	BeginJob(ctx context.Context, id int64) (job rag.Job, data []byte, ok bool, err error)
	ShowJob(ctx context.Context, try rag.JobTry, stage rag.JobStage, done, units int) error
	FinishJob(ctx context.Context, try rag.JobTry, documentID, versionID int64) error
	FailJob(ctx context.Context, try rag.JobTry, message string) error
	DelayJob(ctx context.Context, try rag.JobTry, message string, next time.Time, counted bool) error
	KeptVectors(ctx context.Context, job rag.Job, embedder string) (map[[32]byte][]float32, error)
	KeepVectors(ctx context.Context, try rag.JobTry, embedder string, index []rag.UnitIndex) error
}

// Waits between two tries: the first, doubled with each further one, and the most.
const (
	firstWait = 5 * time.Second
	mostWait  = 15 * time.Minute
)

// putBackTime is how long a try whose process is ending may take to say so.
const putBackTime = 5 * time.Second

// Worker does the jobs of taking files in. It is safe for concurrent use.
type Worker struct {
	in   *Ingester
	jobs JobStore
	log  *slog.Logger
}

// NewWorker makes a worker.
func NewWorker(in *Ingester, jobs JobStore, log *slog.Logger) *Worker {
	return &Worker{in: in, jobs: jobs, log: log}
}

// Run does one try at a job. again says that there is to be another after the
// wait: something outside did not answer, or this process is ending. A fault of
// the file ends the job. An error is one of the store.
func (w *Worker) Run(ctx context.Context, jobID int64) (wait time.Duration, again bool, err error) {
	job, data, ok, err := w.jobs.BeginJob(ctx, jobID)
	if err != nil || !ok {
		return 0, false, err
	}
	t := &try{jobs: w.jobs, job: job, JobTry: rag.JobTry{ID: job.ID, Attempt: job.Attempt}}
	out, err := w.in.Ingest(ctx, Request{
		Scope: rag.Scope{All: true}, SpaceID: job.SpaceID, SourceURI: job.SourceURI, Name: job.Name,
		DocType: job.DocType, Data: data, try: t,
	})
	if err == nil {
		if out.State == Unchanged {
			t.note(out)
			err = w.jobs.FinishJob(ctx, t.JobTry, out.DocumentID, out.VersionID)
		}
		return 0, false, ignoreLost(err)
	}
	return w.judge(ctx, t, err)
}

// judge decides what becomes of a job whose try ended with an error.
func (w *Worker) judge(ctx context.Context, t *try, fault error) (wait time.Duration, again bool, err error) {
	if ctx.Err() != nil { // the process is ending, or the job was cancelled
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), putBackTime)
		defer cancel()
		err := w.jobs.DelayJob(ctx, t.JobTry, "The server was stopped.", w.in.now(), false)
		return 0, err == nil, ignoreLost(err)
	}
	code, message := rag.ErrorCode(fault), rag.ErrorMessage(fault)
	level := slog.LevelInfo
	if code == rag.CodeInternal {
		level = slog.LevelError
	}
	w.log.Log(ctx, level, "a file was not taken in", "job_id", t.ID, "attempt", t.Attempt, "error", fault)
	switch code {
	case rag.CodeInvalid, rag.CodeTooLarge, rag.CodeNotFound:
		return 0, false, ignoreLost(w.jobs.FailJob(ctx, t.JobTry, message))
	case rag.CodeConflict, rag.CodeRateLimited, rag.CodeUnavailable, rag.CodeInternal:
	}
	if t.Attempt >= t.job.Attempts {
		message = fmt.Sprintf("%s It was tried %d times.", message, t.Attempt)
		return 0, false, ignoreLost(w.jobs.FailJob(ctx, t.JobTry, message))
	}
	wait = pause(t.Attempt, fault)
	err = w.jobs.DelayJob(ctx, t.JobTry, message, w.in.now().Add(wait), true)
	return wait, err == nil, ignoreLost(err)
}

// pause is how long to wait after a try: what the server asked for, or twice as
// long as the time before, and a little more or less, so that many jobs do not
// come back at once.
func pause(attempt int, fault error) time.Duration {
	wait := firstWait << min(attempt-1, 20)
	var asked *outbound.Error
	if errors.As(fault, &asked) && asked.RetryAfter > 0 {
		return asked.RetryAfter
	}
	wait = min(wait, mostWait)
	return wait + time.Duration(rand.Int64N(int64(wait)/4)) //nolint:gosec // no secret
}

// ignoreLost drops the error of a job that was cancelled or belongs to another
// process now: there is nothing left to do for it here.
func ignoreLost(err error) error {
	if rag.ErrorCode(err) == rag.CodeConflict {
		return nil
	}
	return err
}

// try is one try at a job.
type try struct {
	rag.JobTry
	jobs JobStore
	job  rag.Job
}

// show tells how far the try is. A nil try is an ingest without a job.
func (t *try) show(ctx context.Context, stage rag.JobStage, done, units int) error {
	if t == nil {
		return nil
	}
	return t.jobs.ShowJob(ctx, t.JobTry, stage, done, units)
}

// note keeps what the job is to say when it is done.
func (t *try) note(out Outcome) {
	t.Outcome, t.Reason, t.Warnings = string(out.State), out.Reason, out.Warnings
}

// kept gives the vectors that need not be made again.
func (t *try) kept(ctx context.Context, embedder string) (map[[32]byte][]float32, error) {
	if t == nil {
		return nil, nil
	}
	return t.jobs.KeptVectors(ctx, t.job, embedder)
}

// keep stores vectors for the next try, if there are more batches in which
// this one may fail.
func (t *try) keep(ctx context.Context, embedder string, index []rag.UnitIndex, more bool) error {
	if t == nil || !more {
		return nil
	}
	return t.jobs.KeepVectors(ctx, t.JobTry, embedder, index)
}
