package embed_test

import (
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/embed"
	"passage/rag/outbound"
)

// trial is one row of the fault table, the same for every provider: what a
// server does with seven texts in batches of two, and what has to come of it.
type trial struct {
	name  string
	only  string // provider, when the fault exists with one alone
	serve func(x exchange)
	cfg   func(c *embed.Config)

	kind  outbound.Kind // "" means seven vectors
	code  rag.Code
	calls []int // number of the text each request began with; nil means 1 3 5 7
	waits []time.Duration
}

func trials() []trial {
	all := func(i int) func(x exchange) { // every request is answered with vector i replaced by a bad one
		bad := []string{"[1,2]", "[1,2,3,4]", "[0,0,0]", "[1,null,3]", "[1,NaN,3]", "[1,1e999,3]", "null", "[]", `"AACAPw=="`}
		return func(x exchange) {
			v := x.vectors()
			v[len(v)-1] = bad[i]
			x.send(x.s.reply(v))
		}
	}
	atThird := func(serve func(x exchange)) func(x exchange) { // a fault with the first request for batch 3
		return func(x exchange) {
			if x.n == 3 {
				serve(x)
				return
			}
			x.clean()
		}
	}
	again := []int{1, 3, 5, 5, 7} // batch 3 twice, the others once
	firstOnly := []int{1}
	five := []int{1, 1, 1, 1, 1}
	protocol := func(name string, serve func(x exchange)) trial {
		return trial{name: name, serve: serve, kind: outbound.KindProtocol, code: rag.CodeUnavailable, calls: firstOnly}
	}
	refused := func(name string, status int, reason string, kind outbound.Kind) trial {
		return trial{name: name, kind: kind, code: rag.CodeInvalid, calls: firstOnly, serve: func(x exchange) { x.refuse(status, reason) }}
	}

	return []trial{
		{name: "clean", serve: exchange.clean},
		{name: "reordered by index", only: embed.ProviderOpenAI, serve: func(x exchange) {
			order := []int{0}
			if len(x.texts) == 2 {
				order = []int{1, 0}
			}
			x.send(openAIReply(x.vectors(), order))
		}},
		{name: "no index at all", only: embed.ProviderOpenAI, serve: func(x exchange) {
			body := openAIReply(x.vectors(), nil)
			for i := range 2 {
				body = strings.ReplaceAll(body, fmt.Sprintf(`"index":%d,`, i), "")
			}
			x.send(body)
		}},
		{name: "vectors as a server rounds them", serve: func(x exchange) {
			v := x.vectors()
			for i := range v {
				v[i] = strings.ReplaceAll(v[i], "3, 4.0", "\n3e0 , 0.4E+1")
			}
			x.send(x.s.reply(v))
		}},

		protocol("one vector too few", func(x exchange) { x.send(x.s.reply(x.vectors()[1:])) }),
		protocol("one vector too many", func(x exchange) { x.send(x.s.reply(append(x.vectors(), "[1,2,3]"))) }),
		protocol("no vectors", func(x exchange) { x.send(`{}`) }),
		{
			name: "index twice", only: embed.ProviderOpenAI, kind: outbound.KindProtocol, code: rag.CodeUnavailable, calls: firstOnly,
			serve: func(x exchange) { x.send(strings.ReplaceAll(openAIReply(x.vectors(), nil), `"index":1`, `"index":0`)) },
		},
		{
			name: "index with one only", only: embed.ProviderOpenAI, kind: outbound.KindProtocol, code: rag.CodeUnavailable, calls: firstOnly,
			serve: func(x exchange) { x.send(strings.ReplaceAll(openAIReply(x.vectors(), nil), `"index":1,`, "")) },
		},
		{
			name: "index out of range", only: embed.ProviderOpenAI, kind: outbound.KindProtocol, code: rag.CodeUnavailable, calls: firstOnly,
			serve: func(x exchange) { x.send(strings.ReplaceAll(openAIReply(x.vectors(), nil), `"index":1`, `"index":2`)) },
		},
		protocol("dimension too small", all(0)),
		protocol("dimension too large", all(1)),
		protocol("zero vector", all(2)),
		protocol("null in a vector", all(3)),
		protocol("NaN in a vector", all(4)),
		protocol("number over float32", all(5)),
		protocol("null for a vector", all(6)),
		protocol("empty vector", all(7)),
		protocol("base64 for a vector", all(8)),
		protocol("huge body", func(x exchange) {
			x.send(strings.Repeat(" ", 1<<20) + x.s.reply(x.vectors()))
		}),
		{name: "web page with status 200", kind: outbound.KindAddress, code: rag.CodeInvalid, calls: firstOnly, serve: func(x exchange) {
			x.send("<html>" + prose)
		}},
		{name: "error with status 200", kind: outbound.KindRateLimited, code: rag.CodeRateLimited, calls: five, serve: func(x exchange) {
			x.send(`{"error":{"type":"rate_limit_error","message":"` + prose + `"}}`)
		}},

		{name: "429 with Retry-After at batch 3, then ok", calls: again, waits: []time.Duration{9 * time.Second}, serve: atThird(func(x exchange) {
			x.Header().Set("Retry-After", "9")
			x.refuse(http.StatusTooManyRequests, "rate_limit_error")
		})},
		{name: "429 for ever", kind: outbound.KindRateLimited, code: rag.CodeRateLimited, calls: five, serve: func(x exchange) {
			x.refuse(http.StatusTooManyRequests, "rate_limit_error")
		}},
		{name: "429 with a Retry-After over the limit", kind: outbound.KindRateLimited, code: rag.CodeRateLimited, calls: firstOnly, serve: func(x exchange) {
			x.Header().Set("Retry-After", "3600")
			x.refuse(http.StatusTooManyRequests, "rate_limit_error")
		}},
		{name: "500 at batch 3, then ok", calls: again, serve: atThird(func(x exchange) { x.refuse(500, "server_error") })},
		{name: "503 for ever", kind: outbound.KindUnavailable, code: rag.CodeUnavailable, calls: five, serve: func(x exchange) { x.refuse(503, "unavailable") }},
		{name: "body cut at batch 3, then ok", calls: again, serve: atThird(func(x exchange) {
			body := x.s.reply(x.vectors())
			x.Header().Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = io.WriteString(x, body[:len(body)/2])
		})},
		{name: "half a JSON text at batch 3, then ok", calls: again, serve: atThird(func(x exchange) {
			body := x.s.reply(x.vectors())
			x.send(body[:len(body)/2])
		})},
		{name: "connection lost at batch 3, then ok", calls: again, serve: atThird(func(exchange) { panic(http.ErrAbortHandler) })},

		refused("401", 401, "authentication_error", outbound.KindUnauthorized),
		refused("400", 400, "invalid_request_error", outbound.KindBadRequest),
		refused("404, unknown model", 404, "model_not_found", outbound.KindModel),
		refused("429 for lack of credit", 429, "insufficient_quota", outbound.KindQuota),
		{name: "redirect", kind: outbound.KindAddress, code: rag.CodeInvalid, calls: firstOnly, serve: func(x exchange) {
			http.Redirect(x, x.r, "http://192.0.2.1/", http.StatusTemporaryRedirect)
		}},
		{
			name: "silence", kind: outbound.KindTimeout, code: rag.CodeUnavailable, calls: firstOnly,
			cfg:   func(c *embed.Config) { c.Timeout = 3 * time.Second },
			serve: func(x exchange) { <-x.r.Context().Done() },
		},
	}
}

// seven texts, each of another length so that no two vectors are equal.
func seven() []string {
	return []string{"1", "2\n2", "3 33 3", " 4444444 ", "5555555555", "6666666666666", "7777777777777777"}
}

func TestContract(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	verdicts := map[string]string{}
	t.Cleanup(func() { t.Log("\n" + table(verdicts)) })
	for _, tr := range trials() {
		for _, s := range scripts() {
			if tr.only != "" && tr.only != s.provider {
				continue
			}
			t.Run(tr.name+"/"+s.provider, func(t *testing.T) {
				t.Parallel()
				set := func(v string) {
					mu.Lock()
					defer mu.Unlock()
					verdicts[tr.name+s.provider] = v
				}
				set("FAILED")
				set(tr.run(t, s))
			})
		}
	}
}

func table(verdicts map[string]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%-42s%-16s%-16s", "the server's behaviour", embed.ProviderOpenAI, embed.ProviderOllama)
	for _, tr := range trials() {
		fmt.Fprintf(&b, "\n%-42s%-16s%-16s", tr.name, verdicts[tr.name+embed.ProviderOpenAI], verdicts[tr.name+embed.ProviderOllama])
	}
	return b.String()
}

func (tr trial) run(t *testing.T, s script) string {
	t.Helper()
	srv := newServer(t, s, tr.serve)
	r, waits := srv.open(t, s.provider, func(c *embed.Config) {
		c.BatchSize = 2
		if tr.cfg != nil {
			tr.cfg(c)
		}
	})
	texts := seven()
	vecs, err := r.Embed(t.Context(), texts)

	require.Equal(t, seven(), texts, "the caller's texts are unchanged")
	calls := tr.calls
	if calls == nil {
		calls = []int{1, 3, 5, 7}
	}
	var asked []int
	for _, batch := range srv.requests() {
		asked = append(asked, slices.Index(texts, batch[0])+1) // found as it was given, newline and all
	}
	require.Equal(t, calls, asked)
	if tr.waits != nil {
		require.Equal(t, tr.waits, *waits)
	}
	if tr.kind == "" {
		require.NoError(t, err)
		requireVectors(t, texts, vecs)
		return "vectors"
	}
	require.Nil(t, vecs)
	require.Equal(t, tr.kind, outbound.KindOf(err), "%v", err)
	require.Equal(t, tr.code, rag.ErrorCode(err))
	for _, text := range []string{err.Error(), rag.ErrorMessage(err)} {
		require.NotContains(t, text, apiKey)
		require.NotContains(t, text, prose)
	}
	return string(tr.kind)
}

// requireVectors checks that every text has its own vector, scaled to 1.
func requireVectors(t *testing.T, texts []string, vecs [][]float32) {
	t.Helper()
	require.Len(t, vecs, len(texts))
	for i, text := range texts {
		n := float64(len(text))
		size := math.Sqrt(9 + 16 + n*n)
		require.InDeltaSlice(t, []float64{3 / size, 4 / size, n / size}, vecs[i], 1e-6, "text %d", i+1)
	}
}

// Cancelled while batch 2 is under way: what was done is kept, and the server
// sees the end of the connection within a second.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cancelled := make(chan time.Time, 1)
			srv := newServer(t, s, func(x exchange) {
				if x.n == 1 {
					x.clean()
					return
				}
				cancelled <- time.Now()
				cancel()
				<-x.r.Context().Done()
			})
			r, waits := srv.open(t, s.provider, func(c *embed.Config) { c.BatchSize = 2 })
			done := 0
			err := r.EmbedBatches(ctx, seven(), func(from int, vecs [][]float32) error {
				done = from + len(vecs)
				return nil
			})
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, outbound.KindStopped, outbound.KindOf(err))
			require.Equal(t, 2, done)
			require.Empty(t, *waits)
			<-srv.left // of the first request
			require.Less(t, (<-srv.left).Sub(<-cancelled), time.Second)
		})
	}
}
