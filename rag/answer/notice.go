package answer

import (
	"maps"
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/retrieve"
)

// understood says what a question was taken for, when that is not what was
// asked: whoever meant something else sees why the answer is another one.
func understood(asked string, c condensed) string {
	if oneLine(c.question) == oneLine(asked) {
		return ""
	}
	return "Your question was understood as: “" + oneLine(c.question) + "”."
}

// searchedAlso names the words that stood in for others which no document
// holds. The search knows stems; people are shown words, as they were asked and
// as they stand in what was found.
func searchedAlso(question string, res retrieve.Result) string {
	if len(res.Trace.Similar) == 0 {
		return ""
	}
	asked, held := map[string]string{}, wordsOf(res.Passages)
	for _, t := range terms(question) {
		asked[t.stem] = t.text
	}
	var parts []string
	for _, word := range slices.Sorted(maps.Keys(res.Trace.Similar)) {
		var names []string
		for _, s := range res.Trace.Similar[word] {
			names = append(names, nameOf(held, s))
		}
		parts = append(parts, strings.Join(names, ", ")+" (for "+nameOf(asked, word)+")")
	}
	return "Searched also for: " + strings.Join(parts, "; ") + "."
}

// nameOf is the word that has the stem, or the stem where none is known.
func nameOf(words map[string]string, stem string) string {
	if w, ok := words[stem]; ok {
		return w
	}
	return stem
}

// wordsOf gives a word in lower case for each stem that the passages hold: the
// first one.
func wordsOf(passages []rag.Passage) map[string]string {
	words := map[string]string{}
	for _, p := range passages {
		texts := append([]string{p.Document.Title, p.Text}, p.Path...)
		for _, t := range terms(strings.Join(texts, "\n")) {
			if _, ok := words[t.stem]; !ok {
				words[t.stem] = t.low
			}
		}
	}
	return words
}
