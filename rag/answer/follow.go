package answer

import (
	"context"
	"sync"
	"time"

	"passage/rag"
)

// run is one answer being written in this process.
type run struct {
	id     int64
	cancel context.CancelCauseFunc
	done   chan struct{} // closed when the answer is stored

	mu      sync.Mutex
	now     Snapshot
	changed chan struct{} // closed and replaced at each change
}

func newRun(answer rag.Message) *run {
	return &run{
		id: answer.ID, done: make(chan struct{}), changed: make(chan struct{}),
		now: Snapshot{Stage: StageSearching, Message: answer},
	}
}

// set changes the snapshot and wakes the followers.
func (r *run) set(change func(*Snapshot)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.now)
	close(r.changed)
	r.changed = make(chan struct{})
}

func (r *run) look() (Snapshot, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.now, r.changed
}

// Follow calls show with the answer as it stands and again after each change,
// until it is final, show returns an error, or the context ends. A slow show
// misses changes in between, never the last one. Any number of followers may
// read one answer, also after it is finished, and also when another process
// writes it. Errors: CodeNotFound, that of show, that of the context.
func (d *Desk) Follow(ctx context.Context, scope rag.Scope, answerID int64, show func(Snapshot) error) error {
	// The store says whether the scope may read the answer at all.
	m, err := d.store.Message(ctx, scope, answerID)
	if err != nil {
		return err
	}
	if r := d.find(answerID); r != nil {
		return r.follow(ctx, show)
	}
	return d.poll(ctx, scope, m, show)
}

func (r *run) follow(ctx context.Context, show func(Snapshot) error) error {
	for {
		s, changed := r.look()
		if err := show(s); err != nil {
			return err
		}
		if s.Stage == StageReady {
			return nil
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// poll follows an answer that this process does not write, through the store.
func (d *Desk) poll(ctx context.Context, scope rag.Scope, m rag.Message, show func(Snapshot) error) error {
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	shown := false
	var last string
	for {
		final := m.State != rag.AnswerWriting
		if !shown || final || m.Text != last {
			if err := show(Snapshot{Stage: StageOf(m), Message: m}); err != nil {
				return err
			}
			shown, last = true, m.Text
		}
		if final {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		var err error
		if m, err = d.store.Message(ctx, scope, m.ID); err != nil {
			return err
		}
	}
}

// StageOf tells the stage of a stored answer.
func StageOf(m rag.Message) Stage {
	switch {
	case m.State != rag.AnswerWriting:
		return StageReady
	case len(m.Citations) > 0 || m.Text != "":
		return StageWriting
	default:
		return StageSearching
	}
}

// Wait gives the finished answer. When the context ends first it gives the
// answer as it stands, with the context's error.
func (d *Desk) Wait(ctx context.Context, scope rag.Scope, answerID int64) (rag.Message, error) {
	var last rag.Message
	err := d.Follow(ctx, scope, answerID, func(s Snapshot) error {
		last = s.Message
		return nil
	})
	return last, err
}
