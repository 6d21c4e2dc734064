package rag

// SearchTerm is a term of a search, with the share of its weight that counts.
type SearchTerm struct {
	Term   string
	Weight float64 // 1 for a word of the question, less for one that stands in for it
}

// SimilarTerm is a term that may stand in for one that no unit holds: a word
// spelt otherwise, or with another ending.
type SimilarTerm struct {
	Term       string
	Similarity float64 // above 0, 1 would be the same word
	Units      int     // that hold it
}
