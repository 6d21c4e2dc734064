package guard_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/source/guard"
)

func TestPublic(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]bool{
		"93.184.216.34": true, "8.8.8.8": true, "172.32.0.1": true, "192.167.255.255": true, "100.128.0.1": true, "223.255.255.255": true,
		"2606:4700::1111": true, "2a00:1450::1": true, "::ffff:8.8.8.8": true,
		"0.0.0.0": false, "0.1.2.3": false, "10.0.0.1": false, "100.64.0.1": false, "100.100.100.200": false, "127.0.0.1": false,
		"127.255.255.254": false, "169.254.169.254": false, "172.16.0.1": false, "172.31.255.255": false, "192.0.0.192": false,
		"192.168.1.1": false, "198.18.0.1": false, "203.0.113.9": false, "224.0.0.1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::": false, "::1": false, "::ffff:127.0.0.1": false, "::ffff:a00:1": false, "::127.0.0.1": false,
		"64:ff9b::7f00:1": false, "64:ff9b:1::a00:1": false, "2002:7f00:1::": false, "2001:0:7f00:1::": false,
		"fc00::1": false, "fd00:ec2::254": false, "fe80::1": false, "fec0::1": false, "ff02::1": false, "2001:db8::1": false,
		"fe80::1%eth0": false, "2606:4700::1%eth0": false,
	} {
		require.Equal(t, want, guard.Public(netip.MustParseAddr(address)), address)
	}
	require.False(t, guard.Public(netip.Addr{}))
}

func TestHost(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Wiki.Example.ORG": "wiki.example.org", "example.org.": "example.org", "bücher.example": "xn--bcher-kva.example",
		"[::1]": "::1", "10.0.0.1": "10.0.0.1", "localhost": "localhost", "0x.example": "0x.example", "1.example": "1.example",
		"ｅｘａｍｐｌｅ.org": "example.org", // full-width letters are the same name
	} {
		got, ok := guard.Host(name)
		require.True(t, ok, name)
		require.Equal(t, want, got)
	}
	for _, name := range []string{
		"", ".", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "127.1", "127.0.0.0x1", "017700000001", "1.2.3", "256.1.1.1",
		"example.0x", "::1%lo", "fe80::1%25eth0", "a b", "host_name!", strings.Repeat("a.", 140) + "org", "１２７.1",
	} {
		_, ok := guard.Host(name)
		require.False(t, ok, name)
	}
}

// pretend is a network in which names have the given addresses and every
// connection ends at one server.
func pretend(t *testing.T, h http.Handler, names map[string]string) (*guard.Guard, *[]string) {
	t.Helper()
	srv := httptest.NewServer(h)
	t.Cleanup(srv.Close)
	dialled := &[]string{}
	return &guard.Guard{
		Resolve: func(_ context.Context, host string) ([]netip.Addr, error) {
			var out []netip.Addr
			for a := range strings.FieldsSeq(names[host]) {
				out = append(out, netip.MustParseAddr(a))
			}
			return out, nil
		},
		Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			*dialled = append(*dialled, address)
			return (&net.Dialer{}).DialContext(ctx, network, strings.TrimPrefix(srv.URL, "http://"))
		},
	}, dialled
}

func TestNothingPrivateIsDialled(t *testing.T) {
	t.Parallel()
	names := map[string]string{
		"public.example": "93.184.216.34", "private.example": "10.0.0.7", "mixed.example": "93.184.216.34 127.0.0.1",
		"mapped.example": "::ffff:169.254.169.254", "six.example": "::1", "metadata.google.internal": "169.254.169.254", "localhost": "127.0.0.1",
	}
	for _, raw := range []string{
		"http://private.example/", "http://mixed.example/", "http://mapped.example/", "http://six.example/", "http://localhost:5432/",
		"http://metadata.google.internal/", "http://127.0.0.1/", "http://10.0.0.7/", "http://[::1]/", "http://[::ffff:127.0.0.1]/",
		"http://[::ffff:7f00:1]/", "http://[64:ff9b::7f00:1]/", "http://2130706433/", "http://0x7f000001/", "http://0177.0.0.1/",
		"http://127.1/", "http://0/", "http://public.example@127.0.0.1/", "http://127.0.0.1%2f@10.0.0.7/", "http://localhost./",
		"http://１２７.0.0.1/",
	} {
		t.Run(raw, func(t *testing.T) {
			t.Parallel()
			g, dialled := pretend(t, http.NotFoundHandler(), names)
			rt := g.Transport(time.Minute)
			defer rt.CloseIdleConnections()
			resp, err := get(t, rt, raw)
			if err == nil {
				require.NoError(t, resp.Body.Close())
			}
			require.Error(t, err)
			require.Empty(t, *dialled)
		})
	}
}

func get(t *testing.T, rt http.RoundTripper, raw string) (*http.Response, error) {
	t.Helper()
	u, err := url.Parse(raw)
	if err != nil {
		return nil, err
	}
	req := (&http.Request{Method: http.MethodGet, URL: u, Header: http.Header{}}).WithContext(t.Context())
	return rt.RoundTrip(req)
}

func TestTheAddressThatWasJudgedIsDialled(t *testing.T) {
	t.Parallel()
	g, dialled := pretend(t, http.NotFoundHandler(), map[string]string{"public.example": "93.184.216.34"})
	first := g.Resolve
	g.Resolve = func(ctx context.Context, host string) ([]netip.Addr, error) {
		list, err := first(ctx, host)
		g.Resolve = func(context.Context, string) ([]netip.Addr, error) { // a name server that changes its mind
			return []netip.Addr{netip.MustParseAddr("127.0.0.1")}, nil
		}
		return list, err
	}
	rt := g.Transport(time.Minute)
	resp, err := get(t, rt, "http://public.example/")
	require.NoError(t, err)
	require.NoError(t, resp.Body.Close())
	require.Equal(t, []string{"93.184.216.34:80"}, *dialled)
	rt.CloseIdleConnections()

	resp, err = get(t, rt, "http://public.example/") // a second connection is judged anew
	if err == nil {
		require.NoError(t, resp.Body.Close())
	}
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	require.Contains(t, rag.ErrorMessage(err), "not public")
	require.Len(t, *dialled, 1)
}

func TestPrivateHostsTheOperatorAllows(t *testing.T) {
	t.Parallel()
	names := map[string]string{"wiki.corp": "10.1.2.3", "git.corp": "10.9.9.9", "other.corp": "192.168.0.1", "both.corp": "10.1.0.1 10.2.0.1"}
	g, _ := pretend(t, http.NotFoundHandler(), names)
	g.Private = []string{"GIT.corp.", "10.1.0.0/16", "::1"}
	require.NoError(t, g.Check())
	for host, want := range map[string]bool{"wiki.corp": true, "git.corp": true, "10.1.0.9": true, "::ffff:10.1.0.9": true, "[::1]": true, "other.corp": false, "10.9.9.9": false, "both.corp": false} {
		_, err := g.Addresses(t.Context(), host)
		require.Equal(t, want, err == nil, host)
	}
	require.Error(t, (&guard.Guard{Private: []string{"10.1/16"}}).Check())
}

func TestEveryAddressIsTried(t *testing.T) {
	t.Parallel()
	g, dialled := pretend(t, http.NotFoundHandler(), map[string]string{"public.example": "93.184.216.34 93.184.216.35"})
	ok := g.Dial
	g.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		if strings.HasPrefix(address, "93.184.216.34:") {
			return nil, errors.New("connection refused")
		}
		return ok(ctx, network, address)
	}
	conn, err := g.DialContext(t.Context(), "tcp", "public.example:443")
	require.NoError(t, err)
	require.NoError(t, conn.Close())
	require.Equal(t, []string{"93.184.216.35:443"}, *dialled)
	_, err = g.DialContext(t.Context(), "tcp", "unknown.example:443")
	require.Error(t, err)
}

func TestCheckURL(t *testing.T) {
	t.Parallel()
	for _, raw := range []string{"https://wiki.example/a?b=c#d", " http://10.0.0.1/ "} {
		_, err := guard.CheckURL(raw)
		require.NoError(t, err)
	}
	for _, raw := range []string{
		"", "wiki.example", "ftp://h/", "file:///etc/passwd", "http://", "http:///x", "javascript:secret()", "http://u:secret@h/",
		"http://secret@127.0.0.1/", "http://[::1%25lo]/", "http://[bad/", "http://2130706433/?key=secret", "gopher://h/", "http://h:x/",
	} {
		_, err := guard.CheckURL(raw)
		require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err), raw)
		require.NotContains(t, err.Error(), "secret", raw)
	}
}
