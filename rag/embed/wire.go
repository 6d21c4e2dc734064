package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/tmc/langchaingo/embeddings"

	"passage/rag/outbound"
)

// wire is one provider's way to ask for vectors and to answer.
type wire struct {
	client  *http.Client
	url     string
	key     string
	ask     func(texts []string) any
	answers func(body []byte) ([][]float32, error)
}

// newWire gives the provider's client in langchaingo's form.
func newWire(cfg Config, server outbound.Server, base *url.URL, rt http.RoundTripper) embeddings.EmbedderClient {
	w := wire{client: outbound.NewClient(rt), key: server.Key}
	switch cfg.Provider {
	case ProviderOllama:
		w.url = base.String() + "/api/embed"
		w.ask = func(texts []string) any {
			// Without truncate=false an over-long text is shortened without a word.
			return map[string]any{"model": server.Model, "input": texts, "truncate": false}
		}
		w.answers = readOllama
	default:
		w.url = base.String() + "/embeddings"
		w.ask = func(texts []string) any {
			req := map[string]any{"model": server.Model, "input": texts}
			if cfg.Dimension > 0 && strings.Contains(server.Model, "text-embedding-3") {
				req["dimensions"] = cfg.Dimension
			}
			return req
		}
		w.answers = readOpenAI
	}
	return embeddings.EmbedderClientFunc(w.call)
}

// call sends one batch and reads the reply, once.
func (w wire) call(ctx context.Context, texts []string) ([][]float32, error) {
	body, err := json.Marshal(w.ask(texts))
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, w.url, bytes.NewReader(body))
	if err != nil {
		return nil, fmt.Errorf("write the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "passage")
	if w.key != "" {
		req.Header.Set("Authorization", "Bearer "+w.key)
	}
	resp, err := w.client.Do(req)
	if err != nil {
		return nil, outbound.FromNetwork(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		e, _ := outbound.FromResponse(resp, time.Now())
		return nil, e
	}
	// The longest vectors there may be, at 32 bytes a number, and room around.
	reply, err := outbound.ReadAll(resp.Body, int64(len(texts))*MaxDimension*32+64<<10)
	if err != nil {
		return nil, err
	}
	return w.read(reply)
}

// read tells what a reply with status 200 can be besides an answer.
func (w wire) read(reply []byte) ([][]float32, error) {
	reply = bytes.TrimSpace(reply)
	if bytes.HasPrefix(reply, []byte("<")) {
		return nil, &outbound.Error{Kind: outbound.KindAddress, Reason: "web_page"}
	}
	var failed struct {
		Error json.RawMessage `json:"error"`
	}
	if json.Unmarshal(reply, &failed) == nil && len(failed.Error) > 0 && string(failed.Error) != "null" {
		return nil, outbound.Classify(0, reply)
	}
	vecs, err := w.answers(reply)
	if err == nil {
		return vecs, nil
	}
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) && syntax.Offset >= int64(len(reply)) {
		return nil, &outbound.Error{Kind: outbound.KindCut, Reason: "json_ends_early"}
	}
	if e := outbound.As(err); e != nil {
		return nil, e
	}
	return nil, protocol("not_the_expected_json", nil)
}

// readOpenAI puts the vectors at their index. A reply without any index is
// taken in its order.
func readOpenAI(reply []byte) ([][]float32, error) {
	var doc struct {
		Data []struct {
			Index  *int   `json:"index"`
			Vector vector `json:"embedding"`
		} `json:"data"`
	}
	if err := json.Unmarshal(reply, &doc); err != nil {
		return nil, fmt.Errorf("read the vectors: %w", err)
	}
	out := make([][]float32, len(doc.Data))
	indexed := 0
	for i, d := range doc.Data {
		at := i
		if d.Index != nil {
			at = *d.Index
			indexed++
		}
		if at < 0 || at >= len(out) || out[at] != nil {
			return nil, protocol("wrong_index", nil)
		}
		out[at] = d.Vector
	}
	if indexed != 0 && indexed != len(out) {
		return nil, protocol("wrong_index", nil)
	}
	return out, nil
}

func readOllama(reply []byte) ([][]float32, error) {
	var doc struct {
		Vectors []vector `json:"embeddings"`
	}
	if err := json.Unmarshal(reply, &doc); err != nil {
		return nil, fmt.Errorf("read the vectors: %w", err)
	}
	out := make([][]float32, len(doc.Vectors))
	for i, v := range doc.Vectors {
		out[i] = v
	}
	return out, nil
}

// vector is a JSON list of numbers. encoding/json would read null as 0.
type vector []float32

// UnmarshalJSON accepts nothing but numbers that a float32 can hold.
func (v *vector) UnmarshalJSON(raw []byte) error {
	raw = bytes.TrimSpace(raw)
	if len(raw) < 2 || raw[0] != '[' {
		return protocol("no_vector", nil)
	}
	raw = raw[1 : len(raw)-1]
	out := make([]float32, 0, bytes.Count(raw, []byte(","))+1)
	for len(bytes.TrimSpace(raw)) > 0 {
		number, rest, _ := bytes.Cut(raw, []byte(","))
		x, err := strconv.ParseFloat(string(bytes.TrimSpace(number)), 32)
		if err != nil {
			return protocol("not_finite", nil)
		}
		out = append(out, float32(x))
		raw = rest
	}
	*v = out
	return nil
}
