package db_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// T74, T42: profiles are read within the scope, of live versions only.
func TestProfilesFollowScopeAndVersion(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.put(t, version(b.ops, "a.md", rotate))
	all := []int64{first.VersionID}
	got, err := b.Profiles(t.Context(), b.opsScope, rag.SentenceSet, all)
	require.NoError(t, err)
	require.Len(t, got, 1)
	p := got[first.VersionID]
	require.Equal(t, "runbook", p.DocType)
	require.Len(t, p.Units, len(b.unitsOf(t, first.VersionID)))
	for i, u := range b.unitsOf(t, first.VersionID) {
		require.Equal(t, u.ID, p.Units[i].ID)
		require.Equal(t, u.Span, p.Units[i].Span)
	}

	for _, scope := range []rag.Scope{b.clinicScope, {}} {
		got, err = b.Profiles(t.Context(), scope, rag.SentenceSet, all)
		require.NoError(t, err)
		require.Empty(t, got, "another reader's")
	}
	got, err = b.Profiles(t.Context(), b.opsScope, "tokens-9-0", all)
	require.NoError(t, err)
	require.Empty(t, got, "another set")

	second := b.put(t, version(b.ops, "a.md", "Changed.\n"))
	got, err = b.Profiles(t.Context(), everything, rag.SentenceSet, []int64{first.VersionID, second.VersionID})
	require.NoError(t, err)
	require.NotContains(t, got, first.VersionID, "the version before")
	require.Contains(t, got, second.VersionID)

	require.NoError(t, b.DeleteDocument(t.Context(), everything, second.DocumentID))
	got, err = b.Profiles(t.Context(), everything, rag.SentenceSet, []int64{second.VersionID})
	require.NoError(t, err)
	require.Empty(t, got)
}
