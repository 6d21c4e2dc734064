package handlers

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"

	"github.com/labstack/echo/v4"

	"passage/rag"
	"passage/views"
)

// unitsText is how many bytes of a text one page of its units shows, to the end
// of a piece.
const unitsText = 150_000

// documentUnits shows how a version is read: every byte of its text, with its
// sections, units and procedures over it, as they are stored.
func (p *pages) documentUnits(c echo.Context) error {
	id, err := idOf(c)
	if err != nil {
		return err
	}
	at := readPlace(c.QueryParams())
	r, err := p.cfg.Store.Reading(c.Request().Context(), p.cfg.ScopeOf(c), id, at.version)
	if err != nil {
		return fmt.Errorf("reading document %d, version %d: %w", id, at.version, err)
	}
	sets := setsOf(r.Outline.Units)
	set := rag.SentenceSet
	if asked := rag.UnitSet(c.QueryParam("set")); slices.Contains(sets, asked) {
		set = asked
	}
	from, err := strconv.Atoi(c.QueryParam("at"))
	if err != nil || from < 0 || from >= len(r.Text) {
		from = 0
	}
	d := r.Document
	view := views.Units{
		Title: titleOf(d.Title, d.SourceURI), Document: documentURL(id), Size: fileSize(len(r.Text)),
		Counts: []string{
			count(len(r.Outline.Sections), "section", "sections"), count(len(r.Outline.Procedures), "procedure", "procedures"),
		},
	}
	page := func(set rag.UnitSet, at int) string {
		q := url.Values{"show": {"units"}}
		if r.Version != d.VersionID {
			q.Set("v", itoa(r.Version))
		}
		if set != rag.SentenceSet {
			q.Set("set", string(set))
		}
		if at > 0 {
			q.Set("at", strconv.Itoa(at))
		}
		return documentURL(id) + "?" + q.Encode()
	}
	if r.Version != d.VersionID {
		view.Document, view.Earlier = versionURL(id, r.Version), true
	}
	for _, s := range sets {
		n := len(r.Outline.UnitsOf(s))
		view.Sets = append(view.Sets, views.UnitSet{Label: string(s) + ": " + count(n, "unit", "units"), URL: page(s, 0), Current: s == set})
	}
	sections, end := unitSections(r, set, from)
	view.Sections = sections
	if from > 0 {
		view.First = page(set, 0)
	}
	if end < len(r.Text) {
		view.More = page(set, end)
	}
	for _, s := range r.Outline.Sections {
		item := views.OutlineItem{Text: sectionName(s), URL: "#" + sectionID(s), Level: max(s.Level, 1)}
		if s.Span.Start < from || s.Span.Start >= end {
			item.URL = page(set, s.Span.Start) + item.URL
		}
		view.Outline = append(view.Outline, item)
	}
	return draw(c, http.StatusOK, views.UnitsPage(views.Layout{Title: "How Passage reads " + view.Title, Section: "documents"}, view))
}

func setsOf(units []rag.Unit) []rag.UnitSet {
	var sets []rag.UnitSet
	for _, u := range units {
		if !slices.Contains(sets, u.Set) {
			sets = append(sets, u.Set)
		}
	}
	return sets
}

func sectionID(s rag.Section) string { return "section-" + strconv.Itoa(s.Ordinal) }

func sectionName(s rag.Section) string {
	if s.Heading == "" {
		return "Before the first heading"
	}
	return s.Heading
}

// procedurePart is a place of a text that has a part in a procedure.
type procedurePart struct {
	span        rag.Span
	label, role string
}

// procedureParts are those of all procedures, in the order of the text.
func procedureParts(o *rag.Outline) []procedurePart {
	var parts []procedurePart
	for _, p := range o.Procedures {
		name := "Procedure " + strconv.Itoa(p.Ordinal+1)
		add := func(span rag.Span, role, label string) {
			if !span.Empty() {
				parts = append(parts, procedurePart{span, name + ", " + label, role})
			}
		}
		add(p.Lead, "lead", "what stands before its steps")
		end := p.Span.Start
		for i, step := range p.Steps {
			add(rag.Span{Start: end, End: step.Span.Start}, "between", "between its steps")
			add(step.Span, "step", fmt.Sprintf("step %d of %d, written “%s”", i+1, len(p.Steps), step.Number))
			end = step.Span.End
		}
		add(rag.Span{Start: end, End: p.Span.End}, "between", "behind its last step")
		add(p.Tail, "tail", "what stands after its steps")
	}
	slices.SortStableFunc(parts, func(a, b procedurePart) int { return cmp.Compare(a.span.Start, b.span.Start) })
	return parts
}

// unitSections cuts the text from a byte on wherever anything that is stored
// begins or ends, and gives the pieces by their sections, and the byte where the
// page ends. The pieces of all pages, joined, are the text.
func unitSections(r *rag.Reading, set rag.UnitSet, from int) (sections []views.UnitSection, end int) {
	units, parts := r.Outline.UnitsOf(set), procedureParts(&r.Outline)
	cuts := cutsOf(r, units, parts, from)
	section, first, part, active := 0, 0, 0, []int(nil)
	for n := 0; n+1 < len(cuts); n++ {
		piece := rag.Span{Start: cuts[n], End: cuts[n+1]}
		if piece.Start-from >= unitsText {
			return sections, piece.Start
		}
		for section+1 < len(r.Outline.Sections) && r.Outline.Sections[section+1].Span.Start <= piece.Start {
			section++
		}
		if n == 0 || r.Outline.Sections[section].Ordinal != sections[len(sections)-1].Ordinal {
			sections = append(sections, unitSection(r.Outline.Sections[section]))
		}
		for first < len(units) && units[first].Span.Start <= piece.Start {
			active = append(active, first)
			first++
		}
		active = slices.DeleteFunc(active, func(i int) bool { return units[i].Span.End <= piece.Start })
		for part < len(parts) && parts[part].span.End <= piece.Start {
			part++
		}
		role, label := "", ""
		if part < len(parts) && parts[part].span.Contains(piece) {
			role, label = parts[part].role, parts[part].label
		}
		s := &sections[len(sections)-1]
		if g := len(s.Groups); g == 0 || s.Groups[g-1].Label != label {
			s.Groups = append(s.Groups, views.UnitGroup{Role: role, Label: label})
		}
		g := &s.Groups[len(s.Groups)-1]
		g.Pieces = append(g.Pieces, unitPiece(r.Text, piece, units, active))
	}
	return sections, len(r.Text)
}

// cutsOf are the places from a byte to the end of the text where a section, a
// unit or a part of a procedure begins or ends.
func cutsOf(r *rag.Reading, units []rag.Unit, parts []procedurePart, from int) []int {
	cuts := []int{from, len(r.Text)}
	add := func(s rag.Span) {
		for _, at := range []int{s.Start, s.End} {
			if at > from && at < len(r.Text) {
				cuts = append(cuts, at)
			}
		}
	}
	for _, s := range r.Outline.Sections {
		add(s.Span)
	}
	for _, u := range units {
		add(u.Span)
	}
	for _, p := range parts {
		add(p.span)
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

func unitSection(s rag.Section) views.UnitSection {
	return views.UnitSection{
		Ordinal: s.Ordinal, ID: sectionID(s), Path: s.Path, Tokens: count(s.Tokens, "token", "tokens"),
		Bytes: fmt.Sprintf("bytes %d–%d", s.Span.Start, s.Span.End), Parts: len(s.Parts),
	}
}

// unitPiece describes a piece of the text by the units that it belongs to.
func unitPiece(text string, piece rag.Span, units []rag.Unit, active []int) views.UnitPiece {
	v := views.UnitPiece{Text: piece.In(text)}
	for _, i := range active {
		u := units[i]
		name := strconv.Itoa(u.Ordinal+1) + " " + string(u.Kind)
		if !u.Header.Empty() && u.Kind == rag.UnitRow {
			name += " with its header"
		}
		if u.Span.Start < piece.Start {
			name += ", continued"
		}
		v.Units, v.Kind = append(v.Units, name), string(u.Kind)
	}
	return v
}
