package evaluate

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// readSet reads a file of questions with the procedures beside it.
func readSet(t *testing.T, path string) []Question {
	t.Helper()
	procedures := Procedures{}
	if f, err := os.Open(filepath.Join(filepath.Dir(path), "procedures.jsonl")); err == nil {
		defer f.Close()
		procedures, err = ReadProcedures(f, "procedures.jsonl")
		require.NoError(t, err)
	}
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	list, err := Read(f, filepath.Base(path), procedures)
	require.NoError(t, err)
	return list
}

func readResults(t *testing.T, path string) map[string]Reply {
	t.Helper()
	f, err := os.Open(path)
	require.NoError(t, err)
	defer f.Close()
	replies, err := ReadReplies(f, filepath.Base(path))
	require.NoError(t, err)
	return replies
}

// The figures are those of the reference scorer on the same files.
func TestFiguresOfTheReferenceScorer(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		set  string
		want map[Measure]float64
	}{
		{"span", map[Measure]float64{
			CharRecall: 0.35238095238095235, CharPrecision: 0.06353383458646616, CharIoU: 0.06108110081027812,
			AnswerInContext: 0.5, AnswerMRR: 0.375, DocHit: 0.75, Chars: 67,
		}},
		{"procedure", map[Measure]float64{Complete: 0.4, StepRecall: 0.6666666666666666, LastStep: 0.8, Chars: 83.6}},
	} {
		t.Run(tt.set, func(t *testing.T) {
			t.Parallel()
			r := ScoreAll(readSet(t, filepath.Join("testdata", tt.set+"_questions.jsonl")), readResults(t, filepath.Join("testdata", tt.set+"_results.jsonl")), 1)
			for m, want := range tt.want {
				require.InDelta(t, want, r.Total[m].Mean, 1e-12, m)
			}
		})
	}
}

// On the development sets, with results drawn at random around the answers, the
// reference scorer gives the same figures.
func TestFiguresOnTheDevelopmentSets(t *testing.T) {
	t.Parallel()
	root := filepath.Join("..", "..", "..", "shared", "eval")
	scorer := filepath.Join(root, "tools", "score.py")
	if _, err := os.Stat(scorer); err != nil {
		t.Skip("the development sets are not here")
	}
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not here")
	}
	names := map[string]Measure{
		"recall": CharRecall, "precision": CharPrecision, "iou": CharIoU, "answer_in_context": AnswerInContext, "mrr": AnswerMRR,
		"doc_hit": DocHit, "mean_context_chars": Chars, "step_completeness": Complete, "mean_step_fraction": StepRecall, "last_step_present": LastStep,
	}
	for _, tt := range []struct{ mode, questions string }{
		{"chroma", "qa/chroma.jsonl"}, {"span", "qa/covidqa.jsonl"}, {"span", "qa/medquad.jsonl"}, {"procedures", "procedure_questions.jsonl"},
	} {
		t.Run(tt.questions, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(root, tt.questions)
			list := readSet(t, file)
			replies := randomReplies(list)
			results := filepath.Join(t.TempDir(), "results.jsonl")
			writeReplies(t, results, list, replies)
			out, err := exec.CommandContext(t.Context(), python, scorer, tt.mode, file, results).Output()
			require.NoError(t, err)
			var want map[string]float64
			require.NoError(t, json.Unmarshal(bytes.ReplaceAll(out, []byte("'"), []byte(`"`)), &want))
			got := ScoreAll(list, replies, 1).Total
			compared := 0
			for name, m := range names {
				if figure, ok := want[name]; ok {
					require.InDelta(t, figure, got[m].Mean, 1e-9, name)
					compared++
				}
			}
			require.GreaterOrEqual(t, compared, 3)
		})
	}
}

// randomReplies draws contexts that hold answers whole, in part and not at all,
// that overlap, and that stand in other documents.
func randomReplies(list []Question) map[string]Reply {
	r := rand.New(rand.NewPCG(7, 7))
	replies := map[string]Reply{}
	for _, q := range list {
		reply := Reply{Tokens: -1, MS: -1, Contexts: []Context{}}
		for range r.IntN(7) {
			targets := q.Targets()
			target := targets[r.IntN(len(targets))]
			s := target.Spans[r.IntN(len(target.Spans))]
			c := Context{DocID: target.DocID, Start: max(0, s.Start+r.IntN(400)-250)}
			c.End = max(c.Start, s.End+r.IntN(2_000)-300)
			if r.IntN(5) == 0 {
				c.DocID = "other.md"
			}
			reply.Contexts = append(reply.Contexts, c)
		}
		replies[q.ID] = reply
	}
	return replies
}

func writeReplies(t *testing.T, path string, list []Question, replies map[string]Reply) {
	t.Helper()
	var b strings.Builder
	for _, q := range list {
		line, err := json.Marshal(map[string]any{"id": q.ID, "contexts": replies[q.ID].Contexts})
		require.NoError(t, err)
		b.Write(line)
		b.WriteByte('\n')
	}
	require.NoError(t, os.WriteFile(path, []byte(b.String()), 0o600))
}

func span(start, end int) AnswerSpan {
	return AnswerSpan{Start: start, End: end, Text: strings.Repeat("x", end-start)}
}

func piece(doc string, start, end int) Context { return Context{DocID: doc, Start: start, End: end} }

func TestMeasuresByHand(t *testing.T) {
	t.Parallel()
	two := Question{ID: "q", Text: "?", Kind: KindSpan, Target: Target{DocID: "a", Spans: []AnswerSpan{span(10, 20), span(100, 130)}}}
	one := two
	one.Mode = SpanAny
	steps := two
	steps.Kind, steps.Target = KindProcedure, Target{DocID: "a", Spans: []AnswerSpan{span(0, 10), span(10, 30), span(40, 50)}}
	other := steps
	other.Alternatives = []Target{{DocID: "b", Spans: []AnswerSpan{span(0, 5), span(5, 9)}}}
	spaced := steps
	spaced.Target = Target{DocID: "a", Spans: []AnswerSpan{{0, 6, "1. a\n\n"}, {8, 12, "2. b"}}}
	graded := Question{ID: "q", Text: "?", Kind: KindDocument, RelevantFrom: 3, Relevant: []Relevance{{"a", "", 4}, {"b", "", 3}, {"c", "", 1}}}
	whole := Question{ID: "q", Text: "?", Kind: KindDocument, Target: Target{DocID: "a"}, Alternatives: []Target{{DocID: "b"}}}
	never := Question{ID: "q", Text: "?", Kind: KindUnanswerable}
	for _, tt := range []struct {
		name     string
		question Question
		contexts []Context
		want     Values
	}{
		{
			"first span in the second passage, the other in part in the fourth", two,
			[]Context{piece("b", 0, 50), piece("a", 5, 25), piece("c", 0, 10), piece("a", 110, 150)},
			Values{
				Hit1: 0, Hit3: 1, Hit5: 1, Recall1: 0, Recall3: 0.5, Recall5: 1, Recall10: 1, MRR: 0.5, DocHit: 1,
				NDCG10: (0.6309297535714574 + 0.43067655807339306) / (1 + 0.6309297535714574),
				Found:  0.5, AnswerInContext: 1, AnswerMRR: 0.5,
				CharRecall: 30.0 / 40, CharPrecision: 30.0 / 120, CharIoU: 30.0 / 130, Chars: 120, RefusedWrongly: 0,
			},
		},
		{
			"the same text twice is punished and gains nothing", two,
			[]Context{piece("a", 0, 40), piece("a", 0, 40)},
			Values{
				CharRecall: 10.0 / 40, CharPrecision: 10.0 / 80, CharIoU: 10.0 / 110, Recall1: 0.5, Recall10: 0.5,
				NDCG10: 1 / (1 + 0.6309297535714574), MRR: 1,
			},
		},
		{
			"one passage with both spans is the best there is", two,
			[]Context{piece("a", 0, 200)},
			Values{NDCG10: 1, Recall1: 1, Found: 1, CharRecall: 1, CharPrecision: 0.2, CharIoU: 0.2},
		},
		{
			"any of the spans is enough", one,
			[]Context{piece("a", 95, 140)},
			Values{Recall1: 1, NDCG10: 1, Found: 1, AnswerInContext: 1},
		},
		{
			"nothing came back", two, nil,
			Values{Hit10: 0, Recall10: 0, MRR: 0, NDCG10: 0, DocHit: 0, Found: 0, AnswerInContext: 0, CharRecall: 0, CharPrecision: 0, CharIoU: 0, Chars: 0},
		},
		{
			"steps over two passages, the last missing", steps,
			[]Context{piece("a", 0, 15), piece("a", 15, 45)},
			Values{StepRecall: 2.0 / 3, Complete: 0, LastStep: 0, OrderKept: 1, Found: 0},
		},
		{
			"all steps, the last read first", steps,
			[]Context{piece("a", 40, 50), piece("a", 0, 30)},
			Values{StepRecall: 1, Complete: 1, LastStep: 1, OrderKept: 0, Found: 1, Complete4000: 1},
		},
		{
			"the alternative is whole", other,
			[]Context{piece("a", 0, 30), piece("b", 0, 9)},
			Values{Complete: 1, StepRecall: 1, LastStep: 1, Found: 1},
		},
		{
			"white space at the end of a step may be missing", spaced,
			[]Context{piece("a", 0, 4), piece("a", 8, 12)},
			Values{Complete: 1, StepRecall: 1},
		},
		{
			"complete, but only after 6,000 characters", steps,
			[]Context{piece("b", 0, 6_500), piece("a", 0, 60)},
			Values{Complete: 1, Complete4000: 0, Complete6000: 0, Complete8000: 1},
		},
		{
			"graded documents, one below what counts", graded,
			[]Context{piece("c", 0, 9), piece("b", 0, 9), piece("b", 9, 20), piece("a", 0, 3)},
			Values{
				Hit1: 0, Hit3: 1, Recall3: 0.5, Recall5: 1, MRR: 0.5, DocHit: 1, Found: 1,
				NDCG10: (7*0.6309297535714574 + 15*0.43067655807339306) / (15 + 7*0.6309297535714574),
			},
		},
		{
			"the expected document or its alternative", whole,
			[]Context{piece("c", 0, 9), piece("b", 0, 9)},
			Values{Hit1: 0, Hit3: 1, Recall3: 1, MRR: 0.5, Found: 1, DocHit: 1, NDCG10: 0.6309297535714574},
		},
		{"unanswerable, answered", never, []Context{piece("c", 0, 9)}, Values{RefusedRightly: 0, Chars: 9}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			got := Score(tt.question, Reply{Contexts: tt.contexts, Tokens: -1, MS: -1}, nil)
			for m, want := range tt.want {
				require.Contains(t, got, m)
				require.InDelta(t, want, got[m], 1e-12, m)
			}
		})
	}
}

// A refusal gives no answer, whatever came nearest: it counts as not found under
// every kind of question.
func TestRefusedRepliesFindNothing(t *testing.T) { // T63
	t.Parallel()
	near := Reply{Contexts: []Context{piece("a", 0, 100)}, Tokens: 25, MS: 3}
	target := Target{DocID: "a", Spans: []AnswerSpan{span(0, 4), span(6, 9)}}
	for _, kind := range []Kind{KindSpan, KindProcedure, KindDocument} {
		q := Question{ID: "q", Kind: kind, Target: target}
		answered := Score(q, near, nil)
		require.InDelta(t, 1, answered[Found], 0, kind)
		require.InDelta(t, 0, answered[RefusedWrongly], 0, kind)

		refused := near
		refused.Refused = true
		v := Score(q, refused, nil)
		for m, value := range v {
			switch m {
			case RefusedWrongly:
				require.InDelta(t, 1, value, 0, kind)
			case Latency:
				require.InDelta(t, 3, value, 0, kind)
			default:
				require.Zero(t, value, "%s %s", kind, m)
			}
		}
		for m := range answered {
			if m != OrderKept { // of no step there is no order
				require.Contains(t, v, m, kind)
			}
		}
		require.Len(t, near.Contexts, 1, "what came nearest is kept with the outcome")
	}

	replies, err := ReadReplies(strings.NewReader(`{"id": "q", "contexts": [{"doc_id": "a", "start": 0, "end": 100}], "refused": true}`), "r.jsonl")
	require.NoError(t, err)
	r := ScoreAll([]Question{{ID: "q", Kind: KindSpan, Target: target}}, replies, 1)
	require.InDelta(t, 0, r.Total[Found].Mean, 0)
	require.InDelta(t, 1, r.Total[RefusedWrongly].Mean, 0)
	require.InDelta(t, 0, r.Total[Chars].Mean, 0)
}

// Measures that say nothing about a question are absent, not 0.
func TestMeasuresThatDoNotApply(t *testing.T) {
	t.Parallel()
	v := Score(Question{Kind: KindUnanswerable}, Reply{Refused: true, Tokens: 0, MS: 2}, nil)
	require.Equal(t, Values{RefusedRightly: 1, Chars: 0, Tokens: 0, Latency: 2}, v)
	v = Score(Question{Kind: KindSpan, Target: Target{DocID: "a", Spans: []AnswerSpan{span(0, 4)}}}, Reply{Tokens: -1, MS: -1, Refused: true}, nil)
	for _, m := range []Measure{StepRecall, Complete, LastStep, OrderKept, Complete4000, RefusedRightly, TokenRecall, Latency, Tokens} {
		require.NotContains(t, v, m)
	}
	require.InDelta(t, 1, v[RefusedWrongly], 0)
	v = Score(Question{Kind: KindProcedure, Target: Target{DocID: "a", Spans: []AnswerSpan{span(0, 4)}}}, Reply{}, nil)
	require.NotContains(t, v, OrderKept)
	for m := range v {
		_, known := Info(m)
		require.True(t, known, m)
	}
}

// wordTokens takes each word with the space before it for a token.
type wordTokens struct{}

func (w wordTokens) Count(s string) int { return len(w.Ends(s)) }
func (wordTokens) Ends(s string) []int {
	var ends []int
	for i := range len(s) {
		if i > 0 && s[i] == ' ' {
			ends = append(ends, i)
		}
	}
	if s != "" {
		ends = append(ends, len(s))
	}
	return ends
}

func TestMeasuresByTokens(t *testing.T) {
	t.Parallel()
	text := NewText("über den Druck wacht die Pumpe", wordTokens{})
	q := Question{Kind: KindSpan, Target: Target{DocID: "a", Spans: []AnswerSpan{{9, 20, "Druck wacht"}}}}
	v := Score(q, Reply{Contexts: []Context{piece("a", 0, 14), piece("b", 0, 99)}, Tokens: 10}, map[Key]*Text{{DocID: "a"}: text})
	require.InDelta(t, 0.5, v[TokenRecall], 1e-12)       // "Druck" of two
	require.InDelta(t, 1.0/10, v[TokenPrecision], 1e-12) // of all contexts
	require.InDelta(t, 1.0/(10+1), v[TokenIoU], 1e-12)   // and the one that is missing
	require.Equal(t, rag.Span{Start: 0, End: 6}, text.tokens(rag.Span{Start: 0, End: 30}))
}

// Whatever comes back, shares stay shares, more text never has less recall, and
// recall of everything is 1.
func TestMeasuresStayInBounds(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 5))
	for range 300 {
		q := Question{Kind: []Kind{KindSpan, KindProcedure}[r.IntN(2)], Target: Target{DocID: "a"}}
		at := 0
		for range 1 + r.IntN(5) {
			at += r.IntN(10)
			end := at + 1 + r.IntN(20)
			q.Target.Spans = append(q.Target.Spans, span(at, end))
			at = end
		}
		var contexts []Context
		last := Values{}
		for range 1 + r.IntN(6) {
			start := r.IntN(60)
			contexts = append(contexts, piece(string(rune('a'+r.IntN(2))), start, start+r.IntN(40)))
			v := Score(q, Reply{Contexts: contexts, Tokens: -1, MS: -1}, nil)
			for m, value := range v {
				if info, _ := Info(m); !info.Amount {
					require.GreaterOrEqual(t, value, 0.0, m)
					require.LessOrEqual(t, value, 1.0+1e-12, m)
				}
			}
			for _, m := range []Measure{CharRecall, Recall10, StepRecall, Hit10, Found, Complete} {
				require.GreaterOrEqual(t, v[m], last[m], fmt.Sprint(m, contexts))
			}
			last = v
		}
		v := Score(q, Reply{Contexts: append(contexts, piece("a", 0, at)), Tokens: -1, MS: -1}, nil)
		require.InDelta(t, 1, v[CharRecall], 1e-12)
		require.InDelta(t, 1, v[Found], 0)
	}
}
