package pdf

import (
	"strings"
	"unicode"

	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"
)

const (
	maxBookmarks = 5000
	maxOutline   = 8 // levels
)

// outline is the file's bookmarks: titles by page, with their level.
type outline struct {
	levels map[int]map[string]int // page, squeezed title
}

// find gives the level of a heading that the outline names on this page, or
// on the next to it: some producers point a little before the title.
func (o *outline) find(page int, text string) int {
	if o == nil || len(o.levels) == 0 {
		return 0
	}
	key := squeeze(text)
	if key == "" {
		return 0
	}
	return o.levels[page][key]
}

// squeeze is a title as it is compared: letters and digits only.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// readOutline walks the bookmarks. A broken or endless outline is cut, never
// an error: it is only a hint.
func (r *reader) readOutline() (*outline, error) {
	o := &outline{levels: map[int]map[string]int{}}
	seen := 0
	var walk func(parent *references.FPDF_BOOKMARK, level int) error
	walk = func(parent *references.FPDF_BOOKMARK, level int) error {
		if level > maxOutline {
			return nil
		}
		child, err := r.inst.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{Document: r.doc, Bookmark: parent})
		if err != nil {
			return fatal(err)
		}
		for mark := child.Bookmark; mark != nil; {
			if seen++; seen > maxBookmarks {
				return nil
			}
			if err := r.bookmark(o, *mark, level); err != nil {
				return err
			}
			if err := walk(mark, level+1); err != nil {
				return err
			}
			next, err := r.inst.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{Document: r.doc, Bookmark: *mark})
			if err != nil {
				return fatal(err)
			}
			mark = next.Bookmark
		}
		return nil
	}
	return o, walk(nil, 1)
}

func (r *reader) bookmark(o *outline, mark references.FPDF_BOOKMARK, level int) error {
	title, err := r.inst.FPDFBookmark_GetTitle(&requests.FPDFBookmark_GetTitle{Bookmark: mark})
	if err != nil {
		return fatal(err)
	}
	key := squeeze(title.Title)
	if key == "" {
		return nil
	}
	dest, err := r.destination(mark)
	if err != nil || dest == nil {
		return err
	}
	at, err := r.inst.FPDFDest_GetDestPageIndex(&requests.FPDFDest_GetDestPageIndex{Document: r.doc, Dest: *dest})
	if err != nil {
		return fatal(err)
	}
	page := o.levels[at.Index+1]
	if page == nil {
		page = map[string]int{}
		o.levels[at.Index+1] = page
	}
	if page[key] == 0 {
		page[key] = level
	}
	return nil
}

func (r *reader) destination(mark references.FPDF_BOOKMARK) (*references.FPDF_DEST, error) {
	dest, err := r.inst.FPDFBookmark_GetDest(&requests.FPDFBookmark_GetDest{Document: r.doc, Bookmark: mark})
	if err == nil && dest.Dest != nil {
		return dest.Dest, nil
	}
	if err := fatal(err); err != nil {
		return nil, err
	}
	action, err := r.inst.FPDFBookmark_GetAction(&requests.FPDFBookmark_GetAction{Bookmark: mark})
	if err != nil || action.Action == nil {
		return nil, fatal(err)
	}
	to, err := r.inst.FPDFAction_GetDest(&requests.FPDFAction_GetDest{Document: r.doc, Action: *action.Action})
	if err != nil {
		return nil, fatal(err)
	}
	return to.Dest, nil
}
