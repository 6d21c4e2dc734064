package handlers_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"passage/handlers/browsertest"
)

// TestEvaluationScreens takes pictures of the pages of the evaluation:
// PASSAGE_SCREENS=folder go test -run TestEvaluationScreens ./handlers
func TestEvaluationScreens(t *testing.T) {
	t.Parallel()
	takePictures(t, "eval-", "400", pictureEvaluation)
}

// pictureEvaluation walks through the pages of the evaluation.
func pictureEvaluation(t *testing.T, tb *browsertest.Tab, file func(string) string) {
	t.Helper()
	l := newLab(t)
	s := newSite(t, finished(t), withLab(l))
	show := func(selector, name string) {
		tb.Do(chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).scrollIntoView({block: 'start'})", selector)))
		tb.Shoot(file(name))
	}
	tb.Open(s.URL + "/evaluation")
	tb.Shoot(file("empty"))
	before := l.evaluated(t, s, 24, "windows", "")
	run := l.evaluated(t, s, 24, "default", "After the new splitter")
	for range 3 {
		l.evaluated(t, s, 2, "legs", "")
	}
	l.found.hold()
	tb.Open(s.URL + "/evaluation")
	tb.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.run-form').requestSubmit()"))
	tb.Await(`document.querySelector("progress") && location.pathname.startsWith("/evaluation/runs/")`)
	tb.Shoot(file("running"))
	tb.Open(s.URL + "/evaluation")
	tb.Shoot(file("overview"))
	show("#start-run", "start")
	show("#runs", "runs")
	l.found.release()
	tb.Open(fmt.Sprintf("%s/evaluation/runs/%d?with=%d", s.URL, run.ID, before.ID))
	tb.Shoot(file("run"))
	for _, part := range []string{"advice", "pictures", "figures", "comparison", "worst"} {
		show("#"+part, "run-"+part)
	}
	show(".plot-figure:last-child", "run-plot")
	tb.Click(".advice form button")
	tb.Await(`document.querySelector("h1").innerText.includes("changed")`)
	tb.Shoot(file("applied"))

	tb.Open(s.URL)
	tb.Click(".suggestions button")
	tb.Await(`document.querySelector(".feedback summary")`)
	tb.Click(".feedback summary")
	show(".feedback", "feedback")
	tb.Do(chromedp.Evaluate[chromedp.Void]("document.querySelector('.feedback input[type=checkbox]').click()"))
	tb.Click(".feedback button")
	tb.Await(`document.querySelector(".feedback").innerText.includes("Thank you")`)
	tb.Shoot(file("feedback-taken"))
}
