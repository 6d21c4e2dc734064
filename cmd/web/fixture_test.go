package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/db"
	"passage/db/dbtest"
)

// empty makes a database of the test's own and the environment that names it.
func empty(t *testing.T) []string {
	t.Helper()
	dsn := dbtest.DSN(t, dbtest.Template{Migrate: db.Migrate})
	return []string{"DATABASE_URL=" + dsn, "PASSAGE_DATA=" + t.TempDir(), "PASSAGE_ADDR=127.0.0.1:0", "PASSAGE_LOG_LEVEL=WARN"}
}

// output collects what a command prints; it may be read while it runs.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// web runs a command to its end and gives what it printed.
func web(t *testing.T, environ []string, args ...string) (string, error) {
	t.Helper()
	var out, log output
	err := run(t.Context(), args, environ, &out, &log)
	if log.String() != "" {
		t.Log(log.String())
	}
	return out.String(), err
}

// must runs a command that has to work.
func must(t *testing.T, environ []string, args ...string) string {
	t.Helper()
	out, err := web(t, environ, args...)
	require.NoError(t, err, out)
	return out
}

// site is a running server and a browser without scripts.
type site struct {
	t      *testing.T
	url    string
	client *http.Client
	stop   func() error // stops the server and gives what it returned
}

// serveExamples starts the server on an empty database with the examples.
func serveExamples(t *testing.T, environ []string) *site {
	t.Helper()
	environ = append(environ, "PASSAGE_EXAMPLES="+filepath.Join("..", "..", "examples"))
	ctx, cancel := context.WithCancel(context.Background())
	ready, ended := make(chan string, 1), make(chan error, 1)
	var log output
	p := &program{stdout: io.Discard, stderr: &log, onReady: func(addr string) { ready <- addr }}
	go func() { ended <- start(ctx, []string{"serve"}, environ, p) }()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	s := &site{t: t, client: &http.Client{Jar: jar, Timeout: time.Minute}}
	s.stop = sync.OnceValue(func() error { cancel(); return <-ended })
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Errorf("the server did not stop cleanly: %v", err)
		}
		if t.Failed() {
			t.Log(log.String())
		}
	})
	select {
	case addr := <-ready:
		s.url = "http://" + addr
	case err := <-ended:
		ended <- err
		require.NoError(t, err, log.String())
	}
	return s
}

// page is a parsed answer of the server.
type page struct {
	status int
	url    *url.URL
	root   *html.Node
	header http.Header
}

func (s *site) get(path string) page {
	s.t.Helper()
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, http.NoBody)
	require.NoError(s.t, err)
	return s.do(req)
}

func (s *site) do(req *http.Request) page {
	s.t.Helper()
	res, err := s.client.Do(req)
	require.NoError(s.t, err)
	defer res.Body.Close()
	root, err := html.Parse(res.Body)
	require.NoError(s.t, err)
	return page{status: res.StatusCode, url: res.Request.URL, root: root, header: res.Header}
}

// submit posts the form of the page that goes to action, as a browser without
// scripts would: with its hidden fields.
func (s *site) submit(from page, action string, fields url.Values) page {
	s.t.Helper()
	form := from.find("form", func(n *html.Node) bool { return attr(n, "action") == action })
	require.NotNil(s.t, form, "no form goes to %s", action)
	for n := range form.Descendants() {
		if n.Data == "input" && attr(n, "type") == "hidden" {
			fields.Set(attr(n, "name"), attr(n, "value"))
		}
	}
	req, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+action, strings.NewReader(fields.Encode()))
	require.NoError(s.t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return s.do(req)
}

// find gives the first element of the tag that the function accepts, or nil.
func (p page) find(tag string, is func(*html.Node) bool) *html.Node {
	for n := range p.root.Descendants() {
		if n.Type == html.ElementNode && n.Data == tag && is(n) {
			return n
		}
	}
	return nil
}

func (p page) text() string { return text(p.root) }

// text joins the words below a node by single spaces.
func text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// exampleQuestion is one of the questions beside the examples.
type exampleQuestion struct {
	Question   string `json:"question"`
	Doc        string `json:"doc"`
	NSteps     int    `json:"n_steps"`
	MiddleStep int    `json:"middle_step"`
	FirstStep  string `json:"first_step"`
	LastStep   string `json:"last_step"`
}

func exampleQuestions(t *testing.T) []exampleQuestion {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "examples", "questions.json"))
	require.NoError(t, err)
	var list []exampleQuestion
	require.NoError(t, json.Unmarshal(data, &list))
	return list
}
