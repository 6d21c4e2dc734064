package evaluate

import (
	"passage/rag"
)

// Key names a document: its source URI and the name of its space, "" when
// spaces are not told apart.
type Key struct{ DocID, Space string }

// Reply is what was retrieved for a question.
type Reply struct {
	Contexts []Context // in rank order; of a refusal what came nearest
	Refused  bool
	Tokens   float64 // of all contexts; below 0 when they were not counted
	MS       float64 // milliseconds; below 0 when the time was not taken
}

// Score measures a reply. Contexts are matched with the places of the question
// by DocID and Space, and lie in the same text as its spans. texts holds the
// expected documents for the measures by tokens; it may be nil.
//
// A refusal gives the reader no answer, whatever came nearest: it is measured as
// a reply without contexts, so that a question refused wrongly counts as one for
// which nothing was found.
//
// The measures by characters are those of Smith and Troynikov, "Evaluating
// Chunking Strategies for Retrieval", Chroma Technical Report (2024): with A the
// characters of the answer and C those of the contexts, recall is |A∩C| / |A|,
// precision |A∩C| / Σ|c| and IoU |A∩C| / (Σ|c| + |A| − |A∩C|), where Σ|c| is the
// sum over the contexts, so that text returned twice counts twice. Those by tokens are the same
// over the tokens of the document.
func Score(q Question, r Reply, texts map[Key]*Text) Values {
	if r.Refused {
		r.Contexts, r.Tokens = nil, min(r.Tokens, 0)
	}
	v := Values{Chars: float64(chars(r.Contexts))}
	if r.Tokens >= 0 {
		v[Tokens] = r.Tokens
	}
	if r.MS >= 0 {
		v[Latency] = r.MS
	}
	if q.Kind == KindUnanswerable {
		v[RefusedRightly] = flag(r.Refused)
		return v
	}
	v[RefusedWrongly] = flag(r.Refused)
	v.ranks(q, r.Contexts)
	switch q.Kind {
	case KindProcedure:
		v.overlap(q, r, texts)
		v.steps(q, r.Contexts)
		v[Found] = v[Complete]
	case KindSpan:
		v.overlap(q, r, texts)
		v.spans(q, r.Contexts)
	default:
		v[Found] = v[DocHit]
	}
	return v
}

func (t Target) key() Key    { return Key{t.DocID, t.Space} }
func (r Relevance) key() Key { return Key{r.DocID, r.Space} }
func (c Context) key() Key   { return Key{c.DocID, c.Space} }
func (c Context) span() rag.Span {
	return rag.Span{Start: c.Start, End: c.End}
}

func chars(contexts []Context) int {
	n := 0
	for _, c := range contexts {
		n += c.End - c.Start
	}
	return n
}

func flag(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// of gives the spans of the contexts in one document.
func of(contexts []Context, k Key) []rag.Span {
	var spans []rag.Span
	for _, c := range contexts {
		if c.key() == k {
			spans = append(spans, c.span())
		}
	}
	return spans
}

func (t Target) spans() []rag.Span {
	spans := make([]rag.Span, len(t.Spans))
	for i, s := range t.Spans {
		spans[i] = s.span()
	}
	return spans
}

// overlap adds recall, precision and IoU by characters and tokens, for the place
// of which most came back.
func (v Values) overlap(q Question, r Reply, texts map[Key]*Text) {
	best := -1.0
	for _, t := range q.Targets() {
		got, refs := of(r.Contexts, t.key()), t.spans()
		recall, precision, iou := ratios(got, refs, chars(r.Contexts))
		if recall <= best {
			continue
		}
		best = recall
		v[CharRecall], v[CharPrecision], v[CharIoU] = recall, precision, iou
		text := texts[t.key()]
		if text == nil || text.ends == nil || r.Tokens < 0 {
			continue
		}
		// The tokens of this document's contexts are counted where they stand in
		// it; those of the others are what is left of the sum.
		got, refs = tokenSpans(text, got), tokenSpans(text, refs)
		total := max(int(r.Tokens), length(got))
		v[TokenRecall], v[TokenPrecision], v[TokenIoU] = ratios(got, refs, total)
	}
}

func tokenSpans(t *Text, spans []rag.Span) []rag.Span {
	out := make([]rag.Span, len(spans))
	for i, s := range spans {
		out[i] = t.tokens(s)
	}
	return out
}

// ratios gives recall, precision and IoU of what was got of the references,
// where total is the size of all contexts, those of other documents included.
func ratios(got, refs []rag.Span, total int) (recall, precision, iou float64) {
	answer := union(refs)
	n := common(union(got), answer)
	unused := length(answer) - n
	return ratio(n, length(refs)), ratio(n, total), ratio(n, total+unused)
}

func ratio(n, of int) float64 {
	if of == 0 {
		return 0
	}
	return float64(n) / float64(of)
}

// spans adds what is said of answers that stand in spans: whole in one context.
func (v Values) spans(q Question, contexts []Context) {
	v[AnswerInContext], v[AnswerMRR] = 0, 0
	for _, t := range q.Targets() {
		whole, first := 0, 0
		for _, s := range t.Spans {
			at := holder(s.span(), t.key(), contexts)
			if at == 0 {
				continue
			}
			whole++
			if first == 0 || at < first {
				first = at
			}
		}
		share := ratio(whole, len(t.Spans))
		if q.Mode == SpanAny {
			share = flag(whole > 0)
		}
		v[Found] = max(v[Found], share)
		if first > 0 {
			v[AnswerInContext] = 1
			v[AnswerMRR] = max(v[AnswerMRR], 1/float64(first))
		}
	}
}

// holder is the number of the first context that holds the span whole, from 1;
// 0 when none does.
func holder(s rag.Span, k Key, contexts []Context) int {
	for i, c := range contexts {
		if c.key() == k && c.span().Contains(s) {
			return i + 1
		}
	}
	return 0
}
