package embed_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"passage/rag/embed"
)

// TestMain also proves that no fault leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	prose  = "your document about the broker was" // in every error a server sends
	apiKey = "sk-very-secret-0123456789"
)

// script is what differs between the providers' servers.
type script struct {
	provider string
	path     string
	reply    func(vectors []string) string // a whole reply; a vector is given as JSON
}

func scripts() []script {
	return []script{
		{embed.ProviderOpenAI, "/embeddings", func(vectors []string) string {
			return openAIReply(vectors, nil)
		}},
		{embed.ProviderOllama, "/api/embed", func(vectors []string) string {
			return `{"model":"m","embeddings":[` + strings.Join(vectors, ",") + `],"prompt_eval_count":3}`
		}},
	}
}

// openAIReply writes the vectors in the given order, each with its own index.
func openAIReply(vectors []string, order []int) string {
	var data []string
	for i := range vectors {
		if order != nil {
			i = order[i]
		}
		data = append(data, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":%s}`, i, vectors[i]))
	}
	return `{"object":"list","data":[` + strings.Join(data, ",") + `],"usage":{"prompt_tokens":3}}`
}

// server plays a provider and keeps what it was asked.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked [][]string
	left  chan time.Time
}

// exchange is one request in the hand of a test's handler.
type exchange struct {
	http.ResponseWriter
	r     *http.Request
	n     int // this is the n-th request, from 1
	texts []string
	s     script
}

// vectors gives each text the three-dimensional vector (3, 4, its length).
func (x exchange) vectors() []string {
	var out []string
	for _, t := range x.texts {
		out = append(out, fmt.Sprintf("[3, 4.0, %d]", len(t)))
	}
	return out
}

func (x exchange) send(body string) {
	x.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(x, body)
}

func (x exchange) clean() { x.send(x.s.reply(x.vectors())) }

func (x exchange) refuse(status int, kind string) {
	x.WriteHeader(status)
	x.send(`{"error":{"type":"` + kind + `","message":"` + prose + " " + apiKey + `"}}`)
}

func newServer(t *testing.T, s script, serve func(x exchange)) *server {
	t.Helper()
	srv := &server{left: make(chan time.Time, 64)}
	srv.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body struct {
			Model string   `json:"model"`
			Input []string `json:"input"`
		}
		raw, _ := io.ReadAll(r.Body)
		if json.Unmarshal(raw, &body) != nil || r.URL.Path != s.path || body.Model != "m" {
			http.Error(w, "not as agreed", http.StatusTeapot)
			return
		}
		srv.mu.Lock()
		srv.asked = append(srv.asked, body.Input)
		n := len(srv.asked)
		srv.mu.Unlock()
		defer func() { srv.left <- time.Now() }()
		serve(exchange{w, r, n, body.Input, s})
	}))
	t.Cleanup(srv.Close)
	return srv
}

func (s *server) requests() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

// open builds an embedder for the server whose waits take no time.
func (s *server) open(t *testing.T, provider string, change func(c *embed.Config)) (*embed.Remote, *[]time.Duration) {
	t.Helper()
	waits := new([]time.Duration)
	cfg := embed.Config{
		Provider: provider, BaseURL: s.URL, Model: "m", APIKey: apiKey, Dimension: 3,
		Sleep: func(ctx context.Context, d time.Duration) error {
			*waits = append(*waits, d)
			return ctx.Err()
		},
	}
	if change != nil {
		change(&cfg)
	}
	r, err := embed.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r, waits
}
