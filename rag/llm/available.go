package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"

	"passage/rag/outbound"
)

const (
	probeTimeout = 3 * time.Second
	maxList      = 4 << 20 // bytes of a list of models
)

// Available asks the server for its list of models, which costs no tokens, and
// waits at most three seconds. It finds a server that is down, a wrong address
// and a refused key; that Ollama does not have the model; but not whether any
// other provider has it, as lists are often incomplete there. Errors:
// CodeRateLimited, CodeUnavailable.
func (c *Client) Available(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	if err := c.probe(ctx); err != nil {
		return c.explain(err)
	}
	return nil
}

func (c *Client) probe(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/"+c.provider.list, http.NoBody)
	if err != nil {
		return outbound.FromNetwork(err)
	}
	req.Header.Set("User-Agent", userAgent)
	switch {
	case c.cfg.Provider == ProviderAnthropic:
		req.Header.Set("X-Api-Key", c.server.Key)
		req.Header.Set("Anthropic-Version", "2023-06-01")
	case c.server.Key != "":
		req.Header.Set("Authorization", "Bearer "+c.server.Key)
	}
	resp, err := outbound.NewClient(c.transport).Do(req)
	if err != nil {
		return outbound.FromNetwork(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		e, _ := outbound.FromResponse(resp, time.Now())
		if e.Status == http.StatusNotFound && c.cfg.Provider != ProviderOllama {
			return nil // a server without a list; it is there
		}
		return e
	}
	body, err := outbound.ReadAll(resp.Body, maxList)
	if err != nil {
		return err
	}
	return c.checkList(body)
}

// checkList tells a list of models from a web page that answers everything.
func (c *Client) checkList(body []byte) error {
	if !json.Valid(body) {
		return &outbound.Error{Kind: outbound.KindAddress, Reason: "no_list_of_models"}
	}
	if c.cfg.Provider != ProviderOllama {
		return nil
	}
	var list struct {
		Models []struct {
			Name string `json:"name"`
		} `json:"models"`
	}
	if json.Unmarshal(body, &list) != nil {
		return &outbound.Error{Kind: outbound.KindAddress, Reason: "no_list_of_models"}
	}
	want := c.server.Model
	if !strings.Contains(want, ":") {
		want += ":latest"
	}
	names := make([]string, 0, len(list.Models))
	for _, m := range list.Models {
		names = append(names, m.Name)
	}
	if !slices.Contains(names, want) {
		return &outbound.Error{Kind: outbound.KindModel, Reason: "not_in_list"}
	}
	return nil
}
