package dbtest

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"passage/db/cluster"
)

// userVar makes this test binary a test process that uses the cluster of the
// module in its working folder until its input ends.
const userVar = "DBTEST_TEST_USER"

func TestMain(m *testing.M) {
	if os.Getenv(userVar) == "" {
		os.Exit(m.Run())
	}
	s, err := open(context.Background())
	if err != nil {
		fmt.Fprintln(os.Stdout, "error", err)
		os.Exit(1)
	}
	fmt.Fprintln(os.Stdout, "ready", s.address)
	_, _ = io.Copy(io.Discard, os.Stdin)
	runtime.KeepAlive(s)
	os.Exit(0)
}

// module makes an empty module whose programs are those of the real one.
func module(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("starts servers of its own")
	}
	if _, err := cluster.Find(t.Context(), "../../.data"); err != nil && os.Getenv("CI") == "" {
		t.Skipf("no PostgreSQL with pgvector for this test, run \"make postgres\": %v", err)
	}
	dir, err := os.MkdirTemp("", "db") //nolint:usetesting // short, so that a socket fits into it
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() {
		f := filesIn(filepath.Join(dir, ".data"))
		_, err := f.address.TryLockContext(context.WithoutCancel(t.Context()), askEvery) // the supervisor is gone
		require.NoError(t, err)
		require.NoError(t, os.RemoveAll(dir))
	})
	require.NoError(t, os.WriteFile(filepath.Join(dir, "go.mod"), []byte("module m\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, ".data"), 0o755))
	programs, err := filepath.Abs("../../.data/pgsql")
	require.NoError(t, err)
	require.NoError(t, os.Symlink(programs, filepath.Join(dir, ".data", "pgsql")))
	return dir
}

type user struct {
	cmd     *exec.Cmd
	stdin   io.WriteCloser
	out     *bufio.Scanner
	address string
}

func launchUser(t *testing.T, module string) *user {
	t.Helper()
	exe, err := os.Executable()
	require.NoError(t, err)
	u := &user{cmd: exec.Command(exe)}
	u.cmd.Dir, u.cmd.Stderr = module, os.Stderr
	u.cmd.Env = append(os.Environ(), userVar+"=1", "TEST_DATABASE_URL=", "DATABASE_URL=", idleVar+"=1s")
	u.stdin, err = u.cmd.StdinPipe()
	require.NoError(t, err)
	out, err := u.cmd.StdoutPipe()
	require.NoError(t, err)
	u.out = bufio.NewScanner(out)
	require.NoError(t, u.cmd.Start())
	t.Cleanup(u.kill)
	return u
}

func (u *user) awaitReady(t *testing.T) {
	t.Helper()
	require.True(t, u.out.Scan(), "the process ended without a word")
	word, address, _ := strings.Cut(u.out.Text(), " ")
	require.Equal(t, "ready", word, u.out.Text())
	u.address = address
}

func (u *user) kill() {
	_ = u.cmd.Process.Kill()
	_ = u.cmd.Wait()
}

func TestProcessesShareOneCluster(t *testing.T) {
	t.Parallel()
	dir := module(t)
	users := []*user{launchUser(t, dir), launchUser(t, dir), launchUser(t, dir)}
	for _, u := range users {
		u.awaitReady(t)
		require.Equal(t, users[0].address, u.address)
	}
	conn, err := pgx.Connect(t.Context(), users[0].address)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), "create database passage_test_left")
	require.NoError(t, err)

	// Whichever of them started the cluster: the others keep it.
	users[0].kill()
	require.NoError(t, users[1].stdin.Close())
	require.NoError(t, users[1].cmd.Wait())
	var n int
	require.NoError(t, conn.QueryRow(t.Context(), "select 1").Scan(&n))
	require.NoError(t, conn.Close(t.Context()))

	// After the last one it stops, and what a killed test left goes at the next start.
	users[2].kill()
	awaitStop(t, dir)
	next := launchUser(t, dir)
	next.awaitReady(t)
	conn, err = pgx.Connect(t.Context(), next.address)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	names, err := databases(t.Context(), conn, "passage_test_")
	require.NoError(t, err)
	require.Empty(t, names)
}

func awaitStop(t *testing.T, module string) {
	t.Helper()
	address := flock.New(filepath.Join(module, ".data", clusterName+".address"))
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	_, err := address.TryLockContext(ctx, askEvery)
	require.NoError(t, err, "the supervisor is still there")
	require.NoError(t, address.Unlock())
	require.NoFileExists(t, filepath.Join(module, ".data", clusterName, "postmaster.pid"))
	require.NoDirExists(t, memoryPath(filepath.Join(module, ".data")))
}

func TestKilledSupervisorIsReplaced(t *testing.T) {
	t.Parallel()
	dir := module(t)
	first := launchUser(t, dir)
	first.awaitReady(t)
	// The supervisor leads a session of its own, which is the test's way to find it.
	pid := childOf(t, first.cmd.Process.Pid)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	address := filesIn(filepath.Join(dir, ".data")).address
	_, err := address.TryLockContext(t.Context(), askEvery)
	require.NoError(t, err)
	require.NoError(t, address.Unlock())
	second := launchUser(t, dir)
	second.awaitReady(t)
	conn, err := pgx.Connect(t.Context(), second.address)
	require.NoError(t, err)
	require.NoError(t, conn.Close(t.Context()))
}

// childOf finds the one child of a process.
func childOf(t *testing.T, pid int) int {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "pgrep", "-P", strconv.Itoa(pid)).Output()
	if err != nil {
		t.Skipf("needs pgrep: %v", err)
	}
	var child int
	_, err = fmt.Sscan(string(out), &child)
	require.NoError(t, err)
	return child
}

func TestNoBinariesIsTold(t *testing.T) {
	t.Parallel()
	dir := module(t)
	require.NoError(t, os.Remove(filepath.Join(dir, ".data", "pgsql")))
	if _, err := cluster.Find(t.Context(), filepath.Join(dir, ".data")); err == nil {
		t.Skip("this machine has PostgreSQL with pgvector installed")
	}
	_, _, err := shared(t.Context(), filepath.Join(dir, ".data"))
	require.ErrorIs(t, err, cluster.ErrNoPostgres)
}
