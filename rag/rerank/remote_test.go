package rerank_test

import (
	"bytes"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/outbound"
	"passage/rag/rerank"
)

func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	texts := []any{"a\nb", "c"}
	cases := []struct {
		name, path string // path of the base URL
		cfg        rerank.Config
		want       map[string]any
		asked, key string
	}{
		{
			"cohere", "",
			rerank.Config{Provider: "cohere", Model: "m", APIKey: apiKey},
			map[string]any{"model": "m", "query": asked, "documents": texts, "top_n": 2.0},
			"/v2/rerank", "Bearer " + apiKey,
		},
		{
			"cohere, its first version", "/v1/",
			rerank.Config{Provider: "cohere", Model: "m"},
			map[string]any{"model": "m", "query": asked, "documents": texts, "top_n": 2.0},
			"/v1/rerank", "",
		},
		{
			"jina", "",
			rerank.Config{Provider: "jina", Model: "m", APIKey: apiKey},
			map[string]any{"model": "m", "query": asked, "documents": texts, "top_n": 2.0, "return_documents": false},
			"/v1/rerank", "Bearer " + apiKey,
		},
		{
			"a server with a path of its own", "/llm/v1/rerank",
			rerank.Config{Provider: "jina", Model: "m"},
			map[string]any{"model": "m", "query": asked, "documents": texts, "top_n": 2.0, "return_documents": false},
			"/llm/v1/rerank", "",
		},
		{
			"tei", "",
			rerank.Config{Provider: "tei"},
			map[string]any{"query": asked, "texts": texts, "truncate": true},
			"/rerank", "",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := make(chan map[string]any, 1)
			seen := make(chan string, 2)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body map[string]any
				_ = json.NewDecoder(r.Body).Decode(&body)
				got <- body
				seen <- r.URL.Path
				seen <- r.Header.Get("Authorization")
				ranks := `[{"index":1,"score":0.25,"relevance_score":0.25},{"index":0,"score":-1,"relevance_score":-1}]`
				if c.cfg.Provider != "tei" {
					ranks = `{"results":` + ranks + `}`
				}
				_, _ = io.WriteString(w, ranks)
			}))
			defer srv.Close()
			c.cfg.BaseURL = srv.URL + c.path
			r, err := rerank.Open(c.cfg)
			require.NoError(t, err)
			defer r.Close()
			scores, err := r.Rerank(t.Context(), asked, []string{"a\nb", "c"})
			require.NoError(t, err)
			require.Equal(t, []float64{-1, 0.25}, scores)
			require.Equal(t, c.want, <-got)
			require.Equal(t, c.asked, <-seen)
			require.Equal(t, c.key, <-seen)
		})
	}
}

func TestNothingToRank(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, exchange.clean)
			r, _ := srv.open(t, s.provider, nil)
			scores, err := r.Rerank(t.Context(), asked, nil)
			require.NoError(t, err)
			require.Empty(t, scores)

			scores, err = r.Rerank(t.Context(), asked, []string{"", " \n"})
			require.NoError(t, err)
			require.Equal(t, []float64{-1, -1}, scores)

			_, err = r.Rerank(t.Context(), " \n", []string{"a"})
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
			require.Empty(t, srv.requests(), "nothing was sent")

			scores, err = r.Rerank(t.Context(), asked, []string{"aaa", " ", "a"})
			require.NoError(t, err)
			require.Equal(t, []float64{0.03, 0.01 - 1, 0.01}, scores, "a blank text comes after all others")
			require.Equal(t, [][]string{{"aaa", "a"}}, srv.requests())
		})
	}
}

// words takes words for tokens.
type words struct{}

func (words) Count(text string) int { return len(strings.Fields(text)) }

func (words) Ends(text string) []int {
	var ends []int
	at := 0
	for _, w := range strings.Fields(text) {
		at += strings.Index(text[at:], w) + len(w)
		ends = append(ends, at)
	}
	return ends
}

// The limit is for the question and a text together. Only what is sent is cut.
func TestLongTextIsCutForTheRequest(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Restart the broker now. ", 30) // 120 words
	question := strings.Repeat("why ", 100)
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, exchange.clean)
			r, _ := srv.open(t, s.provider, func(c *rerank.Config) { c.MaxTokens, c.Tokens, c.Exact = 40, words{}, true })
			require.Equal(t, 40, r.MaxTokens())
			_, err := r.Rerank(t.Context(), asked, []string{long, "short"})
			require.NoError(t, err)
			// 40 − 6 of the question − 4 marks leave 30 words: seven sentences of four.
			require.Equal(t, [][]string{{strings.TrimSpace(long[:7*24]), "short"}}, srv.requests())
			require.Equal(t, []string{asked}, srv.questions())

			_, err = r.Rerank(t.Context(), question, []string{long})
			require.NoError(t, err)
			require.Equal(t, strings.TrimSpace(question[:20*4]), srv.questions()[1], "at most half is the question's")
			require.Equal(t, []string{strings.TrimSpace(long[:4*24])}, srv.requests()[1])
		})
	}
}

// A server that reads less than it was said to is asked with less.
func TestServerThatReadsLess(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("Restart the broker now. ", 40)
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, func(x exchange) {
				for _, text := range x.texts {
					if len(text) > 300 {
						x.refuse(http.StatusRequestEntityTooLarge, "validation")
						return
					}
				}
				x.clean()
			})
			r, waits := srv.open(t, s.provider, func(c *rerank.Config) { c.MaxTokens = 4096 })
			scores, err := r.Rerank(t.Context(), asked, []string{"a", long, "bb"})
			require.NoError(t, err)
			require.Len(t, scores, 3)
			require.InDelta(t, 0.01, scores[0], 1e-9)
			require.InDelta(t, 0.02, scores[2], 1e-9)
			require.Greater(t, scores[1], 0.5, "half of a half of 960 bytes, to the end of a sentence")
			require.Empty(t, *waits)
		})
	}
}

// Without the model's tokenizer a quarter is kept free.
func TestDefaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cfg    rerank.Config
		id     string
		tokens int
	}{
		{rerank.Config{Provider: "cohere", Model: "rerank-v3.5", APIKey: "k"}, "cohere/rerank-v3.5", 3072},
		{rerank.Config{Provider: "jina", Model: "m", APIKey: "k"}, "jina/m", 768},
		{rerank.Config{Provider: "jina", Model: "m", BaseURL: "http://127.0.0.1:8000"}, "jina/m", 384},
		{rerank.Config{Provider: "tei", BaseURL: "http://127.0.0.1:8080"}, "tei/tei", 384},
		{rerank.Config{Provider: "tei", BaseURL: "http://127.0.0.1:8080", Model: "bge", MaxTokens: 8192, Tokens: words{}, Exact: true}, "tei/bge", 8192},
	} {
		r, err := rerank.Open(c.cfg)
		require.NoError(t, err, "nobody is called")
		require.Equal(t, c.id, r.ID())
		require.Equal(t, c.tokens, r.MaxTokens())
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		cfg  rerank.Config
		want string
	}{
		{"unknown provider", rerank.Config{Provider: "openai"}, "PASSAGE_RERANKER must be cohere, jina or tei."},
		{
			"everything wrong at once",
			rerank.Config{Provider: "cohere", MaxTokens: 31, BatchSize: -1},
			"The reranker is not set up: PASSAGE_RERANK_MODEL names no model; PASSAGE_RERANK_API_KEY is not set; " +
				"PASSAGE_RERANK_MAX_TOKENS must be 0 or at least 32; the batch size is negative.",
		},
		{
			"no address",
			rerank.Config{Provider: "tei"},
			"The reranker is not set up: PASSAGE_RERANK_BASE_URL cannot be used: it must begin with http:// or https://.",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := rerank.Open(c.cfg)
			require.Equal(t, c.want, rag.ErrorMessage(err))
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
		})
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, exchange.clean)
			var log bytes.Buffer
			r, waits := srv.open(t, s.provider, func(c *rerank.Config) { c.Logger = slog.New(slog.NewJSONHandler(&log, nil)) })
			srv.Close()
			_, err := r.Rerank(t.Context(), asked, seven())
			require.Equal(t, outbound.KindUnavailable, outbound.KindOf(err))
			require.Equal(t, "The reranking server cannot be reached. Try again; if it stays so, check PASSAGE_RERANK_BASE_URL.", rag.ErrorMessage(err))
			require.Len(t, *waits, 1)
			require.Contains(t, log.String(), "reranking request repeated")
			require.NotContains(t, log.String(), "restart the broker")
		})
	}
}
