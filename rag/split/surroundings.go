package split

import (
	"strings"

	"passage/rag"
)

// maxAround is how many blocks before or after a procedure may belong to it.
const maxAround = 3

// surround finds what belongs to each procedure without being a step: the
// lead-in and warnings directly before, verification and roll-back directly
// after. Only siblings in the same section count, but for a section right after
// that is called by such a name.
func (d *document) surround() {
	free := 0 // nothing before it may be a lead: it belongs to the procedure before
	for i := range d.procedures {
		p := &d.procedures[i]
		limit := len(d.text)
		if i+1 < len(d.procedures) {
			limit = d.procedures[i+1].Span.Start
		}
		p.Lead = rag.Span{Start: p.Span.Start, End: p.Span.Start}
		p.Tail = rag.Span{Start: p.Span.End, End: p.Span.End}
		if siblings, from, to := findSiblings(d.blocks, p.Span); to > from {
			d.lead(p, siblings[:from], free)
			d.tail(p, siblings[to:], limit)
		}
		if p.Tail.Empty() {
			d.tailSection(p, limit)
		}
		free = max(p.Span.End, p.Tail.End)
	}
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

// lead takes the blocks before the procedure that lead to it: a paragraph that
// ends in a colon or speaks of the steps, warnings, preconditions.
func (d *document) lead(p *rag.Procedure, before []rag.Block, free int) {
	for n := 1; n <= maxAround && n <= len(before); n++ {
		b := &before[len(before)-n]
		if b.Span.Start < free || !d.leads(b, n == 1) {
			return
		}
		p.Lead.Start = b.Span.Start
		if n == 1 {
			p.Lead.End = b.Span.End
		}
	}
}

func (d *document) leads(b *rag.Block, next bool) bool {
	switch b.Kind {
	case rag.BlockNote:
		return b.Label != "footnote" && b.Label != "tab"
	case rag.BlockQuote, rag.BlockParagraph:
		words := firstWords(b.Span.In(d.text))
		return next && b.Kind == rag.BlockParagraph && (d.endsOpen(b.Span) || saysSteps(d.plain(b.Span))) || warns(words)
	default:
		return false
	}
}

// tail takes the blocks after the procedure that verify it or take it back,
// with the code or list that such a paragraph leads to.
func (d *document) tail(p *rag.Procedure, after []rag.Block, limit int) {
	open := false
	for n := range min(maxAround, len(after)) {
		b := &after[n]
		if b.Span.End > limit {
			return
		}
		switch b.Kind {
		case rag.BlockParagraph, rag.BlockQuote, rag.BlockNote:
			if !verifies(firstWords(b.Span.In(d.text))) {
				return
			}
			open = d.endsOpen(b.Span)
		case rag.BlockCode, rag.BlockList, rag.BlockTable:
			if !open || b.Ordered {
				return
			}
			open = false
		default:
			return
		}
		if p.Tail.Empty() {
			p.Tail.Start = b.Span.Start
		}
		p.Tail.End = b.Span.End
	}
}

// tailSection takes the section right after the procedure's when nothing stands
// between and its heading says that it verifies or takes back.
func (d *document) tailSection(p *rag.Procedure, limit int) {
	last := sectionAt(d.sections, max(p.Span.End-1, p.Span.Start))
	s := d.sections[last]
	if last+1 >= len(d.sections) || strings.TrimSpace(d.text[p.Span.End:s.Span.End]) != "" {
		return
	}
	next := d.sections[last+1]
	if next.Level < d.sections[p.Section].Level || next.Span.End > limit || !verifies(strings.ToLower(next.Heading)) {
		return
	}
	p.Tail = d.trim(next.Span)
}

// firstWords gives the start of a block in lower case, without markers.
func firstWords(s string) string {
	s = strings.TrimLeft(s[:min(len(s), 80)], "*_>#!:[]\"' \t\n")
	return strings.ToLower(s)
}

// warns says that a text starts as a warning or a precondition does.
func warns(words string) bool {
	return hasAnyPrefix(words, "warning", "caution", "danger", "important", "attention", "note:", "note that", "prerequisite", "precondition", "before you", "before starting",
		"before proceeding", "make sure", "ensure ", "you need", "you must", "do not ", "never ", "achtung", "warnung", "wichtig", "atención", "advertencia")
}

// verifies says that a text or heading starts as verification or roll-back does.
func verifies(words string) bool {
	return hasAnyPrefix(words, "verif", "validat", "to verify", "to check that", "to confirm", "confirm ", "rollback", "roll back", "roll-back", "to roll back", "rolling back",
		"back out", "backout", "back-out", "revert", "to revert", "to undo", "undo", "post-check", "postcheck", "if this fails", "if the procedure fails", "if any step fails",
		"if a step fails", "if something goes wrong", "abort")
}

func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}
