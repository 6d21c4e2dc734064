package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/sideband"
	"github.com/go-git/go-git/v5/plumbing/transport"
	githttp "github.com/go-git/go-git/v5/plumbing/transport/http"
	"github.com/go-git/go-git/v5/plumbing/transport/ssh"

	"passage/rag"
	"passage/rag/outbound"
	"passage/rag/source/guard"
)

// Limits of a fetch.
const (
	maxFetch   = 2 << 30 // bytes of one pack
	maxRefs    = 64 << 20
	maxPacks   = 8 // kept from earlier fetches, before all is fetched anew
	fetchTime  = 30 * time.Minute
	headerTime = 2 * time.Minute // a server packs before it answers
)

// kept is the name under which the commit of the last fetch is kept.
const kept = plumbing.ReferenceName("refs/passage/tip")

// fetch brings the branch's newest commit into the folder of the source and
// opens it. The first time only that commit is fetched, without history, later
// what came since. fresh says that nothing was kept from before. Errors as of List.
func (s *Source) fetch(outer context.Context, r repository, anew bool) (st *store, at tip, fresh bool, err error) {
	secrets := []string{r.password, r.user}
	defer func() {
		if err != nil {
			err = gitFault(outer, err, r, secrets)
		}
	}()
	ctx, cancel := context.WithTimeout(outer, fetchTime)
	defer cancel()
	session, more, err := s.connect(ctx, r)
	secrets = append(secrets, more...)
	if err != nil {
		return nil, tip{}, false, err
	}
	defer session.Close()
	refs, err := session.AdvertisedReferencesContext(ctx)
	if err != nil {
		return nil, tip{}, false, err
	}
	if at, err = s.remoteTip(refs); err != nil {
		return nil, tip{}, false, err
	}
	dir := filepath.Join(s.opts.Dir, "git")
	st, have, err := openKept(dir, anew)
	if err != nil {
		return nil, tip{}, false, err
	}
	if have != at.commit {
		err = download(ctx, session, refs, st, at.commit, have)
		if err != nil && !have.IsZero() && ctx.Err() == nil {
			// A server, or what is kept, may not bear the difference, or it is
			// larger than the whole.
			if err = st.Close(); err == nil {
				return s.fetch(outer, r, true)
			}
		}
		if err != nil {
			return nil, tip{}, false, errors.Join(err, st.Close())
		}
	}
	return st, at, have.IsZero(), nil
}

// openKept opens what was kept and tells its commit, zero when there is none.
// What cannot be read, or has grown out of shape, is removed.
func openKept(dir string, anew bool) (*store, plumbing.Hash, error) {
	st := openStore(dir)
	ref, err := st.Reference(kept)
	if err == nil && !anew {
		packs, errPacks := st.ObjectPacks()
		if errPacks == nil && len(packs) <= maxPacks && st.HasEncodedObject(ref.Hash()) == nil {
			return st, ref.Hash(), nil
		}
	}
	if err := errors.Join(st.Close(), os.RemoveAll(dir)); err != nil {
		return nil, plumbing.ZeroHash, fmt.Errorf("remove what was kept of a repository: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, plumbing.ZeroHash, fmt.Errorf("make the folder for a repository: %w", err)
	}
	st = openStore(dir)
	if err := st.Init(); err != nil {
		return nil, plumbing.ZeroHash, errors.Join(fmt.Errorf("make a repository: %w", err), st.Close())
	}
	return st, plumbing.ZeroHash, nil
}

// connect opens the way to the repository and gives the secrets that an error
// must not tell.
func (s *Source) connect(_ context.Context, r repository) (transport.UploadPackSession, []string, error) {
	var secrets []string
	secret := ""
	if s.cfg.SecretEnv != "" {
		if secret = strings.TrimSpace(s.opts.Env(s.cfg.SecretEnv)); secret == "" {
			return nil, nil, rag.Errorf(rag.CodeInvalid, "The variable %s, which holds the secret for the repository, is not set on the server. Set it, or take it out of the source.", s.cfg.SecretEnv)
		}
		secrets = append(secrets, secret)
	}
	ep := &transport.Endpoint{Protocol: r.url.Scheme, Host: r.url.Hostname(), Path: r.url.Path}
	if strings.Contains(ep.Host, ":") {
		ep.Host = "[" + ep.Host + "]"
	}
	if port := r.url.Port(); port != "" {
		if _, err := fmt.Sscanf(port, "%d", &ep.Port); err != nil {
			return nil, nil, rag.WithCause(err, rag.CodeInvalid, "The port of the repository's address is no number.")
		}
	}
	if r.scheme == schemeSSH {
		session, err := connectSSH(ep, r, secret)
		return session, secrets, err
	}
	client := &http.Client{
		Transport: capped{s.opts.Guard.Transport(headerTime)},
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > 5 {
				return rag.Errorf(rag.CodeInvalid, "The repository's address leads from one place to the next. Use the one where it is.")
			}
			return guard.CheckParsed(req.URL)
		},
	}
	var auth transport.AuthMethod
	user, password := r.user, r.password
	if secret != "" {
		var ok bool
		if user, password, ok = strings.Cut(secret, ":"); !ok {
			user, password = r.user, secret
		}
		secrets = append(secrets, password)
	}
	if password != "" && user == "" {
		user = "oauth2" // where only the token counts, any name is taken
	}
	if user != "" {
		auth = &githttp.BasicAuth{Username: user, Password: password}
	}
	session, err := githttp.NewClient(client).NewUploadPackSession(ep, auth)
	return session, secrets, err
}

// connectSSH uses the key of the secret or the agent of the server's user. The
// host must be among that user's known hosts.
func connectSSH(ep *transport.Endpoint, r repository, secret string) (transport.UploadPackSession, error) {
	user := r.user
	if user == "" {
		user = "git"
	}
	ep.User = user
	var auth transport.AuthMethod
	var err error
	switch {
	case strings.HasPrefix(secret, "-----BEGIN"):
		auth, err = ssh.NewPublicKeys(user, []byte(secret+"\n"), "")
	case secret != "":
		auth = &ssh.Password{User: user, Password: secret}
	case r.password != "":
		auth = &ssh.Password{User: user, Password: r.password}
	default:
		auth, err = ssh.NewSSHAgentAuth(user)
	}
	if err != nil {
		return nil, rag.WithCause(errors.New("ssh key"), rag.CodeInvalid, "There is no usable ssh key for the repository. Give the server's user an agent with a key, or put a private key without a passphrase into the variable of the secret.")
	}
	return ssh.NewClient(nil).NewUploadPackSession(ep, auth)
}

// remoteTip finds the branch among what the server offers.
func (s *Source) remoteTip(refs *packp.AdvRefs) (tip, error) {
	const heads = "refs/heads/"
	if s.cfg.Branch != "" {
		if h, ok := refs.References[heads+s.cfg.Branch]; ok {
			return tip{h, s.cfg.Branch}, nil
		}
	} else if refs.Head != nil {
		at := tip{commit: *refs.Head}
		for _, sym := range refs.Capabilities.Get(capability.SymRef) {
			if b, ok := strings.CutPrefix(sym, "HEAD:"+heads); ok {
				at.branch = b
			}
		}
		return at, nil
	}
	var branches []string
	for name := range refs.References {
		if b, ok := strings.CutPrefix(name, heads); ok {
			branches = append(branches, b)
		}
	}
	return tip{}, s.noBranch(branches)
}

// download fetches a commit with all its files and no history, or, when a commit
// is there, what came after that one.
//
// To ask for the newest commit alone every time would bring all files anew: a
// server leaves out what a shallow clone has only in packs that lack the bases
// of their differences, which go-git does not read. After a push by force what
// came since can be the whole history, so it is given up when it is larger than
// what is there.
func download(ctx context.Context, session transport.UploadPackSession, refs *packp.AdvRefs, st *store, want, have plumbing.Hash) (err error) {
	req := packp.NewUploadPackRequest()
	for _, c := range []capability.Capability{capability.OFSDelta, capability.NoProgress, capability.Shallow, capability.Sideband64k} {
		if refs.Capabilities.Supports(c) {
			if err := req.Capabilities.Set(c); err != nil {
				return err
			}
		}
	}
	req.Wants = []plumbing.Hash{want}
	shallow := req.Capabilities.Supports(capability.Shallow)
	limit := int64(maxFetch)
	switch {
	case !have.IsZero():
		req.Haves = []plumbing.Hash{have}
		if shallow {
			if req.Shallows, err = st.Shallow(); err != nil {
				return err
			}
		}
		if limit, err = st.size(); err != nil {
			return err
		}
	case shallow:
		req.Depth = packp.DepthCommits(1)
	}
	resp, err := session.UploadPack(ctx, req)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, resp.Close()) }()
	var pack io.Reader = resp
	if req.Capabilities.Supports(capability.Sideband64k) {
		pack = sideband.NewDemuxer(sideband.Sideband64k, resp)
	}
	if err := packfile.UpdateObjectStorage(st, &limited{pack, limit}); err != nil {
		return err
	}
	if shallow && have.IsZero() {
		if err := st.SetShallow([]plumbing.Hash{want}); err != nil {
			return err
		}
	}
	return st.SetReference(plumbing.NewHashReference(kept, want))
}

// minDifference is how many bytes a difference may always have.
const minDifference = 4 << 20

// size is how many bytes of packs are kept, at least minDifference.
func (st *store) size() (int64, error) {
	packs, err := st.Filesystem().ReadDir("objects/pack")
	if err != nil {
		return 0, err
	}
	sum := int64(0)
	for _, p := range packs {
		sum += p.Size()
	}
	return max(sum, minDifference), nil
}

// limited reads at most left bytes; more is an error, not an end.
type limited struct {
	r    io.Reader
	left int64
}

func (l *limited) Read(p []byte) (int, error) {
	if l.left <= 0 {
		return 0, rag.Errorf(rag.CodeTooLarge, "The server sends more than is taken at once (%d MB). Use a smaller repository.", int64(maxFetch)>>20)
	}
	n, err := l.r.Read(p[:min(int64(len(p)), l.left)])
	l.left -= int64(n)
	return n, err
}

// capped keeps replies that are read into memory small.
type capped struct{ next http.RoundTripper }

func (c capped) RoundTrip(req *http.Request) (*http.Response, error) {
	resp, err := c.next.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	limit := int64(maxFetch)
	switch {
	case resp.StatusCode >= http.StatusMultipleChoices:
		limit = 64 << 10
	case strings.HasSuffix(req.URL.Path, "/info/refs"):
		limit = maxRefs
	}
	resp.Body = struct {
		io.Reader
		io.Closer
	}{&limited{resp.Body, limit}, resp.Body}
	return resp, nil
}

// gitFault gives an error its sentence. What the transport says may quote the
// address with what is secret in it, so the cause is kept as scrubbed text.
func gitFault(ctx context.Context, err error, r repository, secrets []string) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	for {
		var unexpected *plumbing.UnexpectedError
		if !errors.As(err, &unexpected) || unexpected.Err == nil {
			break
		}
		err = unexpected.Err
	}
	var own *rag.Error
	if errors.As(err, &own) {
		return own
	}
	cause := errors.New(scrub(err.Error(), secrets))
	switch {
	case errors.Is(err, transport.ErrAuthenticationRequired), errors.Is(err, transport.ErrAuthorizationFailed):
		return rag.WithCause(cause, rag.CodeInvalid, "The server of %s does not let this be read: the user, the password or the token is missing or wrong, or there is no such repository.", r)
	case errors.Is(err, transport.ErrRepositoryNotFound):
		return rag.WithCause(cause, rag.CodeNotFound, "There is no repository %s, or it needs a password or token. Check the address.", r)
	case errors.Is(err, transport.ErrEmptyRemoteRepository):
		return rag.WithCause(cause, rag.CodeNotFound, "The repository has no commits yet. Push some, and sync again.")
	case errors.Is(err, context.DeadlineExceeded):
		return rag.WithCause(cause, rag.CodeUnavailable, "The server of %s took too long. Sync again later.", r)
	case errors.Is(err, os.ErrPermission), errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("keep a repository: %w", cause)
	}
	if e := outbound.FromNetwork(err); e.Kind == outbound.KindTimeout {
		return rag.WithCause(cause, rag.CodeUnavailable, "The server of %s took too long. Sync again later.", r)
	}
	return rag.WithCause(cause, rag.CodeUnavailable, "The repository %s cannot be fetched: its server cannot be reached or does not answer as one of git. Check the address, and sync again later.", r)
}

// scrub takes secrets out of a text, and cuts it short.
func scrub(text string, secrets []string) string {
	for _, secret := range secrets {
		if secret != "" && secret != "git" {
			text = strings.ReplaceAll(text, secret, "…")
		}
	}
	return clean(text)
}
