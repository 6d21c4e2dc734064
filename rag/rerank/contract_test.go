package rerank_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/outbound"
	"passage/rag/rerank"
)

// trial is one row of the fault table, the same for every provider: what a
// server does with seven texts in batches of two, and what has to come of it.
type trial struct {
	name  string
	serve func(x exchange)
	cfg   func(c *rerank.Config)

	kind  outbound.Kind // "" means seven scores
	code  rag.Code
	calls []int // number of the text each request began with; nil means 1 3 5 7
	waits []time.Duration
}

func trials() []trial {
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
	twice := []int{1, 1}
	two := func(name string, ranks func(s script) []string) trial { // what is wrong with a reply for two texts
		return trial{
			name: name, kind: outbound.KindProtocol, code: rag.CodeUnavailable, calls: firstOnly,
			serve: func(x exchange) { x.send(x.s.wrap(strings.Join(ranks(x.s), ","))) },
		}
	}
	second := func(name, index, score string) trial {
		return two(name, func(s script) []string { return []string{s.entry("0", "0.5"), s.entry(index, score)} })
	}
	refused := func(name string, status int, reason string, kind outbound.Kind) trial {
		return trial{name: name, kind: kind, code: rag.CodeInvalid, calls: firstOnly, serve: func(x exchange) { x.refuse(status, reason) }}
	}

	return []trial{
		{name: "clean, the best first", serve: exchange.clean},
		{name: "the worst first, with the texts", serve: func(x exchange) {
			var ranks []string
			for i, text := range x.texts {
				entry := strings.TrimSuffix(x.s.entry(strconv.Itoa(i), score(text)), "}")
				ranks = append(ranks, fmt.Sprintf(`%s,"text":%q,"document":{"text":%q}}`, entry, text, text))
			}
			slices.Reverse(ranks)
			x.send(x.s.wrap(strings.Join(ranks, " , ")))
		}},

		two("one score too few", func(s script) []string { return []string{s.entry("1", "0.5")} }),
		two("one score too many", func(s script) []string {
			return []string{s.entry("0", "0.5"), s.entry("1", "0.4"), s.entry("2", "0.3")}
		}),
		two("no scores", func(script) []string { return nil }),
		two("null for a rank", func(s script) []string { return []string{s.entry("0", "0.5"), "null"} }),
		two("another member for the score", func(script) []string {
			return []string{`{"index":0,"similarity":0.5}`, `{"index":1,"similarity":0.4}`}
		}),
		two("no index", func(script) []string {
			return []string{`{"score":0.5,"relevance_score":0.5}`, `{"score":0.4,"relevance_score":0.4}`}
		}),
		second("index twice", "0", "0.4"),
		second("index out of range", "2", "0.4"),
		second("index below zero", "-1", "0.4"),
		second("index of another kind", `"1"`, "0.4"),
		second("null for a score", "1", "null"),
		second("NaN for a score", "1", "NaN"),
		second("score over float64", "1", "1e999"),
		second("text for a score", "1", `"high"`),
		{name: "another object", kind: outbound.KindProtocol, code: rag.CodeUnavailable, calls: firstOnly, serve: func(x exchange) {
			x.send(`{"object":"list","data":[[1,2],[3,4]]}`)
		}},
		{name: "huge body", kind: outbound.KindProtocol, code: rag.CodeUnavailable, calls: firstOnly, serve: func(x exchange) {
			x.send(strings.Repeat(" ", 1<<20) + x.s.reply(x.texts))
		}},
		{name: "web page with status 200", kind: outbound.KindAddress, code: rag.CodeInvalid, calls: firstOnly, serve: func(x exchange) {
			x.send("<html>" + prose)
		}},
		{name: "error with status 200", kind: outbound.KindRateLimited, code: rag.CodeRateLimited, calls: twice, serve: func(x exchange) {
			x.send(`{"error":{"type":"rate_limit_error","message":"` + prose + `"}}`)
		}},

		{name: "429 with Retry-After at batch 3, then ok", calls: again, waits: []time.Duration{time.Second}, serve: atThird(func(x exchange) {
			x.Header().Set("Retry-After", "1")
			x.refuse(http.StatusTooManyRequests, "rate_limit_error")
		})},
		{name: "429 for ever", kind: outbound.KindRateLimited, code: rag.CodeRateLimited, calls: twice, serve: func(x exchange) {
			x.refuse(http.StatusTooManyRequests, "overloaded")
		}},
		{name: "429 with a Retry-After over the limit", kind: outbound.KindRateLimited, code: rag.CodeRateLimited, calls: firstOnly, serve: func(x exchange) {
			x.Header().Set("Retry-After", "9")
			x.refuse(http.StatusTooManyRequests, "rate_limit_error")
		}},
		{name: "500 at batch 3, then ok", calls: again, serve: atThird(func(x exchange) { x.refuse(500, "server_error") })},
		{name: "503 for ever", kind: outbound.KindUnavailable, code: rag.CodeUnavailable, calls: twice, serve: func(x exchange) { x.refuse(503, "unavailable") }},
		{name: "body cut at batch 3, then ok", calls: again, serve: atThird(func(x exchange) {
			body := x.s.reply(x.texts)
			x.Header().Set("Content-Length", strconv.Itoa(len(body)))
			_, _ = io.WriteString(x, body[:len(body)/2])
		})},
		{name: "half a JSON text at batch 3, then ok", calls: again, serve: atThird(func(x exchange) {
			body := x.s.reply(x.texts)
			x.send(body[:len(body)/2])
		})},
		{name: "connection lost at batch 3, then ok", calls: again, serve: atThird(func(exchange) { panic(http.ErrAbortHandler) })},
		{name: "413 for more than one text", calls: []int{1, 1, 2, 3, 3, 4, 5, 5, 6, 7}, serve: func(x exchange) {
			if len(x.texts) > 1 {
				x.refuse(http.StatusRequestEntityTooLarge, "validation")
				return
			}
			x.clean()
		}},
		{name: "413 for ever", kind: outbound.KindTooLong, code: rag.CodeTooLarge, calls: twice, serve: func(x exchange) {
			x.refuse(http.StatusRequestEntityTooLarge, "validation")
		}},

		refused("401", 401, "authentication_error", outbound.KindUnauthorized),
		refused("400", 400, "invalid_request_error", outbound.KindBadRequest),
		refused("422", 422, "tokenizer", outbound.KindBadRequest),
		refused("424, a model that does not rerank", 424, "backend", outbound.KindBadRequest),
		refused("404, unknown model", 404, "model_not_found", outbound.KindModel),
		refused("429 for lack of credit", 429, "insufficient_quota", outbound.KindQuota),
		{name: "redirect", kind: outbound.KindAddress, code: rag.CodeInvalid, calls: firstOnly, serve: func(x exchange) {
			http.Redirect(x, x.r, "http://192.0.2.1/", http.StatusTemporaryRedirect)
		}},
		{
			name: "silence", kind: outbound.KindTimeout, code: rag.CodeUnavailable, calls: firstOnly,
			cfg:   func(c *rerank.Config) { c.Timeout = time.Second },
			serve: func(x exchange) { <-x.r.Context().Done() },
		},
		{
			name: "a wait that would end after the time limit", kind: outbound.KindRateLimited, code: rag.CodeRateLimited, calls: firstOnly,
			cfg: func(c *rerank.Config) { c.Timeout = 1900 * time.Millisecond },
			serve: func(x exchange) {
				x.Header().Set("Retry-After-Ms", "1900")
				x.refuse(http.StatusTooManyRequests, "rate_limit_error")
			},
		},
	}
}

// seven texts, each of another length so that no two scores are equal.
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
	fmt.Fprintf(&b, "%-44s", "the server's behaviour")
	for _, s := range scripts() {
		fmt.Fprintf(&b, "%-14s", s.provider)
	}
	for _, tr := range trials() {
		fmt.Fprintf(&b, "\n%-44s", tr.name)
		for _, s := range scripts() {
			fmt.Fprintf(&b, "%-14s", verdicts[tr.name+s.provider])
		}
	}
	return b.String()
}

func (tr trial) run(t *testing.T, s script) string {
	t.Helper()
	srv := newServer(t, s, tr.serve)
	r, waits := srv.open(t, s.provider, func(c *rerank.Config) {
		c.BatchSize = 2
		if tr.cfg != nil {
			tr.cfg(c)
		}
	})
	texts := seven()
	scores, err := r.Rerank(t.Context(), asked, texts)

	require.Equal(t, seven(), texts, "the caller's texts are unchanged")
	calls := tr.calls
	if calls == nil {
		calls = []int{1, 3, 5, 7}
	}
	var sent []int
	for _, batch := range srv.requests() {
		sent = append(sent, slices.Index(texts, batch[0])+1) // found as it was given, newline and all
	}
	require.Equal(t, calls, sent)
	if tr.waits != nil {
		require.Equal(t, tr.waits, *waits)
	}
	if tr.kind == "" {
		require.NoError(t, err)
		require.Equal(t, lengths(texts), scores)
		return "scores"
	}
	require.Nil(t, scores)
	require.Equal(t, tr.kind, outbound.KindOf(err), "%v", err)
	require.Equal(t, tr.code, rag.ErrorCode(err))
	for _, text := range []string{err.Error(), rag.ErrorMessage(err)} {
		require.NotContains(t, text, apiKey)
		require.NotContains(t, text, prose)
		require.NotContains(t, text, srv.URL)
	}
	return string(tr.kind)
}

// lengths are the scores that belong to the texts.
func lengths(texts []string) []float64 {
	var out []float64
	for _, t := range texts {
		f, _ := strconv.ParseFloat(score(t), 64)
		out = append(out, f)
	}
	return out
}

// Cancelled while a request is under way: the server sees the end of the
// connection, and nothing is repeated.
func TestCancel(t *testing.T) {
	t.Parallel()
	for _, s := range scripts() {
		t.Run(s.provider, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			srv := newServer(t, s, func(x exchange) {
				cancel()
				<-x.r.Context().Done()
			})
			r, waits := srv.open(t, s.provider, nil)
			_, err := r.Rerank(ctx, asked, seven())
			require.ErrorIs(t, err, context.Canceled)
			require.Equal(t, outbound.KindStopped, outbound.KindOf(err))
			require.Equal(t, rag.CodeUnavailable, rag.ErrorCode(err))
			require.Empty(t, *waits)
			<-srv.left
			require.Len(t, srv.requests(), 1)
		})
	}
}
