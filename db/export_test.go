package db

import (
	"context"
	"database/sql"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/pgvector/pgvector-go"
	"github.com/pressly/goose/v3"

	"passage/rag"
)

// Provider is the migrations over a pool, to step through them.
func Provider(pool *sql.DB) (*goose.Provider, error) { return newProvider(pool) }

// Pool is for what tests look at or break behind the store's back.
func (s *Store) Pool() *pgxpool.Pool { return s.pool }

// BuildIndex builds an HNSW index.
func (s *Store) BuildIndex(ctx context.Context, id, dimension int) error {
	return s.buildIndex(ctx, id, dimension)
}

// ExplainApproximate gives the plan of an HNSW search.
func (s *Store) ExplainApproximate(ctx context.Context, set rag.UnitSet, embedder string, vector []float32, n int) (string, error) {
	var plan []string
	err := s.read(ctx, func(tx pgx.Tx) error {
		q := denseQuery{scope: rag.Scope{All: true}, vector: vector, n: n}
		err := tx.QueryRow(ctx, "select id, dimension from vector_indexes where embedder = $1 and unit_set = $2",
			embedder, string(set)).Scan(&q.index, &q.dimension)
		if err != nil {
			return err
		}
		if err := q.prepare(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, "explain "+hitsQuery(q.approximateQuery()), q.args(pgx.StrictNamedArgs{
			"vector": pgvector.NewHalfVector(vector), "n": n,
		}))
		if err != nil {
			return err
		}
		plan, err = pgx.CollectRows(rows, pgx.RowTo[string])
		return err
	})
	return strings.Join(plan, "\n"), err
}
