package db

import (
	"context"
	"iter"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// home is where a version stands: what searches filter by is written beside
// every vector and posting.
type home struct {
	version, space, docType int64
}

// stepJSON is a rag.Step as it stands in procedures.steps.
type stepJSON struct {
	Span   rag.Span `json:"span"`
	Number string   `json:"number"`
}

// surroundingJSON is a rag.Surrounding as it stands in procedures.around.
type surroundingJSON struct {
	Kind rag.SurroundingKind `json:"kind"`
	Span rag.Span            `json:"span"`
}

// writeOutline writes the sections, whole, and the procedures.
func writeOutline(ctx context.Context, tx pgx.Tx, versionID int64, text string, o *rag.Outline) error {
	columns := []string{
		"version_id", "ordinal", "parent", "level", "heading", "heading_path",
		"span_start", "span_end", "tree_end", "token_count", "parts", "content",
	}
	_, err := tx.CopyFrom(ctx, pgx.Identifier{"sections"}, columns,
		pgx.CopyFromSlice(len(o.Sections), func(i int) ([]any, error) {
			s := &o.Sections[i]
			return []any{
				versionID, s.Ordinal, orNull(s.Parent), s.Level, clean(s.Heading), cleanAll(s.Path),
				s.Span.Start, s.Span.End, s.TreeEnd, s.Tokens, rangesOf(s.Parts), s.Span.In(text),
			}, nil
		}))
	if err != nil {
		return wrap(err, "write the sections of version %d", versionID)
	}
	columns = []string{"version_id", "ordinal", "section", "span_start", "span_end", "lead", "tail", "steps", "around"}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"procedures"}, columns,
		pgx.CopyFromSlice(len(o.Procedures), func(i int) ([]any, error) {
			p := &o.Procedures[i]
			steps := make([]stepJSON, len(p.Steps))
			for n, step := range p.Steps {
				steps[n] = stepJSON{Span: step.Span, Number: clean(step.Number)}
			}
			around := make([]surroundingJSON, len(p.Around))
			for n, s := range p.Around {
				around[n] = surroundingJSON(s)
			}
			return []any{
				versionID, p.Ordinal, p.Section, p.Span.Start, p.Span.End, rangeOf(p.Lead), rangeOf(p.Tail), steps, around,
			}, nil
		}))
	return wrap(err, "write the procedures of version %d", versionID)
}

// writeUnits writes units with all they are found by: vectors when indexes
// names the vector index of each set, and postings always.
func writeUnits(ctx context.Context, tx pgx.Tx, at home, units []rag.Unit, index []rag.UnitIndex, indexes map[rag.UnitSet]int) error {
	ids, err := newUnitIDs(ctx, tx, len(units))
	if err != nil {
		return err
	}
	columns := []string{
		"id", "version_id", "unit_set", "ordinal", "kind", "span_start", "span_end",
		"section", "paragraph", "procedure", "step", "header", "embed_text_hash",
	}
	_, err = tx.CopyFrom(ctx, pgx.Identifier{"units"}, columns,
		pgx.CopyFromSlice(len(units), func(i int) ([]any, error) {
			u := &units[i]
			return []any{
				ids[i], at.version, string(u.Set), u.Ordinal, string(u.Kind), u.Span.Start, u.Span.End,
				u.Section, u.Paragraph, orNull(u.Procedure), orNull(u.Step), rangeOf(u.Header), index[i].Hash[:],
			}, nil
		}))
	if err != nil {
		return wrap(err, "write the units of version %d", at.version)
	}
	if err := writeVectors(ctx, tx, at, units, ids, index, indexes); err != nil {
		return err
	}
	if err := writeProfiles(ctx, tx, at, units, ids, index); err != nil {
		return err
	}
	return writePostings(ctx, tx, at, units, index)
}

// sameSet gives the bounds [from, to) of each run of units of one set: those of a
// set stand together.
func sameSet(units []rag.Unit) iter.Seq2[int, int] {
	return func(yield func(from, to int) bool) {
		for from := 0; from < len(units); {
			to := from
			for to < len(units) && units[to].Set == units[from].Set {
				to++
			}
			if !yield(from, to) {
				return
			}
			from = to
		}
	}
}

// newUnitIDs takes ids from the sequence before the units are copied, because
// their vectors are copied with them.
func newUnitIDs(ctx context.Context, tx pgx.Tx, n int) ([]int64, error) {
	rows, err := tx.Query(ctx, "select nextval(pg_get_serial_sequence('units', 'id')) from generate_series(1, @n::int)",
		pgx.StrictNamedArgs{"n": n})
	if err != nil {
		return nil, wrap(err, "take ids for %d units", n)
	}
	ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
	return ids, wrap(err, "take ids for %d units", n)
}

// orNull stores the ordinal -1, "none", as null.
func orNull(ordinal int) any {
	if ordinal < 0 {
		return nil
	}
	return ordinal
}

// orNone is the way back.
func orNone(ordinal *int) int {
	if ordinal == nil {
		return -1
	}
	return *ordinal
}
