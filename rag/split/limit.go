package split

import (
	"fmt"
	"strings"

	"passage/rag"
	"passage/rag/tokens"
)

// Limit is what an embedder takes at once: so many tokens of the embedded text,
// by its tokenizer. What is longer would be cut by it, refused, or averaged.
type Limit struct {
	Tokens tokens.Tokenizer
	Most   int // 0 means no limit
	// Average says that the embedder takes a longer text in parts itself and
	// gives their mean. Then no unit is divided, and only said to be long.
	Average bool
}

// divide puts pieces in the place of each unit whose embedded text is over the
// limit, and says so. Pieces have the unit's kind, section, step and paragraph,
// which is how growing finds the whole again. Prose is divided as breakProse
// says, code between lines, best at a blank one, and rows between cells.
//
// Title and heading path stand before every piece. Where they leave less than
// half of the limit, pieces have half of it, and the embedder has to average.
func (d *document) divide(limit Limit, title string) []string {
	c := cutter{document: d, limit: limit, title: title, divided: map[rag.UnitKind]int{}}
	whole := d.units
	for i := range whole {
		switch n := c.count(whole[i]); {
		case n > limit.Most && limit.Average:
			c.divided[whole[i].Kind]++
		case n > limit.Most:
			if c.units == nil { // the first one
				c.units = append(make([]rag.Unit, 0, len(whole)+16), whole[:i]...)
			}
			c.cut(whole[i], n)
		case c.units != nil:
			c.units = append(c.units, whole[i])
		}
	}
	if len(c.divided) == 0 {
		return nil
	}
	if c.pieces > 0 {
		for i := range c.units {
			c.units[i].Ordinal = i
		}
		d.units = c.units
	}
	return []string{c.warning()}
}

// cutter divides units over the limit.
type cutter struct {
	*document
	limit   Limit
	title   string
	units   []rag.Unit // all that were looked at, divided where needed
	divided map[rag.UnitKind]int
	pieces  int // of the divided ones
}

// count is the number of tokens of a unit's embedded text, or 0 when it is too
// short to be over the limit: no token has less than a byte.
func (c *cutter) count(u rag.Unit) int {
	section := c.sections[u.Section]
	bytes := u.Span.Len() + u.Header.Len() + len(c.title)
	for _, heading := range section.Path {
		bytes += len(heading) + 8
	}
	if bytes <= c.limit.Most {
		return 0
	}
	return c.limit.Tokens.Count(EmbedText(c.title, section, u, c.text))
}

// cut appends the pieces of a unit whose embedded text has n tokens.
func (c *cutter) cut(u rag.Unit, n int) {
	path := u
	path.Kind, path.Span, path.Header = rag.UnitSentence, rag.Span{}, rag.Span{}
	prefix := c.limit.Tokens.Count(EmbedText(c.title, c.sections[u.Section], path, c.text)) + 1
	before := len(c.units)
	c.divideInto(u, c.room(prefix), prefix, n)
	if made := len(c.units) - before; made > 1 {
		c.divided[u.Kind]++
		c.pieces += made
	}
}

// room is what a path of so many tokens leaves of the limit.
func (c *cutter) room(prefix int) int { return max(c.limit.Most-prefix, c.limit.Most/2, 1) }

// divideInto appends pieces of a unit of n tokens, of which the path has prefix
// and which should have room besides.
func (c *cutter) divideInto(u rag.Unit, room, prefix, n int) {
	ends := c.limit.Tokens.Ends(u.Span.In(c.text))
	// What is over the limit by its path or its column's name alone stays.
	if n-prefix <= room || len(ends) <= room/4 || len(ends) < 2 {
		c.units = append(c.units, u)
		return
	}
	if u.Kind == rag.UnitRow { // the header row is shared out with the cells
		room = max(1, room*len(ends)/max(n-prefix, len(ends)))
	}
	start, i := u.Span.Start, 0
	for {
		left := len(ends) - i
		parts := (left + room - 1) / room
		if i == 0 {
			parts = max(parts, 2)
		}
		if parts < 2 {
			break
		}
		// A piece has three quarters of an equal share at least, so that none is
		// left over that says nothing.
		share := (left + parts - 1) / parts
		to := u.Span.Start + ends[i+min(share*5/4, room, left-1)-1]
		from := u.Span.Start + ends[i+max(share*3/4, 1)-1]
		at := c.place(u.Kind, max(start, min(from, to-1)), to)
		c.piece(u, rag.Span{Start: start, End: at}, prefix)
		start = at
		for i < len(ends) && u.Span.Start+ends[i] <= at {
			i++
		}
	}
	c.piece(u, rag.Span{Start: start, End: u.Span.End}, prefix)
}

// piece appends a piece of a unit, without the white space around it. One that
// still is over the limit, as parts may have more tokens than the whole, is
// divided again.
func (c *cutter) piece(u rag.Unit, s rag.Span, prefix int) {
	if u.Kind == rag.UnitCode {
		s = c.lines(s)
	} else {
		s = c.bare(s)
	}
	if s.Empty() {
		return
	}
	u.Span = s
	if n := c.count(u); n > c.limit.Most {
		c.divideInto(u, c.room(prefix), prefix, n)
		return
	}
	c.units = append(c.units, u)
}

// place finds where to divide a unit: after from, and not after to.
func (c *cutter) place(kind rag.UnitKind, from, to int) int {
	window := c.text[from:to]
	switch kind {
	case rag.UnitCode:
		if i := strings.LastIndex(window, "\n\n"); i >= 0 {
			return from + i + 2
		}
		if i := strings.LastIndexByte(window, '\n'); i >= 0 {
			return from + i + 1
		}
	case rag.UnitRow:
		for i := len(window) - 1; i > 0; i-- {
			if window[i] == '|' && window[i-1] != '\\' {
				return from + i
			}
		}
	default:
	}
	return c.breakProse(from, to)
}

// warning says what was divided.
func (c *cutter) warning() string {
	var kinds []string
	total := 0
	for _, k := range []struct {
		kind      rag.UnitKind
		one, many string
	}{
		{rag.UnitCode, "code block", "code blocks"},
		{rag.UnitRow, "table row", "table rows"},
		{rag.UnitItem, "list item", "list items"},
		{rag.UnitSentence, "sentence", "sentences"},
		{rag.UnitHeading, "heading", "headings"},
	} {
		n := c.divided[k.kind]
		total += n
		if n > 0 {
			kinds = append(kinds, counted(n, k.one, k.many))
		}
	}
	what := kinds[0]
	if last := len(kinds) - 1; last > 0 {
		what = strings.Join(kinds[:last], ", ") + " and " + kinds[last]
	}
	are := "are"
	if total == 1 {
		are = "is"
	}
	long := fmt.Sprintf("%s %s longer than the embedder takes at once (%d tokens)", what, are, c.limit.Most)
	if c.limit.Average {
		return long + " and " + are + " found by the mean of several parts."
	}
	return fmt.Sprintf("%s and %s indexed in %d pieces.", long, are, c.pieces)
}

// longChunks says how many chunks are over the limit, or nothing. To an embedder
// that averages, a chunk over it is nothing out of the ordinary.
func (l Limit) longChunks(title, text string, sections []rag.Section, units []rag.Unit) string {
	if l.Most == 0 || l.Average {
		return ""
	}
	c := cutter{document: &document{text: text, sections: sections}, limit: l, title: title}
	n := 0
	for _, u := range units {
		if c.count(u) > l.Most {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	are := "are"
	if n == 1 {
		are = "is"
	}
	return fmt.Sprintf("%s %s longer than the embedder takes at once (%d tokens) and %s found by the mean of several parts.",
		counted(n, "chunk", "chunks"), are, l.Most, are)
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
