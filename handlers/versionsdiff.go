package handlers

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/rag/diff"
	"passage/views"
)

// Limits of a page that compares versions.
const (
	diffText  = 200_000 // bytes of pieces; what is left stands on the next page
	diffPiece = 20_000  // bytes of one piece; more of it is not shown
	diffNear  = 2       // pieces shown around a change
)

// diffPlace is where a page of a comparison begins: a section and a piece of it.
type diffPlace struct{ section, piece int }

func readDiffPlace(s string) diffPlace {
	section, piece, _ := strings.Cut(s, ".")
	a, err1 := strconv.Atoi(section)
	b, err2 := strconv.Atoi(piece)
	if err1 != nil || err2 != nil || a < 0 || b < 0 {
		return diffPlace{}
	}
	return diffPlace{a, b}
}

// diff compares two versions of a document.
func (p *pages) diff(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	from, to, err := p.twoVersions(c, id, c.QueryParam("from"), c.QueryParam("to"))
	if err != nil {
		return err
	}
	infos, err := p.cfg.Store.Versions(c.Request().Context(), p.cfg.ScopeOf(c), id, 0, listedVersions)
	if err != nil {
		return fmt.Errorf("listing the versions of document %d: %w", id, err)
	}
	d := to.Document
	view := views.Diff{
		Title: titleOf(d.Title, d.SourceURI), Document: documentURL(id), History: documentURL(id) + "/versions", Action: documentURL(id) + "/diff",
		From: versionName(infos, from.Version), To: versionName(infos, to.Version),
		Swap: diffURL(id, to.Version, from.Version),
	}
	for _, v := range infos {
		if v.State != rag.VersionLive && v.State != rag.VersionSuperseded {
			continue
		}
		label := "Version " + strconv.Itoa(v.Ordinal)
		if v.State == rag.VersionLive {
			label += " (live)"
		}
		view.Olds = append(view.Olds, views.Option{Value: itoa(v.ID), Label: label, Selected: v.ID == from.Version})
		view.News = append(view.News, views.Option{Value: itoa(v.ID), Label: label, Selected: v.ID == to.Version})
	}
	if p.cfg.Restorer != nil && from.Version != d.VersionID {
		view.RestoreURL = documentURL(id) + "/restore?v=" + itoa(from.Version)
	}
	next := diffSections(&view, diff.Sections(from, to), readDiffPlace(c.QueryParam("at")))
	if next != nil {
		view.More = diffURL(id, from.Version, to.Version) + "&at=" + url.QueryEscape(fmt.Sprintf("%d.%d", next.section, next.piece))
	}
	return draw(c, http.StatusOK, views.DiffPage(views.Layout{Title: "Changes of " + view.Title, Section: "documents"}, view))
}

// diffSections fills a page with what has changed, from a place on, and gives
// the place where the next page begins.
func diffSections(view *views.Diff, sections []diff.Section, at diffPlace) *diffPlace {
	counts := map[diff.State]int{}
	for _, s := range sections {
		counts[s.State]++
	}
	for _, c := range []struct {
		state diff.State
		what  string
	}{{diff.Changed, "changed"}, {diff.Added, "added"}, {diff.Removed, "removed"}, {diff.Same, "unchanged"}} {
		if n := counts[c.state]; n > 0 {
			view.Summary = append(view.Summary, count(n, "section", "sections")+" "+c.what)
		}
	}
	view.Same = counts[diff.Same] == len(sections)
	size := 0
	for i, s := range sections {
		if i < at.section || s.State == diff.Same {
			continue
		}
		from := 0
		if i == at.section {
			from = at.piece
		}
		shown := views.DiffSection{
			ID: "change-" + strconv.Itoa(i), State: string(s.State), Path: s.Path, Was: s.Was, Continued: from > 0,
		}
		pieces := s.Pieces()
		near := nearChange(pieces)
		skipped := 0
		for n := min(from, len(pieces)); n < len(pieces); n++ {
			if !near[n] {
				skipped++
				continue
			}
			if size > diffText {
				view.Sections = append(view.Sections, shown)
				return &diffPlace{i, n - skipped}
			}
			if skipped > 0 {
				shown.Pieces = append(shown.Pieces, views.DiffPiece{State: "skip", Text: count(skipped, "unchanged piece", "unchanged pieces")})
				skipped = 0
			}
			size += min(len(pieces[n].Text), diffPiece)
			shown.Pieces = append(shown.Pieces, diffPieceOf(pieces[n]))
		}
		if skipped > 0 {
			shown.Pieces = append(shown.Pieces, views.DiffPiece{State: "skip", Text: count(skipped, "unchanged piece", "unchanged pieces")})
		}
		view.Sections = append(view.Sections, shown)
	}
	return nil
}

func diffPieceOf(p diff.Piece) views.DiffPiece {
	text := strings.TrimSuffix(p.Text, "\n")
	out := views.DiffPiece{State: string(p.State), Text: text}
	if len(text) > diffPiece {
		end := diffPiece
		for end > 0 && !utf8.RuneStart(text[end]) {
			end--
		}
		out.Text, out.Cut = text[:end], fileSize(len(text)-end)+" more of this piece are not shown"
	}
	return out
}

// nearChange marks the pieces that are changed or stand beside a change.
func nearChange(pieces []diff.Piece) []bool {
	near := make([]bool, len(pieces))
	for i, p := range pieces {
		if p.State == diff.Same {
			continue
		}
		for n := max(i-diffNear, 0); n <= min(i+diffNear, len(pieces)-1); n++ {
			near[n] = true
		}
	}
	return near
}
