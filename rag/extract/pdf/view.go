package pdf

import (
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/requests"
)

// view is how the page's own coordinates (y up, before the page is turned)
// become those of a reader.
type view struct {
	box   box // in the page's coordinates, y0 below y1
	turns int // quarter turns, clockwise
}

func (r *reader) view(ref requests.Page) (view, error) {
	v := view{box: box{0, 0, 612, 792}}
	bounds, err := r.inst.FPDF_GetPageBoundingBox(&requests.FPDF_GetPageBoundingBox{Page: ref})
	if err != nil {
		if err := fatal(err); err != nil {
			return v, err
		}
	} else if b := (box{tame(bounds.Rect.Left), tame(bounds.Rect.Bottom), tame(bounds.Rect.Right), tame(bounds.Rect.Top)}); b.width() >= 1 && b.height() >= 1 {
		v.box = b
	}
	turned, err := r.inst.FPDFPage_GetRotation(&requests.FPDFPage_GetRotation{Page: ref})
	if err != nil {
		return v, fatal(err)
	}
	switch turned.PageRotation {
	case enums.FPDF_PAGE_ROTATION_NONE:
	case enums.FPDF_PAGE_ROTATION_90_CW:
		v.turns = 1
	case enums.FPDF_PAGE_ROTATION_180_CW:
		v.turns = 2
	case enums.FPDF_PAGE_ROTATION_270_CW:
		v.turns = 3
	}
	return v, nil
}

func (v view) size() (width, height float32) {
	if v.turns%2 == 1 {
		return v.box.height(), v.box.width()
	}
	return v.box.width(), v.box.height()
}

// at moves a point, along a direction.
func (v view) at(x, y float32) (float32, float32) {
	switch v.turns {
	case 1:
		return y - v.box.y0, x - v.box.x0
	case 2:
		return v.box.x1 - x, y - v.box.y0
	case 3:
		return v.box.y1 - y, v.box.x1 - x
	}
	return x - v.box.x0, v.box.y1 - y
}

func (v view) along(x, y float32) (float32, float32) {
	switch v.turns {
	case 1:
		return y, x
	case 2:
		return -x, y
	case 3:
		return -y, -x
	}
	return x, -y
}

// area moves a rectangle.
func (v view) area(left, bottom, right, top float32) box {
	x0, y0 := v.at(tame(left), tame(bottom))
	x1, y1 := v.at(tame(right), tame(top))
	return box{min(x0, x1), min(y0, y1), max(x0, x1), max(y0, y1)}
}
