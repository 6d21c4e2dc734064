package dbtest

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"passage/db/cluster"
)

// server is the Postgres that the tests of this process use.
type server struct {
	address string // of a database from which others are made and dropped
	root    string // the module's folder
	private bool   // nobody but tests uses it
	held    files  // the locks: they go when nothing refers to them any more

	idle chan *pgx.Conn // see admin

	mu     sync.Mutex
	hashes map[string]string // of templates' sources
}

// process is the one server of this test process: tests do not know of each
// other, so nothing but the process could hold it.
var process single

type single struct {
	once sync.Once
	s    *server
	err  error
}

func (p *single) server(ctx context.Context) (*server, error) {
	p.once.Do(func() { p.s, p.err = open(context.WithoutCancel(ctx)) })
	return p.s, p.err
}

func newServer(address, root string) *server {
	return &server{address: address, root: root, idle: make(chan *pgx.Conn, 4), hashes: map[string]string{}}
}

func open(ctx context.Context) (*server, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	s := newServer("", root)
	for _, name := range []string{"TEST_DATABASE_URL", "DATABASE_URL"} {
		if s.address = os.Getenv(name); s.address != "" {
			return s, s.admin(ctx, func(conn *pgx.Conn) error {
				_, err := cluster.CheckServer(ctx, conn)
				return err
			})
		}
	}
	s.private = true
	s.address, s.held, err = shared(ctx, filepath.Join(root, ".data"))
	return s, err
}

// moduleRoot is the folder of go.mod: tests run in their package's folder.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", fmt.Errorf("module's folder: %w", err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		above := filepath.Dir(dir)
		if above == dir {
			return "", fmt.Errorf("module's folder: no go.mod here or above: %w", fs.ErrNotExist)
		}
		dir = above
	}
}

// admin does something on a connection to the server. Connecting takes as long
// as making a database, so a few connections are kept; after an error none is,
// for it may hold a lock.
func (s *server) admin(ctx context.Context, do func(*pgx.Conn) error) error {
	var conn *pgx.Conn
	select {
	case conn = <-s.idle:
	default:
		var err error
		if conn, err = pgx.Connect(ctx, s.address); err != nil {
			return fmt.Errorf("connect to the database server for tests: %w", err)
		}
	}
	if err := do(conn); err != nil {
		return errors.Join(err, conn.Close(context.WithoutCancel(ctx)))
	}
	select {
	case s.idle <- conn:
		return nil
	default:
		return conn.Close(ctx)
	}
}

// dsn is the address of another database on the server, in the form that the
// server's has: a URL, or words of key=value of which the last one counts.
func (s *server) dsn(database string) string {
	u, err := url.Parse(s.address)
	if err != nil || !strings.HasPrefix(u.Scheme, "postgres") {
		return s.address + " dbname=" + database
	}
	u.Path = "/" + database
	return u.String()
}
