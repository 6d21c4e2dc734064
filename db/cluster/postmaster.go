package cluster

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"passage/rag"
)

// Times of the server's life.
const (
	pollEvery   = 10 * time.Millisecond
	startLimit  = 5 * time.Minute // recovery after a crash reads up to max_wal_size
	slowStart   = 5 * time.Second // from then on the log says what is going on
	fastLimit   = 20 * time.Second
	quitLimit   = 5 * time.Second
	maxLogBytes = 10 << 20
)

// postmaster is a running server of this folder.
type postmaster struct {
	pid    int
	exited chan struct{} // closed when it is gone
	orphan string        // its data folder, if it is not this program's child
	log    string        // the file it writes to
	logAt  int64         // where its part begins
}

// launch starts the server and waits until it takes connections.
func (c *Cluster) launch(ctx context.Context, b Binaries) (*postmaster, error) {
	conf := filepath.Join(c.home.dir, "passage.conf")
	text := settings(machine{cpus: runtime.GOMAXPROCS(0), memory: memory(), shm: sharedMemory()}, b, c.options.Throwaway)
	if err := os.WriteFile(conf, []byte(text), 0o600); err != nil {
		return nil, folderError(err, conf)
	}
	if err := c.home.user.give(conf); err != nil {
		return nil, err
	}
	p, err := c.spawn(ctx, b)
	if err != nil {
		return nil, err
	}
	if err := c.awaitReady(ctx, p); err != nil {
		return nil, errors.Join(err, p.stop(ctx, 0))
	}
	return p, nil
}

// spawn starts the server as a child. The thread that does so lives as long as
// the child: on Linux its end is the child's signal to shut down.
func (c *Cluster) spawn(ctx context.Context, b Binaries) (*postmaster, error) {
	log, at, err := openLog(c.home.file(".log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	cmd := c.home.command(context.WithoutCancel(ctx), filepath.Join(b.Dir, "postgres"),
		"-D", c.home.dir, "-p", "5432", "-c", "listen_addresses=", "-c", "unix_socket_permissions=0700",
		"-c", "unix_socket_directories="+quoteList(c.socketDir))
	cmd.Stdout, cmd.Stderr = log, log
	p := &postmaster{exited: make(chan struct{}), log: log.Name(), logAt: at}
	started := make(chan error)
	go func() {
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		defer close(p.exited)
		err := cmd.Start()
		started <- err
		if err != nil {
			return
		}
		var exit *exec.ExitError
		if err := cmd.Wait(); err != nil && !errors.As(err, &exit) {
			c.log.ErrorContext(ctx, "wait for postgres", "error", err)
		}
	}()
	if err := <-started; err != nil {
		return nil, rag.WithCause(err, rag.CodeUnavailable, "Postgres in %s could not be run.", b.Dir)
	}
	p.pid = cmd.Process.Pid
	return p, nil
}

// adopt is the postmaster of a program that is gone. It is nobody's child now,
// so its end has to be asked for.
func (c *Cluster) adopt(pid int) *postmaster {
	p := &postmaster{pid: pid, exited: make(chan struct{}), orphan: c.home.dir, log: c.home.file(".log")}
	go func() {
		defer close(p.exited)
		for p.there() {
			time.Sleep(lookEvery)
		}
	}()
	return p
}

// there says whether the process is still the server: the number of a process
// that was waited for cannot belong to another one, that of an orphan can.
func (p *postmaster) there() bool {
	if p.orphan != "" {
		return pidFile{pid: p.pid}.running(p.orphan)
	}
	select {
	case <-p.exited:
		return false
	default:
		return true
	}
}

// awaitReady waits until the server takes connections or is gone.
func (c *Cluster) awaitReady(ctx context.Context, p *postmaster) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	slow := time.NewTimer(slowStart)
	defer slow.Stop()
	for {
		if f, err := readPID(c.home.dir); err == nil && f.pid == p.pid && f.status == "ready" {
			return nil
		}
		select {
		case <-p.exited:
			return startError(fmt.Errorf("postgres with process id %d ended", p.pid), p.said(), c.home.dir)
		case <-ctx.Done():
			return startError(fmt.Errorf("wait for postgres: %w", ctx.Err()), p.said(), c.home.dir)
		case <-slow.C:
			c.log.InfoContext(ctx, "postgres is still starting, it may be repairing its data after a crash", "log", p.log)
		case <-tick.C:
		}
	}
}

// stop shuts the server down: fast (open transactions are rolled back, the rest
// is written), after the limit at once, which makes the next start recover.
func (p *postmaster) stop(ctx context.Context, limit time.Duration) error {
	for _, step := range []struct {
		signal syscall.Signal
		limit  time.Duration
	}{
		{syscall.SIGINT, limit}, {syscall.SIGQUIT, quitLimit}, {syscall.SIGKILL, quitLimit},
	} {
		if !p.there() {
			return nil
		}
		if err := syscall.Kill(p.pid, step.signal); errors.Is(err, syscall.ESRCH) {
			return nil
		} else if err != nil {
			return fmt.Errorf("send %s to postgres with process id %d: %w", step.signal, p.pid, err)
		}
		timer := time.NewTimer(step.limit)
		select {
		case <-p.exited:
			timer.Stop()
			return nil
		case <-ctx.Done():
			// The caller's patience ends the wait for a fast shutdown only.
			timer.Stop()
			ctx = context.WithoutCancel(ctx)
		case <-timer.C:
		}
	}
	return fmt.Errorf("postgres with process id %d does not end", p.pid)
}

// said is the end of what the server wrote to its log since it was started.
func (p *postmaster) said() string {
	f, err := os.Open(p.log)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, p.logAt, 64<<10))
	if err != nil {
		return ""
	}
	return string(text)
}

// openLog opens the server's log to append to; a long one is put aside first.
func openLog(path string) (*os.File, int64, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxLogBytes {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, 0, folderError(err, path)
		}
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, 0, folderError(err, path)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(folderError(err, path), f.Close())
	}
	return f, info.Size(), nil
}

// quoteList writes one path as a list value of Postgres's settings, in which a
// comma would otherwise begin a second one.
func quoteList(path string) string { return `"` + strings.ReplaceAll(path, `"`, `""`) + `"` }
