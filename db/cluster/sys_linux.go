package cluster

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// maxSocketPath is the longest path of a Unix socket: sun_path less its end.
const maxSocketPath = 107

// settle is how long a server whose program is gone must go on answering
// before it is taken over: it may just have been told to shut down, see
// childAttr.
const settle = 300 * time.Millisecond

// lookEvery is how often an orphan server is looked at.
const lookEvery = 50 * time.Millisecond

// childAttr starts a child in a process group of its own, so that a Ctrl-C of
// the terminal reaches only the program, which then stops the server in order.
// When the thread that started the child ends, be it by kill -9, the child gets
// SIGINT: Postgres's fast shutdown.
func childAttr(u user) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGINT, Credential: u.credential()}
}

// runsIn says whether a process has dir as its working folder, as a postmaster
// has its data folder. A process that may not be looked at is not ours.
func runsIn(pid int, dir string) bool {
	cwd, err := os.Readlink(filepath.Join("/proc", strconv.Itoa(pid), "cwd"))
	return err == nil && cwd == dir
}

// memory is the number of bytes this program may use: the machine's, or less
// when its control group says so.
func memory() int64 {
	total := int64(0)
	if text, err := os.ReadFile("/proc/meminfo"); err == nil {
		for line := range strings.Lines(string(text)) {
			f := strings.Fields(line)
			if len(f) >= 2 && f[0] == "MemTotal:" {
				if kb, err := strconv.ParseInt(f[1], 10, 64); err == nil {
					total = kb << 10
				}
				break
			}
		}
	}
	for _, path := range []string{"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"} {
		text, err := os.ReadFile(path)
		if err != nil {
			continue
		}
		// "max" is no number: no limit.
		if n, err := strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64); err == nil && (total == 0 || n < total) {
			total = n
		}
	}
	return total
}

// sharedMemory is the number of free bytes in /dev/shm, where parallel workers
// share what they build; 0 if the server's user may not write there. Containers
// often have 64 MB.
func sharedMemory() int64 {
	const dir = "/dev/shm"
	info, err := os.Stat(dir)
	if err != nil || info.Mode().Perm()&0o002 == 0 {
		return 0
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0
	}
	return int64(fs.Bavail) * int64(fs.Bsize) //nolint:unconvert // not an int64 on every system
}
