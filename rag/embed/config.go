package embed

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
	ProviderOpenAI = "openai" // OpenAI and every server that speaks its /embeddings
	ProviderOllama = "ollama"
)

// MaxDimension is the longest vector a pgvector index can hold, as halfvec.
const MaxDimension = 4000

// Config says which model embeds and how patiently. Only Provider and Model
// are always needed; zero values of the rest mean the defaults given here.
type Config struct {
	Provider string
	BaseURL  string // default: the provider's own address; Ollama's is http://127.0.0.1:11434
	Model    string
	APIKey   string // needed by OpenAI itself

	// Dimension is the length the vectors must have. 0 means whatever the
	// first reply has. OpenAI's text-embedding-3 models are told to give it.
	Dimension int

	// MaxTokens is how long a text the model reads. A longer one is embedded in
	// windows. Default: 8,191 for OpenAI itself, 512 otherwise.
	MaxTokens int

	// Tokens counts what a text has of them; nil means a rough estimate. Exact
	// says that it counts as the model does. Otherwise a quarter of MaxTokens is
	// kept free, so that no server has to cut a text that was counted short.
	Tokens Counter
	Exact  bool

	BatchSize int           // texts in a request; default 64
	Timeout   time.Duration // one request; default 1 min
	Retries   int           // repeats of one request; default 4, negative means none
	MaxWait   time.Duration // longest wait before a repeat; default 1 min

	Logger *slog.Logger // hears of repeats and of texts in windows; nil means silence

	// Sleep replaces the clock in tests, see outbound.Policy.
	Sleep func(ctx context.Context, d time.Duration) error
}

// Counter counts tokens.
type Counter interface {
	Count(text string) int
}

// marks are the tokens that a model may put around a text by itself, such as
// [CLS] and [SEP].
const marks = 2

// check fills the defaults in and names everything that is wrong, in terms of
// the environment variables the program reads.
func (c *Config) check() (outbound.Server, *url.URL, error) {
	base, known := map[string]string{
		ProviderOpenAI: "https://api.openai.com/v1",
		ProviderOllama: "http://127.0.0.1:11434",
	}[c.Provider]
	if !known {
		return outbound.Server{}, nil, rag.Errorf(rag.CodeInvalid, "PASSAGE_EMBEDDER must be use-lite, openai or ollama.")
	}
	s := outbound.Server{
		Name: "embedding", Env: "PASSAGE_EMBED", Provider: "PASSAGE_EMBEDDER", Pull: c.Provider == ProviderOllama,
		Base: cmp.Or(c.BaseURL, base), Model: c.Model, Key: c.APIKey,
	}
	own := func(host string) bool { return host == "api.openai.com" }
	u, faults := s.Check(own)
	if c.Dimension < 0 || c.Dimension > MaxDimension {
		faults = append(faults, "PASSAGE_EMBED_DIMENSION must be between 1 and 4000, the most the vector index can hold")
	}
	if c.BatchSize < 0 {
		faults = append(faults, "the batch size is negative")
	}
	if len(faults) > 0 {
		return s, nil, rag.Errorf(rag.CodeInvalid, "The embedder is not set up: %s.", strings.Join(faults, "; "))
	}
	c.fill(own(u.Hostname()))
	return s, u, nil
}

func (c *Config) fill(own bool) {
	if c.MaxTokens <= 0 {
		c.MaxTokens = 512
		if own {
			c.MaxTokens = 8191
		}
	}
	if c.Exact && c.Tokens != nil {
		c.MaxTokens = max(1, c.MaxTokens-marks)
	} else {
		c.MaxTokens = max(1, c.MaxTokens*3/4)
	}
	if c.Tokens == nil {
		c.Tokens = rough{}
	}
	if c.BatchSize == 0 {
		c.BatchSize = 64
	}
	if c.Timeout <= 0 {
		c.Timeout = time.Minute
	}
	if c.MaxWait <= 0 {
		c.MaxWait = time.Minute
	}
	switch {
	case c.Retries == 0:
		c.Retries = 4
	case c.Retries < 0:
		c.Retries = 0
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
}
