package evaluate

import (
	"unicode/utf8"

	"passage/rag"
)

// SpanOf gives a span of bytes in a text as an answer span in code points.
func SpanOf(text string, s rag.Span) AnswerSpan {
	start := utf8.RuneCountInString(text[:s.Start])
	words := s.In(text)
	return AnswerSpan{Start: start, End: start + utf8.RuneCountInString(words), Text: words}
}
