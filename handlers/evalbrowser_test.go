package handlers_test

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"

	"passage/handlers/browsertest"
	"passage/rag/evaluate"
)

// The pages of the evaluation in a real browser.
func TestEvaluationInABrowser(t *testing.T) {
	t.Parallel()
	b := browsertest.New(t)
	for name, story := range map[string]struct {
		width, height int64
		tell          func(*testing.T, *browsertest.Tab)
	}{
		"import, run, read, apply":      {1280, 860, browserImportRunReadApply},
		"with the keyboard, on a phone": {360, 740, browserEvaluationByKeyboard},
		"say that an answer was wrong":  {1280, 860, browserFeedback},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			story.tell(t, b.Tab(t, story.width, story.height))
		})
	}
}

// An admin imports questions, runs a sweep, watches it, reads the picture and
// applies the advice.
func browserImportRunReadApply(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	file := filepath.Join(t.TempDir(), "steps.jsonl")
	require.NoError(t, os.WriteFile(file, []byte(l.questions(s, 24)), 0o600))
	tb.Open(s.URL + "/evaluation")
	tb.Do(chromedp.SetUploadFiles(chromedp.CSS("#questions"), []string{file}), chromedp.SendKeys(chromedp.CSS("#set-name"), "Steps"))
	tb.Click(".fold button")
	tb.Await(`document.querySelector(".notice")?.innerText.includes("48 questions were added.")`)

	l.found.hold()
	tb.Click(`input[value="windows"]`)
	tb.Click(".run-form button")
	tb.Await(`location.pathname == "/evaluation/runs/1" && document.querySelector("progress")`)
	require.Equal(t, "0 of 384 questions asked, 0 %", tb.Text("#running .hint-line"))
	tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector("#running").dataset.first = "1"`))
	tb.Await(`document.querySelector("#running") && !document.querySelector("#running").dataset.first`) // it was asked for again
	l.found.release()
	tb.Await(`document.querySelector(".headline") && document.readyState == "complete"`) // the page loads itself
	require.Equal(t, "Finished", tb.Text(".run-head .badge"))

	require.Equal(t, 3, browsertest.Eval[int](tb, `document.querySelectorAll("svg.plot").length`))
	require.True(t, browsertest.Eval[bool](tb, `(() => {
		const svg = document.querySelector("svg.plot").getBoundingClientRect();
		return svg.width > 300 && svg.height > 200 && [...document.querySelectorAll("svg.plot")[0].querySelectorAll(".plot-mark")]
			.every(m => { const r = m.getBoundingClientRect(); return r.width > 4 && r.left >= svg.left && r.right <= svg.right });
	})()`), "the marks are in the picture")
	require.NotEqual(t, "rgb(0, 0, 0)", browsertest.Eval[string](tb, `getComputedStyle(document.querySelector(".plot-s0 .plot-mark")).fill`), "the style sheet colours it")

	tb.Click(`.figures thead th:nth-child(2) a`)
	tb.Await(`document.querySelector('.figures th[aria-sort="descending"]')?.innerText.startsWith("found")`)
	require.Equal(t, "sentence_window section", tb.Text(".figures tbody tr th a"))

	tb.Click(".advice form button")
	tb.Await(`document.querySelector("h1").innerText.endsWith("changed")`)
	require.Equal(t, []string{"design_doc: sentence_window k=0"}, l.tuned)
	tb.Click(".buttons button")
	tb.Await(`document.querySelector(".notice").innerText.includes("now grow by sentence_window k=3")`)
}

// Everything can be reached by keyboard, and no page is wider than a phone.
func browserEvaluationByKeyboard(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	tb.Open(s.URL + "/evaluation")
	require.LessOrEqual(t, tb.Sideways(), 0, "without questions")
	l.evaluated(t, s, 24, "windows", "Averyveryverylongwordthatisthenameofthisrunandhasnospace")
	l.evaluated(t, s, 24, "default", "")
	tb.Open(s.URL + "/evaluation")
	require.LessOrEqual(t, tb.Sideways(), 0, "the overview")
	tb.Open(s.URL + "/evaluation/runs/2?with=1&setting=1")
	require.LessOrEqual(t, tb.Sideways(), 0, "a run")
	require.True(t, browsertest.Eval[bool](tb, `(() => {
		const svg = document.querySelector("svg.plot"), text = svg.querySelector(".plot-tick");
		return text.getBoundingClientRect().height >= 11;
	})()`), "the picture can be read on a phone")

	reach := func(selector string) {
		for range 200 {
			if browsertest.Eval[bool](tb, "document.activeElement?.matches(%q)", selector) {
				return
			}
			tb.Do(chromedp.KeyEvent(kb.Tab))
		}
		require.Fail(t, "not reached by keyboard", selector)
	}
	reach("#measure")
	reach(".plot-figure .sideways")
	tb.Do(chromedp.KeyEvent(kb.ArrowRight), chromedp.KeyEvent(kb.ArrowRight))
	tb.Await(`document.activeElement.scrollLeft > 0`)
	reach(".figures thead th:nth-child(3) a")
	tb.Do(chromedp.KeyEvent(kb.Enter))
	tb.Await(`document.querySelector('.figures th[aria-sort="ascending"]')?.innerText.startsWith("tokens")`)
	tb.Open(s.URL + "/evaluation")
	reach(`input[name="sweep"]`)
	tb.Do(chromedp.KeyEvent(kb.ArrowDown), chromedp.KeyEvent(kb.Enter))
	tb.Await(`location.pathname == "/evaluation/runs/3"`)
	run, err := l.Run(context.Background(), scope(nil), 3, false)
	require.NoError(t, err)
	require.Len(t, run.Plan.Settings, 8, "the arrow chose the sweep over windows")
	tb.Await(`document.querySelector(".headline") && document.readyState == "complete"`)
}

// A reader marks an answer as wrong, without leaving it.
func browserFeedback(t *testing.T, tb *browsertest.Tab) {
	t.Helper()
	tb.Expect("400")
	tb.Expect("htmx:responseError")
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	tb.Open(s.URL)
	tb.Click(".suggestions button")
	tb.Await(`document.querySelector(".feedback summary")`)
	tb.Click(".feedback summary")
	tb.Click(".feedback button")
	tb.Await(`document.querySelector("#alerts").innerText.includes("Please tick a passage")`)
	tb.Click(`.feedback input[value="2"]`)
	tb.Click(".feedback button")
	tb.Await(`document.querySelector("p.feedback")?.innerText.startsWith("Thank you.")`)
	require.Equal(t, 1, browsertest.Eval[int](tb, `document.querySelectorAll(".turn").length`), "the answer is still there")
	got := l.feedback(t)
	require.Len(t, got, 1)
	require.Equal(t, evaluate.KindSpan, got[0].Kind)
	require.Equal(t, "Each queue keeps 7 days.", got[0].Target.Spans[0].Text)
}
