package llm

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

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

func (c *Client) sentence(e *outbound.Error) string {
	switch e.Kind {
	case outbound.KindRateLimited:
		if e.RetryAfter > 0 {
			return fmt.Sprintf("The language model has too many requests. Try again in %s.", e.RetryAfter.Round(time.Second))
		}
		return "The language model has too many requests. Try again in a moment."
	case outbound.KindUnauthorized:
		return "The language model server refused the key: check PASSAGE_LLM_API_KEY."
	case outbound.KindQuota:
		return "The account at the language model's provider has used up its allowance."
	case outbound.KindAddress:
		return "No language model answers at this address: check PASSAGE_LLM_BASE_URL and PASSAGE_LLM_PROVIDER."
	case outbound.KindModel:
		if c.cfg.Provider == ProviderOllama {
			return fmt.Sprintf("The Ollama server does not have the model %q: run \"ollama pull %s\" there, or check PASSAGE_LLM_MODEL.", c.cfg.Model, c.cfg.Model)
		}
		return fmt.Sprintf("The language model server does not have the model %q: check PASSAGE_LLM_MODEL.", c.cfg.Model)
	case outbound.KindTooLong:
		return "The question and its passages are longer than the language model can read. Ask a shorter question or start a new chat."
	case outbound.KindRefused:
		return "The language model declined to answer this. Put the question differently."
	case outbound.KindBadRequest:
		return "The language model server does not accept the request: check PASSAGE_LLM_PROVIDER and PASSAGE_LLM_MODEL."
	case outbound.KindTimeout:
		return "The language model took too long. Try again."
	case outbound.KindCut:
		return "The connection to the language model broke off before the answer was complete. Try again."
	case outbound.KindStopped:
		return "The answer was stopped."
	case outbound.KindEmpty:
		if e.Reason == StopLength {
			return "The language model reached its length limit before it wrote anything."
		}
		return "The language model gave an empty answer. Put the question differently."
	case outbound.KindProtocol:
		return "The reply of the language model server cannot be read: check PASSAGE_LLM_PROVIDER and PASSAGE_LLM_BASE_URL."
	default:
		return "The language model cannot be reached. Try again; if it stays so, check PASSAGE_LLM_BASE_URL."
	}
}
