package db

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"

	"passage/rag"
)

// Versions lists the versions of a document whose number is below before, the
// newest first; before 0 begins with the last. Errors: CodeNotFound, CodeInvalid
// for a limit outside 1–200.
func (s *Store) Versions(ctx context.Context, scope rag.Scope, documentID int64, before, limit int) ([]rag.VersionInfo, error) {
	if limit < 1 || limit > maxPage {
		return nil, rag.Errorf(rag.CodeInvalid, "A page holds 1 to %d versions.", maxPage)
	}
	var versions []rag.VersionInfo
	err := s.read(ctx, func(tx pgx.Tx) error {
		var found bool
		err := tx.QueryRow(ctx, `
			select exists (select from documents where id = @document and (@all_spaces or space_id = any(@scope_spaces)))`,
			scopeArgs(scope, pgx.StrictNamedArgs{"document": documentID})).Scan(&found)
		if err != nil {
			return err
		}
		if !found {
			return orNotFound(pgx.ErrNoRows, "document")
		}
		rows, err := tx.Query(ctx, `
			select v.id, v.ordinal, v.state, v.title, t.name as doc_type, v.extractor, v.splitter, v.embedder,
			       coalesce(v.doc_date::timestamptz, v.created_at) as date, v.created_at as created, v.live_at,
			       v.body_bytes as bytes, v.warnings, v.failure
			from versions v
			join documents d on d.id = v.document_id
			join doc_types t on t.id = v.doc_type_id
			where v.document_id = @document and (@before = 0 or v.ordinal < @before)
			  and (@all_spaces or d.space_id = any(@scope_spaces))
			order by v.ordinal desc
			limit @limit`,
			scopeArgs(scope, pgx.StrictNamedArgs{"document": documentID, "before": before, "limit": limit}))
		if err != nil {
			return err
		}
		versions, err = pgx.CollectRows(rows, versionInfo)
		return err
	})
	return versions, wrap(err, "list the versions of document %d", documentID)
}

func versionInfo(row pgx.CollectableRow) (rag.VersionInfo, error) {
	r, err := pgx.RowToStructByName[struct {
		ID                            int64
		Ordinal, Bytes                int
		State                         rag.VersionState
		Title, DocType, Failure       string
		Extractor, Splitter, Embedder string
		Date, Created                 time.Time
		LiveAt                        *time.Time
		Warnings                      []string
	}](row)
	return rag.VersionInfo{
		ID: r.ID, Ordinal: r.Ordinal, State: r.State, Title: r.Title, DocType: r.DocType,
		Recipe: rag.Recipe{Extractor: r.Extractor, Splitter: r.Splitter, Embedder: r.Embedder},
		Date:   r.Date, Created: r.Created, LiveAt: moment(r.LiveAt),
		Bytes: r.Bytes, Warnings: r.Warnings, Failure: r.Failure,
	}, err
}
