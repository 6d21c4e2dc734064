package split

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
)

// makeUnits makes the sentence units and says to which section, procedure and
// step each belongs. Between units lie white space, markup without words, front
// matter, comments and link definitions, and nothing else.
func (d *document) makeUnits() {
	d.units = make([]rag.Unit, 0, len(d.text)/80+8)
	d.walk(d.blocks)
	section, procedure, step := 0, 0, 0
	for i := range d.units {
		u := &d.units[i]
		u.Ordinal = i
		for section+1 < len(d.sections) && d.sections[section+1].Span.Start <= u.Span.Start {
			section++
		}
		u.Section = section
		for procedure < len(d.procedures) && reach(&d.procedures[procedure]) <= u.Span.Start {
			procedure++
			step = 0
		}
		u.Procedure, u.Step = -1, -1
		if procedure == len(d.procedures) {
			continue
		}
		p := &d.procedures[procedure]
		switch {
		case p.Span.Contains(u.Span):
			for p.Steps[step].Span.End <= u.Span.Start {
				step++
			}
			u.Procedure, u.Step = procedure, step
		case p.Lead.Contains(u.Span), p.Tail.Contains(u.Span):
			u.Procedure = procedure
		}
	}
}

// reach is the end of everything that belongs to a procedure.
func reach(p *rag.Procedure) int { return max(p.Span.End, p.Tail.End) }

// walk makes the units of blocks, in the order of the text.
func (d *document) walk(blocks []rag.Block) {
	for i := range blocks {
		b := &blocks[i]
		switch b.Kind {
		case rag.BlockHeading:
			if !blank(b.Content.In(d.text)) {
				d.add(rag.UnitHeading, b.Span, rag.Span{})
			}
		case rag.BlockParagraph:
			d.sentences(b.Span)
		case rag.BlockList:
			for k := range b.Children {
				d.item(&b.Children[k])
			}
		case rag.BlockItem:
			d.item(b)
		case rag.BlockTable:
			d.rows(b)
		case rag.BlockCode:
			d.code(b)
		case rag.BlockHTML:
			if hasWords(b.Span.In(d.text)) {
				d.sentences(b.Span)
			}
		case rag.BlockQuote, rag.BlockNote:
			if len(b.Children) == 0 && !blank(b.Content.In(d.text)) {
				d.sentences(b.Content)
			}
			d.walk(b.Children)
		case rag.BlockRow, rag.BlockMeta, rag.BlockBreak:
		}
	}
}

// item makes one unit of an item's own words, marker included, however many
// sentences they are; what else it holds makes units of its own.
func (d *document) item(b *rag.Block) {
	own, rest := b.Span, b.Children
	switch {
	case len(rest) > 0 && rest[0].Kind == rag.BlockParagraph:
		own.End = rest[0].Span.End
		rest = rest[1:]
	case len(rest) > 0:
		own = rag.Span{}
	case blank(b.Content.In(d.text)):
		own = rag.Span{}
	}
	if !own.Empty() {
		d.spans = append(d.spans[:0], own)
		d.addAll(rag.UnitItem)
	}
	d.walk(rest)
}

// rows makes a unit of each row of a table that has a word in it.
func (d *document) rows(b *rag.Block) {
	var header rag.Span
	for k := range b.Children {
		row := &b.Children[k]
		if blank(strings.Trim(row.Content.In(d.text), "| \t")) {
			continue
		}
		if row.Header {
			header = row.Span
			d.add(rag.UnitRow, row.Span, rag.Span{})
			continue
		}
		d.add(rag.UnitRow, row.Span, header)
	}
}

// code makes one unit of a code block, fences included. Its first line keeps
// its indentation, which may mean something.
func (d *document) code(b *rag.Block) {
	if blank(b.Content.In(d.text)) {
		return
	}
	d.put(rag.UnitCode, d.lines(b.Span), rag.Span{})
	d.paragraphs++
}

// lines takes blank lines off the front of a span of code, and all white space
// off its end.
func (d *document) lines(s rag.Span) rag.Span {
	for i := s.Start; i < s.End && isBlank(d.text[i]); i++ {
		if d.text[i] == '\n' {
			s.Start = i + 1
		}
	}
	return d.trim(s)
}

// sentences makes a unit of each sentence of a block.
func (d *document) sentences(s rag.Span) {
	d.spans = appendSentences(d.spans[:0], d.text, s, !d.marked)
	d.addAll(rag.UnitSentence)
}

// addAll makes units of the spans of one leaf block, and divides those that are
// too long.
func (d *document) addAll(kind rag.UnitKind) {
	made := false
	for _, s := range d.spans {
		for !s.Empty() {
			piece := d.piece(s)
			if u := d.bare(piece); !u.Empty() {
				made = true
				d.put(kind, u, rag.Span{})
			}
			s.Start = piece.End
		}
	}
	if made {
		d.paragraphs++
	}
}

// add makes a unit of a whole leaf block.
func (d *document) add(kind rag.UnitKind, s, header rag.Span) {
	if s = d.bare(s); s.Empty() {
		return
	}
	d.put(kind, s, header)
	d.paragraphs++
}

func (d *document) put(kind rag.UnitKind, s, header rag.Span) {
	d.units = append(d.units, rag.Unit{
		Set: rag.SentenceSet, Kind: kind, Span: s, Paragraph: d.paragraphs, Header: header,
	})
}

// bare takes the white space off a span, and the quote marks at the start of a
// line before it.
func (d *document) bare(s rag.Span) rag.Span {
	for s.Start < s.End {
		r, n := rune(d.text[s.Start]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRuneInString(d.text[s.Start:s.End])
		}
		if !unicode.IsSpace(r) && (r != '>' || !d.marked || !d.opensLine(s.Start)) {
			break
		}
		s.Start += n
	}
	for s.Start < s.End {
		r, n := rune(d.text[s.End-1]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeLastRuneInString(d.text[s.Start:s.End])
		}
		if !unicode.IsSpace(r) {
			break
		}
		s.End -= n
	}
	return s
}

// opensLine says that nothing but blanks and quote marks is before i on a line
// that is not the first of the text.
func (d *document) opensLine(i int) bool {
	for i--; i >= 0; i-- {
		switch d.text[i] {
		case ' ', '\t', '>':
		case '\n':
			return true
		default:
			return false
		}
	}
	return false
}

// maxSentence is the most bytes of a unit of prose. A longer one, of a script
// without blanks or of a text without stops, is divided; code and rows are only
// when the embedder does not take them at once, see Limit.
const maxSentence = 2_000

// piece gives the first piece of a span that is not over maxSentence.
func (d *document) piece(s rag.Span) rag.Span {
	if s.Len() <= maxSentence {
		return s
	}
	end := s.Start + maxSentence
	for !utf8.RuneStart(d.text[end]) {
		end--
	}
	return rag.Span{Start: s.Start, End: d.breakProse(s.Start+maxSentence/2, end)}
}

// breakProse finds the best place to divide prose after from and not after to:
// the last end of a sentence, else of a clause, else of a word, else of a
// character.
func (d *document) breakProse(from, to int) int {
	stop, clause, word, char := 0, 0, 0, 0
	for !utf8.RuneStart(d.text[from]) {
		from++
	}
	for i := from; i < to; {
		r, n := utf8.DecodeRuneInString(d.text[i:])
		next, _ := utf8.DecodeRuneInString(d.text[i+n:])
		wide := r > 0x2e80
		switch {
		case isStop(r) && (wide || unicode.IsSpace(next)):
			stop = i + n
		case strings.ContainsRune(",;:，、；：،؛", r) && (wide || unicode.IsSpace(next)), r == '\n':
			clause = i + n
		case unicode.IsSpace(r):
			word = i + n
		}
		if r != '\u200d' && next != '\u200d' && !unicode.Is(unicode.M, next) && (next < 0x1f3fb || next > 0x1f3ff) {
			char = i + n
		}
		i += n
	}
	for _, at := range [...]int{stop, clause, word, char} {
		if at > 0 {
			return at
		}
	}
	return to
}

// blank says that there is nothing but white space.
func blank(s string) bool {
	for i := range len(s) {
		if !isBlank(s[i]) {
			return strings.TrimSpace(s[i:]) == ""
		}
	}
	return true
}

// hasWords says that HTML holds a letter or digit outside its tags.
func hasWords(html string) bool {
	tag := false
	for _, r := range html {
		switch {
		case r == '<':
			tag = true
		case r == '>' && tag:
			tag = false
		case !tag && isWord(r):
			return true
		}
	}
	return false
}
