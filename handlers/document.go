package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/render"
	"passage/views"
)

// maxMarks is the most marked places an address may name.
const maxMarks = 200

// place is what the address of a document points at: a version, the cited part
// of it, and what matched inside that part, the best match first.
type place struct {
	version int64 // 0: the live one
	cited   rag.Span
	marks   []rag.Span
}

// readPlace reads an address leniently: a damaged place still opens the
// document.
func readPlace(q url.Values) place {
	var at place
	at.version, _ = strconv.ParseInt(q.Get("v"), 10, 64)
	at.version = max(at.version, 0)
	at.cited = spanOf(q.Get("start"), q.Get("end"))
	for _, m := range q["m"] {
		from, to, _ := strings.Cut(m, "-")
		if s := spanOf(from, to); !s.Empty() && len(at.marks) < maxMarks {
			at.marks = append(at.marks, s)
		}
	}
	if len(at.marks) == 0 && !at.cited.Empty() {
		at.marks = []rag.Span{at.cited}
	}
	return at
}

func spanOf(from, to string) rag.Span {
	start, err := strconv.Atoi(from)
	if err != nil || start < 0 {
		return rag.Span{}
	}
	end, err := strconv.Atoi(to)
	if err != nil || end <= start {
		return rag.Span{}
	}
	return rag.Span{Start: start, End: end}
}

// document shows a version of a document, with the place the address names
// highlighted.
func (p *pages) document(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	if c.QueryParam("show") == "units" {
		return p.documentUnits(c)
	}
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	at := readPlace(c.QueryParams())
	reading, err := p.cfg.Store.Reading(ctx, scope, id, at.version)
	if err != nil {
		return fmt.Errorf("reading document %d, version %d: %w", id, at.version, err)
	}
	labels, err := p.typeLabels(ctx)
	if err != nil {
		return err
	}
	view := p.documentView(reading, at, library{labels: labels})
	view.Restored = c.QueryParam("restored") == "1"
	versions, err := p.cfg.Store.Versions(ctx, scope, id, 0, latestVersions+1)
	if err != nil {
		return fmt.Errorf("listing the versions of document %d: %w", id, err)
	}
	view.Versions = p.versionItems(reading.Document, versions, library{labels: labels})
	if len(view.Versions) > latestVersions {
		view.Versions, view.HistoryURL = view.Versions[:latestVersions], documentURL(id)+"/versions"
	}
	if reading.Version == reading.Document.VersionID {
		view.Outdated = p.outdatedIn(versions, reading.Version)
	}
	return draw(c, http.StatusOK, views.DocumentPage(views.Layout{Title: view.Title, Section: "documents"}, view))
}

func (p *pages) documentView(reading *rag.Reading, at place, lib library) views.Document {
	d := reading.Document
	v := views.Document{
		Title:     titleOf(d.Title, d.SourceURI),
		Space:     d.Space,
		DocType:   lib.label(d.DocType),
		Source:    d.SourceURI,
		Version:   "version " + strconv.Itoa(d.Ordinal),
		Hit:       len(at.marks) > 0,
		Meta:      strings.TrimSpace(render.FrontMatter(reading.Text).In(reading.Text)),
		DeleteURL: documentURL(d.ID) + "/delete",
		UnitsURL:  documentURL(d.ID) + "?show=units",
		NoteURL:   documentURL(d.ID) + "/note",
	}
	if d.SupersededBy != "" {
		v.SupersededBy = d.SupersededBy
		if d.Successor.ID != 0 {
			v.SupersededBy, v.SuccessorURL = titleOf(d.Successor.Title, d.SupersededBy), documentURL(d.Successor.ID)
		}
	}
	v.Date, v.DateISO = dates(d.Date)
	if n := len(reading.Pages); n > 0 {
		v.Pages = count(n, "page", "pages")
		if !at.cited.Empty() {
			v.Pages = rag.PagesOf(reading.Pages, at.cited).Label() + " of " + strconv.Itoa(n)
		}
	}
	v.OriginURL, _ = outsideAddress(d.SourceURI)
	if reading.Version != d.VersionID {
		v.LiveURL, v.Version = documentURL(d.ID), "earlier version"
		v.UnitsURL += "&v=" + itoa(reading.Version)
	}
	if due, _ := dates(d.ReviewDue); due != "" {
		v.Review, v.Overdue = "Review due on "+due, d.ReviewDue.Before(p.cfg.Now().Truncate(24*time.Hour))
	}
	shown := render.View{Cited: at.cited, Marks: at.marks, Anchors: true}
	if v.Hit {
		shown.Hit = at.marks[0]
	}
	page := p.markup.Source(reading.Text, formatOf(reading, d.SourceURI), shown)
	if h := page.Headings; len(h) == 0 || h[0].Level != 1 || !strings.EqualFold(h[0].Text, v.Title) {
		v.ShowTitle, shown.Top = true, 2 // below the title, which the text does not begin with
		page = p.markup.Source(reading.Text, formatOf(reading, d.SourceURI), shown)
	}
	v.Body = views.SafeHTML(page.HTML)
	for _, h := range page.Headings {
		v.Outline = append(v.Outline, views.OutlineItem{Text: h.Text, URL: "#" + h.ID, Level: h.Level})
	}
	return v
}
