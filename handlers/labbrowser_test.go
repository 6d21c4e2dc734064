package handlers_test

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"passage/handlers"
	"passage/handlers/browsertest"
	"passage/rag"
	"passage/rag/retrieve"
)

// The search lab in a real browser.
func TestLabInABrowser(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	for name, story := range map[string]struct {
		width, height int64
		tell          func(*testing.T, *browsertest.Tab)
	}{
		"compare, read, change":       {1280, 860, browserCompareReadChange},
		"on a phone, whatever stands": {360, 740, browserLabOnAPhone},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story.tell(t, b.Tab(t, story.width, story.height))
		})
	}
}

// An engineer finds the lab in the menu, compares two strategies with the
// keyboard, goes from a passage to the document and comes back by the address.
func browserCompareReadChange(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	tb.Expect("400")
	s, sr := labSite(t)
	tb.Open(s.URL)
	tb.Do(chromedp.Click(chromedp.CSS(`.top nav a[href="/lab"]`)))
	tb.Await(`location.pathname == "/lab" && document.querySelector("h1").innerText == "Search lab"`)
	shown := func(selector string) bool {
		return browsertest.Eval[bool](tb, "document.querySelector(%q).getClientRects().length > 0", selector)
	}
	require.True(t, shown("#k2"), "a window has a k")
	require.False(t, shown("#size2"), "and no size")
	require.False(t, shown("#budget3"), "a column left out has no fields")
	tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#s2").value = "fixed_tokens"`))
	require.True(t, shown("#size2"))
	require.False(t, shown("#k2"))
	tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#s2").value = "sentence_window"`))

	tb.Do(chromedp.SendKeys(chromedp.CSS("#q"), "How do I rotate?"), chromedp.Evaluate[chromedp.Void](`document.querySelector("#k2").value = "900"`),
		chromedp.SendKeys(chromedp.CSS("#k2"), kb.Enter))
	tb.Await(`document.querySelectorAll(".lab-column").length == 2 && document.readyState == "complete"`)
	require.Contains(t, tb.Text("#k2-fault"), "from 0 to 50, not 900")
	require.Equal(t, "How do I rotate?", browsertest.Eval[string](tb, `document.querySelector("#q").value`))
	tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#k2").value = "5"`))
	tb.Click(".lab-form button")
	tb.Await(`document.querySelectorAll(".lab-passage").length == 4 && document.readyState == "complete"`)
	require.Equal(t, rag.Strategy{Kind: rag.SentenceWindow, K: 5}, *sr.asked[len(sr.asked)-1].Strategy)
	require.True(t, browsertest.Eval[bool](tb, `(() => {
		const [a, b] = [...document.querySelectorAll(".lab-column")].map(c => c.getBoundingClientRect());
		return a.top == b.top && a.right <= b.left;
	})()`), "the columns stand side by side")
	require.LessOrEqual(t, tb.Sideways(), 0)

	address := browsertest.Eval[string](tb, `document.querySelector(".lab-form a").href`)
	tb.Click("#column-b .lab-passage .links a")
	tb.Await(`location.pathname == "/documents/%d" && document.readyState == "complete"`, s.broker.ID)
	require.Equal(t, "Restart the broker and wait for 2 minutes.", tb.Text("#hit"))
	tb.Open(address)
	require.Equal(t, 2, browsertest.Eval[int](tb, `document.querySelectorAll(".lab-column").length`))
	require.Equal(t, "5", browsertest.Eval[string](tb, `document.querySelector("#k2").value`))
}

// Nothing makes the page wider than a phone.
func browserLabOnAPhone(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	long := strings.Repeat("averylongword", 30)
	s, sr := labSite(t, func(_ *handlers.Config, s *site) {
		s.store.put("Platform", long+".md", "note", long, "# "+long+"\n\n```\n"+long+"\n```\n\n| "+long+" | b |\n|---|---|\n| 1 | 2 |\n", day)
	})
	docs, _, err := s.store.Documents(t.Context(), scope(nil), rag.DocumentFilter{Words: long, Limit: 1})
	require.NoError(t, err)
	give, doc := sr.give, docs[0]
	sr.give = func(req retrieve.Request) (retrieve.Result, error) {
		res, err := give(req)
		span := rag.Span{Start: 0, End: len(s.store.versions[doc.VersionID].Text)}
		res.Trace.Hits = append(res.Trace.Hits, retrieve.TraceHit{Version: doc.VersionID, Span: span})
		res.Trace.Windows = append(res.Trace.Windows, retrieve.TraceWindow{Version: doc.VersionID, Span: span, Strategy: long})
		res.Trace.Terms = append(res.Trace.Terms, long)
		res.Trace.Cut = append(res.Trace.Cut, retrieve.TraceCut{Version: doc.VersionID, Span: span, Why: long})
		res.Passages = append(res.Passages, rag.Passage{Document: doc, Version: doc.VersionID, Path: []string{long}, Span: span, Text: span.In(s.store.versions[doc.VersionID].Text)})
		return res, err
	}
	for _, path := range []string{
		"/lab", labURL("q", long, "s1", "auto", "s2", "sentence_window", "s3", "parent_section"),
		labURL("q", "How?", "s1", long, "s2", "sentence_window", "k2", long),
	} {
		tb.Expect("400")
		tb.Open(s.URL + path)
		tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelectorAll("main details").forEach(d => { d.open = true; })`))
		require.LessOrEqual(t, tb.Sideways(), 0, path[:min(len(path), 40)])
	}
}

// TestLabScreens takes pictures of the lab, as TestScreens does.
func TestLabScreens(t *testing.T) {
	t.Parallel()
	takePictures(t, "lab-", "400", func(t *testing.T, tb *browsertest.Tab, file func(string) string) {
		t.Helper()
		s, sr := labSite(t, func(c *handlers.Config, _ *site) { c.Cuts = uncut{"": 2, "tokens-256-32": 1} })
		show := func(selector, name string) {
			tb.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector(`" + selector + "`).scrollIntoView()"))
			tb.Shoot(file(name))
		}
		tb.Open(s.URL + "/lab")
		tb.Shoot(file("form"))
		give := sr.give
		sr.give = func(req retrieve.Request) (retrieve.Result, error) {
			res, err := give(req)
			res.Refused = req.Legs == retrieve.LexicalOnly
			return res, err
		}
		tb.Open(s.URL + labURL("q", "How do I rotate the broker certificates?", "s2", "fixed_tokens", "legs2", "bm25", "s3", "sentence_window", "k3", "900"))
		tb.Shoot(file("asked"))
		show("#compared", "compared")
		show("#column-a .lab-passage", "passages")
		show("#column-b", "refused")
		show("#column-c", "fault")
	})
}
