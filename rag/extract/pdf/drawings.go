package pdf

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	maxObjects  = 20000 // looked at on a page; a drawing beyond is a picture, not a table
	maxSegments = 4000  // of paths on a page
	thin        = 2.5   // points: a drawn area not thicker than this is a line
	dotSize     = 6.0   // points: not bigger, a drawn disc is a bullet
)

// drawings finds the straight lines of a page, which rule its tables, and the
// small drawn discs that are the bullets of browsers.
func (r *reader) drawings(p *page, ref requests.Page, v view) error {
	count, err := r.inst.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: ref})
	if err != nil {
		return fatal(err)
	}
	if count.Count > 0 {
		p.drawn = true
	}
	segments := 0
	for i := range min(count.Count, maxObjects) {
		o, err := r.inst.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: ref, Index: i})
		if err != nil {
			if err := fatal(err); err != nil {
				return err
			}
			continue
		}
		kind, err := r.inst.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: o.PageObject})
		if err != nil || kind.Type != enums.FPDF_PAGEOBJ_PATH {
			if err := fatal(err); err != nil {
				return err
			}
			continue
		}
		if err := r.path(p, o.PageObject, v, &segments); err != nil {
			return err
		}
	}
	return nil
}

func (r *reader) path(p *page, o references.FPDF_PAGEOBJECT, v view, segments *int) error {
	bounds, err := r.inst.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: o})
	if err != nil {
		return fatal(err)
	}
	b := v.area(bounds.Left, bounds.Bottom, bounds.Right, bounds.Top)
	if p.draw(b) {
		return nil
	}
	mode, err := r.inst.FPDFPath_GetDrawMode(&requests.FPDFPath_GetDrawMode{PageObject: o})
	if err != nil {
		return fatal(err)
	}
	n, err := r.inst.FPDFPath_CountSegments(&requests.FPDFPath_CountSegments{PageObject: o})
	if err != nil {
		return fatal(err)
	}
	// Four or five segments filled are an area: the shade of a cell.
	if !mode.Stroke && n.Count <= 5 || n.Count > maxSegments {
		return nil
	}
	if *segments += n.Count; *segments > maxSegments {
		return nil
	}
	return r.segments(p, o, v, n.Count, mode.Stroke)
}

// draw takes what is wholly a line or a dot.
func (p *page) draw(b box) bool {
	w, h := b.width(), b.height()
	switch {
	case h <= thin && w >= 8:
		p.rules = append(p.rules, rule{box: b})
	case w <= thin && h >= 8:
		p.rules = append(p.rules, rule{box: b, upright: true})
	case w <= dotSize && h <= dotSize && w >= 1 && h >= 1 && w < 1.5*h && h < 1.5*w:
		p.dots = append(p.dots, b)
	default:
		return false
	}
	return true
}

// segments takes the lines of a path that holds several: a grid, a frame.
func (r *reader) segments(p *page, o references.FPDF_PAGEOBJECT, v view, count int, stroke bool) error {
	m := [6]float32{1, 0, 0, 1, 0, 0}
	if got, err := r.inst.FPDFPageObj_GetMatrix(&requests.FPDFPageObj_GetMatrix{PageObject: o}); err == nil {
		m = [6]float32{got.Matrix.A, got.Matrix.B, got.Matrix.C, got.Matrix.D, got.Matrix.E, got.Matrix.F}
	} else if err := fatal(err); err != nil {
		return err
	}
	var part []corner // of the sub-path so far, for filled ones
	var first, last corner
	flush := func() {
		if !stroke && len(part) > 1 {
			b := box{part[0].x, part[0].y, part[0].x, part[0].y}
			for _, c := range part[1:] {
				b.add(box{c.x, c.y, c.x, c.y})
			}
			p.draw(b)
		}
		part = part[:0]
	}
	for i := range count {
		kind, at, closed, err := r.segment(o, i)
		if err != nil {
			return err
		}
		x, y := v.at(tame(m[0]*at.x+m[2]*at.y+m[4]), tame(m[1]*at.x+m[3]*at.y+m[5]))
		here := corner{x, y}
		if kind == enums.FPDF_SEGMENT_MOVETO {
			flush()
			first = here
		} else if kind == enums.FPDF_SEGMENT_LINETO && stroke {
			p.line(last, here)
		}
		part = append(part, here)
		last = here
		if closed && stroke {
			p.line(here, first)
		}
	}
	flush()
	return nil
}

type corner struct{ x, y float32 }

// line takes a stroke when it lies or stands.
func (p *page) line(a, b corner) {
	r := box{min(a.x, b.x), min(a.y, b.y), max(a.x, b.x), max(a.y, b.y)}
	if r.height() <= thin && r.width() >= 8 || r.width() <= thin && r.height() >= 8 {
		p.draw(r)
	}
}

func (r *reader) segment(o references.FPDF_PAGEOBJECT, i int) (enums.FPDF_SEGMENT, corner, bool, error) {
	s, err := r.inst.FPDFPath_GetPathSegment(&requests.FPDFPath_GetPathSegment{PageObject: o, Index: i})
	if err != nil {
		return enums.FPDF_SEGMENT_UNKNOWN, corner{}, false, fatal(err)
	}
	kind, err := r.inst.FPDFPathSegment_GetType(&requests.FPDFPathSegment_GetType{PathSegment: s.PathSegment})
	if err != nil {
		return enums.FPDF_SEGMENT_UNKNOWN, corner{}, false, fatal(err)
	}
	at, err := r.inst.FPDFPathSegment_GetPoint(&requests.FPDFPathSegment_GetPoint{PathSegment: s.PathSegment})
	if err != nil {
		return enums.FPDF_SEGMENT_UNKNOWN, corner{}, false, fatal(err)
	}
	closed, err := r.inst.FPDFPathSegment_GetClose(&requests.FPDFPathSegment_GetClose{PathSegment: s.PathSegment})
	if err != nil {
		return enums.FPDF_SEGMENT_UNKNOWN, corner{}, false, fatal(err)
	}
	return kind.Type, corner{tame(at.X), tame(at.Y)}, closed.IsClose, nil
}
