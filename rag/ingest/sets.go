package ingest

import (
	"context"

	"passage/rag"
	"passage/rag/split"
)

// SetStore is what adding a unit set to live versions needs of the store.
type SetStore interface {
	LiveVersions(ctx context.Context, scope rag.Scope, f rag.Filter, missing rag.UnitSet) ([]int64, error)
	Readings(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]*rag.Reading, error)
	AddUnits(ctx context.Context, scope rag.Scope, versionID int64, units []rag.Unit, index []rag.UnitIndex, embedder string, dimension int) error
}

// AddSet chunks, indexes and embeds every live version in the filter that lacks
// the units of the strategy, and gives their number. An evaluation asks for it
// before it compares fixed chunks; versions that have the set are left alone.
func (in *Ingester) AddSet(ctx context.Context, store SetStore, scope rag.Scope, f rag.Filter, s rag.Strategy) (int, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	set := s.UnitSet(in.cut.ChunkTokens())
	if set == rag.SentenceSet {
		return 0, nil
	}
	ids, err := store.LiveVersions(ctx, scope, f, set)
	if err != nil {
		return 0, err
	}
	for _, id := range ids {
		if err := in.addSet(ctx, store, scope, id, s); err != nil {
			return 0, err
		}
	}
	return len(ids), nil
}

func (in *Ingester) addSet(ctx context.Context, store SetStore, scope rag.Scope, id int64, s rag.Strategy) error {
	readings, err := store.Readings(ctx, scope, []int64{id})
	if err != nil {
		return err
	}
	r := readings[id]
	if r == nil {
		return nil // deleted meanwhile
	}
	units, err := split.Chunks(r.Text, &r.Outline, s, in.cut.Chunker())
	if err != nil {
		return err
	}
	index := in.index(r.Document.Title, r.Text, r.Outline, units)
	embedder, dimension := "", 0
	if in.embedder != nil {
		embedder, dimension = in.embedder.ID(), in.embedder.Dimension()
		if err := embedAll(ctx, in.embedder, r.Document.Title, r.Text, r.Outline, units, index); err != nil {
			return err
		}
	}
	return store.AddUnits(ctx, scope, id, units, index, embedder, dimension)
}
