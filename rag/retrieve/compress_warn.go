package retrieve

import (
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/split"
)

// whyWarnings is added to why something was left out.
const whyWarnings = "; there was no room for all its warnings"

// longestWarning is the bytes up to which what follows the words that warn is
// taken for a part of the warning.
const longestWarning = 1_500

// warnings are the units of a candidate that warn. Where anything of a section
// is kept they are kept too: an instruction without its warning is worse than
// none.
type warnings struct {
	lo   int           // first unit of the candidate
	is   []bool        // of unit lo+i
	of   map[int][]int // section → its units that warn
	main map[int]bool  // those that say so themselves or stand beside a procedure as such; others follow one
}

func (w *warnings) at(u int) bool { return u >= w.lo && u-w.lo < len(w.is) && w.is[u-w.lo] }

func (w *warnings) add(c *candidate, u int) {
	if u < w.lo || u-w.lo >= len(w.is) || w.is[u-w.lo] {
		return
	}
	w.is[u-w.lo] = true
	w.of[c.units[u].Section] = append(w.of[c.units[u].Section], u)
}

// warnings finds the units that warn: the warnings and preconditions of the
// outline, and what begins as a warning does: a quote or note whole, a paragraph
// whole, with the list it leads to, and a sentence in the middle of one.
func (c *candidate) warnings() *warnings {
	lo, hi := c.within(c.span)
	w := &warnings{lo: lo, is: make([]bool, hi-lo), of: map[int][]int{}, main: map[int]bool{}}
	for i := range c.reading.Outline.Procedures {
		for _, s := range c.reading.Outline.Procedures[i].Around {
			if (s.Kind == rag.Warning || s.Kind == rag.Precondition) && s.Span.Overlaps(c.span) {
				for from, to := c.within(overlap(s.Span, c.span)); from < to; from++ {
					if c.units[from].Kind != rag.UnitHeading {
						w.add(c, from)
						w.main[from] = s.Kind == rag.Warning
					}
				}
			}
		}
	}
	for u := lo; u < hi; u++ {
		if end := c.warningFrom(u, hi); end > u {
			w.main[u] = true
			for k := u; k < end; k++ {
				w.add(c, k)
			}
		}
	}
	for _, units := range w.of {
		slices.Sort(units)
	}
	return w
}

// warningFrom gives the end of the warning that begins with a unit, the unit
// itself when none does.
func (c *candidate) warningFrom(u, hi int) int {
	unit := c.units[u]
	if unit.Kind == rag.UnitHeading || unit.Kind == rag.UnitCode {
		return u
	}
	at := c.marker(u)
	opening := rag.Span{Start: at, End: unit.Span.Start}.In(c.reading.Text)
	opens := u == 0 || c.units[u-1].Paragraph != unit.Paragraph
	if !split.Warns(unit.Span.In(c.reading.Text)) && (!opens || !split.Warns(opening)) {
		return u
	}
	end := u + 1
	for end < hi && c.units[end].Span.End-at <= longestWarning && (ofOne(c.units[end-1], c.units[end]) || opens && c.units[end].Paragraph == unit.Paragraph || c.sameNote(opening, end)) {
		end++
	}
	last := c.units[end-1].Span.In(c.reading.Text)
	if strings.HasSuffix(strings.TrimRight(last, "*_ \n"), ":") {
		for end < hi && c.units[end].Span.End-at <= longestWarning && c.units[end].Kind == rag.UnitItem && c.units[end].Section == unit.Section && (c.units[end].Step < 0 || unit.Step >= 0) {
			end++
		}
	}
	return end
}

// sameNote says that the quote or note that opens in such a way goes on with a
// unit.
func (c *candidate) sameNote(opening string, u int) bool {
	between := rag.Span{Start: c.units[u-1].Span.End, End: c.units[u].Span.Start}.In(c.reading.Text)
	switch mark := strings.TrimLeft(opening, " \t"); {
	case strings.HasPrefix(mark, ">"):
		_, lines, more := strings.Cut(between, "\n")
		for line := range strings.Lines(lines) {
			if !strings.HasPrefix(strings.TrimLeft(line, " \t"), ">") {
				return false
			}
		}
		return !more || lines != ""
	case strings.HasPrefix(mark, ":::"):
		return !strings.Contains(between, ":::")
	case strings.HasPrefix(mark, "!!!"), strings.HasPrefix(mark, "???"):
		line := between[strings.LastIndexByte(between, '\n')+1:]
		return !strings.Contains(between, "\n") || len(line) >= len(opening)-len(mark)+4 && strings.TrimSpace(line) == ""
	default:
		return false
	}
}

// marker is where the marks of the quote or note begin that a unit opens, from
// the start of their line: the start of the unit when there are none.
func (c *candidate) marker(u int) int {
	start, from := c.units[u].Span.Start, 0
	if u > 0 {
		from = c.units[u-1].Span.End
	}
	between := c.reading.Text[from:start]
	at := from
	for line := range strings.Lines(between) {
		mark := strings.TrimLeft(line, " \t")
		isFirst := at == from && from > 0
		if !isFirst && (strings.HasPrefix(mark, ">") || strings.HasPrefix(mark, "!!!") || strings.HasPrefix(mark, "???") || strings.HasPrefix(mark, ":::") && strings.Trim(mark, ": \t\r\n") != "") {
			return at
		}
		at += len(line)
	}
	return start
}

// lost are the warnings of a candidate that what is kept of it leaves out, of
// sections of which it keeps something.
func (c *candidate) lost(kept *candidate) []rag.Span {
	w := c.warnings()
	some := map[int]bool{}
	for _, piece := range kept.pieces() {
		for from, to := c.within(piece); from < to; from++ {
			some[c.units[from].Section] = true
		}
	}
	var lost []rag.Span
	for i, is := range w.is {
		u := c.units[w.lo+i]
		if s := overlap(u.Span, c.span); is && some[u.Section] && !kept.holds(s) {
			lost = append(lost, s)
		}
	}
	return lost
}

// byWeight puts warnings in the order in which they are kept when there is not
// room for all: those that are nearest to the best hit first, and what only
// follows the words that warn last.
func (p *press) byWeight(units []int) {
	best := p.atoms[p.best].lo
	slices.SortStableFunc(units, func(a, b int) int {
		if p.warn.main[a] != p.warn.main[b] {
			if p.warn.main[a] {
				return -1
			}
			return 1
		}
		return max(a-best, best-a) - max(b-best, best-b)
	})
}
