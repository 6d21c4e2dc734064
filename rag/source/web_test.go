package source_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/source"
)

func web(h *host, dir string, urls ...string) (source.Config, source.Options) {
	return source.Config{Kind: source.KindWeb, URLs: urls}, source.Options{Dir: dir, Guard: h.guard}
}

// Pages are followed over their life. T43: a page that was deleted is gone after
// the sync; one whose server has a fault is not.
func TestWebLife(t *testing.T) {
	t.Parallel()
	var text atomic.Value
	var status, sent atomic.Int64
	text.Store("<h1>One</h1>")
	h := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case status.Load() > 0:
			w.WriteHeader(int(status.Load()))
		case r.URL.Path == "/b.md":
			w.Header().Set("Content-Type", "text/plain; charset=utf-8")
			http.ServeContent(w, r, "", old, strings.NewReader("# B\n"))
		default:
			body := text.Load().(string)
			w.Header().Set("ETag", strconv.Quote(body))
			w.Header().Set("Content-Type", "text/html")
			if r.Header.Get("If-None-Match") == strconv.Quote(body) {
				w.WriteHeader(http.StatusNotModified)
				return
			}
			sent.Add(1)
			_, _ = w.Write([]byte(body))
		}
	}))
	dir := t.TempDir()
	cfg, opts := web(h, dir, "http://Wiki.example:80/page?id=1#top", "http://docs.example/b.md")
	l, read := mustLook(t, cfg, opts)
	require.Equal(t, map[string]string{"http://docs.example/b.md": "# B\n", "http://wiki.example/page?id=1": "<h1>One</h1>"}, read)
	require.True(t, l.Complete)
	require.Equal(t, "b.md", l.Items[0].Name)
	require.Equal(t, "page.html", l.Items[1].Name)
	require.Equal(t, "http://wiki.example/page?id=1", l.Items[1].Link)
	require.Equal(t, 2026, l.Items[0].Modified.Year())
	known := knows(l)

	l, again := mustLook(t, cfg, opts, known...)
	require.Equal(t, read, again)
	require.EqualValues(t, 1, sent.Load(), "a page that has not changed is not sent again")
	require.True(t, source.MakePlan(known, l, source.Limits{}).Empty())

	kept, err := filepath.Glob(filepath.Join(dir, "web", "*"))
	require.NoError(t, err)
	require.Len(t, kept, 4)
	for _, p := range kept {
		require.NoError(t, os.WriteFile(p, []byte("{}"), 0o600))
	}
	_, again = mustLook(t, cfg, opts, known...)
	require.Equal(t, read, again, "what was kept and is broken is asked for again")

	text.Store("<h1>Two</h1>")
	l, _ = mustLook(t, cfg, opts, known...)
	require.Equal(t, "=http://docs.example/b.md ~http://wiki.example/page?id=1", short(source.MakePlan(known, l, source.Limits{})))

	for code, want := range map[int64]string{
		500: "?", 503: "?", 429: "?", 401: "?", 403: "?", 400: "?", 204: "?", 404: "-", 410: "-",
	} {
		status.Store(code)
		l, _ = mustLook(t, cfg, opts, known...)
		require.Equal(t, want+known[0].URI+" "+want+known[1].URI, short(source.MakePlan(known, l, source.Limits{})), "%d", code)
		require.Len(t, l.Problems, 2, "%d", code)
	}
	status.Store(0)
	cfg.URLs = cfg.URLs[:1]
	l, _ = mustLook(t, cfg, opts, known...)
	require.Len(t, l.Items, 1)
	kept, err = filepath.Glob(filepath.Join(dir, "web", "*"))
	require.NoError(t, err)
	require.Len(t, kept, 2, "what is no longer named is not kept")
}

func TestWebRefusals(t *testing.T) {
	t.Parallel()
	h := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if to := r.URL.Query().Get("to"); to != "" {
			w.Header().Set("Location", to)
			w.WriteHeader(http.StatusFound)
			return
		}
		w.Header().Set("Content-Type", r.URL.Query().Get("type"))
		switch r.URL.Path {
		case "/huge":
			chunk := bytes.Repeat([]byte("x"), 1<<20)
			for range 12 {
				_, _ = w.Write(chunk)
			}
		case "/cut":
			w.Header().Set("Content-Length", "100")
			_, _ = w.Write([]byte("half"))
		case "/loop":
			http.Redirect(w, r, "/loop", http.StatusFound)
		default:
			_, _ = w.Write([]byte("secret"))
		}
	}))
	for _, c := range []struct{ url, says string }{
		{"http://private.example/", "not public"},
		{"http://127.0.0.1/", "not public"},
		{"http://10.0.0.1/", "not public"},
		{"http://[::1]/", "not public"},
		{"http://[::ffff:169.254.169.254]/latest/meta-data/", "not public"},
		{"http://wiki.example/?to=http://127.0.0.1/", "not among those that may be asked"},
		{"http://wiki.example/?to=http://private.wiki.example/", "not among those that may be asked"},
		{"http://wiki.example/?to=http://other.example/", "not among those that may be asked"},
		{"http://wiki.example/?to=//2130706433/", "names no host"},
		{"http://wiki.example/?to=http://0x7f.1/", "names no host"},
		{"http://wiki.example/?to=http://wiki.example@127.0.0.1/", "no user"},
		{"http://wiki.example/?to=http://wiki.example:5432/", "not among those that may be asked"},
		{"http://wiki.example/?to=file:///etc/passwd", "http:// or https://"},
		{"http://wiki.example/?to=gopher://127.0.0.1:6379/_x", "http:// or https://"},
		{"http://wiki.example/loop", "from one address to the next"},
		{"http://wiki.example/huge?type=text/plain", "more than 10 MB"},
		{"http://wiki.example/cut?type=text/plain", "cannot be reached"},
		{"http://wiki.example/x?type=image/png", "a kind that is not read (image/png)"},
		{"http://wiki.example/x?type=application/octet-stream", "a kind that is not read"},
	} {
		t.Run(c.url, func(t *testing.T) {
			t.Parallel()
			cfg, opts := web(h, t.TempDir(), c.url, "http://good.example/a.txt?type=text/plain")
			l, read := mustLook(t, cfg, opts)
			require.Equal(t, map[string]string{"http://good.example/a.txt?type=text/plain": "secret"}, read, "one page holds up no other")
			require.Len(t, l.Problems, 1)
			require.Contains(t, l.Problems[0].Message, c.says)
			require.False(t, l.Problems[0].Gone)
		})
	}
}

// A name that is allowed, and to which a redirect leads, may still have a
// private address: the address decides.
func TestWebRedirectToAnAllowedPrivateHost(t *testing.T) {
	t.Parallel()
	asked := atomic.Int64{}
	h := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.Host, "private") {
			asked.Add(1)
			w.Header().Set("Content-Type", "text/html")
			_, _ = w.Write([]byte("inside"))
			return
		}
		http.Redirect(w, r, "http://private.example/x", http.StatusMovedPermanently)
	}))
	cfg, opts := web(h, t.TempDir(), "http://wiki.example/")
	cfg.Hosts = []string{"*.example"}
	l, _ := mustLook(t, cfg, opts)
	require.Contains(t, told(l), "not public")
	require.Zero(t, asked.Load())

	opts.Guard.Private = []string{"private.example"} // the operator says otherwise
	l, read := mustLook(t, cfg, opts)
	require.Equal(t, map[string]string{"http://wiki.example/": "inside"}, read)
	require.Equal(t, "x.html", l.Items[0].Name)
}

func TestWebNeedsAFolder(t *testing.T) {
	t.Parallel()
	_, err := source.New(source.Config{Kind: source.KindWeb, URLs: []string{"https://a.example/"}}, source.Options{})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
}
