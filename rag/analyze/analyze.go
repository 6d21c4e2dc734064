// Package analyze turns text into the terms of the lexical index.
//
// Words are folded (NFKC, lower case, no accents on Latin letters) and stemmed
// as English; an identifier such as kube_pod_status_phase, ERR-4012 or
// /etc/kafka/server.properties is a term as a whole and in its parts, so that
// it is found exactly and by any of its words; Chinese, Japanese, Korean and
// Thai are pairs of characters. The same rules make the terms of documents and
// of questions, and no text of any content makes them fail.
package analyze

import (
	"strings"
	"unicode/utf8"
)

// MaxTerm is the most bytes of a term. Longer ones are cut, alike in documents
// and questions.
const MaxTerm = 100

// MaxQueryTerms is the most terms that a question gives; what follows in a
// longer text is left out.
const MaxQueryTerms = 256

// Analyzer makes terms and remembers stems. It is safe for concurrent use; its
// memory is bounded. The zero value is ready.
type Analyzer struct {
	stems stems
}

// Terms gives the terms of a text for indexing: in the order of the text, as
// often as they occur.
func (a *Analyzer) Terms(text string) []string {
	w := a.writer(text)
	w.text(text)
	w.close()
	return w.out
}

// QueryTerms gives the terms of a question: each once, without stop words
// unless there is nothing else. A word in capitals is none: "WHO guideline".
func (a *Analyzer) QueryTerms(text string) []string {
	w := a.writer(text)
	w.mark = true
	w.text(text)
	w.close()
	seen := make(map[string]bool, len(w.out))
	var kept, stopped []string
	for i, term := range w.out {
		if seen[term] || len(kept) == MaxQueryTerms {
			continue
		}
		seen[term] = true
		if isStopWord(term) && !w.shouted[i] {
			stopped = append(stopped, term)
			continue
		}
		kept = append(kept, term)
	}
	if len(kept) == 0 {
		kept = stopped[:min(len(stopped), MaxQueryTerms)]
	}
	return kept
}

// Terms gives the terms of one text. To analyze many, share an Analyzer: it
// remembers the stems of their words.
func Terms(text string) []string {
	var a Analyzer
	return a.Terms(text)
}

// QueryTerms gives the terms of one question.
func QueryTerms(text string) []string {
	var a Analyzer
	return a.QueryTerms(text)
}

// writer collects the terms of one text.
type writer struct {
	stems   *stems
	out     []string
	mark    bool   // note which terms were written in capitals
	shouted []bool // per term, with mark
	missed  []stem // stems that were not remembered
}

func (a *Analyzer) writer(text string) *writer {
	a.stems.mu.RLock()
	return &writer{stems: &a.stems, out: make([]string, 0, len(text)/5+1)}
}

// close lets the stems go and remembers the new ones.
func (w *writer) close() {
	w.stems.mu.RUnlock()
	w.stems.remember(w.missed)
}

// emit adds a term that is folded already.
func (w *writer) emit(term string, shouted bool) {
	if len(term) > MaxTerm {
		end := MaxTerm
		for end > 0 && !utf8.RuneStart(term[end]) {
			end--
		}
		term = term[:end]
	}
	if term == "" {
		return
	}
	w.out = append(w.out, term)
	if w.mark {
		w.shouted = append(w.shouted, shouted)
	}
}

// text makes the terms of a text: it is cut at white space, and only what is
// not ASCII is folded first.
func (w *writer) text(s string) {
	for i := 0; i < len(s); {
		if s[i] <= ' ' {
			i++
			continue
		}
		from, plain := i, true
		for i < len(s) && s[i] > ' ' {
			plain = plain && s[i] < utf8.RuneSelf
			i++
		}
		if plain {
			w.scan(s[from:i])
			continue
		}
		w.scan(fold(strings.ToValidUTF8(s[from:i], " ")))
	}
}
