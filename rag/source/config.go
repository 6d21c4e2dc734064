package source

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/source/guard"
)

// Kind is what a source is.
type Kind string

// The kinds.
const (
	KindFolder Kind = "folder" // a folder on the server
	KindGit    Kind = "git"    // a branch of a git repository
	KindWeb    Kind = "web"    // web pages that are named one by one
)

// Limits and defaults of a configuration.
const (
	DefaultShare = 0.3 // see Config.MaxRemoved
	MaxURLs      = 1_000
	minEvery     = time.Minute
	maxEvery     = 366 * 24 * time.Hour
	maxPatterns  = 100
	secretPrefix = "PASSAGE_SOURCE_" // what the variable of a secret must begin with
)

// Config is a source as an admin sets it up. It is stored as JSON.
type Config struct {
	Kind Kind `json:"kind"`

	// Path is the folder on the server, absolute. (folder)
	Path string `json:"path,omitempty"`

	// Repository is the address of a git repository: http, https, or, where
	// Options let it, ssh, file or a path on the server. (git)
	Repository string `json:"repository,omitempty"`
	// Branch is the branch; "" is the one the repository calls its own. (git)
	Branch string `json:"branch,omitempty"`
	// Folder is the folder in the repository that is the root; "" is all. (git)
	Folder string `json:"folder,omitempty"`
	// SecretEnv names an environment variable of the server that holds the
	// password or token for the repository, as "user:password" or alone, or for
	// ssh a private key. Its name begins with PASSAGE_SOURCE_, so that nobody
	// can send another secret of the server to a host of their choice. (git)
	SecretEnv string `json:"secret_env,omitempty"`
	// Link is the template of the web address of a file, with {commit},
	// {branch} and {path}; {path} is the one in the repository. "" makes it from
	// Repository when that is a known kind of host. (git)
	Link string `json:"link,omitempty"`

	// URLs are the pages. (web)
	URLs []string `json:"urls,omitempty"`
	// Hosts are the hosts that may be asked, also after a redirect: names,
	// "*.example.org" for all below one, with ":port" for other ports than 80
	// and 443. Empty means the hosts of URLs. (web)
	Hosts []string `json:"hosts,omitempty"`

	// Include and Exclude choose files by patterns, see Match. (folder, git)
	Include []string `json:"include,omitempty"`
	Exclude []string `json:"exclude,omitempty"`
	// Prefix is a folder put before the URI of every item, which keeps two
	// sources apart that feed one space: "README.md" of "ops" becomes
	// "ops/README.md". (folder, git)
	Prefix string `json:"prefix,omitempty"`

	// Every is the time between two syncs, as "6h"; 0 is by hand only.
	Every Duration `json:"every,omitempty"`
	// MaxRemoved is the share of the documents, of (0, 1], above which a sync
	// removes none; 0 means DefaultShare.
	MaxRemoved float64 `json:"max_removed,omitempty"`
}

// Duration is a time.Duration that is written as text in JSON: "1h30m".
type Duration time.Duration

// MarshalText writes the duration as time.Duration does.
func (d Duration) MarshalText() ([]byte, error) { return []byte(time.Duration(d).String()), nil }

// UnmarshalText reads "90m", "6h", and days, "2d".
func (d *Duration) UnmarshalText(text []byte) error {
	s := strings.TrimSpace(string(text))
	if days, ok := strings.CutSuffix(s, "d"); ok {
		whole, err := time.ParseDuration(days + "h")
		if err == nil && whole.Abs() <= maxEvery {
			*d = Duration(24 * whole)
			return nil
		}
	}
	v, err := time.ParseDuration(s)
	if err != nil {
		return rag.WithCause(err, rag.CodeInvalid, "%q is no length of time. Write it like 30m, 6h or 2d.", s)
	}
	*d = Duration(v)
	return nil
}

// Parse reads a configuration and validates it. Errors: CodeInvalid.
func Parse(data []byte) (Config, error) {
	var c Config
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		if rag.ErrorCode(err) == rag.CodeInvalid {
			return Config{}, err
		}
		return Config{}, rag.WithCause(err, rag.CodeInvalid, "The settings of the source are not the JSON that they should be.")
	}
	return c, c.Validate()
}

// Share is the share above which a sync removes nothing.
func (c Config) Share() float64 { return cmp.Or(c.MaxRemoved, DefaultShare) }

// Title names the source for people, without secrets.
func (c Config) Title() string {
	switch c.Kind {
	case KindFolder:
		return c.Path
	case KindGit:
		title := "a repository"
		if r, err := parseRepository(c.Repository); err == nil {
			title = r.String()
		}
		if c.Folder != "" {
			title += " › " + c.Folder
		}
		if c.Branch != "" {
			title += " (" + c.Branch + ")"
		}
		return title
	default:
		if len(c.URLs) == 0 {
			return "no pages"
		}
		u, err := url.Parse(strings.TrimSpace(c.URLs[0]))
		if err != nil {
			return "pages"
		}
		if len(c.URLs) == 1 {
			return guard.Redact(u)
		}
		return guard.Redact(u) + " and others"
	}
}

// Validate says what is wrong with the configuration, in sentences that hold no
// secret. It looks at the words only: whether the source is there, and whether
// this server lets it be read, is seen by New and List. Errors: CodeInvalid.
func (c Config) Validate() error {
	var err error
	switch c.Kind {
	case KindFolder:
		err = c.validateFolder()
	case KindGit:
		err = c.validateGit()
	case KindWeb:
		err = c.validateWeb()
	default:
		err = rag.Errorf(rag.CodeInvalid, "A source is of the kind folder, git or web, not %q.", c.Kind)
	}
	if err != nil {
		return err
	}
	if f := c.foreign(); f != "" {
		return rag.Errorf(rag.CodeInvalid, "A source of the kind %s has no setting %q. Leave it out.", c.Kind, f)
	}
	return c.validateAll()
}

// foreign gives a setting that belongs to another kind, "" when there is none:
// somebody who wrote it expects something that would not happen.
func (c Config) foreign() string {
	for _, f := range []struct {
		name  string
		set   bool
		kinds []Kind
	}{
		{"path", c.Path != "", []Kind{KindFolder}},
		{"repository", c.Repository != "", []Kind{KindGit}},
		{"branch", c.Branch != "", []Kind{KindGit}},
		{"folder", c.Folder != "", []Kind{KindGit}},
		{"secret_env", c.SecretEnv != "", []Kind{KindGit}},
		{"link", c.Link != "", []Kind{KindGit}},
		{"urls", len(c.URLs) > 0, []Kind{KindWeb}},
		{"hosts", len(c.Hosts) > 0, []Kind{KindWeb}},
		{"include", len(c.Include) > 0, []Kind{KindFolder, KindGit}},
		{"exclude", len(c.Exclude) > 0, []Kind{KindFolder, KindGit}},
		{"prefix", c.Prefix != "", []Kind{KindFolder, KindGit}},
	} {
		if f.set && !slices.Contains(f.kinds, c.Kind) {
			return f.name
		}
	}
	return ""
}

func (c Config) validateAll() error {
	for _, list := range [][]string{c.Include, c.Exclude} {
		if len(list) > maxPatterns {
			return rag.Errorf(rag.CodeInvalid, "There are more than %d patterns. Use fewer, wider ones.", maxPatterns)
		}
		for _, p := range list {
			if !validPattern(p) {
				return rag.Errorf(rag.CodeInvalid, "The pattern %q cannot be used. Write it like *.md, drafts/ or docs/**/runbook-*.md.", p)
			}
		}
	}
	every := time.Duration(c.Every)
	switch {
	case c.Prefix != "" && !inside(c.Prefix):
		return rag.Errorf(rag.CodeInvalid, "The prefix %q must be a folder like ops or teams/ops.", c.Prefix)
	case every != 0 && (every < minEvery || every > maxEvery):
		return rag.Errorf(rag.CodeInvalid, "The time between two syncs must be a minute at least and a year at most; 0 is by hand only.")
	case !(c.MaxRemoved >= 0 && c.MaxRemoved <= 1): // also NaN
		return rag.Errorf(rag.CodeInvalid, "The share that a sync may remove must lie between 0 and 1; 0.3 is 30 of 100 documents.")
	}
	return nil
}

func (c Config) validateFolder() error {
	switch {
	case c.Path == "":
		return rag.Errorf(rag.CodeInvalid, "Name the folder on the server.")
	case !path.IsAbs(c.Path) || strings.ContainsRune(c.Path, 0):
		return rag.Errorf(rag.CodeInvalid, "The folder %q must be a full path that begins with /.", c.Path)
	}
	return nil
}

func (c Config) validateGit() error {
	if _, err := parseRepository(c.Repository); err != nil {
		return err
	}
	switch {
	case c.Branch != "" && !validBranch(c.Branch):
		return rag.Errorf(rag.CodeInvalid, "%q cannot be the name of a branch.", c.Branch)
	case c.Folder != "" && !inside(c.Folder):
		return rag.Errorf(rag.CodeInvalid, "The folder %q must be a path below the root of the repository, like docs/runbooks.", c.Folder)
	case c.SecretEnv != "" && !validSecretName(c.SecretEnv):
		return rag.Errorf(rag.CodeInvalid, "The variable with the secret must be named %s and more capital letters, digits or _.", secretPrefix)
	}
	return checkLink(c.Link)
}

func (c Config) validateWeb() error {
	if len(c.URLs) == 0 || len(c.URLs) > MaxURLs {
		return rag.Errorf(rag.CodeInvalid, "Name one page at least and %d at most; there are %d.", MaxURLs, len(c.URLs))
	}
	for _, h := range c.Hosts {
		if _, err := parseAllowed(h); err != nil {
			return err
		}
	}
	hosts, err := c.allowedHosts()
	if err != nil {
		return err
	}
	seen := map[string]bool{}
	for _, raw := range c.URLs {
		u, err := guard.CheckURL(raw)
		if err != nil {
			return err
		}
		if !hosts.has(u) {
			return rag.Errorf(rag.CodeInvalid, "The host of %s is not among the hosts that may be asked. Add it to them.", guard.Redact(u))
		}
		id := pageURI(u)
		if seen[id] {
			return rag.Errorf(rag.CodeInvalid, "The page %s is named twice.", guard.Redact(u))
		}
		if seen[id] = true; len(id) > maxURI {
			return rag.Errorf(rag.CodeInvalid, "The address %s… is longer than %d bytes.", id[:60], maxURI)
		}
	}
	return nil
}

// inside says whether p is a clean slash-separated path that stays below its
// root.
func inside(p string) bool {
	p = strings.TrimSuffix(p, "/")
	return p != "" && p != "." && p != ".." && !strings.HasPrefix(p, "/") && !strings.HasPrefix(p, "../") &&
		path.Clean(p) == p && !strings.ContainsAny(p, "\\\x00\r\n")
}

// validBranch keeps to what git itself allows in a name of a branch that
// matters here (git-check-ref-format).
func validBranch(b string) bool {
	return len(b) < 250 && inside(b) && !strings.HasPrefix(b, "-") && !strings.Contains(b, "..") && !strings.HasSuffix(b, ".lock") &&
		!strings.ContainsAny(b, " ~^:?*[\x7f\t") && !strings.Contains(b, "@{")
}

func validSecretName(s string) bool {
	rest, ok := strings.CutPrefix(s, secretPrefix)
	return ok && rest != "" && strings.Trim(rest, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == ""
}
