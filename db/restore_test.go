package db_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// restoration makes what takes a version live again, as it was made.
func (b bundle) restoration(t *testing.T, live rag.Live) rag.Restoration {
	t.Helper()
	r, err := b.Reading(t.Context(), everything, live.DocumentID, live.VersionID)
	require.NoError(t, err)
	return rag.Restoration{
		DocumentID: live.DocumentID, VersionID: live.VersionID, Embedder: embedder, Dimension: dimension,
		Units: r.Outline.Units, Index: indexOf(r.Text, r.Outline.Units),
	}
}

// requireFound says which versions a word finds, and that vectors agree.
func (b bundle) requireFound(t *testing.T, word, text string, want ...int64) {
	t.Helper()
	hits, err := b.Lexical(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{word}, 10)
	require.NoError(t, err)
	var found []int64
	for _, hit := range hits {
		found = append(found, hit.VersionID)
	}
	require.ElementsMatch(t, want, found, word)
	hits, err = b.Dense(t.Context(), everything, rag.Filter{}, rag.SentenceSet, embedder, vectorOf(text), 1)
	require.NoError(t, err)
	if len(want) > 0 {
		require.Equal(t, want[0], hits[0].VersionID)
	}
}

// A version goes live again with all it is found by, as often as somebody likes,
// whether its postings were merged in between or not.
func TestRestoreVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := version(b.ops, "a.md", rotate)
	first.Title, first.ReviewDue = "First", spring
	old := b.put(t, first)
	second := version(b.ops, "a.md", "Second.\nThe marker xyzzy.\n")
	second.DocType = "note"
	next := b.put(t, second)
	for round := range 3 {
		live, err := b.RestoreVersion(t.Context(), b.opsScope, b.restoration(t, old))
		require.NoError(t, err)
		require.Equal(t, old, live)
		b.requireFound(t, "xyzzy", "")
		b.requireFound(t, "intro", "Intro.", old.VersionID)
		doc, err := b.Document(t.Context(), b.opsScope, old.DocumentID)
		require.NoError(t, err)
		require.Equal(t, "First", doc.Title)
		require.Equal(t, "runbook", doc.DocType)
		require.Equal(t, spring, doc.ReviewDue)
		require.Equal(t, 1, doc.Ordinal)
		b.requireWholeIndex(t)
		if round == 1 {
			require.NoError(t, b.MergePostings(t.Context()))
		}
		live, err = b.RestoreVersion(t.Context(), b.opsScope, b.restoration(t, next))
		require.NoError(t, err)
		require.Equal(t, next, live)
		b.requireFound(t, "xyzzy", "The marker xyzzy.", next.VersionID)
		b.requireFound(t, "intro", "")
		b.requireWholeIndex(t)
	}
	require.NoError(t, b.MergePostings(t.Context()))
	b.requireFound(t, "xyzzy", "The marker xyzzy.", next.VersionID)
	require.Zero(t, b.count(t, "select count(*) from postings where fresh"))
	versions, err := b.Versions(t.Context(), b.opsScope, old.DocumentID, 0, 10)
	require.NoError(t, err)
	require.Len(t, versions, 2)
	require.Equal(t, []rag.VersionState{rag.VersionLive, rag.VersionSuperseded}, []rag.VersionState{versions[0].State, versions[1].State})
}

// A version may get another embedder and further units when it goes live again.
func TestRestoreVersionWithMore(t *testing.T) {
	t.Parallel()
	b := setup(t)
	v := version(b.ops, "a.md", rotate)
	old := b.put(t, v)
	b.put(t, version(b.ops, "a.md", "Second.\n"))
	r := b.restoration(t, old)
	r.Embedder = "other/8"
	r.Units = append(r.Units, chunks("chars-60-0", v.Text)...)
	r.Index = indexOf(v.Text, r.Units)
	live, err := b.RestoreVersion(t.Context(), everything, r)
	require.NoError(t, err)
	require.Equal(t, "other/8", live.Recipe.Embedder)
	require.Equal(t, []rag.UnitSet{"chars-60-0", rag.SentenceSet}, live.Sets)
	b.requireWholeIndex(t)
	hits, err := b.Dense(t.Context(), everything, rag.Filter{}, "chars-60-0", "other/8", vectorOf(v.Text[:len(v.Text)/2]), 1)
	require.NoError(t, err)
	require.Len(t, hits, 1)
	require.Equal(t, old.VersionID, hits[0].VersionID)
}

// Whatever is wrong, what was live stays so.
func TestRestoreVersionIsRefused(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.put(t, version(b.ops, "a.md", rotate))
	live := b.put(t, version(b.ops, "a.md", "Second.\n"))
	other := b.put(t, version(b.ops, "b.md", "Other.\n"))
	good := b.restoration(t, old)
	for name, test := range map[string]struct {
		scope  rag.Scope
		change func(*rag.Restoration)
		code   rag.Code
	}{
		"out of scope":        {b.clinicScope, func(*rag.Restoration) {}, rag.CodeNotFound},
		"nobody":              {b.nobodyScope, func(*rag.Restoration) {}, rag.CodeNotFound},
		"another document's":  {everything, func(r *rag.Restoration) { r.DocumentID = other.DocumentID }, rag.CodeNotFound},
		"live already":        {everything, func(r *rag.Restoration) { r.VersionID = live.VersionID }, rag.CodeConflict},
		"no such version":     {everything, func(r *rag.Restoration) { r.VersionID = 999 }, rag.CodeNotFound},
		"another one is live": {everything, func(r *rag.Restoration) { r.Live = old.VersionID }, rag.CodeConflict},
		"a unit is missing":   {everything, func(r *rag.Restoration) { r.Units, r.Index = r.Units[1:], r.Index[1:] }, rag.CodeInternal},
		"an index is missing": {everything, func(r *rag.Restoration) { r.Index = r.Index[1:] }, rag.CodeInternal},
		"no vectors":          {everything, func(r *rag.Restoration) { r.Embedder, r.Dimension = "", 0 }, rag.CodeInternal},
		"a chunk outside": {everything, func(r *rag.Restoration) {
			more := chunks("chars-60-0", rotate+rotate)
			r.Units = append(r.Units[:len(r.Units):len(r.Units)], more...)
			r.Index = append(r.Index[:len(r.Index):len(r.Index)], indexOf(rotate+rotate, more)...)
		}, rag.CodeInternal},
	} {
		r := good
		test.change(&r)
		_, err := b.RestoreVersion(t.Context(), test.scope, r)
		require.Error(t, err, name)
		require.Equal(t, test.code, rag.ErrorCode(err), "%s: %v", name, err)
		now, err := b.LiveVersion(t.Context(), everything, b.ops.ID, "a.md")
		require.NoError(t, err)
		require.Equal(t, live, now, name)
	}
	b.requireWholeIndex(t)
	for _, scope := range []rag.Scope{b.clinicScope, b.nobodyScope, b.strangeScope} {
		_, err := b.Versions(t.Context(), scope, old.DocumentID, 0, 10)
		requireCode(t, rag.CodeNotFound, err)
	}
	_, err := b.Versions(t.Context(), everything, old.DocumentID, 0, 201)
	requireCode(t, rag.CodeInvalid, err)
}

// Roll-backs that race uploads leave exactly one version live, whole.
func TestRestoreVersionRacesUploads(t *testing.T) {
	t.Parallel()
	b := setup(t)
	old := b.put(t, version(b.ops, "a.md", rotate))
	b.put(t, version(b.ops, "a.md", "Second.\n"))
	good := b.restoration(t, old)
	ctx := context.WithoutCancel(t.Context())
	for round := range 5 {
		var group sync.WaitGroup
		errs := make([]error, 3)
		group.Go(func() {
			_, errs[0] = b.PutVersion(ctx, everything, version(b.ops, "a.md", fmt.Sprintf("Upload %d.\n", round)))
		})
		group.Go(func() { _, errs[1] = b.RestoreVersion(ctx, everything, good) })
		group.Go(func() { _, errs[2] = b.RestoreVersion(ctx, everything, good) })
		group.Wait()
		require.NoError(t, errs[0])
		restored := 0
		for _, err := range errs[1:] {
			if err == nil {
				restored++
				continue
			}
			requireCode(t, rag.CodeConflict, err) // the other roll-back was first
		}
		require.Positive(t, restored)
		require.Equal(t, 1, b.count(t, "select count(*) from versions where document_id = $1 and state = 'live'", old.DocumentID))
		require.Equal(t, 1, b.count(t, "select count(distinct version_id) from embeddings"))
		b.requireWholeIndex(t)
		b.put(t, version(b.ops, "a.md", fmt.Sprintf("Between %d.\n", round)))
	}
}

// The history is paged from the newest version down.
func TestVersionsArePaged(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var live rag.Live
	for n := range 5 {
		v := version(b.ops, "a.md", fmt.Sprintf("Text %d.\n", n))
		v.Warnings = []string{fmt.Sprintf("Warning %d", n)}
		live = b.put(t, v)
	}
	page, err := b.Versions(t.Context(), b.opsScope, live.DocumentID, 0, 3)
	require.NoError(t, err)
	require.Len(t, page, 3)
	require.Equal(t, live.VersionID, page[0].ID)
	require.Equal(t, rag.VersionLive, page[0].State)
	require.Equal(t, live.Recipe, page[0].Recipe)
	require.Equal(t, []string{"Warning 4"}, page[0].Warnings)
	require.Equal(t, len("Text 4.\n"), page[0].Bytes)
	require.False(t, page[0].LiveAt.IsZero())
	page, err = b.Versions(t.Context(), b.opsScope, live.DocumentID, page[2].Ordinal, 3)
	require.NoError(t, err)
	require.Equal(t, []int{2, 1}, []int{page[0].Ordinal, page[1].Ordinal})
}
