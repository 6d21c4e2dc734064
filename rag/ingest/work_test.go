package ingest

import (
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/outbound"
	"passage/rag/split"
)

// book keeps one job, as the store does.
type book struct {
	*memory
	job     rag.Job
	data    string
	kept    map[[32]byte][]float32
	batches int
	lost    bool // another process has the job
	next    time.Time
}

func (b *book) BeginJob(context.Context, int64) (rag.Job, []byte, bool, error) {
	if b.job.State.Final() {
		return rag.Job{}, nil, false, nil
	}
	b.job.State, b.job.Attempt = rag.JobRunning, b.job.Attempt+1
	return b.job, []byte(b.data), true, nil
}

func (b *book) change(try rag.JobTry, change func()) error {
	if b.lost || try.Attempt != b.job.Attempt || b.job.State != rag.JobRunning {
		return rag.Errorf(rag.CodeConflict, "lost")
	}
	change()
	return nil
}

func (b *book) ShowJob(_ context.Context, try rag.JobTry, stage rag.JobStage, done, units int) error {
	return b.change(try, func() { b.job.Stage, b.job.UnitsDone, b.job.Units = stage, done, units })
}

func (b *book) FinishJob(_ context.Context, try rag.JobTry, documentID, _ int64) error {
	return b.change(try, func() { b.job.State, b.job.Outcome, b.job.DocumentID = rag.JobDone, try.Outcome, documentID })
}

func (b *book) FailJob(_ context.Context, try rag.JobTry, message string) error {
	return b.change(try, func() { b.job.State, b.job.Message = rag.JobFailed, message })
}

func (b *book) DelayJob(_ context.Context, try rag.JobTry, message string, next time.Time, counted bool) error {
	return b.change(try, func() {
		b.job.State, b.job.Message, b.next = rag.JobQueued, message, next
		if !counted {
			b.job.Attempt--
		}
	})
}

func (b *book) KeptVectors(context.Context, rag.Job, string) (map[[32]byte][]float32, error) {
	return b.kept, nil
}

func (b *book) KeepVectors(_ context.Context, _ rag.JobTry, _ string, index []rag.UnitIndex) error {
	b.batches++
	for _, u := range index {
		b.kept[u.Hash] = u.Vector
	}
	return nil
}

// PutVersion finishes the job too, as the store does in one transaction.
func (b *book) PutVersion(ctx context.Context, scope rag.Scope, v rag.NewVersion) (rag.Live, error) {
	if err := b.FinishJob(ctx, *v.Job, 1, 1); err != nil {
		return rag.Live{}, err
	}
	return b.memory.PutVersion(ctx, scope, v)
}

// flaky fails at one of its calls and counts the texts of the others.
type flaky struct {
	failAt int
	fault  error
	calls  int
	texts  int
}

func (*flaky) ID() string     { return "flaky/2" }
func (*flaky) Dimension() int { return 2 }
func (f *flaky) Embed(_ context.Context, texts []string) ([][]float32, error) {
	f.calls++
	if f.calls == f.failAt {
		return nil, f.fault
	}
	f.texts += len(texts)
	vectors := make([][]float32, len(texts))
	for i, t := range texts {
		vectors[i] = []float32{1, float32(len(t))}
	}
	return vectors, nil
}

func jobOf(data string) *book {
	return &book{
		memory: &memory{live: map[string]rag.NewVersion{}}, data: data, kept: map[[32]byte][]float32{},
		job: rag.Job{ID: 5, SpaceID: 1, SourceURI: "a.md", Name: "a.md", State: rag.JobQueued, Attempts: 3},
	}
}

func workerOf(b *book, e rag.Embedder) *Worker {
	log := slog.New(slog.DiscardHandler)
	return NewWorker(New(b, e, split.Options{}, log), b, log)
}

// long is a text of so many sentences, each another one.
func long(sentences int) string {
	var b strings.Builder
	b.WriteString("# Long\n\n")
	for i := range sentences {
		b.WriteString("This is sentence number " + strings.Repeat("x", i%97) + string(rune('a'+i%26)) + strings.Repeat("y", i/97) + ".\n\n")
	}
	return b.String()
}

func TestAJobThatFailsInTheMiddleGoesOnThere(t *testing.T) {
	t.Parallel()
	b := jobOf(long(3*embedBatch - 10))
	away := rag.WithCause(&outbound.Error{Kind: outbound.KindRateLimited, RetryAfter: 7 * time.Second}, rag.CodeRateLimited, "The embedding server is busy.")
	e := &flaky{failAt: 3, fault: away}
	w := workerOf(b, e)
	wait, again, err := w.Run(t.Context(), 5)
	require.NoError(t, err)
	require.True(t, again)
	require.Equal(t, 7*time.Second, wait, "as long as the server asked for")
	require.Equal(t, rag.JobQueued, b.job.State)
	require.Equal(t, "The embedding server is busy.", b.job.Message)
	require.Equal(t, 2*embedBatch, b.job.UnitsDone)
	require.Equal(t, 2*embedBatch, e.texts)

	_, again, err = w.Run(t.Context(), 5)
	require.NoError(t, err)
	require.False(t, again)
	require.Equal(t, rag.JobDone, b.job.State)
	require.Equal(t, "created", b.job.Outcome)
	require.Equal(t, b.job.Units, e.texts, "no unit was embedded twice")
}

func TestFaultsOfTheFileEndTheJob(t *testing.T) {
	t.Parallel()
	for name, data := range map[string]string{"nothing in it": "", "no words": "---\n---\n", "undecodable": "\x00\xff\xfe\x01 \xc3("} {
		b := jobOf(data)
		_, again, err := workerOf(b, &flaky{}).Run(t.Context(), 5)
		require.NoError(t, err, name)
		require.False(t, again, name)
		require.Equal(t, rag.JobFailed, b.job.State, name)
		require.NotEmpty(t, b.job.Message, name)
		require.NotContains(t, b.job.Message, "went wrong here", name)
	}
}

// T45: tries are few, each after a longer wait.
func TestTriesEndAfterTheMost(t *testing.T) {
	t.Parallel()
	b := jobOf("A sentence.\n")
	away := rag.Errorf(rag.CodeUnavailable, "The embedding server cannot be reached.")
	var waits []time.Duration
	for range b.job.Attempts - 1 {
		wait, again, err := workerOf(b, &flaky{failAt: 1, fault: away}).Run(t.Context(), 5)
		require.NoError(t, err)
		require.True(t, again)
		waits = append(waits, wait)
	}
	require.Greater(t, waits[1], waits[0])
	_, again, err := workerOf(b, &flaky{failAt: 1, fault: away}).Run(t.Context(), 5)
	require.NoError(t, err)
	require.False(t, again)
	require.Equal(t, rag.JobFailed, b.job.State)
	require.Equal(t, "The embedding server cannot be reached. It was tried 3 times.", b.job.Message)
	require.LessOrEqual(t, pause(60, errors.New("x")), mostWait*5/4)
}

func TestAJobOfAnotherProcessIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := jobOf("A sentence.\n")
	b.lost = true
	_, again, err := workerOf(b, &flaky{}).Run(t.Context(), 5)
	require.NoError(t, err)
	require.False(t, again)
	require.Zero(t, b.puts)
}

func TestTheEndOfTheProcessIsNoTry(t *testing.T) {
	t.Parallel()
	b := jobOf("A sentence.\n")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, again, err := workerOf(b, &flaky{}).Run(ctx, 5)
	require.NoError(t, err)
	require.True(t, again)
	require.Equal(t, rag.JobQueued, b.job.State)
	require.Zero(t, b.job.Attempt)
}

func TestWhatIsThereAlreadyFinishesTheJob(t *testing.T) {
	t.Parallel()
	b := jobOf("A sentence.\n")
	w := workerOf(b, &flaky{})
	_, _, err := w.Run(t.Context(), 5)
	require.NoError(t, err)
	b.job = rag.Job{ID: 6, SpaceID: 1, SourceURI: "a.md", Name: "a.md", State: rag.JobQueued, Attempts: 3}
	_, _, err = w.Run(t.Context(), 6)
	require.NoError(t, err)
	require.Equal(t, rag.JobDone, b.job.State)
	require.Equal(t, "unchanged", b.job.Outcome)
	require.Equal(t, 1, b.puts)
}
