package evaluate

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

func TestKindsOfQuestion(t *testing.T) {
	t.Parallel()
	file := "\uFEFF" + `{"id": "a", "question": "Was?", "doc_id": "x.md", "answer_spans": [{"start": 1, "end": 4, "text": "äöü"}], "section": "ignored"}

{"id": "b", "question": "How?", "procedure_id": "p#0", "doc_id": "x.md", "n_steps": 1, "alternative_procedure_ids": ["p#1"], "answer_spans": [{"start": 0, "end": 2}]}
  {"id": "c", "question": "Which page?", "doc_id": "x.md", "answer_spans": []}
{"id": "d", "question": "Where?", "relevant": [{"doc_id": "y.md", "grade": 3}], "relevant_from": 3}
{"id": "e", "question": "Who?", "unanswerable": true}
{"id": "f", "question": "Steps?", "kind": "procedure", "doc_id": "x.md", "space": "Ops", "answer_spans": [{"start": 0, "end": 2}], "alternatives": [{"doc_id": "z.md", "answer_spans": [{"start": 5, "end": 6}]}]}
{"id": "g", "question": "Any?", "doc_id": "x.md", "answer_spans": [{"start": 0, "end": 2}], "span_mode": "any", "note": "n"}
`
	procedures, err := ReadProcedures(strings.NewReader(`{"id": "p#1", "doc_id": "y.md", "steps": [{"start": 3, "end": 9, "text": "x"}]}`), "p.jsonl")
	require.NoError(t, err)
	got, err := Read(strings.NewReader(file), "q.jsonl", procedures)
	require.NoError(t, err)
	want := []Question{
		{ID: "a", Text: "Was?", Kind: KindSpan, Target: Target{DocID: "x.md", Spans: []AnswerSpan{{1, 4, "äöü"}}}},
		{ID: "b", Text: "How?", Kind: KindProcedure, Target: Target{DocID: "x.md", Spans: []AnswerSpan{{0, 2, ""}}}, Alternatives: []Target{{DocID: "y.md", Spans: []AnswerSpan{{3, 9, "x"}}}}},
		{ID: "c", Text: "Which page?", Kind: KindDocument, Target: Target{DocID: "x.md", Spans: []AnswerSpan{}}},
		{ID: "d", Text: "Where?", Kind: KindDocument, Relevant: []Relevance{{DocID: "y.md", Grade: 3}}, RelevantFrom: 3},
		{ID: "e", Text: "Who?", Kind: KindUnanswerable},
		{ID: "f", Text: "Steps?", Kind: KindProcedure, Target: Target{DocID: "x.md", Space: "Ops", Spans: []AnswerSpan{{0, 2, ""}}}, Alternatives: []Target{{DocID: "z.md", Spans: []AnswerSpan{{5, 6, ""}}}}},
		{ID: "g", Text: "Any?", Kind: KindSpan, Mode: SpanAny, Target: Target{DocID: "x.md", Spans: []AnswerSpan{{0, 2, ""}}}, Note: "n"},
	}
	require.Equal(t, want, got)

	// What is written is read as the same, without the file of procedures.
	var b bytes.Buffer
	require.NoError(t, Write(&b, got))
	again, err := Read(&b, "again.jsonl", nil)
	require.NoError(t, err)
	want[2].Target.Spans = nil
	require.Equal(t, want, again)
}

func TestFaultyLinesAreNamed(t *testing.T) {
	t.Parallel()
	good := `{"id": "a", "question": "?", "doc_id": "x", "answer_spans": [{"start": 0, "end": 1}]}`
	for _, tt := range []struct{ name, line, want string }{
		{"no JSON", `id: b`, "Line 3 of q.jsonl: It is not a JSON object"},
		{"a list", `[1]`, "Line 3"},
		{"a text for a number", `{"id": "b", "question": "?", "doc_id": "x", "answer_spans": [{"start": "0", "end": 1}]}`, `"answer_spans.start" holds a string where a whole number belongs`},
		{"no id", `{"question": "?"}`, `needs an "id"`},
		{"overlong id", `{"id": "` + strings.Repeat("x", 301) + `", "question": "?"}`, "1 to 300 bytes"},
		{"no question", `{"id": "b", "question": " "}`, `needs a "question"`},
		{"no place", `{"id": "b", "question": "?"}`, `"unanswerable": true`},
		{"spans of no document", `{"id": "b", "question": "?", "answer_spans": [{"start": 0, "end": 1}]}`, `no "doc_id"`},
		{"empty span", `{"id": "b", "question": "?", "doc_id": "x", "answer_spans": [{"start": 0, "end": 1}, {"start": 5, "end": 5}]}`, `Answer span 2 of "x" is from 5 to 5`},
		{"negative span", `{"id": "b", "question": "?", "doc_id": "x", "answer_spans": [{"start": -1, "end": 5}]}`, "from -1 to 5"},
		{"procedure without steps", `{"id": "b", "question": "?", "doc_id": "x", "kind": "procedure"}`, `A procedure needs its steps as "answer_spans" of "x"`},
		{"alternative without spans", `{"id": "b", "question": "?", "doc_id": "x", "answer_spans": [{"start": 0, "end": 1}], "alternatives": [{"doc_id": "y", "answer_spans": []}]}`, `"y" needs 1 to 10000 "answer_spans"`},
		{"unknown kind", `{"id": "b", "question": "?", "doc_id": "x", "kind": "poem"}`, `no "kind" "poem"`},
		{"unknown mode", `{"id": "b", "question": "?", "doc_id": "x", "span_mode": "some"}`, `"span_mode" is "some"`},
		{"unanswerable with an answer", `{"id": "b", "question": "?", "doc_id": "x", "unanswerable": true}`, "leave out one of the two"},
		{"alternative of no document", `{"id": "b", "question": "?", "doc_id": "x", "answer_spans": [{"start": 0, "end": 1}], "alternatives": [{"answer_spans": []}]}`, `"alternatives" needs a "doc_id"`},
		{"negative grade", `{"id": "b", "question": "?", "relevant": [{"doc_id": "x", "grade": -1}]}`, `"grade" of 0 or more`},
		{"negative threshold", `{"id": "b", "question": "?", "relevant": [{"doc_id": "x", "grade": 1}], "relevant_from": -1}`, "relevant_from"},
		{"procedure of another file", `{"id": "b", "question": "?", "procedure_id": "p", "doc_id": "x", "answer_spans": [{"start": 0, "end": 1}], "alternative_procedure_ids": ["p#7"]}`, `"p#7"`},
		{"id twice", good, `id "a" is that of question 1 already`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := Read(strings.NewReader(good+"\n\n"+tt.line+"\n"), "q.jsonl", nil)
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
			require.Contains(t, rag.ErrorMessage(err), "Line 3 of q.jsonl: ")
			require.Contains(t, rag.ErrorMessage(err), tt.want)
		})
	}
	_, err := Read(strings.NewReader("\n \n"), "q.jsonl", nil)
	require.ErrorContains(t, err, "q.jsonl holds no question")
	_, err = Read(strings.NewReader(`{"id": "`+strings.Repeat("x", maxLine)), "q.jsonl", nil)
	require.Equal(t, rag.CodeTooLarge, rag.ErrorCode(err))
	_, err = ReadProcedures(strings.NewReader(`{"id": "p"}`), "p.jsonl")
	require.ErrorContains(t, err, "Line 1 of p.jsonl: A procedure needs an id, a doc_id and steps.")
	_, err = ReadReplies(strings.NewReader(`{"id": "a", "contexts": [{"doc_id": "x", "start": 5, "end": 4}]}`), "r.jsonl")
	require.ErrorContains(t, err, "Line 1 of r.jsonl")
	_, err = ReadReplies(strings.NewReader("{\"id\": \"a\"}\n{\"id\": \"a\"}"), "r.jsonl")
	require.ErrorContains(t, err, "Line 2 of r.jsonl")
}

func FuzzRead(f *testing.F) {
	f.Add(`{"id": "a", "question": "?", "doc_id": "x", "answer_spans": [{"start": 0, "end": 1}]}`)
	f.Add(`{"id": "a", "question": "?", "unanswerable": true, "relevant": null}`)
	f.Fuzz(func(t *testing.T, file string) {
		list, err := Read(strings.NewReader(file), "q.jsonl", nil)
		if err != nil {
			require.NotEmpty(t, rag.ErrorMessage(err))
			return
		}
		for _, q := range list { // whatever is accepted can be measured and written
			Score(q, Reply{Contexts: []Context{{DocID: "x", Start: 0, End: 5}}}, nil)
		}
		var b bytes.Buffer
		require.NoError(t, Write(&b, list))
		again, err := Read(&b, "again.jsonl", nil)
		require.NoError(t, err)
		require.Len(t, again, len(list))
	})
}

func TestEmptyListOfSpansIsAsGoodAsNone(t *testing.T) {
	t.Parallel()
	for _, line := range []string{
		`{"id": "a", "question": "?", "doc_id": "x", "answer_spans": []}`,
		`{"id": "a", "question": "?", "doc_id": "x", "answer_spans": null}`,
		`{"id": "a", "question": "?", "doc_id": "x", "kind": "span", "answer_spans": []}`,
		`{"id": "a", "question": "?", "doc_id": "x"}`,
	} {
		list, err := Read(strings.NewReader(line), "q.jsonl", nil)
		require.NoError(t, err, line)
		require.Equal(t, KindDocument, list[0].Kind, line)
	}
}
