package handlers_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/labstack/echo/v4"
	"github.com/stretchr/testify/require"

	"passage/handlers"
	"passage/rag"
	"passage/rag/answer"
)

func TestHeadersOfEveryPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	for _, path := range []string{"/", "/documents", fmt.Sprintf("/documents/%d", s.broker.ID), "/upload", "/nowhere", "/documents/999"} {
		resp, page := s.open(t, c, path)
		h := resp.Header
		require.Equal(t, "default-src 'self'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; connect-src 'self'; "+
			"object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'", h.Get("Content-Security-Policy"), path)
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"))
		require.Equal(t, "same-origin", h.Get("Referrer-Policy"))
		require.Equal(t, "private, no-cache", h.Get("Cache-Control"))
		for _, e := range all(page, "") {
			require.NotEqual(t, "style", e.Data)
			if e.Data == "script" {
				require.Nil(t, e.FirstChild, "no script stands in a page")
			}
			for _, a := range e.Attr {
				require.NotEqual(t, "style", a.Key, path)
				require.False(t, strings.HasPrefix(a.Key, "on") || strings.HasPrefix(a.Key, "hx-on"), "%s has %s", path, a.Key)
			}
		}
	}
}

// Forms of other sites are refused, with and without what browsers say about
// where a request comes from.
func TestForeignFormsAreRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	token := attr(all(start, "input")[0], "value")
	cases := map[string]struct {
		site, token string
		status      int
	}{
		"own page, browser says so":     {"same-origin", "", http.StatusOK},
		"other site":                    {"cross-site", token, http.StatusForbidden},
		"sister site without token":     {"same-site", "", http.StatusForbidden},
		"old browser, right token":      {"", token, http.StatusOK},
		"old browser, wrong token":      {"", strings.Repeat("x", 32), http.StatusForbidden},
		"old browser, no token":         {"", "", http.StatusForbidden},
		"dummy token of newer browsers": {"", "_echo_csrf_using_sec_fetch_site_", http.StatusForbidden},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			form := url.Values{"question": {"How?"}, "_csrf": {tt.token}}
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/chats", strings.NewReader(form.Encode()))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
			if tt.site != "" {
				r.Header.Set("Sec-Fetch-Site", tt.site)
			}
			resp, page := do(t, c, r)
			require.Equal(t, tt.status, resp.StatusCode)
			if tt.status == http.StatusForbidden {
				require.Equal(t, "Not allowed", words(one(t, page, "h1")))
			}
		})
	}
}

// Each form that posts carries the token.
func TestEveryFormCarriesItsToken(t *testing.T) {
	t.Parallel()
	s := newSite(t, func(_ context.Context, _ *site, _ string, say func(answer.Snapshot)) {
		say(answer.Snapshot{Stage: answer.StageReady, Message: rag.Message{State: rag.AnswerBroken, Text: "x"}})
	})
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, _ := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	for _, path := range []string{"/", "/upload", resp.URL.Path, fmt.Sprintf("/documents/%d/delete", s.broker.ID)} {
		_, page := s.open(t, c, path)
		n := 0
		for _, f := range all(page, "form") {
			if attr(f, "method") != "post" {
				continue
			}
			n++
			first := all(f, "input")[0]
			require.Equal(t, "_csrf", attr(first, "name"), path)
			require.NotEmpty(t, attr(first, "value"), path)
		}
		require.Positive(t, n, path)
	}
}

func TestFaultsBecomePages(t *testing.T) {
	t.Parallel()
	cases := map[string]struct {
		err    error
		status int
		want   string
	}{
		"invalid":      {rag.Errorf(rag.CodeInvalid, "Do it like this."), 400, "Do it like this."},
		"not found":    {rag.Errorf(rag.CodeNotFound, "It is gone."), 404, "It is gone."},
		"conflict":     {rag.Errorf(rag.CodeConflict, "It changed."), 409, "It changed."},
		"too large":    {rag.Errorf(rag.CodeTooLarge, "Too much."), 413, "Too much."},
		"rate limited": {rag.Errorf(rag.CodeRateLimited, "Later."), 429, "Later."},
		"unavailable":  {rag.WithCause(errors.New("dial tcp 10.0.0.7"), rag.CodeUnavailable, "The database cannot be reached."), 503, "Something that this page needs cannot be reached just now."},
		"internal":     {rag.WithCause(errors.New("secret"), rag.CodeInternal, "secret message"), 500, "Something went wrong here."},
		"no code":      {errors.New("pgx: secret at 10.0.0.7"), 500, "Something went wrong here."},
		"wrapped":      {fmt.Errorf("reading chat 5: %w", rag.Errorf(rag.CodeConflict, "It changed.")), 409, "It changed."},
	}
	for name, tt := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var log bytes.Buffer
			s := newSite(t, finished(t), func(c *handlers.Config, s *site) {
				s.store.fault = tt.err
				c.Log = slog.New(slog.NewTextHandler(&log, nil))
			})
			resp, page := s.open(t, s.browser(t), "/documents?q=wordsofmine")
			require.Equal(t, tt.status, resp.StatusCode)
			require.Contains(t, words(page), tt.want)
			require.NotContains(t, words(page), "secret")
			require.NotContains(t, words(page), "10.0.0.7")
			require.Equal(t, "Ask Documents Upload Jobs Evaluation Search lab", words(one(t, page, "nav")), "the way on is there")
			s.Close() // the log is complete
			require.Equal(t, tt.status >= 500, strings.Contains(log.String(), "request ended in a fault"))
			require.Contains(t, log.String(), resp.Header.Get("X-Request-ID"))
			require.NotContains(t, log.String(), "wordsofmine", "what people search for stays out of the log")
		})
	}
}

func TestNoSuchPage(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t))
	c := s.browser(t)
	for _, path := range []string{"/nowhere", "/chats/abc", "/chats/0", "/chats/99", "/documents/-1", "/documents/99999999999999999999", "/documents/999/delete", "/static/none.js"} {
		resp, page := s.open(t, c, path)
		require.Equal(t, http.StatusNotFound, resp.StatusCode, path)
		if !strings.HasPrefix(path, "/static") {
			require.Equal(t, "Not found", words(one(t, page, "h1")), path)
		}
	}
}

// A panic in a handler is a page and a line in the log, with its stack.
func TestPanicBecomesAPage(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := newSite(t, finished(t), func(c *handlers.Config, _ *site) {
		c.ScopeOf = func(echo.Context) rag.Scope { panic("no scope") }
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	resp, page := s.open(t, s.browser(t), "/")
	require.Equal(t, http.StatusInternalServerError, resp.StatusCode)
	require.Contains(t, words(page), "Something went wrong here.")
	s.Close()
	require.Contains(t, log.String(), "no scope")
	require.Contains(t, log.String(), "safety_test.go")
}

// T74: what belongs to others does not exist, by whatever address.
func TestTwoPeopleSeeTheirOwnOnly(t *testing.T) {
	t.Parallel()
	s := newSite(t, finished(t), func(c *handlers.Config, _ *site) {
		c.ScopeOf = func(c echo.Context) rag.Scope {
			if c.Request().Header.Get("X-Who") == "bob" {
				return rag.Scope{User: "bob"}
			}
			return rag.Scope{User: "local", All: true}
		}
	})
	c := s.browser(t)
	_, start := s.open(t, c, "/")
	resp, page := s.submit(t, c, start, "/chats", url.Values{"question": {"How?"}})
	chat, id := resp.URL.Path, strings.TrimPrefix(resp.URL.Fragment, "m-")
	doc := fmt.Sprintf("/documents/%d", s.broker.ID)
	token := attr(all(page, "input")[0], "value")

	for _, try := range []struct{ method, path string }{
		{"GET", chat},
		{"POST", chat + "/messages"},
		{"GET", "/answers/" + id + "/stream"},
		{"POST", "/answers/" + id + "/stop"},
		{"POST", "/answers/" + id + "/again"},
		{"GET", doc},
		{"GET", doc + "/delete"},
		{"POST", doc + "/delete"},
		{"GET", fmt.Sprintf("%s?v=%d", doc, s.broker.VersionID)},
	} {
		form := url.Values{"_csrf": {token}, "question": {"x"}}
		r, err := http.NewRequestWithContext(t.Context(), try.method, s.URL+try.path, strings.NewReader(form.Encode()))
		require.NoError(t, err)
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		r.Header.Set("X-Who", "bob")
		resp, page := do(t, c, r)
		require.Equal(t, http.StatusNotFound, resp.StatusCode, "%s %s", try.method, try.path)
		require.NotContains(t, words(page), "broker")
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.URL+"/documents", nil)
	require.NoError(t, err)
	r.Header.Set("X-Who", "bob")
	_, page = do(t, c, r)
	require.Contains(t, words(page), "There are no documents yet.")
}

func TestHealth(t *testing.T) {
	t.Parallel()
	down := errors.New("no database")
	s := newSite(t, finished(t), func(c *handlers.Config, _ *site) { c.Ready = func(context.Context) error { return down } })
	resp, _ := s.open(t, s.browser(t), "/healthz")
	require.Equal(t, http.StatusOK, resp.StatusCode)
	require.Empty(t, resp.Cookies)
	resp, page := s.open(t, s.browser(t), "/readyz")
	require.Equal(t, http.StatusServiceUnavailable, resp.StatusCode)
	require.NotContains(t, words(page), "database")

	up := newSite(t, finished(t))
	resp, _ = up.open(t, up.browser(t), "/readyz")
	require.Equal(t, http.StatusOK, resp.StatusCode)
}
