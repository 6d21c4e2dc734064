package embed

import (
	"errors"
	"fmt"
	"time"

	"passage/rag"
	"passage/rag/outbound"
)

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
	case outbound.KindUnauthorized:
		return "The embedding server refused the key: check PASSAGE_EMBED_API_KEY."
	case outbound.KindQuota:
		return "The account at the embedding server's provider has used up its allowance."
	case outbound.KindAddress:
		return "No embedding server answers at this address: check PASSAGE_EMBED_BASE_URL and PASSAGE_EMBEDDER."
	case outbound.KindModel:
		if r.cfg.Provider == ProviderOllama {
			return fmt.Sprintf("The Ollama server does not have the model %q: run \"ollama pull %s\" there, or check PASSAGE_EMBED_MODEL.", r.cfg.Model, r.cfg.Model)
		}
		return fmt.Sprintf("The embedding server does not have the model %q: check PASSAGE_EMBED_MODEL.", r.cfg.Model)
	case outbound.KindBadRequest, outbound.KindRefused:
		return "The embedding server does not accept the request: check PASSAGE_EMBEDDER and PASSAGE_EMBED_MODEL."
	case outbound.KindTooLong:
		return "A text is longer than the embedding model reads, even in small parts: check PASSAGE_EMBED_MODEL."
	case outbound.KindRateLimited:
		if e.RetryAfter > 0 {
			return fmt.Sprintf("The embedding server has too many requests. Try again in %s.", e.RetryAfter.Round(time.Second))
		}
		return "The embedding server has too many requests. Try again in a moment."
	case outbound.KindTimeout:
		return "The embedding server took too long. Try again."
	case outbound.KindCut:
		return "The connection to the embedding server broke off. Try again."
	case outbound.KindStopped:
		return "Embedding was stopped."
	case outbound.KindProtocol:
		return r.protocolSentence(e)
	default:
		return "The embedding server cannot be reached. Try again; if it stays so, check PASSAGE_EMBED_BASE_URL."
	}
}

func (r *Remote) protocolSentence(e *outbound.Error) string {
	var d *dimensionError
	switch {
	case errors.As(e, &d) && d.got > MaxDimension:
		return fmt.Sprintf("The embedding model gives vectors of length %d, and the vector index holds at most %d: choose another PASSAGE_EMBED_MODEL.", d.got, MaxDimension)
	case errors.As(e, &d):
		return fmt.Sprintf("The embedding server gives vectors of length %d where %d is expected: check PASSAGE_EMBED_MODEL and PASSAGE_EMBED_DIMENSION.", d.got, d.want)
	default:
		return "The reply of the embedding server cannot be used: check PASSAGE_EMBEDDER and PASSAGE_EMBED_MODEL."
	}
}
