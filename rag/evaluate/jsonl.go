package evaluate

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"passage/rag"
)

// Limits of a question.
const (
	maxLine  = 16 << 20 // bytes of one line of a file
	maxID    = 300      // bytes
	maxText  = 10_000   // bytes of a question
	maxSpans = 10_000   // of one target
)

// questionJSON is a line of a file. Fields of other programs are ignored.
type questionJSON struct {
	ID           string       `json:"id"`
	Question     string       `json:"question"`
	Kind         Kind         `json:"kind,omitempty"`
	DocID        string       `json:"doc_id,omitempty"`
	Space        string       `json:"space,omitempty"`
	AnswerSpans  []AnswerSpan `json:"answer_spans,omitempty"`
	SpanMode     string       `json:"span_mode,omitempty"`
	Alternatives []Target     `json:"alternatives,omitempty"`
	Relevant     []Relevance  `json:"relevant,omitempty"`
	RelevantFrom int          `json:"relevant_from,omitempty"`
	Unanswerable bool         `json:"unanswerable,omitempty"`
	Note         string       `json:"note,omitempty"`

	// Of the files of procedures: read, and written as kind and alternatives.
	ProcedureID             string   `json:"procedure_id,omitempty"`
	AlternativeProcedureIDs []string `json:"alternative_procedure_ids,omitempty"`
}

// MarshalJSON writes the question as a line of a file.
func (q Question) MarshalJSON() ([]byte, error) {
	l := questionJSON{
		ID: q.ID, Question: q.Text, Kind: q.Kind, DocID: q.Target.DocID, Space: q.Target.Space, AnswerSpans: q.Target.Spans,
		SpanMode: q.Mode, Alternatives: q.Alternatives, Relevant: q.Relevant, RelevantFrom: q.RelevantFrom, Note: q.Note,
	}
	if q.Kind == KindUnanswerable {
		l.Kind, l.Unanswerable = "", true
	}
	return json.Marshal(l)
}

// UnmarshalJSON reads a line of a file. Procedures that it names as alternatives
// are not resolved; see Read.
func (q *Question) UnmarshalJSON(data []byte) error {
	var l questionJSON
	if err := json.Unmarshal(data, &l); err != nil {
		return err
	}
	*q = l.question()
	return nil
}

func (l questionJSON) question() Question {
	q := Question{
		ID: l.ID, Text: l.Question, Kind: l.Kind, Mode: l.SpanMode, Alternatives: l.Alternatives, Relevant: l.Relevant,
		RelevantFrom: l.RelevantFrom, Note: l.Note, Target: Target{DocID: l.DocID, Space: l.Space, Spans: l.AnswerSpans},
	}
	switch {
	case l.Unanswerable:
		q.Kind = KindUnanswerable
	case q.Kind == KindSpan && len(l.AnswerSpans) == 0 && l.DocID != "":
		q.Kind = KindDocument // an empty list is as good as none: the whole document is the answer
	case q.Kind != "":
	case l.ProcedureID != "":
		q.Kind = KindProcedure
	case len(l.AnswerSpans) > 0:
		q.Kind = KindSpan
	default:
		q.Kind = KindDocument
	}
	return q
}

// Procedures are the steps of procedures by id, which question files name as
// alternatives.
type Procedures map[string]Target

// ReadProcedures reads a file of procedures: objects with id, doc_id and steps,
// one a line. Errors: CodeInvalid, naming the line.
func ReadProcedures(r io.Reader, name string) (Procedures, error) {
	p := Procedures{}
	return p, eachLine(r, name, func(line []byte) error {
		var l struct {
			ID    string       `json:"id"`
			DocID string       `json:"doc_id"`
			Space string       `json:"space"`
			Steps []AnswerSpan `json:"steps"`
		}
		if err := json.Unmarshal(line, &l); err != nil {
			return notJSON(err)
		}
		if l.ID == "" || l.DocID == "" || len(l.Steps) == 0 {
			return rag.Errorf(rag.CodeInvalid, "A procedure needs an id, a doc_id and steps.")
		}
		p[l.ID] = Target{DocID: l.DocID, Space: l.Space, Spans: l.Steps}
		return nil
	})
}

// Read reads a question set: JSON objects, one a line, in the order of the file.
// name stands in messages. Errors: CodeInvalid, naming the line and what to
// change there; CodeTooLarge for a line over 16 MB.
func Read(r io.Reader, name string, procedures Procedures) ([]Question, error) {
	var questions []Question
	first := map[string]int{}
	n := 0
	err := eachLine(r, name, func(line []byte) error {
		n++
		var l questionJSON
		if err := json.Unmarshal(line, &l); err != nil {
			return notJSON(err)
		}
		q := l.question()
		for _, id := range l.AlternativeProcedureIDs {
			t, ok := procedures[id]
			if !ok {
				return rag.Errorf(rag.CodeInvalid, "It names the procedure %q, which the file of procedures does not hold. Give that file too, or write the places as \"alternatives\".", id)
			}
			q.Alternatives = append(q.Alternatives, t)
		}
		if err := q.Validate(); err != nil {
			return err
		}
		if other, ok := first[q.ID]; ok {
			return rag.Errorf(rag.CodeInvalid, "Its id %q is that of question %d already; an id stands once in a set.", q.ID, other)
		}
		first[q.ID] = n
		questions = append(questions, q)
		return nil
	})
	if err == nil && len(questions) == 0 {
		err = rag.Errorf(rag.CodeInvalid, "%s holds no question.", name)
	}
	return questions, err
}

// Write writes questions as Read reads them.
func Write(w io.Writer, questions []Question) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, q := range questions {
		if err := enc.Encode(q); err != nil {
			return err
		}
	}
	return nil
}

// eachLine calls fn with each line that is not blank; an error of fn names the
// line.
func eachLine(r io.Reader, name string, fn func(line []byte) error) error {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	for n := 1; sc.Scan(); n++ {
		line := bytes.TrimSpace(bytes.TrimPrefix(sc.Bytes(), []byte("\uFEFF")))
		if len(line) == 0 {
			continue
		}
		if err := fn(line); err != nil {
			return rag.WithCause(errors.Unwrap(err), rag.CodeInvalid, "Line %d of %s: %s", n, name, rag.ErrorMessage(err))
		}
	}
	if errors.Is(sc.Err(), bufio.ErrTooLong) {
		return rag.Errorf(rag.CodeTooLarge, "A line of %s has more than %d MB.", name, maxLine>>20)
	}
	if err := sc.Err(); err != nil {
		return fmt.Errorf("read %s: %w", name, err)
	}
	return nil
}

// notJSON says what is wrong with a line that cannot be read.
func notJSON(err error) error {
	var field *json.UnmarshalTypeError
	if errors.As(err, &field) && field.Field != "" {
		return rag.WithCause(err, rag.CodeInvalid, "%q holds a %s where a %s belongs.", field.Field, field.Value, wanted(field.Type.Kind().String()))
	}
	return rag.WithCause(err, rag.CodeInvalid, "It is not a JSON object: put one question on each line.")
}

// wanted is a type of Go as a writer of JSON calls it.
func wanted(kind string) string {
	switch {
	case strings.HasPrefix(kind, "int"):
		return "whole number"
	case kind == "slice":
		return "list"
	case kind == "struct":
		return "object"
	case kind == "bool":
		return "true or false"
	default:
		return kind
	}
}

// Validate checks what can be checked without the documents. Errors:
// CodeInvalid, saying what to change.
func (q Question) Validate() error {
	switch {
	case q.ID == "" || len(q.ID) > maxID:
		return rag.Errorf(rag.CodeInvalid, "A question needs an \"id\" of 1 to %d bytes.", maxID)
	case strings.TrimSpace(q.Text) == "" || len(q.Text) > maxText:
		return rag.Errorf(rag.CodeInvalid, "Question %q needs a \"question\" of 1 to %d bytes.", q.ID, maxText)
	case q.Mode != "" && q.Mode != SpanAny && q.Mode != "all":
		return rag.Errorf(rag.CodeInvalid, "\"span_mode\" is %q; it is \"any\" when one of the spans answers the question, else left out.", q.Mode)
	case q.RelevantFrom < 0:
		return rag.Errorf(rag.CodeInvalid, "\"relevant_from\" must be 1 or more.")
	}
	for _, r := range q.Relevant {
		if r.DocID == "" || r.Grade < 0 {
			return rag.Errorf(rag.CodeInvalid, "Each of \"relevant\" needs a \"doc_id\" and a \"grade\" of 0 or more.")
		}
	}
	return q.validatePlaces()
}

func (q Question) validatePlaces() error {
	places := q.Targets()
	switch q.Kind {
	case KindUnanswerable:
		if len(places) > 0 || len(q.Relevant) > 0 {
			return rag.Errorf(rag.CodeInvalid, "It is \"unanswerable\" and names a document: leave out one of the two.")
		}
		return nil
	case KindDocument:
		if len(places) == 0 && len(q.Relevant) == 0 {
			return rag.Errorf(rag.CodeInvalid, "It needs a \"doc_id\" with \"answer_spans\", or \"relevant\" documents, or \"unanswerable\": true.")
		}
	case KindSpan, KindProcedure:
		if len(places) == 0 {
			return rag.Errorf(rag.CodeInvalid, "It has answer spans but no \"doc_id\" that says of which document.")
		}
	default:
		return rag.Errorf(rag.CodeInvalid, "There is no \"kind\" %q; use \"procedure\" or \"span\", or leave it out.", q.Kind)
	}
	for _, t := range places {
		if err := t.validate(q.Kind); err != nil {
			return err
		}
	}
	return nil
}

func (t Target) validate(kind Kind) error {
	if t.DocID == "" {
		return rag.Errorf(rag.CodeInvalid, "Each of \"alternatives\" needs a \"doc_id\".")
	}
	if kind == KindProcedure && len(t.Spans) == 0 {
		return rag.Errorf(rag.CodeInvalid, "A procedure needs its steps as \"answer_spans\" of %q; for a question that the whole document answers leave out what makes it a procedure.", t.DocID)
	}
	if kind != KindDocument && len(t.Spans) == 0 || len(t.Spans) > maxSpans {
		return rag.Errorf(rag.CodeInvalid, "%q needs 1 to %d \"answer_spans\".", t.DocID, maxSpans)
	}
	for i, s := range t.Spans {
		if s.Start < 0 || s.End <= s.Start {
			return rag.Errorf(rag.CodeInvalid, "Answer span %d of %q is from %d to %d: \"end\" must be after \"start\", and both count code points from 0.", i+1, t.DocID, s.Start, s.End)
		}
	}
	return nil
}
