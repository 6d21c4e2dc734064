package ingest

import (
	"context"
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
)

// RestoreStore is what taking an earlier version live again needs of the store.
type RestoreStore interface {
	DocTypes(ctx context.Context) ([]rag.DocType, error)
	Reading(ctx context.Context, scope rag.Scope, documentID, versionID int64) (*rag.Reading, error)
	RestoreVersion(ctx context.Context, scope rag.Scope, r rag.Restoration) (rag.Live, error)
}

// Restore takes a superseded version of a document live again. Its text and
// outline stay as they were read then; what it is found by is made as for a new
// version. Live is the version that must be live until then, 0 for any. Errors:
// CodeNotFound, CodeConflict (it is live already, or another one went live
// meanwhile), CodeUnavailable (store or embedder).
func (in *Ingester) Restore(ctx context.Context, store RestoreStore, scope rag.Scope, documentID, versionID, live int64) (rag.Live, error) {
	types, err := store.DocTypes(ctx)
	if err != nil {
		return rag.Live{}, err
	}
	reading, err := store.Reading(ctx, scope, documentID, versionID)
	if err != nil {
		return rag.Live{}, err
	}
	r := rag.Restoration{DocumentID: documentID, VersionID: reading.Version, Live: live, Units: reading.Outline.Units}
	strategy := strategyOf(types, reading.Document.DocType)
	if set := strategy.UnitSet(in.cut.ChunkTokens()); len(reading.Outline.UnitsOf(set)) == 0 && set != rag.SentenceSet {
		chunks, err := split.Chunks(reading.Text, &reading.Outline, strategy, in.cut.Chunker())
		if err != nil {
			return rag.Live{}, err
		}
		r.Units = slices.Concat(r.Units, chunks)
	}
	title := reading.Document.Title
	r.Index = in.index(title, reading.Text, reading.Outline, r.Units)
	if in.embedder != nil {
		r.Embedder, r.Dimension = in.embedder.ID(), in.embedder.Dimension()
		if err := embedAll(ctx, in.embedder, title, reading.Text, reading.Outline, r.Units, r.Index); err != nil {
			return rag.Live{}, err
		}
	}
	restored, err := store.RestoreVersion(ctx, scope, r)
	if err != nil {
		return rag.Live{}, err
	}
	in.log.InfoContext(ctx, "version restored", "document_id", documentID, "version_id", restored.VersionID, "units", len(r.Units))
	return restored, nil
}

// Present is the recipe by which a file would be read now whose version was made
// by an older one.
func (in *Ingester) Present(of rag.Recipe) rag.Recipe {
	now := rag.Recipe{Extractor: of.Extractor, Splitter: in.cut.Recipe()}
	format, _, _ := strings.Cut(of.Extractor, "/")
	for _, id := range []string{extract.MarkdownID, extract.PlainID, extract.HTMLID, extract.DOCXID, extract.PDFID} {
		if strings.HasPrefix(id, format+"/") {
			now.Extractor = id
		}
	}
	if in.embedder != nil {
		now.Embedder = in.embedder.ID()
	}
	return now
}
