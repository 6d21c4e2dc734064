package db_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// T57: a word in another form, or misspelt, leads to the word that is there.
func TestSimilarTerms(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, version(b.ops, "de.md", "Das Zertifikat des Brokers erneuern.\nFehler ERR-4012 melden.\nBackup täglich prüfen.\n"))
	b.put(t, version(b.ops, "en.md", "The kubernet cluster.\nThe certif of the broker.\nDrain the node with kubectl.\nIssue a certif.\n"))
	b.put(t, version(b.ops, "ru.md", "Обновите сертификат брокера.\n"))
	b.put(t, version(b.clinic, "who.md", "Give apixaban twice.\n"))
	words := func(list []rag.SimilarTerm) (out []string) {
		for _, s := range list {
			require.Greater(t, s.Similarity, 0.0)
			require.Less(t, s.Similarity, 1.0)
			require.Positive(t, s.Units)
			out = append(out, s.Term)
		}
		return out
	}
	for name, test := range map[string]struct {
		scope  rag.Scope
		filter rag.Filter
		asked  string
		want   []string
	}{
		"German inflection":             {b.opsScope, rag.Filter{}, "zertifikaten", []string{"zertifikat"}},
		"German compound":               {b.opsScope, rag.Filter{}, "zertifikatsrotation", []string{"zertifikat"}},
		"letters swapped":               {b.opsScope, rag.Filter{}, "kuberent", []string{"kubernet"}},
		"letter left out":               {b.opsScope, rag.Filter{}, "kubctl", []string{"kubectl"}},
		"Russian inflection":            {b.opsScope, rag.Filter{}, "сертификаты", []string{"сертификат"}},
		"nothing like it":               {b.opsScope, rag.Filter{}, "postgres", nil},
		"a code is no word":             {b.opsScope, rag.Filter{}, "err-4013", nil},
		"a word of three letters":       {b.opsScope, rag.Filter{}, "nod", nil},
		"the word itself":               {b.opsScope, rag.Filter{}, "kubectl", nil},
		"in scope":                      {b.clinicScope, rag.Filter{}, "apixabon", []string{"apixaban"}},
		"never from another space":      {b.opsScope, rag.Filter{}, "apixabon", nil},
		"never from a space left out":   {everything, rag.Filter{Spaces: []int64{b.ops.ID}}, "apixabon", nil},
		"never from a type left out":    {everything, rag.Filter{DocTypes: []string{"note"}}, "apixabon", nil},
		"nothing for who reads nothing": {rag.Scope{}, rag.Filter{}, "apixabon", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found, err := b.SimilarTerms(t.Context(), test.scope, test.filter, rag.SentenceSet, []string{test.asked, test.asked})
			require.NoError(t, err)
			require.Equal(t, test.want, words(found[test.asked]))
			require.LessOrEqual(t, len(found), 1)
		})
	}
	found, err := b.SimilarTerms(t.Context(), everything, rag.Filter{}, "chars-60-0", []string{"zertifikaten"})
	require.NoError(t, err)
	require.Empty(t, found, "another set")
	found, err = b.SimilarTerms(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{"certifs"})
	require.NoError(t, err)
	require.Equal(t, rag.SimilarTerm{Term: "certif", Similarity: found["certifs"][0].Similarity, Units: 2}, found["certifs"][0])
}

func TestSimilarTermsTakesAnyTerm(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.put(t, version(b.ops, "a.md", rotate))
	hostile := []string{
		"", "%%%%", "_____", "a:|&!", "'; drop table units; --", "a\x00bcde", "\xff\xfe\xfd\xfc", "ſſſſſ", "水水水水",
		strings.Repeat("y", 100_000), strings.Repeat("ab", 20),
	}
	found, err := b.SimilarTerms(t.Context(), everything, rag.Filter{}, rag.SentenceSet, hostile)
	require.NoError(t, err)
	require.Empty(t, found)
	many := make([]string, 1000)
	for i := range many {
		many[i] = "brokr" + strings.Repeat("x", i%30)
	}
	found, err = b.SimilarTerms(t.Context(), everything, rag.Filter{}, rag.SentenceSet, many)
	require.NoError(t, err)
	require.Equal(t, "broker", found["brokr"][0].Term)
}

// What has left the index stands in for nothing, at once, and its words are
// gone from the list when the postings have been merged.
func TestSimilarTermsOfDeletedDocuments(t *testing.T) {
	t.Parallel()
	b := setup(t)
	first := b.put(t, version(b.ops, "a.md", "The marker xyzzywort.\n"))
	b.put(t, version(b.ops, "b.md", "Another marker.\n"))
	ask := func() map[string][]rag.SimilarTerm {
		found, err := b.SimilarTerms(t.Context(), everything, rag.Filter{}, rag.SentenceSet, []string{"xyzzywurt", "markar"})
		require.NoError(t, err)
		return found
	}
	require.Len(t, ask(), 2)
	b.put(t, version(b.ops, "a.md", "Replaced.\n"))
	require.NotContains(t, ask(), "xyzzywurt")
	require.Equal(t, 1, ask()["markar"][0].Units)
	require.NoError(t, b.MergePostings(t.Context()))
	require.Zero(t, b.count(t, "select count(*) from lexical_words where term = 'xyzzywort'"))
	require.Equal(t, 1, b.count(t, "select count(*) from lexical_words where term = 'marker'"))

	b.put(t, version(b.ops, "a.md", "The marker xyzzywort.\n"))
	require.Len(t, ask(), 2, "the word comes back with a document")
	require.NoError(t, b.DeleteDocument(t.Context(), everything, first.DocumentID))
	require.Zero(t, b.count(t, "select count(*) from lexical_words where term = 'xyzzywort'"))
	require.NotContains(t, ask(), "xyzzywurt")
}
