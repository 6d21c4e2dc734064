package cluster

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestKilledProgramLeavesDataAndNoServer(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	p := startChild(t, dir)
	run(t, p.dsn, "create table kept (n int); insert into kept values (7)")
	pid := serverPID(t, dir)
	require.NoError(t, p.cmd.Process.Kill())
	_ = p.cmd.Wait()
	if runtime.GOOS == "linux" {
		gone(t, pid, filepath.Join(dir, defaultName))
	}
	c := start(t, dir)
	require.Equal(t, 7, ask[int](t, c.DSN(""), "select n from kept"))
}

// The next program may start before the server of the killed one has ended.
func TestStartRightAfterAKill(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	for n := range 3 {
		p := startChild(t, dir)
		require.True(t, p.owner)
		if n == 0 {
			run(t, p.dsn, "create table kept (n int)")
		}
		run(t, p.dsn, "insert into kept values (1)")
		require.NoError(t, p.cmd.Process.Kill())
		_ = p.cmd.Wait()
	}
	c := start(t, dir)
	require.Equal(t, 3, ask[int](t, c.DSN(""), "select count(*)::int from kept"))
}

func TestGuestTakesOverWhenTheOwnerIsKilled(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	p := startChild(t, dir)
	c := start(t, dir)
	run(t, c.DSN(""), "create table kept (n int)")
	require.NoError(t, p.cmd.Process.Kill())
	_ = p.cmd.Wait()
	require.Eventually(t, c.Owner, 20*time.Second, 10*time.Millisecond)
	require.Equal(t, 0, ask[int](t, c.DSN(""), "select count(*)::int from kept"))
}

func TestTerminatedProgramStopsTheServer(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	p := startChild(t, dir)
	pid := serverPID(t, dir)
	require.NoError(t, p.cmd.Process.Signal(syscall.SIGTERM))
	require.Equal(t, "stopped", p.end(t))
	require.False(t, alive(pid))
	require.NoFileExists(t, filepath.Join(dir, defaultName, pidName))
}

// A server that runs although its program is gone, as on systems that do not
// tell a child of its parent's end, is used on.
func TestOrphanServerIsTakenOver(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	b := binaries(t)
	c, err := Start(t.Context(), quick(t, dir))
	require.NoError(t, err)
	require.NoError(t, c.Stop(t.Context()))
	cmd := c.home.command(t.Context(), filepath.Join(b.Dir, "pg_ctl"), "-D", c.home.dir, "-w", "-l", "/dev/null",
		"-o", "-c listen_addresses= -k "+c.home.dir, "start")
	require.NoError(t, cmd.Run())
	pid := serverPID(t, dir)

	c, err = Start(t.Context(), quick(t, dir))
	require.NoError(t, err)
	require.True(t, c.Owner())
	require.Equal(t, pid, serverPID(t, dir))
	require.Equal(t, 1, ask[int](t, c.DSN(""), "select 1"))
	require.NoError(t, c.Stop(t.Context()))
	require.False(t, pidFile{pid: pid}.running(c.home.dir)) // init may not have waited for it yet
}

// After a reboot, and in containers nearly always, the number in a stale pid
// file belongs to another process.
func TestStalePIDFile(t *testing.T) {
	t.Parallel()
	other := exec.CommandContext(t.Context(), "sleep", "600")
	require.NoError(t, other.Start())
	t.Cleanup(func() {
		_ = other.Process.Kill()
		_ = other.Wait()
	})
	dead := exec.CommandContext(t.Context(), "true")
	require.NoError(t, dead.Run())
	for name, first := range map[string]string{
		"a foreign process": strconv.Itoa(other.Process.Pid),
		"this program":      strconv.Itoa(os.Getpid()),
		"no process":        strconv.Itoa(dead.Process.Pid),
		"empty":             "",
		"not a number":      "x",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := seeded(t)
			p := startChild(t, dir)
			run(t, p.dsn, "create table kept (n int)")
			data := filepath.Join(dir, defaultName)
			text, err := os.ReadFile(filepath.Join(data, pidName))
			require.NoError(t, err)
			_, rest, _ := strings.Cut(string(text), "\n")
			require.NoError(t, p.stdin.Close())
			require.Equal(t, "stopped", p.end(t))
			for _, file := range []string{pidName, socketName + ".lock"} {
				require.NoError(t, os.WriteFile(filepath.Join(data, file), []byte(first+"\n"+rest), 0o600))
			}
			if os.Geteuid() == 0 {
				require.NoError(t, os.Chown(filepath.Join(data, pidName), mustOwner(t, data), -1))
			}
			c := start(t, dir)
			require.Equal(t, 0, ask[int](t, c.DSN(""), "select count(*)::int from kept"))
		})
	}
}

func mustOwner(t *testing.T, path string) int {
	t.Helper()
	uid, _, err := owner(path)
	require.NoError(t, err)
	return uid
}

func TestUnusableDataIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := binaries(t)
	for name, c := range map[string]struct {
		files map[string]string
		says  string
	}{
		"half a cluster": {map[string]string{"PG_VERSION": strconv.Itoa(b.Major) + "\n"}, "no complete database"},
		"an empty control file": {
			map[string]string{"PG_VERSION": strconv.Itoa(b.Major) + "\n", "global/pg_control": ""}, "no complete database",
		},
		"something else":        {map[string]string{"letter.txt": "dear"}, "no complete database"},
		"another major version": {map[string]string{"PG_VERSION": "9\n", "global/pg_control": "x"}, "written by PostgreSQL 9"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := dataDir(t)
			for file, text := range c.files {
				path := filepath.Join(dir, defaultName, file)
				require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
				require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
			}
			_, err := Start(t.Context(), Options{DataDir: dir, Logger: testLog(t), Binaries: b})
			require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), c.says)
			require.Contains(t, rag.ErrorMessage(err), dir)
			for file, text := range c.files {
				got, err := os.ReadFile(filepath.Join(dir, defaultName, file))
				require.NoError(t, err)
				require.Equal(t, text, string(got))
			}
		})
	}
}

// initdb works beside the final folder, so what an interrupted one left is not
// data.
func TestInterruptedInitdb(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "postgres.new", "base"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "postgres.new", "PG_VERSION"), []byte("18\n"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, defaultName), 0o700))
	c := start(t, dir)
	require.Equal(t, 1, ask[int](t, c.DSN(""), "select 1"))
	require.NoDirExists(t, filepath.Join(dir, "postgres.new"))
}

func TestThrowawayDataIsMadeAnew(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	require.NoError(t, os.MkdirAll(filepath.Join(dir, "tests"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tests", "PG_VERSION"), []byte("9\n"), 0o600))
	c, err := Start(t.Context(), Options{DataDir: dir, Name: "tests", Logger: testLog(t), Binaries: binaries(t), Throwaway: true})
	require.NoError(t, err)
	require.Equal(t, "off", ask[string](t, c.DSN(""), "show fsync"))
	require.NoError(t, c.Stop(t.Context()))
}

func TestDamagedDataSaysWhere(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	c, err := Start(t.Context(), quick(t, dir))
	require.NoError(t, err)
	require.NoError(t, c.Stop(t.Context()))
	control := filepath.Join(dir, defaultName, "global", "pg_control")
	require.NoError(t, os.WriteFile(control, []byte("broken"), 0o600))
	_, err = Start(t.Context(), Options{DataDir: dir, Logger: testLog(t), Binaries: binaries(t)})
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), dir)
	require.Contains(t, err.Error(), "pg_control", "the log's complaint is the cause")
}

func TestStartErrorNamesTheRemedy(t *testing.T) {
	t.Parallel()
	for out, says := range map[string]string{
		"initdb: error: could not write file \"x\": No space left on device":                         "is full",
		"FATAL:  pre-existing shared memory block (key 1, ID 2) is still in use":                     "End them",
		"FATAL:  could not map anonymous shared memory: Cannot allocate memory":                      "memory",
		"FATAL:  could not open file \"global/pg_control\": Permission denied":                       "may not use its files",
		"LOG:  starting\nFATAL:  could not locate a valid checkpoint record at 0/1\nLOG:  shut down": "log beside it",
	} {
		err := startError(os.ErrClosed, out, "/data")
		require.Contains(t, rag.ErrorMessage(err), says)
		require.ErrorIs(t, err, os.ErrClosed)
	}
}
