package retrieve

import "slices"

// keepShare is the share of the best passage's score below which another one is
// far behind and left out. On the development sets that costs no answer (long
// articles: the same share of answers in 4,000 characters instead of 5,000; 74
// procedures: in 6,900 instead of 7,700; chroma with windows of one sentence:
// recall .872 for .876 at an IoU of .067 for .052); .7 begins to cost some.
const keepShare = 0.6

const whyFar = "far behind the best passage"

// withoutFar leaves out the passages that are far behind the best: the reader
// and the model are better off without them. Scores of one leg, of ranks and of
// a reranker cannot be compared so, and what was read before stays.
func (r *Retriever) withoutFar(req Request, all []*candidate, trace *Trace) []*candidate {
	if len(all) == 0 || req.Legs != Hybrid || trace.Evidence == nil || r.reranks(req) {
		return all
	}
	best := 0.0
	for _, c := range all {
		best = max(best, c.score)
	}
	return slices.DeleteFunc(all, func(c *candidate) bool {
		far := c.score < r.keep*best && !c.earlier
		if far {
			trace.cut(c, nil, whyFar)
		}
		return far
	})
}
