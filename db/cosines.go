package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"passage/rag"
)

// Cosines gives the similarity of the vector to each of the units, for units
// that only the lexical leg found. Units outside the scope, of other embedders
// or without a vector are left out. Errors: CodeUnavailable.
func (s *Store) Cosines(ctx context.Context, scope rag.Scope, embedder string, vector []float32, unitIDs []int64) (map[int64]float64, error) {
	cosines := map[int64]float64{}
	if len(unitIDs) == 0 || !usable(vector) {
		return cosines, nil
	}
	err := s.read(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `
			select e.unit_id, 1 - (e.embedding <=> @vector::halfvec) as cosine
			from embeddings e
			join vector_indexes i on i.id = e.index_id and i.embedder = @embedder and i.dimension = @dimension
			where e.unit_id = any(@units) and (@all_spaces or e.space_id = any(@scope_spaces))`,
			pgx.StrictNamedArgs{
				"vector": pgvector.NewHalfVector(vector), "embedder": clean(embedder), "dimension": len(vector),
				"units": unitIDs, "all_spaces": scope.All, "scope_spaces": scope.Spaces,
			})
		if err != nil {
			return err
		}
		var id int64
		var cosine float64
		_, err = pgx.ForEachRow(rows, []any{&id, &cosine}, func() error {
			cosines[id] = cosine
			return nil
		})
		return err
	})
	return cosines, wrap(err, "compare %d units", len(unitIDs))
}
