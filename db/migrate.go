package db

import (
	"context"
	"database/sql"
	"embed"
	"encoding/json"
	"errors"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/pressly/goose/v3"
	"github.com/pressly/goose/v3/lock"

	"passage/db/cluster"
	"passage/rag"
)

//go:embed migrations/*.sql
var migrations embed.FS

// Migrate brings the database to the newest schema and gives a new one its
// document types; types that exist are left as they are. Several processes may
// start at once: they take turns. Errors: CodeUnavailable when the server cannot
// be reached, or it or its pgvector is missing something, CodeInvalid when the
// DSN or the database itself will not do; the messages say what to do.
func Migrate(ctx context.Context, dsn string) error {
	config, err := pgx.ParseConfig(dsn)
	if err != nil {
		return invalidDSN(err)
	}
	if err := checkServer(ctx, config); err != nil {
		return err
	}
	// A pool of its own without vector types: they cannot be registered before
	// the first migration has made them.
	pool := stdlib.OpenDB(*config)
	defer pool.Close()
	provider, err := newProvider(pool)
	if err != nil {
		return err
	}
	if _, err := provider.Up(ctx); err != nil {
		return wrap(noPrivilege(err), "migrate the database")
	}
	queueConfig, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return invalidDSN(err)
	}
	if err := migrateQueue(ctx, queueConfig); err != nil {
		return wrap(noPrivilege(err), "migrate the queue")
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

// checkServer says what the server or the database lacks.
func checkServer(ctx context.Context, config *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return wrap(err, "connect to the database")
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if _, err := cluster.CheckServer(ctx, conn); err != nil {
		return wrap(err, "check the database server")
	}
	var encoding string
	if err := conn.QueryRow(ctx, "select current_setting('server_encoding')").Scan(&encoding); err != nil {
		return wrap(err, "check the database")
	}
	return checkEncoding(encoding)
}

// checkEncoding: spans count the bytes of UTF-8, and Postgres checks them.
func checkEncoding(encoding string) error {
	if encoding == "UTF8" {
		return nil
	}
	return rag.Errorf(rag.CodeInvalid,
		"The database has the encoding %s; Passage needs UTF8. Make another one with: create database passage encoding 'UTF8' template template0",
		encoding)
}

// noPrivilege explains the fault that users of a shared server meet: since
// Postgres 15 a role may not create tables in somebody else's database.
func noPrivilege(err error) error {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && pg.Code == stateNoPrivilege {
		return rag.WithCause(err, rag.CodeInvalid,
			"The role of DATABASE_URL may not prepare the database. Run in it, as its owner: grant create on schema public to the role.")
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
