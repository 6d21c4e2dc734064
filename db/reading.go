package db

import (
	"context"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Readings opens versions for reading, each once, whether live or superseded.
// What the scope may not read, or is not there, is missing from the map.
func (s *Store) Readings(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]*rag.Reading, error) {
	var readings map[int64]*rag.Reading
	err := s.read(ctx, func(tx pgx.Tx) (err error) {
		readings, err = s.readVersions(ctx, tx, scope, versionIDs)
		return err
	})
	return readings, wrap(err, "read %d versions", len(versionIDs))
}

// Reading opens one version of a document, the live one for versionID 0.
// Errors: CodeNotFound.
func (s *Store) Reading(ctx context.Context, scope rag.Scope, documentID, versionID int64) (*rag.Reading, error) {
	var reading *rag.Reading
	err := s.read(ctx, func(tx pgx.Tx) error {
		id := versionID
		if id == 0 {
			err := tx.QueryRow(ctx, `
				select v.id
				from versions v
				join documents d on d.id = v.document_id
				where v.document_id = @document and v.state = 'live'
				  and (@all_spaces or d.space_id = any(@scope_spaces))`,
				scopeArgs(scope, pgx.StrictNamedArgs{"document": documentID})).Scan(&id)
			if err != nil {
				return orNotFound(err, "document")
			}
		}
		readings, err := s.readVersions(ctx, tx, scope, []int64{id})
		if err != nil {
			return err
		}
		if reading = readings[id]; reading == nil || reading.Document.ID != documentID {
			reading = nil
			return orNotFound(pgx.ErrNoRows, "document")
		}
		return nil
	})
	return reading, wrap(err, "read version %d of document %d", versionID, documentID)
}

// readVersions reads the documents of versions, and lays their texts under them.
func (s *Store) readVersions(ctx context.Context, tx pgx.Tx, scope rag.Scope, ids []int64) (map[int64]*rag.Reading, error) {
	rows, err := tx.Query(ctx, versionQuery+`
		where c.id = any(@ids) and c.state in ('live', 'superseded')
		  and (@all_spaces or d.space_id = any(@scope_spaces))`,
		scopeArgs(scope, pgx.StrictNamedArgs{"ids": ids}))
	if err != nil {
		return nil, wrap(err, "read versions")
	}
	type versionRow struct {
		documentRow
		ReadID, ReadUnits int
	}
	versions, err := pgx.CollectRows(rows, pgx.RowToStructByName[versionRow])
	if err != nil {
		return nil, wrap(err, "read versions")
	}
	readings := make(map[int64]*rag.Reading, len(versions))
	keys := make([]textKey, len(versions))
	for i, v := range versions {
		keys[i] = textKey{version: int64(v.ReadID), units: v.ReadUnits}
		readings[keys[i].version] = &rag.Reading{Document: v.document(), Version: keys[i].version}
	}
	texts, err := s.readTexts(ctx, tx, keys)
	if err != nil {
		return nil, err
	}
	for version, t := range texts {
		t.lay(readings[version])
	}
	return readings, nil
}
