package pdf

import (
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"
)

// words joins the letters of a page, in the order of the file, to words. A
// blank is one that the file sets, or a gap that is wide for this stretch of
// text. Text at other angles comes apart, each angle for itself.
func words(glyphs []glyph) (upright []word, turned [][]word) {
	angles := map[int][]word{}
	for _, s := range stretches(glyphs) {
		ws := s.words()
		if s.angle == 0 {
			upright = append(upright, ws...)
			continue
		}
		angles[s.angle] = append(angles[s.angle], ws...)
	}
	keys := make([]int, 0, len(angles))
	for a := range angles {
		keys = append(keys, a)
	}
	sort.Ints(keys)
	for _, a := range keys {
		turned = append(turned, angles[a])
	}
	return upright, turned
}

// stretch is letters that follow one another on a line.
type stretch struct {
	angle  int
	glyphs []glyph // blanks between them included
}

func stretches(glyphs []glyph) []stretch {
	var out []stretch
	var blank []glyph // not yet known to be inside
	var last *glyph
	for i := range glyphs {
		g := &glyphs[i]
		if g.text == " " {
			blank = append(blank, *g)
			continue
		}
		if last == nil || !follows(last, g) {
			if len(out) > 0 && len(blank) > 0 {
				s := &out[len(out)-1]
				s.glyphs = append(s.glyphs, blank...)
			}
			out = append(out, stretch{angle: g.angle})
			if len(blank) > 0 {
				out[len(out)-1].glyphs = append(out[len(out)-1].glyphs, blank...)
			}
		} else {
			s := &out[len(out)-1]
			s.glyphs = append(s.glyphs, blank...)
		}
		blank = blank[:0]
		s := &out[len(out)-1]
		s.glyphs = append(s.glyphs, *g)
		last = g
	}
	return out
}

// follows says that b goes on where a ended, on the same line or raised or
// lowered from it. Text from right to left goes on to the left.
func follows(a, b *glyph) bool {
	size := max(a.size, b.size)
	if a.angle != b.angle || abs(a.base-b.base) > 0.55*size {
		return false
	}
	if backwards(a.text) || backwards(b.text) {
		return abs(a.x0-b.x1) < 1.5*size || abs(b.x0-a.x1) < 1.5*size
	}
	if a.x0 == b.x0 && a.x1 == b.x1 {
		return true // two letters of one sign, a ligature
	}
	gap := b.x0 - a.x1
	return gap > -0.5*size && gap < 1.5*size
}

func backwards(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana)
}

func abs(x float32) float32 {
	if x < 0 {
		return -x
	}
	return x
}

// Gaps that are blanks, in ems beyond the usual distance of the letters.
const (
	gapWide  = 0.18 // with nothing else to say so
	gapGuess = 0.09 // where PDFium also thinks so
)

// words divides a stretch.
func (s *stretch) words() []word {
	usual := s.tracking()
	var out []word
	var cur []*glyph
	begun, set, guess := false, false, false // a blank the file sets: before cur, before the next letter; one PDFium guessed
	for i := range s.glyphs {
		g := &s.glyphs[i]
		if g.text == " " {
			set, guess = set || !g.made, guess || g.made
			continue
		}
		if len(cur) > 0 {
			a := cur[len(cur)-1]
			gap := g.x0 - a.x1
			if backwards(a.text) || backwards(g.text) {
				gap = max(gap, a.x0-g.x1)
			}
			gap = (gap - usual) / max(a.size, g.size)
			if set || gap > gapWide || guess && gap > gapGuess {
				out = append(out, newWord(cur, begun, set))
				cur = nil
			}
		}
		if len(cur) == 0 {
			begun = set
		}
		cur = append(cur, g)
		set, guess = false, false
	}
	if len(cur) > 0 {
		out = append(out, newWord(cur, begun, set))
	}
	return out
}

// tracking is the usual gap between the letters of a stretch: nothing, unless
// the letters are set wide apart. Gaps that PDFium takes for blanks are none.
func (s *stretch) tracking() float32 {
	var gaps []float32
	var last *glyph
	for i := range s.glyphs {
		g := &s.glyphs[i]
		if g.text == " " {
			last = nil
			continue
		}
		if last != nil {
			gaps = append(gaps, g.x0-last.x1)
		}
		last = g
	}
	if len(gaps) < 4 {
		return 0
	}
	slices.Sort(gaps)
	return max(0, gaps[len(gaps)/4])
}

// newWord joins letters. The word's line and size are those of its biggest
// letters; small ones above or below become the characters that mean it.
func newWord(glyphs []*glyph, before, after bool) word {
	big := glyphs[0]
	for _, g := range glyphs {
		if g.size > big.size*1.05 {
			big = g
		}
	}
	w := word{x0: big.x0, x1: big.x1, base: big.base, size: big.size, before: before, after: after}
	var text strings.Builder
	for _, g := range glyphs {
		w.x0, w.x1 = min(w.x0, g.x0), max(w.x1, g.x1)
		s := g.text
		if g.size < 0.85*big.size {
			switch shift := big.base - g.base; {
			case shift > 0.2*big.size:
				s = raised.Replace(s)
			case shift < -0.08*big.size:
				s = lowered.Replace(s)
			}
		}
		text.WriteString(s)
		if n := len(w.runs); n > 0 && w.runs[n-1].face == g.face {
			w.runs[n-1].end = text.Len()
		} else {
			w.runs = append(w.runs, run{end: text.Len(), face: g.face})
		}
	}
	w.text = text.String()
	return w
}
