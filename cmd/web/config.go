package main

import (
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"time"

	"github.com/caarlos0/env/v11"

	"passage/rag"
	"passage/rag/rerank"
)

// config is every setting of the program. It is read once from the
// environment and checked whole.
type config struct {
	Addr        string        `env:"PASSAGE_ADDR" envDefault:"127.0.0.1:8080" help:"address the server listens on"`
	Data        string        `env:"PASSAGE_DATA" envDefault:".data" help:"folder of the private Postgres cluster and its binaries"`
	DatabaseURL string        `env:"DATABASE_URL" help:"PostgreSQL 15 or newer with pgvector 0.8 or newer; empty: a private cluster under PASSAGE_DATA" secret:"true"`
	Space       string        `env:"PASSAGE_SPACE" envDefault:"Documents" help:"space that commands use when none is named"`
	Examples    string        `env:"PASSAGE_EXAMPLES" help:"folder of example documents, loaded when the database is empty"`
	LogLevel    slog.Level    `env:"PASSAGE_LOG_LEVEL" envDefault:"INFO" help:"DEBUG, INFO, WARN or ERROR"`
	LogFormat   string        `env:"PASSAGE_LOG_FORMAT" envDefault:"text" help:"text or json"`
	StopTimeout time.Duration `env:"PASSAGE_STOP_TIMEOUT" envDefault:"10s" help:"time that running requests get when the server stops"`

	MaxUpload int64 `env:"PASSAGE_MAX_UPLOAD_MB" envDefault:"50" help:"most megabytes of one upload, all files together"`
	Workers   int   `env:"PASSAGE_WORKERS" envDefault:"2" help:"documents ingested at the same time; 0: the server leaves it to web work"`

	Embedder       string `env:"PASSAGE_EMBEDDER" envDefault:"use-lite" help:"use-lite (built in), openai (any OpenAI-compatible /embeddings), ollama, or none (words only)"`
	EmbedBaseURL   string `env:"PASSAGE_EMBED_BASE_URL" help:"base URL of the embedding server"`
	EmbedModel     string `env:"PASSAGE_EMBED_MODEL" help:"name of the embedding model"`
	EmbedAPIKey    string `env:"PASSAGE_EMBED_API_KEY" help:"key of the embedding server" secret:"true"`
	EmbedDimension int    `env:"PASSAGE_EMBED_DIMENSION" help:"length of its vectors; 0: learnt from the first answer"`
	EmbedTokenizer string `env:"PASSAGE_EMBED_TOKENIZER" help:"what chunks and the embedder's limit are counted in: cl100k, o200k, use-lite, wordpiece:FILE or wordpiece-cased:FILE (a vocab.txt); empty: use-lite for itself, else cl100k"`
	EmbedMaxTokens int    `env:"PASSAGE_EMBED_MAX_TOKENS" help:"tokens the embedder takes at once, longer units are divided; 0: 8191 for OpenAI itself, 512 for other servers"`

	Reranker         string        `env:"PASSAGE_RERANKER" help:"cohere, jina (any server with a /v1/rerank) or tei (text-embeddings-inference); empty: the order of the search is kept"`
	RerankBaseURL    string        `env:"PASSAGE_RERANK_BASE_URL" help:"base URL of the reranking server; empty: the provider's own, which tei does not have"`
	RerankModel      string        `env:"PASSAGE_RERANK_MODEL" help:"name of the reranking model; tei serves only one"`
	RerankAPIKey     string        `env:"PASSAGE_RERANK_API_KEY" help:"key of the reranking server" secret:"true"`
	RerankTokenizer  string        `env:"PASSAGE_RERANK_TOKENIZER" help:"what the reranker's limit is counted in, like PASSAGE_EMBED_TOKENIZER; empty: cl100k, with a quarter kept free"`
	RerankMaxTokens  int           `env:"PASSAGE_RERANK_MAX_TOKENS" help:"tokens the reranker reads at once, the question and one text together; 0: 4096 for Cohere itself, 1024 for Jina itself, 512 for other servers"`
	RerankCandidates int           `env:"PASSAGE_RERANK_CANDIDATES" envDefault:"30" help:"passages the reranker puts in order"`
	RerankTimeout    time.Duration `env:"PASSAGE_RERANK_TIMEOUT" envDefault:"3s" help:"longest time for reranking; after it the order of the search is kept"`

	LLMProvider  string        `env:"PASSAGE_LLM_PROVIDER" help:"openai (any OpenAI-compatible server), anthropic or ollama; empty: passages are quoted without a model"`
	LLMBaseURL   string        `env:"PASSAGE_LLM_BASE_URL" help:"base URL of the model's server; empty: the provider's own"`
	LLMModel     string        `env:"PASSAGE_LLM_MODEL" help:"name of the model"`
	LLMAPIKey    string        `env:"PASSAGE_LLM_API_KEY" help:"key of the model's server" secret:"true"`
	LLMTokenizer string        `env:"PASSAGE_LLM_TOKENIZER" help:"what passages are counted in, like PASSAGE_EMBED_TOKENIZER; empty: o200k for gpt-4o and later models of OpenAI, else cl100k"`
	LLMContext   int           `env:"PASSAGE_LLM_CONTEXT" envDefault:"8192" help:"tokens the model reads at once"`
	LLMTimeout   time.Duration `env:"PASSAGE_LLM_TIMEOUT" envDefault:"2m" help:"longest time for one answer"`
}

// readConfig reads the environment and checks every setting; the error names
// every fault at once.
func readConfig(environ []string) (config, error) {
	var c config
	var faults []string
	err := env.ParseWithOptions(&c, env.Options{Environment: env.ToMap(environ)})
	if err != nil {
		for line := range strings.SplitSeq(err.Error(), "; ") {
			faults = append(faults, strings.TrimPrefix(line, "env: "))
		}
	}
	faults = append(faults, c.faults()...)
	if len(faults) > 0 {
		return c, rag.Errorf(rag.CodeInvalid, "the configuration is not usable (web help lists every setting):\n  - %s", strings.Join(faults, "\n  - "))
	}
	if c.Data, err = filepath.Abs(c.Data); err != nil {
		return c, fmt.Errorf("making %s absolute: %w", c.Data, err)
	}
	return c, nil
}

func (c config) faults() []string {
	var f []string
	check := func(ok bool, format string, args ...any) {
		if !ok {
			f = append(f, fmt.Sprintf(format, args...))
		}
	}
	_, _, err := net.SplitHostPort(c.Addr)
	check(err == nil, "PASSAGE_ADDR must be host:port, like 127.0.0.1:8080")
	check(c.Space != "", "PASSAGE_SPACE must name a space")
	check(c.LogFormat == "text" || c.LogFormat == "json", "PASSAGE_LOG_FORMAT must be text or json")
	check(c.StopTimeout > 0, "PASSAGE_STOP_TIMEOUT must be above zero, like 10s")
	check(c.MaxUpload >= 1 && c.MaxUpload <= 1024, "PASSAGE_MAX_UPLOAD_MB must be from 1 to 1024")
	check(c.Workers >= 0 && c.Workers <= 64, "PASSAGE_WORKERS must be from 0 to 64")
	switch c.Embedder {
	case "use-lite", "none":
	case "openai", "ollama":
		check(c.EmbedModel != "", "PASSAGE_EMBED_MODEL must name a model when PASSAGE_EMBEDDER is %s", c.Embedder)
	default:
		check(false, "PASSAGE_EMBEDDER must be use-lite, openai, ollama or none")
	}
	check(isURL(c.EmbedBaseURL), "PASSAGE_EMBED_BASE_URL must be an http or https URL")
	check(c.EmbedDimension >= 0 && c.EmbedDimension <= 4000, "PASSAGE_EMBED_DIMENSION must be from 0 to 4000")
	check(isTokenizer(c.EmbedTokenizer), "PASSAGE_EMBED_TOKENIZER must be %s", vocabularyNames)
	check(c.EmbedMaxTokens == 0 || c.EmbedMaxTokens >= 32 && c.EmbedMaxTokens <= 1<<20, "PASSAGE_EMBED_MAX_TOKENS must be 0 or from 32 to 1048576")
	f = append(f, c.rerankFaults()...)
	check(isTokenizer(c.LLMTokenizer), "PASSAGE_LLM_TOKENIZER must be %s", vocabularyNames)
	switch c.LLMProvider {
	case "":
	case "openai", "anthropic", "ollama":
		check(c.LLMModel != "", "PASSAGE_LLM_MODEL must name a model when PASSAGE_LLM_PROVIDER is %s", c.LLMProvider)
	default:
		check(false, "PASSAGE_LLM_PROVIDER must be openai, anthropic, ollama or empty")
	}
	check(isURL(c.LLMBaseURL), "PASSAGE_LLM_BASE_URL must be an http or https URL")
	check(c.LLMContext >= 2048, "PASSAGE_LLM_CONTEXT must be at least 2048")
	check(c.LLMTimeout > 0, "PASSAGE_LLM_TIMEOUT must be above zero, like 2m")
	return f
}

// rerankFaults checks the settings of the reranker.
func (c config) rerankFaults() []string {
	var f []string
	check := func(ok bool, fault string) {
		if !ok {
			f = append(f, fault)
		}
	}
	switch c.Reranker {
	case "":
	case rerank.ProviderCohere, rerank.ProviderJina:
		check(c.RerankModel != "", "PASSAGE_RERANK_MODEL must name a model when PASSAGE_RERANKER is "+c.Reranker)
	case rerank.ProviderTEI:
		check(c.RerankBaseURL != "", "PASSAGE_RERANK_BASE_URL must name the server when PASSAGE_RERANKER is tei")
	default:
		check(false, "PASSAGE_RERANKER must be "+rerank.Providers+", or empty")
	}
	check(isURL(c.RerankBaseURL), "PASSAGE_RERANK_BASE_URL must be an http or https URL")
	check(isTokenizer(c.RerankTokenizer), "PASSAGE_RERANK_TOKENIZER must be "+vocabularyNames)
	check(c.RerankMaxTokens == 0 || c.RerankMaxTokens >= 32 && c.RerankMaxTokens <= 1<<20, "PASSAGE_RERANK_MAX_TOKENS must be 0 or from 32 to 1048576")
	check(c.RerankCandidates >= 2 && c.RerankCandidates <= 200, "PASSAGE_RERANK_CANDIDATES must be from 2 to 200")
	check(c.RerankTimeout > 0 && c.RerankTimeout <= time.Minute, "PASSAGE_RERANK_TIMEOUT must be above zero and at most 1m, like 3s")
	return f
}

// isURL accepts an empty string too: the setting is optional.
func isURL(s string) bool {
	if s == "" {
		return true
	}
	u, err := url.Parse(s)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != ""
}

// settings lists every setting for web help: name, default, what it is.
func settings() string {
	var b strings.Builder
	t := reflect.TypeFor[config]()
	for i := range t.NumField() {
		tag := t.Field(i).Tag
		fmt.Fprintf(&b, "  %-25s %s", tag.Get("env"), tag.Get("help"))
		if d := tag.Get("envDefault"); d != "" {
			fmt.Fprintf(&b, " (default %s)", d)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
