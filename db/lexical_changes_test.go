package db_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// liveDoc is a document as a test believes it to be.
type liveDoc struct {
	rag.Live
	space   int64
	docType string
	version rag.NewVersion
}

// unitsOf lists what brute force looks at.
func unitsOf(docs map[string]liveDoc) []corpusUnit {
	var units []corpusUnit
	for _, d := range docs {
		for i, u := range d.version.Outline.Units {
			units = append(units, corpusUnit{
				space: d.space, docType: d.docType, version: d.VersionID, unit: u, index: d.version.Index[i],
			})
		}
	}
	return units
}

// randomText is of lines of few words: the first ones common, many rare ones.
func randomText(r *rand.Rand) string {
	var text strings.Builder
	for range 1 + r.IntN(12) {
		for range 1 + r.IntN(14) {
			fmt.Fprintf(&text, "w%d ", int(1/(r.Float64()+0.02)))
		}
		text.WriteString("end.\n")
	}
	return text.String()
}

// sameAsBruteForce compares a search and its weights with the formula.
func (b bundle) sameAsBruteForce(t *testing.T, docs map[string]liveDoc, r *rand.Rand) {
	t.Helper()
	all := unitsOf(docs)
	for name, f := range b.filters() {
		var units []corpusUnit
		for _, u := range all {
			if f.keep(u) {
				units = append(units, u)
			}
		}
		terms := []string{"end", "nowhere"}
		for range 3 {
			terms = append(terms, fmt.Sprintf("w%d", 1+r.IntN(1+r.IntN(50))))
		}
		slices.Sort(terms)
		terms = slices.Compact(terms)
		n := 1 + r.IntN(60)
		hits, err := b.Lexical(t.Context(), f.scope, f.filter, rag.SentenceSet, terms, n)
		require.NoError(t, err, name)
		want := best(bm25(units, terms), n)
		require.Len(t, hits, len(want), name)
		for i, w := range want {
			require.InDelta(t, w.score, hits[i].BM25, 1e-9, name)
			if i > 0 && w.score != want[i-1].score && (i == len(want)-1 || w.score != want[i+1].score) {
				require.Equal(t, w.version, hits[i].VersionID, name)
				require.Equal(t, w.unit.Ordinal, hits[i].Ordinal, name)
			}
		}
		weights, err := b.Weights(t.Context(), f.scope, f.filter, rag.SentenceSet, terms)
		require.NoError(t, err, name)
		for i, term := range terms {
			holding := 0
			for _, u := range units {
				if slices.Contains(u.index.Terms, term) {
					holding++
				}
			}
			require.Equal(t, term, weights[i].Term)
			require.Equal(t, holding, weights[i].Units, "%s: %s", name, term)
			require.Equal(t, len(units), weights[i].Of, name)
		}
	}
}

// requireWholeIndex compares the sums of the postings and of the journal with
// what the live versions hold, for each group and term.
func (b bundle) requireWholeIndex(t *testing.T) {
	t.Helper()
	require.Zero(t, b.count(t, `
		with held as (
			select g.id as group_id, w.word as term, sum(w.n) as n
			from lexical_totals t
			join lexical_groups g using (unit_set, space_id, doc_type_id)
			cross join lateral unnest(t.words, t.held) as w (word, n)
			group by 1, 2
		), indexed as (
			select group_id, term, sum(n) as n from postings group by 1, 2 having sum(n) <> 0
		)
		select count(*) from held h full join indexed i using (group_id, term) where h.n is distinct from i.n`))
	require.Zero(t, b.count(t, `
		select count(*)
		from lexical_groups g
		cross join lateral (select coalesce(sum(units), 0) as units, coalesce(sum(terms), 0) as terms
		                    from lexical_journal where group_id = g.id) j
		cross join lateral (select coalesce(sum(units), 0) as units, coalesce(sum(terms), 0) as terms
		                    from lexical_totals t
		                    where (t.unit_set, t.space_id, t.doc_type_id) = (g.unit_set, g.space_id, g.doc_type_id)) t
		where g.units + j.units <> t.units or g.terms + j.terms <> t.terms`))
	require.Zero(t, b.count(t, `
		select count(*) from lexical_totals t cross join lateral unnest(words) as word
		where word ~ '^[a-z]{4,40}$' and word not in (select term from lexical_words)`))
}

// Whatever is put, replaced, deleted and merged, and in whatever order, search
// and weights are those of brute force over what is live.
func TestLexicalStaysExact(t *testing.T) {
	t.Parallel()
	b := setup(t)
	r := rand.New(rand.NewPCG(7, 11))
	docs := map[string]liveDoc{}
	for step := range 90 {
		uri := fmt.Sprintf("%d.md", r.IntN(14))
		d, there := docs[uri]
		switch action := r.IntN(10); {
		case action == 0 && there:
			require.NoError(t, b.DeleteDocument(t.Context(), everything, d.DocumentID))
			delete(docs, uri)
		case action == 1: // all of it
			require.NoError(t, b.MergePostings(t.Context()))
		case action <= 3: // in small steps, to small rows
			require.NoError(t, b.MergeWith(t.Context(), 1+r.IntN(40), 1+r.IntN(80)))
		default:
			space := b.ops
			if there && d.space == b.clinic.ID || !there && r.IntN(2) == 0 {
				space = b.clinic
			}
			v := version(space, uri, randomText(r)+fmt.Sprintf("step%d.\n", step))
			v.DocType = []string{"runbook", "guideline", "reference"}[r.IntN(3)]
			docs[uri] = liveDoc{b.put(t, v), space.ID, v.DocType, v}
		}
		if step%9 == 8 {
			b.sameAsBruteForce(t, docs, r)
			b.requireWholeIndex(t)
		}
	}
	require.NoError(t, b.MergePostings(t.Context()))
	b.sameAsBruteForce(t, docs, r)
	b.requireWholeIndex(t)
	require.Zero(t, b.count(t, "select count(*) from postings where fresh or n < 0"))
	require.Zero(t, b.count(t, "select count(*) from lexical_journal"))

	_, err := b.Pool().Exec(t.Context(), "delete from spaces where id = $1", b.clinic.ID)
	require.NoError(t, err, "whoever takes documents away")
	for uri, d := range docs {
		if d.space == b.clinic.ID {
			delete(docs, uri)
		}
	}
	b.sameAsBruteForce(t, docs, r)
	b.requireWholeIndex(t)
	require.NoError(t, b.MergePostings(t.Context()))
	b.requireWholeIndex(t)
}

// Many writers, two that merge, and readers at the same time: nobody fails,
// nothing is lost.
func TestWritersAndMergesAtOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := t.Context()
	background, stop := context.WithCancel(ctx)
	docs := make([]map[string]liveDoc, 4)
	var writers, others sync.WaitGroup
	for w := range docs {
		docs[w] = map[string]liveDoc{}
		writers.Go(func() {
			r := rand.New(rand.NewPCG(uint64(w), 3))
			for step := range 12 {
				uri := fmt.Sprintf("%d/%d.md", w, r.IntN(4))
				d, there := docs[w][uri]
				if there && r.IntN(4) == 0 {
					if err := b.DeleteDocument(ctx, everything, d.DocumentID); err != nil {
						t.Errorf("delete: %v", err)
					}
					delete(docs[w], uri)
					continue
				}
				v := version(b.ops, uri, randomText(r)+fmt.Sprintf("writer%d step%d newword%s.\n", w, step, strings.Repeat("x", step)))
				units := chunks("chars-60-0", v.Text)
				v.Outline.Units = append(v.Outline.Units, units...)
				v.Index = append(v.Index, indexOf(v.Text, units)...)
				live, err := b.PutVersion(ctx, everything, v)
				if err != nil {
					t.Errorf("put: %v", err)
					return
				}
				v.Outline.Units = v.Outline.Units[:len(v.Outline.Units)-2]
				docs[w][uri] = liveDoc{live, b.ops.ID, v.DocType, v}
			}
		})
	}
	for n := range 2 {
		others.Go(func() {
			for background.Err() == nil {
				if err := b.MergeWith(ctx, 10+90*n, 40+100*n); err != nil {
					t.Errorf("merge: %v", err)
					return
				}
				if _, err := b.Lexical(ctx, everything, rag.Filter{}, rag.SentenceSet, []string{"end", "w1", "w2"}, 10); err != nil {
					t.Errorf("search: %v", err)
					return
				}
			}
		})
	}
	writers.Wait()
	stop()
	others.Wait()
	live := map[string]liveDoc{}
	for _, list := range docs {
		for uri, d := range list {
			live[uri] = d
		}
	}
	b.requireWholeIndex(t)
	b.sameAsBruteForce(t, live, rand.New(rand.NewPCG(1, 1)))
	require.NoError(t, b.MergePostings(ctx))
	b.requireWholeIndex(t)
	b.sameAsBruteForce(t, live, rand.New(rand.NewPCG(1, 2)))
}

// A merge that ends half-way leaves everything as it was, and another one that
// runs already is not waited for.
func TestMergeIsInterrupted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	docs := map[string]liveDoc{"a.md": {b.put(t, v), b.ops.ID, v.DocType, v}}
	_, err := b.Pool().Exec(t.Context(), `
		create function broken() returns trigger language plpgsql as $$ begin raise 'broken'; end $$;
		create trigger broken before insert on postings for each row when (not new.fresh) execute function broken()`)
	require.NoError(t, err)
	require.ErrorContains(t, b.MergePostings(t.Context()), "broken")
	b.requireWholeIndex(t)
	b.sameAsBruteForce(t, docs, rand.New(rand.NewPCG(1, 1)))
	_, err = b.Pool().Exec(t.Context(), "drop trigger broken on postings")
	require.NoError(t, err)

	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // for a test that stops early
	_, err = tx.Exec(t.Context(), "select pg_advisory_xact_lock(hashtextextended('lexical/' || id, 0)) from lexical_groups")
	require.NoError(t, err)
	require.NoError(t, b.MergePostings(t.Context()))
	require.Positive(t, b.count(t, "select count(*) from postings where fresh"))
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, b.MergePostings(t.Context()))
	require.Zero(t, b.count(t, "select count(*) from postings where fresh"))
	b.sameAsBruteForce(t, docs, rand.New(rand.NewPCG(1, 1)))
}

// The share of a weight that a term brings counts in the sum.
func TestWeightsOfSearchTerms(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, version(b.ops, "a.md", "alpha beta.\nalpha.\nbeta.\ngamma.\n"))
	score := func(terms ...rag.SearchTerm) map[string]float64 {
		hits, err := b.LexicalWeighted(t.Context(), everything, rag.Filter{}, rag.SentenceSet, terms, 10)
		require.NoError(t, err)
		scores := map[string]float64{}
		for _, h := range hits {
			scores[h.Span.In("alpha beta.\nalpha.\nbeta.\ngamma.\n")] = h.BM25
		}
		return scores
	}
	full := score(rag.SearchTerm{Term: "alpha", Weight: 1}, rag.SearchTerm{Term: "beta", Weight: 1})
	half := score(rag.SearchTerm{Term: "alpha", Weight: 1}, rag.SearchTerm{Term: "beta", Weight: 0.5})
	require.Len(t, half, 3)
	require.InDelta(t, full["alpha."], half["alpha."], 1e-12)
	require.InDelta(t, full["beta."]/2, half["beta."], 1e-12)
	require.InDelta(t, full["alpha beta."]*0.75, half["alpha beta."], 1e-12)
	require.Equal(t, half, score(rag.SearchTerm{Term: "beta", Weight: 0.5}, rag.SearchTerm{Term: "beta", Weight: 0.2},
		rag.SearchTerm{Term: "alpha", Weight: 1}, rag.SearchTerm{Term: "gamma"}, rag.SearchTerm{Term: "gamma", Weight: -1}))
}
