package db

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"passage/rag"
)

// Memory for building an HNSW index: what a vector takes beside its numbers,
// and the most that is asked for on a server that allows less. When it runs
// out the build goes on, many times slower.
const (
	hnswElementBytes = 800
	maxBuildBytes    = 1 << 30
)

// breakOffLimit is how long a statement may go on that nobody waits for.
const breakOffLimit = 5 * time.Second

// run builds the index without keeping writers waiting. A build in parallel
// needs as much shared memory as memory; where there is less, as in many
// containers, one process builds alone.
func (b hnswBuild) run(ctx context.Context, conn *pgx.Conn) error {
	need := int64(b.vectors) * int64(2*b.dimension+hnswElementBytes) * 11 / 10
	_, err := conn.Exec(ctx, `
		select set_config('maintenance_work_mem',
		           greatest(pg_size_bytes(current_setting('maintenance_work_mem')), @need::bigint) / 1024 || 'kB', false)`,
		pgx.StrictNamedArgs{"need": min(need, maxBuildBytes)})
	if err != nil {
		return wrap(err, "set up the building of %s", b.name())
	}
	parallel, err := buildsInParallel(ctx, conn)
	if err != nil {
		return err
	}
	if parallel {
		_, err = conn.Exec(ctx, b.statement(b.dimension))
		var pg *pgconn.PgError
		if !errors.As(err, &pg) || !strings.HasPrefix(pg.Code, classNoResources) {
			return wrap(err, "build %s", b.name())
		}
		if _, err := conn.Exec(ctx, "drop index concurrently if exists "+b.name()); err != nil {
			return wrap(err, "drop %s", b.name())
		}
	}
	if _, err := conn.Exec(ctx, "set max_parallel_maintenance_workers = 0"); err != nil {
		return wrap(err, "set up the building of %s", b.name())
	}
	if _, err := conn.Exec(ctx, b.statement(b.dimension)); err != nil {
		return wrap(err, "build %s", b.name())
	}
	_, err = conn.Exec(ctx, "reset max_parallel_maintenance_workers")
	return wrap(err, "build %s", b.name())
}

// classNoResources begins the states of Postgres for a lack of memory or room.
const classNoResources = "53"

// buildsInParallel: graphs that were built in parallel were wrong before
// pgvector 0.8.3.
func buildsInParallel(ctx context.Context, conn *pgx.Conn) (bool, error) {
	var ok bool
	err := conn.QueryRow(ctx, `
		select string_to_array(regexp_replace(extversion, '[^0-9.].*$', ''), '.')::int[] >= '{0,8,3}'
		from pg_extension where extname = 'vector'`).Scan(&ok)
	return ok, wrap(err, "look up the version of pgvector")
}

// grower is the building of indexes in the background, by one goroutine at a
// time.
type grower struct {
	turn    sync.Mutex // held while indexes are built
	closing chan struct{}

	mu      sync.Mutex // of what follows
	waiting bool       // a goroutine will look at all that is there now
	closed  bool
	group   sync.WaitGroup
}

func newGrower() *grower { return &grower{closing: make(chan struct{})} }

// begin runs fn in the background, unless one is already waiting to.
func (g *grower) begin(ctx context.Context, fn func(context.Context)) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.closed || g.waiting {
		return
	}
	g.waiting = true
	ctx, cancel := context.WithCancel(context.WithoutCancel(ctx))
	go func() {
		defer cancel()
		select {
		case <-g.closing:
		case <-ctx.Done():
		}
	}()
	g.group.Go(func() {
		defer cancel()
		g.turn.Lock()
		defer g.turn.Unlock()
		g.mu.Lock()
		g.waiting = false
		g.mu.Unlock()
		fn(ctx)
	})
}

// close ends what is running and waits for it.
func (g *grower) close() {
	g.mu.Lock()
	if !g.closed {
		close(g.closing)
	}
	g.closed = true
	g.mu.Unlock()
	g.group.Wait()
}

// growIndexes sees to it that sets get the HNSW indexes that they need now.
// Vectors are committed before, and a search without an index still finds them,
// only slower; so a fault here is logged and the next version tries again.
func (s *Store) growIndexes(ctx context.Context, indexes map[rag.UnitSet]int) {
	if len(indexes) == 0 {
		return
	}
	g, err := s.planGrowth(ctx, s.pool)
	if err == nil && !g.nothing() {
		s.grower.begin(ctx, func(ctx context.Context) {
			if err := s.growAll(ctx); err != nil && ctx.Err() == nil {
				s.log.WarnContext(ctx, "vector indexes were not built", "error", err)
			}
		})
	}
	if err != nil && ctx.Err() == nil {
		s.log.WarnContext(ctx, "vector indexes were not surveyed", "error", err)
	}
}
