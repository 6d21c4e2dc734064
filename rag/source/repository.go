package source

import (
	"net/url"
	"path"
	"strings"

	"passage/rag"
	"passage/rag/source/guard"
)

// scheme is how a repository is reached.
type scheme string

const (
	schemeHTTP  scheme = "http" // and https
	schemeSSH   scheme = "ssh"
	schemeLocal scheme = "local"
)

// repository is the address of a git repository, parted from what is secret.
type repository struct {
	scheme   scheme
	url      *url.URL // of http and ssh, without a user
	path     string   // on the server, of a local one
	user     string
	password string
}

// String is the address without user and password.
func (r repository) String() string {
	if r.scheme == schemeLocal {
		return r.path
	}
	return r.url.String()
}

// parseRepository reads http(s)://…, ssh://…, user@host:path, file:///… and a
// full path. Errors: CodeInvalid, sentences that hold no secret.
func parseRepository(raw string) (repository, error) {
	raw = strings.TrimSpace(raw)
	bad := rag.Errorf(rag.CodeInvalid, "The address of the repository cannot be used. Write it like https://host/team/docs.git, "+
		"or, where the server allows them, git@host:team/docs.git or a full path on the server.")
	if strings.ContainsFunc(raw, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return repository{}, bad
	}
	if path.IsAbs(raw) {
		return repository{scheme: schemeLocal, path: path.Clean(raw)}, nil
	}
	if !strings.Contains(raw, "://") {
		return parseShort(raw, bad)
	}
	u, err := url.Parse(raw)
	if err != nil || u.RawQuery != "" || u.Fragment != "" || u.Opaque != "" {
		return repository{}, bad
	}
	r := repository{user: u.User.Username()}
	r.password, _ = u.User.Password()
	u.User = nil
	r.url = u
	switch u.Scheme {
	case "file":
		if u.Host != "" || !path.IsAbs(u.Path) || r.user != "" {
			return repository{}, bad
		}
		return repository{scheme: schemeLocal, path: path.Clean(u.Path)}, nil
	case "ssh":
		r.scheme = schemeSSH
	case "http", "https":
		r.scheme = schemeHTTP
	default:
		return repository{}, rag.Errorf(rag.CodeInvalid, "Repositories are fetched over https or ssh, not over %q. Use another address.", clean(u.Scheme))
	}
	if _, ok := guard.Host(u.Hostname()); !ok || strings.Trim(u.Path, "/") == "" || !plainUser(r.user) {
		return repository{}, bad
	}
	return r, nil
}

// parseShort reads user@host:path, which is ssh.
func parseShort(raw string, bad error) (repository, error) {
	at, rest, ok := strings.Cut(raw, "@")
	host, p, okPath := strings.Cut(rest, ":")
	if !ok || !okPath || at == "" || strings.Contains(at, ":") || !plainUser(at) || strings.Trim(p, "/") == "" {
		return repository{}, bad
	}
	if _, ok := guard.Host(host); !ok {
		return repository{}, bad
	}
	u := &url.URL{Scheme: "ssh", Host: host, Path: "/" + strings.TrimPrefix(p, "/")}
	return repository{scheme: schemeSSH, url: u, user: at}, nil
}

// plainUser refuses a name that a command could take for an option.
func plainUser(user string) bool { return !strings.HasPrefix(user, "-") }

// linkStyles are the ways in which hosts of repositories write the address of
// a file at a commit, by a part of the name of the host.
var linkStyles = []struct{ host, template string }{
	{"github", "/blob/{commit}/{path}"},
	{"gitlab", "/-/blob/{commit}/{path}"},
	{"bitbucket", "/src/{commit}/{path}"},
	{"gitea", "/src/commit/{commit}/{path}"},
	{"forgejo", "/src/commit/{commit}/{path}"},
	{"codeberg", "/src/commit/{commit}/{path}"},
}

// linkTemplate is the template of the web addresses of files: the one that is
// set, or that of a known kind of host; "" when there is neither.
func (c Config) linkTemplate(r repository) string {
	if c.Link != "" || r.scheme == schemeLocal {
		return c.Link
	}
	host := strings.ToLower(r.url.Hostname())
	for _, s := range linkStyles {
		if !strings.Contains(host, s.host) {
			continue
		}
		web := url.URL{Scheme: "https", Host: r.url.Host, Path: strings.TrimSuffix(strings.TrimSuffix(r.url.Path, "/"), ".git")}
		if r.scheme == schemeHTTP {
			web.Scheme = r.url.Scheme
		} else {
			web.Host = r.url.Hostname() // the port of ssh is not that of the pages
		}
		return strings.NewReplacer("{", "%7B", "}", "%7D").Replace(web.String()) + s.template
	}
	return ""
}

// link fills a template. Every part of the path is escaped.
func link(template, commit, branch, p string) string {
	return strings.NewReplacer("{commit}", commit, "{branch}", escapePath(branch), "{path}", escapePath(p)).Replace(template)
}

func escapePath(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		parts[i] = url.PathEscape(part)
	}
	return strings.Join(parts, "/")
}

// checkLink says what is wrong with a template. Errors: CodeInvalid.
func checkLink(template string) error {
	if template == "" {
		return nil
	}
	u, err := url.Parse(link(template, "0", "b", "p"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil ||
		!strings.Contains(template, "{path}") || strings.ContainsAny(u.String(), " \"<>") || strings.ContainsAny(template[:strings.Index(template, "://")+3+len(u.Host)], "{}") {
		return rag.Errorf(rag.CodeInvalid, "The template of the links must be a web address with {path} in it, like https://host/team/docs/blob/{commit}/{path}.")
	}
	return nil
}
