package cluster

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"passage/rag"
)

const (
	defaultName     = "postgres"
	defaultDatabase = "passage"

	watchEvery  = 100 * time.Millisecond // how often a guest looks whether the owner is gone
	attachLimit = 2 * time.Minute        // how long a guest waits for another program's first start
)

// Options say where a cluster is and how it is run.
type Options struct {
	DataDir  string       // the program's data folder, made if missing; required
	Logger   *slog.Logger // required
	Name     string       // folder of the cluster in DataDir; "" is "postgres"
	Database string       // made if missing; "" is "passage"
	Binaries Binaries     // what to run; zero: what Find finds, when a server has to be started

	// Throwaway is for tests: fast, not safe against a crash of the machine, and
	// data that cannot be used is removed and made anew.
	Throwaway bool

	systemDir string // tests put another folder in the place of /var/lib
}

// Cluster is a running Postgres that belongs to this program or to another one
// on this machine.
type Cluster struct {
	home      home
	socketDir string
	options   Options
	log       *slog.Logger

	lock   *flock.Flock
	quit   context.CancelFunc // ends the watch
	done   chan struct{}      // closed when the watch has ended
	mu     sync.Mutex
	server *postmaster // nil while another program owns it
}

// Start gives a Postgres that takes connections: the running one of this data
// folder, or a new one, created first if need be. It returns when the database
// named in the options is there. What makes it impossible comes as an error
// with the code unavailable and a message that says what to do.
func Start(ctx context.Context, o Options) (*Cluster, error) {
	if o.Name == "" {
		o.Name = defaultName
	}
	if o.Database == "" {
		o.Database = defaultDatabase
	}
	if o.systemDir == "" {
		o.systemDir = "/var/lib"
	}
	h, err := locate(ctx, o.DataDir, o.Name, o.systemDir)
	if err != nil {
		return nil, err
	}
	c := &Cluster{home: h, options: o, log: o.Logger, lock: flock.New(h.file(".lock")), done: make(chan struct{})}
	if c.socketDir, err = h.socketDir(ctx); err != nil {
		return nil, err
	}
	if err := c.begin(ctx); err != nil {
		return nil, err
	}
	watch, quit := context.WithCancel(context.WithoutCancel(ctx))
	c.quit = quit
	go c.watch(watch)
	return c, nil
}

// begin becomes the owner or a guest, whichever is possible first.
func (c *Cluster) begin(ctx context.Context) error {
	limit, cancel := context.WithTimeout(ctx, attachLimit)
	defer cancel()
	var reason error // why a guest cannot use the server yet
	for {
		owner, err := c.lock.TryLock()
		if err != nil {
			return folderError(err, c.lock.Path())
		}
		if owner {
			if err := c.own(ctx, true); err != nil {
				return errors.Join(err, c.lock.Unlock())
			}
			return nil
		}
		if reason = c.join(limit); reason == nil {
			c.log.DebugContext(ctx, "using the postgres of another program", "socket", c.socketDir)
			return nil
		}
		if !wait(limit, 2*pollEvery) {
			return rag.WithCause(errors.Join(limit.Err(), reason), rag.CodeUnavailable,
				"Another program of this data folder holds %s, but its database does not answer.", c.lock.Path())
		}
	}
}

// join checks as a guest that the owner's server answers.
func (c *Cluster) join(ctx context.Context) error {
	f, err := readPID(c.home.dir)
	if err != nil {
		return fmt.Errorf("the server's pid file: %w", err)
	}
	if f.status != "ready" {
		return fmt.Errorf("the server is %q", f.status)
	}
	if f.socket != "" {
		c.socketDir = f.socket // the owner may have another temporary folder
	}
	return c.ensureDatabase(ctx)
}

// own runs the server as the holder of the lock: it takes over one that runs,
// or starts one. Without create, a folder that is gone is not made anew.
func (c *Cluster) own(ctx context.Context, create bool) error {
	began := time.Now()
	p, err := c.takeOver(ctx, create)
	adopted := p != nil
	if p == nil && err == nil {
		p, err = c.startServer(ctx, create)
	}
	if err != nil {
		return err
	}
	if err := c.ensureDatabase(ctx); err != nil {
		return errors.Join(err, p.stop(ctx, fastLimit))
	}
	c.mu.Lock()
	c.server = p
	c.mu.Unlock()
	c.log.InfoContext(ctx, "postgres is ready", "taken_over", adopted, "dir", c.home.dir, "user", c.home.user.name, "duration", time.Since(began))
	return nil
}

// takeOver finds a server that runs although no program owns it; nil without
// an error: there is none. One that is ending is waited for. Only a first start
// may take one at another address, which happens when that program had another
// temporary folder.
func (c *Cluster) takeOver(ctx context.Context, first bool) (*postmaster, error) {
	f, err := readPID(c.home.dir)
	if err != nil || !f.running(c.home.dir) {
		return nil, nil //nolint:nilnil,nilerr // without a pid file there is no server
	}
	p := c.adopt(f.pid)
	if !c.dying(ctx, p, settle) && c.awaitReady(ctx, p) == nil {
		f, err := readPID(c.home.dir)
		if first && err == nil && f.socket != "" {
			c.socketDir = f.socket
		}
		if err == nil && f.socket == c.socketDir && c.ensureDatabase(ctx) == nil {
			return p, nil
		}
	}
	return nil, p.stop(ctx, fastLimit)
}

// dying watches a server for some time: is it ending?
func (c *Cluster) dying(ctx context.Context, p *postmaster, limit time.Duration) bool {
	for end := time.Now().Add(limit); ; {
		f, err := readPID(c.home.dir)
		switch {
		case err != nil, f.pid != p.pid, f.status == "stopping":
			return true
		case time.Now().After(end):
			return false
		}
		if !wait(ctx, pollEvery) {
			return false
		}
	}
}

// startServer starts a server on the data, which it creates if there is none.
func (c *Cluster) startServer(ctx context.Context, create bool) (*postmaster, error) {
	p, err := c.startOnce(ctx, create)
	if err == nil || !c.options.Throwaway || !create || errors.Is(err, ErrNoPostgres) || ctx.Err() != nil {
		return p, err
	}
	c.log.WarnContext(ctx, "the test data cannot be used and is made anew", "dir", c.home.dir, "error", err)
	if err := os.RemoveAll(c.home.dir); err != nil {
		return nil, folderError(err, c.home.dir)
	}
	return c.startOnce(ctx, create)
}

func (c *Cluster) startOnce(ctx context.Context, create bool) (*postmaster, error) {
	exists, err := hasData(c.home.dir)
	if err != nil {
		return nil, err
	}
	if !exists && !create {
		return nil, rag.Errorf(rag.CodeUnavailable, "The database in %s is gone.", c.home.dir)
	}
	b, err := c.binaries(ctx)
	if err != nil {
		return nil, err
	}
	if exists {
		if err := checkMajor(c.home.dir, b); err != nil {
			return nil, err
		}
		// Copied back by root, say.
		if uid, _, err := owner(c.home.dir); err == nil && uid == 0 {
			if err := c.home.user.giveTree(c.home.dir); err != nil {
				return nil, err
			}
		}
	} else if err := c.home.create(ctx, b, c.options.Throwaway); err != nil {
		return nil, err
	}
	if err := disown(c.home.dir, c.socketDir); err != nil {
		return nil, err
	}
	return c.launch(ctx, b)
}

// binaries are those of the options, or what is found, where the server's user
// can run them.
func (c *Cluster) binaries(ctx context.Context) (Binaries, error) {
	b := c.options.Binaries
	if b.Dir == "" {
		dirs := append(installed(ctx), fetched(c.options.DataDir), fetched(c.home.base))
		var err error
		if b, err = find(ctx, dirs, dataMajor(c.home.dir)); err != nil {
			return b, err
		}
	}
	var err error
	if b.Dir, err = filepath.Abs(b.Dir); err != nil {
		return b, fmt.Errorf("folder of PostgreSQL: %w", err)
	}
	return c.home.reachable(ctx, b)
}

// ensureDatabase makes the database of the options if it is missing.
func (c *Cluster) ensureDatabase(ctx context.Context) error {
	conn, err := pgx.Connect(ctx, dsn(c.socketDir, "postgres"))
	if err != nil {
		return fmt.Errorf("connect to the private database server: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	var there bool
	err = conn.QueryRow(ctx, "select exists (select from pg_database where datname = $1)", c.options.Database).Scan(&there)
	if err != nil {
		return fmt.Errorf("look for database %s: %w", c.options.Database, err)
	}
	if there {
		return nil
	}
	_, err = conn.Exec(ctx, "create database "+pgx.Identifier{c.options.Database}.Sanitize())
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && (pgErr.Code == "42P04" || pgErr.Code == "23505") {
		return nil // another program made it at the same moment
	}
	if err != nil {
		return fmt.Errorf("create database %s: %w", c.options.Database, err)
	}
	return nil
}

// DSN is the address of a database in the cluster, as a URL that pgx and psql
// understand; "" is the database of the options. It stays the same for the life
// of the Cluster.
func (c *Cluster) DSN(database string) string {
	if database == "" {
		database = c.options.Database
	}
	return dsn(c.socketDir, database)
}

// Owner says whether this program runs the server now and will stop it.
func (c *Cluster) Owner() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.server != nil
}

// wait pauses; false when the context ends first.
func wait(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
