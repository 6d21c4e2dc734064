package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"passage/rag"
	"passage/rag/outbound"
)

// errIdle is why a call is cancelled when the server falls silent.
var errIdle = errors.New("the server fell silent")

// judge says what became of a call that langchaingo has returned from with
// given; nil means a complete answer. The order matters: a cancelled call
// breaks everything below it, and what the wire showed is the cause of what
// langchaingo says.
func judge(ctx, callCtx context.Context, got *collector, given error, rec record) error {
	partial := got.text.Len() > 0
	if ctx.Err() != nil {
		e := outbound.FromNetwork(ctx.Err())
		e.Partial = partial
		return e
	}
	if got.err != nil {
		return fmt.Errorf("hand on a piece of the answer: %w", got.err)
	}
	e := fault(callCtx, got, given, rec)
	if e == nil {
		return nil
	}
	found := *e // the record keeps its own
	found.Partial = partial
	return &found
}

func fault(callCtx context.Context, got *collector, given error, rec record) *outbound.Error {
	switch {
	case !rec.ended && errors.Is(context.Cause(callCtx), errIdle):
		return &outbound.Error{Kind: outbound.KindTimeout, Reason: "idle", Cause: errIdle}
	case rec.fault != nil:
		return rec.fault
	case given != nil:
		return &outbound.Error{Kind: outbound.KindProtocol, Reason: "client", Cause: given}
	case !rec.ended:
		return &outbound.Error{Kind: outbound.KindCut, Reason: "no_stop_reason"}
	case got.text.Len() != rec.text:
		return &outbound.Error{Kind: outbound.KindProtocol, Reason: "text_lost"}
	}
	switch stop := stopReason(rec.stop); {
	case stop == stopRefused:
		return &outbound.Error{Kind: outbound.KindRefused, Reason: rec.stop}
	case strings.TrimSpace(got.text.String()) == "" && stop == StopLength:
		return &outbound.Error{Kind: outbound.KindEmpty, Reason: StopLength}
	case strings.TrimSpace(got.text.String()) == "":
		return &outbound.Error{Kind: outbound.KindEmpty}
	}
	return nil
}

// stopRefused is never given out: it becomes an error.
const stopRefused = "refused"

// stopReason puts the providers' words into ours.
func stopReason(word string) string {
	switch word {
	case "stop", "end_turn", "stop_sequence", "eos", "eos_token":
		return StopEnd
	case "length", "max_tokens", "model_length", "model_context_window_exceeded":
		return StopLength
	case "content_filter", "refusal", "safety":
		return stopRefused
	default:
		return word
	}
}

// explain gives an error the sentence a user may read. An error of the caller's
// own onChunk passes through.
func (c *Client) explain(err error) error {
	e := outbound.As(err)
	if e == nil {
		return err
	}
	return rag.WithCause(err, codeOf(e.Kind), "%s", c.sentence(e))
}

func codeOf(k outbound.Kind) rag.Code {
	switch k {
	case outbound.KindRateLimited:
		return rag.CodeRateLimited
	case outbound.KindTooLong:
		return rag.CodeTooLarge
	case outbound.KindRefused:
		return rag.CodeInvalid
	default:
		return rag.CodeUnavailable
	}
}

// sentence says more than the server's own where the question matters.
func (c *Client) sentence(e *outbound.Error) string {
	switch {
	case e.Kind == outbound.KindTooLong:
		return "The question and its passages are longer than the language model can read. Ask a shorter question or start a new chat."
	case e.Kind == outbound.KindRefused:
		return "The language model declined to answer this. Put the question differently."
	case e.Kind == outbound.KindCut && e.Partial:
		return "The connection to the language model broke off before the answer was complete. Try again."
	case e.Kind == outbound.KindStopped:
		return "The answer was stopped."
	case e.Kind == outbound.KindEmpty && e.Reason == StopLength:
		return "The language model reached its length limit before it wrote anything."
	case e.Kind == outbound.KindEmpty:
		return "The language model gave an empty answer. Put the question differently."
	default:
		return c.server.Sentence(e)
	}
}
