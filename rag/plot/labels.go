package plot

import (
	"slices"
	"unicode/utf8"
)

const (
	labelHeight = 13.0
	longLabel   = 16 // letters of a label beside a mark; the rest is in its detail
	mostLabels  = 60 // points with labels; more would be a black area
)

// box is a place that is taken.
type box struct{ x0, y0, x1, y1 float64 }

func (b box) meets(o box) bool { return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1 }

// labels writes the labels of the points where they hide no mark and no other
// label. Strong ones choose first. A label that fits nowhere is left out: it is
// still shown when its mark is pointed at.
func labels(w *writer, f frame, series []Series) {
	type label struct {
		x, y   float64
		text   string
		strong bool
	}
	var wanted []label
	var taken []box
	for _, s := range series {
		for _, p := range s.Points {
			x, y := f.at(p)
			taken = append(taken, box{x - 5, y - 5, x + 5, y + 5})
			if p.Label != "" {
				wanted = append(wanted, label{x, y, cut(p.Label, longLabel), p.Strong})
			}
		}
	}
	slices.SortStableFunc(wanted, func(a, b label) int { return rank(b.strong) - rank(a.strong) })
	for _, l := range wanted[:min(len(wanted), mostLabels)] {
		long := float64(utf8.RuneCountInString(l.text)) * letter
		for _, place := range []struct {
			dx, dy float64
			anchor string
		}{{9, -6, "start"}, {9, 15, "start"}, {-9, -6, "end"}, {-9, 15, "end"}, {11, 4, "start"}, {-11, 4, "end"}} {
			x, y := l.x+place.dx, l.y+place.dy
			b := box{x, y - labelHeight + 3, x + long, y + 3}
			if place.anchor == "end" {
				b.x0, b.x1 = x-long, x
			}
			b.x0, b.x1 = b.x0-2, b.x1+2
			if b.x0 < f.x0 || b.x1 > width || b.y0 < 0 || b.y1 > f.yBase || slices.ContainsFunc(taken, b.meets) {
				continue
			}
			taken = append(taken, b)
			style := "plot-point"
			if l.strong {
				style += " plot-strong"
			}
			w.text(style, place.anchor, x, y, l.text)
			break
		}
	}
}

func rank(strong bool) int {
	if strong {
		return 1
	}
	return 0
}

// entry is one series in the legend, below the chart.
type entry struct {
	series int
	name   string
	x, y   float64
}

// layOut puts the names of the series into rows. One series alone without a
// name needs none.
func layOut(series []Series) (entries []entry, rows int) {
	x := left
	for i, s := range series {
		if s.Name == "" {
			continue
		}
		shown := cut(s.Name, 40)
		wide := 24 + float64(utf8.RuneCountInString(shown))*letter
		if rows == 0 || x+wide > width-right && x > left {
			rows, x = rows+1, left
		}
		entries = append(entries, entry{i, shown, x + 6, float64(rows)*legendRow - 8})
		x += wide + 8
	}
	return entries, rows
}
