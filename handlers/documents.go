package handlers

import (
	"context"
	"encoding/base64"
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
	state   rag.DocumentState // "": both
	order   rag.DocumentOrder // "": by title
	from    *rag.DocumentPlace
	back    bool // the page before from, or the last one
	at      int  // number of the first document of the page, as far as is known
}

func readListQuery(c echo.Context) listQuery {
	q := listQuery{words: strings.TrimSpace(c.QueryParam("q")), docType: c.QueryParam("type"), at: 1}
	q.space, _ = strconv.ParseInt(c.QueryParam("space"), 10, 64) // what is no number narrows nothing
	if state := rag.DocumentState(c.QueryParam("state")); state == rag.DocumentCurrent || state == rag.DocumentStale {
		q.state = state
	}
	if order := rag.DocumentOrder(c.QueryParam("sort")); order == rag.ByChange || order == rag.ByReview {
		q.order = order
	}
	q.from = readListPlace(c.QueryParam("from"))
	q.back = c.QueryParam("back") == "1"
	if n, err := strconv.Atoi(c.QueryParam("at")); err == nil && n > 1 && n < 1_000_000_000 && q.from != nil {
		q.at = n
	}
	return q
}

// readListPlace reads a place as listPlace writes it; a damaged one is none.
func readListPlace(s string) *rag.DocumentPlace {
	id, key, _ := strings.Cut(s, ".")
	n, err := strconv.ParseInt(id, 10, 64)
	raw, damaged := base64.RawURLEncoding.DecodeString(key)
	if err != nil || n < 1 || damaged != nil {
		return nil
	}
	return &rag.DocumentPlace{Key: string(raw), ID: n}
}

func listPlace(p rag.DocumentPlace) string {
	return itoa(p.ID) + "." + base64.RawURLEncoding.EncodeToString([]byte(p.Key))
}

// filter asks for one document more than is shown, to know whether others follow.
func (q listQuery) filter() rag.DocumentFilter {
	f := rag.DocumentFilter{
		Words: q.words, State: q.state, Order: q.order, From: q.from, Back: q.back, Limit: listedDocuments + 1,
	}
	if q.space > 0 {
		f.Spaces = []int64{q.space}
	}
	if q.docType != "" {
		f.DocTypes = []string{q.docType}
	}
	return f
}

func (q listQuery) narrow() bool {
	return q.words != "" || q.space > 0 || q.docType != "" || q.state != ""
}

// url is the address of the first page of the same list, with more in it.
func (q listQuery) url(more ...string) string {
	v := url.Values{}
	set := func(name, value string) {
		if value != "" {
			v.Set(name, value)
		}
	}
	set("q", q.words)
	if q.space > 0 {
		set("space", itoa(q.space))
	}
	set("type", q.docType)
	set("state", string(q.state))
	set("sort", string(q.order))
	for i := 0; i+1 < len(more); i += 2 {
		set(more[i], more[i+1])
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
	if rag.ErrorCode(err) == rag.CodeInvalid && q.from != nil {
		return c.Redirect(http.StatusSeeOther, q.url()) // a place of another order
	}
	if err != nil {
		return fmt.Errorf("listing documents: %w", err)
	}
	view := views.Documents{
		Words:   q.words,
		Narrow:  q.narrow(),
		Deleted: c.QueryParam("deleted") == "1",
		States: []views.Option{
			{Value: string(rag.DocumentCurrent), Label: "Current", Selected: q.state == rag.DocumentCurrent},
			{Value: string(rag.DocumentStale), Label: "Stale", Selected: q.state == rag.DocumentStale},
		},
		Orders: []views.Option{
			{Label: "Title"},
			{Value: string(rag.ByChange), Label: "Last change", Selected: q.order == rag.ByChange},
			{Value: string(rag.ByReview), Label: "Review date", Selected: q.order == rag.ByReview},
		},
	}
	if view.Spaces, view.Types, err = p.choices(ctx, scope, q.space, q.docType); err != nil {
		return err
	}
	labels, err := p.typeLabels(ctx)
	if err != nil {
		return err
	}
	docs, at := q.page(docs, total, &view)
	view.Count = countOf(at, len(docs), total)
	for _, d := range docs {
		view.Items = append(view.Items, p.documentItem(d, library{labels: labels}))
	}
	return draw(c, http.StatusOK, views.DocumentsPage(views.Layout{Title: "Documents", Section: "documents"}, view))
}

// page cuts what was read to a page, gives the number of its first document, and
// says which pages lie beside it.
func (q listQuery) page(docs []rag.Document, total int, view *views.Documents) ([]rag.Document, int) {
	more := len(docs) > listedDocuments
	before, after := q.from != nil, more
	if q.back {
		before, after = more, q.from != nil
	}
	if more {
		if q.back {
			docs = docs[1:]
		} else {
			docs = docs[:listedDocuments]
		}
	}
	at := q.at
	switch {
	case q.back && !before:
		at = 1 // documents that came or went meanwhile have shifted the numbers
	case q.back && !after, at+len(docs)-1 > total:
		at = max(total-len(docs), 0) + 1
	}
	if len(docs) == 0 {
		if before {
			view.First = q.url()
		}
		return docs, at
	}
	if before {
		view.First = q.url()
		view.Prev = q.url("from", listPlace(q.order.Place(docs[0])), "back", "1", "at", strconv.Itoa(max(at-listedDocuments, 1)))
	}
	if after {
		view.Next = q.url("from", listPlace(q.order.Place(docs[len(docs)-1])), "at", strconv.Itoa(at+len(docs)))
		view.Last = q.url("back", "1")
	}
	return docs, at
}

func countOf(at, shown, total int) string {
	if shown == total || shown == 0 {
		return count(total, "document", "documents")
	}
	return fmt.Sprintf("Documents %d–%d of %d", at, at+shown-1, total)
}

func (p *pages) documentItem(d rag.Document, lib library) views.DocumentItem {
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
	item.Changed, item.ChangedISO = dates(d.Updated)
	if due, _ := dates(d.ReviewDue); due != "" {
		item.Review, item.Overdue = "review due "+due, p.overdue(d)
	}
	if d.SupersededBy != "" {
		item.SupersededBy = titleOf(d.Successor.Title, d.SupersededBy)
	}
	return item
}

// overdue says that a document should have been looked through by now.
func (p *pages) overdue(d rag.Document) bool {
	d.SupersededBy = ""
	return d.Stale(p.cfg.Now())
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
