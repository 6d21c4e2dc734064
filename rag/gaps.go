package rag

import "strings"

// GapMark is shown where a passage leaves something out.
const GapMark = "[…]"

// Pieces are the spans of the passage that were kept, in the order of the text:
// the whole span when nothing was left out. Pieces and gaps tile the span.
func (p Passage) Pieces() []Span { return Pieces(p.Span, p.Gaps) }

// Shown is the text of the passage with GapMark in the place of each gap.
func (p Passage) Shown() string { return shown(p.Text, p.Span, p.Gaps) }

// Shown is the text of the citation with GapMark in the place of each gap.
func (c Citation) Shown() string { return shown(c.Text, c.Span, c.Gaps) }

// Pieces are what is left of a span between gaps. The gaps are in the order of
// the text; what of them lies outside the span does not count.
func Pieces(s Span, gaps []Span) []Span {
	var pieces []Span
	at := s.Start
	for _, g := range gaps {
		if g.Empty() || !g.Overlaps(s) {
			continue
		}
		if g.Start > at {
			pieces = append(pieces, Span{Start: at, End: g.Start})
		}
		at = max(at, g.End)
	}
	if at < s.End {
		pieces = append(pieces, Span{Start: at, End: s.End})
	}
	return pieces
}

// shown writes the pieces of a text that stands at a span. A gap over several
// blocks gets a paragraph of its own, one over several lines its own line.
func shown(text string, at Span, gaps []Span) string {
	if len(gaps) == 0 || len(text) < at.Len() {
		return text
	}
	var b strings.Builder
	end := at.Start
	for _, p := range Pieces(at, gaps) {
		if p.Start > end {
			gap := text[end-at.Start : p.Start-at.Start]
			piece := text[p.Start-at.Start:]
			b.WriteString(breakBefore(gap, b.String()))
			b.WriteString(GapMark)
			b.WriteString(breakAfter(gap, piece))
		}
		b.WriteString(text[p.Start-at.Start : p.End-at.Start])
		end = p.End
	}
	if end < at.End {
		b.WriteString(GapMark)
	}
	return b.String()
}

// breaks is the line breaks that set the mark of a gap apart: none within a
// line, one between lines, two between blocks.
func breaks(gap string) string {
	switch {
	case strings.Contains(gap, "\n\n"):
		return "\n\n"
	case strings.Contains(gap, "\n"):
		return "\n"
	default:
		return ""
	}
}

func breakBefore(gap, before string) string {
	if before == "" || strings.HasSuffix(before, "\n") {
		return ""
	}
	return breaks(gap)
}

func breakAfter(gap, after string) string {
	if strings.HasPrefix(after, "\n") {
		return ""
	}
	return breaks(gap)
}
