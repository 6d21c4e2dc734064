package rerank

import (
	"cmp"
	"context"
	"log/slog"
	"net/url"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/outbound"
)

// The providers.
const (
	ProviderCohere = "cohere" // POST /v2/rerank, or /v1/rerank when the base URL ends so
	ProviderJina   = "jina"   // POST /v1/rerank, which vLLM, llama.cpp, Infinity and others speak too
	ProviderTEI    = "tei"    // POST /rerank of text-embeddings-inference
)

// Providers names them for a message.
const Providers = "cohere, jina or tei"

// DefaultTimeout is how long one Rerank may take.
const DefaultTimeout = 3 * time.Second

// Config says which model reranks and how patiently. Only Provider is always
// needed, Model by all but TEI, which serves one, and BaseURL by TEI; zero
// values of the rest mean the defaults given here.
type Config struct {
	Provider string
	BaseURL  string // default: the provider's own address
	Model    string
	APIKey   string // needed by Cohere and Jina themselves

	// MaxTokens is how much the model reads at once, the question and one text
	// together. Default: 4,096 for Cohere itself, 1,024 for Jina itself, 512
	// otherwise.
	MaxTokens int

	// Tokens finds the tokens of a text; nil means a rough estimate. Exact says
	// that it counts as the model does. Otherwise a quarter of MaxTokens is kept
	// free, so that the server has nothing to cut.
	Tokens Tokenizer
	Exact  bool

	BatchSize int           // texts in a request; default 32 for TEI, as many as it takes by default, else 100
	Timeout   time.Duration // of a whole Rerank, repeats included; default DefaultTimeout
	Retries   int           // repeats of one request; default 1, negative means none

	Logger *slog.Logger // hears of repeats; nil means silence

	// Sleep replaces the clock in tests, see outbound.Policy.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Tokenizer counts tokens and finds the byte offsets where they end, in order
// and on rune boundaries.
type Tokenizer interface {
	Count(text string) int
	Ends(text string) []int
}

// marks are the tokens that a model may put around a question and a text by
// itself, such as [CLS] and two [SEP].
const marks = 4

// leastTokens is the smallest limit that leaves room for a question and a text.
const leastTokens = 32

// own are the providers' own addresses, how much their models read, and whether
// they need a key.
var own = map[string]struct {
	base, host string
	tokens     int
}{
	ProviderCohere: {"https://api.cohere.com", "api.cohere.com", 4096},
	ProviderJina:   {"https://api.jina.ai", "api.jina.ai", 1024},
	ProviderTEI:    {},
}

// check fills the defaults in and names everything that is wrong, in terms of
// the environment variables the program reads.
func (c *Config) check() (outbound.Server, *url.URL, error) {
	provider, known := own[c.Provider]
	if !known {
		return outbound.Server{}, nil, rag.Errorf(rag.CodeInvalid, "PASSAGE_RERANKER must be %s.", Providers)
	}
	s := outbound.Server{
		Name: "reranking", Env: "PASSAGE_RERANK", Provider: "PASSAGE_RERANKER",
		Base: cmp.Or(c.BaseURL, provider.base), Model: c.Model, Key: c.APIKey,
	}
	if c.Provider == ProviderTEI && strings.TrimSpace(s.Model) == "" {
		s.Model = "tei"
	}
	u, faults := s.Check(func(host string) bool { return host == provider.host })
	if c.MaxTokens != 0 && c.MaxTokens < leastTokens {
		faults = append(faults, "PASSAGE_RERANK_MAX_TOKENS must be 0 or at least 32")
	}
	if c.BatchSize < 0 {
		faults = append(faults, "the batch size is negative")
	}
	if len(faults) > 0 {
		return s, nil, rag.Errorf(rag.CodeInvalid, "The reranker is not set up: %s.", strings.Join(faults, "; "))
	}
	c.fill(u.Hostname() == provider.host)
	return s, u, nil
}

func (c *Config) fill(ownHost bool) {
	if c.MaxTokens == 0 {
		c.MaxTokens = 512
		if ownHost {
			c.MaxTokens = own[c.Provider].tokens
		}
	}
	if !c.Exact || c.Tokens == nil {
		c.MaxTokens = c.MaxTokens * 3 / 4
	}
	if c.Tokens == nil {
		c.Tokens = rough{}
	}
	if c.BatchSize == 0 {
		c.BatchSize = 100
		if c.Provider == ProviderTEI {
			c.BatchSize = 32
		}
	}
	if c.Timeout <= 0 {
		c.Timeout = DefaultTimeout
	}
	switch {
	case c.Retries == 0:
		c.Retries = 1
	case c.Retries < 0:
		c.Retries = 0
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}
