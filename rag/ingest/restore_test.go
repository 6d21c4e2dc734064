package ingest

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
)

// shelf is a store that holds one earlier version.
type shelf struct {
	reading rag.Reading
	put     *rag.Restoration
	types   []rag.DocType
}

func (s *shelf) DocTypes(context.Context) ([]rag.DocType, error) { return s.types, nil }

func (s *shelf) Reading(context.Context, rag.Scope, int64, int64) (*rag.Reading, error) {
	return &s.reading, nil
}

func (s *shelf) RestoreVersion(_ context.Context, _ rag.Scope, r rag.Restoration) (rag.Live, error) {
	s.put = &r
	return rag.Live{DocumentID: r.DocumentID, VersionID: r.VersionID}, nil
}

func shelved(t *testing.T, strategy rag.Strategy) (*Ingester, *shelf, *counting) {
	t.Helper()
	in, store, embedder := setup(t)
	ingestPage(t, in, "kafka/restart.md", page)
	v := store.live["kafka/restart.md"]
	for i := range v.Outline.Units {
		v.Outline.Units[i].ID = int64(i) + 1
	}
	types := rag.DefaultDocTypes()
	for i := range types {
		if types[i].Name == "runbook" {
			types[i].Strategy = strategy
		}
	}
	embedder.texts = 0
	return in, &shelf{types: types, reading: rag.Reading{
		Document: rag.Document{Title: v.Title, DocType: v.DocType}, Version: 7, Text: v.Text, Outline: v.Outline,
	}}, embedder
}

func TestRestoreIndexesAsIngestDoes(t *testing.T) {
	t.Parallel()
	in, s, embedder := shelved(t, rag.Strategy{Kind: rag.SentenceWindow, K: 1})
	live, err := in.Restore(t.Context(), s, rag.Scope{}, 3, 7, 9)
	require.NoError(t, err)
	require.Equal(t, int64(7), live.VersionID)
	units := s.reading.Outline.Units
	require.Equal(t, units, s.put.Units)
	require.Equal(t, len(units), embedder.texts)
	require.Equal(t, "counting/1", s.put.Embedder)
	require.Equal(t, int64(9), s.put.Live)
	require.Equal(t, in.index("Restart Kafka", page, s.reading.Outline, units)[0].Terms, s.put.Index[0].Terms)
	for _, x := range s.put.Index {
		require.Len(t, x.Vector, 2)
	}
}

// The document type may be searched by chunks since.
func TestRestoreAddsTheChunksOfItsType(t *testing.T) {
	t.Parallel()
	strategy := rag.Strategy{Kind: rag.FixedChars, Size: 60, Overlap: 10}
	in, s, embedder := shelved(t, strategy)
	_, err := in.Restore(t.Context(), s, rag.Scope{}, 3, 7, 0)
	require.NoError(t, err)
	before := len(s.reading.Outline.Units)
	require.Greater(t, len(s.put.Units), before)
	for _, u := range s.put.Units[before:] {
		require.Zero(t, u.ID)
		require.Equal(t, strategy.UnitSet(in.cut.ChunkTokens()), u.Set)
	}
	require.Equal(t, len(s.put.Units), embedder.texts)
	require.Len(t, s.put.Index, len(s.put.Units))
}

func TestRestoreWithoutItsEmbedder(t *testing.T) {
	t.Parallel()
	in, s, embedder := shelved(t, rag.Strategy{Kind: rag.SentenceWindow, K: 1})
	embedder.err = rag.Errorf(rag.CodeUnavailable, "The embedding server cannot be reached.")
	_, err := in.Restore(t.Context(), s, rag.Scope{}, 3, 7, 0)
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
	require.Nil(t, s.put)
}

func TestPresentRecipe(t *testing.T) {
	t.Parallel()
	in, _, _ := setup(t)
	now := in.Present(rag.Recipe{Extractor: "markdown/0", Splitter: "split/0", Embedder: "other/1"})
	require.Equal(t, rag.Recipe{Extractor: extract.MarkdownID, Splitter: in.cut.Recipe(), Embedder: "counting/1"}, now)
	require.Equal(t, "wiki/1", in.Present(rag.Recipe{Extractor: "wiki/1"}).Extractor, "what is not known is left alone")
}
