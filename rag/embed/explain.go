package embed

import (
	"errors"
	"fmt"

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

// sentence says more than the server's own where the dimension or the division
// into windows matters.
func (r *Remote) sentence(e *outbound.Error) string {
	var d *dimensionError
	switch {
	case errors.As(e, &d) && d.got > MaxDimension:
		return fmt.Sprintf("The embedding model gives vectors of length %d, and the vector index holds at most %d: choose another PASSAGE_EMBED_MODEL.", d.got, MaxDimension)
	case errors.As(e, &d):
		return fmt.Sprintf("The embedding server gives vectors of length %d where %d is expected: check PASSAGE_EMBED_MODEL and PASSAGE_EMBED_DIMENSION.", d.got, d.want)
	case e.Kind == outbound.KindTooLong:
		return "A text is longer than the embedding model reads, even in small parts: check PASSAGE_EMBED_MODEL."
	case e.Kind == outbound.KindStopped:
		return "Embedding was stopped."
	default:
		return r.server.Sentence(e)
	}
}
