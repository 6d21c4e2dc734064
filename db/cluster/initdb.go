package cluster

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"passage/rag"
)

// dataMajor reads the major version that wrote a data folder; 0 if none did.
func dataMajor(dir string) int {
	text, err := os.ReadFile(filepath.Join(dir, "PG_VERSION"))
	if err != nil {
		return 0
	}
	major, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil {
		return 0
	}
	return major
}

// hasData says whether the folder holds a cluster. A folder with something else
// in it, or with half a cluster, is an error; nothing is removed.
func hasData(dir string) (bool, error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return false, folderError(err, dir)
	}
	if len(entries) == 0 {
		return false, nil
	}
	control := filepath.Join(dir, "global", "pg_control")
	info, err := os.Stat(control)
	if dataMajor(dir) > 0 && err == nil && info.Size() > 0 {
		return true, nil
	}
	return false, rag.WithCause(err, rag.CodeUnavailable,
		"The folder %s is not empty and holds no complete database (PG_VERSION or global/pg_control is missing). "+
			"Nothing in it was changed. Restore it from a backup, or move it away to start with an empty database.", dir)
}

// checkMajor refuses data of another major version.
func checkMajor(dir string, b Binaries) error {
	major := dataMajor(dir)
	if major == b.Major {
		return nil
	}
	return rag.Errorf(rag.CodeUnavailable,
		"The database in %s was written by PostgreSQL %d, but only PostgreSQL %d was found (in %s). Nothing was changed. "+
			"Make PostgreSQL %d with pgvector available again, or carry the data over with pg_dump or pg_upgrade, "+
			"or move the folder away to start with an empty database.",
		dir, major, b.Major, b.Dir, major)
}

// create makes the cluster. initdb works in a folder beside the final one, which
// is renamed at the end: an interrupted initdb leaves only that, and it holds
// no data and is removed by the next one.
func (h home) create(ctx context.Context, b Binaries, throwaway bool) error {
	part := h.file(".new")
	if err := os.RemoveAll(part); err != nil {
		return folderError(err, part)
	}
	if err := os.Mkdir(part, 0o700); err != nil {
		return folderError(err, part)
	}
	if err := h.user.give(part); err != nil {
		return err
	}
	args := append([]string{
		"--pgdata=" + part, "--username=" + superuser, "--auth=trust", "--encoding=UTF8", "--data-checksums", "--no-instructions",
	}, locale(b.Major)...)
	if throwaway {
		args = append(args, "--no-sync")
	}
	runtime.LockOSThread() // the signal at the program's end is bound to the thread that starts the child
	defer runtime.UnlockOSThread()
	cmd := h.command(ctx, filepath.Join(b.Dir, "initdb"), args...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return errors.Join(startError(fmt.Errorf("initdb in %s: %w", part, err), string(out), part), os.RemoveAll(part))
	}
	conf := filepath.Join(part, "postgresql.conf")
	text, err := os.ReadFile(conf)
	if err != nil {
		return folderError(err, conf)
	}
	text = append(text, "\ninclude_if_exists 'passage.conf'\n# Your own settings go here.\n"...)
	if err := os.WriteFile(conf, text, 0o600); err != nil { //nolint:gosec // below the data folder of the configuration
		return folderError(err, conf)
	}
	hba := filepath.Join(part, "pg_hba.conf")
	rule := "# The socket is in a folder that only the owner of the data may enter.\nlocal all all trust\n"
	if err := os.WriteFile(hba, []byte(rule), 0o600); err != nil {
		return folderError(err, hba)
	}
	// hasData has seen that nothing or an empty folder is there; Remove takes no other.
	if err := os.Remove(h.dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return folderError(err, h.dir)
	}
	if err := os.Rename(part, h.dir); err != nil {
		return folderError(err, h.dir)
	}
	if throwaway {
		return nil
	}
	return syncDir(h.base)
}

// locale gives lower and upper case by Unicode and order by code point, the
// same on every machine. PostgreSQL brings that along from 17 on; before, the C
// library has to.
func locale(major int) []string {
	libc := "C.UTF-8"
	if runtime.GOOS != "linux" {
		libc = "en_US.UTF-8"
	}
	args := []string{"--locale=" + libc, "--lc-messages=C"}
	if major >= 17 {
		args = append(args, "--locale-provider=builtin", "--builtin-locale=C.UTF-8")
	}
	return args
}

// command is a program of the server, run as its user, with nothing of this
// program's environment: PGDATA or PGPORT would change what it does.
func (h home) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "LC_ALL=C", "TZ=GMT"}
	cmd.SysProcAttr = childAttr(h.user)
	return cmd
}

// startError says in a user's words what a program of the server complained
// about. The complaint itself is the cause.
func startError(err error, out, dir string) error {
	if tail := lastLines(out, 8); tail != "" {
		err = fmt.Errorf("%w: %s", err, tail)
	}
	low := strings.ToLower(out)
	switch {
	case strings.Contains(low, "no space left on device"), strings.Contains(low, "disk quota exceeded"):
		return rag.WithCause(err, rag.CodeUnavailable, "The disk that holds %s is full. Free some space and start again.", dir)
	case strings.Contains(low, "pre-existing shared memory block"):
		return rag.WithCause(err, rag.CodeUnavailable,
			"Processes of an earlier Postgres still use %s. End them (they are named postgres) and start again.", dir)
	case strings.Contains(low, "permission denied"):
		return rag.WithCause(err, rag.CodeUnavailable, "Postgres may not use its files in %s. The log beside it says which.", dir)
	case strings.Contains(low, "could not create shared memory"), strings.Contains(low, "could not map anonymous shared memory"),
		strings.Contains(low, "cannot allocate memory"):
		return rag.WithCause(err, rag.CodeUnavailable, "There is not enough free memory for Postgres.")
	}
	return rag.WithCause(err, rag.CodeUnavailable, "Postgres did not start with the data in %s. The log beside it says why.", dir)
}

// lastLines joins the last n lines that are not empty.
func lastLines(text string, n int) string {
	var lines []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[max(len(lines)-n, 0):], "; ")
}

// syncDir makes a rename last through a power cut.
func syncDir(dir string) error {
	f, err := os.Open(dir)
	if err != nil {
		return folderError(err, dir)
	}
	if err := errors.Join(f.Sync(), f.Close()); err != nil {
		return folderError(err, dir)
	}
	return nil
}
