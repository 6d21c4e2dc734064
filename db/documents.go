package db

import (
	"context"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// maxPage is the most documents of one page of a list.
const maxPage = 200

// documentRow is a rag.Document as the queries below give it.
type documentRow struct {
	ID, SpaceID      int64
	Space, SourceURI string
	Title, DocType   string
	Date, Updated    time.Time
	ReviewDue        *time.Time
	VersionID        int64
	Ordinal, Units   int
}

func (r documentRow) document() rag.Document {
	return rag.Document{
		ID: r.ID, SpaceID: r.SpaceID, Space: r.Space, SourceURI: r.SourceURI, Title: r.Title, DocType: r.DocType,
		Date: r.Date, ReviewDue: moment(r.ReviewDue), VersionID: r.VersionID, Ordinal: r.Ordinal,
		Updated: r.Updated, Units: r.Units,
	}
}

// documentQuery reads documents with their live version v; the caller adds the
// where clause.
const documentQuery = `
	select d.id, d.space_id, s.name as space, d.source_uri, d.title, t.name as doc_type,
	       coalesce(v.doc_date::timestamptz, v.created_at, d.created_at) as date, v.review_due::timestamptz,
	       coalesce(v.id, 0) as version_id, coalesce(v.ordinal, 0) as ordinal,
	       coalesce(v.live_at, d.created_at) as updated,
	       (select coalesce(sum(l.units), 0) from lexical_totals l where l.version_id = v.id) as units
	from documents d
	join spaces s on s.id = d.space_id
	join doc_types t on t.id = d.doc_type_id
	left join versions v on v.document_id = d.id and v.state = 'live'`

// versionQuery reads versions c with the number of their units that can be
// found, and their documents as they were called and dated in that version; the
// live version is v.
const versionQuery = `
	select d.id, d.space_id, s.name as space, d.source_uri, c.title, t.name as doc_type,
	       coalesce(c.doc_date::timestamptz, c.created_at) as date, c.review_due::timestamptz,
	       coalesce(v.id, 0) as version_id, coalesce(v.ordinal, 0) as ordinal,
	       coalesce(v.live_at, d.created_at) as updated,
	       (select coalesce(sum(l.units), 0) from lexical_totals l where l.version_id = v.id) as units,
	       c.id as read_id,
	       (select coalesce(sum(l.units), 0) from lexical_totals l where l.version_id = c.id) as read_units
	from versions c
	join documents d on d.id = c.document_id
	join spaces s on s.id = d.space_id
	join doc_types t on t.id = c.doc_type_id
	left join versions v on v.document_id = d.id and v.state = 'live'`

// Document reads one document. Errors: CodeNotFound.
func (s *Store) Document(ctx context.Context, scope rag.Scope, id int64) (rag.Document, error) {
	rows, err := s.pool.Query(ctx, documentQuery+`
		where d.id = @id and (@all_spaces or d.space_id = any(@scope_spaces))`,
		scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
	if err != nil {
		return rag.Document{}, wrap(err, "read document %d", id)
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[documentRow])
	return row.document(), wrap(orNotFound(err, "document"), "read document %d", id)
}

// documentFilter is the condition of a list of documents. Every word must stand
// in the title or the source URI.
const documentFilter = `
	where (@all_spaces or d.space_id = any(@scope_spaces))
	  and (@spaces::bigint[] is null or d.space_id = any(@spaces))
	  and (@doc_types::bigint[] is null or d.doc_type_id = any(@doc_types))
	  and not exists (
	      select from unnest(@words::text[]) as word
	      where strpos(lower(d.title || ' ' || d.source_uri), lower(word)) = 0)`

// Documents lists a page of documents by title, and counts all that the filter
// leaves. Errors: CodeInvalid for a limit outside 1–200 or a negative offset.
func (s *Store) Documents(ctx context.Context, scope rag.Scope, filter rag.DocumentFilter) ([]rag.Document, int, error) {
	if filter.Limit < 1 || filter.Limit > maxPage || filter.Offset < 0 {
		return nil, 0, rag.Errorf(rag.CodeInvalid, "A page holds 1 to %d documents and begins at 0 or later.", maxPage)
	}
	var docs []rag.Document
	var total int
	err := s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		words := strings.Fields(clean(filter.Words))
		err = tx.QueryRow(ctx, "select count(*) from documents d"+documentFilter,
			filterArgs(scope, filter.Spaces, types, pgx.StrictNamedArgs{"words": words})).Scan(&total)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, documentQuery+documentFilter+`
			order by lower(d.title), d.id
			limit @limit offset @offset`,
			filterArgs(scope, filter.Spaces, types, pgx.StrictNamedArgs{
				"words": words, "limit": filter.Limit, "offset": filter.Offset,
			}))
		if err != nil {
			return err
		}
		docs, err = pgx.CollectRows(rows, func(row pgx.CollectableRow) (rag.Document, error) {
			r, err := pgx.RowToStructByName[documentRow](row)
			return r.document(), err
		})
		return err
	})
	return docs, total, wrap(err, "list documents")
}

// DeleteDocument removes a document with all its versions from every index at
// once; citations of it say that it is deleted. Errors: CodeNotFound.
func (s *Store) DeleteDocument(ctx context.Context, scope rag.Scope, id int64) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := unhurried(ctx, tx); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			delete from documents
			where id = @id and (@all_spaces or space_id = any(@scope_spaces))`,
			scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
		return affected(tag, err, "document")
	})
	if err == nil {
		s.mergeIfDue(ctx, reducedGroups)
	}
	return wrap(err, "delete document %d", id)
}
