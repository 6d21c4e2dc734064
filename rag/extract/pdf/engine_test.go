package pdf

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klippa-app/go-pdfium"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"passage/rag"
)

// TestMain checks that Close leaves nothing running.
func TestMain(m *testing.M) {
	code := m.Run()
	Close()
	if err := goleak.Find(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		code = 1
	}
	os.Exit(code)
}

// Several readers at once, under the race detector too.
func TestAtOnce(t *testing.T) {
	t.Parallel()
	data := (&maker{}).page(set{x: 60, y: 60, text: "Stop."}).bytes()
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			doc, err := Read(context.Background(), data)
			if err != nil || dump(doc) != "paragraph ⟨1⟩Stop.\n" {
				t.Errorf("%v %q", err, dump(doc))
			}
		})
	}
	all.Wait()
}

// laughs is a file of a few hundred bytes whose page draws itself ten billion
// times: forms that each draw the next one ten times.
func laughs() []byte {
	const levels = 10
	m := &maker{}
	data := string(m.raw("/L0 Do").bytes())
	var forms strings.Builder
	for i := range levels {
		content := strings.Repeat(fmt.Sprintf("/L%d Do ", i+1), 10)
		if i == levels-1 {
			content = set{x: 1, y: 1, text: "ha"}.code("1 0 0 1")
		}
		fmt.Fprintf(&forms, "%d 0 obj\n<< /Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources << /XObject << /L%d %d 0 R >> >> /Length %d >>\nstream\n%s\nendstream\nendobj\n", 100+i, i+1, 101+i, len(content), content)
	}
	data = strings.Replace(data, "/XObject <<", "/XObject << /L0 100 0 R", 1)
	// The table of objects is wrong now; PDFium finds them itself.
	at := strings.Index(data, "xref\n")
	return []byte(data[:at] + forms.String() + "trailer\n<< /Size 200 /Root 1 0 R >>\n%%EOF\n")
}

// A file that would take for ever is stopped, and the next one is read.
func TestStopped(t *testing.T) {
	t.Parallel()
	slow(t)
	start := time.Now()
	_, err := shared.read(context.Background(), laughs(), 2*time.Second)
	require.Error(t, err)
	require.Contains(t, []rag.Code{rag.CodeTooLarge, rag.CodeInvalid}, rag.ErrorCode(err))
	require.Less(t, time.Since(start), 60*time.Second)

	ctx, cancel := context.WithCancel(context.Background())
	stop := time.AfterFunc(300*time.Millisecond, cancel)
	defer stop.Stop()
	_, err = Read(ctx, laughs())
	require.Error(t, err)

	require.Contains(t, read(t, (&maker{}).page(body()...)), "The pump")
}

func TestTimeIsOver(t *testing.T) {
	t.Parallel()
	_, err := shared.read(context.Background(), (&maker{}).page(body()...).bytes(), time.Nanosecond)
	require.Equal(t, rag.CodeTooLarge, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "took more than 1ns and was stopped")
}

func TestCancelledBefore(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Read(ctx, []byte("%PDF-1.7"))
	require.ErrorIs(t, err, context.Canceled)
}

// pool counts what the engine does with it.
type pool struct {
	pdfium.Pool
	closed int
}

func (p *pool) GetInstanceWithContext(context.Context) (pdfium.Pdfium, error) {
	return &instance{}, nil
}

func (p *pool) Close() error { p.closed++; return nil }

type instance struct{ pdfium.Pdfium }

func (i *instance) Close() error { return nil }
func (i *instance) Kill() error  { return nil }

func TestEngine(t *testing.T) {
	t.Parallel()
	nothing := func(context.Context, pdfium.Pdfium) error { return nil }
	t.Run("who waits can give up", func(t *testing.T) {
		t.Parallel()
		e := newEngine()
		for range atOnce {
			e.slots <- struct{}{}
		}
		ctx, cancel := context.WithCancel(context.Background())
		cancel()
		require.ErrorIs(t, e.with(ctx, time.Minute, nothing), context.Canceled)
	})
	t.Run("given back when idle, not while in use", func(t *testing.T) {
		t.Parallel()
		e, p := newEngine(), &pool{}
		e.pool = p
		require.NoError(t, e.with(context.Background(), time.Minute, func(context.Context, pdfium.Pdfium) error {
			e.expire()
			require.Zero(t, p.closed)
			return nil
		}))
		require.NotNil(t, e.idle)
		e.expire()
		require.Equal(t, 1, p.closed)
		require.Nil(t, e.pool)
		require.Nil(t, e.idle)
	})
	t.Run("closed when the last file is done", func(t *testing.T) {
		t.Parallel()
		e, p := newEngine(), &pool{}
		e.pool = p
		broken := errors.New("broken")
		require.ErrorIs(t, e.with(context.Background(), time.Minute, func(context.Context, pdfium.Pdfium) error {
			e.close()
			require.Zero(t, p.closed)
			return broken
		}), broken)
		require.Equal(t, 1, p.closed)
		e.close()
		require.Equal(t, 1, p.closed)
	})
	t.Run("no more at once than allowed", func(t *testing.T) {
		t.Parallel()
		synctest.Test(t, func(t *testing.T) {
			e := newEngine()
			e.pool = &pool{}
			in, out := make(chan struct{}, 3*atOnce), make(chan struct{})
			var all sync.WaitGroup
			defer e.close()
			defer all.Wait()
			defer close(out)
			for range 3 * atOnce {
				all.Go(func() {
					_ = e.with(context.Background(), time.Minute, func(context.Context, pdfium.Pdfium) error {
						in <- struct{}{}
						<-out
						return nil
					})
				})
			}
			for i := range 2*atOnce + 1 {
				synctest.Wait() // until nobody can go on
				require.Len(t, in, atOnce+i)
				out <- struct{}{}
			}
		})
	})
}
