package source_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/source"
)

func TestParse(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"kind":"folder","path":"/srv/docs","include":["*.md"],"exclude":["drafts/"],"every":"6h"}`,
		`{"kind":"git","repository":"https://github.com/acme/docs.git","branch":"release/1.2","folder":"docs/runbooks","every":"2d","max_removed":0.5}`,
		`{"kind":"git","repository":"git@gitlab.corp:acme/docs.git","secret_env":"PASSAGE_SOURCE_DOCS_KEY","prefix":"ops"}`,
		`{"kind":"git","repository":"/srv/git/docs.git","link":"https://git.corp/docs/blob/{commit}/{path}?plain=1"}`,
		`{"kind":"git","repository":"ssh://git@git.corp:2222/acme/docs"}`,
		`{"kind":"web","urls":["https://wiki.example/a","https://docs.example/b?x=1"],"hosts":["*.example"]}`,
	} {
		c, err := source.Parse([]byte(text))
		require.NoError(t, err, text)
		again, err := json.Marshal(c)
		require.NoError(t, err)
		back, err := source.Parse(again)
		require.NoError(t, err)
		require.Equal(t, c, back)
	}
	c, err := source.Parse([]byte(`{"kind":"folder","path":"/d","every":"1.5d"}`))
	require.NoError(t, err)
	require.Equal(t, 36*time.Hour, time.Duration(c.Every))
	require.InDelta(t, source.DefaultShare, c.Share(), 0)
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	for text, says := range map[string]string{
		``: "JSON", `{}`: "kind", `{"kind":"ftp"}`: "kind", `{"kind":"folder","pfad":"/x"}`: "JSON",
		`{"kind":"folder"}`:                                "Name the folder",
		`{"kind":"folder","path":"docs"}`:                  "full path",
		`{"kind":"folder","path":"/d","branch":"main"}`:    `no setting "branch"`,
		`{"kind":"folder","path":"/d","include":["[a"]}`:   `The pattern "[a"`,
		`{"kind":"folder","path":"/d","exclude":[""]}`:     "pattern",
		`{"kind":"folder","path":"/d","prefix":"../x"}`:    "prefix",
		`{"kind":"folder","path":"/d","every":"often"}`:    "length of time",
		`{"kind":"folder","path":"/d","every":"1s"}`:       "a minute",
		`{"kind":"folder","path":"/d","every":"-1h"}`:      "a minute",
		`{"kind":"folder","path":"/d","every":"9e99d"}`:    "length of time",
		`{"kind":"folder","path":"/d","max_removed":1.5}`:  "between 0 and 1",
		`{"kind":"folder","path":"/d","max_removed":-0.1}`: "between 0 and 1",
		`{"kind":"git"}`:                                                       "address of the repository",
		`{"kind":"git","repository":"docs"}`:                                   "address of the repository",
		`{"kind":"git","repository":"git://h/docs"}`:                           "not over",
		`{"kind":"git","repository":"ext::sh -c s3cr3t"}`:                      "address of the repository",
		`{"kind":"git","repository":"-oProxyCommand=s3cr3t@h:x"}`:              "address of the repository",
		`{"kind":"git","repository":"ssh://-oProxyCommand=x@h/p"}`:             "address of the repository",
		`{"kind":"git","repository":"https://u:s3cr3t@h/"}`:                    "address of the repository",
		`{"kind":"git","repository":"https://u:s3cr3t@0x7f.1/x"}`:              "address of the repository",
		`{"kind":"git","repository":"https://h/x?token=s3cr3t"}`:               "address of the repository",
		`{"kind":"git","repository":"file://host/x"}`:                          "address of the repository",
		`{"kind":"git","repository":"/d","branch":"--upload-pack=x"}`:          "branch",
		`{"kind":"git","repository":"/d","branch":"a..b"}`:                     "branch",
		`{"kind":"git","repository":"/d","folder":"../x"}`:                     "The folder",
		`{"kind":"git","repository":"/d","folder":"/x"}`:                       "The folder",
		`{"kind":"git","repository":"/d","secret_env":"PASSAGE_DATABASE_URL"}`: "PASSAGE_SOURCE_",
		`{"kind":"git","repository":"/d","link":"javascript:x/{path}"}`:        "template",
		`{"kind":"git","repository":"/d","link":"https://h/x"}`:                "template",
		`{"kind":"git","repository":"/d","link":"https://{branch}/{path}"}`:    "template",
		`{"kind":"git","repository":"/d","link":"https://u:s3cr3t@h/{path}"}`:  "template",
		`{"kind":"web"}`:                                                                "Name one page",
		`{"kind":"web","urls":["ftp://h/x"]}`:                                           "http://",
		`{"kind":"web","urls":["https://u:s3cr3t@h/x"]}`:                                "no user",
		`{"kind":"web","urls":["https://2130706433/x"]}`:                                "names no host",
		`{"kind":"web","urls":["https://a.example/"],"hosts":["b.example"]}`:            "not among the hosts",
		`{"kind":"web","urls":["https://a.example:8443/"],"hosts":["a.example"]}`:       "not among the hosts",
		`{"kind":"web","urls":["https://evil-example/"],"hosts":["*.example"]}`:         "not among the hosts",
		`{"kind":"web","urls":["https://a.example/"],"hosts":["a.example/x"]}`:          "no host",
		`{"kind":"web","urls":["https://a.example/#x","https://A.example.:443"]}`:       "named twice",
		`{"kind":"web","urls":["https://a.example/` + strings.Repeat("x", 1000) + `"]}`: "longer than",
		`{"kind":"web","urls":["https://a.example/"],"include":["*"]}`:                  `no setting "include"`,
	} {
		_, err := source.Parse([]byte(text))
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), text)
		require.Contains(t, rag.ErrorMessage(err), says, text)
		require.NotContains(t, rag.ErrorMessage(err), "s3cr3t", text)
	}
}

func TestTitle(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`{"kind":"folder","path":"/srv/docs"}`:                                                        "/srv/docs",
		`{"kind":"git","repository":"https://tok:pw@github.com/acme/docs","branch":"b","folder":"f"}`: "https://github.com/acme/docs › f (b)",
		`{"kind":"git","repository":"git@h:acme/docs"}`:                                               "ssh://h/acme/docs",
		`{"kind":"web","urls":["https://w.example/a?key=1"]}`:                                         "https://w.example/a",
		`{"kind":"web","urls":["https://w.example/a","https://w.example/b"]}`:                         "https://w.example/a and others",
	} {
		c, err := source.Parse([]byte(text))
		require.NoError(t, err)
		require.Equal(t, want, c.Title())
	}
}

func TestMatch(t *testing.T) {
	t.Parallel()
	for pattern, cases := range map[string]map[string]bool{
		"*.md":        {"a.md": true, "x/y/a.md": true, "a.txt": false, "a.md/b.txt": true, ".md": true},
		"drafts":      {"drafts": true, "drafts/a": true, "x/drafts/a/b": true, "drafts2/a": false, "mydrafts": false},
		"drafts/":     {"drafts": false, "drafts/a": true, "x/drafts/a": true},
		"/drafts":     {"drafts/a": true, "x/drafts/a": false},
		"docs/*.md":   {"docs/a.md": true, "docs/x/a.md": false, "x/docs/a.md": false},
		"docs/**":     {"docs/a": true, "docs/a/b": true, "doc": false},
		"**/run/*":    {"run/a": true, "x/run/a": true, "x/y/run/a": true, "xrun/a": false},
		"a/**/b/**/c": {"a/b/c": true, "a/x/b/y/z/c": true, "a/c": false, "a/b/x": false},
		"run-??.md":   {"run-01.md": true, "run-1.md": false},
		"[ab].md":     {"a.md": true, "c.md": false},
	} {
		for name, want := range cases {
			require.Equal(t, want, source.Match(pattern, name), "%s %s", pattern, name)
		}
	}
	require.False(t, source.Match(strings.Repeat("**/", 150)+"x", strings.Repeat("a/", 400)+"y"), "no pattern takes for ever")
}

func TestLinks(t *testing.T) {
	t.Parallel()
	for repository, want := range map[string]string{
		"https://github.com/acme/docs.git":                "https://github.com/acme/docs/blob/c0ffee/a%20b/%23.md",
		"git@github.com:acme/docs.git":                    "https://github.com/acme/docs/blob/c0ffee/a%20b/%23.md",
		"https://tok:pw@gitlab.corp:8443/g/sub/docs.git/": "https://gitlab.corp:8443/g/sub/docs/-/blob/c0ffee/a%20b/%23.md",
		"ssh://git@gitlab.corp:2222/g/docs":               "https://gitlab.corp/g/docs/-/blob/c0ffee/a%20b/%23.md",
		"http://gitea.corp/g/docs":                        "http://gitea.corp/g/docs/src/commit/c0ffee/a%20b/%23.md",
		"https://codeberg.org/g/{commit}":                 "https://codeberg.org/g/%7Bcommit%7D/src/commit/c0ffee/a%20b/%23.md",
		"https://git.corp/g/docs":                         "",
		"/srv/git/github/docs":                            "",
	} {
		got, err := source.LinkOf(source.Config{Repository: repository}, "c0ffee", "main", "a b/#.md")
		require.NoError(t, err)
		require.Equal(t, want, got, repository)
	}
	got, err := source.LinkOf(source.Config{Repository: "/srv/x", Link: "https://h/{branch}/{path}#L1"}, "c", "re/l 1", "{commit}.md")
	require.NoError(t, err)
	require.Equal(t, "https://h/re/l%201/%7Bcommit%7D.md#L1", got)
}
