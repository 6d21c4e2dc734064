package db

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/pgvector/pgvector-go"
)

// Candidates an HNSW scan keeps at least, and at most (pgvector's limit).
const (
	minEfSearch = 400
	maxEfSearch = 1000
)

// efSearch is how many candidates a scan for n vectors keeps when a share of
// them passes the filter: with no more than n it would miss some of the last, and
// in a tenfold graph it takes two and a half times as many.
func (s scan) efSearch(n int, passing float64) string {
	const small = 50_000 // vectors, for which the least were measured to do
	ef := float64(max(2*n, minEfSearch)) * (1 + max(0, math.Log10(float64(s.vectors)/small)*3/2)) / passing
	return strconv.Itoa(min(int(math.Round(ef)), maxEfSearch))
}

// efSearch is how many candidates a scan of a whole part keeps.
func (q denseQuery) efSearch(s scan) string {
	if q.far {
		return strconv.Itoa(maxEfSearch)
	}
	return s.efSearch(q.n, 1)
}

// neighbour is a unit by its vector.
type neighbour struct {
	UnitID, VersionID, DocTypeID int64
	Distance                     float64
}

// nearest carries out a plan. Whatever an HNSW scan lacks, because what was
// deleted stands in its way, the exact scan finds.
func (q denseQuery) nearest(ctx context.Context, tx pgx.Tx, plan densePlan) ([]neighbour, error) {
	if plan.left == 0 {
		return nil, nil
	}
	enough := min(q.n, plan.left)
	if plan.probe != nil {
		rows, err := q.probe(ctx, tx, *plan.probe)
		if err != nil || len(rows) >= enough {
			return rows[:min(q.n, len(rows))], err
		}
		q.far = true
	}
	if len(plan.cover.scans) == 0 || q.far && plan.left <= plan.mostAlike {
		return q.exact(ctx, tx)
	}
	rows, err := q.covered(ctx, tx, plan.cover)
	if err != nil {
		return nil, err
	}
	if !q.far && plan.partial && alike(rows) {
		if plan.left <= plan.mostAlike {
			return q.exact(ctx, tx)
		}
		q.far = true
		if rows, err = q.covered(ctx, tx, plan.cover); err != nil {
			return nil, err
		}
	}
	if len(rows) < enough {
		return q.exact(ctx, tx)
	}
	return rows[:min(q.n, len(rows))], nil
}

// alike says that the nearest of a hundred is hardly nearer than the last: the
// question is about something else than what the filter leaves. All of that is
// about as far from it, and an HNSW scan ends at the edge of the region that it
// comes to. (Beyer and others, "When Is Nearest Neighbor Meaningful?", 1999, call
// the ratio the contrast.)
func alike(rows []neighbour) bool {
	const hundred, most = 100, 0.85
	return len(rows) >= hundred && rows[0].Distance > most*rows[hundred-1].Distance
}

// exact compares every vector. Without the cast to its dimension the
// expression is not that of an HNSW index, so none can be used.
func (q denseQuery) exact(ctx context.Context, tx pgx.Tx) ([]neighbour, error) {
	rows, err := tx.Query(ctx, `
		select unit_id, version_id, doc_type_id, embedding <=> @vector::halfvec as distance
		from embeddings
		where index_id = @index and `+inFilter+`
		order by distance, unit_id
		limit @n`, q.args(pgx.StrictNamedArgs{"vector": pgvector.NewHalfVector(q.vector), "n": q.n}))
	if err != nil {
		return nil, wrap(err, "compare the vectors of index %d", q.index)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[neighbour])
	return found, wrap(err, "compare the vectors of index %d", q.index)
}

// exactCells compares every vector of some cells.
const exactCells = `
	select unit_id, version_id, doc_type_id, embedding <=> @vector::halfvec as distance
	from unnest(@cell_spaces::bigint[], @cell_types::bigint[]) as cell (space, doc_type)
	join embeddings on space_id = cell.space and doc_type_id = cell.doc_type
	where index_id = @index and ` + inFilter + `
	order by distance, unit_id
	limit @n`

// minWidth is how many vectors a cover is asked for at least, see alike.
const minWidth = 100

// covered scans each part of a cover, and what is left, and merges what it finds:
// at least minWidth of them if there are so many.
func (q denseQuery) covered(ctx context.Context, tx pgx.Tx, c cover) ([]neighbour, error) {
	batch := &pgx.Batch{}
	vector := pgvector.NewHalfVector(q.vector)
	if len(c.rest) > 0 {
		spaces, types := make([]int64, len(c.rest)), make([]int64, len(c.rest))
		for i, cell := range c.rest {
			spaces[i], types[i] = cell.space, cell.docType
		}
		batch.Queue(exactCells, q.args(pgx.StrictNamedArgs{
			"vector": vector, "n": max(q.n, minWidth), "cell_spaces": spaces, "cell_types": types,
		}))
	}
	for _, scan := range c.scans {
		batch.Queue(scanSettings, pgx.StrictNamedArgs{"ef": q.efSearch(scan)})
		batch.Queue(q.scanQuery(scan.part), q.args(q.partArgs(scan.part, pgx.StrictNamedArgs{"vector": vector, "width": max(q.n, minWidth)})))
	}
	return q.merged(ctx, tx, batch)
}

// probe looks at the nearest vectors of a part, whatever the filter, and keeps
// those that pass it.
func (q denseQuery) probe(ctx context.Context, tx pgx.Tx, p probe) ([]neighbour, error) {
	batch := &pgx.Batch{}
	batch.Queue(scanSettings, pgx.StrictNamedArgs{"ef": p.efSearch(q.n, p.passing)})
	batch.Queue(q.probeQuery(p.part), q.args(q.partArgs(p.part, pgx.StrictNamedArgs{
		"vector": pgvector.NewHalfVector(q.vector), "width": p.width,
	})))
	return q.merged(ctx, tx, batch)
}

// scanSettings hold until the end of the transaction. The scan goes on while
// what it finds has been deleted. Sorting is discouraged, or Postgres would at
// times sort all rows instead.
const scanSettings = `
	select set_config('hnsw.ef_search', @ef, true),
	       set_config('hnsw.iterative_scan', 'relaxed_order', true),
	       set_config('enable_sort', 'off', true)`

// partArgs adds what inPart needs.
func (denseQuery) partArgs(p part, args pgx.StrictNamedArgs) pgx.StrictNamedArgs {
	if p.space != 0 {
		args["part_space"] = p.space
	}
	if p.docType != 0 {
		args["part_type"] = p.docType
	}
	return args
}

// inPart is the condition of the part's HNSW index.
func (p part) condition() string {
	condition := "index_id = @index"
	if p.space != 0 {
		condition += " and space_id = @part_space"
	}
	if p.docType != 0 {
		condition += " and doc_type_id = @part_type"
	}
	return condition
}

// nearestQuery is formatted from a whole number only: the expression must be
// that of the index, and a type takes no parameter.
func (q denseQuery) nearestQuery(condition string) string {
	return fmt.Sprintf(`
		select unit_id, version_id, doc_type_id, space_id, embedding::halfvec(%d) <=> @vector::halfvec as distance
		from embeddings
		where %s
		order by distance
		limit @width`, q.dimension, condition)
}

func (q denseQuery) scanQuery(p part) string {
	return "select unit_id, version_id, doc_type_id, distance from (" + q.nearestQuery(p.condition()+" and "+inFilter) + ") as near"
}

// probeQuery filters outside the limit.
func (q denseQuery) probeQuery(p part) string {
	return "select unit_id, version_id, doc_type_id, distance from (" + q.nearestQuery(p.condition()) + ") as near where " + inFilter
}

// merged sends the queries at once and puts what they find in order. An HNSW
// scan gives a relaxed one.
func (q denseQuery) merged(ctx context.Context, tx pgx.Tx, batch *pgx.Batch) ([]neighbour, error) {
	var found []neighbour
	for _, queued := range batch.QueuedQueries {
		if queued.SQL == scanSettings {
			queued.Exec(func(pgconn.CommandTag) error { return nil })
			continue
		}
		queued.Query(func(rows pgx.Rows) (err error) {
			found, err = pgx.AppendRows(found, rows, pgx.RowToStructByName[neighbour])
			return err
		})
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, wrap(err, "search vector index %d", q.index)
	}
	slices.SortFunc(found, func(a, b neighbour) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.UnitID, b.UnitID))
	})
	return found[:min(max(q.n, minWidth), len(found))], nil
}

// complete reads the units of the nearest vectors, in their order.
func (q denseQuery) complete(ctx context.Context, tx pgx.Tx, nearest []neighbour) ([]hitRow, error) {
	if len(nearest) == 0 {
		return nil, nil
	}
	units, scores := make([]int64, len(nearest)), make([]float64, len(nearest))
	for i, near := range nearest {
		units[i], scores[i] = near.UnitID, 1-near.Distance
	}
	rows, err := tx.Query(ctx, `
		select u.id as unit_id, u.version_id, t.name as doc_type, u.unit_set, u.ordinal, u.span_start, u.span_end, n.score
		from unnest(@units::bigint[], @scores::float8[]) with ordinality as n (unit_id, score, rank)
		join units u on u.id = n.unit_id
		join versions v on v.id = u.version_id and v.state = 'live'
		join doc_types t on t.id = v.doc_type_id
		order by n.rank`, pgx.StrictNamedArgs{"units": units, "scores": scores})
	if err != nil {
		return nil, wrap(err, "read units")
	}
	hits, err := pgx.CollectRows(rows, pgx.RowToStructByName[hitRow])
	return hits, wrap(err, "read units")
}
