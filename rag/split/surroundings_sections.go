package split

import (
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract/names"
)

// The longest that stands beside a procedure, in bytes of text: a section
// called "Prerequisites", and what its own section says before it.
const (
	maxSectionAround = 6_000
	maxIntroduction  = 1_500
)

// sectionsBefore gives the sections right before the procedure's own that say
// what must be so, or what may go wrong. lead is what was found in its own.
func (d *document) sectionsBefore(p *rag.Procedure, lead []rag.Surrounding) []rag.Surrounding {
	own := d.ownSection(p)
	s := d.sections[own]
	start := p.Span.Start
	if len(lead) > 0 {
		start = lead[0].Span.Start
	}
	if start-s.Span.Start > maxIntroduction {
		return nil
	}
	var found []rag.Surrounding
	for k := own - 1; k >= 0 && len(found) < maxAround; k-- {
		b := &d.sections[k]
		if b.Parent != s.Parent || b.TreeEnd != b.Span.End {
			break
		}
		var kind rag.SurroundingKind
		switch names.Of(b.Heading) {
		case names.Before:
			kind = rag.Precondition
		case names.Warning:
			kind = rag.Warning
		default:
		}
		if kind == "" || b.Span.Len() > maxSectionAround {
			break
		}
		found = append(found, rag.Surrounding{Kind: kind, Span: d.section(b)})
	}
	slices.Reverse(found)
	return found
}

// sectionsAfter gives the sections right after the procedure that verify it or
// take it back, if nothing but tail, what was found in its own section, stands
// between.
func (d *document) sectionsAfter(p *rag.Procedure, tail []rag.Surrounding) []rag.Surrounding {
	end := p.Span.End
	if len(tail) > 0 {
		end = tail[len(tail)-1].Span.End
	}
	last := sectionAt(d.sections, max(end-1, p.Span.Start))
	if strings.TrimSpace(d.text[end:d.sections[last].Span.End]) != "" {
		return nil
	}
	level := d.sections[d.ownSection(p)].Level
	var found []rag.Surrounding
	for k := last + 1; k < len(d.sections) && len(found) < maxAround; {
		s := &d.sections[k]
		var kind rag.SurroundingKind
		switch names.Of(s.Heading) {
		case names.Check:
			kind = rag.Verification
		case names.Undo:
			kind = rag.Rollback
		default:
		}
		if kind == "" || s.Level < level || s.TreeEnd-s.Span.Start > maxSectionAround {
			break
		}
		found = append(found, rag.Surrounding{Kind: kind, Span: d.trim(rag.Span{Start: d.section(s).Start, End: s.TreeEnd})})
		for k < len(d.sections) && d.sections[k].Span.Start < s.TreeEnd {
			k++
		}
	}
	return found
}

// ownSection gives the ordinal of the section that a procedure stands in: of
// one whose steps are sections the one above them, if nothing is before them.
func (d *document) ownSection(p *rag.Procedure) int {
	own := sectionAt(d.sections, p.Span.Start)
	s := &d.sections[own]
	isSections := s.Level > 0 && strings.TrimSpace(d.text[s.Span.Start:p.Span.Start]) == ""
	if isSections && own > 0 && s.Parent == own-1 {
		return own - 1
	}
	return own
}

// section is the span of a section from its heading to its last word.
func (d *document) section(s *rag.Section) rag.Span {
	span := d.trim(s.Span)
	for span.Start < span.End && isBlank(d.text[span.Start]) {
		span.Start++
	}
	return span
}
