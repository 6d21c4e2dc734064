package guard

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"passage/rag"
)

// Guard makes connections to public addresses only. The zero value uses the
// resolver and the network of the system.
type Guard struct {
	// Private are hosts and networks that may be reached although they are not
	// public: names ("wiki.corp"), addresses, or prefixes ("10.1.0.0/16"). They
	// are the operator's to give, not those of people who type addresses.
	Private []string

	// Resolve gives the addresses of a name, Dial connects to one of them,
	// written as address and port. Nil means those of the system.
	Resolve func(ctx context.Context, host string) ([]netip.Addr, error)
	Dial    func(ctx context.Context, network, address string) (net.Conn, error)
}

// refusal is what a dial ends with when the guard does not let it through. It
// goes through the layers of the HTTP client as it is.
func refusal(host string) error {
	return rag.Errorf(rag.CodeInvalid, "The host %s has an address that is not public, and those are not fetched. "+
		"If it should be, the operator of the server has to allow the host or its network.", host)
}

// Check judges all entries of Private. Errors: CodeInvalid.
func (g *Guard) Check() error {
	for _, p := range g.Private {
		if _, err := netip.ParsePrefix(p); err == nil {
			continue
		}
		if _, ok := Host(p); !ok {
			return rag.Errorf(rag.CodeInvalid, "%q is neither a host nor a network like 10.1.0.0/16.", p)
		}
	}
	return nil
}

// allowed says whether the operator lets this address of this host through.
func (g *Guard) allowed(host string, a netip.Addr) bool {
	a = a.Unmap()
	for _, p := range g.Private {
		if prefix, err := netip.ParsePrefix(p); err == nil {
			if prefix.Contains(a) {
				return true
			}
			continue
		}
		if name, ok := Host(p); ok && name == host {
			return true
		}
	}
	return false
}

// Addresses resolves a host and gives its addresses when the guard lets all of
// them through. A name with one public and one private address is refused: it
// is a trick, or a split network whose private side the operator must name.
// Errors: CodeInvalid for a refusal; those of the resolver.
func (g *Guard) Addresses(ctx context.Context, name string) ([]netip.Addr, error) {
	host, ok := Host(name)
	if !ok {
		return nil, refusal(strings.ToValidUTF8(name, "?"))
	}
	list := []netip.Addr{}
	if a, err := netip.ParseAddr(host); err == nil {
		list = append(list, a)
	} else {
		resolve := g.Resolve
		if resolve == nil {
			resolve = lookUp
		}
		if list, err = resolve(ctx, host); err != nil {
			return nil, err
		}
	}
	if len(list) == 0 {
		return nil, &net.DNSError{Err: "no address", Name: host, IsNotFound: true}
	}
	for i, a := range list {
		if !Public(a) && !g.allowed(host, a) {
			return nil, refusal(host)
		}
		list[i] = a.Unmap()
	}
	return list, nil
}

func lookUp(ctx context.Context, host string) ([]netip.Addr, error) {
	return net.DefaultResolver.LookupNetIP(ctx, "ip", host)
}

// DialContext connects to a host and port, for an http.Transport. It tries the
// addresses of the host in turn. Errors: as of Addresses, and of the network.
func (g *Guard) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	list, err := g.Addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	dial := g.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 10 * time.Second, KeepAlive: 30 * time.Second}).DialContext
	}
	var errs []error
	for _, a := range list {
		conn, err := dial(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return conn, nil
		}
		errs = append(errs, err)
		if ctx.Err() != nil {
			break
		}
	}
	return nil, errors.Join(errs...)
}

// Transport makes a transport whose connections the guard judges. It uses no
// proxy, as a proxy would resolve the names where nobody looks. It waits
// headerTimeout for the first bytes of a reply.
func (g *Guard) Transport(headerTimeout time.Duration) *http.Transport {
	return &http.Transport{
		DialContext:            g.DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    4,
		IdleConnTimeout:        30 * time.Second,
		TLSHandshakeTimeout:    10 * time.Second,
		ExpectContinueTimeout:  time.Second,
		ResponseHeaderTimeout:  headerTimeout,
		MaxResponseHeaderBytes: 256 << 10,
	}
}
