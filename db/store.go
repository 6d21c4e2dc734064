// Package db keeps Passage's documents, search indexes and chats in Postgres
// with pgvector. It speaks plain SQL: exported methods open and commit a
// transaction, unexported ones take it, and every read filters by a rag.Scope
// in its where clause, so that what lies outside the scope does not exist.
// A version is written whole or not at all, and search sees live versions only.
package db

import (
	"context"
	"log/slog"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/maypok86/otter/v2"
	pgxvector "github.com/pgvector/pgvector-go/pgx"

	"passage/rag"
)

// defaultExactLimit is the number of vectors up to which a search compares the
// question with every one of them, which takes some milliseconds. Over a filter
// that leaves fewer rows, an HNSW scan is hardly faster and forgets results.
const defaultExactLimit = 8_000

// minConns is the pool's size on a small machine, where pgx would choose 4:
// an answer's steps, an upload and a page must not wait for each other.
const minConns = 10

// Store is the database. Its methods may be called at the same time.
type Store struct {
	pool       *pgxpool.Pool
	log        *slog.Logger
	exactLimit int
	grower     *grower
	texts      *otter.Cache[textKey, *text]
	queue      *queue
}

// Option changes a Store at Open.
type Option func(*Store)

// ExactLimit sets the number of vectors, after filters, up to which a search
// compares every one instead of using HNSW indexes.
func ExactLimit(n int) Option { return func(s *Store) { s.exactLimit = n } }

// Open connects to a database that Migrate has prepared. The DSN is a URL or
// keyword string of libpq; pool_max_conns and other settings in it win over the
// ones chosen here. Errors: CodeInvalid for a DSN that cannot be read,
// CodeUnavailable when the server cannot be reached or has not been migrated.
func Open(ctx context.Context, dsn string, log *slog.Logger, options ...Option) (*Store, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, invalidDSN(err)
	}
	if !strings.Contains(dsn, "pool_max_conns") {
		config.MaxConns = max(config.MaxConns, minConns)
	}
	for name, value := range map[string]string{
		"application_name": "passage",
		// The partial HNSW indexes and the filters need constants to plan with.
		"plan_cache_mode": "force_custom_plan",
		// Queries here are short: compiling them takes longer than running them.
		"jit":                                 "off",
		"statement_timeout":                   "30s",
		"idle_in_transaction_session_timeout": "60s",
	} {
		if _, set := config.ConnConfig.RuntimeParams[name]; !set {
			config.ConnConfig.RuntimeParams[name] = value
		}
	}
	// A document's date is a day: it must not shift with the server's zone.
	config.ConnConfig.RuntimeParams["timezone"] = "UTC"
	config.AfterConnect = registerTypes

	pool, err := pgxpool.NewWithConfig(ctx, config)
	if err != nil {
		return nil, wrap(err, "open the database")
	}
	if err := pool.Ping(ctx); err != nil {
		pool.Close()
		return nil, wrap(err, "open the database")
	}
	s := &Store{pool: pool, log: log, exactLimit: defaultExactLimit, grower: newGrower(), texts: newTexts()}
	if s.queue, err = newQueue(pool, log); err != nil {
		pool.Close()
		return nil, wrap(err, "open the queue")
	}
	for _, option := range options {
		option(s)
	}
	return s, nil
}

// Close breaks off the building of vector indexes, waits for running queries
// and closes all connections.
func (s *Store) Close() {
	s.grower.close()
	s.pool.Close()
}

// registerTypes teaches a new connection the vector types, and to give times
// in UTC.
func registerTypes(ctx context.Context, conn *pgx.Conn) error {
	if err := pgxvector.RegisterTypes(ctx, conn); err != nil {
		return rag.WithCause(err, rag.CodeUnavailable,
			"The database is not prepared yet: its vector extension is missing. Run `web migrate`.")
	}
	conn.TypeMap().RegisterType(&pgtype.Type{
		Name: "timestamptz", OID: pgtype.TimestamptzOID,
		Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
	})
	return nil
}

// read runs fn in a read-only transaction with one snapshot for all its
// statements, so that a version swapped or deleted meanwhile is seen whole or
// not at all.
func (s *Store) read(ctx context.Context, fn func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}, fn)
}

// write runs fn in a transaction that commits when fn returns nil.
func (s *Store) write(ctx context.Context, fn func(pgx.Tx) error) error {
	return pgx.BeginTxFunc(ctx, s.pool, pgx.TxOptions{}, fn)
}

// unhurried lifts the statement timeout for the rest of the transaction, for
// work whose length depends on the size of a document or an index. The context
// still ends it.
func unhurried(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, "set local statement_timeout = 0")
	return err
}

// takeLock holds an advisory lock of that name until the transaction ends.
func takeLock(ctx context.Context, tx pgx.Tx, name string) error {
	_, err := tx.Exec(ctx, "select pg_advisory_xact_lock(hashtextextended(@name, 0))",
		pgx.StrictNamedArgs{"name": name})
	return wrap(err, "take the lock %s", name)
}

// Ping says whether the database answers now.
func (s *Store) Ping(ctx context.Context) error {
	return wrap(s.pool.Ping(ctx), "reach the database")
}
