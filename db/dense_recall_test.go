package db_test

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/rag"
)

// denseFilter is a way to narrow a search in a synthetic corpus, by names.
type denseFilter struct {
	name          string
	spaces, types []string // nil: all
	byScope       bool     // the spaces are those of the scope
}

// resolve looks the names of the spaces up.
func (f denseFilter) resolve(ctx context.Context, tb testing.TB, pool *pgxpool.Pool) (rag.Scope, rag.Filter) {
	tb.Helper()
	filter := rag.Filter{DocTypes: f.types}
	if f.spaces == nil {
		return everything, filter
	}
	ids := []int64{}
	require.NoError(tb, pool.QueryRow(ctx, "select array(select id from spaces where name = any($1))", f.spaces).Scan(&ids))
	require.Len(tb, ids, len(f.spaces))
	if f.byScope {
		return rag.Scope{User: "reader", Spaces: ids}, filter
	}
	filter.Spaces = ids
	return everything, filter
}

// questions are asked about sentences from everywhere: for most of them a
// gathered space holds nothing near.
func (s synthetic) questions(c *cloud, n int) [][]float32 {
	list := make([][]float32, n)
	for i := range list {
		topic := i * s.topics / n
		list[i] = c.question(c.sentence(topic, c.document(topic)))
	}
	return list
}

// recall is the share of the wanted hits among those found.
func recall(found, want []rag.Hit) float64 {
	ids := map[int64]bool{}
	for _, h := range found {
		ids[h.UnitID] = true
	}
	n := 0
	for _, h := range want {
		if ids[h.UnitID] {
			n++
		}
	}
	return float64(n) / float64(len(want))
}

func names(prefix string, n int) []string {
	list := make([]string, n)
	for i := range list {
		list[i] = prefix + string(rune('a'+i))
	}
	return list
}

// smallCorpus has a big space of neighbouring topics, a smaller one of a single
// topic, and small spaces of everything that is left.
func smallCorpus() synthetic {
	s := synthetic{dimension: 24, topics: 40, units: 1500, longest: 10}
	s.spaces = []syntheticSpace{{"half", 0.5, true}, {"tenth", 0.1, true}, {"few", 0.005, true}}
	for _, name := range names("small ", 8) {
		s.spaces = append(s.spaces, syntheticSpace{name, 0.395 / 8, false})
	}
	s.types = []syntheticType{{"runbook", 0.5}, {"guideline", 0.25}, {"note", 0.12}, {"reference", 0.08}, {"design_doc", 1}}
	return s
}

// Every plan finds what an exact scan finds, also when the filter leaves only
// vectors that lie together, far from the question; it gives as many hits as
// there are, and T59b: never one that the filter does not leave.
func TestDenseFindsWhatAnExactScanFinds(t *testing.T) {
	t.Parallel()
	b, dsn := setupDSN(t, db.ExactLimit(25))
	exact, err := db.Open(t.Context(), dsn, slog.New(slog.DiscardHandler), db.ExactLimit(1_000_000))
	require.NoError(t, err)
	t.Cleanup(exact.Close)
	corpus := smallCorpus()
	c := newCloud(rand.New(rand.NewPCG(41, 43)), corpus.dimension, corpus.topics)
	corpus.load(t.Context(), t, b.Pool(), c)
	require.NoError(t, b.GrowIndexes(t.Context()))
	questions := corpus.questions(c, 15)

	for _, test := range []struct {
		denseFilter
		plan string
	}{
		{denseFilter{name: "everything"}, "scan all"},
		{denseFilter{name: "a big space", spaces: []string{"half"}, byScope: true}, "scan space"},
		{denseFilter{name: "types of a big space", spaces: []string{"half"}, types: []string{"guideline", "runbook", "note"}}, "probe space, scan cell"},
		{denseFilter{name: "a type of a big space", spaces: []string{"half"}, types: []string{"guideline"}}, "scan cell"},
		{denseFilter{name: "a space of one topic", spaces: []string{"tenth"}, byScope: true}, "probe all, scan cell, rest"},
		{denseFilter{name: "a type of a space of one topic", spaces: []string{"tenth"}, types: []string{"runbook", "note"}, byScope: true}, "scan cell, rest"},
		{denseFilter{name: "few", spaces: []string{"few"}}, "exact"},
		{denseFilter{name: "small spaces", spaces: names("small ", 5), byScope: true}, "probe all, scan cell, rest"},
		{denseFilter{name: "a type everywhere", types: []string{"runbook"}}, "scan type"},
		{denseFilter{name: "a rare type everywhere", types: []string{"reference"}}, "probe all, scan cell, rest"},
		{denseFilter{name: "all but a topic", spaces: append(names("small ", 8), "half")}, "probe all, scan space, scan cell, rest"},
		{denseFilter{name: "T59b: a type of small spaces", spaces: names("small ", 8), types: []string{"guideline"}}, "probe type, scan cell, rest"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			scope, filter := test.resolve(t.Context(), t, b.Pool())
			plan, err := b.PlanDense(t.Context(), scope, filter, rag.SentenceSet, embedder, 10)
			require.NoError(t, err)
			require.Equal(t, test.plan, kinds(plan), plan)
			explained, err := b.ExplainDense(t.Context(), scope, filter, rag.SentenceSet, embedder, questions[0], 10)
			require.NoError(t, err)
			scans := strings.FieldsFunc(plan, func(r rune) bool { return r == ',' || r == ' ' })
			scans = slices.DeleteFunc(scans, func(word string) bool { return !strings.HasPrefix(word, "embeddings_hnsw") })
			require.Len(t, explained, len(scans))
			for i, name := range scans {
				require.Contains(t, explained[i], "Index Scan using "+name+" on", "the index that was planned with")
			}
			for _, n := range []int{10, 100} {
				var sum float64
				for _, q := range questions {
					want, err := exact.Dense(t.Context(), scope, filter, rag.SentenceSet, embedder, q, n)
					require.NoError(t, err)
					found, err := b.Dense(t.Context(), scope, filter, rag.SentenceSet, embedder, q, n)
					require.NoError(t, err)
					require.Len(t, found, len(want))
					require.NotEmpty(t, found)
					sum += recall(found, want)
				}
				require.GreaterOrEqual(t, sum/float64(len(questions)), 0.98, "n = %d: %s", n, plan)
			}
			require.Empty(t, b.outside(t, scope, filter, questions[0]))
		})
	}
}

// kinds says of what kind the parts of a plan are, each kind once.
func kinds(plan string) string {
	var list []string
	for _, word := range strings.Split(plan, ", ") {
		verb, name := "scan ", word
		if after, is := strings.CutPrefix(word, "probe "); is {
			verb, name = "probe ", after
		}
		if ids, is := strings.CutPrefix(name, "embeddings_hnsw_"); is {
			ids, _, _ = strings.Cut(ids, " ")
			switch parts := strings.Split(ids, "_"); {
			case len(parts) == 1:
				word = verb + "all"
			case len(parts) == 2:
				word = verb + "space"
			case parts[1] == "0":
				word = verb + "type"
			default:
				word = verb + "cell"
			}
		}
		if !slices.Contains(list, word) {
			list = append(list, word)
		}
	}
	return strings.Join(list, ", ")
}

// outside gives the hits that the filter does not leave.
func (b bundle) outside(t *testing.T, scope rag.Scope, filter rag.Filter, question []float32) []int64 {
	t.Helper()
	hits, err := b.Dense(t.Context(), scope, filter, rag.SentenceSet, embedder, question, 50)
	require.NoError(t, err)
	ids := make([]int64, len(hits))
	for i, h := range hits {
		ids[i] = h.UnitID
	}
	spaces := filter.Spaces
	if !scope.All {
		spaces = scope.Spaces
	}
	var outside []int64
	require.NoError(t, b.Pool().QueryRow(t.Context(), `
		select array(
			select e.unit_id from embeddings e join doc_types t on t.id = e.doc_type_id
			where e.unit_id = any($1) and not (($2::bigint[] is null or e.space_id = any($2)) and ($3::text[] is null or t.name = any($3))))`,
		ids, spaces, filter.DocTypes).Scan(&outside))
	return outside
}
