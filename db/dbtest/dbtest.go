// Package dbtest gives each test a Postgres database of its own: a copy of a
// template that has been migrated once, dropped at the end of the test.
//
// The server is the one of TEST_DATABASE_URL or DATABASE_URL, else a private
// cluster of the module, which all test processes share (see supervise). The
// template's name carries a hash of the sources that make it, so a changed
// migration makes a new one.
//
// Without a server a test is skipped, but where CI is set it ends as a fault.
package dbtest

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"passage/db/cluster"
	"passage/rag"
)

// Limits of what a test waits for.
const (
	dropLimit  = 30 * time.Second
	closeLimit = 10 * time.Second
)

// Template says what a test's database is a copy of. The zero value is an empty
// database.
type Template struct {
	// Name tells templates apart, of [a-z0-9_]; "" is "passage".
	Name string

	// Sources are the folders, from the module's root, whose files make the
	// template: when one changes, it is made anew. Tests (_test.go) and folders
	// that are packages of their own do not count. nil: db and db/migrations.
	Sources []string

	// Migrate brings an empty database, whose address it gets, to what tests
	// expect; nil leaves it empty.
	Migrate func(ctx context.Context, dsn string) error
}

// New gives a pool of connections to a database of the test's own. Both are
// gone after the test, and a connection that was not released is a fault.
func New(tb testing.TB, template Template) *pgxpool.Pool {
	tb.Helper()
	pool, err := pgxpool.New(tb.Context(), DSN(tb, template))
	require.NoError(tb, err)
	tb.Cleanup(func() {
		closed := make(chan struct{})
		go func() {
			pool.Close()
			close(closed)
		}()
		select {
		case <-closed:
		case <-time.After(closeLimit):
			tb.Errorf("the test did not release %d connections of its pool", pool.Stat().AcquiredConns())
		}
	})
	return pool
}

// DSN makes a database of the test's own and gives its address, as New does.
func DSN(tb testing.TB, template Template) string {
	tb.Helper()
	s, err := process.server(tb.Context())
	if err != nil && errors.Is(err, cluster.ErrNoPostgres) && os.Getenv("CI") == "" {
		tb.Skip("no Postgres for this test, run \"make postgres\": " + rag.ErrorMessage(err))
	}
	require.NoError(tb, err, "a Postgres for this test")
	name := "passage_test_" + label(tb.Name())
	require.NoError(tb, s.create(tb.Context(), name, template))
	tb.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(tb.Context()), dropLimit)
		defer cancel()
		err := s.admin(ctx, func(conn *pgx.Conn) error { return drop(ctx, conn, name) })
		if err != nil {
			tb.Errorf("drop the database of the test: %v", err)
		}
	})
	return s.dsn(name)
}

// label makes a name that tells in the server's lists which test it is, and
// that no other test has.
func label(test string) string {
	word := strings.Map(func(r rune) rune {
		if 'a' <= r && r <= 'z' || '0' <= r && r <= '9' {
			return r
		}
		return '_'
	}, strings.ToLower(strings.TrimPrefix(test, "Test")))
	random := make([]byte, 6)
	_, _ = rand.Read(random) // never returns an error, says its documentation
	return word[:min(len(word), 30)] + "_" + hex.EncodeToString(random)
}

// create makes a database that is a copy of the template.
func (s *server) create(ctx context.Context, name string, t Template) error {
	return s.admin(ctx, func(conn *pgx.Conn) error {
		const tries = 3 // another process may drop the template of older sources meanwhile
		var err error
		for range tries {
			var from string
			if from, err = s.template(ctx, conn, t); err != nil {
				return err
			}
			sql := "create database " + quote(name) + " template " + quote(from)
			if s.private {
				sql += " strategy file_copy" // faster, where a checkpoint costs nothing
			}
			_, err = conn.Exec(ctx, sql)
			var pgErr *pgconn.PgError
			if !errors.As(err, &pgErr) || pgErr.Code != "3D000" { // invalid_catalog_name
				break
			}
		}
		if err != nil {
			return fmt.Errorf("create database %s: %w", name, err)
		}
		return nil
	})
}

// drop drops a database and ends what is still connected to it.
func drop(ctx context.Context, conn *pgx.Conn, name string) error {
	if _, err := conn.Exec(ctx, "drop database if exists "+quote(name)+" with (force)"); err != nil {
		return fmt.Errorf("drop database %s: %w", name, err)
	}
	return nil
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }
