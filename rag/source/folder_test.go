package source_test

import (
	"archive/zip"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/source"
)

// old is when files were written that are not being written any more.
var old = time.Date(2026, 1, 2, 3, 4, 5, 6, time.UTC)

func write(t *testing.T, dir, name, data string) {
	t.Helper()
	p := filepath.Join(dir, name)
	require.NoError(t, os.MkdirAll(filepath.Dir(p), 0o755))
	require.NoError(t, os.WriteFile(p, []byte(data), 0o600))
	require.NoError(t, os.Chtimes(p, old, old))
}

func folder(dir string) (source.Config, source.Options) {
	return source.Config{Kind: source.KindFolder, Path: dir}, source.Options{Roots: []string{dir}}
}

// A folder is followed over its life. T43: what was removed there is gone after
// the sync.
func TestFolderLife(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg, opts := folder(dir)
	cfg.Prefix, cfg.Exclude = "ops", []string{"drafts/", "*.html"}
	for name, data := range map[string]string{
		"a.md": "# A\n", "x/b.txt": "b\n", "x/.hidden.md": "no", ".git/c.md": "no", "~$lock.docx": "no", "drafts/d.md": "no", "e.html": "no", "f.go": "no", "y/g.md": "# G\n",
	} {
		write(t, dir, name, data)
	}
	l, read := mustLook(t, cfg, opts)
	require.Equal(t, map[string]string{"ops/a.md": "# A\n", "ops/x/b.txt": "b\n", "ops/y/g.md": "# G\n"}, read)
	require.True(t, l.Complete)
	require.Empty(t, l.Problems)
	require.Equal(t, 6, l.LeftOut)
	known := knows(l)

	write(t, dir, "a.md", "# A2\n")
	require.NoError(t, os.Rename(filepath.Join(dir, "x/b.txt"), filepath.Join(dir, "x/c.txt")))
	require.NoError(t, os.Remove(filepath.Join(dir, "y/g.md")))
	l, _ = mustLook(t, cfg, opts, known...)
	require.Equal(t, "-ops/y/g.md ops/x/b.txt>ops/x/c.txt ~ops/a.md", short(source.MakePlan(known, l, source.Limits{})))

	require.NoError(t, os.RemoveAll(dir))
	_, err := look(t, cfg, opts, known...)
	require.Equal(t, rag.CodeNotFound, rag.ErrorCode(err), "a folder that is not there is not an empty one")
	write(t, filepath.Dir(dir), filepath.Base(dir), "a file")
	_, err = look(t, cfg, opts, known...)
	require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
}

// Bytes are read again only when size or time have changed, or when the time is
// so new that it says nothing.
func TestFolderStamps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg, opts := folder(dir)
	write(t, dir, "a.md", "one")
	l, _ := mustLook(t, cfg, opts)
	known := knows(l)
	require.NotEmpty(t, known[0].Stamp)

	write(t, dir, "a.md", "two") // same size, same time: the stamp is believed
	l, err := look(t, cfg, opts, known...)
	require.NoError(t, err)
	require.Equal(t, known[0].Hash, l.Items[0].Hash)
	_, err = l.Items[0].Read(t.Context())
	require.Equal(t, rag.CodeConflict, rag.ErrorCode(err), "other bytes than those of the hash are never handed out")

	opts.Now = func() time.Time { return old.Add(time.Second) }
	l, _ = mustLook(t, cfg, opts, known...)
	require.NotEqual(t, known[0].Hash, l.Items[0].Hash)
	require.Empty(t, l.Items[0].Stamp)

	opts.Now = nil
	known = knows(l)
	l, _ = mustLook(t, cfg, opts, known...)
	require.NotEmpty(t, l.Items[0].Stamp, "the time has come to say something")
	require.Equal(t, "=a.md", short(source.MakePlan(known, l, source.Limits{})))
}

func TestFolderHostile(t *testing.T) {
	t.Parallel()
	outside := t.TempDir()
	write(t, outside, "secret.md", "secret")
	dir := t.TempDir()
	cfg, opts := folder(dir)
	write(t, dir, "good.md", "# Good\n")
	write(t, dir, "..data/real.md", "# Mounted\n") // as in a mounted ConfigMap
	write(t, dir, "sub/x.md", "# X\n")
	write(t, dir, "lfs.pdf", pointer)
	write(t, dir, "bad\x01name.md", "x")
	write(t, dir, "bad\xffname.md", "x")
	write(t, dir, strings.Repeat("deep/", 70)+"x.md", "x")
	write(t, dir, "huge.md", "")
	require.NoError(t, os.Truncate(filepath.Join(dir, "huge.md"), extract.MaxBytes+1))
	for name, target := range map[string]string{
		"mounted.md": "..data/real.md", "out.md": filepath.Join(outside, "secret.md"), "up.md": "../" + filepath.Base(outside) + "/secret.md",
		"folder.md": "sub", "outside": outside, "broken.md": "nowhere.md", "loop.md": "loop.md", "passwd.txt": "/etc/passwd",
	} {
		require.NoError(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pipe.md"), 0o600))
	l, read := mustLook(t, cfg, opts)
	require.Equal(t, map[string]string{"good.md": "# Good\n", "mounted.md": "# Mounted\n", "sub/x.md": "# X\n"}, read)
	require.True(t, l.Complete)
	out := told(l)
	for _, want := range []string{
		"huge.md: huge.md has 50 MB", "lfs.pdf: lfs.pdf is kept in Git LFS", "out.md: The link", "up.md: The link", "outside: The link",
		"broken.md: The link broken.md leads nowhere", "loop.md: The link", "passwd.txt: The link", "bad\ufffdname.md: A file or folder", "lies more than 64 folders deep",
	} {
		require.Contains(t, out, want)
	}
	require.Len(t, l.Problems, 11)
	known := []source.Known{live("outside/a.md", "1"), live("huge.md", "2"), live(strings.Repeat("deep/", 70)+"x.md", "3"), live("gone.md", "4")}
	require.Contains(t, short(source.MakePlan(known, l, source.Limits{})), "-gone.md ?"+known[2].URI+" ?huge.md ?outside/a.md")
}

func TestFolderRoots(t *testing.T) {
	t.Parallel()
	root, other := t.TempDir(), t.TempDir()
	write(t, root, "in/a.md", "a")
	write(t, other, "a.md", "a")
	require.NoError(t, os.Symlink(other, filepath.Join(root, "out")))
	require.NoError(t, os.Symlink(filepath.Join(root, "in"), filepath.Join(root, "again")))
	for p, want := range map[string]bool{
		root: true, root + "/in": true, root + "/again": true, root + "/in/../in/": true,
		root + "/out": false, root + "/..": false, root + "x": false, other: false, "/etc": false, root + "/../../etc": false, "/nowhere": false,
	} {
		_, err := look(t, source.Config{Kind: source.KindFolder, Path: p}, source.Options{Roots: []string{root}})
		if want {
			require.NoError(t, err, p)
			continue
		}
		require.Contains(t, rag.ErrorMessage(err), "Ask the operator", p)
	}
	_, err := look(t, source.Config{Kind: source.KindFolder, Path: root}, source.Options{})
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
}

func TestFolderUnreadable(t *testing.T) {
	t.Parallel()
	if os.Geteuid() == 0 {
		t.Skip("root may read everything")
	}
	dir := t.TempDir()
	cfg, opts := folder(dir)
	write(t, dir, "a.md", "a")
	write(t, dir, "x/b.md", "b")
	write(t, dir, "y/c.md", "c")
	l, _ := mustLook(t, cfg, opts)
	known := knows(l)
	write(t, dir, "a.md", "a2")
	require.NoError(t, os.Chmod(filepath.Join(dir, "a.md"), 0))
	require.NoError(t, os.Chmod(filepath.Join(dir, "x"), 0))
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "x"), fs.ModePerm) })
	l, _ = mustLook(t, cfg, opts, known...)
	require.Equal(t, "=y/c.md ?a.md ?x/b.md", short(source.MakePlan(known, l, source.Limits{})))
}

func TestFolderArchives(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg, opts := folder(dir)
	pack := func(name string, content map[string]string) {
		f, err := os.Create(filepath.Join(dir, name))
		require.NoError(t, err)
		z := zip.NewWriter(f)
		for p, data := range content {
			w, err := z.Create(p)
			require.NoError(t, err)
			_, err = w.Write([]byte(data))
			require.NoError(t, err)
		}
		require.NoError(t, z.Close())
		require.NoError(t, f.Close())
	}
	pack("all.zip", map[string]string{"a.md": "# A\n", "../../b.md": "# B\n", "c.go": "no"})
	l, read := mustLook(t, cfg, opts)
	require.Equal(t, map[string]string{"all.zip/a.md": "# A\n", "all.zip/b.md": "# B\n"}, read)
	require.Equal(t, 1, l.LeftOut)
	known := knows(l)
	pack("all.zip", map[string]string{"a.md": "# A\n", "new/b.md": "# B\n"})
	l, _ = mustLook(t, cfg, opts, known...)
	require.Equal(t, "=all.zip/a.md all.zip/b.md>all.zip/new/b.md", short(source.MakePlan(known, l, source.Limits{})))
	write(t, dir, "all.zip", "PK broken")
	l, _ = mustLook(t, cfg, opts, known...)
	require.Equal(t, "?all.zip/a.md ?all.zip/b.md", short(source.MakePlan(known, l, source.Limits{})), told(l))
}

func TestListingThatIsStopped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cfg, opts := folder(dir)
	for _, name := range []string{"a.md", "b.md", "c.md"} {
		write(t, dir, name, name)
	}
	s, err := source.New(cfg, opts)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	l, err := s.List(ctx, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Nil(t, l)

	s.SetMost(2)
	l, err = s.List(t.Context(), nil)
	require.NoError(t, err)
	require.False(t, l.Complete)
	require.Len(t, l.Items, 2)
	require.Equal(t, "=a.md =b.md ?c.md ?d.md", short(source.MakePlan([]source.Known{
		live("a.md", l.Items[0].Hash), live("b.md", l.Items[1].Hash), live("c.md", "c"), live("d.md", "d"),
	}, l, source.Limits{})))
	require.NoError(t, l.Close())
}
