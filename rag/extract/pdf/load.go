package pdf

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

// reader takes the pages of one open document out of PDFium.
type reader struct {
	inst  pdfium.Pdfium
	doc   references.FPDF_DOCUMENT
	total int // characters so far
}

var (
	errManyLetters = errors.New("too many characters")
	errPageLetters = errors.New("too many characters on a page")
)

// page loads one page. A page that PDFium cannot open is marked damaged; an
// error ends the file.
func (r *reader) page(ctx context.Context, index int) (page, error) {
	p := page{number: index + 1}
	opened, err := r.inst.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: r.doc, Index: index})
	if err != nil {
		p.damaged = true
		return p, fatal(err)
	}
	ref := requests.Page{ByReference: &opened.Page}
	defer func() { _, _ = r.inst.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: opened.Page}) }()

	view, err := r.view(ref)
	if err != nil {
		p.damaged = true
		return p, fatal(err)
	}
	p.width, p.height = view.size()
	if err := r.text(ctx, &p, ref, view); err != nil {
		return p, err
	}
	return p, r.drawings(&p, ref, view)
}

// text reads the letters of a page into words.
func (r *reader) text(ctx context.Context, p *page, ref requests.Page, v view) error {
	opened, err := r.inst.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: ref})
	if err != nil {
		p.damaged = true
		return fatal(err)
	}
	t := &textPage{inst: r.inst, ref: opened.TextPage, view: v}
	defer func() { _, _ = r.inst.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: t.ref}) }()
	count, err := r.inst.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: t.ref})
	if err != nil {
		p.damaged = true
		return fatal(err)
	}
	if count.Count > maxPageLetters {
		return fmt.Errorf("page %d: %w", p.number, errPageLetters)
	}
	if r.total += count.Count; r.total > maxLetters {
		return errManyLetters
	}
	glyphs := make([]glyph, 0, count.Count)
	for i := range count.Count {
		if i%512 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		g, err := t.glyph(i)
		if err != nil {
			return err
		}
		if g.text == "" {
			continue
		}
		if g.text != " " {
			p.letters++
			if !g.meant {
				p.lost++
			}
		}
		glyphs = append(glyphs, g)
	}
	p.drawn = len(glyphs) > 0
	p.words, p.turned = words(glyphs)
	return nil
}

// glyph is one letter in its place, turned so that its text is upright.
type glyph struct {
	x0, x1, base, size float32
	angle              int // degrees, clockwise, in steps of five
	text               string
	face               face
	meant              bool // the font says which letter it is
	made               bool // a blank that PDFium guessed
}

// textPage reads letters. Each question to PDFium is one call to ten, of a
// microsecond or two, so what cannot have changed since the letter before is
// not asked again: size, line and angle while the box is as high as before, the
// font within a word.
type textPage struct {
	inst pdfium.Pdfium
	ref  references.FPDF_TEXTPAGE
	view view

	inWord      bool // the letter before was of the same word
	placed      bool // bottom to base are known
	bottom, top float32
	scale       float32
	sin, cos    float32
	angle       int
	base        float32
	face        face
	mapped      bool
}

func (t *textPage) glyph(i int) (glyph, error) {
	code, err := t.inst.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: t.ref, Index: i})
	if err != nil {
		return glyph{}, fatal(err)
	}
	r := rune(uint32(code.Unicode))
	if r == '\r' || r == '\n' {
		t.inWord, t.placed = false, false
		return glyph{}, nil
	}
	loose, err := t.inst.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: t.ref, Index: i})
	if err != nil {
		t.inWord, t.placed = false, false
		return glyph{}, fatal(err)
	}
	b := box{loose.Rect.Left, loose.Rect.Bottom, loose.Rect.Right, loose.Rect.Top}
	if unicode.IsSpace(r) {
		t.inWord = false
		return glyph{text: " ", made: b.width() < 0.01 && b.height() < 0.01, meant: true}, nil
	}
	same := t.placed && t.bottom == b.y0 && t.top == b.y1 && t.angle == 0
	if !same || !t.inWord {
		if err := t.font(i); err != nil {
			return glyph{}, err
		}
	}
	if !same {
		if err := t.place(i, b); err != nil {
			return glyph{}, err
		}
	}
	t.inWord = true
	text, meant := letter(r, t.face)
	g := glyph{text: text, meant: meant && t.mapped, face: t.face, size: t.scale, angle: t.angle, base: t.base}
	g.x0, g.x1 = t.extent(b)
	return g, nil
}

// font asks for the font of letter i and whether it knows its letters.
func (t *textPage) font(i int) error {
	weight := -1
	if w, err := t.inst.FPDFText_GetFontWeight(&requests.FPDFText_GetFontWeight{TextPage: t.ref, Index: i}); err == nil {
		weight = w.FontWeight
	} else if err := fatal(err); err != nil {
		return err
	}
	t.face = 0
	if info, err := t.inst.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: t.ref, Index: i}); err == nil {
		t.face = faceOf(strings.TrimRight(info.FontName, "\x00"), info.Flags, weight)
	} else if err := fatal(err); err != nil {
		return err
	}
	t.mapped = true
	if e, err := t.inst.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: t.ref, Index: i}); err == nil {
		t.mapped = !e.HasUnicodeMapError
	} else if err := fatal(err); err != nil {
		return err
	}
	return nil
}

// place asks for the size, angle and line of letter i.
func (t *textPage) place(i int, b box) error {
	size, err := t.inst.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: t.ref, Index: i})
	if err != nil {
		return fatal(err)
	}
	t.placed, t.bottom, t.top = true, b.y0, b.y1
	t.scale, t.sin, t.cos, t.angle = float32(size.FontSize), 0, 1, 0
	if m, err := t.inst.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: t.ref, Index: i}); err == nil {
		t.turn(m.Matrix.A, m.Matrix.B, m.Matrix.C, m.Matrix.D)
	} else if err := fatal(err); err != nil {
		return err
	}
	x, y := b.x0, b.y0
	if o, err := t.inst.FPDFText_GetCharOrigin(&requests.FPDFText_GetCharOrigin{TextPage: t.ref, Index: i}); err == nil {
		x, y = float32(o.X), float32(o.Y)
	} else if err := fatal(err); err != nil {
		return err
	}
	x, y = t.view.at(x, y)
	t.base = tame(-x*t.sin + y*t.cos)
	if t.scale < 0.5 || t.scale > 2000 || t.scale != t.scale {
		t.scale = min(max(b.height(), 1), 2000)
	}
	return nil
}

// turn takes size and direction from a letter's matrix.
func (t *textPage) turn(a, b, c, d float32) {
	grow := float32(math.Hypot(float64(c), float64(d)))
	if grow > 0 && !math.IsInf(float64(grow), 0) {
		t.scale *= grow
	}
	dx, dy := t.view.along(a, b)
	theta := math.Atan2(float64(dy), float64(dx))
	if math.IsNaN(theta) {
		return
	}
	t.angle = int(math.Round(theta*180/math.Pi/5)) * 5
	if t.angle == -180 {
		t.angle = 180
	}
	if t.angle != 0 {
		s, c := math.Sincos(theta)
		t.sin, t.cos = float32(s), float32(c)
	}
}

// extent is where a letter begins and ends along its line.
func (t *textPage) extent(b box) (x0, x1 float32) {
	x0 = float32(math.Inf(1))
	x1 = -x0
	for _, c := range [4][2]float32{{b.x0, b.y0}, {b.x0, b.y1}, {b.x1, b.y0}, {b.x1, b.y1}} {
		x, y := t.view.at(c[0], c[1])
		x = x*t.cos + y*t.sin
		x0, x1 = min(x0, x), max(x1, x)
	}
	return tame(x0), tame(x1)
}

// tame keeps hostile numbers out of the arithmetic.
func tame(x float32) float32 {
	if x != x {
		return 0
	}
	return min(max(x, -1e5), 1e5)
}

// fatal gives back only a fault that ends the instance: a trap of PDFium, or
// an end by the clock. Everything else is a fault of one letter or page.
func fatal(err error) error {
	if err == nil {
		return nil
	}
	s := err.Error()
	if contains(s, "wasm error", "panic occurred", "module closed", "instance is closed", "could not allocate", "from memory", "to memory") {
		return fmt.Errorf("%w: %w", errBroken, err)
	}
	return nil
}

var errBroken = errors.New("PDFium broke off")
