package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// documentRow is a rag.Document as the queries below give it.
type documentRow struct {
	ID, SpaceID      int64
	Space, SourceURI string
	Title, DocType   string
	Date, Updated    time.Time
	ReviewDue        *time.Time
	VersionID        int64
	Ordinal, Units   int
	SupersededBy     string
	SuccessorID      *int64
	SuccessorTitle   *string
}

func (r documentRow) document() rag.Document {
	d := rag.Document{
		ID: r.ID, SpaceID: r.SpaceID, Space: r.Space, SourceURI: r.SourceURI, Title: r.Title, DocType: r.DocType,
		Date: r.Date, ReviewDue: moment(r.ReviewDue), VersionID: r.VersionID, Ordinal: r.Ordinal,
		Updated: r.Updated, Units: r.Units, SupersededBy: r.SupersededBy,
	}
	if r.SuccessorID != nil {
		d.Successor = rag.Successor{ID: *r.SuccessorID, Title: *r.SuccessorTitle}
	}
	return d
}

// documentQuery reads documents d with their live version v; the caller adds the
// where clause.
const documentQuery = `
	select d.id, d.space_id, s.name as space, d.source_uri, d.title, t.name as doc_type,
	       coalesce(v.doc_date::timestamptz, v.created_at, d.created_at) as date, d.review_due::timestamptz,
	       coalesce(v.id, 0) as version_id, coalesce(v.ordinal, 0) as ordinal,
	       d.changed_at as updated,
	       (select coalesce(sum(l.units), 0) from lexical_totals l where l.version_id = v.id) as units,
	       d.superseded_by, successor.id as successor_id, successor.title as successor_title
	from documents d
	join spaces s on s.id = d.space_id
	join doc_types t on t.id = d.doc_type_id
	left join versions v on v.document_id = d.id and v.state = 'live'
	left join lateral (select o.id, o.title` + successorOf + `) successor on true`

// versionQuery reads versions c with the number of their units that can be
// found, and their documents as they were called and dated in that version; the
// live version is v. What is said of a document holds for all its versions.
const versionQuery = `
	select d.id, d.space_id, s.name as space, d.source_uri, c.title, t.name as doc_type,
	       coalesce(c.doc_date::timestamptz, c.created_at) as date,
	       case when c.state = 'live' then d.review_due else c.review_due end::timestamptz as review_due,
	       coalesce(v.id, 0) as version_id, coalesce(v.ordinal, 0) as ordinal,
	       d.changed_at as updated,
	       (select coalesce(sum(l.units), 0) from lexical_totals l where l.version_id = v.id) as units,
	       d.superseded_by, successor.id as successor_id, successor.title as successor_title,
	       c.id as read_id,
	       (select coalesce(sum(l.units), 0) from lexical_totals l where l.version_id = c.id) as read_units
	from versions c
	join documents d on d.id = c.document_id
	join spaces s on s.id = d.space_id
	join doc_types t on t.id = c.doc_type_id
	left join versions v on v.document_id = d.id and v.state = 'live'
	left join lateral (select o.id, o.title` + successorOf + `) successor on true`

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

// DeleteDocument removes a document with all its versions from every index at
// once; citations of it say that it is deleted. Errors: CodeNotFound.
func (s *Store) DeleteDocument(ctx context.Context, scope rag.Scope, id int64) error {
	err := s.write(ctx, func(tx pgx.Tx) error {
		if err := unhurried(ctx, tx); err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `
			with gone as (
			    delete from documents
			    where id = @id and (@all_spaces or space_id = any(@scope_spaces))
			    returning space_id, source_uri
			), dropped as ( -- what was on its way to it would bring it back
			    update jobs j
			    set state = 'cancelled', stage = '', message = 'The document was deleted.', finished_at = now(), next_try_at = null
			    from gone g
			    where j.space_id = g.space_id and j.source_uri = g.source_uri and j.state in ('queued', 'running')
			    returning j.id
			), vectors as (
			    delete from job_vectors where job_id in (select id from dropped)
			)
			select from gone`,
			scopeArgs(scope, pgx.StrictNamedArgs{"id": id}))
		return affected(tag, err, "document")
	})
	if err == nil {
		s.mergeIfDue(ctx, reducedGroups)
	}
	return wrap(err, "delete document %d", id)
}
