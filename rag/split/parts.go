package split

import (
	"strings"

	"passage/rag"
	"passage/rag/tokens"
)

// countSections counts the tokens of each section and gives those over the cap
// their parts.
func (d *document) countSections(tok tokens.Tokenizer, limit int) {
	p := parter{d: d, tok: tok, limit: limit, ahead: d.procedures}
	for i := range d.sections {
		s := &d.sections[i]
		s.Tokens = tok.Count(s.Span.In(d.text))
		if s.Tokens > limit {
			p.pieces = p.pieces[:0]
			p.fill(s.Span)
			s.Parts = p.pack(s.Span)
		}
	}
}

// parter divides a section into parts. It first finds pieces that are better
// not cut, each from the start of its line to the start of the next, and then
// packs them.
type parter struct {
	d      *document
	tok    tokens.Tokenizer
	limit  int
	ahead  []rag.Procedure // those that end after the place reached
	pieces []piece
}

type piece struct {
	start  int
	tokens int
	glued  bool // it must not end a part: a heading, a paragraph that leads to what follows
}

// fill finds the pieces of a section: its blocks, those of a procedure taken
// together.
func (p *parter) fill(section rag.Span) {
	blocks := within(p.d.blocks, section)
	for len(blocks) > 0 {
		n, whole := p.group(blocks)
		next := section.End
		if n < len(blocks) {
			next = p.startOf(blocks[n].Span.Start)
		}
		start := section.Start
		if len(p.pieces) > 0 {
			start = p.startOf(blocks[0].Span.Start)
		}
		p.add(rag.Span{Start: start, End: next}, blocks[:n], whole)
		blocks = blocks[n:]
	}
}

// group says how many of the blocks belong together, and to which procedure.
func (p *parter) group(blocks []rag.Block) (n int, procedure *rag.Procedure) {
	first := blocks[0].Span
	for len(p.ahead) > 0 && reach(&p.ahead[0]) <= first.Start {
		p.ahead = p.ahead[1:]
	}
	if len(p.ahead) == 0 {
		return 1, nil
	}
	procedure = &p.ahead[0]
	from := procedure.Span.Start
	if !procedure.Lead.Empty() {
		from = procedure.Lead.Start
	}
	if first.End <= from || first.Start > procedure.Span.Start {
		return 1, nil
	}
	for n < len(blocks) && blocks[n].Span.Start < reach(procedure) {
		n++
	}
	return n, procedure
}

// add appends a piece, or the pieces it falls into when it is over the limit.
func (p *parter) add(s rag.Span, blocks []rag.Block, procedure *rag.Procedure) {
	tokens := p.tok.Count(s.In(p.d.text))
	if tokens > p.limit {
		if procedure != nil {
			p.steps(s, blocks, procedure)
		} else {
			p.addInner(s, blocks)
		}
		return
	}
	last := &blocks[len(blocks)-1]
	glued := last.Kind == rag.BlockHeading || last.Kind == rag.BlockParagraph && p.d.endsOpen(last.Span)
	p.pieces = append(p.pieces, piece{start: s.Start, tokens: tokens, glued: glued && procedure == nil})
}

// steps divides a procedure that is over the limit with all that belongs to it:
// what stands before and after the steps are pieces of their own, and the steps
// only when they alone are over the limit.
func (p *parter) steps(s rag.Span, blocks []rag.Block, procedure *rag.Procedure) {
	cuts := make([]int, 0, len(procedure.Steps)+1)
	own := rag.Span{Start: max(s.Start, procedure.Span.Start), End: min(s.End, procedure.Span.End)}
	if !own.Empty() && p.tok.Count(own.In(p.d.text)) <= p.limit {
		cuts = append(cuts, own.Start, min(p.nextLine(own.End), s.End))
	} else {
		for i := range procedure.Steps {
			cuts = append(cuts, procedure.Steps[i].Span.Start)
		}
	}
	if !procedure.Tail.Empty() {
		cuts = append(cuts, procedure.Tail.Start)
	}
	at := s.Start
	for _, cut := range append(cuts, s.End) {
		if cut < s.End {
			cut = p.startOf(cut)
		}
		if cut <= at || cut > s.End {
			continue
		}
		p.addInner(rag.Span{Start: at, End: cut}, blocks)
		at = cut
	}
}

// addInner appends a piece, or what it falls into when it is over the limit: the
// blocks in it, the children of its one block, or at last its units.
func (p *parter) addInner(s rag.Span, blocks []rag.Block) {
	n := p.tok.Count(s.In(p.d.text))
	blocks = within(blocks, s)
	for len(blocks) == 1 && n > p.limit {
		blocks = within(blocks[0].Children, s)
	}
	switch {
	case n <= p.limit:
		p.pieces = append(p.pieces, piece{start: s.Start, tokens: n})
	case len(blocks) == 0:
		p.units(s)
	default:
		p.blocks(s, blocks)
	}
}

// blocks divides a span between the blocks in it.
func (p *parter) blocks(s rag.Span, blocks []rag.Block) {
	for i := range blocks {
		piece := s
		if i > 0 {
			piece.Start = p.startOf(blocks[i].Span.Start)
		}
		if i+1 < len(blocks) {
			piece.End = p.startOf(blocks[i+1].Span.Start)
		}
		if !piece.Empty() {
			p.addInner(piece, blocks[i:i+1])
		}
	}
}

// units divides a span between the sentences in it. A single one over the limit
// stays whole.
func (p *parter) units(s rag.Span) {
	at := s.Start
	for i := firstUnit(p.d.units, s.Start); i < len(p.d.units); i++ {
		end := s.End
		if i+1 < len(p.d.units) {
			end = min(end, p.startOf(p.d.units[i+1].Span.Start))
		}
		if end > at {
			p.pieces = append(p.pieces, piece{start: at, tokens: p.tok.Count(p.d.text[at:end])})
			at = end
		}
		if end >= s.End {
			return
		}
	}
	if at < s.End {
		p.pieces = append(p.pieces, piece{start: at, tokens: p.tok.Count(p.d.text[at:s.End])})
	}
}

// pack joins pieces to parts of about equal size, none over the limit unless
// one piece is.
func (p *parter) pack(section rag.Span) []rag.Span {
	total := 0 // cut apart, pieces have some tokens more than together
	for _, piece := range p.pieces {
		total += piece.tokens
	}
	n := (total + p.limit - 1) / p.limit
	parts := p.fitInto(section, (total+n-1)/n)
	if n = len(parts); n > 1 { // more than reckoned with, if pieces are coarse: share out anew
		parts = p.fitInto(section, (total+n-1)/n)
	}
	return parts
}

// fitInto closes a part when it has about the tokens aimed at, or when the next
// piece would put it over the limit. What leads to the next piece goes with it.
func (p *parter) fitInto(section rag.Span, aim int) []rag.Span {
	var parts []rag.Span
	first, start, sum := 0, section.Start, 0
	for i := 1; i <= len(p.pieces); i++ {
		sum += p.pieces[i-1].tokens
		if i == len(p.pieces) || sum+p.pieces[i].tokens <= p.limit && sum < aim-p.pieces[i].tokens/2 {
			continue
		}
		at := i
		for at > first && p.pieces[at-1].glued {
			at--
		}
		if at == first { // nothing but a heading yet: it may stand alone, but before no giant
			if sum+p.pieces[i].tokens <= p.limit || p.pieces[i].tokens > p.limit {
				continue
			}
			at = i
		}
		parts = append(parts, rag.Span{Start: start, End: p.pieces[at].start})
		first, start, sum = at, p.pieces[at].start, 0
		for _, carried := range p.pieces[at:i] {
			sum += carried.tokens
		}
	}
	return append(parts, rag.Span{Start: start, End: section.End})
}

// nextLine moves an offset to the start of the next line.
func (p *parter) nextLine(i int) int {
	if n := strings.IndexByte(p.d.text[i:], '\n'); n >= 0 {
		return i + n + 1
	}
	return len(p.d.text)
}

// startOf moves an offset to the start of its line, when nothing is before it.
func (p *parter) startOf(i int) int { return lineStart(p.d.text, i) }

// within gives the blocks that have a byte in the span.
func within(blocks []rag.Block, s rag.Span) []rag.Block {
	from := firstBlock(blocks, s.Start)
	to := from
	for to < len(blocks) && blocks[to].Span.Start < s.End {
		to++
	}
	return blocks[from:to]
}

// firstUnit finds the first unit that ends after the offset.
func firstUnit(units []rag.Unit, offset int) int {
	low, high := 0, len(units)
	for low < high {
		if middle := (low + high) / 2; units[middle].Span.End <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}
