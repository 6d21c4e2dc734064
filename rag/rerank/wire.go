package rerank

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"passage/rag/outbound"
)

// wire is one provider's way to ask for scores and to answer.
type wire struct {
	client  *http.Client
	url     string
	key     string
	ask     func(question string, texts []string) any
	answers func(reply []byte) ([]rank, error)
}

// rank is one entry of a reply: a text's index in the request and its score.
type rank struct {
	index *int
	score *float64
}

func newWire(provider string, server outbound.Server, base *url.URL, rt http.RoundTripper) wire {
	w := wire{client: outbound.NewClient(rt), url: address(provider, base), key: server.Key, answers: readResults}
	switch provider {
	case ProviderTEI:
		w.ask = func(question string, texts []string) any {
			// A text that has more of the model's tokens than were counted is cut
			// by the server rather than refused.
			return map[string]any{"query": question, "texts": texts, "truncate": true}
		}
		w.answers = readRanks
	case ProviderJina:
		w.ask = func(question string, texts []string) any {
			return map[string]any{
				"model": server.Model, "query": question, "documents": texts, "top_n": len(texts),
				"return_documents": false, // by default every text comes back
			}
		}
	default:
		w.ask = func(question string, texts []string) any {
			return map[string]any{"model": server.Model, "query": question, "documents": texts, "top_n": len(texts)}
		}
	}
	return w
}

// address is where the provider is asked. A base URL may end in the version, as
// it is written for other services of the same server, or in the whole path.
func address(provider string, base *url.URL) string {
	u := base.String()
	if strings.HasSuffix(u, "/rerank") {
		return u
	}
	versioned := strings.HasSuffix(u, "/v1") || strings.HasSuffix(u, "/v2")
	switch {
	case provider == ProviderTEI || versioned:
		return u + "/rerank"
	case provider == ProviderJina:
		return u + "/v1/rerank"
	default:
		return u + "/v2/rerank"
	}
}

// call sends one batch and gives its scores in the order of the texts, once.
func (w wire) call(ctx context.Context, question string, texts []string) ([]float64, error) {
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	// Some servers send the texts back, escaped. A score takes few bytes.
	limit := int64(size)*6 + int64(len(texts))*1024 + 64<<10
	reply, err := outbound.PostJSON(ctx, w.client, w.url, w.key, w.ask(question, texts), limit)
	if err != nil {
		return nil, err
	}
	ranks, err := w.answers(reply)
	if err != nil {
		return nil, outbound.FromJSON(err, reply)
	}
	return inOrder(ranks, len(texts))
}

// readResults reads what Cohere and Jina answer.
func readResults(reply []byte) ([]rank, error) {
	var doc struct {
		Results []struct {
			Index *int     `json:"index"`
			Score *float64 `json:"relevance_score"`
		} `json:"results"`
	}
	if err := json.Unmarshal(reply, &doc); err != nil {
		return nil, err
	}
	out := make([]rank, len(doc.Results))
	for i, r := range doc.Results {
		out[i] = rank{r.Index, r.Score}
	}
	return out, nil
}

// readRanks reads what TEI answers.
func readRanks(reply []byte) ([]rank, error) {
	var doc []struct {
		Index *int     `json:"index"`
		Score *float64 `json:"score"`
	}
	if err := json.Unmarshal(reply, &doc); err != nil {
		return nil, err
	}
	out := make([]rank, len(doc))
	for i, r := range doc {
		out[i] = rank{r.Index, r.Score}
	}
	return out, nil
}
