package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// side is the words beside a gutter as lines.
type side struct {
	lines int
	words int
	full  int // lines that cover a good part of the column
	flow  int // lines that go on in the middle of a sentence
	dense int // lines in a script that sets no blanks
	marks int // lines that begin with a bullet or number
}

// judge says whether there is running text on both sides of a gutter, and not
// the cells of a table.
func (g *gutter) judge(ws []word, em float32) bool {
	var left, right []word
	for i := range ws {
		w := ws[i]
		mid := (w.top() + w.bottom()) / 2
		if mid < g.y0 || mid > g.y1 {
			continue
		}
		if w.x0+w.x1 < g.x0+g.x1 {
			left = append(left, w)
		} else {
			right = append(right, w)
		}
	}
	if len(left) == 0 || len(right) == 0 {
		return false
	}
	g.trim(left, right, em)
	left, right = g.within(left), g.within(right)
	g.left, g.right = measure(left), measure(right)
	return (g.left.runs() && g.right.runs() || g.left.listed() && g.right.listed()) && !inRows(left, right)
}

// within gives the words that stand beside the gutter.
func (g *gutter) within(ws []word) []word {
	return slices.DeleteFunc(slices.Clone(ws), func(w word) bool {
		mid := (w.top() + w.bottom()) / 2
		return mid < g.y0 || mid > g.y1
	})
}

// trim ends a gutter at a blank band of the page behind which no line begins
// at it any more: there other columns begin, which leave the same gap.
func (g *gutter) trim(left, right []word, em float32) {
	ls := lines(slices.Clone(right), 0)
	from, to := 0, len(ls)-1
	for from < to && ls[from].x0 > g.x1+2.5*em {
		from++
	}
	for to > from && ls[to].x0 > g.x1+2.5*em {
		to--
	}
	all := append(slices.Clone(left), right...)
	if from > 0 {
		if y, ok := band(all, ls[from-1].y0, ls[from].y0, em); ok {
			g.y0 = y
		}
	}
	if to < len(ls)-1 {
		if y, ok := band(all, ls[to].y1, ls[to+1].y1, em); ok {
			g.y1 = y
		}
	}
}

// band finds a height between two where no word stands.
func band(ws []word, y0, y1, em float32) (float32, bool) {
	slices.SortFunc(ws, func(a, b word) int { return cmp.Compare(a.top(), b.top()) })
	low := ws[0].top()
	for i := range ws {
		top := ws[i].top()
		if top-low > 0.9*em && top > y0 && low < y1 {
			return (low + top) / 2, true
		}
		low = max(low, ws[i].bottom())
	}
	return 0, false
}

// runs says that lines are full and go on from one to the next, as those of
// running text do and those of cells do not.
func (s side) runs() bool {
	if s.lines < gutterLines || s.full*2 < s.lines {
		return false
	}
	if s.dense*2 > s.lines {
		return true
	}
	return s.words*2 >= s.lines*5 && s.flow*4 >= s.lines || s.lines >= 12 && s.full*10 >= s.lines*9 && s.words >= s.lines*4
}

// listed says that the lines are the items of a list.
func (s side) listed() bool {
	return s.lines >= gutterLines && (s.marks+s.flow)*10 >= s.lines*7 && s.marks > 1
}

func measure(ws []word) side {
	var s side
	if len(ws) == 0 {
		return s
	}
	all := lines(slices.Clone(ws), 0)
	area := all[0].box
	for i := range all {
		area.add(all[i].box)
	}
	// Columns inside (two gutters side by side) are as wide as the gaps let
	// them be: a line counts as full by its letters then, not by its ends.
	for i := range all {
		l := &all[i]
		if l.table() != nil {
			continue
		}
		s.lines++
		s.words += len(l.words)
		covered := float32(0)
		for j := range l.words {
			covered += l.words[j].x1 - l.words[j].x0
		}
		if covered >= 0.4*area.width() {
			s.full++
		}
		first := l.words[0].text
		if marks(first) {
			s.marks++
			continue
		}
		r, _ := utf8.DecodeRuneInString(first)
		if unicode.IsLower(r) || strings.HasSuffix(l.words[len(l.words)-1].text, "-") {
			s.flow++
		}
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai, unicode.Arabic, unicode.Hebrew) {
			s.dense++
		}
	}
	return s
}
