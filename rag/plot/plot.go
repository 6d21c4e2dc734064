// Package plot draws measurements as SVG: points with error bars, joined into
// one line for each series. A chart is a pure function of its figures, so the
// same figures give the same bytes.
//
// A chart is meant to stand inside a page. It carries classes and no colours,
// fonts or style attributes: the page's style sheet gives it its look by day and
// by night, and a content security policy without inline styles lets it pass.
// Series differ by the shape of their marks as well as by their class, so that
// colour is never needed to tell them apart.
//
// For screen readers a chart is one picture with a title and a description; the
// figures themselves belong into a table beside it.
package plot

import (
	"encoding/xml"
	"math"
	"strconv"
	"strings"
)

// Chart is a drawing of series over two axes.
type Chart struct {
	ID     string // begins the ids inside the drawing; has to be unique in the page
	Title  string
	Desc   string // what can be seen, in a sentence or two, for who cannot see it
	X, Y   Axis
	Series []Series
}

// Axis is one axis.
type Axis struct {
	Label string
	Log   bool // logarithmic when every value is above 0 and they span enough; else it is linear
	// Least and Most bound what the axis may show, as 0 and 1 do for fractions.
	// Both 0: no bounds.
	Least, Most float64
	Zero        bool // a linear axis begins at 0 when no value is below
}

// Series is a row of points, drawn in their order.
type Series struct {
	Name   string
	Points []Point
	Apart  bool // the points are not joined by a line
}

// Point is one measurement. A point whose X or Y is not a number up to 1e18 is
// left out; Low and High are the ends of its error bar, which is left out when they
// are equal, not finite or in the wrong order.
type Point struct {
	X, Y      float64
	Low, High float64
	Label     string // beside the mark: "k=3"
	Detail    string // shown when the mark is pointed at; Label when empty
	Strong    bool   // is set off, as the one that is advised
}

// The drawing's own units, which the page scales as it likes.
const (
	width     = 600.0
	height    = 400.0
	left      = 58.0
	right     = 24.0
	top       = 14.0
	bottom    = 48.0
	legendRow = 22.0
	letter    = 7.0 // about the width of a letter
	shapes    = 8   // classes of series, after which they begin again
)

// frame is the area that points are drawn in.
type frame struct {
	x, y                scale
	x0, x1, yTop, yBase float64
}

func (f frame) at(p Point) (x, y float64) {
	return f.x.to(p.X, f.x0, f.x1), f.y.to(p.Y, f.yBase, f.yTop)
}

// SVG draws the chart. Without a single point it shows the axes and says that
// there is nothing to show.
func (c Chart) SVG() string {
	series := c.finite()
	f := frame{x0: left, x1: width - right, yTop: top, yBase: height - bottom}
	f.x, f.y = c.X.scale(values(series, false)), c.Y.scale(values(series, true))
	legend, rows := layOut(series)
	total := height + float64(rows)*legendRow

	w := &writer{}
	id := name(c.ID)
	w.raw(`<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 ` + num(width) + ` ` + num(total) + `" role="img" aria-labelledby="` + id + `-title ` + id + `-desc">`)
	w.element("title", `id="`+id+`-title"`, c.Title)
	w.element("desc", `id="`+id+`-desc"`, c.Desc)
	c.axes(w, f)
	for i, s := range series {
		w.raw(`<g class="` + class(i) + `">`)
		s.line(w, f)
		for _, p := range s.Points {
			p.draw(w, f, i)
		}
		w.raw(`</g>`)
	}
	labels(w, f, series)
	if len(values(series, true)) == 0 {
		w.text("plot-empty", "middle", (f.x0+f.x1)/2, (f.yTop+f.yBase)/2, "There is nothing to show.")
	}
	for _, e := range legend {
		w.raw(`<g class="` + class(e.series) + `">`)
		w.mark(e.x, height+e.y-4, e.series, "")
		w.text("plot-legend", "start", e.x+11, height+e.y, e.name)
		w.raw(`</g>`)
	}
	w.raw(`</svg>`)
	return w.String()
}

// finite gives the series with what can be drawn of them.
func (c Chart) finite() []Series {
	out := make([]Series, 0, len(c.Series))
	for _, s := range c.Series {
		kept := Series{Name: s.Name, Apart: s.Apart}
		for _, p := range s.Points {
			if !isFinite(p.X) || !isFinite(p.Y) {
				continue
			}
			if !p.hasBar() {
				p.Low, p.High = p.Y, p.Y
			}
			kept.Points = append(kept.Points, p)
		}
		out = append(out, kept)
	}
	return out
}

func (p Point) hasBar() bool { return isFinite(p.Low) && isFinite(p.High) && p.Low < p.High }

// isFinite says that a value can be drawn; what lies beyond any measurement
// would only press the rest into a line.
func isFinite(v float64) bool { return math.Abs(v) <= 1e18 } // false for NaN

// values are all that an axis has to show.
func values(series []Series, vertical bool) []float64 {
	var all []float64
	for _, s := range series {
		for _, p := range s.Points {
			if vertical {
				all = append(all, p.Y, p.Low, p.High)
			} else {
				all = append(all, p.X)
			}
		}
	}
	return all
}

func (c Chart) axes(w *writer, f frame) {
	w.raw(`<g class="plot-axes">`)
	for _, v := range f.y.ticks {
		y := f.y.to(v, f.yBase, f.yTop)
		w.line("plot-grid", f.x0, y, f.x1, y)
		w.text("plot-tick", "end", f.x0-8, y+4, f.y.format(v))
	}
	for _, v := range f.x.ticks {
		x := f.x.to(v, f.x0, f.x1)
		w.line("plot-grid", x, f.yTop, x, f.yBase)
		w.text("plot-tick", "middle", x, f.yBase+18, f.x.format(v))
	}
	w.line("plot-axis", f.x0, f.yBase, f.x1, f.yBase)
	w.line("plot-axis", f.x0, f.yTop, f.x0, f.yBase)
	w.text("plot-label", "middle", (f.x0+f.x1)/2, height-8, cut(c.X.Label, 70))
	w.raw(`<text class="plot-label" text-anchor="middle" transform="translate(14 ` + num((f.yTop+f.yBase)/2) + `) rotate(-90)">`)
	w.escaped(cut(c.Y.Label, 46))
	w.raw(`</text></g>`)
}

func (s Series) line(w *writer, f frame) {
	if s.Apart || len(s.Points) < 2 {
		return
	}
	w.raw(`<polyline class="plot-line" points="`)
	for i, p := range s.Points {
		if i > 0 {
			w.raw(" ")
		}
		x, y := f.at(p)
		w.raw(num(x) + "," + num(y))
	}
	w.raw(`"/>`)
}

func (p Point) draw(w *writer, f frame, series int) {
	x, y := f.at(p)
	if p.hasBar() {
		low, high := f.y.to(p.Low, f.yBase, f.yTop), f.y.to(p.High, f.yBase, f.yTop)
		w.line("plot-bar", x, low, x, high)
		w.line("plot-bar", x-3, low, x+3, low)
		w.line("plot-bar", x-3, high, x+3, high)
	}
	if p.Strong {
		w.raw(`<circle class="plot-ring" cx="` + num(x) + `" cy="` + num(y) + `" r="9"/>`)
	}
	detail := p.Detail
	if detail == "" {
		detail = p.Label
	}
	w.mark(x, y, series, detail)
}

// class is the class of a series.
func class(i int) string { return "plot-series plot-s" + strconv.Itoa(i%shapes) }

// name keeps of an id what may stand in one everywhere.
func name(id string) string {
	id = strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, id)
	if id == "" {
		return "plot"
	}
	return id
}

// cut shortens a text to that many letters.
func cut(s string, most int) string {
	r := []rune(s)
	if len(r) <= most {
		return s
	}
	return string(r[:most-1]) + "…"
}

func num(v float64) string { return strconv.FormatFloat(math.Round(v*10)/10+0, 'f', -1, 64) }

// writer puts the elements of a drawing together; every text goes through escaped.
type writer struct{ strings.Builder }

func (w *writer) raw(s string) { _, _ = w.WriteString(s) } // a builder takes every write

// escaped writes a text; what may not stand in XML at all becomes U+FFFD.
func (w *writer) escaped(s string) {
	_ = xml.EscapeText(&w.Builder, []byte(s)) // a builder takes every write
}

func (w *writer) element(tag, attributes, text string) {
	w.raw("<" + tag + " " + attributes + ">")
	w.escaped(text)
	w.raw("</" + tag + ">")
}

func (w *writer) text(class, anchor string, x, y float64, s string) {
	w.raw(`<text class="` + class + `" text-anchor="` + anchor + `" x="` + num(x) + `" y="` + num(y) + `">`)
	w.escaped(s)
	w.raw("</text>")
}

func (w *writer) line(class string, x1, y1, x2, y2 float64) {
	w.raw(`<line class="` + class + `" x1="` + num(x1) + `" y1="` + num(y1) + `" x2="` + num(x2) + `" y2="` + num(y2) + `"/>`)
}

// mark draws the mark of a series at a place.
func (w *writer) mark(x, y float64, series int, detail string) {
	w.raw(`<path class="plot-mark" transform="translate(` + num(x) + ` ` + num(y) + `)" d="` + marks[series%shapes] + `">`)
	if detail != "" {
		w.raw("<title>")
		w.escaped(detail)
		w.raw("</title>")
	}
	w.raw("</path>")
}

// marks are the shapes of the series, around 0,0: a disc, a square, a triangle,
// a diamond, a triangle upside down, a plus, an hourglass, a flat bar.
var marks = [shapes]string{
	"M-5,0a5,5 0 1 0 10,0a5,5 0 1 0 -10,0z",
	"M-4.5,-4.5h9v9h-9z",
	"M0,-5.5L5.5,4.5h-11z",
	"M0,-6L6,0L0,6L-6,0z",
	"M0,5.5L5.5,-4.5h-11z",
	"M-1.8,-5.5h3.6v3.7h3.7v3.6h-3.7v3.7h-3.6v-3.7h-3.7v-3.6h3.7z",
	"M-5,-5h10l-10,10h10z",
	"M-6,-2.5h12v5h-12z",
}
