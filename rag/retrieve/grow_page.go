package retrieve

import (
	"sort"
	"strings"

	"passage/rag"
)

// page is a version opened for growing. What costs is done once for all its
// hits: its sentence units are found once, and the tokens and words of each are
// counted once, when they are first asked for.
type page struct {
	reading *rag.Reading
	tokens  Counter
	query   *query
	units   []rag.Unit // of the sentence set
	counts  []int32    // tokens of each cell, plus one; 0 when not counted yet
	shares  []float32  // of the question in each unit, plus one; 0 when not looked up yet
}

func newPage(reading *rag.Reading, tokens Counter, q *query) *page {
	units := reading.Outline.UnitsOf(rag.SentenceSet)
	return &page{reading: reading, tokens: tokens, query: q, units: units, counts: make([]int32, len(units)), shares: make([]float32, len(units))}
}

// within gives the range of the units that have a byte in the span.
func (p *page) within(s rag.Span) (lo, hi int) {
	lo = sort.Search(len(p.units), func(i int) bool { return p.units[i].Span.End > s.Start })
	hi = lo + sort.Search(len(p.units)-lo, func(i int) bool { return p.units[lo+i].Span.Start >= s.End })
	return lo, hi
}

// cell is a unit with the white space that its tokenizer takes with it: a blank
// belongs to the word after it, a line break to the line before it. Tokens of
// cells add up to those of the text, but for a few.
func (p *page) cell(i int) rag.Span {
	return rag.Span{Start: p.border(i), End: p.border(i + 1)}
}

// border is where the cell of a unit begins.
func (p *page) border(i int) int {
	if i == 0 {
		return 0
	}
	if i == len(p.units) {
		return len(p.reading.Text)
	}
	between := rag.Span{Start: p.units[i-1].Span.End, End: p.units[i].Span.Start}
	if strings.HasPrefix(between.In(p.reading.Text), " ") {
		return between.Start
	}
	return between.End
}

// cellTokens counts the tokens of a cell, once.
func (p *page) cellTokens(i int) int {
	if p.counts[i] == 0 {
		p.counts[i] = int32(p.tokens.Count(p.cell(i).In(p.reading.Text))) + 1
	}
	return int(p.counts[i]) - 1
}

// share is how much of what the question's words tell stands in a unit, see
// query.share. It is looked up once.
func (p *page) share(i int) float64 {
	if p.shares[i] == 0 {
		p.shares[i] = float32(p.query.share(p.units[i].Span.In(p.reading.Text))) + 1
	}
	return float64(p.shares[i] - 1)
}

// count gives the tokens of a span: of a short one exactly, of a longer one as
// the sum of its cells.
func (p *page) count(s rag.Span) int {
	lo, hi := p.within(s)
	if hi-lo < countedWhole {
		return p.tokens.Count(s.In(p.reading.Text))
	}
	first, last := p.border(lo+1), p.border(hi-1)
	n := p.tokens.Count(p.reading.Text[s.Start:first]) + p.tokens.Count(p.reading.Text[last:s.End])
	for i := lo + 1; i < hi-1; i++ {
		n += p.cellTokens(i)
	}
	return n
}

// countedWhole is the number of units from which their counts are added up.
const countedWhole = 8

// exact gives the tokens of spans as a model reads them.
func (p *page) exact(pieces []rag.Span) int {
	n := 0
	for _, s := range pieces {
		n += p.tokens.Count(s.In(p.reading.Text))
	}
	return n
}

// procedures gives those that have a byte in the span.
func (p *page) procedures(s rag.Span) []rag.Procedure {
	all := p.reading.Outline.Procedures
	lo := sort.Search(len(all), func(i int) bool { return all[i].Span.End > s.Start })
	hi := lo
	for hi < len(all) && all[hi].Span.Start < s.End {
		hi++
	}
	return all[lo:hi:hi]
}

// sectionAt finds the section that holds the byte. Sections tile the text, so
// there is one unless the outline was lost.
func (p *page) sectionAt(at int) (rag.Section, bool) {
	sections := p.reading.Outline.Sections
	if len(sections) == 0 {
		return rag.Section{}, false
	}
	i := sort.Search(len(sections), func(i int) bool { return sections[i].Span.End > at })
	return sections[min(i, len(sections)-1)], true
}

// indent moves an offset back over blanks to the start of its line, if nothing
// else stands between, but not before from.
func (p *page) indent(at, from int) int {
	i := at
	for i > from && (p.reading.Text[i-1] == ' ' || p.reading.Text[i-1] == '\t') {
		i--
	}
	if i == 0 || p.reading.Text[i-1] == '\n' {
		return i
	}
	return at
}

// trim leaves out white space at both ends, but keeps the indentation of the
// first line, which Markdown needs.
func (p *page) trim(s rag.Span) rag.Span {
	body := s.In(p.reading.Text)
	end := s.Start + len(strings.TrimRight(body, " \t\n"))
	if end == s.Start {
		return s
	}
	start := s.Start + len(body) - len(strings.TrimLeft(body, " \t\n"))
	if nl := strings.LastIndexByte(p.reading.Text[s.Start:start], '\n'); nl >= 0 {
		start = s.Start + nl + 1
	} else {
		start = s.Start
	}
	return rag.Span{Start: start, End: end}
}

// contains says that every byte of inner that is not white space at its ends
// lies in outer.
func contains(outer, inner rag.Span, text string) bool {
	body := inner.In(text)
	inner.Start += len(body) - len(strings.TrimLeft(body, " \t\n"))
	inner.End -= len(body) - len(strings.TrimRight(body, " \t\n"))
	return outer.Contains(inner) || inner.Empty()
}
