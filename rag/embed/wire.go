package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

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
	// The longest vectors there may be, at 32 bytes a number, and room around.
	limit := int64(len(texts))*MaxDimension*32 + 64<<10
	reply, err := outbound.PostJSON(ctx, w.client, w.url, w.key, w.ask(texts), limit)
	if err != nil {
		return nil, err
	}
	vecs, err := w.answers(reply)
	if err != nil {
		return nil, outbound.FromJSON(err, reply)
	}
	return vecs, nil
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
