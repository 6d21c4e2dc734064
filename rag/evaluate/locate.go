package evaluate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
)

// Corpus is what an evaluation needs to know of the documents.
type Corpus interface {
	// Sources gives the live versions of the documents with these source URIs,
	// in the spaces of the list (nil: all that the scope reads).
	Sources(ctx context.Context, scope rag.Scope, spaces []int64, uris []string) ([]rag.Source, error)
	// Texts gives the texts of versions by id; what the scope does not read is
	// missing.
	Texts(ctx context.Context, scope rag.Scope, versionIDs []int64) (map[int64]string, error)
	// CorpusSize counts the live documents in the filter and their units.
	CorpusSize(ctx context.Context, scope rag.Scope, f rag.Filter) (documents, units int, err error)
	// CommonSets lists the unit sets that every live document in the filter has.
	CommonSets(ctx context.Context, scope rag.Scope, f rag.Filter) ([]rag.UnitSet, error)
}

// located is a question with its places found in the documents as they are now.
type located struct {
	Question
	sources map[Key]rag.Source
	docType string // of the first place
}

// locator finds the documents of questions.
type locator struct {
	corpus Corpus
	scope  rag.Scope
	spaces []int64
}

// locate finds the places of a question: documents by source URI, spans where
// they are or, when the document has another text now, where their text is now.
// What is not found is a problem; with no place left, the question is left out.
func (l locator) locate(ctx context.Context, q Question) (located, []Problem, error) {
	found := located{Question: q, sources: map[Key]rag.Source{}}
	if q.Kind == KindUnanswerable {
		return found, nil, nil
	}
	sources, err := l.corpus.Sources(ctx, l.scope, l.spaces, q.uris())
	if err != nil {
		return found, nil, err
	}
	var problems []Problem
	complain := func(format string, args ...any) {
		problems = append(problems, Problem{Question: q.ID, Why: fmt.Sprintf(format, args...)})
	}
	var places []Target
	for _, t := range q.Targets() {
		source, why := pick(sources, t.key())
		if why == "" {
			t, why = relocate(t, source)
		}
		if why != "" {
			complain("%s", why)
			continue
		}
		places = append(places, t)
		found.sources[t.key()] = source
	}
	found.Relevant = nil
	for _, r := range q.Relevant {
		source, why := pick(sources, r.key())
		if why != "" {
			complain("%s", why)
			continue
		}
		r.Space = source.Document.Space
		found.Relevant = append(found.Relevant, r)
		found.sources[r.key()] = source
	}
	found.Target, found.Alternatives = Target{}, nil
	if len(places) > 0 {
		found.Target, found.Alternatives = places[0], places[1:]
	}
	if !found.measurable() {
		for i := range problems {
			problems[i].LeftOut = true
		}
	}
	found.docType = found.expectedType()
	return found, problems, nil
}

// measurable says that something is left that can be found.
func (l located) measurable() bool {
	if l.Target.DocID != "" {
		return true
	}
	return l.Kind == KindDocument && slices.ContainsFunc(l.Relevant, func(r Relevance) bool { return r.Grade >= l.relevantFrom() })
}

// expectedType is the type of the expected document, of the best graded one when
// none is expected.
func (l located) expectedType() string {
	if l.Target.DocID != "" {
		return l.sources[l.Target.key()].Document.DocType
	}
	if len(l.Relevant) == 0 {
		return ""
	}
	best := slices.MaxFunc(l.Relevant, func(a, b Relevance) int { return a.Grade - b.Grade })
	return l.sources[best.key()].Document.DocType
}

func (q Question) uris() []string {
	var uris []string
	for _, t := range q.Targets() {
		uris = append(uris, t.DocID)
	}
	for _, r := range q.Relevant {
		uris = append(uris, r.DocID)
	}
	slices.Sort(uris)
	return slices.Compact(uris)
}

// pick chooses the source of a document, or says why there is none.
func pick(sources []rag.Source, k Key) (source rag.Source, why string) {
	var spaces []string
	for _, s := range sources {
		if s.Document.SourceURI == k.DocID && (k.Space == "" || k.Space == s.Document.Space) {
			source = s
			spaces = append(spaces, s.Document.Space)
		}
	}
	switch {
	case len(spaces) == 1:
		return source, ""
	case len(spaces) > 1:
		slices.Sort(spaces)
		return source, fmt.Sprintf("The document %q stands in the spaces %s: name one with \"space\".", k.DocID, strings.Join(spaces, ", "))
	case k.Space != "":
		return source, fmt.Sprintf("There is no document %q in the space %q.", k.DocID, k.Space)
	default:
		return source, fmt.Sprintf("There is no document %q.", k.DocID)
	}
}

// relocate finds the spans of a place in the text as it is now.
func relocate(t Target, s rag.Source) (Target, string) {
	t.Space = s.Document.Space
	spans := slices.Clone(t.Spans)
	if len(spans) == 0 {
		return t, ""
	}
	text := []rune(s.Text)
	for i, span := range spans {
		if span.Text == "" && span.End <= len(text) {
			spans[i].Text = string(text[span.Start:span.End])
			continue
		}
		if span.Text == "" {
			return t, fmt.Sprintf("Answer span %d ends at %d, after the end of %q, which has %d code points.", i+1, span.End, t.DocID, len(text))
		}
		at, ok := find(text, span)
		if !ok {
			return t, fmt.Sprintf("The text of answer span %d is not in %q any more: %q.", i+1, t.DocID, clip(span.Text))
		}
		spans[i] = AnswerSpan{Start: at.Start, End: at.End, Text: string(text[at.Start:at.End])}
	}
	t.Spans = spans
	return t, ""
}

// find looks for the text of a span: where it was, else the nearest place that
// holds it, else the nearest that holds it with other white space.
func find(text []rune, s AnswerSpan) (rag.Span, bool) {
	want := []rune(s.Text)
	if end := s.Start + len(want); end <= len(text) && slices.Equal(text[s.Start:end], want) {
		return rag.Span{Start: s.Start, End: end}, true
	}
	if at, ok := nearest(text, want, s.Start); ok {
		return rag.Span{Start: at, End: at + len(want)}, true
	}
	folded, origin := fold(text)
	words, _ := fold(want)
	if len(words) == 0 {
		return rag.Span{}, false
	}
	start := slices.IndexFunc(origin, func(i int) bool { return i >= s.Start })
	if start < 0 {
		start = len(origin)
	}
	at, ok := nearest(folded, words, start)
	if !ok {
		return rag.Span{}, false
	}
	return rag.Span{Start: origin[at], End: origin[at+len(words)-1] + 1}, true
}

// nearest finds the place of the words that is closest to where they were.
func nearest(text, words []rune, was int) (int, bool) {
	haystack, needle := string(text), string(words)
	best, ok := 0, false
	for from, point := 0, 0; ; {
		i := strings.Index(haystack[from:], needle)
		if i < 0 {
			return best, ok
		}
		point += utf8.RuneCountInString(haystack[from : from+i])
		if !ok || abs(point-was) < abs(best-was) {
			best, ok = point, true
		}
		_, size := utf8.DecodeRuneInString(needle) // places may overlap
		from, point = from+i+size, point+1
	}
}

func abs(n int) int { return max(n, -n) }

// fold makes one space of each run of white space and drops it at both ends;
// origin is where each character stood.
func fold(text []rune) (folded []rune, origin []int) {
	for i, r := range text {
		space := unicode.IsSpace(r)
		if space && (len(folded) == 0 || folded[len(folded)-1] == ' ') {
			continue
		}
		if space {
			r = ' '
		}
		folded, origin = append(folded, r), append(origin, i)
	}
	if n := len(folded); n > 0 && folded[n-1] == ' ' {
		folded, origin = folded[:n-1], origin[:n-1]
	}
	return folded, origin
}

// clip shortens a text for a message.
func clip(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	if len(runes) > 60 {
		return string(runes[:60]) + "…"
	}
	return string(runes)
}
