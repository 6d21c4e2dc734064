package llm

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"time"

	"github.com/tmc/langchaingo/llms"

	"passage/rag/outbound"
)

// Client asks one model of one provider. It is safe for concurrent use.
type Client struct {
	cfg       Config
	server    outbound.Server
	base      string
	provider  provider
	transport *http.Transport
	policy    outbound.Policy
}

// New builds a Client and calls nobody. Errors: CodeInvalid, naming every
// environment variable that is wrong.
func New(cfg Config) (*Client, error) {
	server, base, err := cfg.check()
	if err != nil {
		return nil, err
	}
	c := &Client{cfg: cfg, server: server, base: base.String(), transport: outbound.NewTransport(cfg.HeaderTimeout)}
	g := &guard{next: c.transport, keyless: server.Key == ""}
	if cfg.Provider == ProviderOllama {
		// Without these an over-long prompt is shortened without a word.
		g.extra = map[string]json.RawMessage{"truncate": json.RawMessage("false"), "shift": json.RawMessage("false")}
	}
	c.provider, err = newProvider(cfg, server, base, outbound.NewClient(g))
	if err != nil {
		return nil, err
	}
	g.wire = c.provider.wire
	c.policy = outbound.Policy{
		Attempts: cfg.Retries + 1, Base: 500 * time.Millisecond, MaxWait: cfg.MaxWait, Sleep: cfg.Sleep,
		Notify: c.logRepeat,
	}
	return c, nil
}

// Name is the model's name as configured.
func (c *Client) Name() string { return c.server.Model }

// ContextTokens is how many tokens request and answer may have together.
func (c *Client) ContextTokens() int { return c.cfg.ContextTokens }

// Close drops the connections that are kept for later calls.
func (c *Client) Close() { c.transport.CloseIdleConnections() }

// Stream asks and hands on the answer piece by piece, see Model. A call is
// repeated only as long as no piece was handed on. Errors: CodeInvalid (empty
// question; the model declined), CodeRateLimited, CodeTooLarge, CodeUnavailable
// for all else, a cancelled or expired context included; errors.Is finds that.
func (c *Client) Stream(ctx context.Context, req Request, onChunk func(ctx context.Context, chunk string) error) (Result, error) {
	messages, err := contents(req)
	if err != nil {
		return Result{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, c.cfg.Timeout)
	defer cancel()
	var res Result
	err = c.policy.Do(ctx, func(ctx context.Context) error {
		var err error
		res, err = c.ask(ctx, messages, req, onChunk)
		return err
	})
	if err != nil {
		return res, c.explain(err)
	}
	return res, nil
}

// ask is one attempt.
func (c *Client) ask(ctx context.Context, messages []llms.MessageContent, req Request, onChunk func(context.Context, string) error) (Result, error) {
	callCtx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	x := newExchange(c.cfg.IdleTimeout, func() { cancel(errIdle) })
	got := &collector{give: onChunk}
	_, err := c.provider.model.GenerateContent(withExchange(callCtx, x), messages, c.options(ctx, req, got)...)
	if got.panicked != nil {
		panic(got.panicked)
	}
	rec := x.seen()
	res := Result{Text: got.text.String(), InputTokens: rec.input, OutputTokens: rec.output}
	if err := judge(ctx, callCtx, got, err, rec); err != nil {
		return res, err
	}
	res.StopReason = stopReason(rec.stop)
	return res, nil
}

func (c *Client) options(ctx context.Context, req Request, got *collector) []llms.CallOption {
	limit := req.MaxTokens
	if limit <= 0 {
		limit = defaultMaxTokens
	}
	return append([]llms.CallOption{
		llms.WithMaxTokens(limit),
		llms.WithTemperature(req.Temperature),
		llms.WithStreamingFunc(func(_ context.Context, chunk []byte) error {
			return got.add(ctx, chunk)
		}),
	}, c.provider.options...)
}

func (c *Client) logRepeat(attempt int, wait time.Duration, cause *outbound.Error) {
	c.cfg.Logger.Warn("model call repeated", "provider", c.cfg.Provider, "model", c.server.Model,
		"attempt", attempt, "wait", wait, "kind", string(cause.Kind), "status", cause.Status, "reason", cause.Reason)
}

// collector keeps what langchaingo hands on, since langchaingo's own result is
// empty after some faults.
type collector struct {
	give     func(context.Context, string) error
	text     strings.Builder
	err      error // of give
	panicked any   // what give panicked with
}

// add takes a chunk. For Anthropic langchaingo calls it in a goroutine of its
// own, where a panic would end the program; it is carried over instead.
func (c *collector) add(ctx context.Context, chunk []byte) (err error) {
	if len(chunk) == 0 {
		return nil
	}
	defer func() {
		if p := recover(); p != nil {
			c.panicked, err = p, context.Canceled
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	c.text.Write(chunk)
	c.err = c.give(ctx, string(chunk))
	return c.err
}
