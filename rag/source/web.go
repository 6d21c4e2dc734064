package source

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/natefinch/atomic"
	"golang.org/x/sync/errgroup"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/outbound"
	"passage/rag/source/guard"
)

// Limits of the fetching of pages.
const (
	maxPage      = 10 << 20 // bytes of one page
	maxRedirects = 5
	pageTime     = time.Minute
	pagesAtOnce  = 4
)

// allowed is one host that may be asked.
type allowed struct {
	host string
	all  bool   // all hosts below it, too
	port string // "" for those of http and https
}

type allowedHosts []allowed

// parseAllowed reads "host", "host:8443", "*.host". Errors: CodeInvalid.
func parseAllowed(raw string) (allowed, error) {
	h, all := strings.CutPrefix(strings.TrimSpace(raw), "*.")
	u, err := url.Parse("//" + h)
	if err == nil && u.User == nil && u.Path == "" && u.RawQuery == "" && u.Fragment == "" {
		if host, ok := guard.Host(u.Hostname()); ok {
			return allowed{host: host, all: all, port: u.Port()}, nil
		}
	}
	return allowed{}, rag.Errorf(rag.CodeInvalid, "%q is no host that may be asked. Write it like wiki.example.org, *.example.org or wiki.example.org:8443.", clean(raw))
}

func (c Config) allowedHosts() (allowedHosts, error) {
	var out allowedHosts
	for _, h := range c.Hosts {
		a, err := parseAllowed(h)
		if err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	if len(c.Hosts) > 0 {
		return out, nil
	}
	for _, raw := range c.URLs {
		u, err := guard.CheckURL(raw)
		if err != nil {
			return nil, err
		}
		host, _ := guard.Host(u.Hostname())
		if a := (allowed{host: host, port: u.Port()}); !slices.Contains(out, a) {
			out = append(out, a)
		}
	}
	return out, nil
}

// has says whether an address may be asked.
func (list allowedHosts) has(u *url.URL) bool {
	host, ok := guard.Host(u.Hostname())
	if !ok {
		return false
	}
	for _, a := range list {
		same := host == a.host || a.all && strings.HasSuffix(host, "."+a.host)
		port := u.Port() == a.port || a.port == "" && (u.Port() == "80" || u.Port() == "443")
		if same && port {
			return true
		}
	}
	return false
}

// pageURI is the identity of a page: its address in one spelling, without the
// fragment.
func pageURI(u *url.URL) string {
	v := *u
	v.Fragment, v.RawFragment = "", ""
	v.Scheme = strings.ToLower(v.Scheme)
	host, _ := guard.Host(v.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	if p := v.Port(); p != "" && (v.Scheme != "http" || p != "80") && (v.Scheme != "https" || p != "443") {
		host += ":" + p
	}
	if v.Host = host; v.Path == "" {
		v.Path = "/"
	}
	return v.String()
}

// page is what is kept of one between two syncs, beside its bytes.
type page struct {
	URI      string    `json:"uri"`
	Hash     string    `json:"hash"`
	Name     string    `json:"name"`
	ETag     string    `json:"etag,omitempty"`
	Changed  string    `json:"last_modified,omitempty"` // as the server wrote it
	Modified time.Time `json:"modified,omitzero"`
	Size     int64     `json:"size"`
}

// pages fetches them.
type pages struct {
	dir    string
	client *http.Client
	hosts  allowedHosts
	mu     sync.Mutex // of l
	l      *Listing
}

// listWeb asks for every page, with what is kept of it, so that one that has
// not changed is not sent again.
func (s *Source) listWeb(ctx context.Context, l *Listing) error {
	hosts, err := s.cfg.allowedHosts()
	if err != nil {
		return err
	}
	w := &pages{dir: filepath.Join(s.opts.Dir, "web"), hosts: hosts, l: l}
	if err := os.MkdirAll(w.dir, 0o700); err != nil {
		return fmt.Errorf("make the folder for pages: %w", err)
	}
	rt := s.opts.Guard.Transport(pageTime / 2)
	w.client = outbound.NewClient(rt)
	l.closers = append(l.closers, func() error { rt.CloseIdleConnections(); return nil })
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(pagesAtOnce)
	keep := map[string]bool{}
	for _, raw := range s.cfg.URLs {
		u, err := guard.CheckURL(raw)
		if err != nil {
			return err
		}
		keep[fileOf(pageURI(u))] = true
		g.Go(func() error {
			w.take(gctx, u)
			return gctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return w.tidy(keep)
}

// take lists one page, or tells why not.
func (w *pages) take(ctx context.Context, u *url.URL) {
	ctx, cancel := context.WithTimeout(ctx, pageTime)
	defer cancel()
	uri := pageURI(u)
	p, err := w.fetch(ctx, u, uri)
	w.mu.Lock()
	defer w.mu.Unlock()
	var gone *goneError
	if errors.As(err, &gone) {
		w.l.problem(uri, err, "The page %s is no longer there (status %d).", guard.Redact(u), gone.status).Gone = true
		return
	}
	if err != nil {
		w.l.fault(uri, w.sentence(err, u))
		return
	}
	it := Item{URI: uri, Name: p.Name, Size: p.Size, Hash: p.Hash, Stamp: p.ETag, Link: uri, Modified: p.Modified}
	it.read = func(context.Context) ([]byte, error) {
		data, err := os.ReadFile(w.file(uri))
		if err == nil && hashOf(data) != p.Hash {
			return nil, moved(it)
		}
		return data, err
	}
	w.l.add(it)
}

// goneError says that a server has no such page.
type goneError struct{ status int }

func (e *goneError) Error() string { return fmt.Sprintf("status %d", e.status) }

func (w *pages) sentence(err error, u *url.URL) error {
	var own *rag.Error
	if errors.As(err, &own) {
		return own
	}
	e := outbound.FromNetwork(err)
	at := guard.Redact(u)
	switch e.Kind {
	case outbound.KindUnauthorized:
		return rag.WithCause(e, rag.CodeInvalid, "The server does not let %s be read without signing in (status %d). Save the page and upload it.", at, e.Status)
	case outbound.KindRateLimited:
		return rag.WithCause(e, rag.CodeRateLimited, "The server of %s has too many requests. The next sync tries again.", at)
	case outbound.KindTimeout:
		return rag.WithCause(e, rag.CodeUnavailable, "The server of %s took too long. The next sync tries again.", at)
	default:
	}
	if e.Status != 0 {
		return rag.WithCause(e, rag.CodeUnavailable, "The server answers %s with status %d. Check the address; the next sync tries again.", at, e.Status)
	}
	return rag.WithCause(e, rag.CodeUnavailable, "The server of %s cannot be reached. Check the address; the next sync tries again.", at)
}

// fetch gives the page as it is now, from the server or, when it has not
// changed, as it was kept.
func (w *pages) fetch(ctx context.Context, u *url.URL, uri string) (page, error) {
	old, have := w.kept(uri)
	at := u
	for range maxRedirects + 1 {
		if err := w.judge(at); err != nil {
			return page{}, err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, at.String(), nil)
		if err != nil {
			return page{}, err
		}
		req.Header.Set("User-Agent", "Passage")
		req.Header.Set("Accept", "text/html, application/xhtml+xml, text/markdown, text/plain;q=0.9, application/pdf;q=0.8")
		if have && old.ETag != "" {
			req.Header.Set("If-None-Match", old.ETag)
		}
		if have && old.Changed != "" {
			req.Header.Set("If-Modified-Since", old.Changed)
		}
		resp, err := w.client.Do(req)
		if err != nil {
			return page{}, err
		}
		p, next, err := w.reply(resp, at, uri, old, have)
		if err = errors.Join(err, resp.Body.Close()); err != nil || next == nil {
			return p, err
		}
		at = next
	}
	return page{}, rag.Errorf(rag.CodeInvalid, "The page %s leads from one address to the next. Name the one where it is.", guard.Redact(u))
}

// judge says whether an address may be asked: those that were typed in, and
// those that a redirect leads to.
func (w *pages) judge(u *url.URL) error {
	if err := guard.CheckParsed(u); err != nil {
		return err
	}
	if !w.hosts.has(u) {
		return rag.Errorf(rag.CodeInvalid, "The page leads to %s, whose host is not among those that may be asked. Add the host, or name another page.", guard.Redact(u))
	}
	return nil
}

// reply reads one answer: a page, or the next address.
func (w *pages) reply(resp *http.Response, at *url.URL, uri string, old page, have bool) (page, *url.URL, error) {
	switch {
	case resp.StatusCode == http.StatusNotModified && have:
		return old, nil, nil
	case resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusGone:
		return page{}, nil, &goneError{resp.StatusCode}
	case resp.StatusCode >= 300 && resp.StatusCode < 400 && resp.Header.Get("Location") != "":
		next, err := at.Parse(resp.Header.Get("Location"))
		if err != nil {
			return page{}, nil, rag.Errorf(rag.CodeInvalid, "The page %s leads to an address that is none. Name the one where it is.", guard.Redact(at))
		}
		if at.Scheme == "https" && next.Scheme == "http" {
			return page{}, nil, rag.Errorf(rag.CodeInvalid, "The page %s leads from https to http, which is not followed. Name the one where it is.", guard.Redact(at))
		}
		return page{}, next, nil
	case resp.StatusCode != http.StatusOK:
		e, _ := outbound.FromResponse(resp, time.Now())
		return page{}, nil, e
	}
	name, err := nameOf(resp.Header.Get("Content-Type"), at)
	if err != nil {
		return page{}, nil, err
	}
	limit := int64(maxPage)
	if path.Ext(name) == ".pdf" {
		limit = extract.MaxBytes
	}
	data, err := outbound.ReadAll(resp.Body, limit)
	if errors.Is(err, outbound.ErrBodyTooLarge) {
		return page{}, nil, rag.Errorf(rag.CodeTooLarge, "The page %s has more than %d MB. Divide it, or upload the file.", guard.Redact(at), limit>>20)
	}
	if err != nil {
		return page{}, nil, err
	}
	p := page{
		URI: uri, Hash: hashOf(data), Name: name, Size: int64(len(data)),
		ETag: resp.Header.Get("ETag"), Changed: resp.Header.Get("Last-Modified"),
	}
	if t, err := http.ParseTime(p.Changed); err == nil {
		p.Modified = t
	}
	return p, nil, w.keep(p, data)
}

// endings are those of the formats by media type.
var endings = map[string]string{
	"text/html": ".html", "application/xhtml+xml": ".html", "text/markdown": ".md", "text/x-markdown": ".md",
	"text/plain": ".txt", "application/pdf": ".pdf",
	"application/vnd.openxmlformats-officedocument.wordprocessingml.document": ".docx",
}

// nameOf is the file name of a page, whose ending is that of what the server
// says it is. Plain text keeps an ending of a text format: many servers send
// Markdown as plain text.
func nameOf(contentType string, u *url.URL) (string, error) {
	media, _, err := mime.ParseMediaType(contentType)
	ending, ok := endings[media]
	base := path.Base("/" + u.Path)
	if base == "/" {
		base = "index"
	}
	has := strings.ToLower(path.Ext(base))
	switch {
	case ok && media == "text/plain" && extract.Supported(base) && has != ".pdf" && has != ".docx" && has != ".html" && has != ".htm" && has != ".xhtml":
		return base, nil
	case ok && has == ending:
		return base, nil
	case ok:
		return base + ending, nil
	case (err != nil || media == "application/octet-stream") && extract.Supported(base):
		return base, nil
	}
	return "", rag.Errorf(rag.CodeInvalid, "The page %s is of a kind that is not read (%s). Name a page of text, HTML, Markdown, Word or PDF.", guard.Redact(u), clean(media))
}

// fileOf is the name under which a page is kept.
func fileOf(uri string) string { return strings.TrimPrefix(hashOf([]byte(uri)), "sha256:") }

func (w *pages) file(uri string) string { return filepath.Join(w.dir, fileOf(uri)) }

// kept gives what is kept of a page, when it is whole.
func (w *pages) kept(uri string) (page, bool) {
	var p page
	note, err := os.ReadFile(w.file(uri) + ".json")
	if err != nil || json.Unmarshal(note, &p) != nil || p.URI != uri {
		return page{}, false
	}
	data, err := os.ReadFile(w.file(uri))
	if err != nil || hashOf(data) != p.Hash {
		return page{}, false
	}
	return p, true
}

// keep writes a page, the bytes first: the note is what makes them count.
func (w *pages) keep(p page, data []byte) error {
	note, err := json.Marshal(p)
	if err == nil {
		err = atomic.WriteFile(w.file(p.URI), bytes.NewReader(data))
	}
	if err == nil {
		err = atomic.WriteFile(w.file(p.URI)+".json", bytes.NewReader(note))
	}
	if err != nil {
		return rag.WithCause(err, rag.CodeUnavailable, "A page cannot be kept on the server. Check that its disk is not full.")
	}
	return nil
}

// tidy removes what is kept of pages that are no longer named.
func (w *pages) tidy(keep map[string]bool) error {
	entries, err := os.ReadDir(w.dir)
	if err != nil {
		return fmt.Errorf("look at the pages that are kept: %w", err)
	}
	for _, e := range entries {
		if !keep[strings.TrimSuffix(e.Name(), ".json")] {
			if err := os.Remove(filepath.Join(w.dir, e.Name())); err != nil {
				return fmt.Errorf("remove a page: %w", err)
			}
		}
	}
	return nil
}
