package handlers_test

import (
	"bytes"
	"context"
	"mime/multipart"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/rag"
	"passage/rag/ingest"
)

// taken is an ingester that remembers what it was given and answers by the
// content.
type taken struct {
	mu   sync.Mutex
	reqs []ingest.Request
}

func (tk *taken) Ingest(_ context.Context, req ingest.Request) (ingest.Outcome, error) {
	tk.mu.Lock()
	defer tk.mu.Unlock()
	tk.reqs = append(tk.reqs, req)
	o := ingest.Outcome{State: ingest.Created, DocumentID: 7, SourceURI: req.SourceURI, Title: "T of " + req.SourceURI, DocType: "runbook", Reason: "It has a procedure.", Units: 12, Procedures: 1}
	switch string(req.Data) {
	case "new":
		return o, nil
	case "changed":
		o.State, o.Warnings = ingest.Updated, []string{"The code fence opened in line 40 is never closed."}
		return o, nil
	case "same":
		o.State = ingest.Unchanged
		return o, nil
	case "bad":
		return ingest.Outcome{}, rag.Errorf(rag.CodeInvalid, "Byte 3 is no UTF-8.")
	default:
		return ingest.Outcome{}, context.DeadlineExceeded
	}
}

func (tk *taken) IngestArchive(_ context.Context, req ingest.Request, _ int) (ingest.Summary, string, error) {
	tk.mu.Lock()
	defer tk.mu.Unlock()
	tk.reqs = append(tk.reqs, req)
	if string(req.Data) == "bad" {
		return ingest.Summary{}, "", rag.Errorf(rag.CodeInvalid, "“a.zip” cannot be opened.")
	}
	file := func(uri string) ingest.FileResult { return ingest.FileResult{File: ingest.File{URI: uri}} }
	one, two := file("a.zip/one.md"), file("a.zip/two.pdf")
	one.Outcome = ingest.Outcome{State: ingest.Created, DocumentID: 8, Title: "One"}
	two.Err = rag.Errorf(rag.CodeInvalid, "“two.pdf” has no text.")
	return ingest.Summary{Results: []ingest.FileResult{one, two}}, "3 files were left out.", nil
}

type upload struct {
	files  [][2]string
	fields map[string]string
}

func (s *site) upload(t *testing.T, c *http.Client, u upload) (reply, *html.Node) {
	t.Helper()
	_, form := s.open(t, c, "/upload")
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	fields := map[string]string{"space": "Platform", "doc_type": "", "address": "", "_csrf": attr(all(form, "input")[0], "value")}
	for k, v := range u.fields {
		fields[k] = v
	}
	for k, v := range fields {
		require.NoError(t, w.WriteField(k, v))
	}
	for _, f := range u.files {
		part, err := w.CreateFormFile("files", f[0])
		require.NoError(t, err)
		_, err = part.Write([]byte(f[1]))
		require.NoError(t, err)
	}
	require.NoError(t, w.Close())
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/upload", &body)
	require.NoError(t, err)
	r.Header.Set("Content-Type", w.FormDataContentType())
	return do(t, c, r)
}

func uploads(t *testing.T) (*site, *taken) {
	t.Helper()
	tk := &taken{}
	return newSite(t, finished(t), func(c *handlers.Config, _ *site) { c.Ingester, c.MaxUpload = tk, 1<<20 }), tk
}

func TestUploadTellsWhatBecameOfEachFile(t *testing.T) {
	t.Parallel()
	s, tk := uploads(t)
	resp, page := s.upload(t, s.browser(t), upload{
		files:  [][2]string{{"a.md", "new"}, {`C:\docs\b.md`, "changed"}, {"c.md", "same"}, {"<d>.md", "bad"}, {"e.md", "crash"}},
		fields: map[string]string{"doc_type": "runbook"},
	})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, []string{
		"Created T of a.md a.md Runbook It has a procedure. 12 units, 1 procedure",
		"Updated T of b.md b.md Runbook It has a procedure. 12 units, 1 procedure The code fence opened in line 40 is never closed.",
		"Unchanged T of c.md c.md Runbook It has a procedure. It is here already.",
		"Not taken <d>.md Byte 3 is no UTF-8.",
		"Not taken e.md Something went wrong here. The fault has been logged.",
	}, texts(all(one(t, page, "section", "results"), "li")))
	require.Equal(t, "Runbook", selected(page, "doc_type"), "the choice is kept for the next upload")
	require.Len(t, tk.reqs, 5)
	require.Equal(t, ingest.Request{Scope: scope(nil), SpaceID: s.store.spaces[0].ID, SourceURI: "b.md", Name: "b.md", Data: []byte("changed"), DocType: "runbook"}, tk.reqs[1])
}

func TestUploadWithTheAddressOfItsSource(t *testing.T) {
	t.Parallel()
	s, tk := uploads(t)
	_, page := s.upload(t, s.browser(t), upload{files: [][2]string{{"a.md", "new"}}, fields: map[string]string{"address": " https://wiki.example/a ", "space": "New space"}})
	require.Contains(t, words(page), "Created")
	require.Equal(t, "https://wiki.example/a", tk.reqs[0].SourceURI)
	require.Equal(t, "New space", s.store.spaces[1].Name)
	require.Equal(t, s.store.spaces[1].ID, tk.reqs[0].SpaceID)
}

func TestUploadsThatAreRefused(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		upload upload
		status int
		want   string
	}{
		"no file":             {upload{}, http.StatusBadRequest, "Please choose at least one file."},
		"empty field":         {upload{files: [][2]string{{"", ""}}}, http.StatusBadRequest, "Please choose at least one file."},
		"no space":            {upload{files: [][2]string{{"a.md", "new"}}, fields: map[string]string{"space": " "}}, http.StatusBadRequest, "Please name a space"},
		"address of no site":  {upload{files: [][2]string{{"a.md", "new"}}, fields: map[string]string{"address": "javascript:alert(1)"}}, http.StatusBadRequest, "must begin with http:// or https://"},
		"address for several": {upload{files: [][2]string{{"a.md", "new"}, {"b.md", "new"}}, fields: map[string]string{"address": "https://a.example"}}, http.StatusBadRequest, "An address belongs to one file; 2 were chosen."},
		"too large":           {upload{files: [][2]string{{"a.md", strings.Repeat("x", 2<<20+1)}}}, http.StatusRequestEntityTooLarge, "That is more than the 1 MB that may be sent at once."},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, tk := uploads(t)
			resp, page := s.upload(t, s.browser(t), c.upload)
			require.Equal(t, c.status, resp.StatusCode)
			require.Contains(t, words(page), c.want)
			require.Empty(t, tk.reqs)
		})
	}
}

func TestUploadOfAFileLargerThanTheLimit(t *testing.T) {
	t.Parallel()
	s, tk := uploads(t)
	resp, page := s.upload(t, s.browser(t), upload{files: [][2]string{{"big.md", strings.Repeat("x", 1<<20+1)}, {"a.md", "new"}}})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Contains(t, words(page), "Not taken big.md The file is larger than 1 MB.")
	require.Len(t, tk.reqs, 1)
}

func TestUploadWithoutALengthIsLimitedToo(t *testing.T) {
	t.Parallel()
	s, _ := uploads(t)
	c := s.browser(t)
	_, form := s.open(t, c, "/upload")
	head := "--b\r\nContent-Disposition: form-data; name=\"_csrf\"\r\n\r\n" + attr(all(form, "input")[0], "value") +
		"\r\n--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.md\"\r\n\r\n"
	body := strings.NewReader(head + strings.Repeat("x", 3<<20))
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/upload", struct{ *strings.Reader }{body})
	require.NoError(t, err)
	r.ContentLength = -1
	r.Header.Set("Content-Type", "multipart/form-data; boundary=b")
	resp, page := do(t, c, r)
	require.Equal(t, http.StatusRequestEntityTooLarge, resp.StatusCode)
	require.Contains(t, words(page), "That is more than the 1 MB that may be sent at once.")
}

func TestUploadOfAnArchive(t *testing.T) {
	t.Parallel()
	s, tk := uploads(t)
	_, page := s.upload(t, s.browser(t), upload{files: [][2]string{{"a.zip", "good"}, {"b.md", "new"}, {"c.ZIP", "bad"}}})
	result := one(t, page, "section", "results")
	require.Equal(t, []string{
		"Created One a.zip/one.md 0 units, 0 procedures",
		"Not taken a.zip/two.pdf “two.pdf” has no text.",
		"Created T of b.md b.md Runbook It has a procedure. 12 units, 1 procedure",
		"Not taken c.ZIP “a.zip” cannot be opened.",
	}, texts(all(result, "li")))
	require.Contains(t, words(result), "3 files were left out.")
	require.Equal(t, "a.zip", tk.reqs[0].SourceURI)

	_, page = s.upload(t, s.browser(t), upload{files: [][2]string{{"a.zip", "good"}}, fields: map[string]string{"address": "https://a.example"}})
	require.Contains(t, words(page), "An address belongs to one document; an archive holds several.")
	require.Len(t, tk.reqs, 3)
}
