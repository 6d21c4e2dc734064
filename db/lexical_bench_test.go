package db

import (
	"crypto/sha256"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"passage/db/dbtest"
	"passage/rag"
)

// The synthetic corpus of the benchmark: documents of short units whose words
// follow Zipf's law, and five words that stand in 19 % of the units each.
const (
	benchDocUnits   = 33
	benchVocabulary = 300_000
	benchCommon     = 5
	benchShare      = 0.19
	benchPutUnits   = 200
)

// benchGroup says which part of the documents a space and type hold.
type benchGroup struct {
	space, docType int64
	share          float64
}

var benchGroups = []benchGroup{{1, 1, 0.6}, {1, 2, 0.345}, {2, 1, 0.05}, {3, 3, 0.005}}

// benchCorpus is what brute force looks at.
type benchCorpus struct {
	units   [][]int32 // terms of each unit
	version []int64   // of each unit
	ordinal []int32
	group   []int // of each unit
}

func benchWord(id int32) string {
	if id < benchCommon {
		return "common" + string('a'+id)
	}
	var b strings.Builder
	for n := int(id); ; n /= 21 {
		b.WriteByte("bcdfghjklmnpqrstvwxyz"[n%21])
		b.WriteByte("aeiou"[n%5])
		if n < 21 {
			return b.String()
		}
	}
}

// benchUnit draws the terms of a unit.
func benchUnit(r *rand.Rand, zipf *rand.Zipf) []int32 {
	var terms []int32
	for id := range int32(benchCommon) {
		if r.Float64() < benchShare {
			terms = append(terms, id)
			if r.IntN(12) == 0 {
				terms = append(terms, id)
			}
		}
	}
	for range 4 + r.IntN(16) {
		terms = append(terms, int32(zipf.Uint64())+benchCommon)
	}
	return terms
}

func newBenchCorpus(units int) *benchCorpus {
	r := rand.New(rand.NewPCG(4, 6))
	zipf := rand.NewZipf(r, 1.3, 20, benchVocabulary)
	c := &benchCorpus{}
	for version := int64(1); len(c.units) < units; version++ {
		group, at := 0, r.Float64()
		for at -= benchGroups[0].share; at > 0 && group < len(benchGroups)-1; at -= benchGroups[group].share {
			group++
		}
		for n := range 1 + r.IntN(2*benchDocUnits) {
			c.units = append(c.units, benchUnit(r, zipf))
			c.version, c.ordinal, c.group = append(c.version, version), append(c.ordinal, int32(n)), append(c.group, group)
		}
	}
	return c
}

// index gives the units from one place to another as they are ingested.
func (c *benchCorpus) index(from, to int) ([]rag.Unit, []rag.UnitIndex) {
	units, index := make([]rag.Unit, to-from), make([]rag.UnitIndex, to-from)
	for i := range units {
		units[i] = rag.Unit{
			Set: rag.SentenceSet, Ordinal: i, Kind: rag.UnitSentence,
			Span: rag.Span{Start: i, End: i + 1}, Procedure: -1, Step: -1,
		}
		for _, id := range c.units[from+i] {
			index[i].Terms = append(index[i].Terms, benchWord(id))
		}
	}
	return units, index
}

// bruteForce is BM25 from the formula, over the units of the groups.
func (c *benchCorpus) bruteForce(terms []int32, groups []int, n int) []scoredPlace {
	holding := make([]float64, len(terms))
	var units, length float64
	tf := func(unit, term int) (count float64) {
		for _, id := range c.units[unit] {
			if id == terms[term] {
				count++
			}
		}
		return count
	}
	for i := range c.units {
		if !slices.Contains(groups, c.group[i]) {
			continue
		}
		units++
		length += float64(len(c.units[i]))
		for t := range terms {
			if tf(i, t) > 0 {
				holding[t]++
			}
		}
	}
	var all []scoredPlace
	for i := range c.units {
		if !slices.Contains(groups, c.group[i]) {
			continue
		}
		var score float64
		for t := range terms {
			count := tf(i, t)
			score += math.Log(1+(units-holding[t]+0.5)/(holding[t]+0.5)) * count /
				(count + 1.2*(1-0.75+0.75*float64(len(c.units[i]))/(length/units)))
		}
		if score > 0 {
			all = append(all, scoredPlace{place{c.version[i], c.ordinal[i]}, score})
		}
	}
	slices.SortFunc(all, func(a, b scoredPlace) int {
		if math.Abs(a.score-b.score) > 1e-9 {
			return int(math.Copysign(1, b.score-a.score))
		}
		return int(a.version-b.version)*benchDocUnits*10 + int(a.ordinal-b.ordinal)
	})
	return all[:min(n, len(all))]
}

// load fills an empty database with the corpus.
func (c *benchCorpus) load(b *testing.B, s *Store) {
	b.Helper()
	start := time.Now()
	_, err := s.pool.Exec(b.Context(), `
		insert into spaces (name) values ('Bench one'), ('Bench two'), ('Bench three');
		alter table units disable trigger all; alter table sections disable trigger all;`)
	require.NoError(b, err)
	hash := make([]byte, sha256.Size)
	for _, g := range benchGroups {
		_, err := s.pool.Exec(b.Context(), "insert into lexical_groups (unit_set, space_id, doc_type_id) values ($1, $2, $3)",
			string(rag.SentenceSet), g.space, g.docType)
		require.NoError(b, err)
	}
	merging := time.Duration(0)
	for from, batch := 0, 0; from < len(c.units); batch++ {
		require.NoError(b, s.write(b.Context(), func(tx pgx.Tx) error {
			var documents, versions, sections, units [][]any
			var postings []func() error
			for range 100 {
				if from == len(c.units) {
					break
				}
				to := from
				for to < len(c.units) && c.version[to] == c.version[from] {
					to++
				}
				id, g := c.version[from], benchGroups[c.group[from]]
				documents = append(documents, []any{id, g.space, g.docType, fmt.Sprintf("%d.md", id), "Bench"})
				versions = append(versions, []any{id, id, 1, "live", hash, g.docType, "Bench", ".", 1, "e", "s", ""})
				sections = append(sections, []any{id, 0, 0, "", []string{}, 0, 1, 1, 0, "."})
				list, index := c.index(from, to)
				for _, u := range list {
					units = append(units, []any{id, string(u.Set), u.Ordinal, "sentence", u.Span.Start, u.Span.End, 0, 0, hash})
				}
				postings = append(postings, func() error {
					return writePostings(b.Context(), tx, home{version: id, space: g.space, docType: g.docType}, list, index)
				})
				from = to
			}
			for _, table := range []struct {
				name    string
				columns []string
				rows    [][]any
			}{
				{"documents", []string{"id", "space_id", "doc_type_id", "source_uri", "title"}, documents},
				{"versions", []string{"id", "document_id", "ordinal", "state", "content_hash", "doc_type_id", "title", "body", "body_bytes", "extractor", "splitter", "embedder"}, versions},
				{"sections", []string{"version_id", "ordinal", "level", "heading", "heading_path", "span_start", "span_end", "tree_end", "token_count", "content"}, sections},
				{"units", []string{"version_id", "unit_set", "ordinal", "kind", "span_start", "span_end", "section", "paragraph", "embed_text_hash"}, units},
			} {
				if _, err := tx.CopyFrom(b.Context(), pgx.Identifier{table.name}, table.columns, pgx.CopyFromRows(table.rows)); err != nil {
					return err
				}
			}
			for _, write := range postings {
				if err := write(); err != nil {
					return err
				}
			}
			return nil
		}))
		merge := time.Now()
		s.mergeIfDue(b.Context(), dueGroups)
		merging += time.Since(merge)
	}
	_, err = s.pool.Exec(b.Context(), `
		alter table units enable trigger all; alter table sections enable trigger all;
		select setval(pg_get_serial_sequence('documents', 'id'), (select max(id) from documents)),
		       setval(pg_get_serial_sequence('versions', 'id'), (select max(id) from versions))`)
	require.NoError(b, err)
	_, err = s.pool.Exec(b.Context(), "vacuum analyze")
	require.NoError(b, err)
	b.Logf("%d units of %d documents loaded in %v, of which merging %v",
		len(c.units), c.version[len(c.version)-1], time.Since(start).Round(time.Second), merging.Round(time.Second))
}

// BenchmarkLexicalAtSize prints how long a search takes over
// PASSAGE_BENCH_UNITS units and how much of it is what brute force finds, what
// a new version costs, and the size on disk. PASSAGE_BENCH_DATABASE is the
// address of a database that keeps the corpus for further runs.
func BenchmarkLexicalAtSize(b *testing.B) {
	size, err := strconv.Atoi(os.Getenv("PASSAGE_BENCH_UNITS"))
	if err != nil {
		b.Skip("PASSAGE_BENCH_UNITS does not say how many units to search")
	}
	dsn := os.Getenv("PASSAGE_BENCH_DATABASE")
	if dsn == "" {
		dsn = dbtest.DSN(b, dbtest.Template{Migrate: Migrate})
	}
	require.NoError(b, Migrate(b.Context(), dsn))
	s, err := Open(b.Context(), dsn, slog.Default())
	require.NoError(b, err)
	defer s.Close()
	corpus := newBenchCorpus(size)
	var loaded bool
	require.NoError(b, s.pool.QueryRow(b.Context(), "select exists (select from units)").Scan(&loaded))
	if !loaded {
		corpus.load(b, s)
	}
	benchSearches(b, s, corpus)
	benchSize(b, s, size)
	benchPuts(b, s, corpus)
}

func benchSearches(b *testing.B, s *Store, corpus *benchCorpus) {
	b.Helper()
	everyone := rag.Scope{All: true}
	all := []int{0, 1, 2, 3}
	for _, test := range []struct {
		name   string
		terms  []int32
		scope  rag.Scope
		filter rag.Filter
		groups []int
	}{
		{"five common words", []int32{0, 1, 2, 3, 4}, everyone, rag.Filter{}, all},
		{"one common word", []int32{2}, everyone, rag.Filter{}, all},
		{"a rare word", []int32{150_000}, everyone, rag.Filter{}, all},
		{"a natural question", []int32{1, 30, 400, 2_500, 40_000}, everyone, rag.Filter{}, all},
		{"ten words", []int32{0, 3, 5, 8, 20, 45, 120, 700, 5_000, 90_000}, everyone, rag.Filter{}, all},
		{"five common words, 35 % by type", []int32{0, 1, 2, 3, 4}, everyone, rag.Filter{DocTypes: []string{benchType(b, s, 2)}}, []int{1}},
		{"five common words, 5 % by scope", []int32{0, 1, 2, 3, 4}, rag.Scope{Spaces: []int64{2}}, rag.Filter{}, []int{2}},
		{"five common words, 0.5 %", []int32{0, 1, 2, 3, 4}, everyone, rag.Filter{Spaces: []int64{3}}, []int{3}},
	} {
		terms := make([]string, len(test.terms))
		for i, id := range test.terms {
			terms[i] = benchWord(id)
		}
		for _, n := range []int{10, 200} {
			var hits []rag.Hit
			timed(b, fmt.Sprintf("%s/top=%d", test.name, n), 60, func() (err error) {
				hits, err = s.Lexical(b.Context(), test.scope, test.filter, rag.SentenceSet, terms, n)
				return err
			})
			b.Run(fmt.Sprintf("%s/top=%d/equal", test.name, n), func(b *testing.B) {
				want := corpus.bruteForce(test.terms, test.groups, n)
				equal := 0
				for i, w := range want {
					if i < len(hits) && hits[i].VersionID == w.version && hits[i].Ordinal == int(w.ordinal) {
						equal++
					}
				}
				b.ReportMetric(0, "ns/op")
				b.ReportMetric(100*float64(equal)/float64(max(1, len(want))), "%")
				b.ReportMetric(float64(len(want)), "places")
			})
		}
		timed(b, test.name+"/weights", 60, func() error {
			_, err := s.Weights(b.Context(), test.scope, test.filter, rag.SentenceSet, terms)
			return err
		})
	}
	word := benchWord(4_000)
	timed(b, "similar to a misspelt word", 60, func() error {
		_, err := s.SimilarTerms(b.Context(), everyone, rag.Filter{}, rag.SentenceSet, []string{word[:3] + "x" + word[3:] + "ba"})
		return err
	})
}

// benchPuts replaces documents by versions of 200 units, and deletes some.
func benchPuts(b *testing.B, s *Store, corpus *benchCorpus) {
	b.Helper()
	r := rand.New(rand.NewPCG(uint64(time.Now().UnixNano()), 1))
	i := 0
	next := func() rag.NewVersion {
		i++
		from := r.IntN(len(corpus.units) - benchPutUnits)
		v := rag.NewVersion{
			SpaceID: 1, SourceURI: fmt.Sprintf("%d.md", corpus.version[from]), DocType: benchType(b, s, 1), Title: "Bench",
			Recipe: rag.Recipe{Extractor: "e", Splitter: "s"}, Text: strings.Repeat(".", benchPutUnits),
			Hash: sha256.Sum256(fmt.Appendf(nil, "%d %d", time.Now().UnixNano(), i)),
		}
		v.Outline.Sections = []rag.Section{{Parent: -1, Span: rag.Span{End: benchPutUnits}, TreeEnd: benchPutUnits}}
		v.Outline.Units, v.Index = corpus.index(from, from+benchPutUnits)
		return v
	}
	var last int64
	timed(b, fmt.Sprintf("a version of %d units", benchPutUnits), 300, func() error {
		live, err := s.PutVersion(b.Context(), rag.Scope{All: true}, next())
		last = live.DocumentID
		return err
	})
	timed(b, "five common words after that", 60, func() error {
		_, err := s.Lexical(b.Context(), rag.Scope{All: true}, rag.Filter{}, rag.SentenceSet,
			[]string{"commona", "commonb", "commonc", "commond", "commone"}, 200)
		return err
	})
	timed(b, "a document deleted", 10, func() error {
		err := s.DeleteDocument(b.Context(), rag.Scope{All: true}, last)
		last--
		if rag.ErrorCode(err) == rag.CodeNotFound {
			return nil
		}
		return err
	})
}

func benchSize(b *testing.B, s *Store, units int) {
	b.Helper()
	rows, err := s.pool.Query(b.Context(), `
		select relname::text, pg_total_relation_size(oid), pg_indexes_size(oid)
		from pg_class where relname in ('postings', 'lexical_totals', 'lexical_words', 'lexical_journal') order by 1`)
	require.NoError(b, err)
	var name string
	var total, indexes int64
	_, err = pgx.ForEachRow(rows, []any{&name, &total, &indexes}, func() error {
		b.Run("size of "+name, func(b *testing.B) {
			b.ReportMetric(0, "ns/op")
			b.ReportMetric(float64(total)/(1<<20), "MB")
			b.ReportMetric(float64(indexes)/(1<<20), "MB-of-indexes")
			b.ReportMetric(float64(total)/float64(units), "bytes/unit")
		})
		return nil
	})
	require.NoError(b, err)
}

func benchType(b *testing.B, s *Store, id int64) string {
	b.Helper()
	var name string
	require.NoError(b, s.pool.QueryRow(b.Context(), "select name from doc_types where id = $1", id).Scan(&name))
	return name
}

// timed runs something so many times as a benchmark of its own.
func timed(b *testing.B, name string, runs int, do func() error) {
	b.Helper()
	b.Run(name, func(b *testing.B) {
		times := make([]float64, runs)
		for i := range times {
			start := time.Now()
			require.NoError(b, do())
			times[i] = float64(time.Since(start).Microseconds()) / 1000
		}
		slices.Sort(times)
		at := func(share float64) float64 { return times[int(share*float64(runs-1))] }
		b.ReportMetric(0, "ns/op")
		b.ReportMetric(at(0), "min-ms")
		b.ReportMetric(at(0.5), "p50-ms")
		b.ReportMetric(at(0.95), "p95-ms")
		b.ReportMetric(at(1), "max-ms")
	})
}
