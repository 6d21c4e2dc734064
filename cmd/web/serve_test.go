package main

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// TestAskReadAndOpenWithoutScripts is the story of a newcomer: an empty
// database, the examples, a question, the whole procedure, its source, the
// document at the marked place.
func TestAskReadAndOpenWithoutScripts(t *testing.T) {
	t.Parallel()
	s := serveExamples(t, empty(t))
	home := s.get("/")
	require.Equal(t, http.StatusOK, home.status)
	require.Contains(t, home.text(), "How do I rotate the broker certificates?")

	chat := s.submit(home, "/chats", url.Values{"question": {"how do I rotate the broker certificates?"}})
	require.Equal(t, http.StatusOK, chat.status)
	require.Regexp(t, `^/chats/\d+$`, chat.url.Path)
	body := chat.text()
	require.Contains(t, body, "No language model configured: these are the matching passages.")
	require.Contains(t, body, "steps 1–11 of 11")
	require.Contains(t, body, "Pause the rebalancer")
	require.Contains(t, body, "Resume the rebalancer")

	mark := chat.find("mark", func(*html.Node) bool { return true })
	require.NotNil(t, mark, "the matched sentence is marked")
	link := chat.find("a", func(n *html.Node) bool {
		return strings.HasPrefix(attr(n, "href"), "/documents/") && strings.Contains(attr(n, "href"), "start=")
	})
	require.NotNil(t, link, "the source links to its place in the document")
	path, _, _ := strings.Cut(attr(link, "href"), "#")
	doc := s.get(path)
	require.Equal(t, http.StatusOK, doc.status)
	require.NotNil(t, doc.find("mark", func(*html.Node) bool { return true }))
	hits := 0
	for n := range doc.root.Descendants() {
		if n.Type == html.ElementNode && attr(n, "id") == "hit" {
			hits++
		}
	}
	require.Equal(t, 1, hits, "there is exactly one place to scroll to")

	again := s.get(chat.url.Path)
	require.Contains(t, again.text(), "Resume the rebalancer", "history shows the same answer")

	// A deleted document is gone from old chats too (T42).
	id := strings.Split(path, "?")[0]
	gone := s.submit(s.get(id+"/delete"), id+"/delete", url.Values{})
	require.Equal(t, http.StatusOK, gone.status)
	again = s.get(chat.url.Path)
	require.Equal(t, http.StatusOK, again.status)
	require.NotContains(t, again.text(), "Resume the rebalancer")
	require.Contains(t, again.text(), "deleted")
	require.Equal(t, http.StatusNotFound, s.get(path).status)
	require.NoError(t, s.stop())
}

func TestDocumentsListAndUnknownPages(t *testing.T) {
	t.Parallel()
	s := serveExamples(t, empty(t))
	docs := s.get("/documents")
	require.Contains(t, docs.text(), "Kafka: rotate the broker certificates")
	for _, path := range []string{"/chats/999", "/documents/999", "/nothing", "/answers/999/stream", "/chats/x"} {
		p := s.get(path)
		require.Equal(t, http.StatusNotFound, p.status, path)
		require.NotContains(t, p.text(), "sql", path)
	}
	require.Equal(t, http.StatusOK, s.get("/healthz").status)
	require.Equal(t, http.StatusOK, s.get("/readyz").status)
}

// TestMiddleStepsBringWholeProcedures asks for a middle step of each example
// runbook: every step has to be in the answer.
func TestMiddleStepsBringWholeProcedures(t *testing.T) {
	t.Parallel()
	environ := empty(t)
	must(t, environ, "ingest", "--quiet", "--root", "../../examples", "../../examples/runbooks", "../../examples/design",
		"../../examples/guidelines", "../../examples/notes", "../../examples/reference")
	asked, whole, windows := 0, 0, 0
	for _, q := range exampleQuestions(t) {
		if q.MiddleStep == 0 {
			continue
		}
		asked++
		a := askJSON(t, environ, q.Question)
		require.True(t, a.Checks.Whole)
		require.Positive(t, a.Checks.Cited)
		whole += holdsAllSteps(t, q, a)
		windows += holdsAllSteps(t, q, askJSON(t, environ, q.Question, "--strategy", "sentence_window", "--k", "2", "--exact"))
	}
	t.Logf("all steps present: %d of %d; with plain windows of two sentences: %d of %d", whole, asked, windows, asked)
	require.Equal(t, 6, asked)
	require.Equal(t, asked, whole)
}

// holdsAllSteps is 1 when a citation holds the procedure from its first to its
// last step and says so, and the answer quotes both.
func holdsAllSteps(t *testing.T, q exampleQuestion, a askedAnswer) int {
	t.Helper()
	label := fmt.Sprintf("steps 1–%d of %d", q.NSteps, q.NSteps)
	for _, c := range a.Citations {
		if c.DocID != q.Doc || !strings.Contains(strings.Join(c.Parts, ";"), label) {
			continue
		}
		require.Contains(t, c.Text, q.FirstStep)
		require.Contains(t, c.Text, q.LastStep)
		if strings.Contains(a.Answer, q.FirstStep) && strings.Contains(a.Answer, q.LastStep) {
			return 1
		}
	}
	return 0
}
