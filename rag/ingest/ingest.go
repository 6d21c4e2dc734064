// Package ingest takes the bytes of one file all the way to a live version:
// read, split, guess the document type, index, embed, and hand the whole to the
// store, which swaps it live in one transaction.
//
// Nothing is written before everything is there, so a fault at any point
// leaves what was live as it was.
package ingest

import (
	"cmp"
	"context"
	"crypto/sha256"
	"fmt"
	"log/slog"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/analyze"
	"passage/rag/extract"
	"passage/rag/split"
)

// maxURI is the most bytes of a source URI, which an index has to hold.
const maxURI = 1_000

// Store is where versions go.
type Store interface {
	DocTypes(ctx context.Context) ([]rag.DocType, error)
	LiveVersion(ctx context.Context, scope rag.Scope, spaceID int64, sourceURI string) (rag.Live, error)
	LiveByHash(ctx context.Context, scope rag.Scope, spaceID int64, hash [32]byte) (rag.Live, error)
	PutVersion(ctx context.Context, scope rag.Scope, v rag.NewVersion) (rag.Live, error)
}

// Ingester ingests files. It is safe for concurrent use.
type Ingester struct {
	store    Store
	embedder rag.Embedder
	cut      split.Options
	terms    analyze.Analyzer // remembers stems
	log      *slog.Logger
	now      func() time.Time
}

// New makes an ingester. Without an embedder (nil) versions get no vectors and
// are found by their words only. The options say what counts sections and
// chunks and what the embedder takes at once; cap, sets and title are those of
// each document.
func New(store Store, embedder rag.Embedder, cut split.Options, log *slog.Logger) *Ingester {
	return &Ingester{store: store, embedder: embedder, cut: cut, log: log, now: time.Now}
}

// Request is one file for one space.
type Request struct {
	Scope     rag.Scope
	SpaceID   int64
	SourceURI string // identity in the space: a slash-separated path, or a URL
	Name      string // of the file, whose ending tells its format; "" when SourceURI does
	Data      []byte
	DocType   string // "" to guess

	try *try // of the job that this is for; nil for none
}

// State is what an ingest did.
type State string

// The states of an outcome.
const (
	Created   State = "created"
	Updated   State = "updated"
	Unchanged State = "unchanged"
)

// Outcome tells what became of the file.
type Outcome struct {
	State      State
	DocumentID int64
	VersionID  int64
	SourceURI  string // of the document that holds these bytes
	Title      string
	DocType    string
	Reason     string // why this document type
	Units      int
	Procedures int
	Bytes      int
	Warnings   []string
}

// Ingest takes one file live, or says that nothing changed. Errors:
// CodeInvalid (cannot be read, unknown document type), CodeTooLarge,
// CodeUnavailable (store or embedder), CodeNotFound (space out of scope).
func (in *Ingester) Ingest(ctx context.Context, req Request) (Outcome, error) {
	types, err := in.store.DocTypes(ctx)
	if err != nil {
		return Outcome{}, err
	}
	if req.DocType != "" && !known(types, req.DocType) {
		return Outcome{}, rag.Errorf(rag.CodeInvalid, "There is no document type %q. Use one of: %s.", req.DocType, names(types))
	}
	if len(req.SourceURI) > maxURI {
		return Outcome{}, rag.Errorf(rag.CodeInvalid, "The name of the file has %d bytes; the limit is %d. Give it a shorter one.", len(req.SourceURI), maxURI)
	}
	hash := sha256.Sum256(req.Data)
	live, err := in.store.LiveVersion(ctx, req.Scope, req.SpaceID, req.SourceURI)
	exists := err == nil
	if err != nil && rag.ErrorCode(err) != rag.CodeNotFound {
		return Outcome{}, err
	}
	if !exists {
		same, err := in.sameBytes(ctx, req, hash)
		if err != nil || same != nil {
			return deref(same), err
		}
	}
	v, why, err := in.read(ctx, req, types, hash, live.DocType)
	if err != nil {
		return Outcome{}, err
	}
	out := outcome(v, why, len(req.Data))
	if exists && live.Hash == hash && live.DocType == v.DocType && live.Recipe == v.Recipe && covers(live.Sets, v.Outline) {
		out.State, out.DocumentID, out.VersionID = Unchanged, live.DocumentID, live.VersionID
		return out, nil
	}
	out.State = Created
	if exists {
		out.State = Updated
	}
	if err := in.embed(ctx, req.try, &v); err != nil {
		return Outcome{}, err
	}
	if err := req.try.show(ctx, rag.StageWriting, len(v.Index), len(v.Index)); err != nil {
		return Outcome{}, err
	}
	if req.try != nil {
		req.try.note(out)
		v.Job = &req.try.JobTry
	}
	put, err := in.store.PutVersion(ctx, req.Scope, v)
	if rag.ErrorCode(err) == rag.CodeConflict && !exists {
		// Another upload of the same bytes went live while these were embedded.
		if same, lookErr := in.sameBytes(ctx, req, hash); lookErr == nil && same != nil {
			return *same, nil
		}
	}
	if err != nil {
		return Outcome{}, err
	}
	out.DocumentID, out.VersionID = put.DocumentID, put.VersionID
	if put.Hash != hash { // a file that was sent later was quicker
		out.State = Unchanged
		return out, nil
	}
	in.log.InfoContext(ctx, "document ingested", "document_id", out.DocumentID, "version_id", out.VersionID,
		"state", string(out.State), "doc_type", out.DocType, "units", out.Units)
	return out, nil
}

// sameBytes looks for a document of the space that holds the same bytes: the
// same file under another name is not a second document.
func (in *Ingester) sameBytes(ctx context.Context, req Request, hash [32]byte) (*Outcome, error) {
	live, err := in.store.LiveByHash(ctx, req.Scope, req.SpaceID, hash)
	if rag.ErrorCode(err) == rag.CodeNotFound {
		return nil, nil //nolint:nilnil // no such document is an answer here
	}
	if err != nil {
		return nil, err
	}
	return &Outcome{
		State: Unchanged, DocumentID: live.DocumentID, VersionID: live.VersionID, SourceURI: live.SourceURI,
		DocType: live.DocType, Reason: "already there as " + live.SourceURI, Bytes: len(req.Data),
	}, nil
}

// read does all that needs no vectors: text, structure, type, units, terms. A
// document that is there keeps its type, before, unless another one is given or
// its front matter names one. A fault of a reader or of the splitter concerns
// this file only.
func (in *Ingester) read(ctx context.Context, req Request, types []rag.DocType, hash [32]byte, before string) (v rag.NewVersion, why string, err error) {
	defer func() {
		if fault := recover(); fault != nil {
			in.log.ErrorContext(ctx, "reading a file failed", "fault_type", fmt.Sprintf("%T", fault), "stack", string(debug.Stack()))
			err = fmt.Errorf("panic while reading a file: %T", fault) // its words may be the document's
		}
	}()
	x, err := extract.File(ctx, cmp.Or(req.Name, req.SourceURI), req.Data)
	if err != nil {
		return rag.NewVersion{}, "", err
	}
	cut := in.cut
	cut.SectionCap, cut.Title = sectionCap(types), title(x, req.SourceURI)
	outline, err := split.Split(x, cut)
	if err != nil {
		return rag.NewVersion{}, "", err
	}
	if len(outline.Units) == 0 {
		return rag.NewVersion{}, "", rag.Errorf(rag.CodeInvalid, "“%s” has marks of structure but no words, so there is nothing to search.", path.Base(cmp.Or(req.Name, req.SourceURI)))
	}
	docType, why := req.DocType, "as given"
	if docType == "" {
		docType, why = typeOf(x, req.SourceURI, outline, types, before)
	}
	strategy := strategyOf(types, docType)
	if strategy.UnitSet(cut.ChunkTokens()) != rag.SentenceSet {
		if err := split.AddChunks(x.Text, &outline, strategy, cut); err != nil {
			return rag.NewVersion{}, "", err
		}
	}
	v = rag.NewVersion{
		SpaceID: req.SpaceID, SourceURI: req.SourceURI, Hash: hash, DocType: docType,
		Title: cut.Title, Meta: x.Meta, Warnings: slices.Concat(x.Warnings, outline.Warnings),
		Date:      date(x.Meta, "date", "updated", "last_updated", "created"),
		ReviewDue: date(x.Meta, "review_date", "review_due", "review_by"),
		Successor: successor(x.Meta, req.SourceURI),
		Recipe:    rag.Recipe{Extractor: x.Extractor, Splitter: cut.Recipe()},
		Text:      x.Text, Pages: x.Pages, Outline: outline,
	}
	if v.Date.IsZero() {
		v.Date = in.now().UTC()
	}
	if in.embedder != nil {
		v.Recipe.Embedder, v.Dimension = in.embedder.ID(), in.embedder.Dimension()
	}
	v.Index = in.index(v.Title, x.Text, outline, outline.Units)
	return v, why, nil
}

// index makes what units are found by, without vectors. The embedded text is
// split.EmbedText: title and heading path stand before the unit. Its terms are
// those of its parts, one after the other.
func (in *Ingester) index(title, text string, outline rag.Outline, units []rag.Unit) []rag.UnitIndex {
	index := make([]rag.UnitIndex, len(units))
	ofTitle := in.terms.Terms(split.Title(title))
	headings := map[int][]string{}
	for i, u := range units {
		section := outline.Sections[u.Section]
		above, ok := headings[u.Section]
		if !ok {
			above = in.terms.Terms(split.Headings(title, section))
			headings[u.Section] = above
		}
		index[i] = rag.UnitIndex{
			Hash:  sha256.Sum256([]byte(split.EmbedText(title, section, u, text))),
			Terms: slices.Concat(ofTitle, above, in.terms.Terms(split.Words(section, u, text))),
			Title: len(ofTitle), Lead: len(ofTitle) + len(above),
		}
	}
	return index
}

func outcome(v rag.NewVersion, why string, size int) Outcome {
	return Outcome{
		SourceURI: v.SourceURI, Title: v.Title, DocType: v.DocType, Reason: why,
		Units: len(v.Outline.Units), Procedures: len(v.Outline.Procedures), Bytes: size, Warnings: v.Warnings,
	}
}

// covers says that every unit set of the outline is stored already.
func covers(sets []rag.UnitSet, o rag.Outline) bool {
	for _, u := range o.Units {
		if !slices.Contains(sets, u.Set) {
			return false
		}
	}
	return true
}

// title is the document's own title, or its file name made readable.
func title(x rag.Extraction, uri string) string {
	if t := strings.TrimSpace(x.Title); t != "" {
		return t
	}
	name := path.Base(uri)
	name = strings.TrimSuffix(name, path.Ext(name))
	if name = strings.TrimSpace(strings.NewReplacer("_", " ", "-", " ").Replace(name)); name == "" {
		return uri
	}
	return name
}

func deref(o *Outcome) Outcome {
	if o == nil {
		return Outcome{}
	}
	return *o
}
