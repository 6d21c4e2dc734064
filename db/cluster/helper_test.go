package cluster

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// childVar makes this test binary a program that runs the cluster of the data
// folder it names, see startChild.
const childVar = "CLUSTER_TEST_CHILD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childVar); dir != "" {
		os.Exit(child(dir))
	}
	code := m.Run()
	if seeds.dir != "" {
		_ = os.RemoveAll(seeds.dir)
	}
	os.Exit(code)
}

// child starts the cluster, says so, and stops it on SIGTERM or when its input
// ends.
func child(dir string) int {
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	log := slog.New(slog.NewTextHandler(os.Stderr, &slog.HandlerOptions{Level: slog.LevelDebug}))
	c, err := Start(ctx, Options{DataDir: dir, Logger: log, Throwaway: true, Binaries: Binaries{
		Dir: os.Getenv(childVar + "_BIN"), Major: dirMajor(os.Getenv(childVar + "_BIN")), Vector: minSafe,
	}})
	if err != nil {
		fmt.Fprintln(os.Stdout, "error", err)
		return 1
	}
	fmt.Fprintln(os.Stdout, "ready", c.Owner(), c.DSN(""))
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		cancel()
	}()
	<-ctx.Done()
	if err := c.Stop(context.WithoutCancel(ctx)); err != nil {
		fmt.Fprintln(os.Stdout, "error", err)
		return 1
	}
	fmt.Fprintln(os.Stdout, "stopped")
	return 0
}

// program is a running child.
type program struct {
	cmd   *exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Scanner
	owner bool
	dsn   string
}

// startChild runs another program that uses the data folder and waits until it
// has the cluster. It is killed at the end of the test.
func startChild(t *testing.T, dir string) *program {
	t.Helper()
	p := launchChild(t, dir)
	p.awaitReady(t)
	return p
}

func launchChild(t *testing.T, dir string) *program {
	t.Helper()
	programs, err := filepath.EvalSymlinks(binaries(t).Dir)
	require.NoError(t, err)
	exe, err := os.Executable()
	require.NoError(t, err)
	p := &program{cmd: exec.Command(exe)}
	p.cmd.Env = append(os.Environ(), childVar+"="+dir, childVar+"_BIN="+programs)
	p.cmd.Stderr = &testWriter{t: t}
	p.stdin, err = p.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := p.cmd.StdoutPipe()
	require.NoError(t, err)
	p.out = bufio.NewScanner(out)
	require.NoError(t, p.cmd.Start())
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
	return p
}

func (p *program) awaitReady(t *testing.T) {
	t.Helper()
	require.True(t, p.out.Scan(), "the program ended without a word")
	f := strings.Fields(p.out.Text())
	require.Len(t, f, 3, p.out.Text())
	require.Equal(t, "ready", f[0], p.out.Text())
	p.owner, p.dsn = f[1] == "true", f[2]
}

// end waits for the program's end and gives its last word.
func (p *program) end(t *testing.T) string {
	t.Helper()
	last := ""
	for p.out.Scan() {
		last = p.out.Text()
	}
	require.NoError(t, p.cmd.Wait())
	return last
}

// testWriter logs while the test runs; a child may write after its end.
type testWriter struct {
	t    *testing.T
	mu   sync.Mutex
	over bool
}

func (w *testWriter) Write(b []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.over {
		w.t.Logf("%s", strings.TrimSpace(string(b)))
	}
	return len(b), nil
}

func testLog(t *testing.T) *slog.Logger {
	t.Helper()
	w := &testWriter{t: t}
	t.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.over = true
	})
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{Level: slog.LevelDebug}))
}

// binaries are the programs for the tests; without them a test is skipped, but
// not in CI.
func binaries(t *testing.T) Binaries {
	t.Helper()
	b, err := Find(t.Context(), "../../.data")
	if err != nil && os.Getenv("CI") == "" {
		t.Skipf("no PostgreSQL with pgvector for this test, run \"make postgres\": %v", err)
	}
	require.NoError(t, err)
	b.Dir, err = filepath.Abs(b.Dir)
	require.NoError(t, err)
	return b
}

// dataDir is a data folder that the server's user may enter, too.
func dataDir(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers of its own")
	}
	dir, err := os.MkdirTemp("", "cl") //nolint:usetesting // short, so that the socket fits into it
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// seed is the data folder with a new cluster, made once: initdb takes longer
// than all else in these tests.
type seed struct {
	dir  string
	once sync.Once
	err  error
}

var seeds seed // TestMain removes it

func (s *seed) make(b Binaries) error {
	s.once.Do(func() {
		if s.dir, s.err = os.MkdirTemp("", "cl"); s.err != nil {
			return
		}
		if s.err = os.Chmod(s.dir, 0o755); s.err != nil {
			return
		}
		ctx := context.Background()
		o := Options{DataDir: s.dir, Logger: slog.New(slog.DiscardHandler), Binaries: b, Throwaway: true}
		var c *Cluster
		if c, s.err = Start(ctx, o); s.err == nil {
			s.err = c.Stop(ctx)
		}
	})
	return s.err
}

// seeded is a data folder with a new cluster in it.
func seeded(t *testing.T) string {
	t.Helper()
	dir := dataDir(t)
	sow(t, dir)
	return dir
}

// sow puts a new cluster into a data folder.
func sow(t *testing.T, dir string) {
	t.Helper()
	require.NoError(t, seeds.make(binaries(t)))
	data := filepath.Join(dir, defaultName)
	require.NoError(t, os.CopyFS(data, os.DirFS(filepath.Join(seeds.dir, defaultName))))
	require.NoError(t, os.Chmod(data, 0o700))
}

// quick are options of a cluster that does not wait for the disk.
func quick(t *testing.T, dir string) Options {
	t.Helper()
	return Options{DataDir: dir, Logger: testLog(t), Binaries: binaries(t), Throwaway: true}
}

// start starts the cluster and stops it at the end of the test.
func start(t *testing.T, dir string) *Cluster {
	t.Helper()
	c, err := Start(t.Context(), quick(t, dir))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop(context.WithoutCancel(t.Context()))) })
	return c
}

// ask runs one query that gives one value.
func ask[T any](t *testing.T, dsn, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	var v T
	require.NoError(t, conn.QueryRow(t.Context(), sql).Scan(&v))
	return v
}

// run runs one statement.
func run(t *testing.T, dsn, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

// gone waits until no process of this number runs in the folder.
func gone(t *testing.T, pid int, dir string) {
	t.Helper()
	require.Eventually(t, func() bool { return !(pidFile{pid: pid}).running(dir) }, 20*time.Second, 10*time.Millisecond)
}

func serverPID(t *testing.T, dir string) int {
	t.Helper()
	f, err := readPID(filepath.Join(dir, defaultName))
	require.NoError(t, err)
	return f.pid
}
