package llm

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"time"

	"passage/rag/outbound"
)

// userAgent is what servers see instead of langchaingo's or Go's name.
const userAgent = "passage"

// guard is the transport under langchaingo. It settles every reply that is no
// answer, keeps the fault in the exchange, and puts a stream in the place of
// the body of every reply that may be one.
type guard struct {
	next    http.RoundTripper
	wire    dialect
	keyless bool
	extra   map[string]json.RawMessage // fields added to every request

	mu     sync.Mutex
	drop   map[string]bool // fields this server has refused
	rename bool            // it wants the answer's limit under the other name
}

// RoundTrip sends the request. When the server refuses an optional field, the
// request is sent again without it, and later ones too.
func (g *guard) RoundTrip(req *http.Request) (*http.Response, error) {
	x, ok := exchangeOf(req.Context())
	if !ok {
		return nil, fmt.Errorf("send %s: the request carries no exchange", req.Method)
	}
	body, err := takeBody(req)
	if err != nil {
		return nil, x.fail(outbound.FromNetwork(err))
	}
	var trial change
	for {
		resp, sent, err := g.send(req, body, trial)
		if err != nil {
			return nil, x.fail(outbound.FromNetwork(err))
		}
		if resp.StatusCode == http.StatusOK {
			g.learn(trial)
			resp.Body = newStream(resp.Body, g.wire, x)
			resp.ContentLength = -1
			resp.Header.Del("Content-Length")
			return resp, nil
		}
		fault, text := readFault(resp, x)
		next, ok := trial.with(fault, text, sent)
		if !ok {
			return nil, x.fail(fault)
		}
		trial = next
	}
}

func (g *guard) send(req *http.Request, body []byte, trial change) (*http.Response, []byte, error) {
	body = g.rewrite(body, trial)
	out := req.Clone(req.Context())
	out.Header.Set("User-Agent", userAgent)
	if g.keyless {
		out.Header.Del("Authorization")
	}
	out.ContentLength = int64(len(body))
	out.Body = io.NopCloser(bytes.NewReader(body))
	out.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	resp, err := g.next.RoundTrip(out)
	return resp, body, err
}

func takeBody(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	defer req.Body.Close()
	return io.ReadAll(req.Body)
}

// readFault reads an error reply while the idle watch runs, and closes it.
func readFault(resp *http.Response, x *exchange) (*outbound.Error, []byte) {
	defer resp.Body.Close()
	defer x.waiting()()
	return outbound.FromResponse(resp, time.Now())
}
