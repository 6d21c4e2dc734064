package embed

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"passage/rag/outbound"
)

// dimensionError tells the two lengths that should be one.
type dimensionError struct{ got, want int }

func (e *dimensionError) Error() string {
	return fmt.Sprintf("vectors of length %d, expected %d", e.got, e.want)
}

// check judges the vectors of one reply and scales them to length 1. A
// dimension of 0 is not known yet: then all must have that of the first.
func check(vecs [][]float32, texts, dimension int) error {
	if len(vecs) != texts {
		return protocol("wrong_count", fmt.Errorf("%d vectors for %d texts", len(vecs), texts))
	}
	for _, v := range vecs {
		if dimension == 0 {
			dimension = len(v)
		}
		if len(v) != dimension || len(v) == 0 || len(v) > MaxDimension {
			return protocol("wrong_dimension", &dimensionError{len(v), dimension})
		}
		if e := normalise(v); e != nil {
			return e
		}
	}
	return nil
}

// normalise scales v to length 1 in place.
func normalise(v []float32) *outbound.Error {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return protocol("not_finite", nil)
	}
	if sum == 0 {
		return protocol("zero_vector", nil)
	}
	scale := 1 / math.Sqrt(sum)
	for i, x := range v {
		v[i] = float32(float64(x) * scale)
	}
	return nil
}

func protocol(reason string, cause error) *outbound.Error {
	return &outbound.Error{Kind: outbound.KindProtocol, Reason: reason, Cause: cause}
}

// rough counts by an estimate.
type rough struct{}

func (rough) Count(text string) int { return roughTokens(text) }

// roughTokens estimates how many tokens a text has: four ASCII bytes to one,
// every other character one, and never less than its words. Code can have
// more; a server that says so is believed.
func roughTokens(text string) int {
	ascii, other := 0, 0
	for _, r := range text {
		if r < utf8.RuneSelf {
			ascii++
		} else {
			other++
		}
	}
	return max((ascii+3)/4+other, len(strings.Fields(text)))
}

// minHalve is the length in bytes under which a text is not divided further.
const minHalve = 64

// halve divides a text near its middle, after white space if there is any
// close by, and never inside a character. Not ok: it is too short.
func halve(text string) (a, b string, ok bool) {
	if len(text) < minHalve {
		return "", "", false
	}
	mid := len(text) / 2
	for mid > 0 && !utf8.RuneStart(text[mid]) {
		mid--
	}
	low := min(len(text)/4, mid)
	if i := strings.LastIndexAny(text[low:mid], " \t\r\n"); i >= 0 {
		mid = low + i + 1
	}
	a, b = text[:mid], text[mid:]
	return a, b, strings.TrimSpace(a) != "" && strings.TrimSpace(b) != ""
}
