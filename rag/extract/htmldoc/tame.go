package htmldoc

import (
	"bytes"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// Limits on a page. The parser opens again, in each paragraph, every element
// of formatting that was left open, and refuses pages nested deeper than 512
// elements.
const (
	maxTags       = 1_000_000
	maxFormatting = 24
	maxNesting    = 300
)

// tame leaves out the start tags that would open more elements of formatting
// or of no meaning at a time than any page needs, and the end tags that belong
// to them. A usual page is given back as it is.
func tame(text []byte) []byte {
	var out []byte
	copied := 0
	open := map[atom.Atom]int{}
	left := map[atom.Atom]int{} // start tags left out
	formatting, boxes := 0, 0
	z := html.NewTokenizer(bytes.NewReader(text))
	for at := 0; ; {
		t := z.Next()
		n := len(z.Raw())
		if t == html.ErrorToken {
			break
		}
		from := at
		at += n
		if t != html.StartTagToken && t != html.EndTagToken {
			continue
		}
		name, _ := z.TagName()
		tag := atom.Lookup(name)
		count, limit := &boxes, maxNesting
		switch {
		case isFormatting(tag):
			count, limit = &formatting, maxFormatting
		case tag != atom.Div && tag != atom.Span && tag != atom.Section && tag != atom.Center:
			continue
		}
		drop := false
		switch {
		case t == html.StartTagToken && *count >= limit:
			left[tag]++
			drop = true
		case t == html.StartTagToken:
			open[tag]++
			*count++
		case left[tag] > 0:
			left[tag]--
			drop = true
		case open[tag] > 0:
			open[tag]--
			*count--
		}
		if drop {
			out = append(append(out, text[copied:from]...), ' ')
			copied = at
		}
	}
	if copied == 0 {
		return text
	}
	return append(out, text[copied:]...)
}

func isFormatting(tag atom.Atom) bool {
	switch tag {
	case atom.A, atom.B, atom.Big, atom.Code, atom.Em, atom.Font, atom.I, atom.Nobr, atom.S, atom.Small, atom.Strike,
		atom.Strong, atom.Tt, atom.U:
		return true
	default:
		return false
	}
}
