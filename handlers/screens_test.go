package handlers_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"passage/handlers/browsertest"
	"passage/rag"
	"passage/rag/answer"
)

// TestScreens takes pictures of the pages, narrow and wide, by day and by night:
// PASSAGE_SCREENS=folder go test -run TestScreens ./handlers
func TestScreens(t *testing.T) {
	t.Parallel()
	takePictures(t, "", "404", picture)
}

// takePictures walks through pages narrow and wide, by day and by night, in a
// browser that expects that status among others. The files begin with prefix.
func takePictures(t *testing.T, prefix, status string, walk func(*testing.T, *browsertest.Tab, func(name string) string)) {
	t.Helper()
	dir := os.Getenv("PASSAGE_SCREENS")
	if dir == "" {
		t.Skip("PASSAGE_SCREENS is not set")
	}
	require.NoError(t, os.MkdirAll(dir, 0o750))
	b := browsertest.New(t)
	for _, width := range []int64{360, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			tb := b.Tab(t, width, map[int64]int64{360: 740, 1280: 860}[width])
			tb.Expect(status)
			tb.Scheme(scheme)
			walk(t, tb, func(name string) string {
				return filepath.Join(dir, fmt.Sprintf("%s%s-%d-%s.png", prefix, name, width, scheme))
			})
		}
	}
}

// picture walks through the pages of the examples.
func picture(t *testing.T, tb *browsertest.Tab, file func(string) string) {
	t.Helper()
	g := newGated()
	s := newSite(t, g.script, withExamples(t))
	tb.Open(s.URL)
	tb.Shoot(file("start"))
	tb.Click(".suggestions button")
	tb.Await(`document.querySelector(".stage")`)
	tb.Shoot(file("searching"))
	m := s.invented(s.desk.questions()[0])
	half := m
	half.State, half.Text = rag.AnswerWriting, m.Text[:strings.Index(m.Text, "```sh")+60]
	g.say(answer.Snapshot{Stage: answer.StageWriting, Message: half})
	tb.Await(`document.querySelector(".answer pre")`)
	tb.Shoot(file("writing"))
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: m})
	tb.Await(`document.querySelector(".byline")`)
	tb.Shoot(file("answer"))
	tb.Click("a.cite")
	tb.Shoot(file("citation"))
	tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".byline").scrollIntoView({block: "center"})`))
	tb.Shoot(file("answer-end"))

	tb.Open(s.URL)
	tb.Click(".suggestions li:nth-child(2) button")
	tb.Await(`document.querySelector(".stage")`)
	m = s.invented(s.desk.questions()[1])
	m.State, m.Notice, m.Text = rag.AnswerBroken, "The answer broke off before the model had finished it. What is here may lack its end.", m.Text[:len(m.Text)*2/3]
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: m})
	tb.Await(`document.querySelector(".notice")`)
	tb.Shoot(file("broken"))
	tb.Do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".notice").scrollIntoView({block: "center"})`))
	tb.Shoot(file("broken-end"))

	c := m.Citations[1]
	tb.Open(fmt.Sprintf("%s/documents/%d?v=%d&start=%d&end=%d&m=%d-%d#hit", s.URL, c.DocID, c.VersionID, c.Span.Start, c.Span.End, c.Span.Start+40, c.Span.Start+120))
	tb.Shoot(file("document-hit"))
	tb.Open(s.URL + "/documents")
	tb.Shoot(file("documents"))
	doc, _ := s.similar("kafka broker certificates")
	tb.Open(fmt.Sprintf("%s/documents/%d", s.URL, doc.ID))
	tb.Shoot(file("document"))
	tb.Open(fmt.Sprintf("%s/documents/%d/delete", s.URL, doc.ID))
	tb.Shoot(file("delete"))
	tb.Open(s.URL + "/upload")
	tb.Shoot(file("upload"))
	tb.Open(s.URL + "/nowhere")
	tb.Shoot(file("problem"))
}
