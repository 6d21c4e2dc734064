package retrieve

import (
	"bytes"
	"unicode/utf8"

	"passage/rag/analyze"
)

// query is what the question's words tell. It belongs to one request.
type query struct {
	terms    map[string]float64 // term → IDF
	total    float64            // of all terms
	keys     [][]byte           // how words of the terms begin
	lower    []byte             // scratch
	analyzer analyze.Analyzer
}

// longestKey is the most bytes of a key; stemEnd is how many bytes at the end of
// a stem may not stand in the word: "file" is that of "filing".
const (
	longestKey = 4
	stemEnd    = 2
)

func newQuery(terms []string, idf map[string]float64) *query {
	q := &query{terms: make(map[string]float64, len(terms))}
	for _, t := range terms {
		weight, known := idf[t]
		if !known {
			weight = 1
		}
		q.terms[t] = weight
		q.total += weight
		if isASCII(t) {
			q.keys = append(q.keys, []byte(t[:min(longestKey, max(1, len(t)-stemEnd))]))
		}
	}
	return q
}

// share is how much of what the question's words tell stands in the text, 0 to
// 1: the sum of the IDF of the terms it holds, by that of all.
func (q *query) share(text string) float64 {
	if q == nil || q.total <= 0 {
		return 0
	}
	return q.held(text) / q.total
}

// held is the sum of the IDF of the question's terms that stand in the text.
func (q *query) held(text string) float64 {
	if q == nil || !q.mayHold(text) {
		return 0
	}
	sum := 0.0
	seen := make(map[string]bool, len(q.terms))
	for _, t := range q.analyzer.Terms(text) {
		if w, ok := q.terms[t]; ok && !seen[t] {
			seen[t] = true
			sum += w
		}
	}
	return sum
}

// mayHold says that a text is worth analysing, which takes ten times as long:
// most hold no word that begins as one of the question does.
func (q *query) mayHold(text string) bool {
	if !isASCII(text) {
		return true
	}
	q.lower = q.lower[:0]
	for i := range len(text) {
		c := text[i]
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		q.lower = append(q.lower, c)
	}
	for _, key := range q.keys {
		if bytes.Contains(q.lower, key) {
			return true
		}
	}
	return false
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
