package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// writeCitations replaces the citations of a message. A document that is gone,
// or that the scope may not read, leaves a citation that says so.
func writeCitations(ctx context.Context, tx pgx.Tx, scope rag.Scope, messageID int64, citations []rag.Citation) error {
	if err := holdCited(ctx, tx, citations); err != nil {
		return err
	}
	_, err := tx.Exec(ctx, "delete from citations where message_id = @message",
		pgx.StrictNamedArgs{"message": messageID})
	if err != nil {
		return wrap(err, "replace citations")
	}
	batch := &pgx.Batch{}
	for i := range citations {
		c := &citations[i]
		batch.Queue(`
			with cited as (
				select d.id as document, v.id as version
				from versions v
				join documents d on d.id = v.document_id
				where v.id = @version and d.id = @document and (@all_spaces or d.space_id = any(@scope_spaces))
			)
			insert into citations (message_id, number, used, document_id, version_id,
			                       span_start, span_end, section, header, marks, parts, gaps)
			select @message, @number, @used, (select document from cited), (select version from cited),
			       @span_start, @span_end,
			       coalesce((select s.ordinal from sections s
			                 where s.version_id = @version and s.span_start <= @span_start
			                 order by s.ordinal desc limit 1), 0),
			       @header, @marks, @parts, @gaps`,
			scopeArgs(scope, pgx.StrictNamedArgs{
				"message": messageID, "number": c.Number, "used": c.Used, "document": c.DocID, "version": c.VersionID,
				"span_start": c.Span.Start, "span_end": c.Span.End, "header": rangeOf(c.Header),
				"marks": list(c.Marks), "parts": list(c.Parts), "gaps": list(c.Gaps),
			}))
	}
	return wrap(tx.SendBatch(ctx, batch).Close(), "write citations")
}

// holdCited keeps the cited documents from being deleted until the transaction
// ends. It comes before citations are locked, and always in the same order, so
// that an answer and a deletion never wait for each other.
func holdCited(ctx context.Context, tx pgx.Tx, citations []rag.Citation) error {
	documents := make([]int64, len(citations))
	for i := range citations {
		documents[i] = citations[i].DocID
	}
	_, err := tx.Exec(ctx, `
		select from documents where id = any(@documents) order by id for key share`,
		pgx.StrictNamedArgs{"documents": documents})
	return wrap(err, "hold cited documents")
}

// list stores no entries as an empty JSON list.
func list[T any](entries []T) []T {
	if entries == nil {
		return []T{}
	}
	return entries
}

// citationRow is a citation with what the scope may see of its document; without
// that, Version is null.
type citationRow struct {
	MessageID          int64
	Number             int
	Used               bool
	DocumentID         *int64
	VersionID          *int64
	State              *rag.VersionState
	Title, SourceURI   *string
	DocType            *string
	Date               *time.Time
	HeadingPath        []string
	SpanStart, SpanEnd int
	Header             byteRange
	Body, HeaderBody   []byte
	Marks              []rag.Mark
	Parts              []rag.Part
	Gaps               []rag.Span
	Pages              []int
}

// readCitations resolves the citations of messages. The text is cut from the
// version that was cited; a document that is deleted or not readable any more
// leaves only the number.
func readCitations(ctx context.Context, tx pgx.Tx, scope rag.Scope, messageIDs []int64) (map[int64][]rag.Citation, error) {
	rows, err := tx.Query(ctx, `
		select c.message_id, c.number, c.used, d.id as document_id, v.id as version_id, v.state,
		       v.title, d.source_uri, t.name as doc_type,
		       coalesce(v.doc_date::timestamptz, v.created_at) as date, s.heading_path,
		       c.span_start, c.span_end, c.header,
		       substring(convert_to(v.body, 'UTF8') from c.span_start + 1 for c.span_end - c.span_start) as body,
		       substring(convert_to(v.body, 'UTF8') from lower(c.header) + 1 for upper(c.header) - lower(c.header)) as header_body,
		       c.marks, c.parts, c.gaps, v.pages
		from citations c
		left join documents d on d.id = c.document_id and (@all_spaces or d.space_id = any(@scope_spaces))
		left join versions v on v.id = c.version_id and v.document_id = d.id
		left join doc_types t on t.id = v.doc_type_id
		left join sections s on s.version_id = v.id and s.ordinal = c.section
		where c.message_id = any(@messages)
		order by c.message_id, c.number`, scopeArgs(scope, pgx.StrictNamedArgs{"messages": messageIDs}))
	if err != nil {
		return nil, wrap(err, "read citations")
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[citationRow])
	if err != nil {
		return nil, wrap(err, "read citations")
	}
	citations := map[int64][]rag.Citation{}
	for i := range list {
		citations[list[i].MessageID] = append(citations[list[i].MessageID], list[i].citation())
	}
	return citations, nil
}

func (r *citationRow) citation() rag.Citation {
	if r.DocumentID == nil || r.VersionID == nil {
		return rag.Citation{Number: r.Number, Used: r.Used, Deleted: true}
	}
	span := rag.Span{Start: r.SpanStart, End: r.SpanEnd}
	return rag.Citation{
		Number: r.Number, Used: r.Used, DocID: *r.DocumentID, VersionID: *r.VersionID,
		Title: *r.Title, SourceURI: *r.SourceURI, DocType: *r.DocType, Date: *r.Date, Path: r.HeadingPath,
		Span: span, Pages: rag.PagesOf(r.Pages, span), Text: string(r.Body),
		Header: rag.Span(r.Header), HeaderText: string(r.HeaderBody),
		Marks: r.Marks, Parts: r.Parts, Gaps: r.Gaps, Newer: *r.State != rag.VersionLive,
	}
}
