package retrieve

import "unicode/utf8"

// passageOverhead is the tokens that the number, title and heading path of a
// passage take in the prompt, about.
const passageOverhead = 32

// Why something was left out, for the trace.
const (
	whyCap    = "its section is over the cap: sentences far from the question were left out"
	whyBudget = "it is too long for the budget: sentences far from the question were left out"
	whyFull   = "the budget is used up"
	whyMany   = "there are enough better passages"
)

// cost is what a passage takes of a budget: tokens with those of its head and
// its gaps' marks, and code points of its text.
type cost struct{ tokens, chars int }

func (a cost) plus(b cost) cost { return cost{a.tokens + b.tokens, a.chars + b.chars} }

// fits says that a cost is within the most of both; a most below 0 is no limit.
func (a cost) fits(most cost) bool {
	return (most.tokens < 0 || a.tokens <= most.tokens) && (most.chars < 0 || a.chars <= most.chars)
}

// less takes a cost off a limit; what is no limit stays none.
func (a cost) less(b cost) cost {
	if a.tokens >= 0 {
		a.tokens = max(0, a.tokens-b.tokens)
	}
	if a.chars >= 0 {
		a.chars = max(0, a.chars-b.chars)
	}
	return a
}

// half is half of each limit.
func (a cost) half() cost {
	if a.tokens > 0 {
		a.tokens /= 2
	}
	if a.chars > 0 {
		a.chars /= 2
	}
	return a
}

// atLeast is the larger of two limits, each by itself.
func (a cost) atLeast(b cost) cost {
	return cost{max(a.tokens, b.tokens), max(a.chars, b.chars)}
}

// cost counts the candidate, once.
func (c *candidate) cost() cost {
	if c.counted == nil {
		pieces := c.pieces()
		n := cost{tokens: c.exact(pieces) + c.overhead()}
		for _, s := range pieces {
			n.chars += runes(s.In(c.reading.Text))
		}
		c.counted = &n
	}
	return *c.counted
}

// overhead is the tokens of a passage that are not its text.
func (c *candidate) overhead() int { return passageOverhead + gapTokens*len(c.gaps) }

func runes(s string) int { return utf8.RuneCountInString(s) }

// fit keeps the passages, best first, that fit the budget.
//
// A passage whose parent is over its cap is compressed to the cap first. One that
// fits is kept whole, unless that would leave those after it without room for
// even their best hits. One that does not fit is compressed: it gets what those
// after it leave over, and at least half of what is left, so that a long passage
// does not push the others out; a procedure in it is kept whole when that fits
// into all that is left. A passage of which not even the best hit fits is left
// out, and those after it are still tried: a short answer of lower rank is
// better than nothing. The trace says all that was left out.
func (r *Retriever) fit(req Request, all []*candidate, trace *Trace) []*candidate {
	left := cost{tokens: -1, chars: -1}
	if req.BudgetTokens > 0 {
		left.tokens = req.BudgetTokens
	}
	if req.BudgetChars > 0 {
		left.chars = req.BudgetChars
	}
	for i, c := range all {
		all[i] = c.capped(trace)
	}
	var kept []*candidate
	for i, c := range all {
		small := c.fitted(left, all[i+1:])
		if small == nil {
			trace.cut(c, nil, whyFull)
			continue
		}
		if small != c {
			trace.cut(c, small, whyBudget)
		}
		left = left.less(small.cost())
		kept = append(kept, small)
	}
	return kept
}

// capped compresses a candidate to the cap of its strategy. A procedure in it
// may take it over.
func (c *candidate) capped(trace *Trace) *candidate {
	if c.limit == 0 || c.count(c.span) <= c.limit {
		return c
	}
	small := c.compress(cost{-1, -1}, cost{c.limit + passageOverhead, -1})
	if small == nil || len(small.gaps) == 0 && small.span == c.span {
		return c
	}
	trace.cut(c, small, whyCap)
	return small
}

// fitted is the candidate as it fits into what is left, nil when nothing of it
// does.
func (c *candidate) fitted(left cost, after []*candidate) *candidate {
	if left.tokens < 0 && left.chars < 0 {
		return c
	}
	var all, least cost
	for _, o := range after {
		all, least = all.plus(o.cost()), least.plus(o.least())
	}
	reserved := left.less(least).atLeast(left.half())
	switch {
	case c.cost().fits(reserved):
		return c
	case c.cost().fits(left):
		return c.shrunk(left, reserved)
	case len(after) == 0:
		return c.shrunk(left, left)
	default:
		return c.shrunk(left, left.less(all).atLeast(left.half()))
	}
}

// shrunk compresses a candidate, and not to more than the cap it had before.
func (c *candidate) shrunk(hard, soft cost) *candidate {
	if c.limit > 0 && (soft.tokens < 0 || soft.tokens > c.limit+passageOverhead) {
		soft.tokens = c.limit + passageOverhead
	}
	small := c.compress(hard, soft)
	if small == nil || !small.cost().fits(hard) {
		return nil
	}
	return small
}

// least is what the candidate costs when nothing but its best hit is kept.
func (c *candidate) least() cost {
	s := overlap(c.hits[0].Span, c.span)
	return cost{tokens: c.tokens.Count(s.In(c.reading.Text)) + passageOverhead, chars: runes(s.In(c.reading.Text))}
}
