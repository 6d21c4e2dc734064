package llm

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"passage/rag/outbound"
)

// optional are the fields of a request that an answer does not depend on.
// Some servers refuse a request for one of them: reasoning models the
// temperature, strict gateways a field they do not know.
func optional() []string { return []string{"temperature", "stream_options"} }

// change is what is tried on a request after the server refused it.
type change struct {
	drop   []string
	rename bool // max_tokens and max_completion_tokens changed about
}

// with adds to the change what the server's complaint asks for; false when the
// complaint is about something else, or was answered by the change already.
func (c change) with(fault *outbound.Error, text, sent []byte) (change, bool) {
	if fault.Kind != outbound.KindBadRequest {
		return c, false
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(sent, &fields) != nil {
		return c, false
	}
	if !c.rename && bytes.Contains(text, []byte("max_completion_tokens")) {
		_, long := fields["max_completion_tokens"]
		_, short := fields["max_tokens"]
		if long || short {
			c.rename = true
			return c, true
		}
	}
	for _, name := range optional() {
		if _, there := fields[name]; there && bytes.Contains(text, []byte(name)) {
			c.drop = append(slices.Clone(c.drop), name)
			return c, true
		}
	}
	return c, false
}

// learn keeps a change that worked.
func (g *guard) learn(c change) {
	if len(c.drop) == 0 && !c.rename {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.drop == nil {
		g.drop = map[string]bool{}
	}
	for _, name := range c.drop {
		g.drop[name] = true
	}
	if c.rename {
		g.rename = !g.rename
	}
}

// rewrite gives the body with the extra fields, what was learnt and the trial
// worked in. A body that is no JSON object is left alone.
func (g *guard) rewrite(body []byte, trial change) []byte {
	g.mu.Lock()
	rename := g.rename != trial.rename
	drop := slices.Concat(slices.Collect(maps.Keys(g.drop)), trial.drop)
	g.mu.Unlock()
	if len(g.extra) == 0 && len(drop) == 0 && !rename {
		return body
	}
	var fields map[string]json.RawMessage
	if json.Unmarshal(body, &fields) != nil {
		return body
	}
	for name, v := range g.extra {
		fields[name] = v
	}
	for _, name := range drop {
		delete(fields, name)
	}
	if rename {
		swap(fields, "max_tokens", "max_completion_tokens")
	}
	out, err := json.Marshal(fields)
	if err != nil {
		return body
	}
	return out
}

func swap(fields map[string]json.RawMessage, a, b string) {
	if v, ok := fields[a]; ok {
		delete(fields, a)
		fields[b] = v
	} else if v, ok := fields[b]; ok {
		delete(fields, b)
		fields[a] = v
	}
}
