package llm

import "context"

// Role is who speaks in a message.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
)

// Message is one turn of the conversation sent to the model.
type Message struct {
	Role Role
	Text string
}

// Request is what is asked. Messages hold at least one of RoleUser; blank ones
// are left out.
type Request struct {
	Messages    []Message
	MaxTokens   int     // longest answer in tokens; 0 means 2048
	Temperature float64 // 0 is the most repeatable
}

// Why a model stopped, in words that are the same for every provider. Any
// other reason is given as the provider spelled it.
const (
	StopEnd    = "stop"   // the answer is complete
	StopLength = "length" // the answer reached MaxTokens or the end of the context
)

// Result is an answer. With an error, Text holds the part that came before it
// and StopReason is empty.
type Result struct {
	Text         string
	StopReason   string
	InputTokens  int // as counted by the provider, 0 when it does not say
	OutputTokens int
}

// Truncated says that the model was stopped by a limit and not by the end of
// what it had to say.
func (r Result) Truncated() bool { return r.StopReason == StopLength }

// Model is a language model that can be asked.
type Model interface {
	// Name is the model's name as configured, for display and traces.
	Name() string
	// ContextTokens is how many tokens request and answer may have together.
	ContextTokens() int
	// Stream asks and hands on the answer piece by piece. Every chunk is valid
	// UTF-8 without NUL; joined, the chunks are Result.Text. An error of
	// onChunk ends the call and is returned wrapped. All other errors are a
	// *rag.Error around an *outbound.Error.
	Stream(ctx context.Context, req Request, onChunk func(ctx context.Context, chunk string) error) (Result, error)
}
