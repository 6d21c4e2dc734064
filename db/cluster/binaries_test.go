package cluster

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// fake makes a folder of programs that look like PostgreSQL, with the control
// file where the installation's layout has it.
func fake(t *testing.T, version, control string) string {
	t.Helper()
	root := t.TempDir()
	bin := filepath.Join(root, "bin")
	share := filepath.Join(root, "share", "extension")
	for _, dir := range []string{bin, share} {
		require.NoError(t, os.MkdirAll(dir, 0o700))
	}
	for _, name := range []string{"initdb", "postgres"} {
		script := fmt.Sprintf("#!/bin/sh\necho '%s (PostgreSQL) %s'\n", name, version)
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(script), 0o700))
	}
	if control != "" {
		text := "comment = 'vector'\ndefault_version = '" + control + "'\n"
		require.NoError(t, os.WriteFile(filepath.Join(share, "vector.control"), []byte(text), 0o600))
	}
	return bin
}

func TestFindTakesTheFirstThatWillDo(t *testing.T) {
	t.Parallel()
	broken := fake(t, "18.1", "0.8.1")
	require.NoError(t, os.WriteFile(filepath.Join(broken, "postgres"), []byte("#!/bin/sh\nexit 3\n"), 0o700))
	chatty := fake(t, "18.1", "0.8.1")
	require.NoError(t, os.WriteFile(filepath.Join(chatty, "postgres"), []byte("#!/bin/sh\necho install me\n"), 0o700))
	client := fake(t, "18.1", "0.8.1")
	require.NoError(t, os.Remove(filepath.Join(client, "initdb")))
	without := fake(t, "18.1", "")
	oldVector := fake(t, "17.4", "0.7.4")
	oldServer := fake(t, "14.9", "0.8.0")
	v17 := fake(t, "17.4 (Debian 17.4-1)", "0.8.0")
	v18 := fake(t, "18.6", "0.8.7")
	bad := []string{"/nonexistent", broken, chatty, client, without, oldVector, oldServer}

	for name, c := range map[string]struct {
		dirs  []string
		major int
		want  Binaries
	}{
		"skips what will not do":          {append(bad, v17, v18), 0, Binaries{v17, 17, "0.8.0"}},
		"prefers the data's version":      {[]string{v17, v18}, 18, Binaries{v18, 18, "0.8.7"}},
		"takes another version, else":     {[]string{v17, v18}, 16, Binaries{v17, 17, "0.8.0"}},
		"takes the last if only that can": {append(bad, v18), 0, Binaries{v18, 18, "0.8.7"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got, err := find(t.Context(), c.dirs, c.major)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}

	_, err := find(t.Context(), bad, 0)
	require.ErrorIs(t, err, ErrNoPostgres)
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "make postgres")
	for _, why := range []string{broken, "install me", "initdb in " + client, "has no pgvector", "0.7.4", "of version 14"} {
		require.Contains(t, err.Error(), why)
	}
}

func TestFoundBinariesAreComplete(t *testing.T) {
	t.Parallel()
	b := binaries(t)
	require.GreaterOrEqual(t, b.Major, minMajor)
	require.True(t, atLeast(b.Vector, minVector))
	for _, name := range []string{"initdb", "postgres"} {
		require.FileExists(t, filepath.Join(b.Dir, name))
	}
}

func TestAtLeast(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		version, least string
		want           bool
	}{
		{"0.8.0", "0.8.0", true},
		{"0.8", "0.8.0", true},
		{"0.8", "0.8.3", false},
		{"0.10.0", "0.8.3", true},
		{"0.7.4", "0.8.0", false},
		{"1.0", "0.8.0", true},
		{"0.8.0-dev", "0.8.0", true},
		{"", "0.8.0", false},
		{"99999999999999999999", "0.8.0", false},
	} {
		require.Equal(t, c.want, atLeast(c.version, c.least), "%s against %s", c.version, c.least)
	}
}

func TestDirMajor(t *testing.T) {
	t.Parallel()
	for dir, want := range map[string]int{
		"/usr/lib/postgresql/18/bin":                18,
		"/usr/pgsql-17/bin":                         17,
		"/opt/homebrew/opt/postgresql@16/bin":       16,
		"/Applications/Postgres.app/Versions/9/bin": 9,
		"/usr/local/bin":                            0,
	} {
		require.Equal(t, want, dirMajor(dir), dir)
	}
}
