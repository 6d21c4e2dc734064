package rerank

import (
	"fmt"
	"math"

	"passage/rag/outbound"
)

// inOrder puts the scores at the places of their texts. Replies come sorted by
// score, so only the index tells which text is meant: every text has exactly
// one, and every score is a finite number.
func inOrder(ranks []rank, texts int) ([]float64, error) {
	if len(ranks) != texts {
		return nil, protocol("wrong_count", fmt.Errorf("%d scores for %d texts", len(ranks), texts))
	}
	scores := make([]float64, texts)
	seen := make([]bool, texts)
	for _, r := range ranks {
		if r.index == nil || *r.index < 0 || *r.index >= texts || seen[*r.index] {
			return nil, protocol("wrong_index", nil)
		}
		if r.score == nil || math.IsNaN(*r.score) || math.IsInf(*r.score, 0) {
			return nil, protocol("no_score", nil)
		}
		scores[*r.index], seen[*r.index] = *r.score, true
	}
	return scores, nil
}

func protocol(reason string, cause error) *outbound.Error {
	return &outbound.Error{Kind: outbound.KindProtocol, Reason: reason, Cause: cause}
}
