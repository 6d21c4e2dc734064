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

func open(ctx context.Context) (*server, error) {
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	s := &server{root: root, hashes: map[string]string{}}
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

// admin does something on a connection to the server.
func (s *server) admin(ctx context.Context, do func(*pgx.Conn) error) error {
	conn, err := pgx.Connect(ctx, s.address)
	if err != nil {
		return fmt.Errorf("connect to the database server for tests: %w", err)
	}
	return errors.Join(do(conn), conn.Close(context.WithoutCancel(ctx)))
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
