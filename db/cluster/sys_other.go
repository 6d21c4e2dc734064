//go:build unix && !linux

package cluster

import (
	"context"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// maxSocketPath is the longest path of a Unix socket: sun_path less its end.
const maxSocketPath = 103

// settle is 0: a server whose program is gone goes on, nothing tells it to stop.
const settle = time.Duration(0)

// lookEvery is how often an orphan server is looked at, which takes a process.
const lookEvery = time.Second

// childAttr starts a child in a process group of its own, so that a Ctrl-C of
// the terminal reaches only the program, which then stops the server in order.
func childAttr(u user) *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setpgid: true, Credential: u.credential()}
}

// runsIn says whether a process is the postmaster of a data folder. Without
// /proc its command line has to do.
func runsIn(pid int, dir string) bool {
	line, err := output(context.Background(), "ps", "-o", "command=", "-p", strconv.Itoa(pid))
	return err == nil && strings.Contains(line, "postgres") && strings.Contains(line, dir)
}

// memory is 0: unknown, see settings.
func memory() int64 { return 0 }

// sharedMemory has no limit of its own here.
func sharedMemory() int64 { return 1 << 62 }
