package source_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"
	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/source"
)

const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

// servers are those that every test of fetching must do well with.
func servers(t *testing.T, story func(t *testing.T, handler func(*repo) http.Handler)) {
	t.Helper()
	t.Run("git's own server", func(t *testing.T) {
		t.Parallel()
		story(t, func(r *repo) http.Handler { return backend(t, r) })
	})
	t.Run("a server without shallow fetches", func(t *testing.T) {
		t.Parallel()
		story(t, func(r *repo) http.Handler { return plain(t, r) })
	})
}

func gitConfig(more ...func(*source.Config)) source.Config {
	cfg := source.Config{Kind: source.KindGit, Repository: address, Link: "https://git.example/docs/blob/{commit}/{path}"}
	for _, m := range more {
		m(&cfg)
	}
	return cfg
}

// A repository is followed over its life. T43: what was removed there is gone
// after the sync.
func TestGitLife(t *testing.T) {
	t.Parallel()
	servers(t, func(t *testing.T, handler func(*repo) http.Handler) {
		t.Helper()
		r := newRepo(t)
		first := r.commit("main", files{
			"README.md": "# Docs\n", "run/a b#?.md": "# A\n", "run/deep/b.txt": "b\n", "run/c.go": "package c", ".github/x.md": "hidden",
			"run/pic.png": "no", "Ünï.md": "# Ü\n",
		})
		h := serve(t, handler(r))
		opts := source.Options{Dir: filepath.Join(t.TempDir(), "cache"), Guard: h.guard}
		l, read := mustLook(t, gitConfig(), opts)
		require.Equal(t, map[string]string{"README.md": "# Docs\n", "run/a b#?.md": "# A\n", "run/deep/b.txt": "b\n", "Ünï.md": "# Ü\n"}, read)
		require.True(t, l.Complete)
		require.Equal(t, first.String(), l.Revision)
		require.Equal(t, 3, l.LeftOut)
		require.Empty(t, l.Problems)
		require.Equal(t, "https://git.example/docs/blob/"+first.String()+"/run/a%20b%23%3F.md", l.Items[1].Link)
		require.Equal(t, 2026, l.Items[0].Modified.Year())
		known, posts := knows(l), h.posts.Load()

		l, _ = mustLook(t, gitConfig(), opts, known...)
		require.Equal(t, posts, h.posts.Load(), "nothing is fetched when nothing changed")
		require.True(t, source.MakePlan(known, l, source.Limits{}).Empty())

		r.commit("main", files{"README.md": "# Docs 2\n", "run/renamed.md": "# A\n", "new.md": "new\n", "Ünï.md": "# Ü\n"}, first)
		l, read = mustLook(t, gitConfig(), opts, known...)
		require.Equal(t, "# Docs 2\n", read["README.md"])
		require.Equal(t, "+new.md -run/deep/b.txt =Ünï.md run/a b#?.md>run/renamed.md ~README.md", short(source.MakePlan(known, l, source.Limits{})))
		known = knows(l)

		forced := r.commit("main", files{"other.md": "by force\n", "new.md": "new\n"})
		l, read = mustLook(t, gitConfig(), opts, known...)
		require.Equal(t, forced.String(), l.Revision)
		require.Equal(t, map[string]string{"other.md": "by force\n", "new.md": "new\n"}, read)

		r.commit("old", files{"back.md": "older\n"}, first)
		require.NoError(t, r.st.RemoveReference("refs/heads/main"))
		_, err := look(t, gitConfig(func(c *source.Config) { c.Branch = "main" }), opts, known...)
		require.Equal(t, rag.CodeNotFound, rag.ErrorCode(err))
		require.Contains(t, rag.ErrorMessage(err), `no branch "main"`)
		require.Contains(t, rag.ErrorMessage(err), "old")
		_, err = look(t, gitConfig(), opts, known...)
		require.Equal(t, rag.CodeNotFound, rag.ErrorCode(err))

		l, read = mustLook(t, gitConfig(func(c *source.Config) { c.Branch = "old" }), opts)
		require.Equal(t, map[string]string{"back.md": "older\n"}, read)
		require.True(t, l.Complete)
	})
}

func TestGitBrokenCacheIsMadeAnew(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	content := files{}
	for i := range 30 {
		content[fmt.Sprintf("d%d/f%d.md", i%3, i)] = fmt.Sprintf("# File %d\n", i)
	}
	r.commit("main", content)
	h := serve(t, plain(t, r))
	opts := source.Options{Dir: t.TempDir(), Guard: h.guard}
	_, want := mustLook(t, gitConfig(), opts)
	breaks := []func(path string) error{
		os.Remove,
		func(p string) error { return os.Truncate(p, 40) },
		func(p string) error { return os.WriteFile(p, bytes.Repeat([]byte("x"), 4000), 0o600) },
	}
	for i, pattern := range []string{"objects/pack/*.pack", "objects/pack/*.idx", "refs/passage/tip"} {
		for j, breakIt := range breaks {
			list, err := filepath.Glob(filepath.Join(opts.Dir, "git", pattern))
			require.NoError(t, err)
			require.NotEmpty(t, list, "%d %d", i, j)
			for _, p := range list {
				require.NoError(t, os.Chmod(p, 0o600))
				require.NoError(t, breakIt(p))
			}
			_, got := mustLook(t, gitConfig(), opts)
			require.Equal(t, want, got, "%s %d", pattern, j)
		}
	}
	require.NoError(t, os.RemoveAll(opts.Dir))
	_, got := mustLook(t, gitConfig(), opts)
	require.Equal(t, want, got)
}

// What is fetched a second time is what changed, and what grew over many syncs
// is put in order.
func TestGitFetchesTheDifference(t *testing.T) {
	t.Parallel()
	servers(t, func(t *testing.T, handler func(*repo) http.Handler) {
		t.Helper()
		r := newRepo(t)
		content := files{}
		rng := rand.New(rand.NewPCG(1, 2))
		for i := range 30 {
			var b strings.Builder
			for range 100 {
				fmt.Fprintf(&b, "%x\n", rng.Uint64())
			}
			content[fmt.Sprintf("f%d.md", i)] = b.String()
		}
		last := r.commit("main", content)
		h := serve(t, handler(r))
		opts := source.Options{Dir: t.TempDir(), Guard: h.guard}
		mustLook(t, gitConfig(), opts)
		all := h.sent.Load()
		for i := range 10 {
			if i == 3 { // the rest of the story is the same with any server, and quicker without processes
				opts.Guard = serve(t, plain(t, r)).guard
			}
			content["f0.md"] = fmt.Sprintf("changed %d\n", i)
			last = r.commit("main", content, last)
			before := h.sent.Load()
			_, read := mustLook(t, gitConfig(), opts)
			require.Equal(t, content["f0.md"], read["f0.md"])
			require.Len(t, read, 30)
			if i < 3 {
				require.Less(t, h.sent.Load()-before, all/10)
			}
		}
		packs, err := filepath.Glob(filepath.Join(opts.Dir, "git/objects/pack/*.pack"))
		require.NoError(t, err)
		require.LessOrEqual(t, len(packs), 9)
	})
}

func TestGitOddities(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("main", files{
		"docs/good.md":     "# Good\n",
		"docs/run.md":      entry{mode: filemode.Executable, data: "# Runs\n"},
		"docs/huge.md":     entry{mode: filemode.Regular, hash: r.claim(extract.MaxBytes + 1)},
		"docs/lfs.pdf":     pointer,
		"docs/sub.md":      entry{mode: filemode.Submodule, hash: plumbing.NewHash("1234567890123456789012345678901234567890")},
		"docs/in.md":       entry{mode: filemode.Symlink, data: "good.md"},
		"docs/up.md":       entry{mode: filemode.Symlink, data: "../other.md"},
		"docs/out.md":      entry{mode: filemode.Symlink, data: "../../../etc/passwd"},
		"docs/absolute.md": entry{mode: filemode.Symlink, data: "/etc/passwd"},
		"docs/bad\x01.md":  "# Control\n",
		"docs/drafts/d.md": "# Draft\n",
		"docs/a/keep.md":   "# Keep\n",
		"docs/a/x.txt":     "not included\n",
		"other.md":         "# Outside the folder\n",
	})
	cfg := gitConfig(func(c *source.Config) {
		c.Repository, c.Folder, c.Prefix = r.dir, "docs/", "ops"
		c.Include, c.Exclude = []string{"*.md", "*.pdf"}, []string{"drafts/"}
	})
	l, read := mustLook(t, cfg, source.Options{Roots: []string{filepath.Dir(r.dir)}},
		source.Known{URI: "ops/lfs.pdf", Hash: "git:old", State: source.Live}, source.Known{URI: "ops/sub.md", Hash: "x", State: source.Live})
	require.Equal(t, map[string]string{"ops/good.md": "# Good\n", "ops/run.md": "# Runs\n", "ops/a/keep.md": "# Keep\n"}, read)
	require.True(t, strings.HasSuffix(l.Items[0].Link, "/docs/a/keep.md"), l.Items[0].Link)
	require.True(t, l.Complete)
	for _, want := range []string{
		"ops/huge.md: huge.md has 50 MB; the limit", "ops/lfs.pdf: lfs.pdf is kept in Git LFS", "ops/sub.md: sub.md is a submodule",
		"ops/out.md: The link out.md leads out", "ops/absolute.md: The link absolute.md leads out", "ops/bad\ufffd.md: A file or folder in \"\" has a name",
	} {
		require.Contains(t, told(l), want)
	}
	require.Len(t, l.Problems, 6)
	known := []source.Known{{URI: "ops/lfs.pdf", Hash: "git:old", State: source.Live}, {URI: "ops/sub.md", Hash: "x", State: source.Live}}
	require.Equal(t, "+ops/a/keep.md +ops/good.md +ops/run.md -ops/sub.md ?ops/lfs.pdf", short(source.MakePlan(known, l, source.Limits{})),
		"a pointer keeps what was there before; a submodule has taken the place of a file")
}

func TestGitRefusals(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	empty := newRepo(t)
	r.commit("main", files{"a.md": "a"})
	roots := source.Options{Roots: []string{filepath.Dir(r.dir), filepath.Dir(empty.dir)}}
	outside := newRepo(t)
	outside.commit("main", files{"a.md": "a"})
	link := filepath.Join(filepath.Dir(r.dir), "link")
	require.NoError(t, os.Symlink(outside.dir, link))
	for _, c := range []struct {
		name string
		cfg  source.Config
		opts source.Options
		code rag.Code
		says string
	}{
		{"no roots", source.Config{Repository: r.dir}, source.Options{}, rag.CodeInvalid, "Ask the operator"},
		{"file URL without roots", source.Config{Repository: "file://" + r.dir}, source.Options{}, rag.CodeInvalid, "Ask the operator"},
		{"a link out of the roots", source.Config{Repository: link}, roots, rag.CodeInvalid, "Ask the operator"},
		{"outside", source.Config{Repository: outside.dir}, roots, rag.CodeInvalid, "Ask the operator"},
		{"no repository", source.Config{Repository: filepath.Dir(r.dir)}, roots, rag.CodeNotFound, "no git repository"},
		{"nothing", source.Config{Repository: r.dir + "x"}, roots, rag.CodeNotFound, "There is no folder"},
		{"empty", source.Config{Repository: empty.dir}, roots, rag.CodeNotFound, "no commits yet"},
		{"no folder", source.Config{Repository: r.dir, Folder: "docs"}, roots, rag.CodeNotFound, "no folder docs"},
		{"a file as folder", source.Config{Repository: r.dir, Folder: "a.md"}, roots, rag.CodeNotFound, "no folder a.md"},
		{"no branch", source.Config{Repository: r.dir, Branch: "x"}, roots, rag.CodeNotFound, "It has: main."},
		{"secret not set", source.Config{Repository: address, SecretEnv: "PASSAGE_SOURCE_T"}, source.Options{Dir: t.TempDir(), Env: func(string) string { return "" }}, rag.CodeInvalid, "PASSAGE_SOURCE_T"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.cfg.Kind = source.KindGit
			_, err := look(t, c.cfg, c.opts)
			require.Equal(t, c.code, rag.ErrorCode(err), "%v", err)
			require.Contains(t, rag.ErrorMessage(err), c.says)
		})
	}
	_, err := source.New(source.Config{Kind: source.KindGit, Repository: "git@git.example:a/b"}, source.Options{Dir: t.TempDir()})
	require.Contains(t, rag.ErrorMessage(err), "ssh")
}

func TestGitCredentials(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("main", files{"a.md": "a"})
	inner := backend(t, r)
	h := serve(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		user, password, _ := req.BasicAuth()
		switch {
		case strings.Contains(req.URL.Path, "missing"):
			http.Error(w, "no "+password, http.StatusNotFound)
		case strings.Contains(req.URL.Path, "fault"):
			http.Error(w, "fault of "+user+":"+password, http.StatusInternalServerError)
		case strings.Contains(req.URL.Path, "away"):
			http.Redirect(w, req, "http://private.example"+req.URL.Path+"?"+req.URL.RawQuery, http.StatusFound)
		case password != "s3cr3t/+" || user != "bot" && user != "oauth2":
			http.Error(w, "not "+user+":"+password, http.StatusUnauthorized)
		default:
			inner.ServeHTTP(w, req)
		}
	}))
	try := func(repository, secret string) error {
		cfg := gitConfig(func(c *source.Config) { c.Repository = repository })
		if secret != "" {
			cfg.SecretEnv = "PASSAGE_SOURCE_DOCS"
		}
		require.NotContains(t, cfg.Title(), "s3cr3t")
		_, err := look(t, cfg, source.Options{Dir: t.TempDir(), Guard: h.guard, Env: func(string) string { return secret }})
		if err != nil {
			require.NotContains(t, err.Error(), "s3cr3t")
			require.NotContains(t, rag.ErrorMessage(err), "bot")
		}
		return err
	}
	require.NoError(t, try("http://bot:s3cr3t%2F+@git.example/docs.git", ""))
	require.NoError(t, try(address, "s3cr3t/+"))
	require.NoError(t, try(address, "bot:s3cr3t/+\n"))
	require.NoError(t, try("http://bot@git.example/docs.git", "s3cr3t/+"))
	for _, path := range []string{"docs.git", "missing", "fault", "away", "x/away"} {
		err := try("http://bot:s3cr3tX@git.example/"+path, "")
		require.Error(t, err)
		require.NotEqual(t, rag.CodeInternal, rag.ErrorCode(err), "%v", err)
	}
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(try("http://bot:s3cr3tX@git.example/docs.git", "")))
	require.Contains(t, rag.ErrorMessage(try("http://bot:s3cr3tX@git.example/away", "")), "not public")
	require.Contains(t, rag.ErrorMessage(try("http://127.0.0.1/docs.git", "")), "not public")
	require.Contains(t, rag.ErrorMessage(try("http://private.example/docs.git", "")), "not public")
}

// Servers that are none, or break off, leave what was there as it was.
func TestGitHostileServers(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	first := r.commit("main", files{"a.md": strings.Repeat("a\n", 5000)})
	inner := backend(t, r)
	var now atomic.Value
	now.Store("")
	h := serve(t, http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		switch mode := now.Load().(string); {
		case mode == "page":
			_, _ = w.Write([]byte("<html>hello"))
		case mode == "cut" && req.Method == http.MethodPost:
			inner.ServeHTTP(&cutting{ResponseWriter: w, left: 60}, req)
		case mode == "none":
			panic(http.ErrAbortHandler)
		default:
			inner.ServeHTTP(w, req)
		}
	}))
	opts := source.Options{Dir: t.TempDir(), Guard: h.guard}
	l, want := mustLook(t, gitConfig(), opts)
	require.Equal(t, first.String(), l.Revision)
	r.commit("main", files{"b.md": strings.Repeat("b\n", 5000)}, first)
	for _, mode := range []string{"page", "cut", "none"} {
		now.Store(mode)
		_, err := look(t, gitConfig(), opts, knows(l)...)
		require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err), "%s: %v", mode, err)
	}
	now.Store("")
	_, got := mustLook(t, gitConfig(), opts)
	require.NotEqual(t, want, got)
	require.Len(t, got["b.md"], 10_000)
}

// cutting breaks a reply off after some bytes.
type cutting struct {
	http.ResponseWriter
	left int
}

func (c *cutting) Write(p []byte) (int, error) {
	if len(p) > c.left {
		_, _ = c.ResponseWriter.Write(p[:c.left])
		panic(http.ErrAbortHandler)
	}
	c.left -= len(p)
	return c.ResponseWriter.Write(p)
}

// Folders that hold the same folder many times over make a tree that is far
// larger than the repository.
func TestGitTreeWithoutEnd(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	hash := r.tree(files{"a.md": "a"})
	for range 20 {
		var entries []object.TreeEntry
		for _, name := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			entries = append(entries, object.TreeEntry{Name: name, Mode: filemode.Dir, Hash: hash})
		}
		hash = r.put(plumbing.TreeObject, (&object.Tree{Entries: entries}).Encode)
	}
	c := object.Commit{TreeHash: hash, Message: "bomb"}
	require.NoError(t, r.st.SetReference(plumbing.NewHashReference("refs/heads/main", r.put(plumbing.CommitObject, c.Encode))))
	for _, pattern := range []string{"*", "*.txt"} { // with files that are taken, and with none
		s, err := source.New(source.Config{Kind: source.KindGit, Repository: r.dir, Include: []string{pattern}}, source.Options{Roots: []string{"/"}})
		require.NoError(t, err)
		s.SetMost(100)
		l, err := s.List(t.Context(), nil)
		require.NoError(t, err)
		require.False(t, l.Complete)
		require.Contains(t, l.Incomplete, "more than 100 files")
		require.NoError(t, l.Close())
	}
}

func TestTwoSyncsOfOneSourceDoNotMeet(t *testing.T) {
	t.Parallel()
	r := newRepo(t)
	r.commit("main", files{"a.md": "a"})
	h := serve(t, backend(t, r))
	opts := source.Options{Dir: t.TempDir(), Guard: h.guard}
	l, err := look(t, gitConfig(), opts)
	require.NoError(t, err)
	_, err = look(t, gitConfig(), opts)
	require.Equal(t, rag.CodeConflict, rag.ErrorCode(err))
	require.NoError(t, l.Close())
	_, err = look(t, gitConfig(), opts)
	require.NoError(t, err)
}
