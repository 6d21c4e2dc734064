package main

import (
	"context"
	"time"

	"passage/rag"
	"passage/rag/evaluate"
)

// abandonedRun is how long a run may be silent before it counts as one whose
// process is gone.
const abandonedRun = 2 * time.Minute

// openBench is the bench of the server: runs in the background end when the app
// is closed, and keep what they measured.
func (a *app) openBench() *evaluate.Bench {
	b := a.bench()
	a.onClose("evaluation", b.Close)
	return b
}

// tuner sets strategies for the pages.
type tuner struct{ *app }

// SetStrategy makes the chunks that the strategy searches, where documents of
// the type lack them, and then sets it: no document is out of reach in between.
func (t tuner) SetStrategy(ctx context.Context, docType string, s rag.Strategy) error {
	if err := t.addChunks(ctx, rag.Filter{DocTypes: []string{docType}}, s); err != nil {
		return err
	}
	return t.store.SetStrategy(ctx, docType, s)
}
