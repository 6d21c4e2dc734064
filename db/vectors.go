package db

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"passage/rag"
)

// vectorIndexes gives the vector index of each unit set for an embedder, and
// makes those that are missing. Without an embedder there are none.
func (s *Store) vectorIndexes(ctx context.Context, embedder string, dimension int, sets []rag.UnitSet) (map[rag.UnitSet]int, error) {
	indexes := map[rag.UnitSet]int{}
	if embedder == "" {
		return indexes, nil
	}
	for _, set := range sets {
		id, held, err := s.vectorIndex(ctx, embedder, set, dimension)
		if err != nil {
			return nil, wrap(err, "find the vector index of %s for %s", set, embedder)
		}
		if held != dimension {
			return nil, rag.Errorf(rag.CodeConflict,
				"The embedder %s gave vectors of %d numbers before and gives %d now. Give it another name, so that the documents are indexed anew.",
				embedder, held, dimension)
		}
		indexes[set] = id
	}
	return indexes, nil
}

func (s *Store) vectorIndex(ctx context.Context, embedder string, set rag.UnitSet, dimension int) (id, held int, err error) {
	_, err = s.pool.Exec(ctx, `
		insert into vector_indexes (embedder, unit_set, dimension)
		select @embedder, @set, @dimension
		where not exists (select from vector_indexes where embedder = @embedder and unit_set = @set)
		on conflict (embedder, unit_set) do nothing`,
		pgx.StrictNamedArgs{"embedder": embedder, "set": string(set), "dimension": dimension})
	if err != nil {
		return 0, 0, err
	}
	err = s.pool.QueryRow(ctx, "select id, dimension from vector_indexes where embedder = @embedder and unit_set = @set",
		pgx.StrictNamedArgs{"embedder": embedder, "set": string(set)}).Scan(&id, &held)
	return id, held, err
}

func writeVectors(ctx context.Context, tx pgx.Tx, at home, units []rag.Unit, ids []int64, index []rag.UnitIndex, indexes map[rag.UnitSet]int) error {
	if len(indexes) == 0 {
		return nil
	}
	columns := []string{"unit_id", "index_id", "version_id", "space_id", "doc_type_id", "embedding"}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"embeddings"}, columns,
		pgx.CopyFromSlice(len(units), func(i int) ([]any, error) {
			return []any{
				ids[i], indexes[units[i].Set], at.version, at.space, at.docType,
				pgvector.NewHalfVector(index[i].Vector),
			}, nil
		}))
	return wrap(err, "write the vectors of version %d", at.version)
}
