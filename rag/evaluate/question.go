package evaluate

import "passage/rag"

// Kind is what a question asks for, which decides how it is measured.
type Kind string

// The kinds of question.
const (
	KindSpan         Kind = "span"         // stands in the answer spans
	KindProcedure    Kind = "procedure"    // the answer spans are all steps, in order
	KindDocument     Kind = "document"     // no spans: the right documents
	KindUnanswerable Kind = "unanswerable" // no document answers it; it must be refused
)

// SpanAny is the Mode of a question that any one of its spans answers. Without
// it, all of them are needed.
const SpanAny = "any"

// AnswerSpan is a part of the answer: [Start, End) in Unicode code points of the
// text of the document, which for plain text is the file as stored (UTF-8, LF),
// and for HTML, DOCX and PDF the normalised text. Text is what stands there; by
// it the span is found again in a new version of the document.
type AnswerSpan struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Text  string `json:"text,omitempty"`
}

// Target is one place that answers a question.
type Target struct {
	DocID string       `json:"doc_id"`          // the document's source URI
	Space string       `json:"space,omitempty"` // name of its space; "" when the URI stands in one space only
	Spans []AnswerSpan `json:"answer_spans"`
}

// Relevance grades a document for a question.
type Relevance struct {
	DocID string `json:"doc_id"`
	Space string `json:"space,omitempty"`
	Grade int    `json:"grade"` // 0: not relevant; higher is better
}

// Question is one question of a set with the answer that is expected.
type Question struct {
	ID           string
	Text         string
	Kind         Kind
	Mode         string   // SpanAny or ""
	Target       Target   // DocID is "" when the question is unanswerable, or graded only
	Alternatives []Target // other places that answer it as well
	Relevant     []Relevance
	RelevantFrom int    // least grade that counts as relevant, 1 when not given
	Note         string // for people: where the question comes from
}

// Targets gives the expected place and its alternatives; none when the question
// has no place.
func (q Question) Targets() []Target {
	if q.Target.DocID == "" {
		return nil
	}
	return append([]Target{q.Target}, q.Alternatives...)
}

// Half is a part of a set: weights are tuned on one half and reported on the
// other.
type Half string

// The halves of a set, by a hash of the question's id, so that a question stays
// in its half when others come and go.
const (
	HalfAll Half = ""
	HalfA   Half = "a"
	HalfB   Half = "b"
)

// Problem says what is wrong with a question: a document that is not there, a
// span whose text the document no longer holds. A question with no place left is
// not measured; it is never counted as not found.
type Problem struct {
	Question string `json:"question"`           // id
	Why      string `json:"why"`                // a sentence for people
	LeftOut  bool   `json:"left_out,omitempty"` // the question is not measured; else it is without this place
}

// QuestionSet is what rag.QuestionSet is; it is named here for those who read
// this package only.
type QuestionSet = rag.QuestionSet
