package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"
)

// send uploads one file, as a browser does, and gives the page that follows.
func (s *site) send(name, content string) page {
	s.t.Helper()
	form := s.get("/upload")
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	token := form.find("input", func(n *html.Node) bool { return attr(n, "name") == "_csrf" })
	require.NotNil(s.t, token)
	for field, value := range map[string]string{"_csrf": attr(token, "value"), "space": "Documents", "doc_type": "", "address": ""} {
		require.NoError(s.t, w.WriteField(field, value))
	}
	part, err := w.CreateFormFile("files", name)
	require.NoError(s.t, err)
	_, err = part.Write([]byte(content))
	require.NoError(s.t, err)
	require.NoError(s.t, w.Close())
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/upload", &body)
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", w.FormDataContentType())
	return s.do(req)
}

type jobTold struct {
	State, Message, Outcome string
	Final                   bool
	DocumentID              int64 `json:"document_id"`
}

// job asks for a job as programs do.
func (s *site) job(id string) jobTold {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+"/jobs/"+id, http.NoBody)
	require.NoError(s.t, err)
	req.Header.Set("Accept", "application/json")
	res, err := s.client.Do(req)
	require.NoError(s.t, err)
	defer res.Body.Close()
	require.Equal(s.t, http.StatusOK, res.StatusCode)
	var told jobTold
	require.NoError(s.t, json.NewDecoder(res.Body).Decode(&told))
	return told
}

func (s *site) awaitJob(id string) jobTold {
	s.t.Helper()
	var told jobTold
	require.Eventually(s.t, func() bool {
		told = s.job(id)
		return told.Final
	}, time.Minute, 50*time.Millisecond)
	return told
}

// T53: an upload has a job whose end is told, to people and programs; what is live
// is found.
func TestUploadedFilesGoLiveByWorkers(t *testing.T) {
	t.Parallel()
	s := serveExamples(t, empty(t))
	p := s.send("pumps.md", "# Restart the pump\n\n1. Close the valve.\n2. Press reset.\n3. Open the valve zanzibar.\n")
	require.Equal(t, "/jobs", p.url.Path)
	id := p.url.Query().Get("from")
	require.Equal(t, id, p.url.Query().Get("to"))
	told := s.awaitJob(id)
	require.Equal(t, "done", told.State, told.Message)
	require.Equal(t, "created", told.Outcome)
	require.Contains(t, s.get("/jobs").text(), "Live pumps.md")
	chat := s.submit(s.get("/"), "/chats", url.Values{"question": {"How do I restart the pump?"}})
	require.Contains(t, chat.text(), "Open the valve zanzibar.")

	bad := s.send("bad.md", "---\n---\n")
	told = s.awaitJob(bad.url.Query().Get("from"))
	require.Equal(t, "failed", told.State)
	require.NotEmpty(t, told.Message)
	require.Contains(t, s.get("/jobs?state=failed").text(), told.Message)
}

// What a server leaves to others is done by web work.
func TestWorkTakesInWhatAServerQueued(t *testing.T) {
	t.Parallel()
	environ := append(empty(t), "PASSAGE_WORKERS=0")
	s := serveExamples(t, environ)
	id := s.send("pumps.md", "# Pump\n\nThe pump hums.\n").url.Query().Get("from")
	require.Equal(t, "queued", s.job(id).State)

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	p := &program{stdout: io.Discard, stderr: io.Discard}
	go func() { ended <- start(ctx, []string{"work"}, environ, p) }()
	require.Equal(t, "done", s.awaitJob(id).State)
	cancel()
	require.NoError(t, <-ended)
}
