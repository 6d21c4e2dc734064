package handlers

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/extract/archive"
	"passage/views"
)

const (
	uploadTime  = 15 * time.Minute // to receive an upload
	maxFiles    = 500              // in one upload
	maxNameSize = 200              // characters of a space's name
)

// uploadForm shows the form for documents.
func (p *pages) uploadForm(c echo.Context) error {
	return p.showUpload(c, http.StatusOK, views.Upload{Space: p.cfg.Space}, "")
}

// upload stores files and has them taken in by workers: the answer leads to the
// page that tells what becomes of each. A file that cannot be taken does not hold
// up the others.
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
	q := queued{pages: p, job: rag.NewJob{SpaceID: space.ID, DocType: c.FormValue("doc_type")}}
	for _, f := range files {
		if err := q.take(c, f, address); err != nil {
			return err
		}
	}
	if len(q.notes) == 0 {
		return c.Redirect(http.StatusSeeOther, jobsPath+"?"+jobsOf(q.ids).Encode())
	}
	if len(q.ids) == 0 {
		return p.showUpload(c, http.StatusOK, views.Upload{Space: space.Name, Notes: q.notes}, q.job.DocType)
	}
	view, err := p.jobList(c, jobsOf(q.ids))
	if err != nil {
		return err
	}
	view.Upload, view.Notes = true, q.notes
	return draw(c, http.StatusOK, views.JobsPage(views.Layout{Title: "Jobs", Section: "jobs"}, view))
}

// jobsOf asks for some jobs: by the first and the last when all between are theirs.
func jobsOf(ids []int64) url.Values {
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	first, last := ids[0], ids[len(ids)-1]
	if last-first == int64(len(ids)-1) {
		return url.Values{"from": {itoa(first)}, "to": {itoa(last)}}
	}
	list := make([]string, len(ids))
	for i, id := range ids {
		list[i] = itoa(id)
	}
	return url.Values{"ids": {strings.Join(list, ",")}}
}

// queued is what an upload brought so far.
type queued struct {
	pages *pages
	job   rag.NewJob // what all have in common
	ids   []int64
	notes []string // what was not taken
}

// take queues one file, or every document in it when it is an archive. The error
// is one that ends the upload.
func (q *queued) take(c echo.Context, f *multipart.FileHeader, address string) error {
	name := fileName(sentName(f))
	data, err := q.pages.content(f)
	if err != nil {
		return q.refuse(c, name, err)
	}
	if !archive.Is(name) {
		return q.add(c, cmp.Or(address, name), name, data)
	}
	if address != "" {
		return q.refuse(c, name, rag.Errorf(rag.CodeInvalid, "An address belongs to one document; an archive holds several. Leave the address out."))
	}
	a, err := archive.Open(name, data)
	if err != nil {
		return q.refuse(c, name, err)
	}
	if note := a.LeftOutNote(); note != "" {
		q.notes = append(q.notes, note)
	}
	for _, e := range a.Entries {
		uri := name + "/" + e.Path
		data, err := e.Read()
		if err != nil {
			err = q.refuse(c, uri, err)
		} else {
			err = q.add(c, uri, path.Base(e.Path), data)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (q *queued) add(c echo.Context, uri, name string, data []byte) error {
	n := q.job
	n.SourceURI, n.Name, n.Data = uri, path.Base(name), data
	job, err := q.pages.cfg.Queue.AddJob(c.Request().Context(), q.pages.cfg.ScopeOf(c), n)
	if err != nil {
		return q.refuse(c, uri, err)
	}
	q.ids = append(q.ids, job.ID)
	return nil
}

// refuse notes why a file was not taken; a reader who is gone ends the upload.
func (q *queued) refuse(c echo.Context, name string, err error) error {
	if ctx := c.Request().Context(); ctx.Err() != nil {
		return ctx.Err()
	}
	q.pages.logRefusal(c, err)
	q.notes = append(q.notes, name+" was not taken: "+rag.ErrorMessage(err))
	return nil
}

// sentName is the name of a file as the browser sent it: with its folders when a
// folder was chosen.
func sentName(f *multipart.FileHeader) string {
	_, params, err := mime.ParseMediaType(f.Header.Get("Content-Disposition"))
	if err == nil && params["filename"] != "" {
		return params["filename"]
	}
	return f.Filename
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

// fileName is the name of a file as an address in its space: with the folders
// that were sent with it, whatever system they come from, and never above or
// beside them.
func fileName(sent string) string {
	sent = strings.ReplaceAll(strings.ToValidUTF8(sent, "\uFFFD"), `\`, "/")
	if drive, rest, ok := strings.Cut(sent, ":/"); ok && len(drive) == 1 { // a whole path, as old browsers send
		sent = path.Base(rest)
	}
	clean := strings.TrimPrefix(path.Clean("/"+sent), "/")
	if clean == "" || clean == "." {
		return "unnamed"
	}
	return clean
}

func (p *pages) logRefusal(c echo.Context, err error) {
	if status, _ := describe(err); status >= http.StatusInternalServerError {
		p.logFault(c, err)
	}
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
