package handlers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"path"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/extract/archive"
	"passage/rag/ingest"
	"passage/views"
)

const (
	uploadTime  = 15 * time.Minute // to receive an upload and take every file in
	maxFiles    = 500              // in one upload
	maxNameSize = 200              // characters of a space's name
)

// uploadForm shows the form for documents.
func (p *pages) uploadForm(c echo.Context) error {
	return p.showUpload(c, http.StatusOK, views.Upload{Space: p.cfg.Space}, "")
}

// upload takes files in, one after the other, and tells what became of each. A
// file that cannot be taken does not hold up the others.
func (p *pages) upload(c echo.Context) error {
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	form, err := c.MultipartForm()
	if err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "The form arrived damaged. Please send it again.")
	}
	files := form.File["files"]
	address := strings.TrimSpace(c.FormValue("address"))
	if err := checkUpload(files, address); err != nil {
		return err
	}
	space, err := p.space(ctx, scope, strings.TrimSpace(c.FormValue("space")))
	if err != nil {
		return err
	}
	view := views.Upload{Space: space.Name}
	docType := c.FormValue("doc_type")
	labels, err := p.typeLabels(ctx)
	if err != nil {
		return err
	}
	for _, f := range files {
		name := fileName(f.Filename)
		req := ingest.Request{Scope: scope, SpaceID: space.ID, SourceURI: cmp.Or(address, name), Name: name, DocType: docType}
		results, note := p.take(ctx, req, f)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		for _, r := range results {
			if r.Err != nil {
				p.logRefusal(c, r.Err)
			}
			view.Results = append(view.Results, resultOf(r.URI, r.Outcome, r.Err, library{labels: labels}))
		}
		if note != "" {
			view.Notes = append(view.Notes, note)
		}
	}
	return p.showUpload(c, http.StatusOK, view, docType)
}

func checkUpload(files []*multipart.FileHeader, address string) error {
	switch {
	case len(files) == 0 || (len(files) == 1 && files[0].Filename == ""):
		return rag.Errorf(rag.CodeInvalid, "Please choose at least one file.")
	case len(files) > maxFiles:
		return rag.Errorf(rag.CodeTooLarge, "At most %d files can be sent at once. Use “web ingest” on the server for whole folders.", maxFiles)
	case address == "":
		return nil
	case len(files) > 1:
		return rag.Errorf(rag.CodeInvalid, "An address belongs to one file; %d were chosen.", len(files))
	}
	if web, _ := outsideAddress(address); web == "" {
		return rag.Errorf(rag.CodeInvalid, "The address of the source must begin with http:// or https://.")
	}
	return nil
}

// space finds the named space, or makes it for someone who may read all.
func (p *pages) space(ctx context.Context, scope rag.Scope, name string) (rag.Space, error) {
	if name == "" || len([]rune(name)) > maxNameSize {
		return rag.Space{}, rag.Errorf(rag.CodeInvalid, "Please name a space, with at most %d characters.", maxNameSize)
	}
	all, err := p.cfg.Store.Spaces(ctx, scope)
	if err != nil {
		return rag.Space{}, fmt.Errorf("listing spaces: %w", err)
	}
	for _, s := range all {
		if s.Name == name {
			return s, nil
		}
	}
	if !scope.All {
		return rag.Space{}, rag.Errorf(rag.CodeNotFound, "There is no space of that name.")
	}
	space, err := p.cfg.Store.EnsureSpace(ctx, name)
	if err != nil {
		return rag.Space{}, fmt.Errorf("making a space: %w", err)
	}
	return space, nil
}

// archiveWorkers is how many documents of an archive are taken in at once.
const archiveWorkers = 2

// take reads one file and ingests it, or every document in it when it is an
// archive; then the note says what was left out.
func (p *pages) take(ctx context.Context, req ingest.Request, f *multipart.FileHeader) (results []ingest.FileResult, note string) {
	one := ingest.FileResult{File: ingest.File{URI: req.Name}}
	if req.Data, one.Err = p.content(f); one.Err != nil {
		return []ingest.FileResult{one}, ""
	}
	if !archive.Is(req.Name) {
		one.Outcome, one.Err = p.cfg.Ingester.Ingest(ctx, req)
		return []ingest.FileResult{one}, ""
	}
	if req.SourceURI != req.Name {
		one.Err = rag.Errorf(rag.CodeInvalid, "An address belongs to one document; an archive holds several. Leave the address out.")
		return []ingest.FileResult{one}, ""
	}
	sum, note, err := p.cfg.Ingester.IngestArchive(ctx, req, archiveWorkers)
	if err != nil {
		one.Err = err
		return append(sum.Results, one), note
	}
	return sum.Results, note
}

// content reads an uploaded file.
func (p *pages) content(f *multipart.FileHeader) ([]byte, error) {
	if f.Size > p.cfg.MaxUpload {
		return nil, rag.Errorf(rag.CodeTooLarge, "The file is larger than %s.", megabytes(p.cfg.MaxUpload))
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("opening an uploaded file: %w", err)
	}
	data, err := io.ReadAll(r)
	if err = errors.Join(err, r.Close()); err != nil {
		return nil, fmt.Errorf("reading an uploaded file: %w", err)
	}
	return data, nil
}

// fileName is the last part of a name that a browser sent, whatever system it
// runs on.
func fileName(sent string) string {
	name := path.Base(strings.ReplaceAll(sent, `\`, "/"))
	if name == "." || name == "/" {
		return "unnamed"
	}
	return strings.ToValidUTF8(name, "\uFFFD")
}

func (p *pages) logRefusal(c echo.Context, err error) {
	if status, _ := describe(err); status >= http.StatusInternalServerError {
		p.logFault(c, err)
	}
}

func resultOf(name string, o ingest.Outcome, err error, lib library) views.UploadResult {
	if err != nil {
		return views.UploadResult{Name: name, State: "Not taken", Kind: "error", Error: rag.ErrorMessage(err)}
	}
	r := views.UploadResult{
		Name:     name,
		Title:    titleOf(o.Title, o.SourceURI),
		URL:      documentURL(o.DocumentID),
		DocType:  lib.label(o.DocType),
		Reason:   o.Reason,
		Facts:    count(o.Units, "unit", "units") + ", " + count(o.Procedures, "procedure", "procedures"),
		Warnings: o.Warnings,
	}
	switch o.State {
	case ingest.Created:
		r.State, r.Kind = "Created", "ok"
	case ingest.Updated:
		r.State, r.Kind = "Updated", "ok"
	default:
		r.State, r.Kind, r.Facts = "Unchanged", "", "It is here already."
	}
	return r
}

func (p *pages) showUpload(c echo.Context, status int, view views.Upload, docType string) error {
	ctx := c.Request().Context()
	spaces, err := p.cfg.Store.Spaces(ctx, p.cfg.ScopeOf(c))
	if err != nil {
		return fmt.Errorf("listing spaces: %w", err)
	}
	for _, s := range spaces {
		view.Spaces = append(view.Spaces, s.Name)
	}
	if view.Types, err = p.typeChoices(ctx, docType); err != nil {
		return err
	}
	view.CSRF, view.Limit = csrfOf(c), megabytes(p.cfg.MaxUpload)
	return draw(c, status, views.UploadPage(views.Layout{Title: "Upload", Section: "upload"}, view))
}
