package handlers_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"passage/handlers"
	"passage/handlers/browsertest"
	"passage/rag"
	"passage/rag/answer"
)

// The pages in a real browser: one Chromium, a tab for each story.
func TestBrowser(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	for name, story := range map[string]struct {
		width, height int64
		tell          func(*testing.T, *browsertest.Tab)
	}{
		"ask, read, follow a citation":  {1280, 800, browserAskReadAndFollowACitation},
		"follow up":                     {1280, 800, browserFollowUpKeepsTheFocusAndTheRest},
		"stop":                          {1280, 800, browserStop},
		"come back to a broken stream":  {1280, 800, browserComesBackToABrokenStream},
		"a question that cannot be put": {1280, 800, browserShowsFaultsOfAQuestion},
		"narrow pages":                  {360, 740, browserNarrowPages},
		"roll back":                     {1280, 800, browserRollsBack},
		"roll back, narrow":             {360, 740, browserRollsBack},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story.tell(t, b.Tab(t, story.width, story.height))
		})
	}
}

// A person asks, watches the answer being written, follows a citation to its
// card and on to the sentence in the document.
func browserAskReadAndFollowACitation(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	g := newGated()
	s := newSite(t, g.script)
	tb.Open(s.URL)
	require.Equal(t, "question", browsertest.Eval[string](tb, "document.activeElement.id"))
	tb.Do(chromedp.SendKeys(chromedp.CSS("#question"), "How do I rotate"+kb.Enter))
	tb.Await(`document.querySelector(".answer") && location.pathname.startsWith("/chats/")`)
	require.Equal(t, []string{"How do I rotate"}, s.desk.questions())
	tb.Await(`document.querySelector("#status").textContent == "Searching the documents…"`)
	require.Equal(t, "How do I rotate · Passage", browsertest.Eval[string](tb, "document.title"))
	require.Contains(t, tb.Text("#chats-wide"), "How do I rotate")

	full := s.answered(t)
	g.say(writing("", full.Citations...))
	tb.Await(`document.querySelectorAll(".card").length == 3`)
	require.Equal(t, "Writing the answer…", tb.Text("#status"))
	g.say(writing("Rotate one broker at a time [1].\n\n| A | B |\n|---|---|\n| 1", full.Citations...))
	tb.Await(`document.querySelector(".answer .prose td")?.innerText == "1"`)
	require.Equal(t, "[1]", tb.Text("a.cite"))
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: full})
	tb.Await(`document.querySelector("#status").textContent == "The answer is ready."`)
	require.Equal(t, 2, browsertest.Eval[int](tb, `document.querySelectorAll("a.cite").length`))

	tb.Click("a.cite")
	tb.Await(`location.hash.startsWith("#s-")`)
	require.True(t, tb.InView(".card:target"), "the card of the citation is in view")
	require.True(t, browsertest.Eval[bool](tb, `document.querySelector(".card:target mark") != null`))
	tb.Click(".card:target .links a")
	tb.Await(`location.pathname == "/documents/%d" && document.readyState == "complete"`, s.broker.ID)
	require.Equal(t, "Restart the broker and wait for 2 minutes.", tb.Text("#hit"))
	require.True(t, tb.InView("#hit"), "the sentence is in view")
}

func browserFollowUpKeepsTheFocusAndTheRest(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	s := newSite(t, finished(t))
	tb.Open(s.URL)
	tb.Click(".suggestions button")
	tb.Await(`document.querySelector("#status").textContent == "The answer is ready."`)
	tb.Await(`document.activeElement.id == "question"`)
	tb.Do(chromedp.SendKeys(chromedp.CSS("#question"), "And the queues?"+kb.Enter))
	tb.Await(`document.querySelectorAll(".turn").length == 2 && document.querySelectorAll(".byline").length == 2`)
	require.Equal(t, []string{"How do I rotate the broker certificates?", "And the queues?"}, s.desk.questions())
	// A tool's Enter arrives in two parts; when the answer comes between them,
	// the second leaves its line end in the emptied box.
	tb.Await(`document.querySelector("#question").value.trim() == ""`)
	require.Equal(t, "question", browsertest.Eval[string](tb, "document.activeElement.id"))
	require.True(t, tb.InView(".turn:last-child .question"), "the new turn is in view")

	tb.Do(chromedp.Reload())
	require.Equal(t, 2, browsertest.Eval[int](tb, `document.querySelectorAll(".turn").length`))
	tb.Do(chromedp.NavigateBack())
	tb.Await(`location.pathname == "/" && document.querySelector(".suggestions")`)
}

func browserStop(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	g := newGated()
	s := newSite(t, g.script)
	tb.Open(s.URL)
	tb.Click(".suggestions button")
	tb.Await(`document.querySelector(".stage button")`)
	g.say(writing("The first half"))
	tb.Await(`document.querySelector(".answer .prose").innerText == "The first half"`)
	tb.Click(".stage button")
	tb.Await(`document.querySelector(".notice")?.innerText.startsWith("Stopped")`)
	require.Equal(t, "The first half", tb.Text(".answer .prose"))
	require.Equal(t, "Stopped", tb.Text("#status"))
	tb.Click(".after button")
	tb.Await(`document.querySelectorAll(".turn").length == 2`)
	require.Len(t, s.desk.questions(), 2)
	tb.Open("about:blank") // the second answer's stream breaks when the site closes
}

// cutOff is a desk whose readers lose their connection once.
type cutOff struct {
	*desk
	calls atomic.Int32
	again chan struct{}
}

func (d *cutOff) Follow(ctx context.Context, scope rag.Scope, id int64, each func(answer.Snapshot) error) error {
	if d.calls.Add(1) == 1 {
		_ = each(answer.Snapshot{Stage: answer.StageWriting, Message: rag.Message{ID: id, State: rag.AnswerWriting, Text: "The first half"}})
		return rag.Errorf(rag.CodeUnavailable, "The database cannot be reached.")
	}
	<-d.again
	return d.desk.Follow(ctx, scope, id, each)
}

// A stream that breaks is taken up again by the browser, for the same answer.
func browserComesBackToABrokenStream(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	tb.Expect("htmx:sseError")
	tb.Expect("[object Event]") // the detail of that
	tb.Expect("net::ERR_INCOMPLETE_CHUNKED_ENCODING")
	g := newGated()
	again := make(chan struct{})
	s := newSite(t, g.script, func(c *handlers.Config, s *site) { c.Desk = &cutOff{desk: s.desk, again: again} })
	tb.Open(s.URL)
	tb.Click(".suggestions button")
	tb.Await(`document.querySelector("#alerts").innerText.includes("Trying again")`)
	require.Equal(t, "The first half", tb.Text(".answer .prose"))
	close(again)
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerDone, Text: "The first half and the second."}})
	tb.Await(`document.querySelector(".answer .prose").innerText == "The first half and the second."`)
	tb.Await(`document.querySelector("#alerts").innerText == ""`)
	require.Len(t, s.desk.questions(), 1, "no model is asked again")
}

func browserShowsFaultsOfAQuestion(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	tb.Expect("429")
	tb.Expect("htmx:responseError")
	tb.Expect("Response Status Error Code 429")
	s := newSite(t, finished(t), func(c *handlers.Config, s *site) { c.Desk = &refusing{s.desk} })
	tb.Open(s.URL)
	tb.Do(chromedp.SendKeys(chromedp.CSS("#question"), "How?"+kb.Enter))
	tb.Await(`document.querySelector("#alerts").innerText.includes("Too many questions at once.")`)
	require.Equal(t, "How?", browsertest.Eval[string](tb, `document.querySelector("#question").value.trim()`), "the question is still there")
	require.Equal(t, "/", browsertest.Eval[string](tb, "location.pathname"))
}

type refusing struct{ *desk }

func (refusing) Ask(context.Context, rag.Scope, int64, string, rag.Filter) (rag.Chat, rag.Message, error) {
	return rag.Chat{}, rag.Message{}, rag.Errorf(rag.CodeRateLimited, "Too many questions at once.")
}

// No page is wider than a small phone, whatever stands in it.
func browserNarrowPages(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	long := strings.Repeat("averylongword", 20)
	s := newSite(t, func(_ context.Context, s *site, _ string, say func(answer.Snapshot)) {
		m := s.answered(t)
		m.Text = long + "\n\n```\n" + long + "\n```\n\n| a | b | c | d | e |\n|---|---|---|---|---|\n| " + long + " | 2 | 3 | 4 | 5 |\n\n" + m.Text
		say(answer.Snapshot{Stage: answer.StageReady, Message: m})
	}, func(_ *handlers.Config, s *site) {
		s.store.put("Platform", long+".md", "note", long, "# "+long+"\n\n"+long+"\n\n```\n"+long+"\n```\n\n## "+long+"\n", day)
	})
	tb.Open(s.URL)
	require.LessOrEqual(t, tb.Sideways(), 0, "start page")
	tb.Click(".suggestions button")
	tb.Await(`document.querySelector(".byline")`)
	require.LessOrEqual(t, tb.Sideways(), 0, "chat")
	tb.Click(".chats-narrow summary")
	require.Contains(t, tb.Text("#chats-narrow"), "New question")
	for _, path := range []string{"/documents", "/upload", "/nowhere", fmt.Sprintf("/documents/%d", s.broker.ID), fmt.Sprintf("/documents/%d/delete", s.broker.ID)} {
		if path == "/nowhere" {
			tb.Expect("404")
		}
		tb.Open(s.URL + path)
		require.LessOrEqual(t, tb.Sideways(), 0, path)
	}
	docs, _, err := s.store.Documents(t.Context(), scope(nil), rag.DocumentFilter{Words: long, Limit: 1})
	require.NoError(t, err)
	tb.Open(fmt.Sprintf("%s/documents/%d", s.URL, docs[0].ID))
	require.LessOrEqual(t, tb.Sideways(), 0, "document with long words")
}
