package main

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// TestAWrongAnswerIsMeasured is the story of an admin on the real program: a
// reader marks an answer, the question is asked under every window, and the page
// of the run shows what that gave.
func TestAWrongAnswerIsMeasured(t *testing.T) {
	t.Parallel()
	s := serveExamples(t, empty(t))
	chat := s.submit(s.get("/"), "/chats", url.Values{"question": {"how do I rotate the broker certificates?"}})
	form := chat.find("form", func(n *html.Node) bool { return strings.HasSuffix(attr(n, "action"), "/wrong") })
	require.NotNil(t, form, "an answer has the form that says it was wrong")
	thanks := s.submit(chat, attr(form, "action"), url.Values{"right": {"1"}})
	require.Equal(t, http.StatusOK, thanks.status)
	require.Contains(t, thanks.text(), "is kept in the set “From feedback”")

	overview := s.get("/evaluation")
	require.Contains(t, overview.text(), "From feedback")
	set := overview.find("option", func(n *html.Node) bool { return strings.HasPrefix(text(n), "From feedback") })
	run := s.submit(overview, "/evaluation/runs", url.Values{"set": {attr(set, "value")}, "sweep": {"windows"}, "tops": {"5"}, "name": {"First run"}})
	require.Equal(t, http.StatusOK, run.status)
	require.Regexp(t, `^/evaluation/runs/\d+$`, run.url.Path)
	require.Eventually(t, func() bool {
		run = s.get(run.url.Path)
		return strings.Contains(run.text(), "Finished")
	}, 30*time.Second, 50*time.Millisecond)
	require.Contains(t, run.text(), "First run")
	require.Contains(t, run.text(), "sentence_window k=5")
	require.Contains(t, run.text(), "too few to advise")
	require.NotNil(t, run.find("svg", func(n *html.Node) bool { return attr(n, "class") == "plot" }))
	csv := run.find("a", func(n *html.Node) bool { return strings.HasSuffix(attr(n, "href"), ".csv") })
	require.Contains(t, s.get(attr(csv, "href")).text(), "sentence_window k=5,runbook,found,")
}
