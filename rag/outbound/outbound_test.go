package outbound_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"

	"passage/rag/outbound"
)

func TestPolicy(t *testing.T) {
	t.Parallel()
	rate := func(after time.Duration) error {
		return &outbound.Error{Kind: outbound.KindRateLimited, RetryAfter: after}
	}
	down := &outbound.Error{Kind: outbound.KindUnavailable}
	plain := errors.New("of another kind")
	const s = time.Second
	cases := []struct {
		name  string
		errs  []error // what the calls return; the last one again for ever
		calls int
		waits []time.Duration
		want  error
	}{
		{"first call succeeds", []error{nil}, 1, nil, nil},
		{"waits double", []error{down, down, down, nil}, 4, []time.Duration{s, 2 * s, 4 * s}, nil},
		{"attempts are used up, waits are capped", []error{down}, 5, []time.Duration{s, 2 * s, 4 * s, 5 * s}, down},
		{"the server's wait is kept", []error{rate(3 * s), nil}, 2, []time.Duration{3 * s}, nil},
		{"a shorter one is not", []error{rate(s / 10), nil}, 2, []time.Duration{s}, nil},
		{"a wait over the limit is not begun", []error{rate(6 * s), nil}, 1, nil, rate(6 * s)},
		{"not worth repeating", []error{&outbound.Error{Kind: outbound.KindBadRequest}}, 1, nil, &outbound.Error{Kind: outbound.KindBadRequest}},
		{"part was handed on", []error{&outbound.Error{Kind: outbound.KindCut, Partial: true}}, 1, nil, &outbound.Error{Kind: outbound.KindCut, Partial: true}},
		{"wrapped", []error{fmt.Errorf("batch 3: %w", down), nil}, 2, []time.Duration{s}, nil},
		{"an error of another kind", []error{plain}, 1, nil, plain},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			calls, told := 0, 0
			var waits []time.Duration
			p := outbound.Policy{
				Attempts: 5, Base: s, MaxWait: 5 * s,
				Jitter: func() float64 { return 1 },
				Sleep:  func(_ context.Context, d time.Duration) error { waits = append(waits, d); return nil },
				Notify: func(attempt int, wait time.Duration, _ *outbound.Error) {
					told++
					require.Equal(t, calls, attempt)
					require.Positive(t, wait)
				},
			}
			err := p.Do(t.Context(), func(context.Context) error {
				calls++
				return c.errs[min(calls, len(c.errs))-1]
			})
			require.Equal(t, c.want, err)
			require.Equal(t, c.calls, calls)
			require.Equal(t, c.waits, waits)
			require.Equal(t, len(waits), told)
		})
	}
}

func TestPolicyEndsWithTheContext(t *testing.T) {
	t.Parallel()
	down := func(context.Context) error { return &outbound.Error{Kind: outbound.KindUnavailable} }

	ctx, cancel := context.WithCancel(t.Context())
	p := outbound.Policy{
		Attempts: 3, Base: time.Hour, MaxWait: time.Hour,
		Notify: func(int, time.Duration, *outbound.Error) { cancel() },
	}
	err := p.Do(ctx, down)
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, outbound.KindStopped, outbound.KindOf(err))

	ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	p.Notify = func(int, time.Duration, *outbound.Error) { require.Fail(t, "a wait past the deadline was begun") }
	require.Equal(t, outbound.KindUnavailable, outbound.KindOf(p.Do(ctx, down)))
}

func TestRetryAfter(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	cases := []struct {
		name   string
		header map[string]string
		want   time.Duration
	}{
		{"absent", nil, 0},
		{"seconds", map[string]string{"Retry-After": "12"}, 12 * time.Second},
		{"part of a second", map[string]string{"Retry-After": "0.5"}, 500 * time.Millisecond},
		{"milliseconds first", map[string]string{"Retry-After": "12", "Retry-After-Ms": "250"}, 250 * time.Millisecond},
		{"date", map[string]string{"Retry-After": "Fri, 02 Jan 2026 03:04:35 GMT"}, 30 * time.Second},
		{
			"date, by the server's clock",
			map[string]string{"Retry-After": "Fri, 02 Jan 2026 04:00:10 GMT", "Date": "Fri, 02 Jan 2026 04:00:00 GMT"},
			10 * time.Second,
		},
		{"past date", map[string]string{"Retry-After": "Fri, 02 Jan 2026 03:00:00 GMT"}, 0},
		{"negative", map[string]string{"Retry-After": "-5"}, 0},
		{"not a number", map[string]string{"Retry-After": "NaN"}, 0},
		{"nonsense", map[string]string{"Retry-After": "soon"}, 0},
		{"beyond all limits", map[string]string{"Retry-After": "1e300"}, 24 * time.Hour},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := http.Header{}
			for k, v := range c.header {
				h.Set(k, v)
			}
			require.Equal(t, c.want, outbound.RetryAfter(h, now))
		})
	}
}

func TestClassify(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name   string
		status int
		body   string
		want   outbound.Error
	}{
		{"openai, key", 401, `{"error":{"message":"Incorrect API key provided: sk-x","type":"invalid_request_error","code":"invalid_api_key"}}`, outbound.Error{Kind: outbound.KindUnauthorized, Status: 401, Reason: "invalid_api_key"}},
		{"openai, no credit", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","code":"insufficient_quota"}}`, outbound.Error{Kind: outbound.KindQuota, Status: 429, Reason: "insufficient_quota"}},
		{"openai, too long", 400, `{"error":{"message":"This model's maximum context length is 8192 tokens","type":"invalid_request_error","code":"context_length_exceeded"}}`, outbound.Error{Kind: outbound.KindTooLong, Status: 400, Reason: "context_length_exceeded"}},
		{"openai, model", 404, `{"error":{"message":"The model x does not exist","type":"invalid_request_error","code":"model_not_found"}}`, outbound.Error{Kind: outbound.KindModel, Status: 404, Reason: "model_not_found"}},
		{"azure, filter", 400, `{"error":{"message":"filtered","code":"content_filter"}}`, outbound.Error{Kind: outbound.KindRefused, Status: 400, Reason: "content_filter"}},
		{"gemini, key with a 400", 400, `{"error":{"code":400,"message":"API key not valid."}}`, outbound.Error{Kind: outbound.KindUnauthorized, Status: 400}},
		{"anthropic, overloaded", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`, outbound.Error{Kind: outbound.KindUnavailable, Status: 529, Reason: "overloaded_error"}},
		{"anthropic, model", 404, `{"type":"error","error":{"type":"not_found_error","message":"model: claude-x"}}`, outbound.Error{Kind: outbound.KindModel, Status: 404, Reason: "not_found_error"}},
		{"anthropic, no credit", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low"}}`, outbound.Error{Kind: outbound.KindQuota, Status: 400, Reason: "invalid_request_error"}},
		{"ollama, model", 404, `{"error":"model \"x\" not found, try pulling it first"}`, outbound.Error{Kind: outbound.KindModel, Status: 404}},
		{"ollama, too long", 400, `{"error":"the input length exceeds the context length"}`, outbound.Error{Kind: outbound.KindTooLong, Status: 400}},
		{"llama.cpp, too long with a 500", 500, `{"error":{"code":500,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}`, outbound.Error{Kind: outbound.KindTooLong, Status: 500, Reason: "exceed_context_size_error"}},
		{"vllm", 400, `{"object":"error","message":"bad","type":"BadRequestError","code":400}`, outbound.Error{Kind: outbound.KindBadRequest, Status: 400, Reason: "BadRequestError"}},
		{"fastapi", 404, `{"detail":"Not Found"}`, outbound.Error{Kind: outbound.KindAddress, Status: 404}},
		{"web page about models", 404, `<html>our models`, outbound.Error{Kind: outbound.KindAddress, Status: 404}},
		{"proxy", 502, `<html>Bad Gateway`, outbound.Error{Kind: outbound.KindUnavailable, Status: 502}},
		{"redirect", 307, ``, outbound.Error{Kind: outbound.KindAddress, Status: 307}},
		{"too large", 413, ``, outbound.Error{Kind: outbound.KindTooLong, Status: 413}},
		{"no content", 204, ``, outbound.Error{Kind: outbound.KindProtocol, Status: 204}},
		{"in a stream, by number", 0, `{"error":{"message":"slow down","code":429}}`, outbound.Error{Kind: outbound.KindRateLimited, Status: 429}},
		{"in a stream, by name", 0, `{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}`, outbound.Error{Kind: outbound.KindRateLimited, Reason: "rate_limit_error"}},
		{"in a stream, prose", 0, `{"error":"it went wrong"}`, outbound.Error{Kind: outbound.KindUnavailable}},
		{"prose in the place of a code", 400, `{"error":{"code":"what a long sentence, sk-x","type":"x y"}}`, outbound.Error{Kind: outbound.KindBadRequest, Status: 400}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, &c.want, outbound.Classify(c.status, []byte(c.body)))
		})
	}
}

func TestFromNetwork(t *testing.T) {
	t.Parallel()
	in := func(err error) error { return &url.Error{Op: "Post", URL: "http://h/?key=secret", Err: err} }
	for _, c := range []struct {
		err  error
		want outbound.Kind
	}{
		{in(context.Canceled), outbound.KindStopped},
		{in(context.DeadlineExceeded), outbound.KindTimeout},
		{in(io.ErrUnexpectedEOF), outbound.KindCut},
		{in(errors.New("connection refused")), outbound.KindUnavailable},
		{in(&outbound.Error{Kind: outbound.KindQuota}), outbound.KindQuota},
	} {
		e := outbound.FromNetwork(c.err)
		require.Equal(t, c.want, e.Kind)
		require.NotContains(t, e.Error(), "secret")
	}
}

func TestReadAll(t *testing.T) {
	t.Parallel()
	b, err := outbound.ReadAll(strings.NewReader("12345"), 5)
	require.NoError(t, err)
	require.Equal(t, "12345", string(b))

	_, err = outbound.ReadAll(strings.NewReader("123456"), 5)
	require.ErrorIs(t, err, outbound.ErrBodyTooLarge)
	require.Equal(t, outbound.KindProtocol, outbound.KindOf(err))

	for _, lost := range []error{io.ErrUnexpectedEOF, errors.New("connection reset by peer")} {
		_, err = outbound.ReadAll(io.MultiReader(strings.NewReader("1"), iotest.ErrReader(lost)), 5)
		require.Equal(t, outbound.KindCut, outbound.KindOf(err))
	}
}

func TestParseBase(t *testing.T) {
	t.Parallel()
	u, err := outbound.ParseBase(" https://host:8443/v1/ ")
	require.NoError(t, err)
	require.Equal(t, "https://host:8443/v1", u.String())
	for _, raw := range []string{"", "host:8000", "ftp://host", "http://", "http://u:p@host", "http://host?key=x", "http://host#x", "http://[bad"} {
		_, err := outbound.ParseBase(raw)
		require.Error(t, err, raw)
		if raw != "" {
			require.NotContains(t, err.Error(), raw)
		}
	}
}

// A redirect to another host would carry x-api-key there.
func TestClientFollowsNoRedirect(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host was asked, with key %q", r.Header.Get("X-Api-Key"))
	}))
	defer other.Close()
	srv := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	defer srv.Close()
	rt := outbound.NewTransport(time.Minute)
	defer rt.CloseIdleConnections()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL, strings.NewReader("{}"))
	require.NoError(t, err)
	req.Header.Set("X-Api-Key", "k")
	resp, err := outbound.NewClient(rt).Do(req)
	require.NoError(t, err)
	defer resp.Body.Close()
	require.Equal(t, http.StatusTemporaryRedirect, resp.StatusCode)
}
