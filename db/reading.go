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
		readings, err = readVersions(ctx, tx, scope, versionIDs)
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
		readings, err := readVersions(ctx, tx, scope, []int64{id})
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

// readVersions reads texts, then all that lies over them.
func readVersions(ctx context.Context, tx pgx.Tx, scope rag.Scope, ids []int64) (map[int64]*rag.Reading, error) {
	rows, err := tx.Query(ctx, versionQuery+`
		where c.id = any(@ids) and c.state in ('live', 'superseded')
		  and (@all_spaces or d.space_id = any(@scope_spaces))`,
		scopeArgs(scope, pgx.StrictNamedArgs{"ids": ids}))
	if err != nil {
		return nil, wrap(err, "read texts")
	}
	type textRow struct {
		documentRow
		ReadID    int64
		Body      string
		Extractor string
		Pages     []int
	}
	texts, err := pgx.CollectRows(rows, pgx.RowToStructByName[textRow])
	if err != nil {
		return nil, wrap(err, "read texts")
	}
	readings := make(map[int64]*rag.Reading, len(texts))
	readable := make([]int64, 0, len(texts))
	for _, t := range texts {
		r := &rag.Reading{Document: t.document(), Version: t.ReadID, Text: t.Body, Extractor: t.Extractor}
		if len(t.Pages) > 0 {
			r.Pages = t.Pages
		}
		readings[t.ReadID] = r
		readable = append(readable, t.ReadID)
	}
	if len(readable) == 0 {
		return readings, nil
	}
	for _, read := range []func(context.Context, pgx.Tx, []int64, map[int64]*rag.Reading) error{
		readSections, readProcedures, readUnits,
	} {
		if err := read(ctx, tx, readable, readings); err != nil {
			return nil, err
		}
	}
	return readings, nil
}

func readSections(ctx context.Context, tx pgx.Tx, ids []int64, into map[int64]*rag.Reading) error {
	rows, err := tx.Query(ctx, `
		select version_id, ordinal, parent, level, heading, heading_path, span_start, span_end, tree_end, token_count, parts
		from sections
		where version_id = any(@ids)
		order by version_id, ordinal`, pgx.StrictNamedArgs{"ids": ids})
	if err != nil {
		return wrap(err, "read sections")
	}
	var (
		version int64
		parent  *int
		s       rag.Section
		parts   []byteRange
	)
	_, err = pgx.ForEachRow(rows, []any{
		&version, &s.Ordinal, &parent, &s.Level, &s.Heading, &s.Path, &s.Span.Start, &s.Span.End, &s.TreeEnd, &s.Tokens, &parts,
	}, func() error {
		s.Parent, s.Parts = orNone(parent), nil
		for _, p := range parts {
			s.Parts = append(s.Parts, rag.Span(p))
		}
		o := &into[version].Outline
		o.Sections = append(o.Sections, s)
		return nil
	})
	return wrap(err, "read sections")
}

func readProcedures(ctx context.Context, tx pgx.Tx, ids []int64, into map[int64]*rag.Reading) error {
	rows, err := tx.Query(ctx, `
		select version_id, ordinal, section, span_start, span_end, lead, tail, steps, around
		from procedures
		where version_id = any(@ids)
		order by version_id, ordinal`, pgx.StrictNamedArgs{"ids": ids})
	if err != nil {
		return wrap(err, "read procedures")
	}
	var (
		version    int64
		p          rag.Procedure
		lead, tail byteRange
		steps      []stepJSON
		around     []surroundingJSON
	)
	_, err = pgx.ForEachRow(rows, []any{
		&version, &p.Ordinal, &p.Section, &p.Span.Start, &p.Span.End, &lead, &tail, &steps, &around,
	}, func() error {
		p.Lead, p.Tail = rag.Span(lead), rag.Span(tail)
		p.Steps = make([]rag.Step, len(steps))
		for i, step := range steps {
			p.Steps[i] = rag.Step(step)
		}
		p.Around = nil
		for _, s := range around {
			p.Around = append(p.Around, rag.Surrounding(s))
		}
		o := &into[version].Outline
		o.Procedures = append(o.Procedures, p)
		return nil
	})
	return wrap(err, "read procedures")
}

func readUnits(ctx context.Context, tx pgx.Tx, ids []int64, into map[int64]*rag.Reading) error {
	rows, err := tx.Query(ctx, `
		select version_id, id, unit_set, ordinal, kind, span_start, span_end, section, paragraph, procedure, step, header
		from units
		where version_id = any(@ids)
		order by version_id, unit_set <> @first, unit_set, ordinal`,
		pgx.StrictNamedArgs{"ids": ids, "first": string(rag.SentenceSet)})
	if err != nil {
		return wrap(err, "read units")
	}
	var (
		version         int64
		u               rag.Unit
		procedure, step *int
		header          byteRange
	)
	_, err = pgx.ForEachRow(rows, []any{
		&version, &u.ID, &u.Set, &u.Ordinal, &u.Kind, &u.Span.Start, &u.Span.End,
		&u.Section, &u.Paragraph, &procedure, &step, &header,
	}, func() error {
		u.Procedure, u.Step, u.Header = orNone(procedure), orNone(step), rag.Span(header)
		o := &into[version].Outline
		o.Units = append(o.Units, u)
		return nil
	})
	return wrap(err, "read units")
}
