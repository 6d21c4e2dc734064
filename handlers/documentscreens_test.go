package handlers_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"passage/handlers/browsertest"
	"passage/rag"
)

// TestDocumentScreens takes pictures of the pages of documents:
// PASSAGE_SCREENS=folder go test -run TestDocumentScreens ./handlers
func TestDocumentScreens(t *testing.T) {
	t.Parallel()
	takePictures(t, "documents-", "404", documentPictures)
}

func documentPictures(t *testing.T, tb *browsertest.Tab, file func(string) string) {
	t.Helper()
	s, doc := newHistory(t, drain("2", ""), drain("5", "3. Stop it.\n"), brokerText, brokerText+"\nOne sentence more. And another.\n")
	for i := range 120 {
		s.store.put("Notes", fmt.Sprintf("notes/%03d.txt", i), "note", fmt.Sprintf("Note %03d", i), "x\n", day.AddDate(0, 0, i%9))
	}
	s.store.mu.Lock()
	d := s.store.docs[doc.ID]
	d.SupersededBy, d.Successor, d.ReviewDue = s.wiki.SourceURI, rag.Successor{ID: s.wiki.ID, Title: s.wiki.Title}, day.Add(-24*time.Hour)
	s.store.docs[doc.ID] = d
	s.store.mu.Unlock()
	address := fmt.Sprintf("%s/documents/%d", s.URL, doc.ID)
	for _, page := range []struct{ name, url string }{
		{"list", s.URL + "/documents"},
		{"stale", s.URL + "/documents?state=stale"},
		{"document", address},
		{"units", address + "?show=units"},
		{"history", address + "/versions"},
		{"note", address + "/note"},
	} {
		tb.Open(page.url)
		tb.Shoot(file(page.name))
	}
	tb.Open(address + "/versions")
	tb.Click(".versions > li:nth-child(3) .links a")
	tb.Await(`location.pathname.endsWith("/diff") && document.readyState == "complete"`)
	tb.Shoot(file("diff"))
	tb.Open(address + "/versions")
	tb.Click(".versions > li:nth-child(3) .links a:last-child")
	tb.Await(`location.pathname.endsWith("/restore") && document.readyState == "complete"`)
	tb.Shoot(file("restore"))
	tb.Open(address)
	tb.Click("details.history summary")
	tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("details.history").scrollIntoView({block: "start"})`))
	tb.Shoot(file("versions"))
}
