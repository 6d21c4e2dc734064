package evaluate

import (
	"cmp"
	"math"
	"slices"
)

// item is one thing that is to be found: an answer span, or a document.
type item struct {
	gain  float64
	touch func(Context) bool
}

// ranks adds the measures that look at the order of passages. Relevant is a
// passage that overlaps an answer span, or stands in a relevant document when
// the question has no spans. Of several places the best counts.
//
// hit@k, recall@k and the reciprocal rank are as in Manning, Raghavan and
// Schütze, "Introduction to Information Retrieval" (2008), chapter 8; nDCG is
// that of Järvelin and Kekäläinen, "Cumulated gain-based evaluation of IR
// techniques" (2002), with the gain 2^grade − 1 of Burges et al. (2005). A
// passage gains only what no passage before it had: the same span twice is worth
// nothing more. The ideal order is that of the gains at hand from high to low,
// followed by one passage for each item that was not found.
func (v Values) ranks(q Question, contexts []Context) {
	passages := byRank(contexts)
	v[MRR], v[NDCG10] = 0, 0
	for _, items := range q.items() {
		gains, found := follow(items, passages)
		if first := slices.IndexFunc(found, func(n int) bool { return n > 0 }) + 1; first > 0 {
			v[MRR] = max(v[MRR], 1/float64(first))
		}
		for _, c := range cutoffs {
			n := sum(found[:min(c.k, len(found))])
			v[c.hit] = max(v[c.hit], flag(n > 0))
			v[c.recall] = max(v[c.recall], ratio(n, len(items)))
		}
		v[NDCG10] = max(v[NDCG10], ndcg(gains, missed(items, passages), 10))
	}
	v[DocHit] = flag(slices.ContainsFunc(contexts, func(c Context) bool { return q.expects(c.key()) }))
}

// cutoffs are the numbers of passages after which is counted.
var cutoffs = []struct {
	k           int
	hit, recall Measure
}{
	{1, Hit1, Recall1}, {3, Hit3, Recall3}, {5, Hit5, Recall5}, {10, Hit10, Recall10},
}

func sum(list []int) int {
	n := 0
	for _, v := range list {
		n += v
	}
	return n
}

// byRank groups contexts into passages. Contexts without a rank are one each.
func byRank(contexts []Context) [][]Context {
	var passages [][]Context
	for i, c := range contexts {
		if i > 0 && c.Rank > 0 && c.Rank == contexts[i-1].Rank {
			passages[len(passages)-1] = append(passages[len(passages)-1], c)
			continue
		}
		passages = append(passages, []Context{c})
	}
	return passages
}

// items lists what is to be found, for each place that answers the question.
func (q Question) items() [][]item {
	if q.Kind == KindDocument {
		return [][]item{q.documents()}
	}
	var places [][]item
	for _, t := range q.Targets() {
		key := t.key()
		var list []item
		for _, s := range t.Spans {
			span := s.span()
			list = append(list, item{1, func(c Context) bool { return c.key() == key && c.span().Overlaps(span) }})
		}
		if q.Mode == SpanAny { // one of them is all that is needed
			all := list
			list = []item{{1, func(c Context) bool {
				return slices.ContainsFunc(all, func(i item) bool { return i.touch(c) })
			}}}
		}
		places = append(places, list)
	}
	return places
}

// documents lists the graded documents, or the expected one: any of several.
func (q Question) documents() []item {
	var list []item
	for _, r := range q.Relevant {
		if r.Grade >= q.relevantFrom() {
			list = append(list, item{math.Exp2(float64(r.Grade)) - 1, func(c Context) bool { return c.key() == r.key() }})
		}
	}
	if len(q.Relevant) == 0 {
		list = append(list, item{1, func(c Context) bool { return q.expects(c.key()) }})
	}
	return list
}

func (q Question) relevantFrom() int { return max(q.RelevantFrom, 1) }

// expects says that the document is one that answers the question.
func (q Question) expects(k Key) bool {
	return slices.ContainsFunc(q.Targets(), func(t Target) bool { return t.key() == k }) ||
		slices.ContainsFunc(q.Relevant, func(r Relevance) bool { return r.key() == k && r.Grade >= q.relevantFrom() })
}

// follow gives for each passage its gain and the number of items that it is the
// first to touch.
func follow(items []item, passages [][]Context) (gains []float64, found []int) {
	seen := make([]bool, len(items))
	for _, p := range passages {
		gain, n := 0.0, 0
		for i, it := range items {
			if !seen[i] && slices.ContainsFunc(p, it.touch) {
				seen[i] = true
				gain += it.gain
				n++
			}
		}
		gains, found = append(gains, gain), append(found, n)
	}
	return gains, found
}

// missed gives the gains of the items that no passage touches.
func missed(items []item, passages [][]Context) []float64 {
	var gains []float64
	for _, it := range items {
		if !slices.ContainsFunc(passages, func(p []Context) bool { return slices.ContainsFunc(p, it.touch) }) {
			gains = append(gains, it.gain)
		}
	}
	return gains
}

func ndcg(gains, missing []float64, k int) float64 {
	ideal := slices.Concat(gains, missing)
	slices.SortFunc(ideal, func(a, b float64) int { return cmp.Compare(b, a) })
	if best := dcg(ideal, k); best > 0 {
		return dcg(gains, k) / best
	}
	return 0
}

func dcg(gains []float64, k int) float64 {
	var total float64
	for i, g := range gains[:min(k, len(gains))] {
		total += g / math.Log2(float64(i+2)) // the first passage is divided by 1
	}
	return total
}
