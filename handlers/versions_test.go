package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/handlers/browsertest"
	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
	"passage/rag/tokens"
)

// newHistory is a site where earlier versions can be taken live again, and a
// document with three versions.
func newHistory(t *testing.T, texts ...string) (*site, rag.Document) {
	t.Helper()
	s := newSite(t, finished(t), func(c *handlers.Config, s *site) {
		c.Restorer = s.store
		c.Recipe = func(r rag.Recipe) rag.Recipe { r.Splitter = "split/4"; return r }
	})
	var doc rag.Document
	for i, text := range texts {
		doc = s.store.put("Platform", "runbooks/drain.md", "runbook", "Drain a broker", text, day.AddDate(0, 0, i))
		s.store.outline(t, doc)
	}
	return s, doc
}

// outline gives the live version of a document the outline of its text.
func (m *memory) outline(t *testing.T, doc rag.Document) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	r := m.versions[doc.VersionID]
	x, err := extract.File(t.Context(), "a.md", []byte(r.Text))
	require.NoError(t, err)
	tok, err := tokens.CL100K()
	require.NoError(t, err)
	r.Outline, err = split.Split(x, split.Options{Tokens: tok})
	require.NoError(t, err)
}

func drain(minutes, more string) string {
	return "# Drain a broker\n\nDo this before a restart.\n\n## Steps\n\n1. Move the leaders away.\n2. Wait for " + minutes + " minutes.\n" + more +
		"\n## After\n\nTell <script>alert(1)</script> the team. Give the leaders back.\n"
}

func link(t *testing.T, page *html.Node, label string) string {
	t.Helper()
	for _, a := range all(page, "a") {
		if words(a) == label {
			return attr(a, "href")
		}
	}
	require.Fail(t, "no link", label)
	return ""
}

func TestHistoryOfADocument(t *testing.T) {
	t.Parallel()
	s, doc := newHistory(t, drain("2", ""), drain("5", ""), drain("5", "3. Stop it.\n"))
	c := s.browser(t)
	_, page := s.open(t, c, fmt.Sprintf("/documents/%d", doc.ID))
	require.Contains(t, words(one(t, page, "header", "about")), "Stale index", "the live version would be made in another way now")
	require.Contains(t, words(one(t, page, "header", "about")), "divided by split/3, now split/4")
	items := all(one(t, page, "ol", "versions"), "li")
	require.Len(t, items, 3)
	require.Contains(t, words(items[0]), "Version 3 live")
	require.Contains(t, words(items[2]), "Version 1 superseded")
	require.Contains(t, words(items[1]), "read by markdown/2")
	require.NotContains(t, words(items[1]), "Stale index")

	_, page = s.open(t, c, link(t, items[0], "What it changed"))
	require.Contains(t, words(one(t, page, "h1")), "from version 2 to version 3")
	require.Equal(t, []string{"1 section changed", "2 sections unchanged"}, texts(all(one(t, page, "p", "facts"), "span")))
	require.Equal(t, []string{"3. Stop it."}, texts(all(page, "ins")))
	require.Empty(t, all(page, "del"))
	require.Equal(t, "Drain a broker › Steps", words(all(one(t, page, "section", "change"), "h2")[0]))

	_, page = s.open(t, c, fmt.Sprintf("/documents/%d/versions", doc.ID))
	require.Len(t, all(one(t, page, "ol", "versions"), "li"), 3)
	_, page = s.open(t, c, fmt.Sprintf("/documents/%d/versions?before=3", doc.ID))
	require.Len(t, all(one(t, page, "ol", "versions"), "li"), 2)
	for _, path := range []string{"/documents/999/versions", "/documents/999/diff", "/documents/999/note", "/documents/999/restore?v=1", fmt.Sprintf("/documents/%d/diff?from=x", doc.ID), fmt.Sprintf("/documents/%d/diff?from=%d", doc.ID, s.wiki.VersionID)} {
		resp, _ := s.open(t, c, path)
		require.Equal(t, http.StatusNotFound, resp.StatusCode, path)
	}
}

// Whatever stands in a document, a comparison shows it as text.
func TestDiffOfHostileText(t *testing.T) {
	t.Parallel()
	s, doc := newHistory(t, "# A\n\nOne.\n", "# A\n\n<img src=x onerror=alert(1)> </ins></div><script>alert(2)</script>\n\n## <b>B</b>\n\n<!-- "+strings.Repeat("x", 30_000)+" -->\n")
	c := s.browser(t)
	_, page := s.open(t, c, fmt.Sprintf("/documents/%d", doc.ID))
	_, page = s.open(t, c, link(t, page, "What it changed"))
	main := byID(t, page, "main")
	require.Empty(t, all(main, "img"))
	require.Empty(t, all(main, "script"))
	require.Empty(t, all(main, "b"))
	require.Contains(t, words(main), "</ins></div><script>alert(2)</script>")
	require.Contains(t, words(main), "10.0 kB more of this piece are not shown")
}

// A comparison that is too long for a page goes on with the next, and nothing of
// it is lost or shown twice.
func TestLongDiffIsPaged(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 9_000 {
		fmt.Fprintf(&b, "Line %05d of a long document, which goes on.\n", i)
	}
	s, doc := newHistory(t, "# A\n\nOne.\n", b.String())
	c := s.browser(t)
	_, page := s.open(t, c, fmt.Sprintf("/documents/%d", doc.ID))
	path, seen := link(t, page, "What it changed"), []string(nil)
	for pages := 0; path != ""; pages++ {
		require.Less(t, pages, 5)
		_, page = s.open(t, c, path)
		seen = append(seen, texts(all(page, "ins"))...)
		path = ""
		for _, a := range all(page, "a") {
			if words(a) == "Further changes" {
				path = attr(a, "href")
			}
		}
	}
	require.Equal(t, strings.Split(strings.TrimSpace(b.String()), "\n"), seen)
}

func TestRollBack(t *testing.T) {
	t.Parallel()
	s, doc := newHistory(t, drain("2", ""), drain("5", ""))
	c := s.browser(t)
	path := fmt.Sprintf("/documents/%d", doc.ID)
	_, page := s.open(t, c, path)
	ask := link(t, page, "Roll back to it…")
	_, page = s.open(t, c, ask)
	require.Equal(t, "Roll back “Drain a broker” to version 1?", words(one(t, page, "h1")))
	late := page
	resp, page := s.submit(t, c, page, path+"/restore", nil)
	require.Equal(t, path+"?restored=1", resp.URL.RequestURI())
	require.Contains(t, words(page), "This version is live again.")
	require.Contains(t, words(page), "Wait for 2 minutes.")
	require.Contains(t, words(one(t, page, "header", "about")), "version 1")

	resp, page = s.submit(t, c, late, path+"/restore", nil)
	require.Equal(t, http.StatusConflict, resp.StatusCode)
	require.Contains(t, words(page), "changed meanwhile")
	resp, _ = s.open(t, c, ask)
	require.Equal(t, http.StatusConflict, resp.StatusCode, "it is live already")
}

func TestReviewDateAndSuccessorByHand(t *testing.T) {
	t.Parallel()
	s, doc := newHistory(t, drain("2", ""))
	c := s.browser(t)
	path := fmt.Sprintf("/documents/%d", doc.ID)
	_, page := s.open(t, c, path)
	form := link(t, page, "Review date and successor…")
	_, page = s.open(t, c, form)
	resp, page := s.submit(t, c, page, form, url.Values{"review": {"2026-02-01"}, "successor": {"Order pipeline"}})
	require.Equal(t, path, resp.URL.RequestURI())
	require.Contains(t, words(page), "Review due on 1 February 2026")
	notice := one(t, page, "p", "superseded")
	require.Equal(t, "Superseded by Order pipeline", words(notice))
	require.Equal(t, fmt.Sprintf("/documents/%d", s.wiki.ID), attr(one(t, notice, "a"), "href"))

	_, page = s.open(t, c, form)
	require.Equal(t, "2026-02-01", attr(byID(t, page, "review"), "value"))
	for name, values := range map[string]url.Values{
		"is not a date":        {"review": {"tomorrow"}, "successor": {"Mine"}},
		"There is no document": {"review": {"2026-02-01"}, "successor": {"Mine"}},
	} {
		resp, faulty := s.submit(t, c, page, form, values)
		require.Equal(t, http.StatusUnprocessableEntity, resp.StatusCode)
		require.Contains(t, words(faulty), name)
		require.Equal(t, "Mine", attr(byID(t, faulty, "successor"), "value"), "what was written is kept")
	}
	resp, page = s.submit(t, c, page, form, url.Values{"review": {""}, "successor": {""}})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Empty(t, all(page, "p", "superseded"))
	require.NotContains(t, words(page), "Review due")
}

// A person finds a document, sees what changed, and rolls back.
func browserRollsBack(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	s, doc := newHistory(t, drain("2", ""), drain("5", "3. Stop it.\n"))
	tb.Open(s.URL + "/documents")
	tb.Do(chromedp.SendKeys(chromedp.CSS("#q"), "drain"))
	tb.Click(".filter button")
	tb.Await(`location.search.includes("q=drain") && document.querySelectorAll(".doclist > li").length == 1`)
	tb.Click(".doclist a")
	tb.Await(`location.pathname == "/documents/%d"`, doc.ID)
	tb.Click("details.history summary")
	tb.Click("details.history li:first-child .links a")
	tb.Await(`location.pathname.endsWith("/diff") && document.querySelectorAll("ins").length == 2`)
	require.Equal(t, "2. Wait for 2 minutes.", tb.Text("del"))
	require.LessOrEqual(t, tb.Sideways(), 0)
	tb.Click(".links:last-child a:last-child")
	tb.Await(`location.pathname.endsWith("/restore")`)
	tb.Click(".buttons .primary")
	tb.Await(`location.search == "?restored=1" && document.readyState == "complete"`)
	require.Contains(t, tb.Text(".text"), "Wait for 2 minutes.")
	require.NotContains(t, tb.Text(".text"), "Stop it.")
	tb.Open(fmt.Sprintf("%s/documents/%d?show=units", s.URL, doc.ID))
	require.Equal(t, 2, browsertest.Eval[int](tb, `document.querySelectorAll(".group.step").length`))
	require.LessOrEqual(t, tb.Sideways(), 0)
}
