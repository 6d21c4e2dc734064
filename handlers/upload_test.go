package handlers_test

import (
	"archive/zip"
	"bytes"
	"mime/multipart"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/rag"
)

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

func uploads(t *testing.T) (*site, *jobbook) {
	t.Helper()
	b := &jobbook{}
	return newSite(t, finished(t), func(c *handlers.Config, _ *site) { c.Queue, c.MaxUpload = b, 1<<20 }), b
}

func TestUploadQueuesEachFile(t *testing.T) {
	t.Parallel()
	s, b := uploads(t)
	resp, page := s.upload(t, s.browser(t), upload{
		files:  [][2]string{{"a.md", "new"}, {`C:\docs\b.md`, "changed"}, {"ops/kafka/c.md", "in a folder"}, {"../../etc/<d>.md", "above"}},
		fields: map[string]string{"doc_type": "runbook"},
	})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Equal(t, "/jobs", resp.URL.Path)
	require.Equal(t, "from=1&to=4", resp.URL.RawQuery)
	require.Contains(t, words(page), "0 of 4 files finished")
	require.Equal(t, rag.NewJob{SpaceID: s.store.spaces[0].ID, SourceURI: "b.md", Name: "b.md", Data: []byte("changed"), DocType: "runbook"}, b.files[1])
	require.Equal(t, "ops/kafka/c.md", b.files[2].SourceURI)
	require.Equal(t, "c.md", b.files[2].Name)
	require.Equal(t, "etc/<d>.md", b.files[3].SourceURI, "no name leads out of the space")
}

func TestUploadWithTheAddressOfItsSource(t *testing.T) {
	t.Parallel()
	s, b := uploads(t)
	s.upload(t, s.browser(t), upload{files: [][2]string{{"a.md", "new"}}, fields: map[string]string{"address": " https://wiki.example/a ", "space": "New space"}})
	require.Equal(t, "https://wiki.example/a", b.files[0].SourceURI)
	require.Equal(t, "a.md", b.files[0].Name)
	require.Equal(t, "New space", s.store.spaces[1].Name)
	require.Equal(t, s.store.spaces[1].ID, b.files[0].SpaceID)
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
			s, b := uploads(t)
			resp, page := s.upload(t, s.browser(t), c.upload)
			require.Equal(t, c.status, resp.StatusCode)
			require.Contains(t, words(page), c.want)
			require.Empty(t, b.files)
		})
	}
}

func TestUploadOfAFileLargerThanTheLimit(t *testing.T) {
	t.Parallel()
	s, b := uploads(t)
	resp, page := s.upload(t, s.browser(t), upload{files: [][2]string{{"big.md", strings.Repeat("x", 1<<20+1)}, {"a.md", "new"}}})
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Contains(t, words(page), "big.md was not taken: The file is larger than 1 MB.")
	require.Contains(t, words(page), "0 of 1 file finished")
	require.Len(t, b.files, 1)
}

// T53: what cannot be stored is said at once.
func TestUploadThatCannotBeStored(t *testing.T) {
	t.Parallel()
	s, b := uploads(t)
	b.err = rag.Errorf(rag.CodeUnavailable, "The database cannot be reached.")
	_, page := s.upload(t, s.browser(t), upload{files: [][2]string{{"a.md", "new"}}})
	require.Contains(t, words(page), "a.md was not taken: The database cannot be reached.")
	require.NotEmpty(t, all(page, "form"), "the form is there to try again")
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
	s, b := uploads(t)
	var zipped bytes.Buffer
	z := zip.NewWriter(&zipped)
	for name, content := range map[string]string{"one.md": "# One", "sub/two.md": "# Two", "picture.png": "x"} {
		w, err := z.Create(name)
		require.NoError(t, err)
		_, err = w.Write([]byte(content))
		require.NoError(t, err)
	}
	require.NoError(t, z.Close())
	_, page := s.upload(t, s.browser(t), upload{files: [][2]string{{"a.zip", zipped.String()}, {"b.md", "new"}, {"c.ZIP", "bad"}}})
	uris := map[string]string{}
	for _, f := range b.files {
		uris[f.SourceURI] = string(f.Data)
	}
	require.Equal(t, map[string]string{"a.zip/one.md": "# One", "a.zip/sub/two.md": "# Two", "b.md": "new"}, uris)
	require.Contains(t, words(page), "c.ZIP was not taken:")
	require.Contains(t, words(page), "left out (.png)")

	_, page = s.upload(t, s.browser(t), upload{files: [][2]string{{"a.zip", zipped.String()}}, fields: map[string]string{"address": "https://a.example"}})
	require.Contains(t, words(page), "An address belongs to one document; an archive holds several.")
	require.Len(t, b.files, 3)
}
