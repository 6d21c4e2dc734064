package outbound

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"
)

// maxErrorBody is how much of an error reply is read, in bytes.
const maxErrorBody = 64 << 10

// ErrBodyTooLarge says that a reply was longer than the reader's limit.
var ErrBodyTooLarge = errors.New("the reply is over the size limit")

// NewTransport makes a transport of its own. It waits headerTimeout for the
// first bytes of a reply and 10 s for a connection.
func NewTransport(headerTimeout time.Duration) *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    8,
		IdleConnTimeout:        60 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		ResponseHeaderTimeout:  headerTimeout,
		MaxResponseHeaderBytes: 1 << 20,
	}
}

// NewClient makes a client that follows no redirect: the standard one would
// carry headers such as x-api-key on to the other host.
func NewClient(rt http.RoundTripper) *http.Client {
	return &http.Client{
		Transport: rt,
		CheckRedirect: func(*http.Request, []*http.Request) error {
			return http.ErrUseLastResponse
		},
	}
}

// FromResponse makes an Error of a reply whose status is not a success. It
// reads the beginning of the body, which it returns too, and leaves closing to
// the caller. The body is prose of the server: not for users and not for logs.
func FromResponse(resp *http.Response, now time.Time) (*Error, []byte) {
	body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // what could be read of an error is enough
	e := Classify(resp.StatusCode, body)
	e.RetryAfter = RetryAfter(resp.Header, now)
	return e, body
}

// ReadAll reads a body of at most limit bytes. Errors: KindCut when it breaks
// off, KindProtocol when it is larger, and those of FromNetwork.
func ReadAll(body io.Reader, limit int64) ([]byte, error) {
	b, err := io.ReadAll(io.LimitReader(body, limit+1))
	if err != nil {
		e := FromNetwork(err)
		if e.Kind == KindUnavailable {
			e.Kind = KindCut // the reply had begun
		}
		return nil, e
	}
	if int64(len(b)) > limit {
		return nil, &Error{Kind: KindProtocol, Reason: "body_too_large", Cause: ErrBodyTooLarge}
	}
	return b, nil
}

// ParseBase checks the address of a server: http or https with a host, and
// neither user, query nor fragment, which would end up in logs. The errors are
// sentences without the address.
func ParseBase(raw string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(strings.TrimSpace(raw), "/"))
	switch {
	case err != nil:
		return nil, errors.New("it is not a URL")
	case u.Scheme != "http" && u.Scheme != "https":
		return nil, errors.New("it must begin with http:// or https://")
	case u.Host == "":
		return nil, errors.New("it names no host")
	case u.User != nil:
		return nil, errors.New("it must hold no user or password")
	case u.RawQuery != "" || u.Fragment != "":
		return nil, errors.New("it must hold no query")
	}
	return u, nil
}
