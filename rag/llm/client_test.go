package llm_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/llm"
	"passage/rag/outbound"
)

// ask builds a client for a scripted handler and collects the answer.
func ask(t *testing.T, cfg llm.Config, req llm.Request, handler http.HandlerFunc) (llm.Result, error) {
	t.Helper()
	srv := httptest.NewServer(handler)
	t.Cleanup(srv.Close)
	cfg.BaseURL, cfg.Model = srv.URL, "m"
	c, err := llm.New(cfg)
	require.NoError(t, err)
	t.Cleanup(c.Close)
	return c.Stream(t.Context(), req, func(context.Context, string) error { return nil })
}

func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	req := question()
	req.Messages = slices.Insert(req.Messages, 1, llm.Message{Role: llm.RoleUser, Text: "Hello"},
		llm.Message{Role: llm.RoleAssistant, Text: "Ask."}, llm.Message{Role: llm.RoleAssistant, Text: " \n"})
	req.MaxTokens, req.Temperature = 300, 0.25

	system := map[string]any{"role": "system", "content": "Answer from the passages."}
	turns := []any{
		map[string]any{"role": "user", "content": "Hello"},
		map[string]any{"role": "assistant", "content": "Ask."},
		map[string]any{"role": "user", "content": "How do I rotate the certificate?"},
	}
	blocks := func(role, text string) any {
		return map[string]any{"role": role, "content": []any{map[string]any{"type": "text", "text": text}}}
	}
	want := map[string]map[string]any{
		llm.ProviderOpenAI: {
			"model": "m", "stream": true, "temperature": 0.25, "max_tokens": 300.0,
			"stream_options": map[string]any{"include_usage": true}, "messages": append([]any{system}, turns...),
		},
		llm.ProviderAnthropic: {
			"model": "m", "stream": true, "temperature": 0.25, "max_tokens": 300.0, "system": "Answer from the passages.",
			"messages": []any{
				blocks("user", "Hello"), blocks("assistant", "Ask."), blocks("user", "How do I rotate the certificate?"),
			},
		},
		llm.ProviderOllama: {
			"model": "m", "stream": true, "format": "", "truncate": false, "shift": false,
			"messages": append([]any{system}, turns...),
			"options":  map[string]any{"temperature": 0.25, "num_predict": 300.0, "num_ctx": 8192.0},
		},
	}
	key := map[string][2]string{
		llm.ProviderOpenAI:    {"Authorization", "Bearer " + apiKey},
		llm.ProviderAnthropic: {"X-Api-Key", apiKey},
	}
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			got := make(chan *http.Request, 1)
			body := make(chan []byte, 1)
			_, err := ask(t, llm.Config{Provider: s.provider, APIKey: apiKey}, req, func(w http.ResponseWriter, r *http.Request) {
				b, _ := io.ReadAll(r.Body)
				got <- r
				body <- b
				reply{w, r, 1, s}.send(s.start, s.text("yes"), s.end(s.words["end"]))
			})
			require.NoError(t, err)
			r := <-got
			require.Equal(t, s.path, r.URL.Path)
			require.Equal(t, "passage", r.Header.Get("User-Agent"))
			if h, ok := key[s.provider]; ok {
				require.Equal(t, h[1], r.Header.Get(h[0]))
			}
			var sent map[string]any
			require.NoError(t, json.Unmarshal(<-body, &sent))
			require.Equal(t, want[s.provider], sent)
		})
	}
}

func TestNoKeyIsSentWhenThereIsNone(t *testing.T) {
	t.Parallel()
	s := openAIScript()
	_, err := ask(t, llm.Config{Provider: s.provider}, question(), func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		reply{w, r, 1, s}.send(s.text("yes"), s.end("stop"))
	})
	require.NoError(t, err)
}

// A server that refuses an optional field is asked again without it, at once,
// and is not sent it with the next question.
func TestRefusedFieldIsLeftOut(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, field, complaint string
		script                 script
		instead                string
	}{
		{"temperature, openai", "temperature", "Unsupported value: 'temperature'", openAIScript(), ""},
		{"temperature, anthropic", "temperature", "temperature is deprecated for this model", anthropicScript(), ""},
		{"usage in the stream", "stream_options", "extra fields not permitted: stream_options", openAIScript(), ""},
		{"limit under its new name", "max_tokens", "Use 'max_completion_tokens' instead of 'max_tokens'", openAIScript(), "max_completion_tokens"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			seen := make(chan map[string]any, 8)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body map[string]any
				_ = json.NewDecoder(r.Body).Decode(&body)
				seen <- body
				if _, there := body[c.field]; there {
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, `{"error":{"type":"invalid_request_error","message":`+quote(c.complaint)+`}}`)
					return
				}
				reply{w, r, 1, c.script}.send(c.script.start, c.script.text("yes"), c.script.end(c.script.words["end"]))
			}))
			defer srv.Close()
			m, err := llm.New(llm.Config{
				Provider: c.script.provider, BaseURL: srv.URL, Model: "m", APIKey: apiKey,
				Sleep: func(context.Context, time.Duration) error { return context.Canceled },
			})
			require.NoError(t, err)
			defer m.Close()
			for range 2 {
				_, err = m.Stream(t.Context(), question(), func(context.Context, string) error { return nil })
				require.NoError(t, err)
			}
			require.Len(t, seen, 3, "refused, without the field, without the field")
			<-seen
			for range 2 {
				body := <-seen
				require.NotContains(t, body, c.field)
				if c.instead != "" {
					require.Contains(t, body, c.instead)
				}
			}
		})
	}
}

func TestPanicOfTheCallerComesBackToIt(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, func(w reply) { w.send(w.s.start, w.s.text("a", "b"), w.s.end(w.s.words["end"])) })
			c, err := llm.New(llm.Config{Provider: s.provider, BaseURL: srv.URL, Model: "m", APIKey: apiKey})
			require.NoError(t, err)
			defer c.Close()
			require.PanicsWithValue(t, "boom", func() {
				_, _ = c.Stream(t.Context(), question(), func(context.Context, string) error { panic("boom") })
			})
		})
	}
}

func TestQuestionIsChecked(t *testing.T) {
	t.Parallel()
	never := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) }
	for name, messages := range map[string][]llm.Message{
		"nothing":       nil,
		"blank":         {{Role: llm.RoleUser, Text: " \n"}},
		"only a system": {{Role: llm.RoleSystem, Text: "Be brief."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := ask(t, llm.Config{Provider: llm.ProviderOllama}, llm.Request{Messages: messages}, never)
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
		})
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		cfg  llm.Config
		want string
	}{
		{"no provider", llm.Config{}, "PASSAGE_LLM_PROVIDER must be openai, anthropic or ollama."},
		{
			"everything missing",
			llm.Config{Provider: llm.ProviderAnthropic},
			"The language model is not set up: PASSAGE_LLM_MODEL names no model; PASSAGE_LLM_API_KEY is not set.",
		},
		{
			"OpenAI itself needs a key",
			llm.Config{Provider: llm.ProviderOpenAI, Model: "m"},
			"The language model is not set up: PASSAGE_LLM_API_KEY is not set.",
		},
		{
			"password in the address",
			llm.Config{Provider: llm.ProviderOllama, Model: "m", BaseURL: "http://me:pw@host"},
			"The language model is not set up: PASSAGE_LLM_BASE_URL cannot be used: it must hold no user or password.",
		},
		{
			"key over two lines",
			llm.Config{Provider: llm.ProviderAnthropic, Model: "m", APIKey: "a\nb"},
			"The language model is not set up: PASSAGE_LLM_API_KEY holds white space.",
		},
		{"a local server without a key", llm.Config{Provider: llm.ProviderOpenAI, Model: "m", BaseURL: "http://127.0.0.1:8000/v1/"}, ""},
		{"ollama by default", llm.Config{Provider: llm.ProviderOllama, Model: " m\n"}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			m, err := llm.New(c.cfg)
			if c.want == "" {
				require.NoError(t, err)
				require.Equal(t, "m", m.Name())
				require.Equal(t, 8192, m.ContextTokens())
				return
			}
			require.Equal(t, c.want, rag.ErrorMessage(err))
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
		})
	}
}

func TestAvailable(t *testing.T) {
	t.Parallel()
	answer := func(body string) func(w reply) { return func(w reply) { w.send(body) } }
	cases := []struct {
		name  string
		serve func(w reply)
		kind  outbound.Kind
		only  string // provider
	}{
		{name: "list of models", serve: func(w reply) { w.send(w.s.listing) }},
		{name: "401", kind: outbound.KindUnauthorized, serve: func(w reply) { w.refuse(401, "authentication_error") }},
		{name: "429", kind: outbound.KindRateLimited, serve: func(w reply) { w.refuse(429, "rate_limit_error") }},
		{name: "503", kind: outbound.KindUnavailable, serve: func(w reply) { w.refuse(503, "unavailable") }},
		{name: "web page", kind: outbound.KindAddress, serve: answer("<html>")},
		{name: "redirect", kind: outbound.KindAddress, serve: func(w reply) { http.Redirect(w, w.r, "http://192.0.2.1/", http.StatusFound) }},
		{name: "cut", kind: outbound.KindCut, serve: func(w reply) { w.send(`{"da`); w.drop() }},
		{name: "server without a list", only: llm.ProviderOpenAI, serve: func(w reply) { http.NotFound(w, w.r) }},
		{name: "no Ollama there", only: llm.ProviderOllama, kind: outbound.KindAddress, serve: func(w reply) { http.NotFound(w, w.r) }},
		{name: "model not pulled", only: llm.ProviderOllama, kind: outbound.KindModel, serve: answer(`{"models":[{"name":"m:7b"}]}`)},
	}
	for _, c := range cases {
		for _, s := range scripts() {
			if c.only != "" && c.only != s.provider {
				continue
			}
			t.Run(c.name+"/"+s.provider, func(t *testing.T) {
				t.Parallel()
				s.path = s.list
				srv := newServer(t, s, c.serve)
				m, err := llm.New(llm.Config{Provider: s.provider, BaseURL: srv.URL, Model: "m", APIKey: apiKey})
				require.NoError(t, err)
				defer m.Close()
				err = m.Available(t.Context())
				if c.kind == "" {
					require.NoError(t, err)
					return
				}
				require.Equal(t, c.kind, outbound.KindOf(err), "%v", err)
				require.NotContains(t, err.Error(), apiKey)
				require.NotContains(t, err.Error(), prose)
			})
		}
	}
}
