// Package static holds the style sheet, the scripts and the icon that pages
// load. They are part of the binary. Their addresses carry a hash of their
// content, so a browser keeps them for ever and still gets a new one at once.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"mime"
	"net/http"
	"path"
	"strings"
	"sync"
)

// Prefix is the path below which Handler serves.
const Prefix = "/static/"

//go:embed app.css app.js icon.svg vendor/*.js
var files embed.FS

// asset is one file, ready to be sent.
type asset struct {
	kind   string // media type
	hash   string // first half of the content's SHA-256, in hex
	body   []byte
	zipped []byte
}

// assets reads the files once, at the first use.
var assets = sync.OnceValue(func() map[string]asset {
	all := make(map[string]asset)
	for _, dir := range []string{".", "vendor"} {
		entries, err := files.ReadDir(dir)
		if err != nil {
			panic(fmt.Sprintf("reading embedded folder %s: %v", dir, err))
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			body, err := files.ReadFile(path.Join(dir, e.Name()))
			if err != nil {
				panic(fmt.Sprintf("reading embedded file %s: %v", e.Name(), err))
			}
			sum := sha256.Sum256(body)
			all[e.Name()] = asset{kind: kindOf(e.Name()), hash: hex.EncodeToString(sum[:8]), body: body, zipped: zip(body)}
		}
	}
	return all
})

func kindOf(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	default:
		return mime.TypeByExtension(path.Ext(name))
	}
}

func zip(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	_, _ = w.Write(body) // a buffer takes every write
	_ = w.Close()
	return b.Bytes()
}

// URL is the address of a file: "/static/1f0c…/app.css". A name that is not
// there is a fault of the program and panics.
func URL(name string) string {
	a, ok := assets()[name]
	if !ok {
		panic("there is no static file " + name)
	}
	return Prefix + a.hash + "/" + name
}

// Handler serves the files under Prefix. An address with the hash of another
// build gets the current file, not to be kept.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		hash, name, ok := strings.Cut(strings.TrimPrefix(r.URL.Path, Prefix), "/")
		a, known := assets()[name]
		if !ok || !known {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Content-Type", a.kind)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Vary", "Accept-Encoding")
		if hash == a.hash {
			h.Set("Cache-Control", "public, max-age=31536000, immutable")
		} else {
			h.Set("Cache-Control", "no-cache")
		}
		body := a.body
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") && len(a.zipped) < len(a.body) {
			h.Set("Content-Encoding", "gzip")
			body = a.zipped
		}
		if r.Method == http.MethodHead {
			return
		}
		_, _ = w.Write(body)
	})
}
