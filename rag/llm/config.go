package llm

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
	ProviderOpenAI    = "openai" // OpenAI and every server that speaks its chat API
	ProviderAnthropic = "anthropic"
	ProviderOllama    = "ollama"
)

// defaultMaxTokens limits an answer when the request does not.
const defaultMaxTokens = 2048

// Config says which model to ask and how patiently. Only Provider and Model
// are always needed; zero values of the rest mean the defaults given here.
type Config struct {
	Provider string
	BaseURL  string // default: the provider's own address; Ollama's is http://127.0.0.1:11434
	Model    string
	APIKey   string // needed by Anthropic and by OpenAI itself

	// ContextTokens is the model's context. Ollama is told to use it.
	// Default: 200,000 for Anthropic, 8,192 otherwise.
	ContextTokens int

	Timeout       time.Duration // one question in all, repeats included; default 5 min
	HeaderTimeout time.Duration // until a reply begins; default 2 min (a local model may be loading)
	IdleTimeout   time.Duration // between two pieces of a reply; default 1 min
	Retries       int           // repeats before the first chunk; default 2, negative means none
	MaxWait       time.Duration // longest wait before a repeat; default 20 s

	Logger *slog.Logger // hears of repeats; nil means silence

	// Sleep replaces the clock in tests, see outbound.Policy.
	Sleep func(ctx context.Context, d time.Duration) error
}

// check fills the defaults in and names everything that is wrong, in terms of
// the environment variables the program reads.
func (c *Config) check() (outbound.Server, *url.URL, error) {
	base, known := map[string]string{
		ProviderOpenAI:    "https://api.openai.com/v1",
		ProviderAnthropic: "https://api.anthropic.com/v1",
		ProviderOllama:    "http://127.0.0.1:11434",
	}[c.Provider]
	if !known {
		return outbound.Server{}, nil, rag.Errorf(rag.CodeInvalid, "PASSAGE_LLM_PROVIDER must be openai, anthropic or ollama.")
	}
	s := outbound.Server{
		Name: "language model", Env: "PASSAGE_LLM", Provider: "PASSAGE_LLM_PROVIDER", Pull: c.Provider == ProviderOllama,
		Base: cmp.Or(c.BaseURL, base), Model: c.Model, Key: c.APIKey,
	}
	u, faults := s.Check(func(host string) bool {
		return c.Provider == ProviderAnthropic || host == "api.openai.com"
	})
	if len(faults) > 0 {
		return s, nil, rag.Errorf(rag.CodeInvalid, "The language model is not set up: %s.", strings.Join(faults, "; "))
	}
	c.fill()
	return s, u, nil
}

func (c *Config) fill() {
	if c.ContextTokens <= 0 {
		c.ContextTokens = 8192
		if c.Provider == ProviderAnthropic {
			c.ContextTokens = 200_000
		}
	}
	c.Timeout = positive(c.Timeout, 5*time.Minute)
	c.HeaderTimeout = positive(c.HeaderTimeout, 2*time.Minute)
	c.IdleTimeout = positive(c.IdleTimeout, time.Minute)
	c.MaxWait = positive(c.MaxWait, 20*time.Second)
	switch {
	case c.Retries == 0:
		c.Retries = 2
	case c.Retries < 0:
		c.Retries = 0
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}

func positive(d, def time.Duration) time.Duration {
	if d <= 0 {
		return def
	}
	return d
}
