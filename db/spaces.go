package db

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// maxSpaceName is the most characters of a space's name.
const maxSpaceName = 200

// EnsureSpace gives the space of that name and makes it when there is none.
// Errors: CodeInvalid for an empty or overlong name.
func (s *Store) EnsureSpace(ctx context.Context, name string) (rag.Space, error) {
	name = strings.TrimSpace(clean(name))
	if name == "" || utf8.RuneCountInString(name) > maxSpaceName {
		return rag.Space{}, rag.Errorf(rag.CodeInvalid, "A space needs a name of 1 to %d characters.", maxSpaceName)
	}
	// The update changes nothing, but makes the row come back.
	rows, err := s.pool.Query(ctx, `
		insert into spaces (name) values (@name)
		on conflict (name) do update set name = excluded.name
		returning id, name`, pgx.StrictNamedArgs{"name": name})
	if err != nil {
		return rag.Space{}, wrap(err, "ensure a space")
	}
	space, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[rag.Space])
	return space, wrap(err, "ensure a space")
}

// Spaces lists the readable spaces by name.
func (s *Store) Spaces(ctx context.Context, scope rag.Scope) ([]rag.Space, error) {
	rows, err := s.pool.Query(ctx, `
		select id, name from spaces
		where @all_spaces or id = any(@scope_spaces)
		order by name`, scopeArgs(scope, nil))
	if err != nil {
		return nil, wrap(err, "list spaces")
	}
	spaces, err := pgx.CollectRows(rows, pgx.RowToStructByName[rag.Space])
	return spaces, wrap(err, "list spaces")
}

// DocTypes lists the document types in the order they were made. They belong
// to no space.
func (s *Store) DocTypes(ctx context.Context) ([]rag.DocType, error) {
	rows, err := s.pool.Query(ctx, "select id, name, label, strategy from doc_types order by id")
	if err != nil {
		return nil, wrap(err, "list document types")
	}
	types, err := pgx.CollectRows(rows, pgx.RowToStructByNameLax[rag.DocType])
	for i := range types {
		types[i].Fusion = rag.DefaultFusion(types[i].Name)
	}
	return types, wrap(err, "list document types")
}

// SetStrategy changes how hits in documents of a type grow. Errors: CodeInvalid
// for a strategy that does not validate, CodeNotFound for an unknown type.
func (s *Store) SetStrategy(ctx context.Context, docType string, strategy rag.Strategy) error {
	if err := strategy.Validate(); err != nil {
		return err
	}
	tag, err := s.pool.Exec(ctx, `
		update doc_types set strategy = @strategy, updated_at = now() where name = @name`,
		pgx.StrictNamedArgs{"name": docType, "strategy": strategy})
	return wrap(affected(tag, err, "document type"), "set the strategy of %s", docType)
}

// docTypeIDs gives the ids of types by name, so that searches filter by
// constants. Nil stays nil: not narrowed. Unknown names give no id.
func docTypeIDs(ctx context.Context, tx pgx.Tx, names []string) ([]int64, error) {
	if names == nil {
		return nil, nil
	}
	rows, err := tx.Query(ctx, "select id from doc_types where name = any(@names)",
		pgx.StrictNamedArgs{"names": cleanAll(names)})
	if err != nil {
		return nil, wrap(err, "look up document types")
	}
	ids := []int64{}
	ids, err = pgx.AppendRows(ids, rows, pgx.RowTo[int64])
	return ids, wrap(err, "look up document types")
}
