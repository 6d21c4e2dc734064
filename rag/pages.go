package rag

import (
	"sort"
	"strconv"
)

// PageRange is the pages that a span stands on, counted from 1; the zero value
// is that of a source without pages.
type PageRange struct{ From, To int }

// PagesOf tells the pages of a span from where each page begins in the text.
func PagesOf(starts []int, s Span) PageRange {
	if len(starts) == 0 {
		return PageRange{}
	}
	last := max(s.Start, s.End-1)
	from := sort.Search(len(starts), func(i int) bool { return starts[i] > s.Start })
	to := sort.Search(len(starts), func(i int) bool { return starts[i] > last })
	return PageRange{From: max(from, 1), To: max(to, 1)}
}

// Label is the pages in words: "page 3", "pages 3–4", or "" without pages.
func (p PageRange) Label() string {
	switch {
	case p.From == 0:
		return ""
	case p.To <= p.From:
		return "page " + strconv.Itoa(p.From)
	default:
		return "pages " + strconv.Itoa(p.From) + "–" + strconv.Itoa(p.To)
	}
}
