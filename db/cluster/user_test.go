package cluster

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can hand files to another user")
	}
}

func TestRootRunsTheServerAsAnotherUser(t *testing.T) {
	t.Parallel()
	needRoot(t)
	dir := seeded(t)
	c := start(t, dir)
	require.NotEqual(t, "root", c.home.user.name)
	uid, _, err := owner(c.home.dir)
	require.NoError(t, err)
	require.Equal(t, c.home.user.uid, uid)
	uid, _, err = owner(filepath.Join("/proc", "self"))
	if err == nil {
		require.Zero(t, uid, "the program itself stays root")
	}
	require.Equal(t, filepath.Join(dir, defaultName), ask[string](t, c.DSN(""), "show data_directory"))
}

func TestServerUser(t *testing.T) {
	t.Parallel()
	needRoot(t)
	mine, theirs := t.TempDir(), t.TempDir()
	require.NoError(t, os.Chown(theirs, 12345, 23456))
	standard, err := serverUser(filepath.Join(mine, "none"), mine)
	require.NoError(t, err)
	require.True(t, standard.drop)
	require.Contains(t, []string{"postgres", "nobody"}, standard.name)

	of := func(dir, dataDir string) user {
		u, err := serverUser(dir, dataDir)
		require.NoError(t, err)
		return u
	}
	require.Equal(t, user{12345, 23456, "uid 12345", true}, of(theirs, mine), "who owns the data")
	require.Equal(t, user{12345, 23456, "uid 12345", true}, of(filepath.Join(theirs, "none"), theirs), "who owns the folder above")
	require.Equal(t, standard, of(mine, mine), "root does not count")
}

// Below /root, say: the server's user may enter neither data nor programs.
func TestDataFolderOnlyForRoot(t *testing.T) {
	t.Parallel()
	needRoot(t)
	b := binaries(t)
	if _, err := os.Stat(filepath.Join(filepath.Dir(b.Dir), "PACKAGES")); err != nil {
		t.Skip("needs fetched programs")
	}
	closed := t.TempDir()
	require.NoError(t, os.Chmod(closed, 0o700))
	data := filepath.Join(closed, "data")
	require.NoError(t, os.CopyFS(filepath.Join(data, "pgsql"), os.DirFS(filepath.Dir(b.Dir))))
	system := dataDir(t)
	o := Options{DataDir: data, Logger: testLog(t), Throwaway: true, systemDir: system}
	o.Binaries = b
	o.Binaries.Dir = filepath.Join(data, "pgsql", "bin")

	c, err := Start(t.Context(), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop(context.WithoutCancel(t.Context()))) })
	require.Equal(t, system, filepath.Dir(filepath.Dir(c.home.dir)))
	run(t, c.DSN(""), "create extension vector; create table kept (n int)")
	note, err := os.ReadFile(filepath.Join(data, "postgres.location"))
	require.NoError(t, err)
	require.Equal(t, c.home.base+"\n", string(note))
	require.NoError(t, c.Stop(t.Context()))

	// The data is found again when the folder has become open meanwhile.
	require.NoError(t, os.Chmod(closed, 0o755))
	require.NoError(t, os.Chmod(filepath.Dir(closed), 0o755))
	c, err = Start(t.Context(), o)
	require.NoError(t, err)
	require.Equal(t, 0, ask[int](t, c.DSN(""), "select count(*)::int from kept"))
	require.NoError(t, c.Stop(t.Context()))
}

func TestClosedDataIsNotLeftBehind(t *testing.T) {
	t.Parallel()
	needRoot(t)
	closed := t.TempDir()
	require.NoError(t, os.Chmod(closed, 0o700))
	data := filepath.Join(closed, "data", "postgres")
	require.NoError(t, os.MkdirAll(data, 0o700))
	require.NoError(t, os.Chown(data, 12345, 23456))
	_, err := Start(t.Context(), Options{DataDir: filepath.Dir(data), Logger: testLog(t), systemDir: dataDir(t)})
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "may not be entered")
}
