package rerank

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"passage/rag"
	"passage/rag/outbound"
)

// Waits before a repeat. They are short: the reader waits too.
const (
	firstWait = 200 * time.Millisecond
	mostWait  = 2 * time.Second
)

// Remote reranks with a server. It is safe for concurrent use.
type Remote struct {
	cfg       Config
	server    outbound.Server
	wire      wire
	transport *http.Transport
	policy    outbound.Policy
}

var _ rag.Reranker = (*Remote)(nil)

// Open builds a Remote and calls nobody. Errors: CodeInvalid, naming every
// environment variable that is wrong.
func Open(cfg Config) (*Remote, error) {
	server, base, err := cfg.check()
	if err != nil {
		return nil, err
	}
	r := &Remote{cfg: cfg, server: server, transport: outbound.NewTransport(cfg.Timeout)}
	r.wire = newWire(cfg.Provider, server, base, r.transport)
	r.policy = outbound.Policy{
		Attempts: cfg.Retries + 1, Base: firstWait, MaxWait: min(mostWait, cfg.Timeout), Sleep: cfg.Sleep, Notify: r.logRepeat,
	}
	return r, nil
}

// ID names provider and model.
func (r *Remote) ID() string { return r.cfg.Provider + "/" + r.server.Model }

// MaxTokens is how much the model reads at once, the question and one text
// together, counted by Config.Tokens. A longer text is cut for the request.
func (r *Remote) MaxTokens() int { return r.cfg.MaxTokens }

// Close drops the connections that are kept for later calls.
func (r *Remote) Close() { r.transport.CloseIdleConnections() }

// Rerank gives one score per text, in the order of the texts, within
// Config.Timeout; higher is better, and only the order tells anything. The
// texts are not changed. A blank text is not sent and comes after all others.
// Errors: CodeInvalid (an empty question; the server refuses the request or the
// key), CodeRateLimited, CodeTooLarge, and CodeUnavailable for all else, a
// cancelled or expired context included; errors.Is finds that.
func (r *Remote) Rerank(ctx context.Context, question string, texts []string) ([]float64, error) {
	if strings.TrimSpace(question) == "" {
		return nil, rag.Errorf(rag.CodeInvalid, "The question is empty: there is nothing to rank by.")
	}
	ctx, cancel := context.WithTimeout(ctx, r.cfg.Timeout)
	defer cancel()
	question, cuts, places := r.prepare(question, texts)
	scores := make([]float64, 0, len(cuts))
	for from := 0; from < len(cuts); from += r.cfg.BatchSize {
		to := min(from+r.cfg.BatchSize, len(cuts))
		part, err := r.batch(ctx, question, cuts[from:to])
		if err != nil {
			return nil, r.explain(fmt.Errorf("rerank texts %d to %d of %d: %w", from+1, to, len(cuts), err))
		}
		scores = append(scores, part...)
	}
	return spread(scores, places, len(texts)), nil
}

// prepare cuts the question to half of what the model reads and the texts to
// the rest, and says at which places those stand that are not blank.
func (r *Remote) prepare(question string, texts []string) (asked string, cuts []string, places []int) {
	question = cut(question, r.cfg.MaxTokens/2, r.cfg.Tokens)
	room := max(1, r.cfg.MaxTokens-r.cfg.Tokens.Count(question)-marks)
	for i, t := range texts {
		if strings.TrimSpace(t) != "" {
			cuts, places = append(cuts, cut(t, room, r.cfg.Tokens)), append(places, i)
		}
	}
	return question, cuts, places
}

// spread puts the scores at their places. What has none is below all others.
func spread(scores []float64, places []int, n int) []float64 {
	if n == 0 {
		return nil
	}
	lowest := 0.0
	if len(scores) > 0 {
		lowest = math.Inf(1)
	}
	for _, s := range scores {
		lowest = min(lowest, s)
	}
	out := make([]float64, n)
	for i := range out {
		out[i] = lowest - 1
	}
	for i, at := range places {
		out[at] = scores[i]
	}
	return out
}

// batch scores one batch. What the server finds too much is divided: a batch
// into two, a single text is cut in half.
func (r *Remote) batch(ctx context.Context, question string, texts []string) ([]float64, error) {
	scores, err := r.request(ctx, question, texts)
	if outbound.KindOf(err) != outbound.KindTooLong {
		return scores, err
	}
	if len(texts) == 1 {
		half := cutAt(texts[0], runeStart(texts[0], len(texts[0])/2))
		if len(half) < leastText {
			return nil, err
		}
		return r.batch(ctx, question, []string{half})
	}
	mid := len(texts) / 2
	head, err := r.batch(ctx, question, texts[:mid])
	if err != nil {
		return nil, err
	}
	tail, err := r.batch(ctx, question, texts[mid:])
	if err != nil {
		return nil, err
	}
	return append(head, tail...), nil
}

// leastText is the length in bytes under which a text is not cut further.
const leastText = 64

// request sends one batch, with repeats.
func (r *Remote) request(ctx context.Context, question string, texts []string) ([]float64, error) {
	var scores []float64
	err := r.policy.Do(ctx, func(ctx context.Context) error {
		var err error
		scores, err = r.wire.call(ctx, question, texts)
		return err
	})
	if err != nil {
		return nil, err
	}
	return scores, nil
}

func (r *Remote) logRepeat(attempt int, wait time.Duration, cause *outbound.Error) {
	r.cfg.Logger.Warn("reranking request repeated", "reranker", r.ID(), "attempt", attempt, "wait", wait,
		"kind", string(cause.Kind), "status", cause.Status, "reason", cause.Reason)
}

// explain gives an error the sentence a user may read.
func (r *Remote) explain(err error) error {
	e := outbound.As(err)
	if e == nil {
		return err
	}
	return rag.WithCause(err, codeOf(e.Kind), "%s", r.sentence(e))
}

func codeOf(k outbound.Kind) rag.Code {
	switch k {
	case outbound.KindUnauthorized, outbound.KindQuota, outbound.KindAddress, outbound.KindModel,
		outbound.KindBadRequest, outbound.KindRefused:
		return rag.CodeInvalid
	case outbound.KindTooLong:
		return rag.CodeTooLarge
	case outbound.KindRateLimited:
		return rag.CodeRateLimited
	default:
		return rag.CodeUnavailable
	}
}

func (r *Remote) sentence(e *outbound.Error) string {
	switch e.Kind {
	case outbound.KindTooLong:
		return "A text is longer than the reranker reads, even cut short: check PASSAGE_RERANK_MAX_TOKENS."
	case outbound.KindStopped:
		return "Reranking was stopped."
	default:
		return r.server.Sentence(e)
	}
}
