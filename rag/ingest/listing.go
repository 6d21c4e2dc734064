package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/extract/archive"
)

// File is a file to ingest, on disk or in a ZIP archive.
type File struct {
	Path  string         // on disk, of the archive for a file in one
	URI   string         // relative to the root, with slashes; an archive counts as a folder
	entry *archive.Entry // in the archive, else nil
	fault error          // why it cannot be opened
}

// Listing is what Files found.
type Listing struct {
	Files   []File
	LeftOut []string // a sentence for each archive that holds files of other kinds

	archives []*archive.Archive
}

// Close closes the archives among the files.
func (l *Listing) Close() error {
	var errs []error
	for _, a := range l.archives {
		errs = append(errs, a.Close())
	}
	return errors.Join(errs...)
}

// Files lists the files named by paths, and those below the folders and in the
// ZIP archives among them, each with its URI relative to root, in the order of
// the URIs. Hidden files and folders and files of other formats are left out
// of folders; a file that is named itself is always taken. The listing must be
// closed. Errors: CodeInvalid, CodeNotFound.
func Files(root string, paths []string) (*Listing, error) {
	root, err := resolve(root)
	if err != nil {
		return nil, err
	}
	l := &Listing{}
	if err := l.walk(root, paths); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	slices.SortFunc(l.Files, func(a, b File) int { return strings.Compare(a.URI, b.URI) })
	l.Files = slices.CompactFunc(l.Files, func(a, b File) bool { return a.URI == b.URI && a.Path == b.Path })
	return l, nil
}

func (l *Listing) walk(root string, paths []string) error {
	add := func(p string) error {
		rel, err := filepath.Rel(root, p)
		if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
			return rag.Errorf(rag.CodeInvalid, "%s does not lie below the root folder %s. Name a --root that holds it.", p, root)
		}
		l.add(p, filepath.ToSlash(rel))
		return nil
	}
	for _, p := range paths {
		p, err := resolve(p)
		if err != nil {
			return err
		}
		err = filepath.WalkDir(p, func(at string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			hidden := at != p && (strings.HasPrefix(d.Name(), ".") || strings.HasPrefix(d.Name(), "~$")) // Word's locks
			switch {
			case d.IsDir() && hidden:
				return filepath.SkipDir
			case d.IsDir():
				return nil
			case at == p:
				return add(at)
			case hidden || !extract.Supported(at) && !archive.Is(at):
				return nil
			}
			return add(at)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// add takes a file, or what is in it when it is an archive.
func (l *Listing) add(p, uri string) {
	if !archive.Is(p) {
		l.Files = append(l.Files, File{Path: p, URI: uri})
		return
	}
	a, err := archive.OpenFile(p)
	if err != nil {
		l.Files = append(l.Files, File{Path: p, URI: uri, fault: err})
		return
	}
	l.archives = append(l.archives, a)
	if note := a.LeftOutNote(); note != "" {
		l.LeftOut = append(l.LeftOut, note)
	}
	for _, e := range a.Entries {
		l.Files = append(l.Files, File{Path: p, URI: uri + "/" + e.Path, entry: &e})
	}
}

// Read gives the bytes of the file. Errors: CodeInvalid, CodeTooLarge, and those
// of the file system.
func (f File) Read() ([]byte, error) {
	switch {
	case f.fault != nil:
		return nil, f.fault
	case f.entry != nil:
		return f.entry.Read()
	}
	info, err := os.Stat(f.Path)
	if err != nil {
		return nil, err
	}
	if info.Size() > extract.MaxBytes {
		return nil, rag.Errorf(rag.CodeTooLarge, "%s has %d MB; the limit for one file is %d MB.", f.URI, info.Size()>>20, extract.MaxBytes>>20)
	}
	return os.ReadFile(f.Path)
}

// resolve makes a path absolute and follows links in it, so that a linked
// folder is searched like any other.
func resolve(p string) (string, error) {
	abs, err := filepath.Abs(p)
	if err != nil {
		return "", err
	}
	linked, err := filepath.EvalSymlinks(abs)
	if errors.Is(err, fs.ErrNotExist) {
		return "", rag.WithCause(err, rag.CodeNotFound, "There is no file or folder %s.", p)
	}
	return linked, err
}
