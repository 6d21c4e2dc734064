package dbtest

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// counted is a template of a name nobody else uses; calls counts its making.
func counted(t *testing.T, calls *atomic.Int32) Template {
	t.Helper()
	name := "t_" + label("")
	t.Cleanup(func() {
		ctx := context.WithoutCancel(t.Context())
		s, err := process.server(ctx)
		require.NoError(t, err)
		require.NoError(t, s.admin(ctx, func(conn *pgx.Conn) error {
			return dropOlder(ctx, conn, templatePrefix+name, "")
		}))
	})
	return Template{Name: name, Migrate: func(ctx context.Context, dsn string) error {
		calls.Add(1)
		conn, err := pgx.Connect(ctx, dsn)
		if err != nil {
			return err
		}
		_, err = conn.Exec(ctx, "create extension vector; create table made (n int); insert into made values (1)")
		return errors.Join(err, conn.Close(ctx))
	}}
}

func count(t *testing.T, dsn, table string) int {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	defer conn.Close(context.WithoutCancel(t.Context()))
	var n int
	require.NoError(t, conn.QueryRow(t.Context(), "select count(*) from "+quote(table)).Scan(&n))
	return n
}

func TestEachTestHasItsOwnCopy(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	template := counted(t, &calls)
	a, b := New(t, template), New(t, template)
	_, err := a.Exec(t.Context(), "insert into made values (2), (3)")
	require.NoError(t, err)
	require.Equal(t, 3, count(t, a.Config().ConnString(), "made"))
	require.Equal(t, 1, count(t, b.Config().ConnString(), "made"))
	require.Equal(t, int32(1), calls.Load())
}

func TestTemplateIsMadeOnceByManyAtOnce(t *testing.T) { //nolint:tparallel // "all" returns when the parallel ones in it have
	t.Parallel()
	var calls atomic.Int32
	template := counted(t, &calls)
	t.Run("all", func(t *testing.T) {
		for range 8 {
			t.Run("one", func(t *testing.T) {
				t.Parallel()
				require.Equal(t, 1, count(t, DSN(t, template), "made"))
			})
		}
	})
	require.Equal(t, int32(1), calls.Load())
}

func TestDatabaseIsGoneAfterTheTest(t *testing.T) { //nolint:tparallel // the end of its subtest is waited for
	t.Parallel()
	name := ""
	t.Run("the test", func(t *testing.T) {
		pool := New(t, Template{})
		require.NoError(t, pool.QueryRow(t.Context(), "select current_database()::text").Scan(&name))
	})
	require.True(t, strings.HasPrefix(name, "passage_test_databaseisgoneafterthetest_the_"), name)
	s, err := process.server(t.Context())
	require.NoError(t, err)
	require.NoError(t, s.admin(t.Context(), func(conn *pgx.Conn) error {
		there, err := exists(t.Context(), conn, name)
		require.False(t, there)
		return err
	}))
}

func TestChangedSourcesMakeANewTemplate(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	template := counted(t, &calls)
	folder := t.TempDir()
	s := newServer("", folder)
	require.NoError(t, os.Mkdir(filepath.Join(folder, "schema"), 0o700))
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(folder, "schema", name), []byte(text), 0o600))
	}
	template.Sources = []string{"schema"}
	name := func() string {
		clear(s.hashes) // as in a new process
		name, prefix, err := s.templateName(template)
		require.NoError(t, err)
		require.True(t, strings.HasPrefix(name, prefix))
		return name
	}
	write("1.sql", "create table a ()")
	first := name()
	require.Equal(t, first, name())
	write("1_test.go", "package schema")
	require.Equal(t, first, name(), "tests do not make the schema")
	write("2.sql", "create table b ()")
	second := name()
	require.NotEqual(t, first, second)
	write("2.sql", "create table c ()")
	require.NotContains(t, []string{first, second}, name())

	template.Sources = []string{"none"}
	_, _, err := s.templateName(template)
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestOlderTemplatesAreDropped(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	template := counted(t, &calls)
	ours, err := process.server(need(t))
	require.NoError(t, err)
	folder := t.TempDir()
	s := newServer(ours.address, folder)
	s.private = ours.private
	template.Sources = []string{"."}
	var made []string
	for _, text := range []string{"one", "two"} {
		clear(s.hashes)
		require.NoError(t, os.WriteFile(filepath.Join(folder, "1.sql"), []byte(text), 0o600))
		require.NoError(t, s.admin(t.Context(), func(conn *pgx.Conn) error {
			name, err := s.template(t.Context(), conn, template)
			made = append(made, name)
			return err
		}))
	}
	require.Equal(t, int32(2), calls.Load())
	require.NoError(t, s.admin(t.Context(), func(conn *pgx.Conn) error {
		names, err := databases(t.Context(), conn, templatePrefix+template.Name)
		if s.private {
			require.Equal(t, made[1:], names)
		} else {
			require.ElementsMatch(t, made, names)
		}
		return err
	}))
}

func TestHalfATemplateIsNotUsed(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	template := counted(t, &calls)
	good := template.Migrate
	s, err := process.server(need(t))
	require.NoError(t, err)
	broken := errors.New("the second migration is wrong")
	template.Migrate = func(ctx context.Context, dsn string) error { return errors.Join(good(ctx, dsn), broken) }
	require.ErrorIs(t, s.create(t.Context(), "passage_test_"+label("half"), template), broken)
	template.Migrate = good
	require.Equal(t, 1, count(t, DSN(t, template), "made"))
	require.Equal(t, int32(2), calls.Load())
}

// need skips the test if there is no server, as DSN does.
func need(t *testing.T) context.Context {
	t.Helper()
	DSN(t, Template{})
	return t.Context()
}

func TestAddressOfAnotherDatabase(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"postgres://me:pw@db.example:5433/main?sslmode=require": "postgres://me:pw@db.example:5433/x?sslmode=require",
		"postgresql:///main?host=%2Ftmp%2Fa+b":                  "postgresql:///x?host=%2Ftmp%2Fa+b",
		"host=/tmp user=me dbname=main":                         "host=/tmp user=me dbname=main dbname=x",
	} {
		got := newServer(address, "").dsn("x")
		require.Equal(t, want, got)
		config, err := pgx.ParseConfig(got)
		require.NoError(t, err)
		require.Equal(t, "x", config.Database)
	}
}

func TestTimeOfADatabase(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	template := counted(t, &calls)
	DSN(t, template)
	began := time.Now()
	for range 5 {
		DSN(t, template)
	}
	t.Logf("a database of a test's own: %v", time.Since(began)/5)
	require.Equal(t, int32(1), calls.Load())
}
