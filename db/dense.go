package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"passage/rag"
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
// is compared; above that HNSW indexes are used, and may miss some. Errors:
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
		census, indexed, err := q.survey(ctx, tx, embedder, set)
		if err != nil || q.index == 0 {
			return err
		}
		if len(vector) != q.dimension {
			return rag.Errorf(rag.CodeInvalid, "The embedder %s gave a vector of %d numbers; its index holds vectors of %d.",
				embedder, len(vector), q.dimension)
		}
		if !usable(vector) {
			return rag.Errorf(rag.CodeInvalid, "The embedder %s gave a vector without direction.", embedder)
		}
		nearest, err := q.nearest(ctx, tx, planDense(census, indexed, n, s.exactLimit))
		if err != nil {
			return err
		}
		rows, err = q.complete(ctx, tx, nearest)
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
	far              bool // from all that the filter leaves: a probe found too little, or see alike
}

func (q denseQuery) args(more pgx.StrictNamedArgs) pgx.StrictNamedArgs {
	more["index"] = q.index
	return filterArgs(q.scope, q.spaces, q.types, more)
}

// survey finds the vector index, how many vectors it holds where, which of them
// are asked for, and what HNSW indexes can be used. q.index stays 0 when there
// is no such vector index.
func (q *denseQuery) survey(ctx context.Context, tx pgx.Tx, embedder string, set rag.UnitSet) ([]cell, parts, error) {
	batch := &pgx.Batch{}
	batch.Queue(`
		select x.id, x.dimension, coalesce(c.space_id, 0), coalesce(c.doc_type_id, 0), coalesce(c.vectors, 0),
		       coalesce(c.asked, false)
		from vector_indexes x
		left join lateral (
			select space_id, doc_type_id, sum(vectors)::bigint as vectors, (`+inFilter+`) as asked
			from vector_counts
			where index_id = x.id
			group by space_id, doc_type_id
		) as c on true
		where x.embedder = @embedder and x.unit_set = @set
		order by c.space_id, c.doc_type_id`,
		filterArgs(q.scope, q.spaces, q.types, pgx.StrictNamedArgs{"embedder": clean(embedder), "set": clean(string(set))}))
	batch.Queue(hnswIndexes)
	var census []cell
	indexed := parts{}
	batch.QueuedQueries[0].Query(func(rows pgx.Rows) error {
		var c cell
		_, err := pgx.ForEachRow(rows, []any{&q.index, &q.dimension, &c.space, &c.docType, &c.vectors, &c.asked}, func() error {
			if c.vectors > 0 {
				census = append(census, c)
			}
			return nil
		})
		return err
	})
	batch.QueuedQueries[1].Query(func(rows pgx.Rows) error {
		built, err := collectIndexes(rows)
		for _, x := range built {
			if x.index == q.index && x.valid {
				indexed[x.part] = true
			}
		}
		return err
	})
	err := tx.SendBatch(ctx, batch).Close()
	return census, indexed, wrap(err, "survey the vectors of %s", set)
}
