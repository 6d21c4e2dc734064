package handlers

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/views"
)

// listedDocuments is how many documents stand on one page of the list.
const listedDocuments = 50

// listQuery is what the list of documents is asked for by its address.
type listQuery struct {
	words   string
	space   int64 // 0: every one
	docType string
	page    int // from 1
}

func readListQuery(c echo.Context) listQuery {
	q := listQuery{words: strings.TrimSpace(c.QueryParam("q")), docType: c.QueryParam("type"), page: 1}
	q.space, _ = strconv.ParseInt(c.QueryParam("space"), 10, 64) // what is no number narrows nothing
	if n, err := strconv.Atoi(c.QueryParam("page")); err == nil && n > 1 && n < 1_000_000 {
		q.page = n
	}
	return q
}

func (q listQuery) filter() rag.DocumentFilter {
	f := rag.DocumentFilter{Words: q.words, Offset: (q.page - 1) * listedDocuments, Limit: listedDocuments}
	if q.space > 0 {
		f.Spaces = []int64{q.space}
	}
	if q.docType != "" {
		f.DocTypes = []string{q.docType}
	}
	return f
}

// url is the address of another page of the same list.
func (q listQuery) url(page int) string {
	v := url.Values{}
	if q.words != "" {
		v.Set("q", q.words)
	}
	if q.space > 0 {
		v.Set("space", itoa(q.space))
	}
	if q.docType != "" {
		v.Set("type", q.docType)
	}
	if page > 1 {
		v.Set("page", strconv.Itoa(page))
	}
	if len(v) == 0 {
		return "/documents"
	}
	return "/documents?" + v.Encode()
}

// documents shows the list of documents.
func (p *pages) documents(c echo.Context) error {
	ctx, scope, q := c.Request().Context(), p.cfg.ScopeOf(c), readListQuery(c)
	docs, total, err := p.cfg.Store.Documents(ctx, scope, q.filter())
	if err != nil {
		return fmt.Errorf("listing documents: %w", err)
	}
	view := views.Documents{
		Words:   q.words,
		Narrow:  q.words != "" || q.space > 0 || q.docType != "",
		Deleted: c.QueryParam("deleted") == "1",
		Count:   countOf(q, len(docs), total),
	}
	if view.Spaces, view.Types, err = p.choices(ctx, scope, q.space, q.docType); err != nil {
		return err
	}
	labels, err := p.typeLabels(ctx)
	if err != nil {
		return err
	}
	for _, d := range docs {
		view.Items = append(view.Items, documentItem(d, library{labels: labels}))
	}
	if q.page > 1 {
		view.Prev = q.url(q.page - 1)
	}
	if q.page*listedDocuments < total {
		view.Next = q.url(q.page + 1)
	}
	return draw(c, http.StatusOK, views.DocumentsPage(views.Layout{Title: "Documents", Section: "documents"}, view))
}

func countOf(q listQuery, shown, total int) string {
	if shown == total {
		return count(total, "document", "documents")
	}
	from := (q.page-1)*listedDocuments + 1
	return fmt.Sprintf("Documents %d–%d of %d", from, from+shown-1, total)
}

func documentItem(d rag.Document, lib library) views.DocumentItem {
	item := views.DocumentItem{
		Title:   titleOf(d.Title, d.SourceURI),
		URL:     documentURL(d.ID),
		Space:   d.Space,
		DocType: lib.label(d.DocType),
		Source:  d.SourceURI,
		Version: "version " + strconv.Itoa(d.Ordinal),
		Units:   count(d.Units, "unit", "units"),
	}
	item.Date, item.DateISO = dates(d.Date)
	return item
}

// choices are the spaces and document types to choose from.
func (p *pages) choices(ctx context.Context, scope rag.Scope, space int64, docType string) (spaces, types []views.Option, err error) {
	all, err := p.cfg.Store.Spaces(ctx, scope)
	if err != nil {
		return nil, nil, fmt.Errorf("listing spaces: %w", err)
	}
	for _, s := range all {
		spaces = append(spaces, views.Option{Value: itoa(s.ID), Label: s.Name, Selected: s.ID == space})
	}
	if types, err = p.typeChoices(ctx, docType); err != nil {
		return nil, nil, err
	}
	return spaces, types, nil
}

func (p *pages) typeChoices(ctx context.Context, selected string) ([]views.Option, error) {
	all, err := p.cfg.Store.DocTypes(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading document types: %w", err)
	}
	var types []views.Option
	for _, t := range all {
		types = append(types, views.Option{Value: t.Name, Label: t.Label, Selected: t.Name == selected})
	}
	return types, nil
}

// askDelete asks whether a document shall be deleted.
func (p *pages) askDelete(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	doc, err := p.cfg.Store.Document(c.Request().Context(), p.cfg.ScopeOf(c), id)
	if err != nil {
		return fmt.Errorf("reading document %d: %w", id, err)
	}
	title := titleOf(doc.Title, doc.SourceURI)
	return draw(c, http.StatusOK, views.DeletePage(views.Layout{Title: "Delete " + title, Section: "documents"}, views.Delete{
		Title: title, Action: documentURL(id) + "/delete", CSRF: csrfOf(c), Back: documentURL(id),
	}))
}

// delete removes a document.
func (p *pages) delete(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	if err := p.cfg.Store.DeleteDocument(c.Request().Context(), p.cfg.ScopeOf(c), id); err != nil {
		return fmt.Errorf("deleting document %d: %w", id, err)
	}
	return c.Redirect(http.StatusSeeOther, "/documents?deleted=1")
}
