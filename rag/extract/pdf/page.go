package pdf

// Positions are in points (1/72 inch) from the upper left corner of the page
// as a reader sees it, x to the right and y down.

// box is a rectangle.
type box struct{ x0, y0, x1, y1 float32 }

func (b box) width() float32  { return b.x1 - b.x0 }
func (b box) height() float32 { return b.y1 - b.y0 }

func (b *box) add(o box) {
	b.x0, b.y0 = min(b.x0, o.x0), min(b.y0, o.y0)
	b.x1, b.y1 = max(b.x1, o.x1), max(b.y1, o.y1)
}

// face is what counts of a font.
type face uint8

const (
	faceBold face = 1 << iota
	faceItalic
	faceMono
	faceDing // its letters are pictures
)

// run is a part of a word in one face, up to the byte end of its text.
type run struct {
	end  int
	face face
}

// word is what stands between two blanks.
type word struct {
	x0, x1 float32
	base   float32 // of the letters' feet
	size   float32 // of the type
	text   string
	runs   []run  // at least one
	before bool   // the file itself sets a blank before it
	after  bool   // … and after it
	table  *table // not a word but a whole ruled table, in this place
	area   box    // of the table
}

// top and bottom of the letters, nearly: half of what a line needs above and
// below is left out, so that neighbouring lines do not overlap.
func (w *word) top() float32 {
	if w.table != nil {
		return w.area.y0
	}
	return w.base - 0.7*w.size
}

func (w *word) bottom() float32 {
	if w.table != nil {
		return w.area.y1
	}
	return w.base + 0.2*w.size
}

func (w *word) mono() bool {
	for _, r := range w.runs {
		if r.face&faceMono == 0 {
			return false
		}
	}
	return true
}

// rule is a straight line that is drawn: a table's, or under words.
type rule struct {
	box
	upright bool
}

// page is what was loaded of a page.
type page struct {
	number  int // from 1
	width   float32
	height  float32
	words   []word   // upright text, in the order of the file
	turned  [][]word // text at other angles, as if it were upright, for each angle
	rules   []rule
	dots    []box // small drawn discs and squares: bullets of some producers
	letters int   // with a meaning
	lost    int   // without: the font does not say which letter a picture is
	drawn   bool  // there is something on the page, text or not
	damaged bool
}

// readable says that the words of the page can be used: when half of the
// letters have no meaning, the rest helps nobody.
func (p *page) readable() bool {
	return p.letters > 0 && p.lost*2 <= p.letters
}
