package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Embedders counts the live documents by the embedder of their vectors; ""
// stands for documents without vectors. A search with another embedder finds
// these by their words only.
func (s *Store) Embedders(ctx context.Context, scope rag.Scope) (map[string]int, error) {
	counts := map[string]int{}
	rows, err := s.pool.Query(ctx, `
		select v.embedder, count(*)
		from versions v
		join documents d on d.id = v.document_id
		where v.state = 'live' and (@all_spaces or d.space_id = any(@scope_spaces))
		group by v.embedder`, scopeArgs(scope, pgx.StrictNamedArgs{}))
	if err != nil {
		return nil, wrap(err, "count embedders")
	}
	var embedder string
	var n int
	_, err = pgx.ForEachRow(rows, []any{&embedder, &n}, func() error {
		counts[embedder] = n
		return nil
	})
	return counts, wrap(err, "count embedders")
}
