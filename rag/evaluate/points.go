package evaluate

import (
	"sort"
	"unicode/utf8"

	"passage/rag"
)

// Tokenizer counts tokens and says where in a text each of them ends, in bytes.
type Tokenizer interface {
	Count(text string) int
	Ends(text string) []int
}

// SpanOf gives a span of bytes in a text as an answer span in code points.
func SpanOf(text string, s rag.Span) AnswerSpan {
	start := utf8.RuneCountInString(text[:s.Start])
	words := s.In(text)
	return AnswerSpan{Start: start, End: start + utf8.RuneCountInString(words), Text: words}
}

// Text is the text of a document, ready to be measured in.
type Text struct {
	text  string
	runes int
	ascii bool
	marks []int // code points before every stride-th byte
	ends  []int // ends of the tokens, in code points; nil when tokens are not counted
}

const stride = 256

// NewText reads a text; without a tokenizer the measures by tokens are left out.
func NewText(text string, tok Tokenizer) *Text {
	t := &Text{text: text}
	for i := range len(text) {
		if i%stride == 0 {
			t.marks = append(t.marks, t.runes)
		}
		if utf8.RuneStart(text[i]) {
			t.runes++
		}
	}
	t.ascii = t.runes == len(text)
	if tok != nil {
		t.tokenize(tok)
	}
	return t
}

// tokenize finds the tokens, once.
func (t *Text) tokenize(tok Tokenizer) {
	if t.ends != nil {
		return
	}
	t.ends = tok.Ends(t.text)
	for i, end := range t.ends {
		t.ends[i] = t.point(end)
	}
}

// point is the number of code points before a byte.
func (t *Text) point(offset int) int {
	if t.ascii || offset == 0 {
		return offset
	}
	block := (offset - 1) / stride
	n := t.marks[block]
	for i := block * stride; i < offset; i++ {
		if utf8.RuneStart(t.text[i]) {
			n++
		}
	}
	return n
}

// points gives a span of bytes in code points.
func (t *Text) points(s rag.Span) rag.Span {
	return rag.Span{Start: t.point(s.Start), End: t.point(s.End)}
}

// tokens gives the tokens of a span as a span of token numbers: those that end
// in it. So the tokens of two spans that meet are never counted twice.
func (t *Text) tokens(s rag.Span) rag.Span {
	return rag.Span{Start: sort.SearchInts(t.ends, s.Start+1), End: sort.SearchInts(t.ends, s.End+1)}
}
