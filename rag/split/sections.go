package split

import (
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract"
)

// sections divides the text at the headings of the top level; a heading inside
// a list, a quote or a note belongs to that block. White space alone before the
// first heading makes no section of its own.
func sections(d *document) []rag.Section {
	var out []rag.Section
	if first := firstHeading(d.blocks); first < 0 || strings.TrimSpace(d.text[:d.blocks[first].Span.Start]) != "" {
		out = append(out, rag.Section{Parent: -1})
	}
	for i := range d.blocks {
		b := &d.blocks[i]
		if b.Kind != rag.BlockHeading {
			continue
		}
		start := lineStart(d.text, b.Span.Start)
		if len(out) == 0 {
			start = 0
		}
		out = append(out, rag.Section{
			Ordinal: len(out), Parent: -1, Level: min(max(b.Level, 1), 6),
			Heading: extract.Clip(d.plain(b.Content), extract.MaxTitle), Span: rag.Span{Start: start},
		})
	}
	for i := range out {
		out[i].Span.End = len(d.text)
		if i+1 < len(out) {
			out[i].Span.End = out[i+1].Span.Start
		}
	}
	nest(out)
	return out
}

// nest finds the parent, the path and the end of the tree of each section. A
// section's parent is the nearest one before it with a lower level, also when
// levels are skipped; the text before the first heading encloses nothing. An
// empty heading adds nothing to a path.
func nest(out []rag.Section) {
	open := make([]int, 0, 6)
	end := func(keep, at int) {
		for _, i := range open[keep:] {
			out[i].TreeEnd = at
		}
		open = open[:keep]
	}
	for i := range out {
		s := &out[i]
		if s.Level == 0 {
			s.TreeEnd = s.Span.End
			continue
		}
		keep := len(open)
		for keep > 0 && out[open[keep-1]].Level >= s.Level {
			keep--
		}
		end(keep, s.Span.Start)
		if keep > 0 {
			s.Parent = open[keep-1]
			s.Path = slices.Clip(out[s.Parent].Path)
		}
		if s.Heading != "" {
			s.Path = append(s.Path, s.Heading)
		}
		open = append(open, i)
	}
	if len(out) > 0 {
		end(0, out[len(out)-1].Span.End)
	}
}

func firstHeading(blocks []rag.Block) int {
	for i := range blocks {
		if blocks[i].Kind == rag.BlockHeading {
			return i
		}
	}
	return -1
}

// lineStart moves back over blanks to the start of the line, if nothing else is
// before i.
func lineStart(text string, i int) int {
	at := i
	for at > 0 && (text[at-1] == ' ' || text[at-1] == '\t') {
		at--
	}
	if at == 0 || text[at-1] == '\n' {
		return at
	}
	return i
}

// sectionAt gives the ordinal of the section that holds the offset.
func sectionAt(sections []rag.Section, offset int) int {
	low, high := 0, len(sections)
	for low+1 < high {
		if middle := (low + high) / 2; sections[middle].Span.Start <= offset {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// plain gives the words of a heading or lead-in without markup.
func (d *document) plain(s rag.Span) string {
	if !d.marked {
		return strings.Join(strings.Fields(s.In(d.text)), " ")
	}
	return extract.PlainText(s.In(d.text))
}
