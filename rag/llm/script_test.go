package llm_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"passage/rag/llm"
)

// prose stands in every error a scripted server sends, as real ones quote the
// question and the key. Neither may come out of the package.
const (
	prose  = "your question about the broker was"
	apiKey = "sk-very-secret-0123456789"
)

// script writes what a provider's server sends. Its deltas take a JSON string
// with its quotes, so that a test can write one that is not valid UTF-8.
type script struct {
	provider string
	path     string // of the chat
	list     string // of the models
	start    string // before the first delta
	delta    func(quoted string) string
	end      func(stop string) string // stop reason, usage (7 in, 3 out), terminator
	stopped  string                   // a stop reason without the formal end; "" when they are one
	fault    func(kind string) string // an error event
	whole    func(quoted string) string
	listing  string // list of models with model "m"
	words    map[string]string
}

func (s script) text(parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(s.delta(quote(p)))
	}
	return b.String()
}

func quote(s string) string {
	b, _ := json.Marshal(s)
	return string(b)
}

func scripts() []script {
	return []script{openAIScript(), anthropicScript(), ollamaScript()}
}

func openAIScript() script {
	chunk := func(choice string) string {
		return `data: {"id":"c","object":"chat.completion.chunk","choices":[` + choice + `],"usage":null}` + "\n\n"
	}
	finish := func(stop string) string {
		return chunk(`{"index":0,"delta":{},"finish_reason":"` + stop + `"}`)
	}
	return script{
		provider: llm.ProviderOpenAI, path: "/chat/completions", list: "/models",
		start: ": a comment\n\n" + chunk(`{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}`),
		delta: func(q string) string {
			return chunk(`{"index":0,"delta":{"content":` + q + `},"finish_reason":null}`)
		},
		end: func(stop string) string {
			return finish(stop) + `data: {"choices":[],"usage":{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}}` + "\n\ndata: [DONE]\n\n"
		},
		stopped: finish("stop"),
		fault: func(kind string) string {
			return fmt.Sprintf(`data: {"error":{"message":%s,"type":"%s","code":null}}`, quote(prose+" "+apiKey), kind) + "\n\n"
		},
		whole: func(q string) string {
			return `{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":` + q +
				`},"finish_reason":"stop"}],"usage":{"prompt_tokens":7,"completion_tokens":3}}`
		},
		listing: `{"object":"list","data":[{"id":"m"}]}`,
		words:   map[string]string{"end": "stop", "length": "length", "refused": "content_filter"},
	}
}

func anthropicScript() script {
	event := func(name, fields string) string {
		return "event: " + name + "\ndata: {\"type\":\"" + name + "\"" + fields + "}\n\n"
	}
	stop := func(reason string) string {
		return event("content_block_stop", `,"index":0`) +
			event("message_delta", `,"delta":{"stop_reason":"`+reason+`","stop_sequence":null},"usage":{"output_tokens":3}`)
	}
	return script{
		provider: llm.ProviderAnthropic, path: "/messages", list: "/models",
		start: event("message_start", `,"message":{"id":"m","role":"assistant","content":[],"usage":{"input_tokens":7,"output_tokens":1}}`) +
			event("content_block_start", `,"index":0,"content_block":{"type":"text","text":""}`) + event("ping", ""),
		delta: func(q string) string {
			return event("content_block_delta", `,"index":0,"delta":{"type":"text_delta","text":`+q+`}`)
		},
		end:     func(reason string) string { return stop(reason) + event("message_stop", "") },
		stopped: stop("end_turn"),
		fault: func(kind string) string {
			return event("error", `,"error":{"type":"`+kind+`","message":`+quote(prose+" "+apiKey)+`}`)
		},
		whole: func(q string) string {
			return `{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":` + q +
				`}],"stop_reason":"end_turn","usage":{"input_tokens":7,"output_tokens":3}}`
		},
		listing: `{"data":[{"type":"model","id":"m"}]}`,
		words:   map[string]string{"end": "end_turn", "length": "max_tokens", "refused": "refusal"},
	}
}

func ollamaScript() script {
	line := func(fields string) string {
		return `{"model":"m","created_at":"2026-01-02T03:04:05.6Z",` + fields + "}\n"
	}
	return script{
		provider: llm.ProviderOllama, path: "/api/chat", list: "/api/tags",
		delta: func(q string) string {
			return line(`"message":{"role":"assistant","content":` + q + `},"done":false`)
		},
		end: func(stop string) string {
			return line(`"message":{"role":"assistant","content":""},"done":true,"done_reason":"` + stop + `","prompt_eval_count":7,"eval_count":3`)
		},
		fault: func(kind string) string { return `{"error":` + quote(kind+": "+prose+" "+apiKey) + "}\n" },
		whole: func(q string) string {
			return strings.TrimSpace(line(`"message":{"role":"assistant","content":` + q +
				`},"done":true,"done_reason":"stop","prompt_eval_count":7,"eval_count":3`))
		},
		listing: `{"models":[{"name":"m:latest"}]}`,
		// Ollama has no filter of its own; a gateway before it may say so.
		words: map[string]string{"end": "stop", "length": "length", "refused": "content_filter"},
	}
}

// errorBody is an error reply in the shape all three understand.
func errorBody(kind string) string {
	return `{"type":"error","error":{"type":"` + kind + `","message":` + quote(prose+" "+apiKey) + `}}`
}

// reply is the scripted server's hand on one request.
type reply struct {
	http.ResponseWriter
	r *http.Request
	n int // this is the n-th request, from 1
	s script
}

// send writes and flushes.
func (w reply) send(parts ...string) {
	for _, p := range parts {
		_, _ = w.Write([]byte(p))
		_ = http.NewResponseController(w.ResponseWriter).Flush()
	}
}

// refuse answers with a status and an error body.
func (w reply) refuse(status int, kind string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	w.send(errorBody(kind))
}

// hang waits until the client has gone.
func (w reply) hang() { <-w.r.Context().Done() }

// drop closes the connection without ending the reply.
func (w reply) drop() { panic(http.ErrAbortHandler) }
