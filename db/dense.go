package db

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"passage/rag"
)

// Candidates an HNSW search keeps at least, and at most (pgvector's limit).
const (
	minEfSearch = 100
	maxEfSearch = 1000
)

// inFilter is the condition of both legs on their own table: what the scope may
// read, narrowed to spaces and types. Each table holds both columns.
const inFilter = `
	(@all_spaces or space_id = any(@scope_spaces))
	and (@spaces::bigint[] is null or space_id = any(@spaces))
	and (@doc_types::bigint[] is null or doc_type_id = any(@doc_types))`

// hitRow is a unit found by either leg.
type hitRow struct {
	UnitID, VersionID           int64
	DocType                     string
	UnitSet                     rag.UnitSet
	Ordinal, SpanStart, SpanEnd int
	Score                       float64
}

func (r hitRow) hit() rag.Hit {
	return rag.Hit{
		UnitID: r.UnitID, VersionID: r.VersionID, DocType: r.DocType, Set: r.UnitSet,
		Ordinal: r.Ordinal, Span: rag.Span{Start: r.SpanStart, End: r.SpanEnd},
	}
}

// Dense finds the n units of a set whose vectors have the highest cosine with
// the question's, best first; fewer only when fewer exist. Vectors of other
// embedders are never compared. While the filter leaves few vectors every one
// is compared; above that the HNSW index is used, and may miss some. Errors:
// CodeInvalid when the vector has another length than those of the embedder.
func (s *Store) Dense(ctx context.Context, scope rag.Scope, filter rag.Filter, set rag.UnitSet, embedder string, vector []float32, n int) ([]rag.Hit, error) {
	if n <= 0 {
		return nil, nil
	}
	var rows []hitRow
	err := s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		q := denseQuery{scope: scope, spaces: filter.Spaces, types: types, vector: vector, n: n}
		err = tx.QueryRow(ctx, "select id, dimension from vector_indexes where embedder = @embedder and unit_set = @set",
			pgx.StrictNamedArgs{"embedder": clean(embedder), "set": clean(string(set))}).Scan(&q.index, &q.dimension)
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		if err != nil {
			return err
		}
		if len(vector) != q.dimension {
			return rag.Errorf(rag.CodeInvalid, "The embedder %s gave a vector of %d numbers; its index holds vectors of %d.",
				embedder, len(vector), q.dimension)
		}
		if !usable(vector) {
			return rag.Errorf(rag.CodeInvalid, "The embedder %s gave a vector without direction.", embedder)
		}
		rows, err = s.dense(ctx, tx, q)
		return err
	})
	if err != nil {
		return nil, wrap(err, "search vectors of %s", set)
	}
	hits := make([]rag.Hit, len(rows))
	for i, r := range rows {
		hits[i] = r.hit()
		hits[i].Cosine = r.Score
	}
	return hits, nil
}

// denseQuery is a search in one vector index.
type denseQuery struct {
	scope            rag.Scope
	spaces, types    []int64
	index, dimension int
	vector           []float32
	n                int
}

func (q denseQuery) args(more pgx.StrictNamedArgs) pgx.StrictNamedArgs {
	more["index"] = q.index
	return filterArgs(q.scope, q.spaces, q.types, more)
}

// dense chooses the plan by the number of vectors that the filter leaves,
// because Postgres does not: with a narrow filter HNSW is slower than comparing
// everything and finds as little as a quarter of it.
func (s *Store) dense(ctx context.Context, tx pgx.Tx, q denseQuery) ([]hitRow, error) {
	var left int
	err := tx.QueryRow(ctx, `
		select count(*) from (
			select from embeddings where index_id = @index and `+inFilter+` limit @limit + 1
		) as few`, q.args(pgx.StrictNamedArgs{"limit": s.exactLimit})).Scan(&left)
	if err != nil || left == 0 {
		return nil, wrap(err, "count vectors")
	}
	if left > s.exactLimit {
		rows, err := q.approximate(ctx, tx)
		// The scan gives up after hnsw.max_scan_tuples vectors.
		if err != nil || len(rows) >= min(q.n, left) {
			return rows, err
		}
	}
	return q.exact(ctx, tx)
}

// exact compares every vector. Without the cast to its dimension the
// expression is not that of the HNSW index, so the index cannot be used.
func (q denseQuery) exact(ctx context.Context, tx pgx.Tx) ([]hitRow, error) {
	return q.hits(ctx, tx, `
		select unit_id, version_id, doc_type_id, embedding <=> @vector::halfvec as distance
		from embeddings
		where index_id = @index and `+inFilter+`
		order by distance, unit_id
		limit @n`)
}

// approximate walks the HNSW index until n vectors pass the filter.
func (q denseQuery) approximate(ctx context.Context, tx pgx.Tx) ([]hitRow, error) {
	if err := q.prepare(ctx, tx); err != nil {
		return nil, err
	}
	return q.hits(ctx, tx, q.approximateQuery())
}

// prepare sets up the HNSW scan until the end of the transaction. Sorting is
// discouraged, or Postgres would at times sort all rows instead.
func (q denseQuery) prepare(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `
		select set_config('hnsw.ef_search', @ef, true),
		       set_config('hnsw.iterative_scan', 'relaxed_order', true),
		       set_config('enable_sort', 'off', true)`,
		pgx.StrictNamedArgs{"ef": strconv.Itoa(min(max(2*q.n, minEfSearch), maxEfSearch))})
	return wrap(err, "set up the HNSW scan")
}

// approximateQuery is formatted from a whole number only: the expression must
// be that of the index, and a type takes no parameter.
func (q denseQuery) approximateQuery() string {
	return fmt.Sprintf(`
		select unit_id, version_id, doc_type_id, embedding::halfvec(%d) <=> @vector::halfvec as distance
		from embeddings
		where index_id = @index and `+inFilter+`
		order by distance
		limit @n`, q.dimension)
}

// hits completes what the nearest vectors belong to. They come in a relaxed
// order; adding 0 keeps Postgres from taking them for sorted.
func (q denseQuery) hits(ctx context.Context, tx pgx.Tx, nearest string) ([]hitRow, error) {
	rows, err := tx.Query(ctx, hitsQuery(nearest), q.args(pgx.StrictNamedArgs{
		"vector": pgvector.NewHalfVector(q.vector), "n": q.n,
	}))
	if err != nil {
		return nil, wrap(err, "search vector index %d", q.index)
	}
	hits, err := pgx.CollectRows(rows, pgx.RowToStructByName[hitRow])
	return hits, wrap(err, "search vector index %d", q.index)
}

func hitsQuery(nearest string) string {
	return "with nearest as materialized (" + nearest + `)
		select n.unit_id, n.version_id, t.name as doc_type, u.unit_set, u.ordinal, u.span_start, u.span_end,
		       1 - n.distance as score
		from nearest n
		join units u on u.id = n.unit_id
		join versions v on v.id = n.version_id and v.state = 'live'
		join doc_types t on t.id = n.doc_type_id
		order by n.distance + 0, n.unit_id`
}
