package db

import (
	"context"
	"slices"
	"time"
	"unsafe"

	"github.com/jackc/pgx/v5"
	"github.com/maypok86/otter/v2"

	"passage/rag"
)

// Texts and outlines of versions are kept in memory: they never change, except
// that units of another set may be added, and to read those of a long document
// takes longer than all the rest of a search. What does change (title, dates,
// whether it is live, who may read it) is asked for each time.

// textMemory is how much of them is kept, in bytes, about.
const textMemory = 64 << 20

// textIdle is how long one that nothing asks for is kept.
const textIdle = time.Hour

// textKey names a version's text with its outline as it is with so many units,
// as lexical_totals has them.
type textKey struct {
	version int64
	units   int
}

// text is the part of a reading that is kept.
type text struct {
	body      string
	extractor string
	pages     []int
	outline   rag.Outline
}

func newTexts() *otter.Cache[textKey, *text] {
	return otter.Must(&otter.Options[textKey, *text]{
		MaximumWeight: textMemory,
		Weigher: func(_ textKey, t *text) uint32 {
			return uint32(min(t.bytes(), textMemory))
		},
		ExpiryCalculator: otter.ExpiryAccessing[textKey, *text](textIdle),
	})
}

// bytes is about how much memory a text takes.
func (t *text) bytes() int {
	n := len(t.body) + len(t.outline.Units)*int(unsafe.Sizeof(rag.Unit{}))
	for _, s := range t.outline.Sections {
		n += int(unsafe.Sizeof(s)) + len(s.Heading)*(1+len(s.Path))
	}
	for _, p := range t.outline.Procedures {
		n += int(unsafe.Sizeof(p)) + len(p.Steps)*int(unsafe.Sizeof(rag.Step{}))
	}
	return n
}

// lay puts a text under the document of a reading. The reader may append to
// what it gets, but not change what is there.
func (t *text) lay(r *rag.Reading) {
	r.Text, r.Extractor, r.Pages = t.body, t.extractor, slices.Clip(t.pages)
	r.Outline = rag.Outline{
		Sections:   slices.Clip(t.outline.Sections),
		Procedures: slices.Clip(t.outline.Procedures),
		Units:      slices.Clip(t.outline.Units),
	}
}

// readTexts gives the texts of versions, from memory where they are there. Who
// may read them was asked before.
func (s *Store) readTexts(ctx context.Context, tx pgx.Tx, keys []textKey) (map[int64]*text, error) {
	found := make(map[int64]*text, len(keys))
	var missing []int64
	for _, k := range keys {
		t, ok := s.texts.GetIfPresent(k)
		if !ok {
			t = &text{}
			missing = append(missing, k.version)
		}
		found[k.version] = t
	}
	if len(missing) == 0 {
		return found, nil
	}
	batch := &pgx.Batch{}
	for _, read := range []func(*pgx.Batch, []int64, map[int64]*text){
		readBodies, readSections, readProcedures, readUnits,
	} {
		read(batch, missing, found)
	}
	if err := tx.SendBatch(ctx, batch).Close(); err != nil {
		return nil, wrap(err, "read texts")
	}
	for _, k := range keys {
		if t := found[k.version]; slices.Contains(missing, k.version) && t.bytes() <= textMemory/8 {
			s.texts.Set(k, t)
		}
	}
	return found, nil
}

func readBodies(batch *pgx.Batch, ids []int64, into map[int64]*text) {
	batch.Queue("select id, body, extractor, pages from versions where id = any(@ids)",
		pgx.StrictNamedArgs{"ids": ids}).Query(func(rows pgx.Rows) error {
		var version int64
		var t text
		_, err := pgx.ForEachRow(rows, []any{&version, &t.body, &t.extractor, &t.pages}, func() error {
			in := into[version]
			in.body, in.extractor, in.pages = t.body, t.extractor, nil
			if len(t.pages) > 0 {
				in.pages = slices.Clone(t.pages)
			}
			return nil
		})
		return err
	})
}

func readSections(batch *pgx.Batch, ids []int64, into map[int64]*text) {
	batch.Queue(`
		select version_id, ordinal, parent, level, heading, heading_path, span_start, span_end, tree_end, token_count, parts
		from sections
		where version_id = any(@ids)
		order by version_id, ordinal`, pgx.StrictNamedArgs{"ids": ids}).Query(func(rows pgx.Rows) error {
		var (
			version int64
			parent  *int
			s       rag.Section
			parts   []byteRange
		)
		_, err := pgx.ForEachRow(rows, []any{
			&version, &s.Ordinal, &parent, &s.Level, &s.Heading, &s.Path, &s.Span.Start, &s.Span.End, &s.TreeEnd, &s.Tokens, &parts,
		}, func() error {
			s.Parent, s.Parts = orNone(parent), nil
			for _, p := range parts {
				s.Parts = append(s.Parts, rag.Span(p))
			}
			o := &into[version].outline
			o.Sections = append(o.Sections, s)
			return nil
		})
		return err
	})
}

func readProcedures(batch *pgx.Batch, ids []int64, into map[int64]*text) {
	batch.Queue(`
		select version_id, ordinal, section, span_start, span_end, lead, tail, steps, around
		from procedures
		where version_id = any(@ids)
		order by version_id, ordinal`, pgx.StrictNamedArgs{"ids": ids}).Query(func(rows pgx.Rows) error {
		var (
			version    int64
			p          rag.Procedure
			lead, tail byteRange
			steps      []stepJSON
			around     []surroundingJSON
		)
		_, err := pgx.ForEachRow(rows, []any{
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
			o := &into[version].outline
			o.Procedures = append(o.Procedures, p)
			return nil
		})
		return err
	})
}

func readUnits(batch *pgx.Batch, ids []int64, into map[int64]*text) {
	batch.Queue(`
		select version_id, id, unit_set, ordinal, kind, span_start, span_end, section, paragraph, procedure, step, header
		from units
		where version_id = any(@ids)
		order by version_id, unit_set <> @first, unit_set, ordinal`,
		pgx.StrictNamedArgs{"ids": ids, "first": string(rag.SentenceSet)}).Query(func(rows pgx.Rows) error {
		var (
			version         int64
			u               rag.Unit
			procedure, step *int
			header          byteRange
		)
		_, err := pgx.ForEachRow(rows, []any{
			&version, &u.ID, &u.Set, &u.Ordinal, &u.Kind, &u.Span.Start, &u.Span.End,
			&u.Section, &u.Paragraph, &procedure, &step, &header,
		}, func() error {
			u.Procedure, u.Step, u.Header = orNone(procedure), orNone(step), rag.Span(header)
			o := &into[version].outline
			o.Units = append(o.Units, u)
			return nil
		})
		return err
	})
}
