package static_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/static"
)

func get(t *testing.T, path, encoding string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, path, nil)
	r.Header.Set("Accept-Encoding", encoding)
	w := httptest.NewRecorder()
	static.Handler().ServeHTTP(w, r)
	return w
}

func TestFilesAreKeptByTheirContent(t *testing.T) {
	t.Parallel()
	want, err := os.ReadFile("app.css")
	require.NoError(t, err)

	plain := get(t, static.URL("app.css"), "")
	body, err := io.ReadAll(plain.Body)
	require.NoError(t, err)
	require.Equal(t, string(want), string(body))
	require.Equal(t, "text/css; charset=utf-8", plain.Header().Get("Content-Type"))
	require.Equal(t, "public, max-age=31536000, immutable", plain.Header().Get("Cache-Control"))

	zipped := get(t, static.URL("app.css"), "br, gzip")
	require.Equal(t, "gzip", zipped.Header().Get("Content-Encoding"))
	r, err := gzip.NewReader(zipped.Body)
	require.NoError(t, err)
	body, err = io.ReadAll(r)
	require.NoError(t, err)
	require.Equal(t, string(want), string(body))

	old := get(t, static.Prefix+"0000000000000000/app.css", "")
	require.Equal(t, http.StatusOK, old.Code)
	require.Equal(t, "no-cache", old.Header().Get("Cache-Control"))
}

func TestNothingElseIsServed(t *testing.T) {
	t.Parallel()
	for _, path := range []string{"/static/", "/static/x", "/static/x/static.go", "/static/x/../static.go", "/static/x/vendor/README.md"} {
		require.Equal(t, http.StatusNotFound, get(t, path, "").Code, path)
	}
	require.Panics(t, func() { static.URL("none.css") })
}

func TestVendoredFilesAreAsPublished(t *testing.T) {
	t.Parallel()
	sums, err := os.ReadFile("vendor/SHA256SUMS")
	require.NoError(t, err)
	n := 0
	for s := bufio.NewScanner(bytes.NewReader(sums)); s.Scan(); n++ {
		want, name, ok := strings.Cut(s.Text(), "  ")
		require.True(t, ok, s.Text())
		body, err := os.ReadFile("vendor/" + name)
		require.NoError(t, err)
		got := sha256.Sum256(body)
		require.Equal(t, want, hex.EncodeToString(got[:]), name)
	}
	require.Equal(t, 2, n)
}
