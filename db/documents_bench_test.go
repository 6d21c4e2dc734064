package db_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// BenchmarkDocuments loads so many small documents, each with an earlier
// version, and prints how long the pages of their list, searches in it and the
// deletion of one take:
//
//	PASSAGE_BENCH_DOCUMENTS=30000 go test -bench Documents -benchtime 200x -run '^$' -timeout 60m ./db
func BenchmarkDocuments(b *testing.B) {
	n, err := strconv.Atoi(os.Getenv("PASSAGE_BENCH_DOCUMENTS"))
	if err != nil || n < 1_000 {
		b.Skip("PASSAGE_BENCH_DOCUMENTS is not set to 1000 or more")
	}
	s, ids := loadDocuments(b, n)
	filter := func(change func(*rag.DocumentFilter)) func(*testing.B, int) {
		f := rag.DocumentFilter{Limit: 50}
		change(&f)
		return func(b *testing.B, _ int) {
			b.Helper()
			_, _, err := s.Documents(b.Context(), everything, f)
			require.NoError(b, err)
		}
	}
	middle, err := s.Document(b.Context(), everything, ids[len(ids)/2])
	require.NoError(b, err)
	deep := func(o rag.DocumentOrder, back bool) func(*rag.DocumentFilter) {
		place := o.Place(middle)
		return func(f *rag.DocumentFilter) { f.Order, f.From, f.Back = o, &place, back }
	}
	for _, c := range []struct {
		name string
		do   func(*testing.B, int)
	}{
		{"first page", filter(func(*rag.DocumentFilter) {})},
		{"middle page", filter(deep(rag.ByTitle, false))},
		{"middle page, back", filter(deep(rag.ByTitle, true))},
		{"last page", filter(func(f *rag.DocumentFilter) { f.Back = true })},
		{"by change, middle", filter(deep(rag.ByChange, false))},
		{"by review, middle", filter(deep(rag.ByReview, false))},
		{"rare word", filter(func(f *rag.DocumentFilter) { f.Words = "doc-" + fmt.Sprintf("%06d", n/3) })},
		{"common word", filter(func(f *rag.DocumentFilter) { f.Words = "runbook" })},
		{"two words", filter(func(f *rag.DocumentFilter) { f.Words = "kafka restart" })},
		{"two letters", filter(func(f *rag.DocumentFilter) { f.Words = "ka" })},
		{"no such word", filter(func(f *rag.DocumentFilter) { f.Words = "zzzzz" })},
		{"small space", filter(func(f *rag.DocumentFilter) { f.Spaces = []int64{s.clinic.ID} })},
		{"type", filter(func(f *rag.DocumentFilter) { f.DocTypes = []string{"guideline"} })},
		{"stale", filter(func(f *rag.DocumentFilter) { f.State = rag.DocumentStale })},
		{"current, by review", filter(func(f *rag.DocumentFilter) { f.State, f.Order = rag.DocumentCurrent, rag.ByReview })},
		{"open one", func(b *testing.B, i int) {
			b.Helper()
			_, err := s.Reading(b.Context(), everything, ids[(i*7919)%len(ids)], 0)
			require.NoError(b, err)
		}},
		{"delete", func(b *testing.B, i int) {
			b.Helper()
			at := len(ids) - 1 - i
			require.NoError(b, s.DeleteDocument(b.Context(), everything, ids[at]))
		}},
	} {
		b.Run(c.name, func(b *testing.B) {
			times := make([]time.Duration, 0, b.N)
			for i := range b.N {
				start := time.Now()
				c.do(b, i)
				times = append(times, time.Since(start))
			}
			slices.Sort(times)
			b.ReportMetric(float64(times[len(times)/2].Microseconds())/1e3, "p50-ms")
			b.ReportMetric(float64(times[len(times)*95/100].Microseconds())/1e3, "p95-ms")
			if c.name == "delete" {
				ids = ids[:len(ids)-b.N]
			}
		})
	}
}

// loadDocuments puts documents with titles of some common words and one of their
// own; every tenth is stale, one in a hundred belongs to a small space.
func loadDocuments(tb testing.TB, n int) (bundle, []int64) {
	tb.Helper()
	s := setupFor(tb)
	words := strings.Fields("kafka broker postgres restart rotate drain certificate queue backup restore deploy cache gateway alert")
	types := []string{"runbook", "runbook", "design_doc", "guideline", "note"}
	ids := make([]int64, n)
	var group sync.WaitGroup
	for worker := range 4 {
		group.Go(func() {
			r := rand.New(rand.NewPCG(7, uint64(worker)))
			for i := worker; i < n; i += 4 {
				space := s.ops
				if i%100 == 0 {
					space = s.clinic
				}
				title := fmt.Sprintf("%s the %s %s, doc-%06d", words[r.IntN(len(words))], words[r.IntN(len(words))], words[r.IntN(len(words))], i)
				text := fmt.Sprintf("# %s\nFirst do %d.\n1. Look.\n2. Press.\n3. Wait for %d.\n", title, i, r.IntN(90))
				for _, text := range []string{text, text + "Done.\n"} {
					v := version(space, fmt.Sprintf("runbooks/%02d/%06d.md", i%37, i), text)
					v.Title, v.DocType = title, types[i%len(types)]
					if i%10 == 0 {
						v.ReviewDue = time.Date(2020, 1, 1+i%2000, 0, 0, 0, 0, time.UTC)
					}
					live, err := s.PutVersion(tb.Context(), everything, v)
					if err != nil {
						tb.Errorf("put %d: %v", i, err)
						return
					}
					ids[i] = live.DocumentID
				}
			}
		})
	}
	group.Wait()
	return s, ids
}
