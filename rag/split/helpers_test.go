package split_test

import "passage/rag"

// cut gives the texts of spans.
func cut(text string, spans []rag.Span) []string {
	out := make([]string, len(spans))
	for i, s := range spans {
		out[i] = s.In(text)
	}
	return out
}
