package embed_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/embed"
	"passage/rag/outbound"
)

func TestEmbedBatchesDeliversAsItGoes(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, exchange.clean)
			r, _ := srv.open(t, s.provider, func(c *embed.Config) { c.BatchSize = 3 })
			texts := seven()
			var got [][]float32
			var froms []int
			require.NoError(t, r.EmbedBatches(t.Context(), texts, func(from int, vecs [][]float32) error {
				require.Len(t, srv.requests(), len(froms)+1, "handed on before the next request")
				froms = append(froms, from)
				got = append(got, vecs...)
				return nil
			}))
			require.Equal(t, []int{0, 3, 6}, froms)
			requireVectors(t, texts, got)

			full := errors.New("the disk is full")
			err := r.EmbedBatches(t.Context(), texts, func(int, [][]float32) error { return full })
			require.ErrorIs(t, err, full)
			require.Len(t, srv.requests(), 4, "nothing is requested after it")
		})
	}
}

func TestNothingToEmbed(t *testing.T) {
	t.Parallel()
	s := scripts()[0]
	srv := newServer(t, s, exchange.clean)
	r, _ := srv.open(t, s.provider, nil)
	vecs, err := r.Embed(t.Context(), nil)
	require.NoError(t, err)
	require.Empty(t, vecs)

	_, err = r.Embed(t.Context(), []string{"a", " \n"})
	require.Equal(t, "Text 2 of 2 is empty: there is nothing to embed.", rag.ErrorMessage(err))
	require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
	require.Empty(t, srv.requests(), "no text was sent")
}

func TestDimensionIsLearnt(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, func(x exchange) {
				if x.n < 3 {
					x.clean()
					return
				}
				x.send(x.s.reply([]string{"[1,2,3,4]"})) // another model behind the same name
			})
			r, _ := srv.open(t, s.provider, func(c *embed.Config) { c.Dimension = 0 })
			require.Equal(t, 3, r.Dimension())
			require.Equal(t, s.provider+"/m/3", r.ID())
			_, err := r.Embed(t.Context(), []string{"a"})
			require.NoError(t, err)
			_, err = r.Embed(t.Context(), []string{"a"})
			require.Equal(t, "The embedding server gives vectors of length 4 where 3 is expected: check PASSAGE_EMBED_MODEL and PASSAGE_EMBED_DIMENSION.", rag.ErrorMessage(err))
		})
	}
}

func TestDimensionLimits(t *testing.T) {
	t.Parallel()
	wide := func(n int) string { return "[" + strings.Repeat("1,", n-1) + "1]" }
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, func(x exchange) { x.send(x.s.reply([]string{wide(4000)})) })
			r, _ := srv.open(t, s.provider, func(c *embed.Config) { c.Dimension = 0 })
			require.Equal(t, 4000, r.Dimension(), "halfvec reaches that far")

			srv = newServer(t, s, func(x exchange) { x.send(x.s.reply([]string{wide(4001)})) })
			_, err := embed.Open(t.Context(), embed.Config{Provider: s.provider, BaseURL: srv.URL, Model: "m"})
			require.Equal(t, "The embedding model gives vectors of length 4001, and the vector index holds at most 4000: choose another PASSAGE_EMBED_MODEL.", rag.ErrorMessage(err))
		})
	}
}

// wordCounter takes words for tokens.
type wordCounter struct{}

func (wordCounter) Count(text string) int { return len(strings.Fields(text)) }

// A limit counted by the model's own tokenizer leaves room for the marks it puts
// around a text; a guess leaves a quarter.
func TestLimitLeavesRoom(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		cfg  embed.Config
		want int
	}{
		{embed.Config{Provider: "ollama"}, 384},
		{embed.Config{Provider: "ollama", MaxTokens: 256, Tokens: wordCounter{}}, 192},
		{embed.Config{Provider: "ollama", MaxTokens: 256, Tokens: wordCounter{}, Exact: true}, 254},
		{embed.Config{Provider: "openai", APIKey: "key", Tokens: wordCounter{}, Exact: true}, 8189},
	} {
		c.cfg.Model, c.cfg.Dimension = "m", 8
		r, err := embed.Open(t.Context(), c.cfg)
		require.NoError(t, err)
		require.Equal(t, c.want, r.MaxTokens())
	}
}

// T54: a text over the model's limit is never shortened. It is embedded in
// windows, whether the estimate or the server finds it, and the log says so.
func TestLongTextIsEmbeddedInWindows(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("rotate the broker certificate, ", 10) // 310 bytes
	cases := []struct {
		name  string
		limit int // the server's, in bytes
		cfg   func(c *embed.Config)
	}{
		{"by the estimate", 1 << 20, func(c *embed.Config) { c.MaxTokens = 30 }},
		{"by its own tokens", 1 << 20, func(c *embed.Config) { c.Tokens, c.Exact, c.MaxTokens = wordCounter{}, true, 12 }},
		{"by the server", 120, nil},
		{"by the server, one text a request", 120, func(c *embed.Config) { c.BatchSize = 1 }},
	}
	for _, c := range cases {
		for _, s := range scripts() {
			t.Run(c.name+"/"+s.provider, func(t *testing.T) {
				t.Parallel()
				var windows []string
				srv := newServer(t, s, func(x exchange) {
					for _, text := range x.texts {
						if len(text) > c.limit {
							x.refuse(http.StatusBadRequest, "context_length_exceeded")
							return
						}
					}
					for _, text := range x.texts {
						if strings.Contains(text, "broker") {
							windows = append(windows, text)
						}
					}
					x.clean()
				})
				var log bytes.Buffer
				r, waits := srv.open(t, s.provider, func(cfg *embed.Config) {
					cfg.Logger = slog.New(slog.NewJSONHandler(&log, nil))
					if c.cfg != nil {
						c.cfg(cfg)
					}
				})
				vecs, err := r.Embed(t.Context(), []string{"a", long, "bb"})
				require.NoError(t, err)
				require.Len(t, vecs, 3)
				requireVectors(t, []string{"a"}, vecs[:1])
				requireVectors(t, []string{"bb"}, vecs[2:])
				require.Equal(t, long, strings.Join(windows, ""), "every byte was embedded, once")
				require.Greater(t, len(windows), 1)
				require.InDelta(t, 1, dot(vecs[1], vecs[1]), 1e-5)
				require.Contains(t, log.String(), "text embedded in windows")
				require.NotContains(t, log.String(), "broker")
				require.Empty(t, *waits)
			})
		}
	}
}

// The vector of a text in two windows is their mean, each counted by its bytes.
func TestMeanOfWindows(t *testing.T) {
	t.Parallel()
	a, b := strings.Repeat("x", 30)+" ", strings.Repeat("y", 69)
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, func(x exchange) {
				if len(x.texts[0]) > 70 {
					x.refuse(http.StatusRequestEntityTooLarge, "too_large")
					return
				}
				x.clean()
			})
			r, _ := srv.open(t, s.provider, nil)
			vecs, err := r.Embed(t.Context(), []string{a + b, a, b})
			require.NoError(t, err)
			require.Equal(t, [][]string{{a + b, a, b}, {a + b}, {a, b}, {a, b}}, srv.requests())
			mean := make([]float64, 3)
			for i := range mean {
				mean[i] = 31*float64(vecs[1][i]) + 69*float64(vecs[2][i])
			}
			size := math.Sqrt(mean[0]*mean[0] + mean[1]*mean[1] + mean[2]*mean[2])
			require.InDeltaSlice(t, []float64{mean[0] / size, mean[1] / size, mean[2] / size}, vecs[0], 1e-6)
		})
	}
}

func dot(a, b []float32) float64 {
	var sum float64
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// A server that finds everything too long is not asked for ever.
func TestTooLongInAnyPart(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, func(x exchange) { x.refuse(http.StatusBadRequest, "context_length_exceeded") })
			r, _ := srv.open(t, s.provider, nil)
			_, err := r.Embed(t.Context(), []string{strings.Repeat("ö", 1000), "b"})
			require.Equal(t, outbound.KindTooLong, outbound.KindOf(err))
			require.Equal(t, rag.CodeTooLarge, rag.ErrorCode(err))
			require.Less(t, len(srv.requests()), 16)
		})
	}
}

func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	input := []any{"a\nb"}
	cases := []struct {
		name string
		cfg  embed.Config
		want map[string]any
		key  string
	}{
		{"openai", embed.Config{Provider: embed.ProviderOpenAI, Model: "m", APIKey: apiKey}, map[string]any{"model": "m", "input": input}, "Bearer " + apiKey},
		{"keyless", embed.Config{Provider: embed.ProviderOpenAI, Model: "m"}, map[string]any{"model": "m", "input": input}, ""},
		{
			"shortened by the model",
			embed.Config{Provider: embed.ProviderOpenAI, Model: "text-embedding-3-large"},
			map[string]any{"model": "text-embedding-3-large", "input": input, "dimensions": 3.0},
			"",
		},
		{"ollama", embed.Config{Provider: embed.ProviderOllama, Model: "m"}, map[string]any{"model": "m", "input": input, "truncate": false}, ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := make(chan map[string]any, 1)
			key := make(chan string, 1)
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var body map[string]any
				_ = json.NewDecoder(r.Body).Decode(&body)
				got <- body
				key <- r.Header.Get("Authorization")
				_, _ = io.WriteString(w, `{"data":[{"index":0,"embedding":[1,2,3]}],"embeddings":[[1,2,3]]}`)
			}))
			defer srv.Close()
			c.cfg.BaseURL, c.cfg.Dimension = srv.URL+"/", 3
			r, err := embed.Open(t.Context(), c.cfg)
			require.NoError(t, err)
			defer r.Close()
			_, err = r.Embed(t.Context(), []string{"a\nb"})
			require.NoError(t, err)
			require.Equal(t, c.want, <-got)
			require.Equal(t, c.key, <-key)
		})
	}
}

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			srv := newServer(t, s, exchange.clean)
			r, waits := srv.open(t, s.provider, nil)
			srv.Close()
			_, err := r.Embed(t.Context(), []string{"a"})
			require.Equal(t, outbound.KindUnavailable, outbound.KindOf(err))
			require.Equal(t, "The embedding server cannot be reached. Try again; if it stays so, check PASSAGE_EMBED_BASE_URL.", rag.ErrorMessage(err))
			require.Len(t, *waits, 4)
		})
	}
}

func TestConfigIsChecked(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name string
		cfg  embed.Config
		want string
	}{
		{"unknown provider", embed.Config{Provider: "cohere"}, "PASSAGE_EMBEDDER must be use-lite, openai or ollama."},
		{
			"everything wrong at once",
			embed.Config{Provider: "openai", Dimension: 4001, BatchSize: -1},
			"The embedder is not set up: PASSAGE_EMBED_MODEL names no model; PASSAGE_EMBED_API_KEY is not set; " +
				"PASSAGE_EMBED_DIMENSION must be between 1 and 4000, the most the vector index can hold; the batch size is negative.",
		},
		{
			"address without scheme",
			embed.Config{Provider: "ollama", Model: "m", BaseURL: "host:11434"},
			"The embedder is not set up: PASSAGE_EMBED_BASE_URL cannot be used: it must begin with http:// or https://.",
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := embed.Open(t.Context(), c.cfg)
			require.Equal(t, c.want, rag.ErrorMessage(err))
			require.Equal(t, rag.CodeInvalid, rag.ErrorCode(err))
		})
	}
	for _, d := range []int{1, 2001, 4000} {
		t.Run(fmt.Sprint("dimension ", d), func(t *testing.T) {
			t.Parallel()
			r, err := embed.Open(t.Context(), embed.Config{Provider: "ollama", Model: "m", Dimension: d})
			require.NoError(t, err, "nobody is called")
			require.Equal(t, d, r.Dimension())
			require.Equal(t, 384, r.MaxTokens())
		})
	}
}
