package evaluate

import (
	"bytes"
	"context"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/retrieve"
)

// Chunks that take long to embed do not make a run look abandoned.
func TestRunsGiveSignsOfLifeWhileChunksAreMade(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.sign = time.Millisecond
	b.rows.signs = make(chan struct{})
	b.plan.AddChunks, b.plan.Settings = true, b.plan.Settings[:1]
	b.o.Prepare = func(context.Context, rag.Filter, *rag.Strategy) error {
		<-b.rows.signs
		<-b.rows.signs
		return nil
	}
	done := make(chan Run, 1)
	go func() {
		run, err := b.Measure(t.Context(), rag.Scope{}, b.plan, nil)
		if err != nil {
			t.Error(err)
		}
		done <- run
	}()
	for {
		select {
		case <-b.rows.signs: // those of the questions
		case run := <-done:
			require.Equal(t, rag.RunDone, run.State)
			require.NotZero(t, run.Results[0].Questions)
			return
		}
	}
}

func TestRunCancelledElsewhereStopsMakingChunks(t *testing.T) {
	t.Parallel()
	b := setup(t, nil)
	b.sign, b.rows.cancel = time.Millisecond, true
	b.plan.AddChunks = true
	prepared := 0
	b.o.Prepare = func(ctx context.Context, _ rag.Filter, _ *rag.Strategy) error {
		prepared++
		<-ctx.Done()
		return ctx.Err()
	}
	run, err := b.Measure(t.Context(), rag.Scope{}, b.plan, nil)
	require.NoError(t, err)
	require.Equal(t, rag.RunCancelled, run.State)
	require.Equal(t, 1, prepared)
	require.Equal(t, rag.RunCancelled, b.rows.runs[run.ID].State)
}

// A fault of the program ends the run in the background, not the program.
func TestFaultEndsTheRunOnly(t *testing.T) {
	t.Parallel()
	b := setup(t, func(_ context.Context, req retrieve.Request) (retrieve.Result, error) {
		panic("a fault at " + req.Question)
	})
	var log bytes.Buffer
	b.o.Log = slog.New(slog.NewTextHandler(&log, nil))
	run, err := b.Start(t.Context(), rag.Scope{}, b.plan)
	require.NoError(t, err)
	b.wg.Wait()
	stored := b.rows.runs[run.ID]
	require.Equal(t, rag.RunFailed, stored.State)
	require.Contains(t, stored.Failure, "Something went wrong here")
	require.Contains(t, log.String(), "evaluation run ended in a fault")
	require.NotContains(t, log.String(), "Druck", "no text of a question")
	require.Empty(t, b.cancels, "another run may start")
}
