package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Sources reads the live texts of the documents with these source URIs, in the
// spaces of the list, or in all that the scope reads for nil.
func (s *Store) Sources(ctx context.Context, scope rag.Scope, spaces []int64, uris []string) ([]rag.Source, error) {
	rows, err := s.pool.Query(ctx, `
		select d.id, d.space_id, s.name as space, d.source_uri, v.title, t.name as doc_type,
		       coalesce(v.doc_date::timestamptz, v.created_at) as date, d.review_due::timestamptz,
		       v.id as version_id, v.ordinal, coalesce(v.live_at, d.created_at) as updated, 0 as units,
		       d.superseded_by, null::bigint as successor_id, null::text as successor_title, v.body
		from documents d
		join spaces s on s.id = d.space_id
		join versions v on v.document_id = d.id and v.state = 'live'
		join doc_types t on t.id = v.doc_type_id
		where d.source_uri = any(@uris)
		  and (@spaces::bigint[] is null or d.space_id = any(@spaces))
		  and (@all_spaces or d.space_id = any(@scope_spaces))
		order by d.id`, scopeArgs(scope, pgx.StrictNamedArgs{"spaces": spaces, "uris": cleanAll(uris)}))
	if err != nil {
		return nil, wrap(err, "read sources")
	}
	type sourceRow struct {
		documentRow
		Body string
	}
	sources, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (rag.Source, error) {
		r, err := pgx.RowToStructByName[sourceRow](row)
		return rag.Source{Document: r.document(), Text: r.Body}, err
	})
	return sources, wrap(err, "read sources")
}

// Texts reads the texts of versions that are live or superseded; what the scope
// may not read is missing from the map.
func (s *Store) Texts(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]string, error) {
	rows, err := s.pool.Query(ctx, `
		select v.id, v.body
		from versions v
		join documents d on d.id = v.document_id
		where v.id = any(@ids) and v.state in ('live', 'superseded')
		  and (@all_spaces or d.space_id = any(@scope_spaces))`,
		scopeArgs(scope, pgx.StrictNamedArgs{"ids": versionIDs}))
	if err != nil {
		return nil, wrap(err, "read texts")
	}
	texts := map[int64]string{}
	var id int64
	var body string
	_, err = pgx.ForEachRow(rows, []any{&id, &body}, func() error {
		texts[id] = body
		return nil
	})
	return texts, wrap(err, "read texts")
}

// CorpusSize counts the live documents in the filter and their units, those of
// all sets together.
func (s *Store) CorpusSize(ctx context.Context, scope rag.Scope, filter rag.Filter) (documents, units int, err error) {
	err = s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		return tx.QueryRow(ctx, `
			select count(distinct l.version_id), coalesce(sum(l.units), 0)
			from lexical_totals l`+liveFilter,
			filterArgs(scope, filter.Spaces, types, nil)).Scan(&documents, &units)
	})
	return documents, units, wrap(err, "count the documents")
}

// liveFilter is the condition on lexical_totals l, which holds live versions
// only.
const liveFilter = `
	where (@all_spaces or l.space_id = any(@scope_spaces))
	  and (@spaces::bigint[] is null or l.space_id = any(@spaces))
	  and (@doc_types::bigint[] is null or l.doc_type_id = any(@doc_types))`

// CommonSets lists by name the unit sets that every live version in the filter
// has.
func (s *Store) CommonSets(ctx context.Context, scope rag.Scope, filter rag.Filter) ([]rag.UnitSet, error) {
	var sets []rag.UnitSet
	err := s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			with held as (select l.version_id, l.unit_set from lexical_totals l`+liveFilter+`)
			select unit_set from held
			group by unit_set
			having count(*) = (select count(distinct version_id) from held)
			order by unit_set`, filterArgs(scope, filter.Spaces, types, nil))
		if err != nil {
			return err
		}
		sets, err = pgx.CollectRows(rows, pgx.RowTo[rag.UnitSet])
		return err
	})
	return sets, wrap(err, "list unit sets")
}
