package handlers_test

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/cookiejar"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"passage/handlers"
	"passage/rag"
	"passage/rag/answer"
)

const brokerText = `---
title: Rotate the broker certificates
owner: platform
---
# Rotate the broker certificates

The brokers speak TLS to each other. Their certificates end after 90 days.

## Before you begin

You need the role **kafka-admin** and access to ` + "`vault.example`" + `.

## Rotate

> Never rotate two brokers at once.

1. Check that the cluster is healthy. No partition may be under-replicated.
2. Drain the broker:
   - move the leaders away
   - wait until <host> has none
3. Replace the certificate.

   ` + "```sh" + `
   vault read pki/issue/broker > /etc/kafka/tls/broker.pem
   systemctl reload kafka-broker --no-block
   ` + "```" + `
4. Restart the broker and wait for 2 minutes.
5. Check the certificate's date.
6. Give the leaders back.

## Ports

| Broker | Port | Zone |
|--------|-----:|------|
| b-1    | 9092 | north |
| b-2    | 9093 | south |
| b-3    | 9094 | west |
`

const wikiText = "# Order pipeline\n\nOrders pass three queues. Each queue keeps 7 days.\n"

var day = time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)

// site is a running program on fakes.
type site struct {
	*httptest.Server
	store  *memory
	desk   *desk
	addr   string // "" for any free port
	broker rag.Document
	wiki   rag.Document
}

// options change the configuration of a site.
type option func(*handlers.Config, *site)

// at makes the site listen on an address of the caller's choice.
func at(addr string) option {
	return func(_ *handlers.Config, s *site) { s.addr = addr }
}

func scope(echo.Context) rag.Scope { return rag.Scope{User: "local", All: true} }

// newSite starts a program whose answers follow a script.
func newSite(t *testing.T, script func(ctx context.Context, s *site, question string, say func(answer.Snapshot)), options ...option) *site {
	t.Helper()
	s := &site{store: newMemory()}
	s.broker = s.store.put("Platform", "runbooks/kafka/rotate.md", "runbook", "Rotate the broker certificates", brokerText, day)
	s.wiki = s.store.put("Platform", "https://wiki.example/orders?x=1", "design_doc", "Order pipeline", wikiText, day.AddDate(0, -2, 0))
	s.desk = newDesk(s.store, func(ctx context.Context, q string, say func(answer.Snapshot)) { script(ctx, s, q, say) })
	cfg := handlers.Config{
		Log:   slog.New(slog.DiscardHandler),
		Store: s.store, Desk: s.desk, ScopeOf: scope,
		Queue:       &jobbook{},
		Suggestions: []string{"How do I rotate the broker certificates?", "How long do queues keep orders?"},
		StreamGap:   time.Millisecond,
		Now:         func() time.Time { return day.AddDate(0, 1, 0) },
	}
	for _, o := range options {
		o(&cfg, s)
	}
	ctx, cancel := context.WithCancel(context.Background())
	s.Server = httptest.NewUnstartedServer(handlers.New(cfg))
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	if s.addr != "" {
		l, err := new(net.ListenConfig).Listen(ctx, "tcp", s.addr)
		require.NoError(t, err)
		require.NoError(t, s.Listener.Close())
		s.Listener = l
	}
	s.Start()
	t.Cleanup(func() {
		cancel() // ends the streams that are open
		s.Close()
		s.desk.end()
	})
	return s
}

// finished is a script that answers at once.
func finished(t *testing.T) func(context.Context, *site, string, func(answer.Snapshot)) {
	t.Helper()
	return func(_ context.Context, s *site, _ string, say func(answer.Snapshot)) {
		say(answer.Snapshot{Stage: answer.StageReady, Message: s.answered(t)})
	}
}

// answered is a whole answer about the runbook.
func (s *site) answered(t *testing.T) rag.Message {
	t.Helper()
	first := s.store.cite(t, 1, s.broker, "## Rotate", "6. Give the leaders back.", "Restart the broker and wait for 2 minutes.")
	first.Path = []string{"Rotate the broker certificates", "Rotate"}
	first.Parts = []rag.Part{{From: 1, To: 6, N: 6, Span: first.Span}}
	second := s.store.cite(t, 2, s.wiki, "Orders pass", "7 days.", "Each queue keeps 7 days.")
	third := s.store.cite(t, 3, s.broker, "| b-2", "| b-3    | 9094 | west |", "| b-3    | 9094 | west |")
	third.Used = false
	return rag.Message{
		State: rag.AnswerDone, Model: "test-model",
		Text:      "Rotate one broker at a time [1].\n\n1. Check the cluster.\n2. Drain the broker.\n\nQueues keep 7 days [2]. Nothing says more [9].",
		Citations: []rag.Citation{first, second, third},
	}
}

// browser is a client without scripts: it keeps cookies and follows redirects.
func (s *site) browser(t *testing.T) *http.Client {
	t.Helper()
	jar, err := cookiejar.New(nil)
	require.NoError(t, err)
	return &http.Client{Jar: jar, Timeout: 20 * time.Second}
}

// reply is what a browser knows of a response beside its page.
type reply struct {
	StatusCode int
	Header     http.Header
	URL        *url.URL // after redirects
	Cookies    []*http.Cookie
}

func (s *site) open(t *testing.T, c *http.Client, path string) (reply, *html.Node) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+path, nil)
	require.NoError(t, err)
	return do(t, c, r)
}

// submit sends a form of a page, as it stands there, with other values filled in.
func (s *site) submit(t *testing.T, c *http.Client, page *html.Node, action string, values url.Values, headers ...string) (reply, *html.Node) {
	t.Helper()
	form := url.Values{}
	found := false
	for _, f := range all(page, "form") {
		if attr(f, "action") != action || found {
			continue
		}
		found = true
		for _, i := range all(f, "input") {
			if attr(i, "type") == "hidden" {
				form.Set(attr(i, "name"), attr(i, "value"))
			}
		}
	}
	require.True(t, found, "the page has a form for %s", action)
	for k, v := range values {
		form[k] = v
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+action, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	return do(t, c, r)
}

func do(t *testing.T, c *http.Client, r *http.Request) (reply, *html.Node) {
	t.Helper()
	resp, err := c.Do(r)
	require.NoError(t, err)
	body, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	doc, err := html.Parse(strings.NewReader(string(body)))
	require.NoError(t, err)
	return reply{StatusCode: resp.StatusCode, Header: resp.Header, URL: resp.Request.URL, Cookies: resp.Cookies()}, doc
}

// all gives the elements with the tag ("" for any) and the class, if one is
// named, in order.
func all(n *html.Node, tag string, class ...string) []*html.Node {
	var found []*html.Node
	for d := range n.Descendants() {
		if d.Type != html.ElementNode || (tag != "" && d.Data != tag) {
			continue
		}
		if len(class) > 0 && !strings.Contains(" "+attr(d, "class")+" ", " "+class[0]+" ") {
			continue
		}
		found = append(found, d)
	}
	return found
}

func one(t *testing.T, n *html.Node, tag string, class ...string) *html.Node {
	t.Helper()
	found := all(n, tag, class...)
	require.Len(t, found, 1, "%s %v", tag, class)
	return found[0]
}

func byID(t *testing.T, n *html.Node, id string) *html.Node {
	t.Helper()
	for _, e := range all(n, "") {
		if attr(e, "id") == id {
			return e
		}
	}
	require.Fail(t, "no element", "id %q", id)
	return nil
}

func attr(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func words(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data + " ")
		}
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

func texts(nodes []*html.Node) []string {
	out := make([]string, 0, len(nodes))
	for _, n := range nodes {
		out = append(out, words(n))
	}
	return out
}

func itoa(id int64) string { return strconv.FormatInt(id, 10) }

// text is the markup of a node, as it is.
func text(t *testing.T, n *html.Node) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, html.Render(&b, n))
	return b.String()
}

// selected is the chosen option of a select element, "" for the first.
func selected(page *html.Node, id string) string {
	for _, sel := range all(page, "select") {
		if attr(sel, "id") != id {
			continue
		}
		for _, o := range all(sel, "option") {
			for _, a := range o.Attr {
				if a.Key == "selected" {
					return words(o)
				}
			}
		}
	}
	return ""
}
