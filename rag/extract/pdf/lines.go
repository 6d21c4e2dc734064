package pdf

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// line is words on one line of a column.
type line struct {
	box
	words []word
	base  float32
	size  float32 // of most of its letters
	page  int
	left  float32 // where the column begins and ends
	right float32
	face  face // what all its words have in common
	dot   bool // a bullet is drawn before it
	first bool // of its column
	alone bool // of a doubtful table: never joined with another line
	rtl   bool
}

func (l *line) table() *table {
	if len(l.words) == 1 {
		return l.words[0].table
	}
	return nil
}

func (l *line) text() string {
	var b strings.Builder
	for i := range l.words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(l.words[i].text)
	}
	return b.String()
}

// in is how far the line is indented in its column.
func (l *line) in() float32 { return l.x0 - l.left }

// lines puts the words of one column together, from top to bottom.
func lines(ws []word, number int) []line {
	slices.SortStableFunc(ws, func(a, b word) int { return cmp.Compare(a.top()+a.bottom(), b.top()+b.bottom()) })
	var out []line
	var band box // of the last line's biggest words
	for i := range ws {
		w := ws[i]
		top, bottom := w.top(), w.bottom()
		if n := len(out); n > 0 && w.table == nil && out[n-1].table() == nil {
			over := min(bottom, band.y1) - max(top, band.y0)
			if over >= 0.55*min(bottom-top, band.height()) {
				out[n-1].words = append(out[n-1].words, w)
				if bottom-top > band.height()*1.1 {
					band = box{y0: top, y1: bottom}
				}
				continue
			}
		}
		out = append(out, line{words: []word{w}, page: number})
		band = box{y0: top, y1: bottom}
	}
	for i := range out {
		out[i].settle()
	}
	return out
}

// sized says that two lines are set in one size, or one of them has words in
// the size of the other: code in a sentence is often smaller.
func (l *line) sized(o *line) bool {
	if abs(l.size-o.size) <= 0.09*max(l.size, o.size) {
		return true
	}
	for i := range l.words {
		if abs(l.words[i].size-o.size) <= 0.03*o.size {
			return true
		}
	}
	for i := range o.words {
		if abs(o.words[i].size-l.size) <= 0.03*l.size {
			return true
		}
	}
	return false
}

// settle orders the words of a line, joins what belongs to one word, and
// takes the line's measures.
func (l *line) settle() {
	slices.SortStableFunc(l.words, func(a, b word) int { return cmp.Compare(a.x0, b.x0) })
	back := 0
	for i := range l.words {
		r, _ := utf8.DecodeRuneInString(l.words[i].text)
		if unicode.IsLetter(r) {
			if backwards(l.words[i].text) {
				back++
			} else {
				back--
			}
		}
	}
	l.rtl = back > 0
	if !l.rtl {
		l.words = glue(l.words)
	} else {
		reverse(l.words)
	}
	sizes := map[float32]int{}
	l.face = faceBold | faceItalic | faceMono
	l.box = box{l.words[0].x0, l.words[0].top(), l.words[0].x1, l.words[0].bottom()}
	for i := range l.words {
		w := &l.words[i]
		l.add(box{w.x0, w.top(), w.x1, w.bottom()})
		sizes[w.size] += len(w.text)
		for _, r := range w.runs {
			l.face &= r.face
		}
	}
	most := -1
	for size, n := range sizes {
		if n > most || n == most && size > l.size {
			most, l.size = n, size
		}
	}
	l.base = l.words[0].base
	for i := range l.words {
		if l.words[i].size == l.size {
			l.base = l.words[i].base
			break
		}
	}
	for i := range l.words {
		l.words[i].shift(l.size, l.base)
	}
}

// shift writes the digits of a small word above or below its line as the
// characters that mean it.
func (w *word) shift(size, base float32) {
	if w.table != nil || w.size >= 0.92*size {
		return
	}
	var to *strings.Replacer
	switch shift := base - w.base; {
	case shift > 0.2*size:
		to = raised
	case shift < -0.08*size:
		to = lowered
	default:
		return
	}
	start := 0
	var text strings.Builder
	w.runs = slices.Clone(w.runs) // copies of the word share them
	for i := range w.runs {
		part := to.Replace(w.text[start:w.runs[i].end])
		start = w.runs[i].end
		text.WriteString(part)
		w.runs[i].end = text.Len()
	}
	w.text = text.String()
}

// glue joins words that the file sets apart though no blank is between them.
func glue(ws []word) []word {
	out := ws[:1]
	for i := 1; i < len(ws); i++ {
		a, b := &out[len(out)-1], ws[i]
		gap := (b.x0 - a.x1) / max(a.size, b.size)
		if a.table != nil || b.table != nil || a.after || b.before || gap > 0.08 || gap < -0.3 {
			out = append(out, b)
			continue
		}
		b.shift(a.size, a.base)
		a.runs = slices.Clip(a.runs) // copies of the word share them
		for _, r := range b.runs {
			a.runs = append(a.runs, run{end: len(a.text) + r.end, face: r.face})
		}
		a.text += b.text
		a.x1, a.after = max(a.x1, b.x1), b.after
		if b.size > a.size*1.05 {
			a.size, a.base = b.size, b.base
		}
	}
	return out
}

// reverse puts the words of a line that runs from right to left in the order
// of reading; words and numbers of other scripts keep theirs among themselves.
func reverse(ws []word) {
	slices.Reverse(ws)
	for i := 0; i < len(ws); {
		j := i
		for j < len(ws) && !backwards(ws[j].text) {
			j++
		}
		slices.Reverse(ws[i:j])
		i = max(j, i+1)
	}
}
