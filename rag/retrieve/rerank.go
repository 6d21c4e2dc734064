package retrieve

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"unicode/utf8"

	"passage/rag"
)

// charsPerToken is about how many bytes a token of a reranker stands for; it
// does not matter when it is wrong, as the reranker cuts what is longer.
const charsPerToken = 4

// WithReranker gives a retriever that hands its best candidates, grown, to a
// reranker before they are cut down to the number wanted. A nil reranker keeps
// the order of the search.
func (r *Retriever) WithReranker(reranker rag.Reranker, candidates int) *Retriever {
	with := *r
	with.reranker, with.candidates = reranker, candidates
	return &with
}

// reranks says that the order of the search is not the last word. Passages that
// come first because a reply says nothing by itself stay first.
func (r *Retriever) reranks(req Request) bool {
	return r.reranker != nil && !req.PlainOrder && !req.EarlierFirst && req.Legs == Hybrid
}

// wanted is how many passages are grown for a request.
func (r *Retriever) wanted(req Request) int {
	if r.reranks(req) {
		return max(req.Top, r.candidates)
	}
	return req.Top
}

// rerank puts the candidates in the order of the reranker and keeps as many as
// are wanted. When it does not answer, their order stays and the trace says why;
// only the end of the question's own context is an error.
func (r *Retriever) rerank(ctx context.Context, req Request, top int, all []*candidate, trace *Trace) ([]*candidate, error) {
	if !r.reranks(req) || len(all) < 2 {
		return firstOf(all, top, trace), nil
	}
	texts := make([]string, len(all))
	for i, c := range all {
		texts[i] = c.abstract(r.reranker.MaxTokens() * charsPerToken)
	}
	scores, err := r.reranker.Rerank(ctx, req.Question, texts)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err == nil && len(scores) != len(all) {
		err = errors.New("the reranker rated another number of texts")
	}
	trace.Reranker = r.reranker.ID()
	if err != nil {
		trace.RerankFault = rag.ErrorMessage(err)
		return firstOf(all, top, trace), nil
	}
	rated := make(map[*candidate]float64, len(all))
	for i, c := range all {
		rated[c] = scores[i]
	}
	slices.SortStableFunc(all, func(a, b *candidate) int { return cmp.Compare(rated[b], rated[a]) })
	return firstOf(all, top, trace), nil
}

// abstract is the text a candidate is judged by: its title and headings, then
// what it keeps; of a longer one a part with its best hit in it, so that what
// was found is not what the reranker does not read.
func (c *candidate) abstract(most int) string {
	var b strings.Builder
	section, _ := c.sectionAt(c.span.Start)
	b.WriteString(c.reading.Document.Title)
	for _, heading := range section.Path {
		if heading != c.reading.Document.Title {
			b.WriteString(" › " + heading)
		}
	}
	b.WriteByte('\n')
	span := c.span
	if span.Len() > most {
		hit := c.hits[0].Span
		span.Start = max(span.Start, min(hit.Start-most/4, span.End-most))
		for span.Start < span.End && !utf8.RuneStart(c.reading.Text[span.Start]) {
			span.Start++
		}
		for span.End = min(span.End, span.Start+most); span.End < c.span.End && !utf8.RuneStart(c.reading.Text[span.End]); {
			span.End--
		}
	}
	for i, piece := range rag.Pieces(span, inside(c.gaps, span)) {
		if i > 0 {
			b.WriteString(" […] ")
		}
		b.WriteString(piece.In(c.reading.Text))
	}
	return b.String()
}

// inside gives the parts of gaps that lie in a span.
func inside(gaps []rag.Span, span rag.Span) []rag.Span {
	var kept []rag.Span
	for _, g := range gaps {
		g.Start, g.End = max(g.Start, span.Start), min(g.End, span.End)
		if g.Start < g.End {
			kept = append(kept, g)
		}
	}
	return kept
}
