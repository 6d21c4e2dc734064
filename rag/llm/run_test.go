package llm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/outbound"
)

// TestMain also proves that no fault leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestContract(t *testing.T) {
	t.Parallel()
	var all matrix
	t.Cleanup(func() { t.Log("\n" + all.String()) })
	for _, tr := range trials() {
		for _, s := range scripts() {
			t.Run(tr.name+"/"+s.provider, func(t *testing.T) {
				t.Parallel()
				all.set(tr.name, s.provider, "FAILED")
				all.set(tr.name, s.provider, tr.run(t, s))
			})
		}
	}
}

// run plays one trial with one provider and says in a word what came of it.
func (tr trial) run(t *testing.T, s script) string {
	t.Helper()
	srv := newServer(t, s, tr.serve)
	var log bytes.Buffer
	var waits []time.Duration
	cfg := llm.Config{
		Provider: s.provider, BaseURL: srv.URL, Model: "m", APIKey: apiKey,
		Logger: slog.New(slog.NewJSONHandler(&log, nil)),
		Sleep: func(ctx context.Context, d time.Duration) error {
			waits = append(waits, d)
			return ctx.Err()
		},
	}
	if tr.cfg != nil {
		tr.cfg(&cfg)
	}
	c, err := llm.New(cfg)
	require.NoError(t, err)
	defer c.Close()

	ctx := newFuse(t.Context())
	defer ctx.end(context.Canceled)
	var ended time.Time
	var got strings.Builder
	res, err := c.Stream(ctx, question(), func(_ context.Context, chunk string) error {
		require.True(t, utf8.ValidString(chunk), "chunk %q", chunk)
		got.WriteString(chunk)
		if tr.chunk == nil {
			return nil
		}
		ended = time.Now()
		return tr.chunk(ctx.end, chunk)
	})

	require.Equal(t, got.String(), res.Text, "the result is what was handed on")
	if tr.text != "*" {
		require.Equal(t, tr.text, res.Text)
	}
	require.Equal(t, max(tr.calls, 1), srv.calls())
	require.Len(t, waits, max(tr.calls, 1)-1)
	if tr.waits != nil {
		require.Equal(t, tr.waits, waits)
	}
	require.NotContains(t, log.String(), apiKey)
	require.NotContains(t, log.String(), prose)
	if tr.chunk != nil {
		require.Less(t, srv.gone(t).Sub(ended), time.Second, "the server sees the end of the connection")
	}
	return tr.verdict(t, res, err)
}

func (tr trial) verdict(t *testing.T, res llm.Result, err error) string {
	t.Helper()
	if tr.kind == "" && tr.is == nil {
		require.NoError(t, err)
		require.Equal(t, tr.stop, res.StopReason)
		if !strings.Contains(tr.name, "without the formal end") {
			require.Equal(t, [2]int{7, 3}, [2]int{res.InputTokens, res.OutputTokens})
		}
		return "answer, " + res.StopReason
	}
	require.Error(t, err)
	require.Empty(t, res.StopReason)
	if tr.is != nil {
		require.ErrorIs(t, err, tr.is)
	}
	if tr.kind == "" {
		return "caller's error"
	}
	var safe *rag.Error
	require.ErrorAs(t, err, &safe)
	for _, text := range []string{err.Error(), safe.Message} {
		require.NotContains(t, text, apiKey)
		require.NotContains(t, text, prose)
	}
	require.NotEqual(t, rag.CodeInternal, safe.Code)
	fault := outbound.As(err)
	require.NotNil(t, fault)
	require.Equal(t, tr.kind, fault.Kind, "%v", err)
	require.Equal(t, tr.partial, fault.Partial)
	if fault.Partial {
		return string(fault.Kind) + ", part kept"
	}
	return string(fault.Kind)
}

// fuse is a context that a test ends when it wants to, with the error of a
// cancel or of a deadline.
type fuse struct {
	context.Context
	mu   sync.Mutex
	err  error
	done chan struct{}
}

func newFuse(ctx context.Context) *fuse { return &fuse{Context: ctx, done: make(chan struct{})} }

func (f *fuse) end(err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.err == nil {
		f.err = err
		close(f.done)
	}
}

func (f *fuse) Done() <-chan struct{} { return f.done }

func (f *fuse) Err() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.err
}

func question() llm.Request {
	return llm.Request{Messages: []llm.Message{
		{Role: llm.RoleSystem, Text: "Answer from the passages."},
		{Role: llm.RoleUser, Text: "How do I rotate the certificate?"},
	}}
}

// server plays a script and counts.
type server struct {
	*httptest.Server
	mu   sync.Mutex
	n    int
	left chan time.Time
}

func newServer(t *testing.T, s script, serve func(reply)) *server {
	t.Helper()
	srv := &server{left: make(chan time.Time, 16)}
	srv.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != s.path {
			http.Error(w, "wrong path", http.StatusTeapot)
			return
		}
		// Only after the body is read does the server watch for the client's end.
		_, _ = io.Copy(io.Discard, r.Body)
		srv.mu.Lock()
		srv.n++
		n := srv.n
		srv.mu.Unlock()
		defer func() { srv.left <- time.Now() }()
		serve(reply{w, r, n, s})
	}))
	t.Cleanup(srv.Close)
	return srv
}

func (s *server) calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.n
}

// gone gives the time at which the handler ended.
func (s *server) gone(t *testing.T) time.Time {
	t.Helper()
	select {
	case at := <-s.left:
		return at
	case <-time.After(5 * time.Second):
		require.Fail(t, "the server never saw the client leave")
		return time.Time{}
	}
}

// matrix collects the verdicts for printing.
type matrix struct {
	mu   sync.Mutex
	cell map[[2]string]string
}

func (m *matrix) set(row, column, verdict string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.cell == nil {
		m.cell = map[[2]string]string{}
	}
	m.cell[[2]string{row, column}] = verdict
}

func (m *matrix) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-52s", "the server's behaviour")
	for _, s := range scripts() {
		fmt.Fprintf(&b, "%-26s", s.provider)
	}
	for _, tr := range trials() {
		fmt.Fprintf(&b, "\n%-52s", tr.name)
		for _, s := range scripts() {
			fmt.Fprintf(&b, "%-26s", m.cell[[2]string{tr.name, s.provider}])
		}
	}
	return b.String()
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := httptest.NewServer(http.NotFoundHandler())
			srv.Close()
			waits := 0
			c, err := llm.New(llm.Config{
				Provider: s.provider, BaseURL: srv.URL, Model: "m", APIKey: apiKey,
				Sleep: func(context.Context, time.Duration) error { waits++; return nil },
			})
			require.NoError(t, err)
			_, err = c.Stream(t.Context(), question(), func(context.Context, string) error { return errors.New("called") })
			require.Equal(t, outbound.KindUnavailable, outbound.KindOf(err), "%v", err)
			require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
			require.Equal(t, 2, waits)
			require.Equal(t, outbound.KindUnavailable, outbound.KindOf(c.Available(t.Context())))
		})
	}
}
