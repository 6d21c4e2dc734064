package db

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"
	"strconv"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"passage/rag"
)

//go:embed migrations/*.sql
var migrations embed.FS

// The oldest Postgres and pgvector that will do. Iterative HNSW scans came with
// pgvector 0.8.
const (
	minServer      = 15
	minVectorMajor = 0
	minVectorMinor = 8
)

// Migrate brings the database to the newest schema and gives a new one its
// document types; types that exist are left as they are. Several processes may
// start at once: they take turns. Errors: CodeUnavailable when the server
// cannot be reached or has no pgvector, CodeInvalid when the server or pgvector
// is too old; the messages say what to do.
func Migrate(ctx context.Context, dsn string) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return invalidDSN(err)
	}
	// A pool of its own without vector types: they cannot be registered before
	// the first migration has made them.
	pool := stdlib.OpenDB(*config)
	defer pool.Close()
	have, err := inspect(ctx, pool)
	if err != nil {
		return wrap(err, "look at the database server")
	}
	if err := have.check(); err != nil {
		return err
	}
	provider, err := newProvider(pool)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return wrap(noPrivilege(err), "migrate the database")
	}
	return wrap(seedDocTypes(ctx, pool), "create the document types")
}

func newProvider(pool *sql.DB) (*goose.Provider, error) {
	files, err := fs.Sub(migrations, "migrations")
	if err != nil {
		return nil, wrap(err, "open the migrations")
	}
	// Asked every second for five minutes.
	locker, err := lock.NewPostgresSessionLocker(lock.WithLockTimeout(1, 300))
	if err != nil {
		return nil, wrap(err, "make the migration lock")
	}
	provider, err := goose.NewProvider(goose.DialectPostgres, pool, files, goose.WithSessionLocker(locker))
	return provider, wrap(err, "read the migrations")
}

// server is what must be known of a server before migrating.
type server struct {
	version   int    // server_version_num: 180006
	encoding  string // of the database
	installed string // version of the vector extension in this database, "" when not created
	offered   string // version that create extension would give, "" when there is none
}

func inspect(ctx context.Context, pool *sql.DB) (server, error) {
	var s server
	err := pool.QueryRowContext(ctx, `
		select current_setting('server_version_num')::int,
		       current_setting('server_encoding'),
		       coalesce((select extversion from pg_extension where extname = 'vector'), ''),
		       coalesce((select default_version from pg_available_extensions where name = 'vector'), '')`,
	).Scan(&s.version, &s.encoding, &s.installed, &s.offered)
	return s, err
}

// check says what is missing and what to do about it.
func (s server) check() error {
	major := s.version / 10_000
	switch {
	case major < minServer:
		return rag.Errorf(rag.CodeInvalid,
			"The database server is Postgres %d; Passage needs %d or newer. Upgrade it, or unset DATABASE_URL to use the built-in database.",
			major, minServer)
	case s.encoding != "UTF8":
		return rag.Errorf(rag.CodeInvalid,
			"The database has the encoding %s; Passage needs UTF8. Create one with: create database passage encoding 'UTF8' template template0.",
			s.encoding)
	case s.installed == "" && s.offered == "":
		return rag.Errorf(rag.CodeUnavailable,
			"The database server has no pgvector. Install version %d.%d or newer (package postgresql-%d-pgvector, or the image pgvector/pgvector:pg%d) and start again.",
			minVectorMajor, minVectorMinor, major, major)
	case s.installed != "" && !vectorWillDo(s.installed) && vectorWillDo(s.offered):
		return rag.Errorf(rag.CodeInvalid,
			"The database uses pgvector %s; Passage needs %d.%d or newer, which the server has. Run in the database: alter extension vector update.",
			s.installed, minVectorMajor, minVectorMinor)
	case s.installed != "" && !vectorWillDo(s.installed), s.installed == "" && !vectorWillDo(s.offered):
		return rag.Errorf(rag.CodeInvalid,
			"The database server has pgvector %s; Passage needs %d.%d or newer. Upgrade the package postgresql-%d-pgvector, then run in the database: alter extension vector update.",
			strings.TrimSpace(s.installed+" "+s.offered), minVectorMajor, minVectorMinor, major)
	}
	return nil
}

// vectorWillDo compares a version like "0.8.7" with the oldest that will do.
func vectorWillDo(version string) bool {
	parts := strings.SplitN(version, ".", 3)
	if len(parts) < 2 {
		return false
	}
	major, errMajor := strconv.Atoi(parts[0])
	minor, errMinor := strconv.Atoi(parts[1])
	if errMajor != nil || errMinor != nil {
		return false
	}
	return major > minVectorMajor || major == minVectorMajor && minor >= minVectorMinor
}

// noPrivilege explains the one fault of the first migration that users meet:
// pgvector is not a trusted extension.
func noPrivilege(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == stateNoPrivilege {
		return rag.WithCause(err, rag.CodeInvalid,
			"The database user may not prepare the database. Let an administrator run in it: create extension vector; grant create on schema public to the user of Passage.")
	}
	return err
}

// seedDocTypes gives an empty table the default types in one statement.
func seedDocTypes(ctx context.Context, pool *sql.DB) error {
	type row struct {
		Name     string       `json:"name"`
		Label    string       `json:"label"`
		Strategy rag.Strategy `json:"strategy"`
	}
	var rows []row
	for _, t := range rag.DefaultDocTypes() {
		rows = append(rows, row{t.Name, t.Label, t.Strategy})
	}
	raw, err := json.Marshal(rows)
	if err != nil {
		return err
	}
	_, err = pool.ExecContext(ctx, `
		insert into doc_types (name, label, strategy)
		select name, label, strategy
		from jsonb_to_recordset($1::jsonb) as seed (name text, label text, strategy jsonb)
		where not exists (select from doc_types)
		on conflict (name) do nothing`, string(raw))
	return err
}
