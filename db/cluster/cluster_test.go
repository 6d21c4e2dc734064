package cluster

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestFirstAndSecondStart(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	began := time.Now()
	c, err := Start(t.Context(), Options{DataDir: dir, Logger: testLog(t), Binaries: binaries(t)})
	require.NoError(t, err)
	first := time.Since(began)
	require.True(t, c.Owner())
	require.Equal(t, "passage", ask[string](t, c.DSN(""), "select current_database()::text"))
	run(t, c.DSN(""), "create extension vector; create table kept (v halfvec(3)); insert into kept values ('[1,2,3]')")
	require.Equal(t, "UTF8", ask[string](t, c.DSN(""), "show server_encoding"))
	require.Equal(t, "ärger", ask[string](t, c.DSN(""), "select lower('ÄRGER')"))
	require.Empty(t, ask[string](t, c.DSN(""), "show listen_addresses"))
	require.Equal(t, "on", ask[string](t, c.DSN(""), "show fsync"))
	require.Equal(t, "off", ask[string](t, c.DSN(""), "show jit"))

	pid := serverPID(t, dir)
	began = time.Now()
	require.NoError(t, c.Stop(t.Context()))
	stopped := time.Since(began)
	require.False(t, alive(pid))
	require.NoFileExists(t, filepath.Join(dir, defaultName, socketName))

	began = time.Now()
	c, err = Start(t.Context(), Options{DataDir: dir, Logger: testLog(t), Binaries: binaries(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop(context.WithoutCancel(t.Context()))) })
	t.Logf("first start %v, stop %v, second start %v", first, stopped, time.Since(began))
	require.Equal(t, 1, ask[int](t, c.DSN("passage"), "select count(*)::int from kept"))
}

// A log must not hold what people asked or wrote.
func TestServerLogHoldsNoText(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	c := start(t, dir)
	run(t, c.DSN(""), "create table words (w text primary key); insert into words values ('confidential')")
	conn, err := pgx.Connect(t.Context(), c.DSN(""))
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	_, err = conn.Exec(t.Context(), "insert into words values ('confidential')")
	require.Error(t, err)
	text, err := os.ReadFile(filepath.Join(dir, "postgres.log"))
	require.NoError(t, err)
	require.Contains(t, string(text), "duplicate key")
	require.NotContains(t, string(text), "confidential")
}

func TestOwnSettingsGoFirst(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	c, err := Start(t.Context(), quick(t, dir))
	require.NoError(t, err)
	require.NoError(t, c.Stop(t.Context()))
	conf := filepath.Join(dir, defaultName, "postgresql.conf")
	text, err := os.ReadFile(conf)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(conf, append(text, "work_mem = 3MB\n"...), 0o600))
	c = start(t, dir)
	require.Equal(t, "3MB", ask[string](t, c.DSN(""), "show work_mem"))
}

func TestSecondProgramIsAGuest(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	owner := startChild(t, dir)
	require.True(t, owner.owner)
	pid := serverPID(t, dir)

	o := quick(t, dir)
	o.Database = "other"
	guest, err := Start(t.Context(), o)
	require.NoError(t, err)
	require.False(t, guest.Owner())
	require.Equal(t, "other", ask[string](t, guest.DSN(""), "select current_database()::text"))
	require.NoError(t, guest.Stop(t.Context()))

	require.Equal(t, pid, serverPID(t, dir), "a guest must not stop or restart the server")
	require.Equal(t, 1, ask[int](t, owner.dsn, "select 1"))
}

func TestStartersAtTheSameMoment(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	programs := []*program{launchChild(t, dir), launchChild(t, dir), launchChild(t, dir)}
	owners := 0
	for _, p := range programs {
		p.awaitReady(t)
		require.Equal(t, programs[0].dsn, p.dsn)
		if p.owner {
			owners++
		}
	}
	require.Equal(t, 1, owners)
}

func TestGuestTakesOverWhenTheOwnerStops(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	owner := startChild(t, dir)
	guest := start(t, dir)
	require.False(t, guest.Owner())
	address := guest.DSN("")
	run(t, address, "create table kept (n int)")

	require.NoError(t, owner.stdin.Close())
	require.Equal(t, "stopped", owner.end(t))
	require.Eventually(t, guest.Owner, 20*time.Second, 10*time.Millisecond)
	require.Equal(t, address, guest.DSN(""))
	require.Equal(t, 0, ask[int](t, address, "select count(*)::int from kept"))
}

func TestServerThatEndsByItselfComesBack(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	c := start(t, dir)
	run(t, c.DSN(""), "set synchronous_commit = on; create table kept (n int)")
	pid := serverPID(t, dir)
	require.NoError(t, syscall.Kill(pid, syscall.SIGKILL))
	gone(t, pid, filepath.Join(dir, defaultName))
	require.Eventually(t, func() bool {
		conn, err := pgx.Connect(t.Context(), c.DSN(""))
		if err != nil {
			return false
		}
		defer conn.Close(context.WithoutCancel(t.Context()))
		var n int
		return conn.QueryRow(t.Context(), "select count(*) from kept").Scan(&n) == nil
	}, 30*time.Second, 50*time.Millisecond)
	require.NotEqual(t, pid, serverPID(t, dir))
}

func TestLongPathsPutTheSocketElsewhere(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(dataDir(t), strings.Repeat("long", 30))
	sow(t, dir)
	c := start(t, dir)
	require.NotEqual(t, c.home.dir, c.socketDir)
	require.LessOrEqual(t, len(filepath.Join(c.socketDir, socketName)), maxSocketPath)
	info, err := os.Stat(c.socketDir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	guest, err := Start(t.Context(), quick(t, dir))
	require.NoError(t, err)
	require.Equal(t, 1, ask[int](t, guest.DSN(""), "select 1"))
	require.NoError(t, guest.Stop(t.Context()))

	socketDir := c.socketDir
	require.DirExists(t, socketDir)
	require.NoError(t, c.Stop(t.Context()))
	require.NoDirExists(t, socketDir)
}

// A folder of our name that somebody else made could hold a server of theirs.
func TestForeignSocketFolderIsRefused(t *testing.T) {
	t.Parallel()
	h := home{dir: filepath.Join(t.TempDir(), strings.Repeat("long", 40)), user: user{uid: os.Geteuid(), name: "me"}}
	dir, err := h.socketDir(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, os.Remove(dir)) })
	require.NoError(t, os.Chmod(dir, 0o777))
	_, err = h.socketDir(t.Context())
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), dir)
}

func TestPathWithOddCharacters(t *testing.T) {
	t.Parallel()
	for _, name := range []string{`a, "b" c%d?e`, "My Projects", "a+b"} {
		dir := filepath.Join(dataDir(t), name)
		sow(t, dir)
		c := start(t, dir)
		require.Equal(t, 1, ask[int](t, c.DSN(""), "select 1"), name)
	}
}

func TestStopIsForGoodWhileStarting(t *testing.T) {
	t.Parallel()
	dir := seeded(t)
	owner := startChild(t, dir)
	guest, err := Start(t.Context(), quick(t, dir))
	require.NoError(t, err)
	// The owner goes at the moment in which the guest stops: whatever the guest
	// has begun by then must not be left running.
	var wg sync.WaitGroup
	wg.Go(func() { _ = owner.stdin.Close() })
	require.Equal(t, "stopped", owner.end(t))
	require.NoError(t, guest.Stop(t.Context()))
	wg.Wait()
	f, err := readPID(filepath.Join(dir, defaultName))
	require.False(t, err == nil && f.running(filepath.Join(dir, defaultName)))
}

func TestStartEndsWithItsContext(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	o := quick(t, dir)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := Start(ctx, o)
	require.ErrorIs(t, err, context.Canceled)
	require.NoFileExists(t, filepath.Join(dir, "postgres.location"), "that says nothing of the folder")
	require.Equal(t, 1, ask[int](t, start(t, dir).DSN(""), "select 1"), "and the next one works")
}
