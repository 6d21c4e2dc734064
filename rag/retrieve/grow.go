package retrieve

import (
	"slices"

	"passage/rag"
)

// completeCap is the most tokens a passage may have because a procedure in it
// was completed. A longer procedure stays in part, and the passage says so.
const completeCap = 2_048

// grower grows hits in one version.
type grower struct {
	*page
	exactly bool // windows of k sentences and not one more
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
		if g.exactly {
			return w
		}
		return g.complete(g.whole(w))
	}
}

// limit is the most tokens that the passage of a hit should have by its
// strategy, when its parent has more: then sentences far from the question are
// left out. 0 says that the parent is within its cap, or nearly: tokenizers
// differ a little, and a gap costs a reader more than a few sentences.
func (g grower) limit(h rag.Hit, s rag.Strategy) int {
	if s.Kind != rag.ParentSection {
		return 0
	}
	most := s.SectionCap()
	if own, ok := g.sectionAt(h.Span.Start); ok && own.Tokens > 0 && own.Tokens <= most {
		return 0
	}
	if g.count(g.parent(h, most)) <= most+most/4 {
		return 0
	}
	return most
}

// whole widens a span so that it does not begin or end inside a code block, a
// table row or a list item that was divided for the embedder, unless that
// passes completeCap.
func (g grower) whole(span rag.Span) rag.Span {
	lo, end := g.within(span)
	hi := end - 1
	if lo > hi {
		return span
	}
	for lo > 0 && ofOne(g.units[lo-1], g.units[lo]) {
		lo--
	}
	for hi+1 < len(g.units) && ofOne(g.units[hi], g.units[hi+1]) {
		hi++
	}
	widened := span.Union(g.units[lo].Span).Union(g.units[hi].Span)
	if widened != span && g.count(widened) > completeCap {
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
	if h.Ordinal >= len(g.units) {
		return h.Span
	}
	lo, hi := h.Ordinal, h.Ordinal
	switch s.Extent {
	case rag.ExtentSection:
		section, ok := g.sectionAt(h.Span.Start)
		if !ok {
			return h.Span
		}
		return g.trim(section.Span)
	case rag.ExtentParagraph:
		for lo > 0 && g.units[lo-1].Paragraph == g.units[h.Ordinal].Paragraph {
			lo--
		}
		for hi < len(g.units)-1 && g.units[hi+1].Paragraph == g.units[h.Ordinal].Paragraph {
			hi++
		}
	default:
		lo, hi = max(0, h.Ordinal-s.K), min(len(g.units)-1, h.Ordinal+s.K)
	}
	return rag.Span{Start: g.units[lo].Span.Start, End: g.units[hi].Span.End}
}

// parent is the section of the hit, or its middle layer, the part of it that
// holds the hit, when the section has more tokens than the cap. Without a
// section the hit stands alone.
func (g grower) parent(h rag.Hit, most int) rag.Span {
	s, ok := g.sectionAt(h.Span.Start)
	if !ok {
		return h.Span
	}
	if s.Tokens > most {
		for _, part := range s.Parts {
			if part.Overlaps(h.Span) {
				return g.trim(part)
			}
		}
	}
	return g.trim(s.Span)
}

// complete widens a span so that every procedure it touches is whole, with what
// surrounds it, unless that passes completeCap; then it widens to whole steps.
func (g grower) complete(span rag.Span) rag.Span {
	for {
		next := span
		for _, p := range g.procedures(next) {
			next = g.completeOne(next, p)
		}
		if next == span {
			return span
		}
		span = next
	}
}

func (g grower) completeOne(span rag.Span, p rag.Procedure) rag.Span {
	if contains(span, p.Span, g.reading.Text) {
		return g.surround(span, p)
	}
	if whole := span.Union(g.trim(p.Span)); g.count(whole) <= completeCap {
		return g.surround(whole, p)
	}
	for _, step := range p.Steps {
		if !step.Span.Overlaps(span) || contains(span, step.Span, g.reading.Text) {
			continue
		}
		if own := g.trim(step.Span); g.count(own) <= completeCap {
			span = span.Union(own)
		}
	}
	return span
}

// surround adds what stands around a procedure, the nearest first and what
// stands before it first, because warnings do, as long as it all is within
// completeCap.
func (g grower) surround(span rag.Span, p rag.Procedure) rag.Span {
	before, after := around(p)
	for _, side := range [][]rag.Span{before, after} {
		for _, s := range side {
			with := span.Union(g.trim(s))
			if with != span && g.count(with) > completeCap {
				break
			}
			span = with
		}
	}
	return span
}

// around lists what stands before and after the steps of a procedure, the
// nearest first.
func around(p rag.Procedure) (before, after []rag.Span) {
	spans := []rag.Span{p.Lead, p.Tail}
	for _, s := range p.Around {
		spans = append(spans, s.Span)
	}
	for _, s := range spans {
		switch {
		case s.Empty():
		case s.Start < p.Span.Start:
			before = append(before, s)
		default:
			after = append(after, s)
		}
	}
	slices.SortFunc(before, func(a, b rag.Span) int { return b.Start - a.Start })
	slices.SortFunc(after, func(a, b rag.Span) int { return a.End - b.End })
	return before, after
}

// parts says which steps of which procedures are in a span outside its gaps:
// one part for each run of steps that are whole, or one without steps when none
// is.
func (p *page) parts(span rag.Span, gaps []rag.Span) []rag.Part {
	var parts []rag.Part
	for _, proc := range p.procedures(span) {
		if inGaps(overlap(proc.Span, span), gaps) {
			continue
		}
		none := rag.Part{Procedure: proc.Ordinal, Section: proc.Section, N: len(proc.Steps), Span: proc.Span}
		part, found := none, false
		for i, step := range proc.Steps {
			held := contains(span, step.Span, p.reading.Text) && !cutByGap(p.trim(step.Span), gaps)
			switch {
			case held && part.From == 0:
				part.From, part.To = i+1, i+1
			case held:
				part.To = i + 1
			case part.From > 0:
				parts, part, found = append(parts, part), none, true
			}
		}
		if part.From > 0 || !found {
			parts = append(parts, part)
		}
	}
	return parts
}

// inGaps says that nothing of a span is outside the gaps.
func inGaps(s rag.Span, gaps []rag.Span) bool {
	return slices.ContainsFunc(gaps, func(g rag.Span) bool { return g.Contains(s) })
}

func overlap(a, b rag.Span) rag.Span {
	return rag.Span{Start: max(a.Start, b.Start), End: min(a.End, b.End)}
}

func cutByGap(s rag.Span, gaps []rag.Span) bool {
	return slices.ContainsFunc(gaps, s.Overlaps)
}
