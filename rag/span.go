package rag

// Span is a half-open range [Start, End) of bytes in the text of a version.
type Span struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// Len is the number of bytes in the span.
func (s Span) Len() int { return s.End - s.Start }

// Empty says that the span holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains says that every byte of t lies in s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Overlaps says that s and t share at least one byte.
func (s Span) Overlaps(t Span) bool { return s.Start < t.End && t.Start < s.End }

// Union is the smallest span that holds both.
func (s Span) Union(t Span) Span {
	return Span{Start: min(s.Start, t.Start), End: max(s.End, t.End)}
}

// In cuts the span out of the text it belongs to. A span outside the text
// panics, as a slice does: spans are made with the text and stored with it.
func (s Span) In(text string) string { return text[s.Start:s.End] }
