package source

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"
	"time"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/extract/archive"
)

// settled is how old a change of a file must be for its time to tell it from
// the next one: the clocks of file systems tick in up to two seconds.
const settled = 2 * time.Second

// maxDepth is how many folders deep is looked.
const maxDepth = 64

// folder walks one folder. Everything is opened through os.Root, so no link,
// not even one that is put there meanwhile, leads out of it.
type folder struct {
	cfg   Config
	root  *os.Root
	known map[string]Known
	now   time.Time
	l     *Listing
}

func (s *Source) listFolder(ctx context.Context, known map[string]Known, l *Listing) error {
	actual, err := s.permit(s.cfg.Path)
	if err != nil {
		return err
	}
	root, err := os.OpenRoot(actual)
	if err != nil {
		return s.unreadable(err)
	}
	l.closers = append(l.closers, root.Close)
	w := folder{cfg: s.cfg, root: root, known: known, now: s.opts.Now(), l: l}
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return s.unreadable(err)
	}
	_, err = w.entries(ctx, "", entries, 1)
	return err
}

func (s *Source) unreadable(err error) error {
	return rag.WithCause(err, rag.CodeUnavailable, "The folder %s cannot be read. Check that it is a folder and that the server may read it.", s.cfg.Path)
}

// entries takes what is in a folder. It returns false when the listing is full;
// the error is that of the context.
func (w *folder) entries(ctx context.Context, dir string, entries []fs.DirEntry, depth int) (bool, error) {
	for _, e := range entries {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		rel := path.Join(dir, e.Name())
		if hidden(e.Name()) {
			w.l.LeftOut++
			continue
		}
		if !validURI(w.cfg.under(rel)) {
			w.l.problem(clean(w.cfg.under(rel)), nil, "A file or folder in %q has a name that is too long or no text. Rename it.", clean(dir))
			continue
		}
		more, err := true, error(nil)
		switch {
		case e.IsDir():
			more, err = w.folder(ctx, rel, depth)
		case e.Type()&fs.ModeSymlink != 0:
			more = w.link(rel)
		case e.Type().IsRegular():
			more = w.file(rel)
		default: // a device, a pipe, a socket
			w.l.LeftOut++
		}
		if err != nil || !more {
			return more, err
		}
	}
	return true, nil
}

func (w *folder) folder(ctx context.Context, rel string, depth int) (bool, error) {
	if w.cfg.excludedFolder(rel) {
		w.l.LeftOut++
		return true, nil
	}
	uri := w.cfg.under(rel)
	if depth >= maxDepth {
		w.l.problem(uri, nil, "The folder %s lies more than %d folders deep and is not looked into.", rel, maxDepth).Below = true
		return true, nil
	}
	entries, err := fs.ReadDir(w.root.FS(), rel)
	if err != nil {
		w.l.problem(uri, err, "The folder %s cannot be read. Check that the server may read it.", rel).Below = true
		return true, nil
	}
	return w.entries(ctx, rel, entries, depth+1)
}

// link takes a link to a file in the folder, like those a mounted ConfigMap is
// made of. Links to folders are not followed: what is in them is listed where
// it lies.
func (w *folder) link(rel string) bool {
	info, err := w.root.Stat(rel)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		w.l.problem(w.cfg.under(rel), err, "The link %s leads nowhere.", rel).Below = true
	case err != nil:
		w.l.problem(w.cfg.under(rel), err, "The link %s leads out of the folder, or cannot be followed, and was left out.", rel).Below = true
	case info.Mode().IsRegular():
		return w.file(rel)
	default:
		w.l.LeftOut++
	}
	return true
}

func (w *folder) file(rel string) bool {
	if !w.cfg.chosen(rel) || !extract.Supported(rel) && !archive.Is(rel) {
		w.l.LeftOut++
		return true
	}
	uri := w.cfg.under(rel)
	info, err := w.root.Stat(rel)
	if err != nil {
		w.l.fault(uri, err).Below = true
		return true
	}
	stamp := w.stamp(info)
	if archive.Is(rel) {
		return w.archive(rel, stamp)
	}
	it := Item{
		URI: uri, Name: path.Base(rel), Size: info.Size(), Stamp: stamp, Modified: info.ModTime(),
	}
	if k, ok := w.known[uri]; ok && stamp != "" && k.Stamp == stamp && k.Hash != "" {
		it.Hash = k.Hash
	} else if it.Size <= extract.MaxBytes {
		data, err := w.read(rel)
		switch {
		case err != nil:
			w.l.fault(uri, err)
			return true
		case int64(len(data)) != it.Size || w.changed(rel, info):
			w.l.problem(uri, nil, "%s is being written. The next sync takes it.", path.Base(rel))
			return true
		case isPointer(data):
			w.l.problem(uri, nil, pointerNote, path.Base(rel))
			return true
		}
		it.Hash = hashOf(data)
	}
	it.read = func(context.Context) ([]byte, error) {
		data, err := w.read(rel)
		if err == nil && hashOf(data) != it.Hash {
			return nil, moved(it)
		}
		return data, err
	}
	return w.l.add(it)
}

// moved says that a file is no longer the one that was listed.
func moved(it Item) error {
	return rag.Errorf(rag.CodeConflict, "%s changed after it was listed. The next sync takes it.", path.Base(it.URI))
}

// stamp is the size and the time of the last change, "" for a change so new
// that another one may follow at the same time.
func (w *folder) stamp(info fs.FileInfo) string {
	if w.now.Sub(info.ModTime()) < settled {
		return ""
	}
	return fmt.Sprintf("%d %d", info.Size(), info.ModTime().UnixNano())
}

func (w *folder) changed(rel string, before fs.FileInfo) bool {
	after, err := w.root.Stat(rel)
	return err != nil || after.Size() != before.Size() || !after.ModTime().Equal(before.ModTime())
}

// open opens a regular file. A pipe that took its place meanwhile neither
// blocks nor is read.
func (w *folder) open(rel string) (*os.File, fs.FileInfo, error) {
	f, err := w.root.OpenFile(rel, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = rag.Errorf(rag.CodeConflict, "%s is no file any more.", path.Base(rel))
	}
	if err != nil {
		return nil, nil, errors.Join(err, f.Close())
	}
	return f, info, nil
}

func (w *folder) read(rel string) ([]byte, error) {
	f, info, err := w.open(rel)
	if err != nil {
		return nil, err
	}
	var buf bytes.Buffer
	buf.Grow(int(min(info.Size(), extract.MaxBytes)) + bytes.MinRead)
	_, err = buf.ReadFrom(io.LimitReader(f, extract.MaxBytes+1))
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if buf.Len() > extract.MaxBytes {
		return nil, rag.Errorf(rag.CodeTooLarge, "%s has more than %d MB. Divide it into several files.", path.Base(rel), extract.MaxBytes>>20)
	}
	return buf.Bytes(), nil
}

// archive takes the documents in a ZIP file, which stays open until the listing
// is closed.
func (w *folder) archive(rel, stamp string) bool {
	f, info, err := w.open(rel)
	if err != nil {
		w.l.fault(w.cfg.under(rel), err).Below = true
		return true
	}
	w.l.closers = append(w.l.closers, f.Close)
	return w.l.unpack(packed{
		uri: w.cfg.under(rel), stamp: stamp, modified: info.ModTime(),
		open: func() (*archive.Archive, error) { return archive.OpenAt(path.Base(rel), f, info.Size()) },
	})
}
