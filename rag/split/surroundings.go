package split

import (
	"slices"
	"strings"

	"passage/rag"
	"passage/rag/extract/names"
)

// maxAround is how many blocks or sections before or after a procedure may
// belong to it.
const maxAround = 3

// longestOpening is how many bytes of a block its first words are looked for in.
const longestOpening = 120

// surround finds what belongs to each procedure without being a step: the
// lead-in, warnings and preconditions directly before, verification and
// roll-back directly after. Siblings in the same section count, and the
// sections right before and after that are called by such a name.
func (d *document) surround() {
	free := 0 // nothing before it may be a lead: it belongs to the procedure before
	for i := range d.procedures {
		p := &d.procedures[i]
		limit := len(d.text)
		if i+1 < len(d.procedures) {
			limit = d.procedures[i+1].Span.Start
		}
		var before, after []rag.Surrounding
		if siblings, from, to := findSiblings(d.blocks, p.Span); to > from {
			before = d.before(siblings[:from], free)
			after = d.after(siblings[to:], limit)
		}
		before = append(d.sectionsBefore(p, before), before...)
		after = append(after, d.sectionsAfter(p, after)...)
		p.Around = slices.Concat(before, after)
		p.Lead, p.Tail = hulls(p, before, after, free, limit)
		free = max(p.Span.End, p.Tail.End)
	}
}

// hulls gives the spans from the first to the last surrounding on each side,
// as far as they reach into no other procedure and nothing of theirs: those lie
// before free and behind limit.
func hulls(p *rag.Procedure, before, after []rag.Surrounding, free, limit int) (lead, tail rag.Span) {
	lead = rag.Span{Start: p.Span.Start, End: p.Span.Start}
	for _, s := range slices.Backward(before) {
		if s.Span.Start < free {
			break
		}
		if lead.Empty() {
			lead.End = s.Span.End
		}
		lead.Start = s.Span.Start
	}
	tail = rag.Span{Start: p.Span.End, End: p.Span.End}
	for _, s := range after {
		if s.Span.End > limit {
			break
		}
		if tail.Empty() {
			tail.Start = s.Span.Start
		}
		tail.End = s.Span.End
	}
	return lead, tail
}

// findSiblings gives the siblings among which the procedure's blocks stand,
// and the range of these blocks.
func findSiblings(blocks []rag.Block, s rag.Span) (siblings []rag.Block, from, to int) {
	i := firstBlock(blocks, s.Start)
	switch {
	case i == len(blocks):
		return nil, 0, 0
	case blocks[i].Span.Start < s.Start: // it stands inside
		return findSiblings(blocks[i].Children, s)
	}
	for to = i; to < len(blocks) && blocks[to].Span.Start < s.End; {
		to++
	}
	return blocks, i, to
}

// firstBlock finds the first block that ends after the offset.
func firstBlock(blocks []rag.Block, offset int) int {
	low, high := 0, len(blocks)
	for low < high {
		if middle := (low + high) / 2; blocks[middle].Span.End <= offset {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// before takes the blocks before the procedure that lead to it: a paragraph
// that ends in a colon or speaks of the steps, warnings, preconditions, with
// the list or code that such a paragraph leads to.
func (d *document) before(blocks []rag.Block, free int) []rag.Surrounding {
	var found []rag.Surrounding
	for n := len(blocks) - 1; n >= 0 && len(found) < maxAround; n-- {
		b := &blocks[n]
		if b.Span.Start < free {
			break
		}
		if n > 0 && d.isLed(b) { // it belongs to the paragraph above it
			above := &blocks[n-1]
			if kind := d.beforeKind(above, false); kind != "" && above.Kind == rag.BlockParagraph && above.Span.Start >= free && d.leadsOn(above) {
				found = append(found, rag.Surrounding{Kind: kind, Span: above.Span.Union(b.Span)})
				n--
				continue
			}
		}
		kind := d.beforeKind(b, len(found) == 0)
		if kind == "" {
			break
		}
		found = append(found, rag.Surrounding{Kind: kind, Span: b.Span})
	}
	slices.Reverse(found)
	return found
}

// isLed says that a block may be what a paragraph leads to.
func (d *document) isLed(b *rag.Block) bool {
	switch b.Kind {
	case rag.BlockList:
		return !b.Ordered
	case rag.BlockCode, rag.BlockTable:
		return true
	default:
		return false
	}
}

// leadsOn says that a paragraph leads to the block after it: with a colon, or
// as a heading that is no more than bold.
func (d *document) leadsOn(b *rag.Block) bool {
	return d.endsOpen(b.Span) || names.Whole(d.plain(b.Span)) != names.None
}

// beforeKind says what a block before a procedure is to it, "" for nothing;
// next means that nothing stands between them.
func (d *document) beforeKind(b *rag.Block, next bool) rag.SurroundingKind {
	switch b.Kind {
	case rag.BlockNote:
		switch b.Label {
		case "footnote", "tab":
			return ""
		case "warning", "caution", "danger", "important", "attention", "error", "critical":
			return rag.Warning
		}
		if kind := d.opensAs(b, beforeWords); kind != "" {
			return kind
		}
		return rag.LeadIn
	case rag.BlockQuote:
		return d.opensAs(b, beforeWords)
	case rag.BlockParagraph:
		if kind := d.opensAs(b, beforeWords); kind != "" {
			return kind
		}
		if next && (d.endsOpen(b.Span) || saysSteps(strings.ToLower(d.plain(b.Span)))) {
			return rag.LeadIn
		}
	default:
	}
	return ""
}

// after takes the blocks after the procedure that verify it or take it back,
// with the code or list that such a paragraph leads to.
func (d *document) after(blocks []rag.Block, limit int) []rag.Surrounding {
	var found []rag.Surrounding
	open := false
	for n := 0; n < len(blocks) && n < 2*maxAround; n++ {
		b := &blocks[n]
		if b.Span.End > limit {
			break
		}
		if open && d.isLed(b) {
			last := &found[len(found)-1]
			last.Span = last.Span.Union(b.Span)
			open = b.Kind == rag.BlockCode && d.leadsMore(blocks, n)
			continue
		}
		if b.Kind != rag.BlockParagraph && b.Kind != rag.BlockQuote && b.Kind != rag.BlockNote {
			break
		}
		kind := d.opensAs(b, afterWords)
		if kind == "" || len(found) == maxAround {
			break
		}
		found = append(found, rag.Surrounding{Kind: kind, Span: b.Span})
		open = d.leadsOn(b)
	}
	return found
}

// leadsMore says that the block after n is of the same piece of code or shows
// what it prints.
func (d *document) leadsMore(blocks []rag.Block, n int) bool {
	return n+1 < len(blocks) && blocks[n+1].Kind == rag.BlockCode
}

// opensAs gives the kind whose words a block begins with.
func (d *document) opensAs(b *rag.Block, words map[rag.SurroundingKind][]string) rag.SurroundingKind {
	if b.Kind == rag.BlockNote && len(b.Children) > 0 {
		b = &b.Children[0]
	}
	s := d.plain(rag.Span{Start: b.Span.Start, End: min(b.Span.End, b.Span.Start+longestOpening)})
	s = strings.ToLower(strings.TrimLeft(s, "*_>#!:[]\"' ⚠️"))
	for _, kind := range [...]rag.SurroundingKind{rag.Precondition, rag.Warning, rag.Rollback, rag.Verification} {
		if hasAnyPrefix(s, words[kind]...) {
			return kind
		}
	}
	return ""
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
