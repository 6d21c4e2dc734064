package db

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgconn/ctxwatch"
)

// manyCounts is the number of rows in vector_counts, above one for each cell,
// from which on they are added up; to read fewer takes no time.
const manyCounts = 500

// growth is what is to be done to the HNSW indexes.
type growth struct {
	build  []hnswBuild // smallest first
	drop   []hnswIndex
	counts int // rows of vector_counts that can be saved
}

type hnswBuild struct {
	hnswIndex
	dimension, vectors int
}

func (g growth) nothing() bool {
	return len(g.build) == 0 && len(g.drop) == 0 && g.counts <= manyCounts
}

// GrowIndexes builds the HNSW indexes that vectors have outgrown the exact scan
// without, and drops those that are not worth their upkeep any more, because a
// space or an embedder left. It ends when nothing is left to do, which may take
// minutes; neither searches nor writers wait for it, and a search finds
// everything meanwhile, only slower. Every version that is put starts it in the
// background when there is something to do, so to call it is of use after
// deleting, and before measuring. While another process is at it, it does
// nothing. Errors: CodeUnavailable.
func (s *Store) GrowIndexes(ctx context.Context) error {
	s.grower.turn.Lock()
	defer s.grower.turn.Unlock()
	return wrap(s.growAll(ctx), "build the vector indexes")
}

// growAll works on a connection of its own, since a build lasts long.
func (s *Store) growAll(ctx context.Context) error {
	config := s.pool.Config().ConnConfig
	config.RuntimeParams["statement_timeout"] = "0"
	// A build that nobody waits for any more ends.
	config.RuntimeParams["client_connection_check_interval"] = "5s"
	config.BuildContextWatcherHandler = func(conn *pgconn.PgConn) ctxwatch.Handler {
		return &pgconn.CancelRequestContextWatcherHandler{Conn: conn, DeadlineDelay: breakOffLimit}
	}
	conn, err := pgx.ConnectConfig(ctx, config)
	if err != nil {
		return err
	}
	defer conn.Close(context.WithoutCancel(ctx))
	// Not waited for: who builds would wait for who waits.
	var ours bool
	err = conn.QueryRow(ctx, "select pg_try_advisory_lock(hashtextextended('hnsw', 0))").Scan(&ours)
	if err != nil || !ours {
		return err
	}
	for {
		g, err := s.planGrowth(ctx, conn)
		if err != nil || g.nothing() {
			return err
		}
		if err := g.step(ctx, conn); err != nil {
			return err
		}
		s.log.InfoContext(ctx, "vector indexes changed", "to_build", len(g.build), "to_drop", len(g.drop))
	}
}

// step does the first thing that is to be done. What is there afterwards is
// looked up anew: vectors come and go while an index is built.
func (g growth) step(ctx context.Context, conn *pgx.Conn) error {
	switch {
	case g.counts > manyCounts:
		return addUpCounts(ctx, conn)
	case len(g.drop) > 0:
		_, err := conn.Exec(ctx, "drop index concurrently if exists "+g.drop[0].name())
		return wrap(err, "drop %s", g.drop[0].name())
	}
	return g.build[0].run(ctx, conn)
}

// sender is a pool or a connection.
type sender interface {
	SendBatch(ctx context.Context, batch *pgx.Batch) pgx.BatchResults
}

// planGrowth compares the HNSW indexes that are there with those that should
// be. One whose building was broken off, or that has an older shape, is built
// again.
func (s *Store) planGrowth(ctx context.Context, db sender) (growth, error) {
	batch := &pgx.Batch{}
	batch.Queue(`
		select x.id, x.dimension, c.space_id, c.doc_type_id, sum(c.vectors)::bigint, count(*)
		from vector_counts c
		join vector_indexes x on x.id = c.index_id
		group by x.id, c.space_id, c.doc_type_id`)
	batch.Queue(hnswIndexes)
	var (
		g          growth
		there      []hnswIndex
		census     = map[int][]cell{}
		dimensions = map[int]int{}
	)
	batch.QueuedQueries[0].Query(func(rows pgx.Rows) error {
		var index, dimension, counts int
		var c cell
		_, err := pgx.ForEachRow(rows, []any{&index, &dimension, &c.space, &c.docType, &c.vectors, &counts}, func() error {
			g.counts += counts - 1
			if c.vectors > 0 {
				census[index], dimensions[index] = append(census[index], c), dimension
			}
			return nil
		})
		return err
	})
	batch.QueuedQueries[1].Query(func(rows pgx.Rows) (err error) {
		there, err = collectIndexes(rows)
		return err
	})
	if err := db.SendBatch(ctx, batch).Close(); err != nil {
		return growth{}, wrap(err, "survey the vector indexes")
	}
	g.compare(census, dimensions, there, s.exactLimit)
	return g, nil
}

func (g *growth) compare(census map[int][]cell, dimensions map[int]int, there []hnswIndex, limit int) {
	has := map[int]parts{}
	for _, x := range there {
		if has[x.index] == nil {
			has[x.index] = parts{}
		}
		has[x.index][x.part] = x.valid && x.current
	}
	want := map[int]parts{}
	for index, cells := range census {
		want[index] = wantedIndexes(cells, has[index], limit)
		for p := range want[index] {
			if !has[index][p] {
				build := hnswBuild{hnswIndex: hnswIndex{index: index, part: p}, dimension: dimensions[index]}
				for _, c := range cells {
					if p.holds(c) {
						build.vectors += c.vectors
					}
				}
				g.build = append(g.build, build)
			}
		}
	}
	for _, x := range there {
		if !has[x.index][x.part] || !want[x.index][x.part] {
			g.drop = append(g.drop, x)
		}
	}
	slices.SortFunc(g.build, func(a, b hnswBuild) int {
		return cmp.Or(cmp.Compare(a.vectors, b.vectors), strings.Compare(a.name(), b.name()))
	})
}

// addUpCounts replaces the rows of vector_counts by their sums. Rows that come
// meanwhile stay as they are.
func addUpCounts(ctx context.Context, conn *pgx.Conn) error {
	_, err := conn.Exec(ctx, `
		with gone as (delete from vector_counts returning *)
		insert into vector_counts
		select index_id, space_id, doc_type_id, sum(vectors)
		from gone
		group by index_id, space_id, doc_type_id
		having sum(vectors) <> 0`)
	return wrap(err, "add up the counts of vectors")
}
