package guard

import (
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/idna"

	"passage/rag"
)

// Host gives the one spelling of a host name: lower case, punycode, without a
// final dot; an address without brackets. ok is false for what is no name:
// empty, with a zone, or a number in a form that is not the usual dotted one,
// such as 2130706433, 0x7f.1 or 0177.0.0.1, which some resolvers take for an
// address (see the host parser of the WHATWG URL standard).
func Host(name string) (host string, ok bool) {
	if a, err := netip.ParseAddr(strings.Trim(name, "[]")); err == nil {
		return a.String(), a.Zone() == ""
	}
	host, err := idna.Lookup.ToASCII(strings.TrimSuffix(name, "."))
	if err != nil || host == "" || len(host) > 253 {
		return "", false
	}
	host = strings.ToLower(host)
	last := host[strings.LastIndexByte(host, '.')+1:]
	return host, last != "" && !numeric(last)
}

// numeric says whether the last label of a name makes it an address: digits,
// or a hexadecimal number.
func numeric(label string) bool {
	if rest, hex := strings.CutPrefix(label, "0x"); hex {
		return strings.Trim(rest, "0123456789abcdef") == ""
	}
	return strings.Trim(label, "0123456789") == ""
}

// CheckURL parses an address that a page or a repository is fetched from: http
// or https, a host, no user. Errors: CodeInvalid, a sentence that quotes no
// password.
func CheckURL(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil {
		return nil, rag.Errorf(rag.CodeInvalid, "One of the addresses is not a URL. Write it as https://host/path.")
	}
	return u, CheckParsed(u)
}

// CheckParsed is CheckURL for an address that is parsed already, such as that
// of a redirect.
func CheckParsed(u *url.URL) error {
	_, ok := Host(u.Hostname())
	switch {
	case u.Scheme != "http" && u.Scheme != "https":
		return rag.Errorf(rag.CodeInvalid, "The address %s must begin with http:// or https://.", Redact(u))
	case u.User != nil:
		return rag.Errorf(rag.CodeInvalid, "The address %s must hold no user and no password.", Redact(u))
	case u.Host == "" || !ok:
		return rag.Errorf(rag.CodeInvalid, "The address %s names no host that can be used. Write the name of the host, or its address as four numbers.", Redact(u))
	}
	return nil
}

// Redact writes an address without its user, password, query and fragment: any
// of them may be a secret.
func Redact(u *url.URL) string {
	short := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if u.Opaque != "" {
		return u.Scheme + ":…"
	}
	return short.String()
}
