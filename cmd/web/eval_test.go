package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/evaluate"
)

// withExamples makes a database with the example documents, found by their words
// only, and their questions.
func withExamples(t *testing.T) []string {
	t.Helper()
	environ := append(empty(t), "PASSAGE_EMBEDDER=none")
	dir := filepath.Join("..", "..", "examples")
	args := []string{"ingest", "--space", "Examples", "--root", dir, "-q"}
	for _, folder := range []string{"runbooks", "guidelines", "design", "notes", "reference"} {
		args = append(args, filepath.Join(dir, folder))
	}
	must(t, environ, args...)
	return environ
}

func TestEvaluationOfTheExamples(t *testing.T) {
	t.Parallel()
	environ, dir := withExamples(t), t.TempDir()
	questions := filepath.Join("..", "..", "examples", "questions.jsonl")
	out := must(t, environ, "eval", "import", "--set", "Examples", "--space", "Examples", questions)
	require.Equal(t, "Examples: 25 questions added, 0 changed, 0 as they were\n", out, "every place of an answer is there")
	require.Contains(t, must(t, environ, "eval", "import", "--set", "Examples", "--space", "Examples", questions), "0 questions added, 0 changed, 25 as they were")

	report := filepath.Join(dir, "report.json")
	out = must(t, environ, "eval", "run", "--set", "Examples", "--strategy", "auto,sentence_window,parent_section", "--k", "0,2",
		"--out", report, "--by-type", "--name", "first")
	require.Contains(t, out, "run 1 on Examples: done, 25 of 25 questions measured; 15 documents, ")
	require.Regexp(t, `(?m)^2  sentence_window k=0 +\.\d{3} \.\d{3}–`, out)
	require.Regexp(t, `(?m)^guideline$`, out)
	var run struct {
		State   string `json:"state"`
		Plan    evaluate.Plan
		Results []struct {
			Label string `json:"label"`
			evaluate.Result
		}
	}
	data, err := os.ReadFile(report)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(data, &run))
	require.Equal(t, "done", run.State)
	require.Len(t, run.Results, 4)
	require.Equal(t, "parent_section cap=1024", run.Results[3].Label)
	require.Equal(t, "unversioned", run.Plan.Corpus.Version)
	require.Empty(t, run.Plan.Problems)
	for _, r := range run.Results {
		require.Equal(t, 25, r.Questions)
		require.Equal(t, 11, r.Total[evaluate.Complete].N)
		require.Equal(t, 4, r.Total[evaluate.RefusedRightly].N)
		require.Greater(t, r.Total[evaluate.Found].Mean, 0.6, r.Label)
		require.GreaterOrEqual(t, r.Total[evaluate.Found].Mean, r.Total[evaluate.Found].Low)
		require.Len(t, r.ByType, 5)
	}
	require.Less(t, run.Results[1].Total[evaluate.Tokens].Mean, run.Results[2].Total[evaluate.Tokens].Mean, "a window of 0 is smaller than one of 2")

	require.Contains(t, must(t, environ, "eval", "show", "1"), "run 1 on Examples: done")
	out = must(t, environ, "eval", "compare", "1:2", "1:3")
	require.Contains(t, out, "sentence_window k=0 → sentence_window k=2")
	require.Regexp(t, `(?m)^tokens .* worse$`, out)
	require.Contains(t, must(t, environ, "eval", "compare", "1", "1"), "within noise")

	// The words of the same passages, measured from the file that web retrieve writes.
	results := filepath.Join(dir, "results.jsonl")
	must(t, environ, "retrieve", "--space", "Examples", "--questions", questions, "--out", results)
	scores := filepath.Join(dir, "scores.json")
	require.Contains(t, must(t, environ, "eval", "score", "--questions", questions, "--results", results, "--out", scores), "25 questions")
	data, err = os.ReadFile(scores)
	require.NoError(t, err)
	auto := run.Results[0].Total
	require.NoError(t, json.Unmarshal(data, &run))
	for _, m := range []evaluate.Measure{evaluate.Found, evaluate.CharRecall, evaluate.CharIoU, evaluate.Chars, evaluate.Complete, evaluate.MRR} {
		require.InDelta(t, auto[m].Mean, run.Results[0].Total[m].Mean, 1e-9, m)
	}

	out = must(t, environ, "eval", "export", "1", "--format", "csv", "--questions")
	require.Equal(t, 1+4*25, strings.Count(out, "\n"))
	require.Contains(t, must(t, environ, "eval", "export", "1", "--format", "csv"), "1,auto,guideline,found,")
	copied := write(t, dir, "copy.jsonl", must(t, environ, "eval", "export", "--set", "Examples"))
	require.Contains(t, must(t, environ, "eval", "import", "--set", "Copy", copied), "Copy: 25 questions added")
	out = must(t, environ, "eval", "list")
	require.Regexp(t, `(?m)^Copy +\(all\) +25`, out)
	require.Regexp(t, `(?m)^ +1 +Examples +done +4 +25 .*first$`, out)

	require.Contains(t, must(t, environ, "eval", "delete", "--run", "1"), "run 1 deleted")
	must(t, environ, "eval", "delete", "--set", "Examples")
	out = must(t, environ, "eval", "list")
	require.NotRegexp(t, `(?m)^Examples`, out)
}

// pages writes documents of which each holds one fact, and questions for them.
func pages(t *testing.T, dir string, n int) (questions string) {
	t.Helper()
	var lines strings.Builder
	for i := range n {
		text := fmt.Sprintf("# Pump %d\n\nBefore it.\n\nThe torque of flange%dx is %d Nm.\n\nAfter it. More of it.\n", i, i, 100+i)
		write(t, dir, fmt.Sprintf("docs/p%d.md", i), text)
		fact := fmt.Sprintf("The torque of flange%dx is %d Nm.", i, 100+i)
		start := strings.Index(text, fact)
		line, err := json.Marshal(map[string]any{
			"id": fmt.Sprint("q", i), "question": fmt.Sprintf("What is the torque of flange%dx?", i), "doc_id": fmt.Sprintf("docs/p%d.md", i),
			"answer_spans": []evaluate.AnswerSpan{{Start: start, End: start + len(fact), Text: fact}},
		})
		require.NoError(t, err)
		lines.Write(append(line, '\n'))
	}
	return write(t, dir, "q.jsonl", lines.String())
}

func TestAdviceIsApplied(t *testing.T) {
	t.Parallel()
	environ, dir := append(empty(t), "PASSAGE_EMBEDDER=none"), t.TempDir()
	questions := pages(t, dir, 12)
	must(t, environ, "ingest", "--space", "Werk", "--doc-type", "note", "--root", dir, filepath.Join(dir, "docs"), "-q")
	must(t, environ, "eval", "import", "--set", "Flanges", "--space", "Werk", questions)

	_, err := web(t, environ, "eval", "run", "--set", "Flanges", "--strategy", "fixed_chars", "--size", "40/0")
	require.ErrorContains(t, err, "--chunks")
	out := must(t, environ, "eval", "run", "--set", "Flanges", "--strategy", "fixed_chars,sentence_window", "--size", "500/0", "--k", "0,1,section", "--chunks", "--half", "a")
	require.Contains(t, out, "of half a")
	must(t, environ, "eval", "run", "--set", "Flanges", "--strategy", "fixed_chars,sentence_window", "--size", "500/0", "--k", "0,1,section", "--top", "1")

	out = must(t, environ, "eval", "advise", "2")
	require.Contains(t, out, "note: sentence_window k=0 finds 1.00 of the answers with ")
	require.NotContains(t, out, "set to")
	require.Contains(t, must(t, environ, "eval", "advise", "2", "--apply"), "note: set to sentence_window k=0\n")
	a := askJSON(t, environ, "What is the torque of flange7x?")
	require.Equal(t, "The torque of flange7x is 107 Nm.", strings.TrimSpace(a.Citations[0].Text))

	// A changed document keeps its question while its fact stands, and loses it with a message.
	write(t, dir, "docs/p3.md", "# Pump 3\n\nA new page before it.\n\nThe torque of flange3x is\n103 Nm.\n")
	write(t, dir, "docs/p4.md", "# Pump 4\n\nThe torque is not known.\n")
	must(t, environ, "ingest", "--space", "Werk", "--doc-type", "note", "--root", dir, filepath.Join(dir, "docs"), "-q")
	out = must(t, environ, "eval", "run", "--set", "Flanges", "--strategy", "sentence_window", "--k", "0", "--top", "1")
	require.Contains(t, out, "11 of 12 questions measured")
	require.Contains(t, out, `question q4: The text of answer span 1 is not in "docs/p4.md" any more`)
	require.Contains(t, out, "1.000 1.000–1.000")
	out = must(t, environ, "eval", "import", "--set", "Flanges", "--space", "Werk", write(t, dir, "more.jsonl",
		`{"id": "lost", "question": "?", "doc_id": "nowhere.md", "answer_spans": [{"start": 0, "end": 3}]}`))
	require.Contains(t, out, `question lost: There is no document "nowhere.md".`)
	require.Contains(t, out, "2 problems; questions that are not measured because of them: up to 2")
}

func TestSetsOfTheSameNameAreToldApart(t *testing.T) {
	t.Parallel()
	environ, dir := append(empty(t), "PASSAGE_EMBEDDER=none"), t.TempDir()
	questions := pages(t, dir, 2)
	must(t, environ, "ingest", "--space", "Werk", "--root", dir, filepath.Join(dir, "docs"), "-q")
	must(t, environ, "eval", "import", "--set", "Flanges", questions)
	must(t, environ, "eval", "import", "--set", "Flanges", "--space", "Werk", questions)
	_, err := web(t, environ, "eval", "export", "--set", "Flanges")
	require.ErrorContains(t, err, `write --space ""`)
	require.Equal(t, 2, strings.Count(must(t, environ, "eval", "export", "--set", "Flanges", "--space", ""), "\n"))
	require.Contains(t, must(t, environ, "eval", "run", "--set", "Flanges", "--space", "", "--strategy", "sentence_window", "--k", "0"), "2 of 2 questions measured")
	must(t, environ, "eval", "delete", "--set", "Flanges", "--space=")
	out := must(t, environ, "eval", "list")
	require.Regexp(t, `(?m)^Flanges +Werk +2`, out)
	require.NotContains(t, out, "(all)")
	_, err = web(t, environ, "eval", "delete", "--set", "Flanges", "--space", "")
	require.Equal(t, rag.CodeNotFound, rag.ErrorCode(err))
}

func TestCancelledRunIsKept(t *testing.T) {
	t.Parallel()
	environ, dir := append(empty(t), "PASSAGE_EMBEDDER=none"), t.TempDir()
	questions := pages(t, dir, 20)
	must(t, environ, "ingest", "--space", "Werk", "--root", dir, filepath.Join(dir, "docs"), "-q")
	must(t, environ, "eval", "import", "--set", "Flanges", questions)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	stop := stopOn{word: " of 160", stop: cancel} // at the first tenth
	require.NoError(t, run(ctx, []string{"eval", "run", "--set", "Flanges", "--sweep", "windows"}, environ, io.Discard, &stop))
	out := must(t, environ, "eval", "show", "1")
	require.Regexp(t, `^run 1 on Flanges: cancelled, [1-9]\d? of 20 questions measured`, out)
	require.NotContains(t, out, "20 of 20")
}

// stopOn ends the context when a word is printed.
type stopOn struct {
	output
	word string
	stop context.CancelFunc
}

func (s *stopOn) Write(p []byte) (int, error) {
	if strings.Contains(string(p), s.word) {
		s.stop()
	}
	return s.output.Write(p)
}

func TestEvalCommandsExplain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := write(t, dir, "bad.jsonl", "{\"id\": \"a\", \"question\": \"?\", \"unanswerable\": true}\n{\"id\": \"b\"}\n")
	good := write(t, dir, "good.jsonl", "{\"id\": \"a\", \"question\": \"?\", \"unanswerable\": true}\n")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown command", []string{"dance"}, `no command web eval "dance"`},
		{"import without a set", []string{"import", good}, "--set"},
		{"import of nothing", []string{"import", "--set", "S"}, "was given 0 arguments"},
		{"file that is not there", []string{"import", "--set", "S", filepath.Join(dir, "none.jsonl")}, "cannot be read"},
		{"faulty line", []string{"import", "--set", "S", bad}, `Line 2 of ` + bad + `: Question "b" needs a "question"`},
		{"unknown sweep", []string{"run", "--set", "S", "--sweep", "all"}, `no sweep "all"`},
		{"window of no strategy", []string{"run", "--set", "S", "--k", "3"}, "add --strategy, as --strategy sentence_window"},
		{"size of no strategy", []string{"run", "--set", "S", "--sweep", "windows", "--size", "256/32"}, "add --strategy, as --strategy fixed_tokens"},
		{"cap of no strategy", []string{"run", "--set", "S", "--cap", "512"}, "add --strategy, as --strategy parent_section"},
		{"unknown strategy", []string{"run", "--set", "S", "--strategy", "magic"}, `There is no strategy "magic"`},
		{"chunks without a size", []string{"run", "--set", "S", "--strategy", "fixed_tokens", "--size", "big"}, "size/overlap"},
		{"overlap not below the size", []string{"run", "--set", "S", "--strategy", "fixed_tokens", "--size", "9/9"}, "overlap"}, // T17
		{"unknown legs", []string{"run", "--set", "S", "--legs", "all"}, `There is no search "all"`},
		{"unknown weight", []string{"run", "--set", "S", "--fusion", "luck=1"}, `no weight "luck"`},
		{"unknown half", []string{"run", "--set", "S", "--half", "c"}, "use a or b"},
		{"unknown measure", []string{"run", "--set", "S", "--measures", "luck"}, `no measure "luck"; there are found, `},
		{"no number", []string{"show", "first"}, `"first" is no run`},
		{"no number of a setting", []string{"compare", "1:0", "2"}, `"1:0" is no run`},
		{"export of two things", []string{"export", "1", "--set", "S"}, "either"},
		{"export to a format", []string{"export", "1", "--format", "xml"}, "csv or json"},
		{"delete of nothing", []string{"delete"}, "either --run or --set"},
		{"score without results", []string{"score", "--questions", good}, "--results"},
		{"score of a faulty file", []string{"score", "--questions", good, "--results", bad + "x"}, "cannot be read"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := web(t, []string{"DATABASE_URL=postgres://nowhere.invalid/x"}, append([]string{"eval"}, tt.args...)...)
			require.Error(t, err)
			require.Contains(t, explain(err), tt.want)
		})
	}
	out := must(t, nil, "eval")
	for _, c := range evalCommands() {
		require.Contains(t, out, "web eval "+c.name)
		require.Contains(t, must(t, nil, "eval", c.name, "--help"), "web eval "+c.name)
	}

	environ := append(empty(t), "PASSAGE_EMBEDDER=none")
	for _, tt := range []struct {
		args []string
		code rag.Code
	}{
		{[]string{"run", "--set", "None"}, rag.CodeNotFound},
		{[]string{"import", "--set", "S", "--space", "Nowhere", good}, rag.CodeNotFound},
		{[]string{"show", "9"}, rag.CodeNotFound},
		{[]string{"delete", "--run", "9"}, rag.CodeNotFound},
		{[]string{"advise", "9"}, rag.CodeNotFound},
	} {
		_, err := web(t, environ, append([]string{"eval"}, tt.args...)...)
		require.Equal(t, tt.code, rag.ErrorCode(err), "%v: %v", tt.args, err)
	}
}
