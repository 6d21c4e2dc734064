package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"passage/handlers/browsertest"
)

// TestBrowserAsksAndOpensTheSource is the first use in a real browser, on the
// real program: ask, watch the answer arrive, open its source at the sentence.
// With PASSAGE_SCREENS=folder it leaves the pictures of the README there.
func TestBrowserAsksAndOpensTheSource(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	s := serveExamples(t, empty(t))
	tb := b.Tab(t, 1280, 860)
	shoot := func(name string) {
		if dir := os.Getenv("PASSAGE_SCREENS"); dir != "" {
			tb.Shoot(filepath.Join(dir, name))
		}
	}
	tb.Open(s.url)
	shoot("start.png")
	tb.Do(chromedp.SendKeys(chromedp.CSS("#question"), "how do I rotate the broker certificates?"+kb.Enter))
	tb.Await(`document.querySelector("#status").textContent == "The answer is ready."`)
	shoot("chat.png")
	answer := tb.Text(".answer .prose")
	require.Contains(t, answer, "Pause the rebalancer")
	require.Contains(t, answer, "Resume the rebalancer")
	require.Contains(t, tb.Text(".card"), "steps 1–11 of 11")
	require.Positive(t, browsertest.Eval[int](tb, `document.querySelectorAll(".card mark").length`))
	require.Zero(t, tb.Sideways())

	tb.Click("a.cite")
	tb.Await(`location.hash.startsWith("#s-")`)
	tb.Click(".card:target .links a")
	tb.Await(`location.pathname.startsWith("/documents/") && document.querySelector("#hit")`)
	tb.Await(`(() => { const r = document.querySelector("#hit").getBoundingClientRect(); return r.top >= 0 && r.top < innerHeight })()`)
	shoot("document.png")
	require.NotEmpty(t, tb.Text("#hit"))
}
