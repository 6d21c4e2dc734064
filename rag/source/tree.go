package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"
	"github.com/go-git/go-git/v5/plumbing/object"

	"passage/rag"
	"passage/rag/extract"
)

// errBroken says that objects which must be there are missing or damaged.
var errBroken = errors.New("the repository is broken")

// entriesPerItem is how many entries of folders are looked at for each item that
// a listing may have: a few folders that hold each other in turn can make a tree
// without end.
const entriesPerItem = 10

// tree walks the files of a commit.
type tree struct {
	cfg      Config
	st       *store
	known    map[string]Known
	l        *Listing
	template string
	at       tip
	when     time.Time
	seen     int
}

// walk lists the files of a commit. Errors: CodeNotFound (no such folder),
// errBroken, and that of the context.
func (s *Source) walk(ctx context.Context, r repository, st *store, at tip, known map[string]Known, l *Listing) error {
	st.mu.Lock()
	defer st.mu.Unlock()
	commit, err := object.GetCommit(st, at.commit)
	if err != nil {
		return broken(err)
	}
	t := tree{cfg: s.cfg, st: st, known: known, l: l, template: s.cfg.linkTemplate(r), at: at, when: commit.Committer.When}
	l.Revision = at.commit.String()
	root := commit.TreeHash
	for part := range strings.SplitSeq(strings.TrimSuffix(s.cfg.Folder, "/"), "/") {
		if part == "" {
			continue
		}
		if root, err = t.step(root, part); err != nil {
			return err
		}
	}
	_, err = t.folder(ctx, root, "", 1)
	return err
}

func broken(err error) error { return fmt.Errorf("%w: %w", errBroken, err) }

// step finds a folder in a folder.
func (t *tree) step(in plumbing.Hash, name string) (plumbing.Hash, error) {
	dir, err := object.GetTree(t.st, in)
	if err != nil {
		return plumbing.ZeroHash, broken(err)
	}
	for _, e := range dir.Entries {
		if e.Name == name && e.Mode == filemode.Dir {
			return e.Hash, nil
		}
	}
	return plumbing.ZeroHash, rag.Errorf(rag.CodeNotFound, "The repository has no folder %s at its newest commit. Nothing was removed; check the folder and the branch.", t.cfg.Folder)
}

// folder takes what is in a folder. It returns false when the listing is full.
func (t *tree) folder(ctx context.Context, hash plumbing.Hash, rel string, depth int) (bool, error) {
	dir, err := object.GetTree(t.st, hash)
	if err != nil {
		return false, broken(err)
	}
	for _, e := range dir.Entries {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if t.seen++; t.seen > entriesPerItem*t.l.most {
			t.l.Incomplete = t.l.full()
			return false, nil
		}
		p := path.Join(rel, e.Name)
		switch {
		case hidden(e.Name):
			t.l.LeftOut++
			continue
		case e.Name == "" || strings.Contains(e.Name, "/") || !validURI(t.cfg.under(p)):
			t.l.problem(clean(t.cfg.under(p)), nil, "A file or folder in %q has a name that is too long or no text. Rename it.", clean(rel))
			continue
		}
		more, err := t.entry(ctx, e, p, depth)
		if err != nil || !more {
			return false, err
		}
	}
	return true, nil
}

func (t *tree) entry(ctx context.Context, e object.TreeEntry, rel string, depth int) (bool, error) {
	uri := t.cfg.under(rel)
	switch {
	case e.Mode == filemode.Dir && t.cfg.excludedFolder(rel):
		t.l.LeftOut++
	case e.Mode == filemode.Dir && depth >= maxDepth:
		t.l.problem(uri, nil, "The folder %s lies more than %d folders deep and is not looked into.", rel, maxDepth).Below = true
	case e.Mode == filemode.Dir:
		return t.folder(ctx, e.Hash, rel, depth+1)
	case e.Mode == filemode.Submodule:
		t.l.problem(uri, nil, "%s is a submodule. Its files belong to another repository; add that one as a source of its own.", rel).Gone = true
	case e.Mode == filemode.Symlink:
		return true, t.link(e, rel)
	case e.Mode.IsFile() && t.cfg.chosen(rel) && extract.Supported(rel):
		return t.file(e, rel)
	default:
		t.l.LeftOut++
	}
	return true, nil
}

// link leaves out a link: what it leads to is listed where it lies. One that
// leads out of the repository is told.
func (t *tree) link(e object.TreeEntry, rel string) error {
	target, err := t.blob(e.Hash, 4096)
	if err != nil && rag.ErrorCode(err) == rag.CodeInternal {
		return broken(err)
	}
	to := path.Join(path.Dir(t.cfg.where(rel)), string(target))
	if err == nil && !path.IsAbs(string(target)) && to != ".." && !strings.HasPrefix(to, "../") {
		t.l.LeftOut++
		return nil
	}
	t.l.problem(t.cfg.under(rel), nil, "The link %s leads out of the repository and was left out.", rel).Gone = true
	return nil
}

func (t *tree) file(e object.TreeEntry, rel string) (bool, error) {
	size, err := t.st.EncodedObjectSize(e.Hash)
	if err != nil {
		return false, broken(err)
	}
	it := Item{
		URI: t.cfg.under(rel), Name: path.Base(rel), Size: size, Hash: "git:" + e.Hash.String(),
		Revision: t.at.commit.String(), Modified: t.when,
	}
	if t.template != "" {
		it.Link = link(t.template, t.at.commit.String(), t.at.branch, t.cfg.where(rel))
	}
	if size < maxPointer && t.known[it.URI].Hash != it.Hash {
		data, err := t.blob(e.Hash, maxPointer)
		if err != nil {
			return false, broken(err)
		}
		if isPointer(data) {
			t.l.problem(it.URI, nil, pointerNote, path.Base(rel))
			return true, nil
		}
	}
	st := t.st
	it.read = func(context.Context) ([]byte, error) {
		st.mu.Lock()
		defer st.mu.Unlock()
		return (&tree{st: st}).blob(e.Hash, extract.MaxBytes)
	}
	return t.l.add(it), nil
}

// blob reads the bytes of a file. Errors: CodeTooLarge; those of the store.
func (t *tree) blob(hash plumbing.Hash, limit int64) ([]byte, error) {
	o, err := t.st.EncodedObject(plumbing.BlobObject, hash)
	if err != nil {
		return nil, err
	}
	if o.Size() > limit {
		return nil, rag.Errorf(rag.CodeTooLarge, "The file has more than %d MB.", limit>>20)
	}
	r, err := o.Reader()
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, limit))
	if err = errors.Join(err, r.Close()); err == nil && int64(len(data)) != o.Size() {
		err = io.ErrUnexpectedEOF
	}
	return data, err
}
