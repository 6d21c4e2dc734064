package handlers

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/views"
)

// How many versions a document's own page and the page of its history list.
const (
	latestVersions = 5
	listedVersions = 50
)

// Restorer takes earlier versions live again.
type Restorer interface {
	// Restore takes a superseded version live; live is the one that must be live
	// until then. Errors: CodeNotFound, CodeConflict, CodeUnavailable.
	Restore(ctx context.Context, scope rag.Scope, documentID, versionID, live int64) error
}

// versions shows the history of a document.
func (p *pages) versions(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	ctx, scope := c.Request().Context(), p.cfg.ScopeOf(c)
	doc, err := p.cfg.Store.Document(ctx, scope, id)
	if err != nil {
		return fmt.Errorf("reading document %d: %w", id, err)
	}
	before, err := strconv.Atoi(c.QueryParam("before"))
	if err != nil || before < 1 {
		before = 0
	}
	all, err := p.cfg.Store.Versions(ctx, scope, id, before, listedVersions+1)
	if err != nil {
		return fmt.Errorf("listing the versions of document %d: %w", id, err)
	}
	labels, err := p.typeLabels(ctx)
	if err != nil {
		return err
	}
	view := views.History{Title: titleOf(doc.Title, doc.SourceURI), Document: documentURL(id)}
	if len(all) > listedVersions {
		all = all[:listedVersions]
		view.Older = documentURL(id) + "/versions?before=" + strconv.Itoa(all[len(all)-1].Ordinal)
	}
	view.Versions = p.versionItems(doc, all, library{labels: labels})
	return draw(c, http.StatusOK, views.HistoryPage(views.Layout{Title: "Versions of " + view.Title, Section: "documents"}, view))
}

func (p *pages) versionItems(doc rag.Document, all []rag.VersionInfo, lib library) []views.Version {
	items := make([]views.Version, len(all))
	for i, v := range all {
		live := v.State == rag.VersionLive
		item := views.Version{
			Number: "Version " + strconv.Itoa(v.Ordinal), State: string(v.State), Live: live,
			Title: titleOf(v.Title, doc.SourceURI), DocType: lib.label(v.DocType), Size: fileSize(v.Bytes),
			Recipe: recipeOf(v.Recipe), Warnings: v.Warnings, Failure: v.Failure,
		}
		item.Date, item.DateISO = dates(v.Created)
		if at := v.LiveAt; !at.IsZero() {
			item.LiveAt, item.LiveAtISO = at.UTC().Format("2 January 2006, 15:04 UTC"), at.UTC().Format(time.RFC3339)
		}
		if live || v.State == rag.VersionSuperseded {
			item.URL = versionURL(doc.ID, v.ID)
			if i+1 < len(all) && (all[i+1].State == rag.VersionLive || all[i+1].State == rag.VersionSuperseded) {
				item.BeforeURL = diffURL(doc.ID, all[i+1].ID, v.ID)
			}
		}
		if live {
			item.URL = documentURL(doc.ID)
			item.Outdated = p.outdated(v.Recipe)
		} else if v.State == rag.VersionSuperseded {
			item.DiffURL = diffURL(doc.ID, v.ID, doc.VersionID)
			if p.cfg.Restorer != nil {
				item.RestoreURL = documentURL(doc.ID) + "/restore?v=" + itoa(v.ID)
			}
		}
		items[i] = item
	}
	return items
}

// outdated names the parts of a recipe that are not those of the program; "" for
// none.
func (p *pages) outdated(r rag.Recipe) []string {
	if p.cfg.Recipe == nil {
		return nil
	}
	now := p.cfg.Recipe(r)
	var out []string
	for _, part := range []struct{ what, was, is string }{
		{"read by", r.Extractor, now.Extractor}, {"divided by", r.Splitter, now.Splitter}, {"embedded by", r.Embedder, now.Embedder},
	} {
		if part.was != part.is {
			out = append(out, fmt.Sprintf("%s %s, now %s", part.what, orNothing(part.was), orNothing(part.is)))
		}
	}
	return out
}

// outdatedIn is outdated of the version with the id, where it is listed.
func (p *pages) outdatedIn(versions []rag.VersionInfo, id int64) []string {
	for _, v := range versions {
		if v.ID == id {
			return p.outdated(v.Recipe)
		}
	}
	return nil
}

func orNothing(s string) string {
	if s == "" {
		return "nothing"
	}
	return s
}

func recipeOf(r rag.Recipe) []string {
	recipe := []string{"read by " + r.Extractor, "divided by " + r.Splitter}
	if r.Embedder == "" {
		return append(recipe, "not embedded")
	}
	return append(recipe, "embedded by "+r.Embedder)
}

func versionURL(documentID, versionID int64) string {
	return documentURL(documentID) + "?v=" + itoa(versionID)
}

func diffURL(documentID, from, to int64) string {
	return documentURL(documentID) + "/diff?from=" + itoa(from) + "&to=" + itoa(to)
}

// askRestore asks whether an earlier version shall be live again.
func (p *pages) askRestore(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	old, live, err := p.twoVersions(c, id, c.QueryParam("v"), "")
	if err != nil {
		return err
	}
	if old.Version == live.Version {
		return rag.Errorf(rag.CodeConflict, "This version is live already.")
	}
	infos, err := p.cfg.Store.Versions(c.Request().Context(), p.cfg.ScopeOf(c), id, 0, listedVersions)
	if err != nil {
		return fmt.Errorf("listing the versions of document %d: %w", id, err)
	}
	title := titleOf(live.Document.Title, live.Document.SourceURI)
	return draw(c, http.StatusOK, views.RestorePage(views.Layout{Title: "Roll back " + title, Section: "documents"}, views.Restore{
		Title: title, Version: versionName(infos, old.Version), LiveVersion: "version " + strconv.Itoa(live.Document.Ordinal),
		Action: documentURL(id) + "/restore", CSRF: csrfOf(c), Back: documentURL(id) + "/versions",
		Diff: diffURL(id, live.Version, old.Version), ID: itoa(old.Version), Live: itoa(live.Version),
	}))
}

// versionName is the number of a version where it is among those listed.
func versionName(infos []rag.VersionInfo, id int64) string {
	for _, v := range infos {
		if v.ID == id {
			return "version " + strconv.Itoa(v.Ordinal)
		}
	}
	return "an earlier version"
}

// restore takes an earlier version live again.
func (p *pages) restore(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	version, err1 := strconv.ParseInt(c.FormValue("v"), 10, 64)
	live, err2 := strconv.ParseInt(c.FormValue("live"), 10, 64)
	if errors.Join(err1, err2) != nil || version < 1 || live < 1 {
		return rag.Errorf(rag.CodeInvalid, "Choose a version in the document's history.")
	}
	defer p.patient(c, 10*time.Minute)()
	if err := p.cfg.Restorer.Restore(c.Request().Context(), p.cfg.ScopeOf(c), id, version, live); err != nil {
		return fmt.Errorf("restoring version %d of document %d: %w", version, id, err)
	}
	return c.Redirect(http.StatusSeeOther, documentURL(id)+"?restored=1")
}

// twoVersions opens two versions of a document; "" is the live one.
func (p *pages) twoVersions(c echo.Context, id int64, from, to string) (a, b *rag.Reading, err error) {
	open := func(s string) (*rag.Reading, error) {
		version := int64(0)
		if s != "" {
			n, err := strconv.ParseInt(s, 10, 64)
			if err != nil || n < 1 {
				return nil, rag.Errorf(rag.CodeNotFound, "There is no such version.")
			}
			version = n
		}
		r, err := p.cfg.Store.Reading(c.Request().Context(), p.cfg.ScopeOf(c), id, version)
		if err != nil {
			return nil, fmt.Errorf("reading document %d, version %q: %w", id, s, err)
		}
		return r, nil
	}
	if a, err = open(from); err != nil {
		return nil, nil, err
	}
	b, err = open(to)
	return a, b, err
}
