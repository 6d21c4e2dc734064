package handlers_test

import (
	"context"
	"slices"
	"sync"
	"time"

	"passage/rag"
)

// jobbook is a queue that nothing works on, unless the test does.
type jobbook struct {
	mu    sync.Mutex
	files []rag.NewJob
	jobs  []rag.Job
	err   error // of AddJob
}

func (b *jobbook) AddJob(_ context.Context, _ rag.Scope, n rag.NewJob) (rag.Job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.err != nil {
		return rag.Job{}, b.err
	}
	for _, j := range b.jobs {
		if j.SourceURI == n.SourceURI && !j.State.Final() {
			return j, nil
		}
	}
	b.files = append(b.files, n)
	j := rag.Job{
		ID: int64(len(b.jobs) + 1), SpaceID: n.SpaceID, Space: "Platform", SourceURI: n.SourceURI, Name: n.Name, DocType: n.DocType,
		Bytes: len(n.Data), State: rag.JobQueued, Attempts: 6, Created: time.Date(2026, 3, 2, 10, 0, 0, 0, time.UTC),
	}
	b.jobs = append(b.jobs, j)
	return j, nil
}

func (b *jobbook) Job(_ context.Context, _ rag.Scope, id int64) (rag.Job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if id < 1 || int(id) > len(b.jobs) {
		return rag.Job{}, gone("job")
	}
	return b.jobs[id-1], nil
}

func (b *jobbook) Jobs(_ context.Context, _ rag.Scope, f rag.JobFilter) ([]rag.Job, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []rag.Job
	for _, j := range slices.Backward(b.jobs) {
		if (len(f.States) == 0 || slices.Contains(f.States, j.State)) && j.ID >= f.From &&
			(f.Before == 0 || j.ID < f.Before) && (f.IDs == nil || slices.Contains(f.IDs, j.ID)) {
			list = append(list, j)
		}
	}
	return list, nil
}

func (b *jobbook) JobCounts(context.Context, rag.Scope) (map[rag.JobState]int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	counts := map[rag.JobState]int{}
	for _, j := range b.jobs {
		counts[j.State]++
	}
	return counts, nil
}

func (b *jobbook) CancelJob(_ context.Context, _ rag.Scope, id int64) error {
	return b.set(id, func(j *rag.Job) error {
		if j.State.Final() {
			return rag.Errorf(rag.CodeConflict, "The job is %s.", j.State)
		}
		j.State = rag.JobCancelled
		return nil
	})
}

func (b *jobbook) RetryJob(_ context.Context, _ rag.Scope, id int64) error {
	return b.set(id, func(j *rag.Job) error { j.State, j.Message = rag.JobQueued, ""; return nil })
}

func (b *jobbook) set(id int64, change func(*rag.Job) error) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if id < 1 || int(id) > len(b.jobs) {
		return gone("job")
	}
	return change(&b.jobs[id-1])
}
