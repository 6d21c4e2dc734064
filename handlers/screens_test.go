package handlers_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/answer"
)

// TestScreens takes pictures of the pages, narrow and wide, by day and by night:
// PASSAGE_SCREENS=folder go test -run TestScreens ./handlers
func TestScreens(t *testing.T) {
	t.Parallel()
	dir := os.Getenv("PASSAGE_SCREENS")
	if dir == "" {
		t.Skip("PASSAGE_SCREENS is not set")
	}
	require.NoError(t, os.MkdirAll(dir, 0o750))
	b := newBrowser(t)
	for _, width := range []int64{360, 1280} {
		for _, scheme := range []string{"light", "dark"} {
			tb := b.tab(t, width, map[int64]int64{360: 740, 1280: 860}[width])
			tb.expect("404")
			tb.scheme(scheme)
			tb.picture(t, func(name string) string {
				return filepath.Join(dir, fmt.Sprintf("%s-%d-%s.png", name, width, scheme))
			})
		}
	}
}

func (tb *tab) scheme(scheme string) {
	tb.t.Helper()
	tb.do(chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return err
	}))
}

func (tb *tab) shoot(path string) {
	tb.t.Helper()
	png, err := chromedp.Run(tb, chromedp.CaptureScreenshot())
	require.NoError(tb.t, err)
	require.NoError(tb.t, os.WriteFile(path, png, 0o600))
}

// picture walks through the pages of the examples.
func (tb *tab) picture(t *testing.T, file func(string) string) {
	t.Helper()
	g := newGated()
	s := newSite(t, g.script, withExamples(t))
	tb.open(s.URL)
	tb.shoot(file("start"))
	tb.click(".suggestions button")
	tb.await(`document.querySelector(".stage")`)
	tb.shoot(file("searching"))
	m := s.invented(s.desk.questions()[0])
	half := m
	half.State, half.Text = rag.AnswerWriting, m.Text[:strings.Index(m.Text, "```sh")+60]
	g.say(answer.Snapshot{Stage: answer.StageWriting, Message: half})
	tb.await(`document.querySelector(".answer pre")`)
	tb.shoot(file("writing"))
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: m})
	tb.await(`document.querySelector(".byline")`)
	tb.shoot(file("answer"))
	tb.click("a.cite")
	tb.shoot(file("citation"))
	tb.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".byline").scrollIntoView({block: "center"})`))
	tb.shoot(file("answer-end"))

	tb.open(s.URL)
	tb.click(".suggestions li:nth-child(2) button")
	tb.await(`document.querySelector(".stage")`)
	m = s.invented(s.desk.questions()[1])
	m.State, m.Notice, m.Text = rag.AnswerBroken, "The answer broke off before the model had finished it. What is here may lack its end.", m.Text[:len(m.Text)*2/3]
	g.say(answer.Snapshot{Stage: answer.StageReady, Message: m})
	tb.await(`document.querySelector(".notice")`)
	tb.shoot(file("broken"))
	tb.do(chromedp.Evaluate[chromedp.Void](`document.querySelector(".notice").scrollIntoView({block: "center"})`))
	tb.shoot(file("broken-end"))

	c := m.Citations[1]
	tb.open(fmt.Sprintf("%s/documents/%d?v=%d&start=%d&end=%d&m=%d-%d#hit", s.URL, c.DocID, c.VersionID, c.Span.Start, c.Span.End, c.Span.Start+40, c.Span.Start+120))
	tb.shoot(file("document-hit"))
	tb.open(s.URL + "/documents")
	tb.shoot(file("documents"))
	doc, _ := s.similar("kafka broker certificates")
	tb.open(fmt.Sprintf("%s/documents/%d", s.URL, doc.ID))
	tb.shoot(file("document"))
	tb.open(fmt.Sprintf("%s/documents/%d/delete", s.URL, doc.ID))
	tb.shoot(file("delete"))
	tb.open(s.URL + "/upload")
	tb.shoot(file("upload"))
	tb.open(s.URL + "/nowhere")
	tb.shoot(file("problem"))
}
