package dbtest

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"

	"passage/db/cluster"
	"passage/rag"
)

const (
	clusterName = "test-postgres"

	// superviseVar makes a test binary the supervisor of the cluster in the
	// folder it names.
	superviseVar = "PASSAGE_DBTEST_SUPERVISE"

	// idleVar sets how long a supervisor waits for new users, "15s" by default: go
	// test starts the next package's tests within, and people the next go test.
	idleVar   = "PASSAGE_DBTEST_IDLE"
	idleLimit = 15 * time.Second

	startLimit = 3 * time.Minute        // for a supervisor's first word
	lookEvery  = 250 * time.Millisecond // for users of the cluster
	askEvery   = 20 * time.Millisecond  // for a lock
)

// The supervisor has to be a process of its own: go test runs one process per
// package, several at a time, and none of them lives as long as the cluster is
// needed. Only a test binary is there to be it, and of that only an init runs
// without each package's TestMain having to know.
func init() {
	if dir := os.Getenv(superviseVar); dir != "" {
		os.Exit(supervise(dir))
	}
}

// files of the arrangement, beside the cluster. A test process holds users
// shared until it ends, in whatever way. A supervisor holds address exclusively
// while it lives; in it is the cluster's address.
type files struct {
	users, address *flock.Flock
	begin          *flock.Flock // held while looking for a supervisor or starting one
	log            string
	data           string // where the cluster is: this folder or, better, one in memory
}

func filesIn(dir string) files {
	base := filepath.Join(dir, clusterName)
	return files{
		users: flock.New(base + ".users"), address: flock.New(base + ".address"),
		begin: flock.New(base + ".begin"), log: base + ".supervisor.log", data: dir,
	}
}

// shared gives the address of the test cluster in dir, which runs as long as the
// locks are held.
func shared(ctx context.Context, dir string) (string, files, error) {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // the server's user must be able to enter it
		return "", files{}, fmt.Errorf("folder of the test database: %w", err)
	}
	f := filesIn(dir)
	if _, err := f.users.TryRLockContext(ctx, askEvery); err != nil {
		return "", f, fmt.Errorf("lock %s: %w", f.users.Path(), err)
	}
	if _, err := f.begin.TryLockContext(ctx, askEvery); err != nil {
		return "", f, errors.Join(fmt.Errorf("lock %s: %w", f.begin.Path(), err), f.users.Unlock())
	}
	address, err := f.find()
	if address == "" && err == nil {
		address, err = f.startSupervisor(dir)
	}
	err = errors.Join(err, f.begin.Unlock())
	if err != nil {
		err = errors.Join(err, f.users.Unlock())
	}
	return address, f, err
}

// find asks a living supervisor; "" if there is none.
func (f files) find() (string, error) {
	free, err := f.address.TryRLock()
	if err != nil {
		return "", fmt.Errorf("lock %s: %w", f.address.Path(), err)
	}
	if free {
		return "", f.address.Unlock()
	}
	text, err := os.ReadFile(f.address.Path())
	if err != nil {
		return "", fmt.Errorf("address of the test database: %w", err)
	}
	return strings.TrimSpace(string(text)), nil
}

// startSupervisor runs this program again, away from the terminal and from go
// test's pipes, and waits for its first word.
func (f files) startSupervisor(dir string) (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("path of the test program: %w", err)
	}
	log, err := os.OpenFile(f.log, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o600)
	if err != nil {
		return "", fmt.Errorf("log of the test database: %w", err)
	}
	defer log.Close()
	out, in, err := os.Pipe()
	if err != nil {
		return "", fmt.Errorf("pipe from the test database's supervisor: %w", err)
	}
	defer out.Close()
	cmd := exec.Command(exe) //nolint:noctx // it is to outlive the caller
	cmd.Env = append(os.Environ(), superviseVar+"="+dir)
	cmd.Stdout, cmd.Stderr = in, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	err = cmd.Start()
	_ = in.Close()
	if err != nil {
		return "", fmt.Errorf("start the test database's supervisor: %w", err)
	}
	if err := out.SetReadDeadline(time.Now().Add(startLimit)); err != nil {
		return "", fmt.Errorf("pipe from the test database's supervisor: %w", err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch word {
	case "ready":
		return rest, cmd.Process.Release()
	case "none":
		return "", rag.WithCause(cluster.ErrNoPostgres, rag.CodeUnavailable, "%s", rest)
	case "error":
		return "", fmt.Errorf("the test database's supervisor: %s", rest)
	}
	return "", fmt.Errorf("the test database's supervisor said nothing, see %s: %w", f.log, err)
}

// supervise runs the cluster in dir until no test process has used it for some
// seconds. Killed itself, it takes the cluster along, and the next test process
// starts another one.
func supervise(dir string) int {
	log := slog.New(slog.NewTextHandler(os.Stderr, nil))
	ctx, cancel := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer cancel()
	c, f, err := begin(ctx, dir, log)
	if err != nil {
		err = errors.Join(err, f.forget(dir))
		word := "error "
		if errors.Is(err, cluster.ErrNoPostgres) {
			word, err = "none ", errors.New(rag.ErrorMessage(err))
		}
		fmt.Fprintln(os.Stdout, word+strings.ReplaceAll(err.Error(), "\n", "; "))
		return 1
	}
	fmt.Fprintln(os.Stdout, "ready "+c.DSN("postgres"))
	_ = os.Stdout.Close()
	limit, err := time.ParseDuration(os.Getenv(idleVar))
	if err != nil {
		limit = idleLimit
	}
	f.awaitIdle(ctx, limit)
	// users is held by now, unless a signal came: nobody begins to use it.
	if err := errors.Join(c.Stop(context.WithoutCancel(ctx)), f.forget(dir)); err != nil {
		log.ErrorContext(ctx, "stop the test database", "error", err)
		return 1
	}
	runtime.KeepAlive(f) // the locks until here
	return 0
}

// forget removes a cluster in memory, which is not for keeping.
func (f files) forget(dir string) error {
	if f.data == dir {
		return nil
	}
	return os.RemoveAll(f.data)
}

func begin(ctx context.Context, dir string, log *slog.Logger) (*cluster.Cluster, files, error) {
	f := filesIn(dir)
	if ok, err := f.address.TryLock(); err != nil || !ok {
		return nil, f, fmt.Errorf("%s is held by another supervisor: %w", f.address.Path(), err)
	}
	b, err := cluster.Find(ctx, dir)
	if err != nil {
		return nil, f, err
	}
	if memory := memoryDir(dir); memory != "" {
		f.data = memory
	}
	c, err := cluster.Start(ctx, cluster.Options{
		DataDir: f.data, Name: clusterName, Database: "postgres", Logger: log, Binaries: b, Throwaway: true,
	})
	if err != nil {
		return nil, f, err
	}
	if err := dropLeftovers(ctx, c.DSN("postgres")); err != nil {
		return nil, f, errors.Join(err, c.Stop(ctx))
	}
	if err := os.WriteFile(f.address.Path(), []byte(c.DSN("postgres")+"\n"), 0o600); err != nil {
		return nil, f, errors.Join(fmt.Errorf("address of the test database: %w", err), c.Stop(ctx))
	}
	return c, f, nil
}

// memoryDir makes a folder in memory for the cluster that belongs to dir; "" if
// there is no room. Making and dropping hundreds of databases is ten times as
// fast there as on a disk.
func memoryDir(dir string) string {
	const room = 2 << 30
	memory := memoryPath(dir)
	var fs syscall.Statfs_t
	if err := syscall.Statfs(filepath.Dir(memory), &fs); err != nil {
		return ""
	}
	if int64(fs.Bavail)*int64(fs.Bsize) < room { //nolint:unconvert // not an int64 on every system
		return ""
	}
	if err := os.Mkdir(memory, 0o755); err != nil && !errors.Is(err, os.ErrExist) { //nolint:gosec // the server's user must get in
		return ""
	}
	info, err := os.Lstat(memory) //nolint:gosec // the name is a hash
	if err != nil || !info.IsDir() {
		return ""
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !ok || int(st.Uid) != os.Geteuid() {
		return "" // somebody else's
	}
	return memory
}

func memoryPath(dir string) string {
	sum := sha256.Sum256([]byte(dir))
	return "/dev/shm/passage-test-" + hex.EncodeToString(sum[:6])
}

// dropLeftovers drops the databases of tests that were killed.
func dropLeftovers(ctx context.Context, dsn string) error {
	conn, err := pgx.Connect(ctx, dsn)
	if err != nil {
		return fmt.Errorf("connect to the test database: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	names, err := databases(ctx, conn, "passage_test_")
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := drop(ctx, conn, name); err != nil {
			return err
		}
	}
	return nil
}

// awaitIdle returns when no test process has been there for the limit, holding
// users; when the context ends; or when somebody has removed the files.
func (f files) awaitIdle(ctx context.Context, limit time.Duration) {
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var since time.Time // zero while there are users
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		if _, err := os.Stat(f.address.Path()); err != nil {
			return
		}
		free, err := f.users.TryLock()
		switch {
		case err != nil || !free:
			since = time.Time{}
			continue
		case since.IsZero():
			since = time.Now()
		case time.Since(since) > limit:
			return
		}
		if err := f.users.Unlock(); err != nil {
			return
		}
	}
}
