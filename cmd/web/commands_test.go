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
)

type askedAnswer struct {
	Answer    string          `json:"answer"`
	State     string          `json:"state"`
	Notice    string          `json:"notice"`
	Citations []askedCitation `json:"citations"`
	Checks    askedChecks     `json:"checks"`
	Trace     json.RawMessage `json:"trace"`
}

func askJSON(t *testing.T, environ []string, question string, flags ...string) askedAnswer {
	t.Helper()
	out := must(t, environ, append([]string{"ask", "--json", question}, flags...)...)
	var a askedAnswer
	require.NoError(t, json.Unmarshal([]byte(out), &a), out)
	return a
}

// write makes a file below a folder of the test's own.
func write(t *testing.T, dir, name, data string) string {
	t.Helper()
	p := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o750))
	require.NoError(t, os.WriteFile(p, []byte(data), 0o600))
	return p
}

// jsonLines reads a file of JSON objects, one a line.
func jsonLines[T any](t *testing.T, name string) []T {
	t.Helper()
	data, err := os.ReadFile(name)
	require.NoError(t, err)
	var list []T
	for line := range strings.Lines(string(data)) {
		var v T
		require.NoError(t, json.Unmarshal([]byte(line), &v))
		list = append(list, v)
	}
	return list
}

const umlauts = "# Kühlung 🧊\n\nDie Pumpe läuft.\n\n1. Öffne das Ventil.\n2. Prüfe den Druck: 2,5 bar.\n3. Schließe das Ventil.\n\nEnde der Übung.\n"

func TestRetrieveCountsCodePoints(t *testing.T) {
	t.Parallel()
	environ, dir := empty(t), t.TempDir()
	write(t, dir, "docs/pump.md", umlauts)
	out := must(t, environ, "ingest", "--space", "Werk", "--root", dir, filepath.Join(dir, "docs"))
	require.Contains(t, out, "created")
	require.Contains(t, out, "1 documents, ")
	require.Contains(t, must(t, environ, "ingest", "--space", "Werk", "--root", dir, dir), "unchanged  docs/pump.md")

	questions := write(t, dir, "q.jsonl", `{"id": "q1", "question": "Prüfe den Druck Ventil"}`+"\n")
	results := filepath.Join(dir, "r.jsonl")
	runes := []rune(umlauts)
	for _, flags := range [][]string{
		nil,
		{"--strategy", "sentence_window", "--k", "1"},
		{"--strategy", "sentence_window", "--k", "paragraph"},
		{"--strategy", "parent_section"},
		{"--strategy", "fixed_tokens", "--size", "12", "--overlap", "4"},
		{"--strategy", "fixed_chars", "--size", "40", "--overlap", "10"},
		{"--search", "bm25"},
		{"--search", "dense"},
		{"--top", "1", "--budget-chars", "60"},
	} {
		must(t, environ, append([]string{"retrieve", "--space", "Werk", "--questions", questions, "--out", results}, flags...)...)
		lines := jsonLines[struct {
			ID       string             `json:"id"`
			Contexts []retrievedContext `json:"contexts"`
			MS       float64            `json:"ms"`
			Refused  bool               `json:"refused"`
		}](t, results)
		require.Len(t, lines, 1, flags)
		require.Equal(t, "q1", lines[0].ID)
		require.NotEmpty(t, lines[0].Contexts, flags)
		var joined strings.Builder
		for _, c := range lines[0].Contexts {
			require.Equal(t, "docs/pump.md", c.DocID)
			joined.WriteString(string(runes[c.Start:c.End]))
		}
		require.Contains(t, joined.String(), "Druck", flags)
	}
}

// A passage with gaps is one context for each piece, and none holds what was
// left out.
func TestRetrieveGivesThePiecesOfACompressedPassage(t *testing.T) {
	t.Parallel()
	environ, dir := empty(t), t.TempDir()
	var b strings.Builder
	b.WriteString("# Pump\n\n")
	for i := range 40 {
		fmt.Fprintf(&b, "Sentence %d tells of gardens, weather and other things far away.\n\n", i)
		if i == 10 || i == 30 {
			fmt.Fprintf(&b, "The pump needs %d bar of pressure 🧊.\n\n", i)
		}
	}
	write(t, dir, "pump.md", b.String())
	must(t, environ, "ingest", "--space", "Werk", "--root", dir, dir)
	questions := write(t, dir, "q.jsonl", `{"id": "q1", "question": "Which pressure does the pump need?"}`+"\n")
	results := filepath.Join(dir, "r.jsonl")
	must(t, environ, "retrieve", "--questions", questions, "--out", results, "--strategy", "parent_section", "--cap", "128", "--budget-tokens", "150")
	lines := jsonLines[struct {
		Contexts []retrievedContext `json:"contexts"`
	}](t, results)
	require.Greater(t, len(lines[0].Contexts), 1)
	runes, joined, at := []rune(b.String()), "", 0
	for _, c := range lines[0].Contexts {
		require.GreaterOrEqual(t, c.Start, at, "in the order of the text")
		require.InDelta(t, lines[0].Contexts[0].Score, c.Score, 1e-12)
		joined, at = joined+string(runes[c.Start:c.End]), c.End
	}
	require.Contains(t, joined, "10 bar of pressure 🧊.")
	require.Contains(t, joined, "30 bar of pressure 🧊.")
	require.NotContains(t, joined, "Sentence 20 ")

	a := askJSON(t, environ, "Which pressure does the pump need?", "--strategy", "parent_section", "--cap", "128")
	require.NotEmpty(t, a.Citations[0].Gaps)
	require.Contains(t, a.Citations[0].Text, "[…]")
	require.Contains(t, a.Answer, "> […]")
	require.Contains(t, string(a.Trace), "over the cap")
}

func TestSplitCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cases := write(t, dir, "cases.json", `[{"id": "a", "text": "Dose is 5 mg. Stop at 10 a.m. today."}, {"id": 7, "text": ""}]`)
	sentences := filepath.Join(dir, "s.jsonl")
	must(t, nil, "split", "--cases", cases, "--out", sentences)
	require.Equal(t, []map[string]any{
		{"id": "a", "sentences": []any{"Dose is 5 mg.", "Stop at 10 a.m. today."}},
		{"id": 7.0, "sentences": []any{}},
	}, jsonLines[map[string]any](t, sentences))

	write(t, dir, "docs/pump.md", umlauts)
	results := filepath.Join(dir, "p.jsonl")
	must(t, nil, "split", "--procedures", filepath.Join(dir, "docs"), "--out", results)
	lines := jsonLines[procedureLine](t, results)
	require.Len(t, lines, 1)
	require.Equal(t, "pump.md", lines[0].DocID)
	require.Len(t, lines[0].Steps, 3)
	runes := []rune(umlauts)
	require.Equal(t, "2. Prüfe den Druck: 2,5 bar.", strings.TrimSpace(string(runes[lines[0].Steps[1].Start:lines[0].Steps[1].End])))
}

func TestUnreadableInputIsExplained(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	bad := write(t, dir, "bad.jsonl", "{\"id\": \"q\"}\n")
	for _, tt := range []struct {
		name string
		args []string
		want string
	}{
		{"unknown command", []string{"dance"}, `there is no command "dance"`},
		{"unknown flag", []string{"ask", "--loud", "q"}, "unknown flag: --loud"},
		{"no question", []string{"ask"}, "was given 0 arguments"},
		{"no questions file", []string{"retrieve"}, "--questions"},
		{"line without a question", []string{"retrieve", "--questions", bad}, "Line 1"},
		{"unknown strategy", []string{"ask", "--strategy", "magic", "q"}, `There is no strategy "magic"`},
		{"overlap not below size", []string{"ask", "--strategy", "fixed_tokens", "--size", "10", "--overlap", "10", "q"}, "overlap must be from 0 to 9"}, // T17
		{"k that is no number", []string{"ask", "--strategy", "sentence_window", "--k", "many", "q"}, "must be a number, paragraph or section"},
		{"nothing to split", []string{"split"}, "either --cases or --procedures"},
		{"file of another folder that is not there", []string{"ingest", "/nowhere/x.md"}, "There is no file or folder"},
		{"folder that is not there", []string{"ingest", filepath.Join(dir, "none")}, "There is no file or folder"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			_, err := web(t, []string{"DATABASE_URL=postgres://nowhere.invalid/x"}, tt.args...)
			require.Error(t, err)
			require.Contains(t, explain(err), tt.want)
		})
	}
}

func TestIngestNamesWhatFailed(t *testing.T) {
	t.Parallel()
	environ, dir := empty(t), t.TempDir()
	write(t, dir, "good.md", "# Good\n\nA text.\n")
	write(t, dir, "empty.md", "   \n")
	out, err := web(t, environ, "ingest", "--root", dir, dir)
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	require.Contains(t, explain(err), "1 of 2 files could not be ingested, the first: empty.md")
	require.Contains(t, out, "created    good.md")
	require.Contains(t, out, "failed     empty.md")
}

func TestHelpAndVersion(t *testing.T) {
	t.Parallel()
	out := must(t, nil, "help")
	for _, c := range commands() {
		require.Contains(t, out, "web "+c.name)
	}
	for _, name := range []string{"DATABASE_URL", "PASSAGE_ADDR", "PASSAGE_LLM_API_KEY", "PASSAGE_EMBEDDER"} {
		require.Contains(t, out, name)
	}
	require.Equal(t, "passage unversioned\n", must(t, nil, "version"))
	require.Contains(t, must(t, nil, "ask", "--help"), "--json")
}

func TestConfigNamesEveryFault(t *testing.T) {
	t.Parallel()
	_, err := readConfig([]string{
		"PASSAGE_ADDR=8080", "PASSAGE_LLM_PROVIDER=oracle", "PASSAGE_EMBEDDER=openai", "PASSAGE_WORKERS=many",
		"PASSAGE_LLM_BASE_URL=ftp://x", "PASSAGE_LOG_FORMAT=xml", "PASSAGE_MAX_UPLOAD_MB=0",
	})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	for _, want := range []string{"PASSAGE_ADDR", "PASSAGE_LLM_PROVIDER", "PASSAGE_EMBED_MODEL", "Workers", "PASSAGE_LLM_BASE_URL", "PASSAGE_LOG_FORMAT", "PASSAGE_MAX_UPLOAD_MB"} {
		require.Contains(t, explain(err), want)
	}
	c, err := readConfig(nil)
	require.NoError(t, err)
	require.Equal(t, "127.0.0.1:8080", c.Addr)
	require.True(t, filepath.IsAbs(c.Data))
}

func TestRootOfIngest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	file := write(t, dir, "docs/a.md", "Text.")
	require.Equal(t, ".", rootOf([]string{"docs"}))
	require.Equal(t, dir, rootOf([]string{dir}))
	require.Equal(t, filepath.Dir(file), rootOf([]string{file}))
	require.Equal(t, ".", rootOf([]string{file, dir}))
}

func TestIngestThatIsStoppedSaysHowToGoOn(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for i := range 40 {
		write(t, dir, fmt.Sprintf("f%02d.md", i), strings.Repeat(fmt.Sprintf("Sentence %d of the file. ", i), 200))
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var out stopAfter
	out.stop = cancel
	err := run(ctx, []string{"ingest", "--root", dir, dir}, empty(t), &out, io.Discard)
	require.ErrorIs(t, err, context.Canceled)
	require.Regexp(t, `Stopped: \d+ of 40 files are live`, explain(err))
	require.NotContains(t, out.String(), "context canceled")
}

// stopAfter ends the context when the first document is printed.
type stopAfter struct {
	output
	stop context.CancelFunc
}

func (s *stopAfter) Write(p []byte) (int, error) {
	if strings.Contains(string(p), "created") {
		s.stop()
	}
	return s.output.Write(p)
}
