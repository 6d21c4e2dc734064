package db_test

import (
	"fmt"
	"log/slog"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/db"
	"passage/db/dbtest"
	"passage/rag"
)

// Where BenchmarkDense takes its corpus from.
const (
	benchVectors  = "PASSAGE_BENCH_VECTORS"  // how many; without it the benchmark is left out
	benchDatabase = "PASSAGE_BENCH_DATABASE" // filled once and kept; without it a new one each time
)

// benchCorpus has spaces whose vectors lie together and types whose vectors lie
// everywhere, both of the shares that are measured, and many small spaces.
func benchCorpus(n int) synthetic {
	s := synthetic{dimension: 512, topics: 400, units: n, longest: 180}
	s.spaces = []syntheticSpace{
		{"half", 0.50, true},
		{"twentieth", 0.05, true},
		{"two hundredth", 0.005, true},
		{"ten thousandth", 0.0001, true},
	}
	for i := range 40 {
		s.spaces = append(s.spaces, syntheticSpace{fmt.Sprintf("small %d", i), 0.4449 / 40, false})
	}
	s.types = []syntheticType{
		{"half", 0.50}, {"twentieth", 0.05}, {"two_hundredth", 0.005}, {"ten_thousandth", 0.0001}, {"rest", 1},
	}
	return s
}

func benchFilters() []denseFilter {
	var small []string
	for i := range 40 {
		small = append(small, fmt.Sprintf("small %d", i))
	}
	return []denseFilter{
		{name: "100%"},
		{name: "50%/together", spaces: []string{"half"}, byScope: true},
		{name: "50%/spread", types: []string{"half"}},
		{name: "50%/all_but_the_half", spaces: append(slices.Clone(small), "twentieth", "two hundredth", "ten thousandth"), byScope: true},
		{name: "25%/together", spaces: []string{"half"}, types: []string{"half"}},
		{name: "22%/of_20_spaces", spaces: small[:20], byScope: true},
		{name: "5%/together", spaces: []string{"twentieth"}, byScope: true},
		{name: "5%/spread", types: []string{"twentieth"}},
		{name: "5%/of_5_spaces", spaces: small[:5], byScope: true},
		{name: "0.5%/together", spaces: []string{"two hundredth"}},
		{name: "0.5%/spread", types: []string{"two_hundredth"}},
		{name: "0.01%/together", spaces: []string{"ten thousandth"}},
		{name: "0.01%/spread", types: []string{"ten_thousandth"}},
	}
}

// BenchmarkDense measures searches for 200 units, and how many of the 10 and of
// the 200 nearest they find, under filters that leave vectors which lie together
// or are spread evenly. A question is asked about a sentence anywhere, so most
// are asked far from what a filter leaves.
func BenchmarkDense(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv(benchVectors))
	if err != nil || n <= 0 {
		b.Skip("set " + benchVectors + " to the number of vectors")
	}
	dsn := os.Getenv(benchDatabase)
	if dsn == "" {
		dsn = dbtest.DSN(b, dbtest.Template{})
	}
	require.NoError(b, db.Migrate(b.Context(), dsn))
	log := slog.New(slog.NewTextHandler(b.Output(), nil))
	store, err := db.Open(b.Context(), dsn, log)
	require.NoError(b, err)
	defer store.Close()
	exact, err := db.Open(b.Context(), dsn, log, db.ExactLimit(100*n))
	require.NoError(b, err)
	defer exact.Close()

	corpus := benchCorpus(n)
	c := newCloud(rand.New(rand.NewPCG(1, 2)), corpus.dimension, corpus.topics)
	questions := corpus.questions(c, 40)
	var there int
	require.NoError(b, store.Pool().QueryRow(b.Context(), "select coalesce(sum(vectors), 0) from vector_counts").Scan(&there))
	if there == 0 {
		start := time.Now()
		corpus.load(b.Context(), b, store.Pool(), c)
		b.Logf("loaded in %s", time.Since(start).Round(time.Second))
	}
	start := time.Now()
	require.NoError(b, store.GrowIndexes(b.Context()))
	b.Logf("indexes built in %s", time.Since(start).Round(time.Second))

	for _, f := range benchFilters() {
		b.Run(f.name, func(b *testing.B) {
			scope, filter := f.resolve(b.Context(), b, store.Pool())
			dense := func(s *db.Store, question []float32, n int) []rag.Hit {
				hits, err := s.Dense(b.Context(), scope, filter, rag.SentenceSet, embedder, question, n)
				require.NoError(b, err)
				return hits
			}
			if len(dense(exact, questions[0], 1)) == 0 {
				b.Skip("a corpus of this size has no such document")
			}
			var of10, of200 float64
			for _, q := range questions {
				want := dense(exact, q, 200)
				found := dense(store, q, 200)
				require.Len(b, found, len(want))
				of200 += recall(found, want)
				of10 += recall(dense(store, q, 10), want[:min(10, len(want))])
			}
			var times []time.Duration
			for b.Loop() {
				start := time.Now()
				dense(store, questions[len(times)%len(questions)], 200)
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			ms := func(share float64) float64 {
				return float64(times[int(share*float64(len(times)-1))].Microseconds()) / 1000
			}
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(ms(0.5), "p50-ms")
			b.ReportMetric(ms(0.95), "p95-ms")
			b.ReportMetric(of10/float64(len(questions)), "recall@10")
			b.ReportMetric(of200/float64(len(questions)), "recall@200")
			plan, err := store.PlanDense(b.Context(), scope, filter, rag.SentenceSet, embedder, 200)
			require.NoError(b, err)
			b.Log(kinds(plan))
		})
	}
}
