package handlers

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/views"
)

// noteForm shows the form for what people say of a document by hand.
func (p *pages) noteForm(c echo.Context) error {
	return p.drawNote(c, http.StatusOK, nil, "")
}

// drawNote shows the form as it was sent, or as the document is.
func (p *pages) drawNote(c echo.Context, status int, sent *views.Note, fault string) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	doc, err := p.cfg.Store.Document(c.Request().Context(), p.cfg.ScopeOf(c), id)
	if err != nil {
		return fmt.Errorf("reading document %d: %w", id, err)
	}
	view := views.Note{SupersededBy: doc.SupersededBy}
	_, view.ReviewDue = dates(doc.ReviewDue)
	if sent != nil {
		view = *sent
	}
	view.Title, view.Action, view.Back = titleOf(doc.Title, doc.SourceURI), documentURL(id)+"/note", documentURL(id)
	view.CSRF, view.Fault, view.Space = csrfOf(c), fault, doc.Space
	return draw(c, status, views.NotePage(views.Layout{Title: "Review of " + view.Title, Section: "documents"}, view))
}

// note keeps the review date and the successor of a document.
func (p *pages) note(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	sent := views.Note{ReviewDue: strings.TrimSpace(c.FormValue("review")), SupersededBy: strings.TrimSpace(c.FormValue("successor"))}
	var due time.Time
	if sent.ReviewDue != "" {
		if due, err = time.Parse(time.DateOnly, sent.ReviewDue); err != nil || due.Year() < 1900 {
			return p.drawNote(c, http.StatusUnprocessableEntity, &sent, "The review date is not a date. Write it as year-month-day: 2026-05-31.")
		}
	}
	err = p.cfg.Store.NoteDocument(c.Request().Context(), p.cfg.ScopeOf(c), id, rag.DocumentNote{ReviewDue: due, SupersededBy: sent.SupersededBy})
	if rag.ErrorCode(err) == rag.CodeInvalid {
		return p.drawNote(c, http.StatusUnprocessableEntity, &sent, rag.ErrorMessage(err))
	}
	if err != nil {
		return fmt.Errorf("noting what is said of document %d: %w", id, err)
	}
	return c.Redirect(http.StatusSeeOther, documentURL(id))
}
