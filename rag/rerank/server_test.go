package rerank_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"passage/rag/rerank"
)

// TestMain also proves that no fault leaves a goroutine behind.
func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const (
	prose  = "your passage about the broker was" // in every error a server sends
	apiKey = "key-very-secret-0123456789"
	asked  = "How do I restart the broker?"
)

// script is what differs between the providers' servers.
type script struct {
	provider string
	path     string
	texts    string                    // the member that holds the texts
	score    string                    // the member that holds a score
	wrap     func(ranks string) string // a whole reply
}

func scripts() []script {
	results := func(ranks string) string {
		return `{"id":"x","results":[` + ranks + `],"meta":{"api_version":{"version":"2"}}}`
	}
	return []script{
		{rerank.ProviderCohere, "/v2/rerank", "documents", "relevance_score", results},
		{rerank.ProviderJina, "/v1/rerank", "documents", "relevance_score", results},
		{rerank.ProviderTEI, "/rerank", "texts", "score", func(ranks string) string { return "[" + ranks + "]" }},
	}
}

// entry is one rank as JSON.
func (s script) entry(index, score string) string {
	return fmt.Sprintf(`{"index":%s,"%s":%s}`, index, s.score, score)
}

// reply ranks the texts by their length, the best first, as all servers do.
func (s script) reply(texts []string) string {
	order := make([]int, len(texts))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return len(texts[b]) - len(texts[a]) })
	var ranks []string
	for _, i := range order {
		ranks = append(ranks, s.entry(strconv.Itoa(i), score(texts[i])))
	}
	return s.wrap(strings.Join(ranks, ","))
}

// score is what the servers think of a text.
func score(text string) string { return fmt.Sprintf("%de-2", len(text)) }

// server plays a provider and keeps what it was asked.
type server struct {
	*httptest.Server
	mu    sync.Mutex
	asked [][]string
	said  []string       // the questions
	left  chan time.Time // when each request ended
}

// exchange is one request to the server.
type exchange struct {
	http.ResponseWriter
	r     *http.Request
	n     int // 1 for the first request
	texts []string
	s     script
}

func (x exchange) send(body string) {
	x.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(x, body)
}

func (x exchange) clean() { x.send(x.s.reply(x.texts)) }

func (x exchange) refuse(status int, kind string) {
	x.WriteHeader(status)
	x.send(`{"error":{"type":"` + kind + `","message":"` + prose + " " + apiKey + `"}}`)
}

func newServer(t *testing.T, s script, serve func(x exchange)) *server {
	t.Helper()
	srv := &server{left: make(chan time.Time, 64)}
	srv.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var body map[string]any
		raw, _ := io.ReadAll(r.Body)
		if json.Unmarshal(raw, &body) != nil || r.URL.Path != s.path || r.Header.Get("Authorization") != "Bearer "+apiKey {
			http.Error(w, "not as agreed", http.StatusTeapot)
			return
		}
		question, _ := body["query"].(string)
		list, _ := body[s.texts].([]any)
		var texts []string
		for _, v := range list {
			texts = append(texts, v.(string))
		}
		srv.mu.Lock()
		srv.asked = append(srv.asked, texts)
		srv.said = append(srv.said, question)
		n := len(srv.asked)
		srv.mu.Unlock()
		defer func() { srv.left <- time.Now() }()
		serve(exchange{w, r, n, texts, s})
	}))
	t.Cleanup(srv.Close)
	return srv
}

func (s *server) requests() [][]string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.asked)
}

func (s *server) questions() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.said)
}

// open builds a reranker for the server whose waits take no time.
func (s *server) open(t *testing.T, provider string, change func(c *rerank.Config)) (*rerank.Remote, *[]time.Duration) {
	t.Helper()
	waits := new([]time.Duration)
	cfg := rerank.Config{
		Provider: provider, BaseURL: s.URL, Model: "m", APIKey: apiKey, Timeout: time.Minute,
		Sleep: func(ctx context.Context, d time.Duration) error {
			*waits = append(*waits, d)
			return ctx.Err()
		},
	}
	if change != nil {
		change(&cfg)
	}
	r, err := rerank.Open(cfg)
	require.NoError(t, err)
	t.Cleanup(r.Close)
	return r, waits
}
