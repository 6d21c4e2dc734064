package handlers_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/rag"
)

func TestDocumentList(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t), func(_ *handlers.Config, s *site) {
		for i := range 110 {
			s.store.put("Notes", fmt.Sprintf("notes/%03d.txt", i), "note", fmt.Sprintf("Note %03d", i), "x\n", day)
		}
		for id, d := range s.store.docs {
			switch d.Title {
			case "Note 001":
				d.ReviewDue = day.AddDate(0, 0, -1)
			case "Note 002":
				d.SupersededBy = "notes/new.md"
			}
			s.store.docs[id] = d
		}
	})
	notes := s.store.spaces[1]
	c := s.browser(t)
	cases := map[string]struct {
		query    url.Values
		count    string
		first    string
		items    int
		pager    []string
		selected map[string]string
	}{
		"all":          {nil, "Documents 1–50 of 112", "Note 000", 50, []string{"Next page", "Last page"}, nil},
		"last page":    {url.Values{"back": {"1"}}, "Documents 63–112 of 112", "Note 062", 50, []string{"First page", "Previous page"}, nil},
		"by type":      {url.Values{"type": {"runbook"}}, "1 document", "Rotate the broker certificates", 1, nil, map[string]string{"type": "Runbook"}},
		"by space":     {url.Values{"space": {itoa(notes.ID)}}, "Documents 1–50 of 110", "Note 000", 50, []string{"Next page", "Last page"}, map[string]string{"space": "Notes"}},
		"by words":     {url.Values{"q": {"ORDER"}}, "1 document", "Order pipeline", 1, nil, nil},
		"by source":    {url.Values{"q": {"notes/007"}}, "1 document", "Note 007", 1, nil, nil},
		"stale":        {url.Values{"state": {"stale"}}, "2 documents", "Note 001", 2, nil, map[string]string{"state": "Stale"}},
		"current":      {url.Values{"state": {"current"}, "q": {"note 00"}}, "8 documents", "Note 000", 8, nil, map[string]string{"state": "Current"}},
		"by change":    {url.Values{"sort": {"changed"}, "q": {"note"}}, "Documents 1–50 of 110", "Note 109", 50, []string{"Next page", "Last page"}, map[string]string{"sort": "Last change"}},
		"damaged page": {url.Values{"from": {"-4"}, "at": {"70"}, "space": {"x"}, "state": {"y"}, "sort": {"z"}}, "Documents 1–50 of 112", "Note 000", 50, []string{"Next page", "Last page"}, nil},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			resp, page := s.open(t, c, "/documents?"+tt.query.Encode())
			require.Equal(t, http.StatusOK, resp.StatusCode)
			require.Equal(t, tt.count, words(one(t, page, "p", "count")))
			items := all(one(t, page, "ul", "doclist"), "li")
			require.Len(t, items, tt.items)
			require.Equal(t, tt.first, words(all(items[0], "a")[0]))
			require.Equal(t, tt.pager, pager(page))
			require.Equal(t, tt.query.Get("q"), attr(byID(t, page, "q"), "value"))
			for _, name := range []string{"space", "type", "state", "sort"} {
				require.Equal(t, tt.selected[name], selected(page, name), name)
			}
		})
	}
	_, page := s.open(t, c, "/documents?q=nothing+like+it")
	require.Contains(t, words(page), "No document fits. Show all documents")
	_, page = s.open(t, c, "/documents?state=stale")
	require.Equal(t, []string{"review due 1 March 2026", "superseded"}, texts(all(page, "span", "warning")))
	require.Contains(t, words(page), "superseded by notes/new.md")
}

// pager is what the links to other pages say.
func pager(page *html.Node) []string {
	var out []string
	for _, nav := range all(page, "nav", "pager") {
		out = append(out, texts(all(nav, "a"))...)
	}
	return out
}

// Every page of a list is reached by its links, forward and back, and the filter
// stays.
func TestDocumentListIsWalked(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t), func(_ *handlers.Config, s *site) {
		for i := range 110 {
			s.store.put("Notes", fmt.Sprintf("notes/%03d.txt", i), "note", fmt.Sprintf("Note %03d", i), "x\n", day)
		}
	})
	c := s.browser(t)
	follow := func(page *html.Node, label string) *html.Node {
		for _, a := range all(one(t, page, "nav", "pager"), "a") {
			if words(a) == label {
				_, page = s.open(t, c, attr(a, "href"))
				return page
			}
		}
		require.Fail(t, "no link", label)
		return nil
	}
	shows := func(page *html.Node) string {
		require.Equal(t, "Note", selected(page, "type"))
		return words(one(t, page, "p", "count")) + ": " + words(all(one(t, page, "ul", "doclist"), "a")[0])
	}
	_, page := s.open(t, c, "/documents?type=note")
	require.Equal(t, "Documents 1–50 of 110: Note 000", shows(page))
	page = follow(page, "Next page")
	require.Equal(t, "Documents 51–100 of 110: Note 050", shows(page))
	page = follow(page, "Next page")
	require.Equal(t, "Documents 101–110 of 110: Note 100", shows(page))
	require.Equal(t, []string{"First page", "Previous page"}, pager(page))
	page = follow(page, "Previous page")
	require.Equal(t, "Documents 51–100 of 110: Note 050", shows(page))
	page = follow(page, "Previous page")
	require.Equal(t, "Documents 1–50 of 110: Note 000", shows(page))
	require.Equal(t, []string{"Next page", "Last page"}, pager(page))
	page = follow(page, "Last page")
	require.Equal(t, "Documents 61–110 of 110: Note 060", shows(page))
	page = follow(page, "First page")
	require.Equal(t, "Documents 1–50 of 110: Note 000", shows(page))
}

func TestDocumentWithAPlace(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	cited := s.store.cite(t, 1, s.broker, "1. Check", "6. Give the leaders back.", "Restart the broker and wait for 2 minutes.", "move the leaders away")
	q := url.Values{"v": {itoa(s.broker.VersionID)}, "start": {strconv.Itoa(cited.Span.Start)}, "end": {strconv.Itoa(cited.Span.End)}}
	for _, m := range cited.Marks {
		q.Add("m", fmt.Sprintf("%d-%d", m.Span.Start, m.Span.End))
	}
	_, page := s.open(t, c, fmt.Sprintf("/documents/%d?%s", s.broker.ID, q.Encode()))
	require.Equal(t, []string{"move the leaders away", "Restart the broker and wait for 2 minutes."}, texts(all(page, "mark")))
	require.Equal(t, "Restart the broker and wait for 2 minutes.", words(byID(t, page, "hit")), "the place named first")
	require.Equal(t, "ol", one(t, page, "ol", "cited").Data)
	require.Equal(t, []string{"Rotate the broker certificates", "Before you begin", "Rotate", "Ports"}, texts(all(one(t, page, "nav", "outline"), "a")))
	for _, a := range all(one(t, page, "nav", "outline"), "a") {
		byID(t, page, strings.TrimPrefix(attr(a, "href"), "#"))
	}
	require.Len(t, all(page, "h1"), 1, "the text's own title is the page's")
	require.Empty(t, all(page, "p", "notice"))
	require.Contains(t, words(one(t, page, "footer", "about")), "owner: platform")
	require.NotContains(t, words(one(t, page, "div", "text")), "owner: platform")

	q.Del("m")
	_, page = s.open(t, c, fmt.Sprintf("/documents/%d?%s", s.broker.ID, q.Encode()))
	require.Equal(t, "Check that the cluster is healthy. No partition may be under-replicated.", words(byID(t, page, "hit")))
	require.Greater(t, len(all(page, "mark")), 6, "without marks the whole part is marked")
}

func TestDocumentWithADamagedPlaceStillOpens(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	for _, q := range []string{"", "start=9", "start=9&end=3", "start=-1&end=5", "start=x&end=y", "start=999999&end=9999999", "m=1", "m=5-2", "v=abc", "v=-1"} {
		resp, page := s.open(t, c, fmt.Sprintf("/documents/%d?%s", s.broker.ID, q))
		require.Equal(t, http.StatusOK, resp.StatusCode, q)
		require.Empty(t, all(page, "mark"), q)
	}
	resp, _ := s.open(t, c, fmt.Sprintf("/documents/%d?v=%d", s.broker.ID, s.wiki.VersionID))
	require.Equal(t, http.StatusNotFound, resp.StatusCode, "a version of another document")
}

func TestEarlierVersionSaysSo(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	live := s.store.put("Platform", s.broker.SourceURI, "runbook", "Rotate the broker certificates", "Only text.\n", day)
	_, page := s.open(t, c, fmt.Sprintf("/documents/%d?v=%d", s.broker.ID, s.broker.VersionID))
	notice := one(t, page, "p", "notice")
	require.Contains(t, words(notice), "earlier version")
	require.Equal(t, fmt.Sprintf("/documents/%d", s.broker.ID), attr(one(t, notice, "a"), "href"))
	require.Contains(t, words(page), "Never rotate two brokers at once.")

	_, page = s.open(t, c, fmt.Sprintf("/documents/%d", live.ID))
	require.Empty(t, all(page, "p", "notice"))
	require.Equal(t, "Rotate the broker certificates", words(one(t, page, "h1")), "a text without a title gets the document's")
	require.Contains(t, words(page), "version 2")
	require.Empty(t, all(page, "nav", "outline"))
}

// T66: a source on the web is linked, and nothing but http and https.
func TestDocumentLinksToItsSource(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	odd := s.store.put("Platform", "javascript:alert(1)", "note", "Odd", "x\n", day)
	for id, want := range map[int64]string{s.wiki.ID: "https://wiki.example/orders?x=1", s.broker.ID: "", odd.ID: ""} {
		_, page := s.open(t, c, fmt.Sprintf("/documents/%d", id))
		got := ""
		for _, a := range all(one(t, page, "header", "about"), "a") {
			got = attr(a, "href")
		}
		require.Equal(t, want, got)
	}
}

func TestReviewDates(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	for days, overdue := range map[int]bool{0: true, 30: true, 31: false, 300: false} { // the clock stands 31 days after day
		s.store.mu.Lock()
		d := s.store.docs[s.wiki.ID]
		d.ReviewDue = day.AddDate(0, 0, days)
		s.store.docs[s.wiki.ID] = d
		s.store.mu.Unlock()
		_, page := s.open(t, c, fmt.Sprintf("/documents/%d", s.wiki.ID))
		require.Contains(t, words(page), "Review due on "+d.ReviewDue.Format("2 January 2006"))
		require.Len(t, all(page, "span", "warning"), map[bool]int{true: 1, false: 0}[overdue], "%d days", days)
	}
}

func TestDeleteADocument(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	path := fmt.Sprintf("/documents/%d", s.broker.ID)
	_, page := s.open(t, c, path)
	var ask string
	for _, a := range all(page, "a") {
		if words(a) == "Delete this document…" {
			ask = attr(a, "href")
		}
	}
	_, page = s.open(t, c, ask)
	require.Equal(t, "Delete “Rotate the broker certificates”?", words(one(t, page, "h1")))
	_, err := s.store.Document(t.Context(), scope(nil), s.broker.ID)
	require.NoError(t, err, "asking deletes nothing")

	resp, page := s.submit(t, c, page, ask, nil)
	require.Equal(t, "/documents?deleted=1", resp.URL.RequestURI())
	require.Contains(t, words(page), "The document was deleted.")
	require.NotContains(t, words(page), "Rotate the broker certificates")
	_, err = s.store.Document(t.Context(), scope(nil), s.broker.ID)
	require.Equal(t, rag.CodeNotFound, rag.ErrorCode(err))
	resp, _ = s.open(t, c, path)
	require.Equal(t, http.StatusNotFound, resp.StatusCode)
}
