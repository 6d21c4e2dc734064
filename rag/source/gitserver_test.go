package source_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/transport"
	"github.com/go-git/go-git/v5/plumbing/transport/server"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/stretchr/testify/require"

	"passage/rag/source"
	"passage/rag/source/guard"
)

// repo is a bare repository that tests write commits to.
type repo struct {
	t   testing.TB
	dir string
	st  *filesystem.Storage
}

func newRepo(tb testing.TB) *repo {
	tb.Helper()
	dir := filepath.Join(tb.TempDir(), "docs.git")
	st := filesystem.NewStorage(osfs.New(dir), cache.NewObjectLRUDefault())
	require.NoError(tb, st.Init())
	require.NoError(tb, os.WriteFile(filepath.Join(dir, "config"), []byte("[core]\n\trepositoryformatversion = 0\n\tbare = true\n"), 0o600))
	require.NoError(tb, st.SetReference(plumbing.NewSymbolicReference(plumbing.HEAD, "refs/heads/main")))
	return &repo{tb, dir, st}
}

// entry is what stands in a tree under a path: bytes, or something special.
type entry struct {
	mode filemode.FileMode
	data string        // of a file, and the target of a link
	hash plumbing.Hash // of a submodule
}

type files map[string]any // string or entry

func (r *repo) put(typ plumbing.ObjectType, write func(o plumbing.EncodedObject) error) plumbing.Hash {
	r.t.Helper()
	o := r.st.NewEncodedObject()
	o.SetType(typ)
	require.NoError(r.t, write(o))
	h, err := r.st.SetEncodedObject(o)
	require.NoError(r.t, err)
	return h
}

func (r *repo) blob(data string) plumbing.Hash {
	return r.put(plumbing.BlobObject, func(o plumbing.EncodedObject) error {
		w, err := o.Writer()
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, data)
		return err
	})
}

// claim makes a file of which only the size is there: it must be enough to leave
// the file out.
func (r *repo) claim(size int) plumbing.Hash {
	hash := plumbing.NewHash("abcdefabcdefabcdefabcdefabcdefabcdefabcd")
	p := filepath.Join(r.dir, "objects", hash.String()[:2], hash.String()[2:])
	require.NoError(r.t, os.MkdirAll(filepath.Dir(p), 0o755))
	f, err := os.Create(p)
	require.NoError(r.t, err)
	z := zlib.NewWriter(f)
	_, err = fmt.Fprintf(z, "blob %d\x00the rest is missing", size)
	require.NoError(r.t, err)
	require.NoError(r.t, z.Close())
	require.NoError(r.t, f.Close())
	return hash
}

func (r *repo) tree(content files) plumbing.Hash {
	var entries []object.TreeEntry
	below := map[string]files{}
	for name, v := range content {
		if dir, rest, ok := strings.Cut(name, "/"); ok {
			if below[dir] == nil {
				below[dir] = files{}
			}
			below[dir][rest] = v
			continue
		}
		e, special := v.(entry)
		if !special {
			e = entry{mode: filemode.Regular, data: v.(string)}
		}
		if e.hash.IsZero() {
			e.hash = r.blob(e.data)
		}
		entries = append(entries, object.TreeEntry{Name: name, Mode: e.mode, Hash: e.hash})
	}
	for dir, content := range below {
		entries = append(entries, object.TreeEntry{Name: dir, Mode: filemode.Dir, Hash: r.tree(content)})
	}
	key := func(e object.TreeEntry) string { // git sorts folders as if they ended in a slash
		if e.Mode == filemode.Dir {
			return e.Name + "/"
		}
		return e.Name
	}
	slices.SortFunc(entries, func(a, b object.TreeEntry) int { return strings.Compare(key(a), key(b)) })
	return r.put(plumbing.TreeObject, (&object.Tree{Entries: entries}).Encode)
}

// commit puts the files, and nothing else, on a branch. Without parents it is a
// push by force.
func (r *repo) commit(branch string, content files, parents ...plumbing.Hash) plumbing.Hash {
	r.t.Helper()
	who := object.Signature{Name: "A", Email: "a@example.org", When: time.Date(2026, 3, 1, 12, 0, len(content), 0, time.UTC)}
	c := object.Commit{Author: who, Committer: who, Message: "docs", TreeHash: r.tree(content), ParentHashes: parents}
	h := r.put(plumbing.CommitObject, c.Encode)
	require.NoError(r.t, r.st.SetReference(plumbing.NewHashReference(plumbing.NewBranchReferenceName(branch), h)))
	return h
}

// host serves a repository over HTTP at https-less "git.example", an address
// that looks public. sent counts the bytes of the replies.
type host struct {
	guard guard.Guard
	sent  atomic.Int64
	posts atomic.Int64
}

const address = "http://git.example/docs.git"

func serve(tb testing.TB, h http.Handler) *host {
	tb.Helper()
	out := &host{}
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			out.posts.Add(1)
		}
		h.ServeHTTP(counting{w, &out.sent}, r)
	}))
	tb.Cleanup(srv.Close)
	out.guard = guard.Guard{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			if strings.HasPrefix(host, "private") {
				return []netip.Addr{netip.MustParseAddr("10.0.0.1")}, nil
			}
			return []netip.Addr{netip.MustParseAddr("93.184.216.34")}, nil
		},
		Dial: func(ctx context.Context, network, _ string) (net.Conn, error) {
			return (&net.Dialer{}).DialContext(ctx, network, strings.TrimPrefix(srv.URL, "http://"))
		},
	}
	return out
}

type counting struct {
	http.ResponseWriter
	n *atomic.Int64
}

func (c counting) Write(p []byte) (int, error) {
	c.n.Add(int64(len(p)))
	return c.ResponseWriter.Write(p)
}

// backend is git's own server, which knows shallow fetches.
func backend(tb testing.TB, r *repo) http.Handler {
	tb.Helper()
	git, err := exec.LookPath("git")
	if err != nil {
		tb.Skip("needs the git command, whose server knows shallow fetches")
	}
	return &cgi.Handler{
		Path: git, Args: []string{"http-backend"}, Stderr: io.Discard,
		Env: []string{
			"GIT_PROJECT_ROOT=" + filepath.Dir(r.dir), "GIT_HTTP_EXPORT_ALL=1", "GIT_CONFIG_NOSYSTEM=1", "HOME=" + filepath.Dir(r.dir),
			"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*",
		},
	}
}

// plain is a server of git without any extra: no shallow fetches, no side bands.
func plain(tb testing.TB, r *repo) http.Handler {
	tb.Helper()
	ep, err := transport.NewEndpoint(address)
	require.NoError(tb, err)
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		st := filesystem.NewStorage(osfs.New(r.dir), cache.NewObjectLRUDefault())
		session, err := server.NewServer(server.MapLoader{ep.String(): st}).NewUploadPackSession(ep, nil)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		if strings.HasSuffix(req.URL.Path, "/info/refs") {
			refs, err := session.AdvertisedReferencesContext(req.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			refs.Prefix = [][]byte{[]byte("# service=git-upload-pack"), pktline.Flush}
			_ = refs.Encode(w)
			return
		}
		body, err := io.ReadAll(req.Body)
		if err != nil {
			return
		}
		up := packp.NewUploadPackRequest()
		if err := up.Decode(bytes.NewReader(body)); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		for _, line := range strings.Split(string(body), "\n") {
			if _, have, ok := strings.Cut(line, "have "); ok {
				up.Haves = append(up.Haves, plumbing.NewHash(have))
			}
		}
		resp, err := session.UploadPack(req.Context(), up)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		_ = resp.Encode(w)
		_ = resp.Close()
	})
}

// look lists a source and closes the listing at the end of the test.
func look(tb testing.TB, cfg source.Config, opts source.Options, known ...source.Known) (*source.Listing, error) {
	tb.Helper()
	s, err := source.New(cfg, opts)
	require.NoError(tb, err)
	l, err := s.List(tb.Context(), known)
	if err != nil {
		require.Nil(tb, l)
		return nil, err
	}
	tb.Cleanup(func() { _ = l.Close() })
	return l, nil
}

// mustLook lists, reads every item, and closes.
func mustLook(tb testing.TB, cfg source.Config, opts source.Options, known ...source.Known) (l *source.Listing, read map[string]string) {
	tb.Helper()
	l, err := look(tb, cfg, opts, known...)
	require.NoError(tb, err)
	read = map[string]string{}
	for _, it := range l.Items {
		data, err := it.Read(tb.Context())
		require.NoError(tb, err, it.URI)
		require.EqualValues(tb, len(data), it.Size, it.URI)
		read[it.URI] = string(data)
	}
	require.NoError(tb, l.Close())
	return l, read
}

// knows is what is known after all of a listing was taken in.
func knows(l *source.Listing) []source.Known {
	out := make([]source.Known, len(l.Items))
	for i, it := range l.Items {
		out[i] = source.Known{URI: it.URI, Hash: it.Hash, Stamp: it.Stamp, State: source.Live}
	}
	return out
}

// told writes the problems in lines.
func told(l *source.Listing) string {
	var b strings.Builder
	for _, p := range l.Problems {
		b.WriteString(p.URI + ": " + p.Message + "\n")
	}
	return b.String()
}
