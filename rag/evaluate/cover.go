package evaluate

import (
	"cmp"
	"slices"
	"unicode"

	"passage/rag"
)

// union joins spans that overlap or meet, in order.
func union(spans []rag.Span) []rag.Span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b rag.Span) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var joined []rag.Span
	for _, s := range sorted {
		if n := len(joined); n > 0 && s.Start <= joined[n-1].End {
			joined[n-1].End = max(joined[n-1].End, s.End)
			continue
		}
		joined = append(joined, s)
	}
	return joined
}

// common is the length that two unions share.
func common(a, b []rag.Span) int {
	n := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		n += max(0, min(a[i].End, b[j].End)-max(a[i].Start, b[j].Start))
		if a[i].End < b[j].End {
			i++
		} else {
			j++
		}
	}
	return n
}

func length(spans []rag.Span) int {
	n := 0
	for _, s := range spans {
		n += s.Len()
	}
	return n
}

// covered says that every character of a span, white space apart, lies in the
// union. Without its text every character counts.
func covered(s AnswerSpan, by []rag.Span) bool {
	i, at := 0, s.Start
	for _, r := range s.runes() {
		for i < len(by) && by[i].End <= at {
			i++
		}
		if (i == len(by) || at < by[i].Start) && !isSpace(r) {
			return false
		}
		at++
	}
	return true
}

// runes gives the characters of the span, letters when the text is not known.
func (s AnswerSpan) runes() []rune {
	if runes := []rune(s.Text); len(runes) == s.End-s.Start {
		return runes
	}
	return slices.Repeat([]rune{'x'}, s.End-s.Start)
}

// isSpace agrees with str.isspace of Python, by which the question files are
// scored elsewhere: the separators U+001C to U+001F are white space too.
func isSpace(r rune) bool { return unicode.IsSpace(r) || r >= 0x1c && r <= 0x1f }

func (s AnswerSpan) span() rag.Span { return rag.Span{Start: s.Start, End: s.End} }
