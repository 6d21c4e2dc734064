package pdf

import (
	"cmp"
	"slices"
)

// Columns are found by their gutters: a strip without words that runs down
// between text on both sides. What stands above and below a gutter (a title,
// an abstract) is read before and after the columns, and each part may be
// divided again.

const (
	maxDivisions = 8   // of a part of a page, one inside the other
	gutterWidth  = 0.8 // ems at least
	gutterLines  = 4   // on each side at least
)

// gutter is a strip without words.
type gutter struct {
	box
	left, right side
}

// columns divides the words of a page in the order of reading. Each part is
// one column.
func columns(ws []word, em float32, depth int) [][]word {
	if depth < maxDivisions {
		if g, ok := findGutter(ws, em); ok {
			var above, left, right, below []word
			for i := range ws {
				w := ws[i]
				mid := (w.top() + w.bottom()) / 2
				switch {
				case mid < g.y0:
					above = append(above, w)
				case mid > g.y1:
					below = append(below, w)
				case w.x0+w.x1 < g.x0+g.x1:
					left = append(left, w)
				default:
					right = append(right, w)
				}
			}
			if mostlyBackwards(left) && mostlyBackwards(right) {
				left, right = right, left
			}
			var out [][]word
			for _, part := range [][]word{above, left, right, below} {
				if len(part) > 0 {
					out = append(out, columns(part, em, depth+1)...)
				}
			}
			return out
		}
	}
	return [][]word{ws}
}

func mostlyBackwards(ws []word) bool {
	n := 0
	for i := range ws {
		if backwards(ws[i].text) {
			n++
		}
	}
	return n*2 > len(ws)
}

// strip is a row of the page half a line high, with the words on it.
type strip struct{ spans [][2]float32 }

// findGutter gives the tallest gutter with running text on both sides.
func findGutter(ws []word, em float32) (gutter, bool) {
	if len(ws) < 2*gutterLines {
		return gutter{}, false
	}
	area := box{ws[0].x0, ws[0].top(), ws[0].x1, ws[0].bottom()}
	for i := range ws {
		area.add(box{ws[i].x0, ws[i].top(), ws[i].x1, ws[i].bottom()})
	}
	step := max(em/2, area.height()/2000)
	strips := make([]strip, int(area.height()/step)+1)
	for i := range ws {
		w := &ws[i]
		from, to := int((w.top()-area.y0)/step), int((w.bottom()-area.y0)/step)
		// A table may be a whole page high; words are not.
		for j := max(from, 0); j <= min(to, len(strips)-1, from+400); j++ {
			strips[j].spans = append(strips[j].spans, [2]float32{w.x0, w.x1})
		}
	}
	candidates := trace(strips, area, step, gutterWidth*em)
	slices.SortFunc(candidates, func(a, b gutter) int {
		return cmp.Or(cmp.Compare(b.height(), a.height()), cmp.Compare(b.width(), a.width()), cmp.Compare(a.x0, b.x0), cmp.Compare(a.y0, b.y0))
	})
	for i, g := range candidates {
		if i == 12 {
			break
		}
		if g.judge(ws, em) {
			return g, true
		}
	}
	return gutter{}, false
}

// trace follows the gaps between words from strip to strip.
func trace(strips []strip, area box, step, width float32) []gutter {
	var open, done []gutter
	end := func(g gutter) {
		if g.height() >= float32(gutterLines)*step*2 {
			done = append(done, g)
		}
	}
	for i := range strips {
		y0, y1 := area.y0+float32(i)*step, area.y0+float32(i+1)*step
		gaps := strips[i].gaps(area, width)
		if gaps == nil {
			continue
		}
		var next []gutter
		for _, g := range open {
			kept := false
			for _, gap := range gaps {
				x0, x1 := max(g.x0, gap[0]), min(g.x1, gap[1])
				if x1-x0 < width {
					continue
				}
				n := g
				n.x0, n.x1, n.y1 = x0, x1, y1
				if x1-x0 < g.width()-0.5 && g.height() > float32(gutterLines)*step*2 {
					end(g) // it goes on narrower; so far it was wider
				}
				next = append(next, n)
				kept = true
			}
			if !kept {
				end(g)
			}
		}
		for _, gap := range gaps {
			next = append(next, gutter{box: box{gap[0], y0, gap[1], y1}})
		}
		open = thinOut(next)
	}
	for _, g := range open {
		end(g)
	}
	return done
}

// thinOut keeps of gutters with the same sides the one that began first, and
// not too many.
func thinOut(gs []gutter) []gutter {
	slices.SortFunc(gs, func(a, b gutter) int {
		return cmp.Or(cmp.Compare(a.x0, b.x0), cmp.Compare(a.x1, b.x1), cmp.Compare(a.y0, b.y0))
	})
	gs = slices.CompactFunc(gs, func(a, b gutter) bool { return a.x0 == b.x0 && a.x1 == b.x1 })
	if len(gs) > 64 {
		slices.SortStableFunc(gs, func(a, b gutter) int { return cmp.Compare(a.y0, b.y0) })
		gs = gs[:64]
	}
	return gs
}

// gaps gives the parts of a strip without words, nil when it has no words at
// all (then it ends no gutter).
func (s *strip) gaps(area box, width float32) [][2]float32 {
	if len(s.spans) == 0 {
		return nil
	}
	slices.SortFunc(s.spans, func(a, b [2]float32) int { return cmp.Compare(a[0], b[0]) })
	out := [][2]float32{}
	x := area.x0
	for _, sp := range s.spans {
		if sp[0]-x >= width {
			out = append(out, [2]float32{x, sp[0]})
		}
		x = max(x, sp[1])
	}
	if area.x1-x >= width {
		out = append(out, [2]float32{x, area.x1})
	}
	return out
}
