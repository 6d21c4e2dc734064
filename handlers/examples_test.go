package handlers_test

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/handlers"
	"passage/rag"
	"passage/rag/answer"
	"passage/rag/render"
)

// The example documents with made-up answers: what the pages look like with
// real texts. Nothing is searched; an answer takes the document that shares the
// most words with the question.

var frontMatterLine = regexp.MustCompile(`(?m)^(\w+): *"?(.*?)"?$`)

// withExamples puts the example documents into the store.
func withExamples(t *testing.T) option {
	t.Helper()
	root := filepath.Join("..", "examples")
	return func(c *handlers.Config, s *site) {
		clear(s.store.docs)
		require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Dir(path) == root {
				return err
			}
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			text := string(data)
			meta := map[string]string{"doc_type": "note", "title": filepath.Base(path)}
			for _, m := range frontMatterLine.FindAllStringSubmatch(render.FrontMatter(text).In(text), -1) {
				meta[m[1]] = m[2]
			}
			date, _ := time.Parse(time.DateOnly, meta["date"])
			rel, err := filepath.Rel(root, path)
			if err != nil {
				return err
			}
			space := "Platform"
			if strings.Contains(rel, "guidelines") {
				space = "Clinic (fictitious)"
			}
			s.store.put(space, filepath.ToSlash(rel), meta["doc_type"], meta["title"], text, date)
			return nil
		}))
		c.Suggestions = []string{"How do I rotate the Kafka broker certificates?", "What is the target range of plenvarol, and when is it stopped?", "How does the order pipeline keep orders from being lost?"}
	}
}

// similar finds the document that shares the most words with a question.
func (s *site) similar(question string) (rag.Document, string) {
	s.store.mu.Lock()
	defer s.store.mu.Unlock()
	var best rag.Document
	score := -1
	for _, d := range s.store.docs {
		n := 0
		for _, w := range strings.Fields(strings.ToLower(question)) {
			if len(w) > 3 && strings.Contains(strings.ToLower(d.Title), strings.Trim(w, "?,.")) {
				n++
			}
		}
		if n > score || (n == score && d.ID < best.ID) {
			best, score = d, n
		}
	}
	return best, s.store.versions[best.VersionID].Text
}

var section = regexp.MustCompile(`(?m)^## .*$`)

// invented makes an answer from the two longest sections of a document.
func (s *site) invented(question string) rag.Message {
	doc, text := s.similar(question)
	m := rag.Message{State: rag.AnswerDone, Model: "example-model"}
	heads := section.FindAllStringIndex(text, -1)
	var spans []rag.Span
	for i, h := range heads {
		end := len(text)
		if i+1 < len(heads) {
			end = heads[i+1][0]
		}
		spans = append(spans, rag.Span{Start: h[0], End: end})
	}
	if len(spans) == 0 {
		spans = []rag.Span{{Start: 0, End: len(text)}}
	}
	var b strings.Builder
	for i, span := range spans {
		if i >= 4 {
			break
		}
		c := rag.Citation{
			Number: i + 1, Used: i < 3, DocID: doc.ID, VersionID: doc.VersionID, Title: doc.Title, SourceURI: doc.SourceURI, DocType: doc.DocType, Date: doc.Date,
			Path: []string{doc.Title, strings.TrimPrefix(strings.SplitN(span.In(text), "\n", 2)[0], "## ")}, Span: span,
		}
		if at := strings.Index(span.In(text), ". "); at > 0 {
			start := span.Start + strings.LastIndexAny(span.In(text)[:at], "\n") + 1
			c.Marks = []rag.Mark{{Span: rag.Span{Start: start, End: span.Start + at + 1}}}
		}
		m.Citations = append(m.Citations, c)
	}
	b.WriteString("Here is what the documents say about it. Work through it in order and stop when a check fails [1].\n\n")
	b.WriteString(strings.TrimSpace(spans[min(1, len(spans)-1)].In(text)))
	b.WriteString("\n\nThe limits in this answer are those of the document [2][3].\n")
	m.Text = b.String()
	return m
}

// typed is a script that writes an invented answer word by word.
func typed(pause time.Duration) func(context.Context, *site, string, func(answer.Snapshot)) {
	return func(ctx context.Context, s *site, question string, say func(answer.Snapshot)) {
		m := s.invented(question)
		part := m
		part.State, part.Text = rag.AnswerWriting, ""
		for _, word := range strings.SplitAfter(m.Text, " ") {
			select {
			case <-ctx.Done():
				return
			case <-time.After(pause):
			}
			part.Text += word
			say(answer.Snapshot{Stage: answer.StageWriting, Message: part})
		}
		say(answer.Snapshot{Stage: answer.StageReady, Message: m})
	}
}

// TestDevServer serves the pages on the example documents until it is
// interrupted: PASSAGE_DEV_SERVER=127.0.0.1:8099 go test -run TestDevServer -timeout 0 ./handlers
func TestDevServer(t *testing.T) {
	t.Parallel()
	addr := os.Getenv("PASSAGE_DEV_SERVER")
	if addr == "" {
		t.Skip("PASSAGE_DEV_SERVER is not set")
	}
	s := newSite(t, typed(60*time.Millisecond), withExamples(t), at(addr))
	t.Logf("serving %s", s.URL)
	<-t.Context().Done()
}
