package handlers_test

import (
	"context"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/handlers"
	"passage/rag"
	"passage/rag/answer"
)

func TestStartPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	resp, page := s.open(t, s.browser(t), "/")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "Ask · Passage", words(one(t, page, "title")))
	require.Equal(t, []string{"How do I rotate the broker certificates?", "How long do queues keep orders?"}, texts(all(byID(t, page, "suggestions").Parent, "button")))
	require.NotContains(t, words(page), "There are no documents yet")

	empty := newSite(t, finished(t), func(_ *handlers.Config, s *site) { clear(s.store.docs) })
	_, page = empty.open(t, empty.browser(t), "/")
	require.Contains(t, words(page), "There are no documents yet")
	require.Contains(t, words(page), "web ingest")
	require.NotContains(t, words(page), "How long do queues keep orders?")
}

// A person without scripts asks, waits, and reads the finished answer.
func TestAskWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How do I rotate the\r\nbroker certificates?"}})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Regexp(t, `^/chats/\d+#m-\d+$`, resp.URL.RequestURI()+"#"+resp.URL.Fragment)
	require.Equal(t, []string{"How do I rotate the\nbroker certificates?"}, s.desk.questions())

	a := byID(t, page, resp.URL.Fragment)
	require.Empty(t, attr(a, "sse-connect"), "a finished answer follows no stream")
	require.Equal(t, "Rotate one broker at a time [1] . Check the cluster. Drain the broker. Queues keep 7 days [2] . Nothing says more [9].", words(all(a, "div", "prose")[0]))
	require.Equal(t, "Answered by test-model", words(one(t, a, "p", "byline")))
	require.Empty(t, all(page, "noscript"), "nothing is left to load again")

	resp, page = s.submit(t, c, page, strings.TrimSuffix(resp.URL.Path, "/")+"/messages", url.Values{"question": {"And the queues?"}})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, []string{"How do I rotate the broker certificates?", "And the queues?"}, trimmed(texts(all(page, "h2")), "You asked: "))
}

func trimmed(list []string, prefix string) []string {
	var out []string
	for _, s := range list {
		if rest, ok := strings.CutPrefix(s, prefix); ok {
			out = append(out, rest)
		}
	}
	return out
}

// Without scripts an answer that takes long is shown as far as it is, and the
// page loads again by itself.
func TestSlowAnswerWithoutScripts(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(ctx context.Context, _ *site, _ string, say func(answer.Snapshot)) {
		say(answer.Snapshot{Stage: answer.StageWriting, Message: rag.Message{State: rag.AnswerWriting, Text: "The first half"}})
		<-ctx.Done()
	}, func(c *handlers.Config, _ *site) { c.AnswerWait = 30 * time.Millisecond })
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Contains(t, words(page), "The first half")
	require.Equal(t, "Writing the answer…", words(one(t, one(t, page, "div", "stage"), "p")))
	raw := text(t, one(t, page, "head"))
	require.Contains(t, raw, `<meta http-equiv="refresh" content="4">`)

	id := strings.TrimPrefix(resp.URL.Fragment, "m-")
	resp, page = s.submit(t, c, page, "/answers/"+id+"/stop", nil)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "m-"+id, resp.URL.Fragment)
	notice := one(t, page, "div", "notice")
	require.Equal(t, "Stopped You stopped this answer.", words(notice))
	require.Contains(t, words(page), "The first half", "the part is kept")

	resp, _ = s.submit(t, c, page, "/answers/"+id+"/again", nil)
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, []string{"How?", "How?"}, s.desk.questions())
}

// T63: what came nearest to a refused question stands folded below the refusal,
// and is called neither a source nor read.
func TestRefusalShowsWhatCameNearest(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ context.Context, s *site, _ string, say func(answer.Snapshot)) {
		m := s.answered(t)
		m.State, m.Text, m.Model, m.Notice = rag.AnswerRefused, "", "", "Nothing answers this."
		for i := range m.Citations {
			m.Citations[i].Used = false
		}
		say(answer.Snapshot{Stage: answer.StageReady, Message: m})
	})
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	_, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	nearest := one(t, page, "details", "others")
	require.Equal(t, "What came nearest (it may not answer the question)", words(all(nearest, "summary")[0]))
	for _, a := range nearest.Attr {
		require.NotEqual(t, "open", a.Key, "it is closed")
	}
	require.Len(t, all(nearest, "article", "card"), 3)
	require.Len(t, all(page, "article", "card"), 3, "nowhere else")
	panel := one(t, page, "aside", "sources")
	require.Equal(t, "What came nearest", attr(panel, "aria-label"))
	require.Empty(t, all(panel, "h3"))
	require.NotContains(t, words(panel), "were read")
}

// T65, T66, T67, T75: what the cards of an answer say.
func TestSources(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	id := strings.TrimPrefix(resp.URL.Fragment, "m-")

	links := all(page, "a", "cite")
	require.Equal(t, []string{"[1]", "[2]"}, texts(links), "a number without a source is no link")
	for i, a := range links {
		require.Equal(t, fmt.Sprintf("#s-%s-%d", id, i+1), attr(a, "href"))
		byID(t, page, strings.TrimPrefix(attr(a, "href"), "#"))
	}

	first := byID(t, page, "s-"+id+"-1")
	require.Equal(t, "Source 1: Rotate the broker certificates", attr(first, "aria-label"))
	require.Equal(t, "Rotate", words(one(t, first, "p", "path")), "the title is not said twice")
	require.Equal(t, "steps 1–6 of 6", words(one(t, first, "span", "ok")))
	require.Equal(t, "2 March 2026", words(one(t, first, "time")))
	require.Equal(t, []string{"Restart the broker and wait for 2 minutes."}, texts(all(first, "mark")))
	var numbers []string
	for _, li := range all(first, "li") {
		numbers = append(numbers, attr(li, "value"))
	}
	require.Equal(t, []string{"1", "2", "", "", "3", "4", "5", "6"}, numbers)
	require.Contains(t, words(first), "wait until <host> has none")
	open := all(first, "a")
	require.Equal(t, "Open in the document", words(open[len(open)-1]))
	u, err := url.Parse(attr(open[len(open)-1], "href"))
	require.NoError(t, err)
	cited := s.store.cite(t, 1, s.broker, "## Rotate", "6. Give the leaders back.", "Restart the broker and wait for 2 minutes.")
	require.Equal(t, fmt.Sprintf("/documents/%d", s.broker.ID), u.Path)
	require.Equal(t, "hit", u.Fragment)
	require.Equal(t, url.Values{
		"v": {itoa(s.broker.VersionID)}, "start": {strconv.Itoa(cited.Span.Start)}, "end": {strconv.Itoa(cited.Span.End)},
		"m": {fmt.Sprintf("%d-%d", cited.Marks[0].Span.Start, cited.Marks[0].Span.End)},
	}, u.Query())

	second := byID(t, page, "s-"+id+"-2")
	require.Equal(t, "https://wiki.example/orders?x=1", attr(all(second, "a")[0], "href"), "the title links to the source itself")
	require.Equal(t, "Design document", words(one(t, second, "span", "badge")))

	others := one(t, page, "details", "others")
	require.Contains(t, words(others), "1 more passage was read")
	require.Equal(t, []string{"Broker", "Port", "Zone"}, texts(all(others, "th")), "rows of a table come with its header")
	require.Equal(t, []string{"b-2", "9093", "south", "b-3", "9094", "west"}, texts(all(others, "td")))
}

// The link into a document opens it at the best match, not at the first.
func TestDocumentOpensAtTheBestMatch(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ context.Context, s *site, _ string, say func(answer.Snapshot)) {
		c := s.store.cite(t, 1, s.broker, "1. Check", "6. Give the leaders back.", "Drain the broker:", "Check the certificate's date.", "Give the leaders back.")
		c.Marks[0].Score, c.Marks[1].Score, c.Marks[2].Score = 0.4, 0.9, 0.6
		say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerDone, Text: "Do it [1].", Citations: []rag.Citation{c}}})
	})
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	_, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	_, doc := s.open(t, c, attr(all(one(t, page, "p", "links"), "a")[0], "href"))
	require.Equal(t, "Check the certificate's date.", words(byID(t, doc, "hit")))
	require.Equal(t, []string{"Drain the broker:", "Check the certificate's date.", "Give the leaders back."}, texts(all(doc, "mark")))
}

// T42, T75: old answers say what became of their sources.
func TestSourcesThatChanged(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, _ := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	id := strings.TrimPrefix(resp.URL.Fragment, "m-")
	s.store.put("Platform", s.broker.SourceURI, "runbook", "Rotate the broker certificates", "# New\n", day)
	require.NoError(t, s.store.DeleteDocument(t.Context(), scope(nil), s.wiki.ID))

	_, page := s.open(t, c, resp.URL.Path)
	first := byID(t, page, "s-"+id+"-1")
	require.Contains(t, words(first), "A newer version of this document exists.")
	require.Equal(t, []string{"Restart the broker and wait for 2 minutes."}, texts(all(first, "mark")), "the cited version is still shown")
	second := byID(t, page, "s-"+id+"-2")
	require.Equal(t, "2 A deleted document Deleted This document has been deleted, so its passage is no longer shown.", words(second))
	require.Empty(t, all(second, "a"))
	require.NotContains(t, words(page), "Each queue keeps 7 days.")
}

// Only part of a procedure is never shown without saying so.
func TestPartOfAProcedureLinksToTheRest(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ context.Context, s *site, _ string, say func(answer.Snapshot)) {
		c := s.store.cite(t, 1, s.broker, "3. Replace", "5. Check the certificate's date.")
		whole := s.store.cite(t, 1, s.broker, "1. Check", "6. Give the leaders back.")
		c.Parts = []rag.Part{{From: 3, To: 5, N: 6, Span: whole.Span}}
		say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerDone, Text: "Do it [1].", Citations: []rag.Citation{c}}})
	})
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	_, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	card := one(t, page, "article", "card")
	require.Equal(t, "steps 3–5 of 6", words(one(t, card, "span", "warning")))
	links := all(one(t, card, "p", "links"), "a")
	require.Equal(t, []string{"Open in the document", "Show every step"}, texts(links))
	whole := s.store.cite(t, 1, s.broker, "1. Check", "6. Give the leaders back.")
	require.Contains(t, attr(links[1], "href"), fmt.Sprintf("start=%d", whole.Span.Start))
	var numbers []string
	for _, li := range all(card, "li") {
		numbers = append(numbers, attr(li, "value"))
	}
	require.Equal(t, []string{"3", "4", "5"}, numbers)
}

func TestHowAnswersEnd(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		message rag.Message
		notice  string
		again   bool
	}{
		"done":                  {rag.Message{State: rag.AnswerDone, Text: "x"}, "", false},
		"quoted":                {rag.Message{State: rag.AnswerDone, Text: "x", Notice: "No language model configured: these are the matching passages.", Model: "extractive"}, "No language model configured: these are the matching passages.", false},
		"broken":                {rag.Message{State: rag.AnswerBroken, Text: "x"}, "Not complete The answer broke off here. What follows is missing.", true},
		"broken, with a reason": {rag.Message{State: rag.AnswerBroken, Text: "x", Notice: "The model stopped."}, "Not complete The model stopped.", true},
		"stopped":               {rag.Message{State: rag.AnswerStopped, Text: "x"}, "Stopped You stopped this answer. It is not complete.", true},
		"refused":               {rag.Message{State: rag.AnswerRefused, Notice: "Searched 12 documents. Nearest: <b>X</b>."}, "Not found in the documents Searched 12 documents. Nearest: <b>X</b>.", true},
		"failed":                {rag.Message{State: rag.AnswerFailed}, "No answer The question could not be answered just now.", true},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, func(_ context.Context, _ *site, _ string, say func(answer.Snapshot)) {
				say(answer.Snapshot{Stage: answer.StageReady, Message: c.message})
			})
			b := s.browser(t)
			_, start := s.open(t, b, "/")
			_, page := s.submit(t, b, start, "/chats", url.Values{"question": {"How?"}})
			got := strings.Join(texts(all(one(t, page, "article", "answer"), "div", "notice")), "|")
			require.Equal(t, c.notice, got)
			again := strings.Contains(words(one(t, page, "article", "answer")), "Ask again")
			require.Equal(t, c.again, again)
		})
	}
}

// T14: what people wrote shows in its own direction.
func TestTextOfPeopleTakesItsDirection(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	_, page := s.submit(t, c, start, "/chats", url.Values{"question": {"متى يعطى omeprazole؟"}})
	for _, e := range []string{"h1", "textarea", "h4"} {
		for _, n := range all(page, e) {
			require.Equal(t, "auto", attr(n, "dir"), "%s %s", e, words(n))
		}
	}
	require.Equal(t, "auto", attr(one(t, one(t, page, "div", "question"), "h2"), "dir"))
}

// Rendering a passage again needs no reading of its document.
func TestRenderedPassagesAreKept(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, first := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	require.Equal(t, 1, s.store.reads)
	_, second := s.open(t, c, resp.URL.Path)
	require.Equal(t, 1, s.store.reads)
	require.Equal(t, texts(all(first, "div", "passage")), texts(all(second, "div", "passage")))
}
