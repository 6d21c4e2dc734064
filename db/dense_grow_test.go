package db_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/rag"
)

func (b bundle) indexes(t *testing.T) []string {
	t.Helper()
	require.NoError(t, b.GrowIndexes(t.Context()))
	names, err := b.HNSWIndexes(t.Context())
	require.NoError(t, err)
	return names
}

// indexName is the name of the HNSW index of the first vector index's part.
func (b bundle) indexName(t *testing.T, space rag.Space, docType string) string {
	t.Helper()
	return fmt.Sprintf("embeddings_hnsw_1_%d_%d", space.ID, b.count(t, "select id from doc_types where name = $1", docType))
}

// An HNSW index is made when a cell outgrows the exact scan, once, also by
// many at a time, and without anybody asking for it.
func TestVectorIndexIsBuiltWhenOutgrown(t *testing.T) {
	t.Parallel()
	b := setup(t, db.ExactLimit(5))
	b.put(t, version(b.ops, "a.md", strings.Repeat("Line.\n", 5)))
	require.Empty(t, b.indexes(t))

	errs := make(chan error)
	for i := range 4 {
		go func() {
			_, err := b.PutVersion(context.WithoutCancel(t.Context()), everything, version(b.ops, strconv.Itoa(i), strings.Repeat("More.\n", 6+i)))
			errs <- err
		}()
	}
	for range 4 {
		require.NoError(t, <-errs)
	}
	name := b.indexName(t, b.ops, "runbook")
	require.Eventually(t, func() bool {
		names, err := b.HNSWIndexes(t.Context())
		return err == nil && len(names) == 1 && names[0] == name
	}, waitFor, tick)
	require.Equal(t, 1, b.count(t, "select count(*) from pg_indexes where indexname = $1 and indexdef like '%halfvec(8)%m=''16''%ef_construction=''256''%index_id = 1%'", name))
}

func TestVectorIndexIsBuiltByManyAtOnce(t *testing.T) {
	t.Parallel()
	b, dsn := setupDSN(t, db.ExactLimit(1000))
	b.put(t, version(b.ops, "a.md", strings.Repeat("Line.\n", 2000)))
	var group sync.WaitGroup
	errs := make([]error, 4)
	for i := range errs {
		group.Go(func() {
			if i%2 == 0 { // another process
				other, err := db.Open(t.Context(), dsn, nil, db.ExactLimit(1000))
				if err != nil {
					errs[i] = err
					return
				}
				defer other.Close()
				errs[i] = other.GrowIndexes(t.Context())
				return
			}
			errs[i] = b.GrowIndexes(t.Context())
		})
	}
	group.Wait()
	require.NoError(t, errors.Join(errs...))
	require.Equal(t, []string{b.indexName(t, b.ops, "runbook")}, b.indexes(t))
}

// Indexes leave with what they are for: a space, an embedder, most documents.
func TestVectorIndexesLeave(t *testing.T) {
	t.Parallel()
	b := setup(t, db.ExactLimit(20))
	b.put(t, version(b.ops, "a.md", strings.Repeat("Line.\n", 30)))
	doc := b.put(t, version(b.clinic, "a.md", strings.Repeat("Dose.\n", 30)))
	ops, clinic, more := b.indexName(t, b.ops, "runbook"), b.indexName(t, b.clinic, "runbook"), b.indexName(t, b.clinic, "guideline")
	require.ElementsMatch(t, []string{ops, clinic}, b.indexes(t))

	require.NoError(t, b.DeleteDocument(t.Context(), everything, doc.DocumentID))
	require.Equal(t, []string{ops}, b.indexes(t))
	guideline := version(b.clinic, "b.md", strings.Repeat("More.\n", 30))
	guideline.DocType = "guideline"
	b.put(t, guideline)
	require.ElementsMatch(t, []string{ops, more}, b.indexes(t))
	_, err := b.Pool().Exec(t.Context(), "delete from spaces where id = $1", b.clinic.ID)
	require.NoError(t, err)
	require.Equal(t, []string{ops}, b.indexes(t))
	other := version(b.ops, "a.md", strings.Repeat("Line.\n", 29))
	other.Recipe.Embedder = "other/8"
	b.put(t, other)
	require.Equal(t, []string{strings.Replace(ops, "hnsw_1_", fmt.Sprintf("hnsw_%d_",
		b.count(t, "select id from vector_indexes where embedder = 'other/8'")), 1)}, b.indexes(t))
}

// A build that was broken off is not searched, and is done again.
func TestBrokenVectorIndexIsBuiltAgain(t *testing.T) {
	t.Parallel()
	b := setup(t, db.ExactLimit(20))
	b.put(t, version(b.ops, "a.md", strings.Repeat("Line.\n", 30)))
	name := b.indexName(t, b.ops, "runbook")
	require.Equal(t, []string{name}, b.indexes(t))
	before := b.count(t, "select $1::text::regclass::oid::bigint", name)
	_, err := b.Pool().Exec(t.Context(), "update pg_index set indisvalid = false where indexrelid = $1::text::regclass", name)
	require.NoError(t, err)

	plan, err := b.PlanDense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, embedder, 10)
	require.NoError(t, err)
	require.Equal(t, "exact", plan)
	hits, err := b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, embedder, vectorOf("x"), 50)
	require.NoError(t, err)
	require.Len(t, hits, 30)

	require.Equal(t, []string{name}, b.indexes(t))
	again := b.count(t, "select $1::text::regclass::oid::bigint", name)
	require.NotEqual(t, before, again)

	_, err = b.Pool().Exec(t.Context(), "alter index "+name+" set (ef_construction = 64)") // as an older release built it
	require.NoError(t, err)
	require.Equal(t, []string{name}, b.indexes(t))
	require.NotEqual(t, again, b.count(t, "select $1::text::regclass::oid::bigint", name))
}

// What somebody else named alike is left alone.
func TestForeignVectorIndexIsLeftAlone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, name := range []string{"embeddings_hnsw_mine", "embeddings_hnsw_1_2_3_4", "embeddings_hnsw_01", "embeddings_hnsw_"} {
		_, err := b.Pool().Exec(t.Context(), "create index "+name+" on embeddings (version_id)")
		require.NoError(t, err)
	}
	require.Empty(t, b.indexes(t))
	require.Equal(t, 4, b.count(t, "select count(*) from pg_indexes where starts_with(indexname, 'embeddings_hnsw_')"))
}

// Whatever is done to the vectors, their counts are right.
func TestVectorCounts(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := rand.New(rand.NewPCG(19, 23))
	check := func() {
		t.Helper()
		require.Zero(t, b.count(t, `
			select count(*) from (
				select index_id, space_id, doc_type_id, sum(vectors)::bigint as n from vector_counts group by 1, 2, 3 having sum(vectors) <> 0
			) as counted
			full join (select index_id, space_id, doc_type_id, count(*) as n from embeddings group by 1, 2, 3) as held
			using (index_id, space_id, doc_type_id, n)
			where counted.n is null or held.n is null`))
	}
	var docs []int64
	for i := range 12 {
		space := b.ops
		if r.IntN(2) == 0 {
			space = b.clinic
		}
		v := version(space, strconv.Itoa(r.IntN(4)), strings.Repeat("Line.\n", 1+i))
		v.DocType = []string{"runbook", "guideline"}[r.IntN(2)]
		if r.IntN(3) == 0 {
			v.Recipe.Embedder = "other/8"
		}
		live := b.put(t, v)
		docs = append(docs, live.DocumentID)
		if r.IntN(3) == 0 {
			_ = b.DeleteDocument(t.Context(), everything, docs[r.IntN(len(docs))]) // it may be gone
		}
		check()
	}
	for _, statement := range []string{
		"update embeddings set doc_type_id = (select id from doc_types where name = 'note') where version_id % 2 = 0",
		"delete from spaces where name = 'Platform wiki'",
		"insert into vector_counts select index_id, space_id, doc_type_id, n from embeddings, (values (1), (-1)) as v (n), generate_series(1, 300)",
	} {
		_, err := b.Pool().Exec(t.Context(), statement)
		require.NoError(t, err)
		check()
	}
	require.Greater(t, b.count(t, "select count(*) from vector_counts"), 500)
	require.NoError(t, b.GrowIndexes(t.Context()))
	check()
	require.Less(t, b.count(t, "select count(*) from vector_counts"), 10)
}

// Close breaks off what is being built, and says nothing of it.
func TestCloseBreaksOffBuilding(t *testing.T) {
	t.Parallel()
	b := setup(t, db.ExactLimit(10))
	b.put(t, version(b.ops, "a.md", strings.Repeat("Line.\n", 3000)))
	b.Close()
	b.Close()
}
