package cluster

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// pidFile is what a postmaster says about itself in postmaster.pid. The lines
// are those of src/include/utils/pidfile.h in PostgreSQL's source.
type pidFile struct {
	pid    int
	socket string // folder of the socket; "" until it listens
	status string // "starting", "ready", "stopping", "standby"; "" until known
}

const (
	pidName    = "postmaster.pid"
	socketName = ".s.PGSQL.5432"
)

// readPID reads the pid file of a data folder. No file, or one that is just
// being written, gives fs.ErrNotExist.
func readPID(dir string) (pidFile, error) {
	text, err := os.ReadFile(filepath.Join(dir, pidName))
	if err != nil {
		return pidFile{}, err
	}
	lines := strings.Split(string(text), "\n")
	line := func(n int) string { // counted from 1, as in the source
		if n > len(lines) {
			return ""
		}
		return strings.TrimSpace(lines[n-1])
	}
	pid, err := strconv.Atoi(line(1))
	if err != nil || pid == 0 {
		return pidFile{}, fmt.Errorf("%s without a number: %w", pidName, fs.ErrNotExist)
	}
	if pid < 0 { // a single-user backend writes its number negative
		pid = -pid
	}
	return pidFile{pid: pid, socket: line(5), status: line(8)}, nil
}

// running says whether the pid file names a live postmaster of this folder.
func (p pidFile) running(dir string) bool {
	return alive(p.pid) && runsIn(p.pid, dir)
}

// alive says whether there is a process of this number.
func alive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}

// disown makes a stale pid file harmless. Postgres ignores one whose process is
// gone, but not one whose number now belongs to another process, as happens
// after a reboot or in a container. The caller holds the lock and has seen that
// no postmaster runs here. The number is replaced by that of this program,
// which Postgres ignores as well, being its parent; deleting the file would
// also take away the line by which Postgres sees that processes of a killed
// postmaster still use its shared memory.
func disown(dir, socketDir string) error {
	path := filepath.Join(dir, pidName)
	text, err := os.ReadFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return folderError(err, path)
	default:
		_, rest, _ := strings.Cut(string(text), "\n")
		text = []byte(strconv.Itoa(os.Getpid()) + "\n" + rest)
		// The file keeps its owner and mode.
		if err := os.WriteFile(path, text, 0o600); err != nil { //nolint:gosec // below the data folder of the configuration
			return folderError(err, path)
		}
	}
	for _, name := range []string{socketName, socketName + ".lock"} {
		if err := os.Remove(filepath.Join(socketDir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return folderError(err, filepath.Join(socketDir, name))
		}
	}
	return nil
}
