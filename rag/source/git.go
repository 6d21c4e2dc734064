package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/gofrs/flock"

	"passage/rag"
)

// store holds the objects of a repository. go-git's is not made for several
// readers at once, so they take turns.
type store struct {
	mu sync.Mutex
	*filesystem.Storage
}

// openStore opens a folder of git's own, bare or ".git". Nothing that lies
// there leads out of it.
func openStore(dir string) *store {
	fs := osfs.New(dir, osfs.WithBoundOS())
	return &store{Storage: filesystem.NewStorageWithOptions(fs, cache.NewObjectLRU(16*cache.MiByte), filesystem.Options{KeepDescriptors: true})}
}

// tip is the commit that a branch stands at.
type tip struct {
	commit plumbing.Hash
	branch string // "" when not known
}

func (s *Source) listGit(ctx context.Context, known map[string]Known, l *Listing) error {
	r, err := parseRepository(s.cfg.Repository)
	if err != nil {
		return err
	}
	if r.scheme == schemeLocal {
		return s.listLocal(ctx, r, known, l)
	}
	if err := os.MkdirAll(s.opts.Dir, 0o700); err != nil {
		return fmt.Errorf("make the folder for a repository: %w", err)
	}
	lock := flock.New(filepath.Join(s.opts.Dir, "lock"))
	ok, err := lock.TryLock()
	switch {
	case err != nil:
		return fmt.Errorf("lock the folder for a repository: %w", err)
	case !ok:
		return rag.Errorf(rag.CodeConflict, "The repository is being read by another sync. Wait for its end.")
	}
	l.closers = append(l.closers, lock.Unlock)
	st, at, fresh, err := s.fetch(ctx, r, false)
	if err != nil {
		return err
	}
	err = s.walk(ctx, r, st, at, known, l)
	if errors.Is(err, errBroken) && !fresh {
		// What was kept from the last sync cannot be read: it is made anew.
		if err := st.Close(); err != nil {
			return fmt.Errorf("close a broken repository: %w", err)
		}
		*l = Listing{closers: l.closers, most: s.most}
		if st, at, _, err = s.fetch(ctx, r, true); err != nil {
			return err
		}
		err = s.walk(ctx, r, st, at, known, l)
	}
	l.closers = append(l.closers, st.Close)
	return err
}

// listLocal reads a repository on the server where it lies.
func (s *Source) listLocal(ctx context.Context, r repository, known map[string]Known, l *Listing) error {
	actual, err := s.permit(r.path)
	if err != nil {
		return err
	}
	dir := filepath.Join(actual, ".git")
	if info, err := os.Lstat(dir); err != nil || !info.IsDir() {
		dir = actual
	}
	for _, part := range []string{"HEAD", "objects"} {
		if _, err := os.Lstat(filepath.Join(dir, part)); err != nil {
			return rag.WithCause(err, rag.CodeNotFound, "There is no git repository at %s. Name the folder that holds .git, or a bare repository.", r)
		}
	}
	st := openStore(dir)
	l.closers = append(l.closers, st.Close)
	at, err := s.localTip(st)
	if err != nil {
		return err
	}
	return s.walk(ctx, r, st, at, known, l)
}

func (s *Source) localTip(st *store) (tip, error) {
	name := plumbing.HEAD
	if s.cfg.Branch != "" {
		name = plumbing.NewBranchReferenceName(s.cfg.Branch)
	}
	ref, err := storer.ResolveReference(st, name)
	if err == nil {
		return tip{ref.Hash(), branchOf(ref.Name())}, nil
	}
	if !errors.Is(err, plumbing.ErrReferenceNotFound) {
		return tip{}, fmt.Errorf("read the branches of a repository: %w", err)
	}
	refs, err := st.IterReferences()
	if err != nil {
		return tip{}, fmt.Errorf("read the branches of a repository: %w", err)
	}
	var branches []string
	err = refs.ForEach(func(ref *plumbing.Reference) error {
		if b := branchOf(ref.Name()); b != "" {
			branches = append(branches, b)
		}
		return nil
	})
	if err != nil {
		return tip{}, fmt.Errorf("read the branches of a repository: %w", err)
	}
	return tip{}, s.noBranch(branches)
}

func branchOf(name plumbing.ReferenceName) string {
	if !name.IsBranch() {
		return ""
	}
	return name.Short()
}

// noBranch says that the branch is not there, and which are.
func (s *Source) noBranch(branches []string) error {
	if len(branches) == 0 {
		return rag.Errorf(rag.CodeNotFound, "The repository has no commits yet. Push some, and sync again.")
	}
	slices.Sort(branches)
	if len(branches) > 8 {
		branches = append(branches[:8], "…")
	}
	list := clean(strings.Join(branches, ", "))
	if s.cfg.Branch == "" {
		return rag.Errorf(rag.CodeNotFound, "The repository does not say which branch is its own. Name one of: %s.", list)
	}
	return rag.Errorf(rag.CodeNotFound, "The repository has no branch %q. It has: %s. Nothing was removed.", s.cfg.Branch, list)
}

// where is the path in the repository of a path below the folder of the source.
func (c Config) where(rel string) string { return path.Join(strings.TrimSuffix(c.Folder, "/"), rel) }
