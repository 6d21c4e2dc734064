package embed

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/tmc/langchaingo/embeddings"

	"passage/rag"
	"passage/rag/outbound"
)

// Remote embeds with a server. It is safe for concurrent use.
type Remote struct {
	cfg       Config
	server    outbound.Server
	dimension int
	client    embeddings.EmbedderClient
	transport *http.Transport
	policy    outbound.Policy
}

var _ rag.Embedder = (*Remote)(nil)

// Open builds a Remote. Without Config.Dimension it embeds one word to learn
// the dimension, so the server must answer then; with it nobody is called.
// Errors: CodeInvalid (the configuration, naming every environment variable
// that is wrong; the server refuses the request or the key), CodeUnavailable,
// CodeRateLimited.
func Open(ctx context.Context, cfg Config) (*Remote, error) {
	server, base, err := cfg.check()
	if err != nil {
		return nil, err
	}
	r := &Remote{cfg: cfg, server: server, dimension: cfg.Dimension, transport: outbound.NewTransport(cfg.Timeout)}
	r.client = newWire(cfg, server, base, r.transport)
	r.policy = outbound.Policy{
		Attempts: cfg.Retries + 1, Base: time.Second, MaxWait: cfg.MaxWait, Sleep: cfg.Sleep, Notify: r.logRepeat,
	}
	if r.dimension > 0 {
		return r, nil
	}
	vecs, err := r.request(ctx, []string{"dimension"})
	if err != nil {
		r.Close()
		return nil, r.explain(fmt.Errorf("learn the dimension: %w", err))
	}
	r.dimension = len(vecs[0])
	return r, nil
}

// ID names provider, model and dimension.
func (r *Remote) ID() string {
	return fmt.Sprintf("%s/%s/%d", r.cfg.Provider, r.server.Model, r.dimension)
}

// Dimension is the length of every vector.
func (r *Remote) Dimension() int { return r.dimension }

// MaxTokens is how long a text, counted by Config.Tokens, is embedded at once.
// A longer one is embedded in windows, and its vector is their mean.
func (r *Remote) MaxTokens() int { return r.cfg.MaxTokens }

// Close drops the connections that are kept for later calls.
func (r *Remote) Close() { r.transport.CloseIdleConnections() }

// Embed returns one vector of length 1 per text, in the order of the texts,
// and does not change the slice. Errors: CodeInvalid (an empty text; the server
// refuses the request or the key), CodeRateLimited, CodeTooLarge, and
// CodeUnavailable for all else, a cancelled or expired context included;
// errors.Is finds that.
func (r *Remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	err := r.EmbedBatches(ctx, texts, func(_ int, vecs [][]float32) error {
		out = append(out, vecs...)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// EmbedBatches embeds like Embed and hands the vectors on as each batch is
// done: vecs belong to texts[from:from+len(vecs)]. A batch is requested again
// until it succeeds or its repeats are used up; those before it are not. An
// error of done ends the call and is returned wrapped. After an error the
// caller may go on with texts[from:] of the first batch it was not given.
func (r *Remote) EmbedBatches(ctx context.Context, texts []string, done func(from int, vecs [][]float32) error) error {
	for i, t := range texts {
		if strings.TrimSpace(t) == "" {
			return rag.Errorf(rag.CodeInvalid, "Text %d of %d is empty: there is nothing to embed.", i+1, len(texts))
		}
	}
	for from := 0; from < len(texts); from += r.cfg.BatchSize {
		to := min(from+r.cfg.BatchSize, len(texts))
		vecs, err := r.vectors(ctx, texts[from:to])
		if err != nil {
			return r.explain(fmt.Errorf("embed texts %d to %d of %d: %w", from+1, to, len(texts), err))
		}
		if err := done(from, vecs); err != nil {
			return fmt.Errorf("hand on the vectors of texts %d to %d: %w", from+1, to, err)
		}
	}
	return nil
}

// vectors embeds one batch. What is too long for one request is divided: a
// batch into two, a single text into two windows.
func (r *Remote) vectors(ctx context.Context, texts []string) ([][]float32, error) {
	long := slices.ContainsFunc(texts, func(t string) bool { return r.cfg.Tokens.Count(t) > r.cfg.MaxTokens })
	if !long && len(texts) <= r.cfg.BatchSize {
		vecs, err := r.request(ctx, texts)
		if outbound.KindOf(err) != outbound.KindTooLong {
			return vecs, err
		}
		if _, _, ok := halve(texts[0]); len(texts) == 1 && !ok {
			return nil, err
		}
	}
	if len(texts) == 1 {
		return r.windows(ctx, texts[0])
	}
	mid := len(texts) / 2
	head, err := r.vectors(ctx, texts[:mid])
	if err != nil {
		return nil, err
	}
	tail, err := r.vectors(ctx, texts[mid:])
	if err != nil {
		return nil, err
	}
	return append(head, tail...), nil
}

// windows embeds the two halves of a text and gives their mean, each half
// counted by its length.
func (r *Remote) windows(ctx context.Context, text string) ([][]float32, error) {
	a, b, ok := halve(text)
	if !ok {
		return r.request(ctx, []string{text})
	}
	r.cfg.Logger.WarnContext(ctx, "text embedded in windows", "embedder", r.ID(), "bytes", len(text))
	halves, err := r.vectors(ctx, []string{a, b})
	if err != nil {
		return nil, err
	}
	mean := make([]float32, len(halves[0]))
	for i := range mean {
		mean[i] = halves[0][i]*float32(len(a)) + halves[1][i]*float32(len(b))
	}
	if e := normalise(mean); e != nil {
		return nil, e
	}
	return [][]float32{mean}, nil
}

// request sends one batch, with repeats, and checks the reply. The texts are
// copied, as they belong to the caller.
func (r *Remote) request(ctx context.Context, texts []string) ([][]float32, error) {
	var vecs [][]float32
	err := r.policy.Do(ctx, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
		defer cancel()
		var err error
		vecs, err = r.client.CreateEmbedding(ctx, slices.Clone(texts))
		if err != nil {
			return outbound.FromNetwork(err)
		}
		return check(vecs, len(texts), r.dimension)
	})
	if err != nil {
		return nil, err
	}
	return vecs, nil
}

func (r *Remote) logRepeat(attempt int, wait time.Duration, cause *outbound.Error) {
	r.cfg.Logger.Warn("embedding request repeated", "embedder", r.ID(), "attempt", attempt, "wait", wait,
		"kind", string(cause.Kind), "status", cause.Status, "reason", cause.Reason)
}
