package db_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

var spring = time.Date(2026, 4, 1, 0, 0, 0, 0, time.UTC)

// What a person says of a document holds until its front matter says something
// else than before.
func TestNotesOutliveVersions(t *testing.T) {
	t.Parallel()
	b := setup(t)
	target := b.put(t, version(b.ops, "new.md", "New.\n"))
	n := 0
	put := func(review time.Time, successor string) rag.Document {
		n++
		v := version(b.ops, "a.md", strings.Repeat("Text.\n", n))
		v.ReviewDue, v.Successor = review, successor
		live := b.put(t, v)
		d, err := b.Document(t.Context(), b.opsScope, live.DocumentID)
		require.NoError(t, err)
		return d
	}
	d := put(spring, "about  NEW.md")
	require.Equal(t, spring, d.ReviewDue)
	require.Equal(t, "about NEW.md", d.SupersededBy)
	require.Equal(t, rag.Successor{ID: target.DocumentID, Title: "About new.md"}, d.Successor, "found by its title")
	d = put(time.Time{}, "")
	require.Zero(t, d.ReviewDue, "a front matter takes back what only a front matter said")
	require.Empty(t, d.SupersededBy)

	autumn := spring.AddDate(0, 6, 0)
	require.NoError(t, b.NoteDocument(t.Context(), b.opsScope, d.ID, rag.DocumentNote{ReviewDue: autumn, SupersededBy: "new.md"}))
	d = put(time.Time{}, "")
	require.Equal(t, autumn, d.ReviewDue, "the same front matter again")
	require.Equal(t, target.DocumentID, d.Successor.ID)
	d = put(spring, "away.md")
	require.Equal(t, spring, d.ReviewDue)
	require.Equal(t, "away.md", d.SupersededBy)
	require.Zero(t, d.Successor, "it is not there yet")
	require.NoError(t, b.NoteDocument(t.Context(), b.opsScope, d.ID, rag.DocumentNote{}))
	d = put(spring, "away.md")
	require.Zero(t, d.ReviewDue)
	require.Empty(t, d.SupersededBy)

	r, err := b.Reading(t.Context(), b.opsScope, d.ID, 0)
	require.NoError(t, err)
	require.Equal(t, d, r.Document, "the page shows the same")
}

func TestSuccessorIsADocumentOfTheSpace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	put := func(space rag.Space, uri, title string) int64 {
		v := version(space, uri, "Text of "+uri+".\n")
		v.Title = title
		return b.put(t, v).DocumentID
	}
	a, next := put(b.ops, "a.md", "Old"), put(b.ops, "next.md", "Next")
	put(b.ops, "twin-1.md", "Twin")
	put(b.ops, "twin-2.md", "twin")
	put(b.ops, "x.md", "next.md") // a title that is another's source
	put(b.clinic, "sepsis.md", "Sepsis")
	for name, want := range map[string]string{
		"next.md": "next.md", "NEXT": "next.md", "twin-2.md": "twin-2.md", "": "",
	} {
		require.NoError(t, b.NoteDocument(t.Context(), b.opsScope, a, rag.DocumentNote{SupersededBy: name}))
		d, err := b.Document(t.Context(), b.opsScope, a)
		require.NoError(t, err)
		require.Equal(t, want, d.SupersededBy, name)
	}
	for name, part := range map[string]string{
		"Sepsis": "no document", "sepsis.md": "no document", "Nex": "no document", "%": "no document",
		"twin": "More than one", "old": "own place", "a.md": "own place",
	} {
		err := b.NoteDocument(t.Context(), everything, a, rag.DocumentNote{SupersededBy: name})
		requireCode(t, rag.CodeInvalid, err)
		require.Contains(t, rag.ErrorMessage(err), part, name)
	}
	require.NoError(t, b.NoteDocument(t.Context(), everything, a, rag.DocumentNote{SupersededBy: "Next"}))
	err := b.NoteDocument(t.Context(), everything, next, rag.DocumentNote{SupersededBy: "a.md"})
	requireCode(t, rag.CodeInvalid, err)
	require.Contains(t, rag.ErrorMessage(err), "itself superseded")
	for _, scope := range []rag.Scope{b.clinicScope, b.nobodyScope, b.strangeScope} {
		requireCode(t, rag.CodeNotFound, b.NoteDocument(t.Context(), scope, a, rag.DocumentNote{}))
	}
}

// The stale ones are those past their review date and those with a successor.
func TestStaleDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	today := time.Now().UTC().Truncate(24 * time.Hour)
	for uri, change := range map[string]func(*rag.NewVersion){
		"1.md": func(v *rag.NewVersion) { v.ReviewDue = today.AddDate(0, 0, -1) },
		"2.md": func(v *rag.NewVersion) { v.ReviewDue = today.AddDate(0, 0, 1) },
		"3.md": func(v *rag.NewVersion) { v.Successor = "not there" },
		"4.md": func(*rag.NewVersion) {},
	} {
		v := version(b.ops, uri, "Text of "+uri+".\n")
		change(&v)
		b.put(t, v)
	}
	for state, want := range map[rag.DocumentState][]string{
		"":                  {"1.md", "2.md", "3.md", "4.md"},
		rag.DocumentStale:   {"1.md", "3.md"},
		rag.DocumentCurrent: {"2.md", "4.md"},
	} {
		docs, total, err := b.Documents(t.Context(), b.opsScope, rag.DocumentFilter{State: state, Limit: 10})
		require.NoError(t, err)
		var uris []string
		for _, d := range docs {
			uris = append(uris, d.SourceURI)
			require.True(t, state == "" || d.Stale(time.Now()) == (state == rag.DocumentStale))
		}
		require.Equal(t, want, uris)
		require.Len(t, want, total)
	}
}
