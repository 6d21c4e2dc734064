package retrieve

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
	"passage/rag/analyze"
)

// A calibration weighs the evidence: their sum is the logarithm of the odds that
// the best hits answer the question, and below the limit it is refused.
//
// The weights are those of a logistic regression over one half of the
// development sets (100 questions of each of six corpora; as foreign ones 14 from
// each other corpus, and near misses: testdata/near_misses.jsonl), with both
// kinds weighing the same. On the other half, see docs/architecture.md. No single
// sign decides: questions in other words have a low share of words and a high
// cosine, near misses share most words with a page about another thing.
type calibration struct {
	constant, cosine, unit, window, document, unknown, words, limit float64
}

var (
	// builtIn is for the built-in embedder, whose cosines it knows.
	builtIn = calibration{
		constant: -9.40, cosine: 6.51, unit: 4.48, window: 3.90, document: 0.57, unknown: -2.37, words: 1.45,
		limit: -0.45,
	}
	// byWords is for searches without vectors. Its limit refuses hardly a question
	// that has an answer.
	byWords = calibration{
		constant: -8.46, unit: 6.11, window: 4.87, document: 0.54, unknown: -2.69, words: 2.06,
		limit: -2.13,
	}
	// uncalibrated is for other embedders: their cosines lie elsewhere, and what
	// they find in another language shares no word with the question. Nothing that
	// was found is refused; words that no document mentions are still named.
	uncalibrated = calibration{limit: math.Inf(-1)}
)

// builtInEmbedder begins the id of the built-in embedder.
const builtInEmbedder = "use-lite"

// odds is the logarithm of the odds that there is an answer.
func (c calibration) odds(e Evidence) float64 {
	return c.constant + c.cosine*e.Cosine + c.unit*e.Unit + c.window*e.Window + c.document*e.Document +
		c.unknown*e.Unknown + c.words*math.Log(float64(e.Words)+1)
}

// weak says that no hit is good enough to answer from. A search by one leg or by
// ranks alone is an experiment and refuses nothing that it found.
func (r *Retriever) weak(hits []rag.Hit, req Request, p plan, e *Evidence) bool {
	if len(hits) == 0 {
		return true
	}
	if req.Legs != Hybrid || e == nil {
		return false
	}
	embedder := ""
	if p.vector != nil {
		embedder = r.embedder.ID()
	}
	c := r.calibrate(embedder)
	return c.odds(*e) < c.limit
}

// calibrated gives the calibration for an embedder, "" for none.
func calibrated(embedder string) calibration {
	switch {
	case embedder == "":
		return byWords
	case strings.HasPrefix(embedder, builtInEmbedder):
		return builtIn
	default:
		return uncalibrated
	}
}

// unmentioned gives the words of the question, as they were written, that stand
// in no document: an answer about the rest may miss the point, as one about
// another medicine does. Short words count only when they are written like a
// name or a code, since other languages' "how" and "the" are unknown too.
func (p plan) unmentioned(question string) []string {
	var list []string
	for i, word := range strings.FieldsFunc(question, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:?!()\"“”", r) }) {
		word = strings.Trim(word, "'’.*`_")
		terms := analyze.QueryTerms(word)
		known := func(t string) bool { return !slices.Contains(p.unknown, t) }
		if len(terms) > 0 && !slices.ContainsFunc(terms, known) && !slices.Contains(list, word) && telling(word, i == 0) {
			list = append(list, word)
		}
	}
	return list
}

// telling says that a word is worth naming.
func telling(word string, first bool) bool {
	if strings.IndexFunc(word, unicode.IsLetter) < 0 {
		return false
	}
	return utf8.RuneCountInString(word) >= 4 || strings.ContainsFunc(word, unicode.IsDigit) || !first && strings.ContainsFunc(word, unicode.IsUpper)
}
