package db

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/pgvector/pgvector-go"

	"passage/rag"
)

// The shape of an HNSW graph. With ef_construction 128 a search finds 99 % of
// what an exact scan finds, with 64 it is 91 %, for a third more building time.
const (
	hnswLinks          = 16
	hnswEfConstruction = 128
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

// growIndexes gives a set its HNSW index once it has outgrown the exact scan.
// Vectors are committed before, and a search without the index still finds
// them, only slower; so a fault here is logged and the next version tries again.
func (s *Store) growIndexes(ctx context.Context, indexes map[rag.UnitSet]int) {
	for _, id := range indexes {
		dimension, err := s.outgrown(ctx, id)
		if err == nil && dimension > 0 {
			err = s.buildIndex(ctx, id, dimension)
		}
		if err != nil {
			s.log.WarnContext(ctx, "vector index was not built", "index_id", id, "error", err)
		}
	}
}

// outgrown gives the dimension of a vector index that needs an HNSW index and
// has none, else 0.
func (s *Store) outgrown(ctx context.Context, id int) (int, error) {
	rows, err := s.pool.Query(ctx, `
		select dimension from vector_indexes x
		where x.id = @id and to_regclass('embeddings_hnsw_' || x.id) is null
		  and (select count(*) from (select from embeddings e where e.index_id = @id limit @limit + 1) as few) > @limit`,
		pgx.StrictNamedArgs{"id": id, "limit": s.exactLimit})
	if err != nil {
		return 0, wrap(err, "measure vector index %d", id)
	}
	dimensions, err := pgx.CollectRows(rows, pgx.RowTo[int])
	if err != nil || len(dimensions) == 0 {
		return 0, wrap(err, "measure vector index %d", id)
	}
	return dimensions[0], nil
}

// buildIndex creates the HNSW index. Writers of vectors wait meanwhile, some
// seconds at the size where it is first needed; readers do not.
func (s *Store) buildIndex(ctx context.Context, id, dimension int) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := unhurried(ctx, tx); err != nil {
			return err
		}
		// "if not exists" alone fails when two processes build at once.
		if err := takeLock(ctx, tx, fmt.Sprintf("hnsw/%d", id)); err != nil {
			return err
		}
		// One worker: parallel builds need more shared memory than containers
		// give, and were wrong before pgvector 0.8.3.
		if _, err := tx.Exec(ctx, "set local max_parallel_maintenance_workers = 0"); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, "set local maintenance_work_mem = '256MB'"); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, hnswStatement(id, dimension))
		return err
	})
	return wrap(err, "build vector index %d", id)
}

// hnswStatement is formatted from whole numbers only: a statement that defines
// something takes no parameters.
func hnswStatement(id, dimension int) string {
	return fmt.Sprintf(`
		create index if not exists embeddings_hnsw_%d on embeddings
		using hnsw ((embedding::halfvec(%d)) halfvec_cosine_ops)
		with (m = %d, ef_construction = %d)
		where index_id = %d`, id, dimension, hnswLinks, hnswEfConstruction, id)
}
