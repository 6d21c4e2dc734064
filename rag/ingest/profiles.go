package ingest

import (
	"context"

	"passage/rag"
)

// ProfileStore is what adding profiles to live versions needs of the store.
type ProfileStore interface {
	WithoutProfile(ctx context.Context, scope rag.Scope) ([]int64, error)
	Readings(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]*rag.Reading, error)
	PutProfile(ctx context.Context, scope rag.Scope, versionID int64, units []rag.Unit, index []rag.UnitIndex) error
}

// AddProfiles makes the profiles of live versions that were ingested before
// there were any, and gives the number of versions. It reads what is stored and
// needs no embedder. A version that is replaced or deleted meanwhile is left
// out.
func (in *Ingester) AddProfiles(ctx context.Context, store ProfileStore, scope rag.Scope) (int, error) {
	ids, err := store.WithoutProfile(ctx, scope)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, id := range ids {
		readings, err := store.Readings(ctx, scope, []int64{id})
		if err != nil {
			return n, err
		}
		r := readings[id]
		if r == nil {
			continue
		}
		err = store.PutProfile(ctx, scope, id, r.Outline.Units, in.index(r.Document.Title, r.Text, r.Outline, r.Outline.Units))
		switch rag.ErrorCode(err) {
		case "":
			n++
		case rag.CodeNotFound, rag.CodeConflict:
		default:
			return n, err
		}
	}
	return n, nil
}
