package db

import (
	"context"
	"strings"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// maxSuccessor is the most characters of what names a successor.
const maxSuccessor = 1_000

// successorRef is the name of a successor as it is stored.
func successorRef(name string) string {
	name = strings.Join(strings.Fields(clean(name)), " ")
	if runes := []rune(name); len(runes) > maxSuccessor {
		name = string(runes[:maxSuccessor])
	}
	return name
}

// carry writes into a document's row what its live version says of it. What a
// person said by hand stays until a version says something else than the one
// before it, that was retired for it.
func carry(ctx context.Context, tx pgx.Tx, documentID, versionID int64, retired []int64) error {
	_, err := tx.Exec(ctx, `
		update documents d
		set title = v.title, doc_type_id = v.doc_type_id, changed_at = v.live_at,
		    review_due = case when v.keep_review then d.review_due else v.review_due end,
		    review_by_hand = v.keep_review,
		    superseded_by = case when v.keep_superseded then d.superseded_by else v.superseded_by end,
		    superseded_by_hand = v.keep_superseded
		from (
			select v.title, v.doc_type_id, v.live_at, v.review_due, v.superseded_by,
			       h.review_by_hand and v.review_due is not distinct from o.review_due as keep_review,
			       h.superseded_by_hand and v.superseded_by = coalesce(o.superseded_by, '') as keep_superseded
			from versions v
			join documents h on h.id = v.document_id
			left join versions o on o.id = any(@retired)
			where v.id = @version
			limit 1
		) v
		where d.id = @document`,
		pgx.StrictNamedArgs{"document": documentID, "version": versionID, "retired": retired})
	return wrap(err, "carry what version %d says into document %d", versionID, documentID)
}

// NoteDocument sets a document's review date and what takes its place. Errors:
// CodeNotFound, CodeInvalid when the successor is not there, is the document
// itself, or is superseded by it.
func (s *Store) NoteDocument(ctx context.Context, scope rag.Scope, id int64, note rag.DocumentNote) error {
	name := successorRef(note.SupersededBy)
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := lockDocument(ctx, tx, scope, id); err != nil {
			return err
		}
		uri := ""
		if name != "" {
			var err error
			if uri, err = findSuccessor(ctx, tx, id, name); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `
			update documents
			set review_by_hand = review_by_hand or review_due is distinct from @review_due::date, review_due = @review_due::date,
			    superseded_by_hand = superseded_by_hand or superseded_by <> @superseded_by, superseded_by = @superseded_by
			where id = @id`,
			pgx.StrictNamedArgs{"id": id, "review_due": day(note.ReviewDue), "superseded_by": uri})
		return err
	})
	return wrap(err, "note what is said of document %d", id)
}

// lockDocument keeps others from changing a document until the transaction
// ends. Errors: CodeNotFound.
func lockDocument(ctx context.Context, tx pgx.Tx, scope rag.Scope, id int64) error {
	err := tx.QueryRow(ctx, `
		select id
		from documents
		where id = @id and (@all_spaces or space_id = any(@scope_spaces))
		for no key update`, scopeArgs(scope, pgx.StrictNamedArgs{"id": id})).Scan(&id)
	return wrap(orNotFound(err, "document"), "lock document %d", id)
}

// successorOf is the document that d.superseded_by names: the one with that
// source URI, else the oldest with that title.
const successorOf = `
	from documents o
	where d.superseded_by <> '' and o.space_id = d.space_id and o.id <> d.id
	  and (o.source_uri = d.superseded_by or lower(left(o.title, 200)) = lower(left(d.superseded_by, 200)))
	order by o.source_uri <> d.superseded_by, o.id
	limit 1`

// findSuccessor gives the source URI of the document that a person names.
func findSuccessor(ctx context.Context, tx pgx.Tx, id int64, name string) (string, error) {
	rows, err := tx.Query(ctx, `
		select o.source_uri, o.id = d.id as itself, o.source_uri = @name as exact,
		       o.superseded_by in (d.source_uri, d.title) as back
		from documents d
		join documents o on o.space_id = d.space_id
		where d.id = @id and (o.source_uri = @name or lower(left(o.title, 200)) = lower(left(@name, 200)))
		order by o.source_uri <> @name, o.id
		limit 2`, pgx.StrictNamedArgs{"id": id, "name": name})
	if err != nil {
		return "", err
	}
	type candidate struct {
		SourceURI           string
		Itself, Exact, Back bool
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[candidate])
	switch {
	case err != nil:
		return "", err
	case len(found) == 0:
		return "", rag.Errorf(rag.CodeInvalid, "There is no document “%s” in this space. Give the source or the whole title of one.", name)
	case found[0].Itself:
		return "", rag.Errorf(rag.CodeInvalid, "A document cannot take its own place. Name another one.")
	case len(found) > 1 && !found[0].Exact:
		return "", rag.Errorf(rag.CodeInvalid, "More than one document is called “%s”. Give the source of the one you mean.", name)
	case found[0].Back:
		return "", rag.Errorf(rag.CodeInvalid, "“%s” is itself superseded by this document. Change that first.", name)
	}
	return found[0].SourceURI, nil
}
