package source

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/source/guard"
)

// Options are what the operator of the server lets sources do. The zero value
// lets them fetch public web pages and repositories only.
type Options struct {
	// Dir is a folder for this source alone, in which repositories and pages
	// are kept between two syncs. It is made when it is not there, and may be
	// removed at any time between syncs. Not needed for what lies on the server.
	Dir string
	// Roots are the folders of the server below which a folder or a local
	// repository may lie. None lets none.
	Roots []string
	// SSH lets repositories be fetched over ssh with the keys of the server's
	// user, or one from Config.SecretEnv, from hosts its known_hosts names.
	SSH bool
	// Guard judges the addresses that are fetched; see guard.Guard.Private for
	// hosts in the organisation's own network.
	Guard guard.Guard
	// Env reads an environment variable. Nil means os.Getenv.
	Env func(name string) string
	// Now is the clock. Nil means time.Now.
	Now func() time.Time
}

// Source is a place where documents come from.
type Source struct {
	cfg  Config
	opts Options
	most int // items of a listing
}

// New makes a source of a configuration, which it validates. Errors:
// CodeInvalid, also for what the options do not let it do.
func New(cfg Config, opts Options) (*Source, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if err := opts.Guard.Check(); err != nil {
		return nil, err
	}
	if opts.Env == nil {
		opts.Env = os.Getenv
	}
	if opts.Now == nil {
		opts.Now = time.Now
	}
	cached := cfg.Kind == KindWeb
	if cfg.Kind == KindGit {
		r, err := parseRepository(cfg.Repository)
		if err != nil {
			return nil, err
		}
		if r.scheme == schemeSSH && !opts.SSH {
			return nil, rag.Errorf(rag.CodeInvalid, "Repositories are not fetched over ssh on this server. Use its https address, or ask the operator of the server to allow ssh.")
		}
		cached = r.scheme != schemeLocal
	}
	if cached && opts.Dir == "" {
		return nil, rag.Errorf(rag.CodeInvalid, "The source needs a folder on the server to keep what it fetched.")
	}
	return &Source{cfg: cfg, opts: opts, most: MaxItems}, nil
}

// Config is the configuration of the source.
func (s *Source) Config() Config { return s.cfg }

// List looks at everything there. What is known from the last sync saves
// reading: bytes whose stamp is still the same are not read again. The listing
// must be closed after its items were read. Errors are those that leave nothing
// to go by, so that nothing may be concluded: CodeNotFound (no such folder,
// repository, branch), CodeInvalid (not allowed, refused, wrong password),
// CodeTooLarge, CodeUnavailable (not reachable), and that of the context.
func (s *Source) List(ctx context.Context, known []Known) (*Listing, error) {
	byURI := make(map[string]Known, len(known))
	for _, k := range known {
		byURI[k.URI] = k
	}
	l := &Listing{most: s.most}
	var err error
	switch s.cfg.Kind {
	case KindFolder:
		err = s.listFolder(ctx, byURI, l)
	case KindGit:
		err = s.listGit(ctx, byURI, l)
	default:
		err = s.listWeb(ctx, l)
	}
	if err == nil {
		err = ctx.Err()
	}
	if errors.Is(err, errBroken) {
		err = rag.WithCause(err, rag.CodeUnavailable, "The repository is damaged: some of what its newest commit holds cannot be read. Nothing was removed.")
	}
	if err != nil {
		return nil, closeAfter(err, l)
	}
	return l.finish(), nil
}

// closeAfter closes a listing that came to nothing; its error goes to the log
// with the cause, which keeps its sentence.
func closeAfter(err error, l *Listing) error {
	closing := l.Close()
	if closing == nil {
		return err
	}
	return errors.Join(err, closing)
}

// permit resolves a path on the server and checks that it lies below one of
// the roots. Errors: CodeNotFound, CodeInvalid.
func (s *Source) permit(p string) (string, error) {
	// Whether something exists outside of the roots is nobody's business, so
	// the words are judged before the disk is asked.
	refused := rag.Errorf(rag.CodeInvalid, "The folder %s does not lie in a folder of the server that sources may be read from. Ask the operator of the server to allow it.", p)
	if !s.rooted(filepath.Clean(p)) {
		return "", refused
	}
	actual, err := filepath.EvalSymlinks(filepath.Clean(p))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", rag.WithCause(err, rag.CodeNotFound, "There is no folder %s on the server. If it is on a disk of its own, check that it is mounted.", p)
	case err != nil:
		return "", rag.WithCause(err, rag.CodeUnavailable, "The folder %s cannot be opened. Check that the server may read it.", p)
	case !s.rooted(actual):
		return "", refused
	}
	return actual, nil
}

// rooted says whether a clean path lies at or below a root, as written or with
// its links followed.
func (s *Source) rooted(p string) bool {
	for _, root := range s.opts.Roots {
		roots := []string{filepath.Clean(root)}
		if followed, err := filepath.EvalSymlinks(root); err == nil {
			roots = append(roots, followed)
		}
		for _, r := range roots {
			if rel, err := filepath.Rel(r, p); err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
				return true
			}
		}
	}
	return false
}

// under puts the prefix before a path.
func (c Config) under(p string) string {
	if c.Prefix == "" {
		return p
	}
	return strings.TrimSuffix(c.Prefix, "/") + "/" + p
}

// excludedFolder says whether nothing below a folder can be chosen.
func (c Config) excludedFolder(dir string) bool {
	for _, p := range c.Exclude {
		if Match(strings.TrimSuffix(p, "/"), dir) {
			return true
		}
	}
	return false
}
