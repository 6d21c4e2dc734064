package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5" //nolint:depguard // what is left is counted by SQL
	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/db/cluster"
	"passage/rag"
)

// How much TestChaos does; `make chaos` sets the first.
const (
	chaosKills = "PASSAGE_CHAOS_KILLS" // without it a few, over a few documents
	chaosSeed  = "PASSAGE_CHAOS_SEED"
	chaosChild = "PASSAGE_CHAOS_CHILD" // makes the test binary a worker
)

func TestMain(m *testing.M) {
	if os.Getenv(chaosChild) != "" {
		os.Args = []string{"web", "work"}
		main()
		return
	}
	os.Exit(m.Run())
}

// TestChaos takes documents in, changes and deletes them, while workers, single
// backends of Postgres and the whole cluster are killed without warning. In the
// end everything that was sent last is live, once, whole, and nothing else is there.
func TestChaos(t *testing.T) { //nolint:paralleltest // it would slow every other test
	if testing.Short() {
		t.Skip("kills whole servers")
	}
	kills, documents := 6, 24
	if n, err := strconv.Atoi(os.Getenv(chaosKills)); err == nil {
		kills, documents = n, 3*n
	}
	seed := uint64(time.Now().UnixNano())
	if n, err := strconv.ParseUint(os.Getenv(chaosSeed), 10, 64); err == nil {
		seed = n
	}
	t.Logf("%d kills, %d documents, %s=%d", kills, documents, chaosSeed, seed)
	c := newChaos(t, seed)
	done := make(chan struct{})
	go func() {
		defer close(done)
		c.write(documents)
	}()
	for range kills {
		time.Sleep(time.Duration(100+c.random.IntN(1900)) * time.Millisecond) // a kill is to come at any moment
		c.kill()
	}
	<-done
	require.False(t, t.Failed())
	c.settle()
	c.verify()
	t.Logf("killed: %v; %d operations, %d of them repeated", c.killed, c.operations.Load(), c.repeated.Load())
}

// chaos is a cluster of its own with a worker beside it.
type chaos struct {
	t      *testing.T
	data   string
	dsn    string
	store  *db.Store
	space  rag.Space
	random *rand.Rand        // of the kills
	want   map[string]string // source URI → text that was sent last
	worker atomic.Pointer[os.Process]
	ended  chan struct{}
	killed map[string]int
	seed   uint64
	log    output

	operations, repeated atomic.Int64
}

func newChaos(t *testing.T, seed uint64) *chaos {
	t.Helper()
	programs, err := filepath.Abs("../../.data/pgsql")
	require.NoError(t, err)
	if _, err := os.Stat(programs); err != nil {
		t.Skip("no Postgres of this checkout: run make postgres")
	}
	// Not t.TempDir: its path would be too long for a socket.
	data, err := os.MkdirTemp("", "passage") //nolint:usetesting // see above
	require.NoError(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(data) })
	require.NoError(t, os.Chmod(data, 0o755))
	require.NoError(t, os.Symlink(programs, filepath.Join(data, "pgsql")))
	log := slog.New(slog.DiscardHandler)
	server, err := cluster.Start(t.Context(), cluster.Options{DataDir: data, Logger: log})
	require.NoError(t, err)
	t.Cleanup(func() { _ = server.Stop(context.Background()) })
	ctx := t.Context()
	require.NoError(t, db.Migrate(ctx, server.DSN("")))
	store, err := db.Open(ctx, server.DSN(""), log)
	require.NoError(t, err)
	t.Cleanup(store.Close)
	space, err := store.EnsureSpace(ctx, "Ops")
	require.NoError(t, err)
	c := &chaos{
		t: t, data: data, dsn: server.DSN(""), store: store, space: space, seed: seed,
		random: rand.New(rand.NewPCG(seed, 1)), want: map[string]string{}, killed: map[string]int{},
		ended: make(chan struct{}),
	}
	working, stop := context.WithCancel(ctx)
	go c.keepWorking(working)
	t.Cleanup(func() {
		stop()
		for running := true; running; {
			c.killWorker()
			select {
			case <-c.ended:
				running = false
			case <-time.After(50 * time.Millisecond): // one may just be starting
			}
		}
		if t.Failed() {
			t.Log(c.log.String())
		}
	})
	return c
}

// keepWorking runs a worker, and another one whenever it ends, as whatever runs
// servers does.
func (c *chaos) keepWorking(ctx context.Context) {
	defer close(c.ended)
	for ctx.Err() == nil {
		exe, err := os.Executable()
		if err != nil {
			c.t.Error(err)
			return
		}
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), chaosChild+"=1", "DATABASE_URL="+c.dsn, "PASSAGE_DATA="+c.data, "PASSAGE_LOG_LEVEL=WARN", "PASSAGE_WORKERS=3")
		cmd.Stdout, cmd.Stderr = io.Discard, &c.log
		if err := cmd.Start(); err != nil {
			c.t.Error(err)
			return
		}
		c.worker.Store(cmd.Process)
		_ = cmd.Wait()
		c.worker.Store(nil)
		time.Sleep(100 * time.Millisecond) // not at once, when the database is away
	}
}

func (c *chaos) killWorker() {
	if p := c.worker.Load(); p != nil {
		_ = p.Kill()
	}
}

// killServer ends a process of Postgres, if the number is still one's.
func killServer(pid int) {
	line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err == nil && strings.Contains(string(line), "postgres") && pid != os.Getpid() {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

// kill ends something at once.
func (c *chaos) kill() {
	what := []string{"worker", "backend", "cluster"}[c.random.IntN(3)]
	c.killed[what]++
	switch what {
	case "worker":
		c.killWorker()
	case "backend":
		if conn, err := pgx.Connect(c.t.Context(), c.dsn); err == nil {
			var pid int
			err = conn.QueryRow(c.t.Context(), `
				select pid from pg_stat_activity
				where backend_type = 'client backend' and pid <> pg_backend_pid() order by random() limit 1`).Scan(&pid)
			_ = conn.Close(c.t.Context())
			if err == nil {
				killServer(pid)
			}
		}
	case "cluster":
		if raw, err := os.ReadFile(filepath.Join(c.data, "postgres", "postmaster.pid")); err == nil {
			first, _, _ := strings.Cut(string(raw), "\n")
			if pid, err := strconv.Atoi(first); err == nil && pid > 1 {
				killServer(pid)
			}
		}
	}
}

// insist repeats an operation until it works: whoever uploads would do the same.
func (c *chaos) insist(operation func(context.Context) error) {
	c.operations.Add(1)
	deadline := time.Now().Add(10 * time.Minute)
	for {
		ctx, cancel := context.WithTimeout(c.t.Context(), 10*time.Second)
		err := operation(ctx)
		cancel()
		if err == nil {
			return
		}
		c.repeated.Add(1)
		if time.Now().After(deadline) {
			c.t.Errorf("gave up: %v", err)
			return
		}
		time.Sleep(50 * time.Millisecond) // until the server is there again
	}
}

// write sends documents, changes a third of them and deletes a sixth.
func (c *chaos) write(documents int) {
	random := rand.New(rand.NewPCG(c.seed, 2))
	for i := range documents {
		uri := fmt.Sprintf("runbooks/%03d.md", i)
		c.send(uri, 1, random)
		if i%3 == 1 {
			c.send(fmt.Sprintf("runbooks/%03d.md", random.IntN(i)), 2+i, random)
		}
		if i%6 == 5 {
			c.remove(fmt.Sprintf("runbooks/%03d.md", random.IntN(i)))
		}
	}
}

func (c *chaos) send(uri string, version int, random *rand.Rand) {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s, version %d\n\n", uri, version)
	for n := range 5 + random.IntN(400) {
		fmt.Fprintf(&b, "%d. Step %d of %s turns valve %d.\n", n+1, n, uri, random.IntN(1e6))
	}
	c.want[uri] = b.String()
	c.insist(func(ctx context.Context) error {
		_, err := c.store.AddJob(ctx, everything, rag.NewJob{SpaceID: c.space.ID, SourceURI: uri, Name: filepath.Base(uri), Data: []byte(c.want[uri])})
		return err
	})
}

// remove deletes a document once it is live.
func (c *chaos) remove(uri string) {
	if _, sent := c.want[uri]; !sent {
		return
	}
	delete(c.want, uri)
	c.insist(func(ctx context.Context) error {
		live, err := c.store.LiveVersion(ctx, everything, c.space.ID, uri)
		if err != nil {
			return err // not yet, or the server is away
		}
		err = c.store.DeleteDocument(ctx, everything, live.DocumentID)
		if rag.ErrorCode(err) == rag.CodeNotFound {
			return nil // the answer to an earlier try was lost
		}
		return err
	})
}

// settle waits until every job is final.
func (c *chaos) settle() {
	c.t.Helper()
	require.Eventually(c.t, func() bool {
		counts, err := c.store.JobCounts(c.t.Context(), everything)
		return err == nil && counts[rag.JobQueued]+counts[rag.JobRunning] == 0
	}, 5*time.Minute, 100*time.Millisecond)
}

// verify compares what is there with what was sent last.
func (c *chaos) verify() {
	t, ctx := c.t, c.t.Context()
	t.Helper()
	conn, err := pgx.Connect(ctx, c.dsn)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(ctx))) }()
	for uri, text := range c.want {
		live, err := c.store.LiveVersion(ctx, everything, c.space.ID, uri)
		require.NoError(t, err, "lost: %s", uri)
		require.Equal(t, sha256.Sum256([]byte(text)), live.Hash, "what is live of %s is not what was sent last", uri)
	}
	for what, query := range map[string]string{
		"documents":                 fmt.Sprintf("select count(*) - %d from documents", len(c.want)),
		"twice live":                "select count(*) from (select document_id from versions where state = 'live' group by 1 having count(*) > 1) as x",
		"half versions":             "select count(*) from versions where state not in ('live', 'superseded')",
		"jobs that failed":          "select count(*) from jobs where state not in ('done', 'cancelled')",
		"vectors missing":           "select count(*) from versions v join units u on u.version_id = v.id left join embeddings e on e.unit_id = u.id where v.state = 'live' and e.unit_id is null",
		"vectors of nothing live":   "select count(*) from embeddings e where not exists (select from versions v where v.id = e.version_id and v.state = 'live')",
		"totals of nothing live":    "select count(*) from lexical_totals l where not exists (select from versions v where v.id = l.version_id and v.state = 'live')",
		"profiles of nothing live":  "select count(*) from profiles p where not exists (select from versions v where v.id = p.version_id and v.state = 'live')",
		"versions without totals":   "select count(*) from versions v where v.state = 'live' and not exists (select from lexical_totals l where l.version_id = v.id)",
		"versions without profile":  "select count(*) from versions v where v.state = 'live' and not exists (select from profiles p where p.version_id = v.id)",
		"texts that are not tiled":  "select count(*) from versions v where (select coalesce(string_agg(content, '' order by ordinal), '') from sections where version_id = v.id) <> v.body",
		"vectors of ended jobs":     "select count(*) from job_vectors v join jobs j on j.id = v.job_id where j.state <> 'failed'",
		"originals of nothing":      "select count(*) from originals o where not exists (select from versions v where v.content_hash = o.content_hash) and not exists (select from jobs j where j.content_hash = o.content_hash)",
		"versions without original": "select count(*) from versions v where not exists (select from originals o where o.content_hash = v.content_hash)",
		"vectors miscounted": `select count(*) from (
			select space_id, doc_type_id, sum(vectors) as n from vector_counts group by 1, 2) as c
			full join (select space_id, doc_type_id, count(*) as n from embeddings group by 1, 2) as e using (space_id, doc_type_id)
			where coalesce(c.n, 0) <> coalesce(e.n, 0)`,
		"words miscounted": `
			with held as (
				select g.id as group_id, w.word as term, sum(w.n) as n
				from lexical_totals t join lexical_groups g using (unit_set, space_id, doc_type_id)
				cross join lateral unnest(t.words, t.held) as w (word, n) group by 1, 2
			), indexed as (select group_id, term, sum(n) as n from postings group by 1, 2 having sum(n) <> 0)
			select count(*) from held h full join indexed i using (group_id, term) where h.n is distinct from i.n`,
	} {
		var n int
		require.NoError(t, conn.QueryRow(ctx, query).Scan(&n), what)
		require.Zero(t, n, what)
	}
}
