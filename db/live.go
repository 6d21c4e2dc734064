package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// liveQuery reads versions as rag.Live; the caller adds the where clause.
const liveQuery = `
	select d.id as document_id, v.id as version_id, d.source_uri, v.content_hash, t.name as doc_type,
	       v.extractor, v.splitter, v.embedder,
	       array(select unit_set from lexical_totals l where l.version_id = v.id order by unit_set) as sets
	from versions v
	join documents d on d.id = v.document_id
	join doc_types t on t.id = v.doc_type_id`

func collectLive(rows pgx.Rows) ([]rag.Live, error) {
	type liveRow struct {
		DocumentID, VersionID         int64
		SourceURI, DocType            string
		ContentHash                   []byte
		Extractor, Splitter, Embedder string
		Sets                          []rag.UnitSet
	}
	return pgx.CollectRows(rows, func(row pgx.CollectableRow) (rag.Live, error) {
		r, err := pgx.RowToStructByName[liveRow](row)
		if err != nil {
			return rag.Live{}, err
		}
		live := rag.Live{
			DocumentID: r.DocumentID, VersionID: r.VersionID, SourceURI: r.SourceURI, DocType: r.DocType,
			Recipe: rag.Recipe{Extractor: r.Extractor, Splitter: r.Splitter, Embedder: r.Embedder}, Sets: r.Sets,
		}
		copy(live.Hash[:], r.ContentHash)
		return live, nil
	})
}

// firstLive is for a query that should give one row.
func firstLive(rows pgx.Rows) (rag.Live, error) {
	list, err := collectLive(rows)
	if err == nil && len(list) == 0 {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return rag.Live{}, orNotFound(err, "document")
	}
	return list[0], nil
}

func liveVersion(ctx context.Context, tx pgx.Tx, versionID int64) (rag.Live, error) {
	rows, err := tx.Query(ctx, liveQuery+" where v.id = @version", pgx.StrictNamedArgs{"version": versionID})
	if err != nil {
		return rag.Live{}, wrap(err, "read version %d", versionID)
	}
	live, err := firstLive(rows)
	return live, wrap(err, "read version %d", versionID)
}

// LiveVersion describes the live version of a source. Errors: CodeNotFound.
func (s *Store) LiveVersion(ctx context.Context, scope rag.Scope, spaceID int64, sourceURI string) (rag.Live, error) {
	rows, err := s.pool.Query(ctx, liveQuery+`
		where d.space_id = @space and d.source_uri = @uri and v.state = 'live'
		  and (@all_spaces or d.space_id = any(@scope_spaces))`,
		scopeArgs(scope, pgx.StrictNamedArgs{"space": spaceID, "uri": clean(sourceURI)}))
	if err != nil {
		return rag.Live{}, wrap(err, "find %q in space %d", sourceURI, spaceID)
	}
	live, err := firstLive(rows)
	return live, wrap(err, "find %q in space %d", sourceURI, spaceID)
}

// LiveByHash describes the live version of a space that was made of the bytes
// with that SHA-256; the oldest document when several are. Errors: CodeNotFound.
func (s *Store) LiveByHash(ctx context.Context, scope rag.Scope, spaceID int64, hash [32]byte) (rag.Live, error) {
	rows, err := s.pool.Query(ctx, liveQuery+`
		where v.content_hash = @hash and v.state = 'live' and d.space_id = @space
		  and (@all_spaces or d.space_id = any(@scope_spaces))
		order by d.id
		limit 1`, scopeArgs(scope, pgx.StrictNamedArgs{"space": spaceID, "hash": hash[:]}))
	if err != nil {
		return rag.Live{}, wrap(err, "find bytes in space %d", spaceID)
	}
	live, err := firstLive(rows)
	return live, wrap(err, "find bytes in space %d", spaceID)
}

// LiveVersions lists the live versions within the filter that lack a unit set,
// oldest first; all of them when missing is "".
func (s *Store) LiveVersions(ctx context.Context, scope rag.Scope, filter rag.Filter, missing rag.UnitSet) ([]int64, error) {
	var ids []int64
	err := s.read(ctx, func(tx pgx.Tx) error {
		types, err := docTypeIDs(ctx, tx, filter.DocTypes)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, `
			select v.id
			from versions v
			join documents d on d.id = v.document_id
			where v.state = 'live'
			  and (@all_spaces or d.space_id = any(@scope_spaces))
			  and (@spaces::bigint[] is null or d.space_id = any(@spaces))
			  and (@doc_types::bigint[] is null or v.doc_type_id = any(@doc_types))
			  and not exists (select from lexical_totals l where l.version_id = v.id and l.unit_set = @missing)
			order by v.id`,
			filterArgs(scope, filter.Spaces, types, pgx.StrictNamedArgs{"missing": string(missing)}))
		if err != nil {
			return err
		}
		ids, err = pgx.CollectRows(rows, pgx.RowTo[int64])
		return err
	})
	return ids, wrap(err, "list live versions without %q", missing)
}

// AddUnits adds a further unit set to a live version, with as many vectors as
// units, of the version's own embedder. Errors: CodeNotFound, CodeConflict when
// the version is no longer live, has the set, or has another embedder.
func (s *Store) AddUnits(ctx context.Context, scope rag.Scope, versionID int64, units []rag.Unit, index []rag.UnitIndex, embedder string, dimension int) error {
	if err := checkIndex(units, index, embedder, dimension); err != nil {
		return wrap(err, "check units for version %d", versionID)
	}
	indexes, err := s.vectorIndexes(ctx, embedder, dimension, unitSets(units))
	if err != nil {
		return err
	}
	err = s.makeGroups(ctx, unitSets(units), homeOfVersion, pgx.StrictNamedArgs{"version": versionID})
	if err != nil {
		return err
	}
	err = s.write(ctx, func(tx pgx.Tx) error {
		return addUnits(ctx, tx, scope, versionID, units, index, embedder, indexes)
	})
	if err != nil {
		return wrap(err, "add units to version %d", versionID)
	}
	s.growIndexes(ctx, indexes)
	s.mergeIfDue(ctx, dueGroups)
	return nil
}

func addUnits(ctx context.Context, tx pgx.Tx, scope rag.Scope, versionID int64, units []rag.Unit, index []rag.UnitIndex, embedder string, indexes map[rag.UnitSet]int) error {
	if err := unhurried(ctx, tx); err != nil {
		return err
	}
	v := struct {
		state, embedder, text string
		sections              int
		steps                 []int
	}{}
	at := home{version: versionID}
	// The lock keeps the version from being replaced meanwhile.
	err := tx.QueryRow(ctx, `
		select v.state, v.embedder, v.body, d.space_id, v.doc_type_id,
		       (select count(*) from sections where version_id = v.id),
		       array(select jsonb_array_length(steps) from procedures where version_id = v.id order by ordinal)
		from versions v
		join documents d on d.id = v.document_id
		where v.id = @version and (@all_spaces or d.space_id = any(@scope_spaces))
		for no key update of v`, scopeArgs(scope, pgx.StrictNamedArgs{"version": versionID}),
	).Scan(&v.state, &v.embedder, &v.text, &at.space, &at.docType, &v.sections, &v.steps)
	if err != nil {
		return orNotFound(err, "version")
	}
	if v.state != string(rag.VersionLive) {
		return rag.Errorf(rag.CodeConflict, "The document was replaced or withdrawn meanwhile.")
	}
	if v.embedder != embedder {
		return rag.Errorf(rag.CodeConflict, "The document was indexed with another embedder. Ingest it again first.")
	}
	if err := checkUnits(v.text, units, v.sections, v.steps); err != nil {
		return err
	}
	if err := writeUnits(ctx, tx, at, units, index, indexes); err != nil {
		return err
	}
	return verify(ctx, tx, versionID)
}
