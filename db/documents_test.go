package db_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestDocumentsAreFilteredAndPaged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for i, d := range []struct {
		space             rag.Space
		uri, docType, ttl string
	}{
		{b.ops, "kafka/rotate.md", "runbook", "Rotate certificates"},
		{b.ops, "kafka/lag.md", "runbook", "consumer LAG"},
		{b.ops, "design/queue_100%.md", "design_doc", "Queue"},
		{b.clinic, "sepsis.md", "guideline", "Sepsis"},
	} {
		v := version(d.space, d.uri, fmt.Sprintf("Text %d.\n", i))
		v.Title, v.DocType = d.ttl, d.docType
		b.put(t, v)
	}
	for name, test := range map[string]struct {
		scope  rag.Scope
		filter rag.DocumentFilter
		want   []string
		total  int
	}{
		"all, by title":           {everything, rag.DocumentFilter{Limit: 10}, []string{"consumer LAG", "Queue", "Rotate certificates", "Sepsis"}, 4},
		"scope":                   {b.clinicScope, rag.DocumentFilter{Limit: 10}, []string{"Sepsis"}, 1},
		"first page":              {everything, rag.DocumentFilter{Limit: 3}, []string{"consumer LAG", "Queue", "Rotate certificates"}, 4},
		"after a place":           {everything, rag.DocumentFilter{Limit: 3, From: &rag.DocumentPlace{Key: "ROTATE Certificates", ID: 99}}, []string{"Sepsis"}, 4},
		"behind the end":          {everything, rag.DocumentFilter{Limit: 3, From: &rag.DocumentPlace{Key: "zz"}}, nil, 4},
		"before a place":          {everything, rag.DocumentFilter{Limit: 2, Back: true, From: &rag.DocumentPlace{Key: "sepsis"}}, []string{"Queue", "Rotate certificates"}, 4},
		"last page":               {everything, rag.DocumentFilter{Limit: 2, Back: true}, []string{"Rotate certificates", "Sepsis"}, 4},
		"type":                    {everything, rag.DocumentFilter{Limit: 3, Filter: rag.Filter{DocTypes: []string{"runbook"}}}, []string{"consumer LAG", "Rotate certificates"}, 2},
		"space":                   {everything, rag.DocumentFilter{Limit: 3, Filter: rag.Filter{Spaces: []int64{b.clinic.ID}}}, []string{"Sepsis"}, 1},
		"space out of scope":      {b.opsScope, rag.DocumentFilter{Limit: 3, Filter: rag.Filter{Spaces: []int64{b.clinic.ID}}}, nil, 0},
		"word in title, any case": {everything, rag.DocumentFilter{Limit: 3, Words: "lag"}, []string{"consumer LAG"}, 1},
		"words in both":           {everything, rag.DocumentFilter{Limit: 3, Words: " ROTATE  kafka "}, []string{"Rotate certificates"}, 1},
		"signs are letters":       {everything, rag.DocumentFilter{Limit: 3, Words: "_100%"}, []string{"Queue"}, 1},
		"no pattern":              {everything, rag.DocumentFilter{Limit: 3, Words: "%"}, []string{"Queue"}, 1},
		"NUL":                     {everything, rag.DocumentFilter{Limit: 3, Words: "\x00sepsis"}, []string{"Sepsis"}, 1},
		"many words":              {everything, rag.DocumentFilter{Limit: 3, Words: "md k kafka r about rotate"}, nil, 0},
		"a backslash":             {everything, rag.DocumentFilter{Limit: 3, Words: `\\`}, nil, 0},
		"nothing":                 {everything, rag.DocumentFilter{Limit: 3, Words: "sepsis kafka"}, nil, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			docs, total, err := b.Documents(t.Context(), test.scope, test.filter)
			require.NoError(t, err)
			var titles []string
			for _, d := range docs {
				titles = append(titles, d.Title)
				require.Equal(t, 1, d.Units)
			}
			require.Equal(t, test.want, titles)
			require.Equal(t, test.total, total)
		})
	}
	for _, filter := range []rag.DocumentFilter{
		{},
		{Limit: 201},
		{Limit: 10, Order: "size"},
		{Limit: 10, State: "odd"},
		{Limit: 10, Order: rag.ByChange, From: &rag.DocumentPlace{Key: "yesterday"}},
		{Limit: 10, Order: rag.ByReview, From: &rag.DocumentPlace{Key: "2026-13-01"}},
	} {
		_, _, err := b.Documents(t.Context(), everything, filter)
		requireCode(t, rag.CodeInvalid, err)
	}
}

// Every order, walked page by page to the end and back, gives each document once.
func TestDocumentsInEveryOrder(t *testing.T) {
	t.Parallel()
	b := setup(t)
	long := strings.Repeat("Ünbroken", 2_000) // longer than an index entry may be
	day := func(n int) time.Time { return time.Date(2026, 1, n, 0, 0, 0, 0, time.UTC) }
	for i, d := range []struct {
		title  string
		review time.Time
	}{
		{"same", day(5)}, {"Same", time.Time{}}, {long + "b", day(3)}, {long + "a", day(5)}, {"x", time.Time{}}, {"", day(9)}, {"ä", time.Time{}},
	} {
		v := version(b.ops, fmt.Sprintf("%d.md", i), fmt.Sprintf("Text %d.\n", i))
		v.Title, v.ReviewDue = d.title, d.review
		b.put(t, v)
	}
	var first map[int64]bool
	for _, order := range []rag.DocumentOrder{rag.ByTitle, rag.ByChange, rag.ByReview} {
		whole, total, err := b.Documents(t.Context(), b.opsScope, rag.DocumentFilter{Order: order, Limit: 200})
		require.NoError(t, err)
		require.Equal(t, 7, total)
		seen := map[int64]bool{}
		for _, d := range whole {
			seen[d.ID] = true
		}
		require.Len(t, seen, 7)
		if first == nil {
			first = seen
		}
		require.Equal(t, first, seen)
		require.Equal(t, whole, b.walk(t, rag.DocumentFilter{Order: order, Limit: 2}), order)
		back := b.walk(t, rag.DocumentFilter{Order: order, Limit: 2, Back: true})
		require.Equal(t, whole, back, order)
		switch order {
		case rag.ByTitle:
			require.Empty(t, whole[0].Title)
		case rag.ByChange:
			require.True(t, slices.IsSortedFunc(whole, func(a, b rag.Document) int { return b.Updated.Compare(a.Updated) }))
		case rag.ByReview:
			require.Equal(t, []time.Time{day(3), day(5), day(5), day(9), {}, {}, {}}, reviews(whole))
		}
	}
}

// walk reads a list page by page, forward or back.
func (b bundle) walk(t *testing.T, filter rag.DocumentFilter) []rag.Document {
	t.Helper()
	var all []rag.Document
	for range 20 {
		docs, _, err := b.Documents(t.Context(), everything, filter)
		require.NoError(t, err)
		if len(docs) == 0 {
			return all
		}
		at := docs[len(docs)-1]
		if filter.Back {
			at, all = docs[0], append(docs, all...)
		} else {
			all = append(all, docs...)
		}
		place := filter.Order.Place(at)
		filter.From = &place
	}
	require.Fail(t, "the list has no end")
	return nil
}

func reviews(docs []rag.Document) []time.Time {
	var out []time.Time
	for _, d := range docs {
		out = append(out, d.ReviewDue)
	}
	return out
}

// T42: a deleted document is in no index, and not to be read.
func TestDeleteDocumentIsGoneEverywhere(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, version(b.ops, "a.md", rotate))
	live := b.put(t, version(b.ops, "a.md", rotate+"The marker xyzzy.\n"))
	kept := b.put(t, version(b.ops, "b.md", "Something else.\n"))
	require.NoError(t, b.DeleteDocument(t.Context(), b.opsScope, live.DocumentID))

	hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{"xyzzy"}, 10)
	require.NoError(t, err)
	require.Empty(t, hits)
	hits, err = b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, embedder, vectorOf("The marker xyzzy."), 10)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, kept.VersionID, hits[0].VersionID)
	_, err = b.Document(t.Context(), everything, live.DocumentID)
	requireCode(t, rag.CodeNotFound, err)
	_, err = b.Reading(t.Context(), everything, live.DocumentID, live.VersionID)
	requireCode(t, rag.CodeNotFound, err)
	requireCode(t, rag.CodeNotFound, b.DeleteDocument(t.Context(), everything, live.DocumentID))
	for _, table := range []string{"sections", "units", "procedures", "embeddings", "lexical_totals"} {
		require.Zero(t, b.count(t, "select count(*) from "+table+" where version_id <> $1", kept.VersionID), table)
	}
	require.Zero(t, b.count(t, "select count(*) from postings where first <> $1 or last <> $1", kept.VersionID))
	require.Zero(t, b.count(t, "select count(*) from postings where term = 'xyzzy'"))
	require.Equal(t, 1, b.count(t, "select count(*) from versions"))

	// The same bytes may come back, as a new document.
	again := b.put(t, version(b.ops, "a.md", rotate))
	require.NotEqual(t, live.DocumentID, again.DocumentID)
}

// A further unit set comes with its vectors and postings, or not at all.
func TestAddUnits(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const set = rag.UnitSet("chars-60-0")
	v := version(b.ops, "a.md", rotate)
	first := b.put(t, v)
	second := b.put(t, version(b.clinic, "b.md", "Other words.\n"))
	units := chunks(set, v.Text)
	index := indexOf(v.Text, units)

	missing, err := b.LiveVersions(t.Context(), everything, rag.Filter{}, set)
	require.NoError(t, err)
	require.Equal(t, []int64{first.VersionID, second.VersionID}, missing)
	missing, err = b.LiveVersions(t.Context(), everything, rag.Filter{}, rag.SentenceSet)
	require.NoError(t, err)
	require.Empty(t, missing)

	outside := chunks(set, v.Text+v.Text)
	requireCode(t, rag.CodeInternal, b.AddUnits(t.Context(), b.opsScope, first.VersionID, outside, indexOf(v.Text+v.Text, outside), embedder, dimension))
	requireCode(t, rag.CodeInternal, b.AddUnits(t.Context(), b.opsScope, first.VersionID, units, index[1:], embedder, dimension))
	requireCode(t, rag.CodeConflict, b.AddUnits(t.Context(), b.opsScope, first.VersionID, units, index, "other/8", dimension))
	require.Zero(t, b.count(t, "select count(*) from units where unit_set = $1", set))

	require.NoError(t, b.AddUnits(t.Context(), b.opsScope, first.VersionID, units, index, embedder, dimension))
	requireCode(t, rag.CodeConflict, b.AddUnits(t.Context(), b.opsScope, first.VersionID, units, index, embedder, dimension))
	missing, err = b.LiveVersions(t.Context(), everything, rag.Filter{}, set)
	require.NoError(t, err)
	require.Equal(t, []int64{second.VersionID}, missing)
	missing, err = b.LiveVersions(t.Context(), everything, rag.Filter{DocTypes: []string{"note"}}, "")
	require.NoError(t, err)
	require.Empty(t, missing)

	hits, err := b.Dense(t.Context(), b.opsScope, rag.Filter{}, set, embedder, index[1].Vector, 10)
	require.NoError(t, err)
	require.Len(t, hits, 2)
	require.Equal(t, units[1].Span, hits[0].Span)
	hits, err = b.Lexical(t.Context(), b.opsScope, rag.Filter{}, set, []string{"intro"}, 10)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	live, err := b.LiveVersion(t.Context(), b.opsScope, b.ops.ID, "a.md")
	require.NoError(t, err)
	require.Equal(t, []rag.UnitSet{set, rag.SentenceSet}, live.Sets)

	b.put(t, version(b.ops, "a.md", "Changed.\n"))
	units = chunks("chars-90-0", v.Text)
	requireCode(t, rag.CodeConflict, b.AddUnits(t.Context(), b.opsScope, first.VersionID, units, index, embedder, dimension))
}

// Whatever a live version lacks, nothing is added to it.
func TestAddUnitsToABrokenVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, damage := range map[string]string{
		"a vector is missing":       "delete from embeddings where unit_id = (select min(unit_id) from embeddings where version_id = $1)",
		"a vector of another model": "update embeddings set index_id = (select id from vector_indexes where embedder = 'other/8') where unit_id = (select min(unit_id) from embeddings where version_id = $1)",
		"a section is missing":      "with gone as (delete from units where version_id = $1) delete from sections where version_id = $1 and ordinal = 2",
	} {
		other := version(b.ops, "other.md", "Other "+name+".\n")
		other.Recipe.Embedder = "other/8"
		b.put(t, other)
		v := version(b.ops, name, "Intro.\n# One\nFirst.\n# Two\nSecond "+name+".\n")
		live := b.put(t, v)
		_, err := b.Pool().Exec(t.Context(), damage, live.VersionID)
		require.NoError(t, err)
		units := chunks("chars-60-0", v.Text)
		err = b.AddUnits(t.Context(), everything, live.VersionID, units, indexOf(v.Text, units), embedder, dimension)
		requireCode(t, rag.CodeInternal, err)
		require.ErrorContains(t, err, "does not hold together", name)
		require.Zero(t, b.count(t, "select count(*) from units where unit_set = 'chars-60-0'"), name)
	}
}

// Units that come while the version is being replaced wait, and are refused.
func TestAddUnitsWhileReplaced(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	live := b.put(t, v)
	tx, err := b.Pool().Begin(t.Context())
	require.NoError(t, err)
	defer tx.Rollback(t.Context()) //nolint:errcheck // for a test that stops early
	_, err = tx.Exec(t.Context(), "update versions set state = 'superseded' where id = $1", live.VersionID)
	require.NoError(t, err)
	added := make(chan error, 1)
	go func() {
		units := chunks("chars-60-0", v.Text)
		added <- b.AddUnits(context.WithoutCancel(t.Context()), everything, live.VersionID, units, indexOf(v.Text, units), embedder, dimension)
	}()
	b.waitForLock(t)
	require.NoError(t, tx.Commit(t.Context()))
	requireCode(t, rag.CodeConflict, <-added)
}

func TestSpacesAndDocTypes(t *testing.T) {
	t.Parallel()
	b := setup(t)
	again, err := b.EnsureSpace(t.Context(), "  Platform wiki ")
	require.NoError(t, err)
	require.Equal(t, b.ops, again)
	_, err = b.EnsureSpace(t.Context(), " \x00 ")
	requireCode(t, rag.CodeInvalid, err)
	require.Equal(t, []string{"Clinical guidelines", "Platform wiki"}, spaceNames(t, b, everything))
	require.Equal(t, []string{"Platform wiki"}, spaceNames(t, b, b.opsScope))
	require.Empty(t, spaceNames(t, b, rag.Scope{}))

	requireCode(t, rag.CodeInvalid, b.SetStrategy(t.Context(), "note", rag.Strategy{Kind: rag.FixedChars, Size: 10, Overlap: 10}))
	requireCode(t, rag.CodeNotFound, b.SetStrategy(t.Context(), "poem", rag.Strategy{Kind: rag.SentenceWindow, K: 1}))
}
