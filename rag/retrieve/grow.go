package retrieve

import (
	"sort"
	"strings"

	"passage/rag"
)

// completeCap is the most tokens a passage may have because a procedure in it
// was completed. A longer procedure stays in part, and the passage says so.
const completeCap = 2_048

// grower grows hits in one version.
type grower struct {
	reading *rag.Reading
	tokens  Counter
	exact   bool
}

// grow gives the span of the passage that a hit becomes under a strategy.
func (g grower) grow(h rag.Hit, s rag.Strategy) rag.Span {
	switch s.Kind {
	case rag.FixedTokens, rag.FixedChars:
		return h.Span
	case rag.ParentSection:
		return g.complete(g.whole(g.parent(h, s.SectionCap())))
	default:
		w := g.window(h, s)
		if g.exact {
			return w
		}
		return g.complete(g.whole(w))
	}
}

// whole widens a span so that it does not begin or end inside a code block, a
// table row or a list item that was divided for the embedder, unless that
// passes completeCap.
func (g grower) whole(span rag.Span) rag.Span {
	units := g.reading.Outline.UnitsOf(rag.SentenceSet)
	lo := sort.Search(len(units), func(i int) bool { return units[i].Span.End > span.Start })
	hi := sort.Search(len(units), func(i int) bool { return units[i].Span.Start >= span.End }) - 1
	if lo > hi {
		return span
	}
	for lo > 0 && ofOne(units[lo-1], units[lo]) {
		lo--
	}
	for hi+1 < len(units) && ofOne(units[hi], units[hi+1]) {
		hi++
	}
	widened := span.Union(units[lo].Span).Union(units[hi].Span)
	if widened != span && g.count(widened) > completeCap { // counting costs, and most hits were not divided
		return span
	}
	return widened
}

// ofOne says that two neighbours are pieces of one unit. The sentences of a
// paragraph are not.
func ofOne(a, b rag.Unit) bool {
	return a.Paragraph == b.Paragraph && a.Kind == b.Kind && a.Kind != rag.UnitSentence
}

// window is the hit with k sentences on both sides, or its paragraph, or its
// section.
func (g grower) window(h rag.Hit, s rag.Strategy) rag.Span {
	units := g.reading.Outline.UnitsOf(rag.SentenceSet)
	if h.Ordinal >= len(units) {
		return h.Span
	}
	switch s.Extent {
	case rag.ExtentSection:
		return g.trim(g.section(h).Span)
	case rag.ExtentParagraph:
		lo, hi := h.Ordinal, h.Ordinal
		for lo > 0 && units[lo-1].Paragraph == units[h.Ordinal].Paragraph {
			lo--
		}
		for hi < len(units)-1 && units[hi+1].Paragraph == units[h.Ordinal].Paragraph {
			hi++
		}
		return rag.Span{Start: units[lo].Span.Start, End: units[hi].Span.End}
	default:
		lo, hi := max(0, h.Ordinal-s.K), min(len(units)-1, h.Ordinal+s.K)
		return rag.Span{Start: units[lo].Span.Start, End: units[hi].Span.End}
	}
}

// parent is the section of the hit, or the part of it that holds the hit when
// the section has more tokens than the cap.
func (g grower) parent(h rag.Hit, limit int) rag.Span {
	s := g.section(h)
	if s.Tokens <= limit {
		return g.trim(s.Span)
	}
	for _, part := range s.Parts {
		if part.Overlaps(h.Span) {
			return g.trim(part)
		}
	}
	// The section is over this cap and was divided by another, or not at all.
	return g.around(h, s.Span, limit)
}

// around takes sentences on both sides of the hit, inside the bounds, as long
// as they stay within the limit of tokens.
func (g grower) around(h rag.Hit, bounds rag.Span, limit int) rag.Span {
	units := g.reading.Outline.UnitsOf(rag.SentenceSet)
	if h.Ordinal >= len(units) {
		return h.Span
	}
	span := h.Span
	lo, hi := h.Ordinal, h.Ordinal
	for {
		grown := false
		if hi+1 < len(units) && bounds.Contains(units[hi+1].Span) {
			if next := span.Union(units[hi+1].Span); g.count(next) <= limit {
				span, hi, grown = next, hi+1, true
			}
		}
		if lo > 0 && bounds.Contains(units[lo-1].Span) {
			if next := span.Union(units[lo-1].Span); g.count(next) <= limit {
				span, lo, grown = next, lo-1, true
			}
		}
		if !grown {
			return span
		}
	}
}

// complete widens a span so that every procedure it touches is whole, with its
// lead-in and what follows it, unless that passes completeCap; then it widens
// to whole steps.
func (g grower) complete(span rag.Span) rag.Span {
	for {
		next := span
		for _, p := range g.reading.Outline.Procedures {
			if p.Span.Overlaps(next) && !contains(next, p.Span, g.reading.Text) {
				next = g.completeOne(next, p)
			}
		}
		if next == span {
			return span
		}
		span = next
	}
}

func (g grower) completeOne(span rag.Span, p rag.Procedure) rag.Span {
	whole := span.Union(p.Span)
	if g.count(whole) <= completeCap {
		for _, s := range []rag.Span{p.Lead, p.Tail} {
			if s.Empty() {
				continue
			}
			if with := whole.Union(s); g.count(with) <= completeCap {
				whole = with
			}
		}
		return g.trim(whole)
	}
	for _, step := range p.Steps {
		if step.Span.Overlaps(span) {
			span = span.Union(g.trim(step.Span))
		}
	}
	return span
}

// parts says which steps of which procedures a span holds.
func (g grower) parts(span rag.Span) []rag.Part {
	var parts []rag.Part
	for _, p := range g.reading.Outline.Procedures {
		if !p.Span.Overlaps(span) {
			continue
		}
		part := rag.Part{Procedure: p.Ordinal, Section: p.Section, N: len(p.Steps), Span: p.Span}
		for i, step := range p.Steps {
			if !contains(span, step.Span, g.reading.Text) {
				continue
			}
			if part.From == 0 {
				part.From = i + 1
			}
			part.To = i + 1
		}
		parts = append(parts, part)
	}
	return parts
}

// section is the section a hit starts in. Sections tile the text, so there is
// always one.
func (g grower) section(h rag.Hit) rag.Section {
	return g.reading.Outline.Sections[g.sectionAt(h.Span.Start)]
}

// sectionAt finds the ordinal of the section that holds the byte.
func (g grower) sectionAt(at int) int {
	sections := g.reading.Outline.Sections
	lo, hi := 0, len(sections)
	for lo < hi {
		if mid := (lo + hi) / 2; sections[mid].Span.End <= at {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return min(lo, len(sections)-1)
}

func (g grower) count(s rag.Span) int { return g.tokens.Count(s.In(g.reading.Text)) }

func (g grower) trim(s rag.Span) rag.Span { return trim(s, g.reading.Text) }

// trim leaves out white space at both ends, but keeps the indentation of the
// first line, which Markdown needs.
func trim(s rag.Span, text string) rag.Span {
	body := s.In(text)
	end := s.Start + len(strings.TrimRight(body, " \t\n"))
	if end == s.Start {
		return s
	}
	start := s.Start + len(body) - len(strings.TrimLeft(body, " \t\n"))
	if nl := strings.LastIndexByte(text[s.Start:start], '\n'); nl >= 0 {
		start = s.Start + nl + 1
	} else {
		start = s.Start
	}
	return rag.Span{Start: start, End: end}
}

// contains says that every byte of inner that is not white space at its ends
// lies in outer.
func contains(outer, inner rag.Span, text string) bool {
	body := inner.In(text)
	inner.Start += len(body) - len(strings.TrimLeft(body, " \t\n"))
	inner.End -= len(body) - len(strings.TrimRight(body, " \t\n"))
	return outer.Contains(inner) || inner.Empty()
}
