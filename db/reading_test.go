package db_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"passage/rag"
)

// What is read is what was put, spans and all, with units of all sets.
func TestReadingGivesBackTheOutline(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	o := &v.Outline
	o.Sections[2].Parent = 1
	o.Sections[1].TreeEnd = len(rotate)
	s := o.Sections[1].Span
	o.Sections[1].Parts = []rag.Span{{Start: s.Start, End: s.Start + 9}, {Start: s.Start + 9, End: s.End}}
	o.Procedures[0].Tail = o.Units[len(o.Units)-1].Span
	o.Procedures[0].Around = []rag.Surrounding{
		{Kind: rag.LeadIn, Span: o.Procedures[0].Lead}, {Kind: rag.Rollback, Span: o.Procedures[0].Tail},
	}
	o.Units[2].Procedure = 0 // the lead-in belongs to the procedure, but to no step
	o.Units[3].Kind, o.Units[3].Header = rag.UnitRow, o.Units[2].Span
	o.Units = append(o.Units, chunks("chars-60-0", v.Text)...)
	v.Index = indexOf(v.Text, o.Units)
	v.Pages = []int{0, 20, 20}
	live := b.put(t, v)

	r, err := b.Reading(t.Context(), b.opsScope, live.DocumentID, 0)
	require.NoError(t, err)
	require.Equal(t, rotate, r.Text)
	require.Equal(t, v.Pages, r.Pages)
	require.Equal(t, live.VersionID, r.Version)
	doc, err := b.Document(t.Context(), b.opsScope, live.DocumentID)
	require.NoError(t, err)
	require.Equal(t, doc, r.Document)

	want := *o
	want.Units = append([]rag.Unit(nil), o.Units...)
	for i := range want.Units {
		require.Positive(t, r.Outline.Units[i].ID)
		want.Units[i].ID = r.Outline.Units[i].ID
	}
	want.Sections = append([]rag.Section(nil), o.Sections...)
	want.Sections[0].Path = []string{}
	require.Empty(t, cmp.Diff(want, r.Outline))
	require.Len(t, r.Outline.UnitsOf(rag.SentenceSet), 8)
	require.Len(t, r.Outline.UnitsOf("chars-60-0"), 2)

	// The parent table holds full sections.
	require.Zero(t, b.count(t, `
		select count(*) from sections s join versions v on v.id = s.version_id
		where convert_to(s.content, 'UTF8') <> substring(convert_to(v.body, 'UTF8') from s.span_start + 1 for s.span_end - s.span_start)`))

	all, err := b.Readings(t.Context(), b.opsScope, []int64{live.VersionID, live.VersionID, 4711})
	require.NoError(t, err)
	require.Empty(t, cmp.Diff(map[int64]*rag.Reading{live.VersionID: r}, all))
}

// T75: an old version can be read, as it was, beside the new one.
func TestReadingOfASupersededVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := version(b.ops, "a.md", "Kept for 180 days.\n")
	old.Title = "Old title"
	first := b.put(t, old)
	second := b.put(t, version(b.ops, "a.md", "Kept for 270 days.\n"))

	r, err := b.Reading(t.Context(), b.opsScope, first.DocumentID, first.VersionID)
	require.NoError(t, err)
	require.Equal(t, "Kept for 180 days.\n", r.Text)
	require.Equal(t, "Old title", r.Document.Title)
	require.Equal(t, first.VersionID, r.Version)
	require.Equal(t, second.VersionID, r.Document.VersionID)
	require.Equal(t, 2, r.Document.Ordinal)
	r, err = b.Reading(t.Context(), b.opsScope, first.DocumentID, 0)
	require.NoError(t, err)
	require.Equal(t, "Kept for 270 days.\n", r.Text)
}

// T35: the same section in two documents, even of two spaces, has two parents.
func TestIdenticalSectionsKeepTheirDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	const safety = "# Safety\nIsolate the power first.\n"
	titles := map[int64]string{}
	for _, v := range []rag.NewVersion{
		version(b.ops, "pump.md", "# Pump\nAbout the pump.\n"+safety),
		version(b.ops, "valve.md", "# Valve\nAbout the valve.\n"+safety),
		version(b.clinic, "laser.md", "# Laser\nAbout the laser.\n"+safety),
	} {
		titles[b.put(t, v).VersionID] = v.Title
	}
	for name, test := range map[string]struct {
		scope rag.Scope
		want  []string
	}{
		"everything": {everything, []string{"About pump.md", "About valve.md", "About laser.md"}},
		"ops":        {b.opsScope, []string{"About pump.md", "About valve.md"}},
		"clinic":     {b.clinicScope, []string{"About laser.md"}},
	} {
		hits, err := b.Lexical(t.Context(), test.scope, rag.Filter{}, rag.SentenceSet, []string{"isolate"}, 10)
		require.NoError(t, err)
		dense, err := b.Dense(t.Context(), test.scope, rag.Filter{}, rag.SentenceSet, embedder, vectorOf("Isolate the power first."), len(test.want))
		require.NoError(t, err)
		for _, list := range [][]rag.Hit{hits, dense} {
			var got []string
			for _, hit := range list {
				readings, err := b.Readings(t.Context(), test.scope, []int64{hit.VersionID})
				require.NoError(t, err)
				r := readings[hit.VersionID]
				require.Equal(t, "Isolate the power first.", hit.Span.In(r.Text))
				require.Equal(t, titles[hit.VersionID], r.Document.Title)
				got = append(got, r.Document.Title)
			}
			require.Equal(t, test.want, got, name)
		}
	}
}

// Invariant 7: what is in another space does not exist.
func TestReadsStayInScope(t *testing.T) {
	t.Parallel()
	b := setup(t)
	live := b.put(t, version(b.ops, "a.md", rotate))
	old := live
	v := version(b.ops, "a.md", strings.ToUpper(rotate))
	live = b.put(t, v)

	for name, scope := range map[string]rag.Scope{
		"other": b.clinicScope, "nobody": b.nobodyScope, "strange": b.strangeScope, "zero": {},
	} {
		ctx := t.Context()
		_, err := b.Document(ctx, scope, live.DocumentID)
		requireCode(t, rag.CodeNotFound, err)
		for _, version := range []int64{0, live.VersionID, old.VersionID} {
			_, err = b.Reading(ctx, scope, live.DocumentID, version)
			requireCode(t, rag.CodeNotFound, err)
		}
		readings, err := b.Readings(ctx, scope, []int64{live.VersionID, old.VersionID})
		require.NoError(t, err)
		require.Empty(t, readings, name)
		_, err = b.LiveVersion(ctx, scope, b.ops.ID, "a.md")
		requireCode(t, rag.CodeNotFound, err)
		_, err = b.LiveByHash(ctx, scope, b.ops.ID, v.Hash)
		requireCode(t, rag.CodeNotFound, err)
		ids, err := b.LiveVersions(ctx, scope, rag.Filter{}, "")
		require.NoError(t, err)
		require.Empty(t, ids, name)
		docs, total, err := b.Documents(ctx, scope, rag.DocumentFilter{Limit: 10})
		require.NoError(t, err)
		require.Empty(t, docs, name)
		require.Zero(t, total, name)
		require.NotContains(t, spaceNames(t, b, scope), b.ops.Name, name)
		requireCode(t, rag.CodeNotFound, b.DeleteDocument(ctx, scope, live.DocumentID))
		units := chunks("chars-60-0", v.Text)
		requireCode(t, rag.CodeNotFound, b.AddUnits(ctx, scope, live.VersionID, units, indexOf(v.Text, units), embedder, dimension))
	}
	// A version is read through its own document only.
	other := b.put(t, version(b.ops, "b.md", "Other.\n"))
	_, err := b.Reading(t.Context(), b.opsScope, other.DocumentID, live.VersionID)
	requireCode(t, rag.CodeNotFound, err)
}

func spaceNames(t *testing.T, b bundle, scope rag.Scope) []string {
	t.Helper()
	spaces, err := b.Spaces(t.Context(), scope)
	require.NoError(t, err)
	names := []string{}
	for _, s := range spaces {
		names = append(names, s.Name)
	}
	return names
}

// Texts are kept in memory; what may change is asked for each time.
func TestReadingsThatAreKept(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	live := b.put(t, v)
	read := func(scope rag.Scope) *rag.Reading {
		readings, err := b.Readings(t.Context(), scope, []int64{live.VersionID})
		require.NoError(t, err)
		return readings[live.VersionID]
	}
	first := read(b.opsScope)
	require.Len(t, first.Outline.Units, len(v.Outline.Units))
	more := *first
	more.Outline.Units = append(more.Outline.Units, rag.Unit{Ordinal: 4711})
	require.Equal(t, 1, b.KeptTexts())
	require.Empty(t, cmp.Diff(first, read(b.opsScope)), "what one reader appends no other sees")
	require.Nil(t, read(b.clinicScope), "what one may read is kept from another")

	units := chunks("chars-60-0", v.Text)
	require.NoError(t, b.AddUnits(t.Context(), b.opsScope, live.VersionID, units, indexOf(v.Text, units), embedder, dimension))
	second := read(b.opsScope)
	require.Len(t, second.Outline.UnitsOf("chars-60-0"), len(units), "units that were added are there")
	require.Equal(t, 2, b.KeptTexts())
	require.Len(t, first.Outline.Units, len(v.Outline.Units))

	next := b.put(t, version(b.ops, "a.md", strings.ToUpper(rotate)))
	old := read(b.opsScope)
	require.Equal(t, rotate, old.Text)
	require.Equal(t, next.VersionID, old.Document.VersionID, "it is known to be superseded")
	require.NoError(t, b.DeleteDocument(t.Context(), b.opsScope, live.DocumentID))
	require.Nil(t, read(b.opsScope), "what was deleted is not there")
}
