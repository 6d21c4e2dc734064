package evaluate

import (
	"crypto/sha256"

	"passage/rag"
)

// ParseHalf reads the name of a half. Errors: CodeInvalid.
func ParseHalf(s string) (Half, error) {
	switch h := Half(s); h {
	case HalfAll, HalfA, HalfB:
		return h, nil
	}
	return HalfAll, rag.Errorf(rag.CodeInvalid, "There is no half %q: use a or b.", s)
}

// Of gives the questions of the half, in their order.
func (h Half) Of(questions []Question) []Question {
	if h == HalfAll {
		return questions
	}
	var list []Question
	for _, q := range questions {
		if sum := sha256.Sum256([]byte(q.ID)); sum[0]&1 == 0 == (h == HalfA) {
			list = append(list, q)
		}
	}
	return list
}
