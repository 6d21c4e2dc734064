package analyze

import (
	"strings"
	"sync"

	"github.com/kljensen/snowball/english"
)

// maxStems is how many stems are remembered: more than the different words of
// most collections.
const maxStems = 1 << 16

// Only words between these lengths are stemmed.
const (
	shortestStemmed = 3
	longestStemmed  = 40
)

// stems remembers the English stems of words: the stemmer takes some hundred
// times as long as a look-up, and most words are common ones.
type stems struct {
	mu    sync.RWMutex
	known map[string]string
}

type stem struct{ word, stem string }

// stem gives the English stem of a folded word. Only words of plain letters
// have one; others stay as they are.
func (w *writer) stem(s string) string {
	if len(s) < shortestStemmed || len(s) > longestStemmed {
		return s
	}
	if known, ok := w.stems.known[s]; ok {
		return known
	}
	vowel := false
	for i := range len(s) {
		if !isLower(s[i]) {
			return s
		}
		vowel = vowel || strings.IndexByte("aeiouy", s[i]) >= 0
	}
	found := s
	switch {
	case vowel:
		found = english.Stem(s, false)
	case len(s) > 3 && strings.HasSuffix(s, "s") && !strings.HasSuffix(s, "ss"):
		found = s[:len(s)-1] // the plural of an acronym: "pvcs"
	}
	w.missed = append(w.missed, stem{s, found})
	return found
}

// remember keeps new stems. Words are copied, so that no text is held by them.
func (s *stems) remember(missed []stem) {
	if len(missed) == 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.known == nil {
		s.known = make(map[string]string, len(missed))
	}
	if len(s.known)+len(missed) > maxStems {
		clear(s.known)
	}
	for _, m := range missed {
		s.known[strings.Clone(m.word)] = strings.Clone(m.stem)
	}
}

// isStopWord says that a term carries nothing in a question. Stems of stop words
// are the words themselves.
func isStopWord(term string) bool {
	switch term {
	case "a", "about", "after", "again", "all", "am", "an", "and", "any", "are", "as", "at", "be", "because", "been", "before", "being", "between", "both", "but", "by",
		"can", "cannot", "cant", "could", "did", "do", "does", "doing", "dont", "down", "during", "each", "for", "from", "further", "get", "had", "has", "have", "having", "he", "her", "here", "hers",
		"him", "his", "how", "i", "if", "im", "in", "into", "is", "it", "its", "just", "mani", "me", "more", "most", "much", "my", "need", "nor", "of", "off", "on", "once", "only", "or", "other",
		"our", "ours", "out", "over", "own", "please", "same", "shall", "she", "should", "so", "some", "such", "tell", "than", "that", "the", "their", "theirs", "them", "then", "there", "these",
		"they", "this", "those", "through", "to", "too", "under", "until", "up", "us", "very", "was", "we", "were", "what", "when", "where", "which", "while", "who", "whom",
		"why", "will", "with", "would", "you", "your", "yours":
		return true
	}
	return false
}
