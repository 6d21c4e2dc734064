package llm

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/tmc/langchaingo/llms"
	"github.com/tmc/langchaingo/llms/anthropic"
	"github.com/tmc/langchaingo/llms/ollama"
	"github.com/tmc/langchaingo/llms/openai"

	"passage/rag"
	"passage/rag/outbound"
)

// noKey stands where langchaingo insists on a key; the guard takes it out of
// the request again.
const noKey = "none"

// provider is everything that differs between the providers.
type provider struct {
	model   llms.Model
	wire    dialect
	options []llms.CallOption
	list    string // path of the list of models, below the base address
}

// newProvider builds langchaingo's client. Every option that langchaingo would
// otherwise take from the environment is set, so that only the given Config
// counts.
func newProvider(c Config, server outbound.Server, base *url.URL, client *http.Client) (provider, error) {
	key, model := cmp.Or(server.Key, noKey), server.Model
	switch c.Provider {
	case ProviderOpenAI:
		m, err := openai.New(openai.WithToken(key), openai.WithModel(model), openai.WithBaseURL(base.String()),
			openai.WithOrganization(""), openai.WithHTTPClient(client))
		if err != nil {
			return provider{}, fmt.Errorf("build the openai client: %w", err)
		}
		p := provider{model: m, wire: openAIWire{}, list: "models"}
		if !knowsCompletionTokens(base) {
			p.options = append(p.options, openai.WithLegacyMaxTokensField())
		}
		return p, nil
	case ProviderAnthropic:
		m, err := anthropic.New(anthropic.WithToken(key), anthropic.WithModel(model),
			anthropic.WithBaseURL(base.String()), anthropic.WithHTTPClient(client))
		if err != nil {
			return provider{}, fmt.Errorf("build the anthropic client: %w", err)
		}
		return provider{model: m, wire: anthropicWire{}, list: "models"}, nil
	default:
		m, err := ollama.New(ollama.WithModel(model), ollama.WithServerURL(base.String()),
			ollama.WithRunnerNumCtx(c.ContextTokens), ollama.WithHTTPClient(client))
		if err != nil {
			return provider{}, fmt.Errorf("build the ollama client: %w", err)
		}
		return provider{model: m, wire: ollamaWire{}, list: "api/tags"}, nil
	}
}

// knowsCompletionTokens: OpenAI itself wants max_completion_tokens, servers
// that speak its language know max_tokens.
func knowsCompletionTokens(base *url.URL) bool {
	host := base.Hostname()
	return host == "api.openai.com" || strings.HasSuffix(host, ".openai.azure.com")
}

// contents turns a request into langchaingo's messages. Blank messages are left
// out, since some providers refuse them.
func contents(req Request) ([]llms.MessageContent, error) {
	roles := map[Role]llms.ChatMessageType{
		RoleSystem:    llms.ChatMessageTypeSystem,
		RoleUser:      llms.ChatMessageTypeHuman,
		RoleAssistant: llms.ChatMessageTypeAI,
	}
	out := make([]llms.MessageContent, 0, len(req.Messages))
	asked := false
	for _, m := range req.Messages {
		role, ok := roles[m.Role]
		if !ok {
			return nil, rag.Errorf(rag.CodeInternal, "A message of the prompt has an unknown role.")
		}
		if strings.TrimSpace(m.Text) == "" {
			continue
		}
		asked = asked || m.Role == RoleUser
		out = append(out, llms.MessageContent{Role: role, Parts: []llms.ContentPart{llms.TextContent{Text: m.Text}}})
	}
	if !asked {
		return nil, rag.Errorf(rag.CodeInvalid, "The question is empty.")
	}
	return out, nil
}
