package split

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"passage/rag"
	markers "passage/rag/extract/counted"
)

// findProcedures finds the procedures of the document. They are disjoint: a
// list inside a step is part of that step.
func (d *document) findProcedures() {
	d.stepHeadings()
	d.fromHeadings = d.procedures
	d.procedureLists(d.blocks, "")
	slices.SortFunc(d.procedures, func(a, b rag.Procedure) int { return a.Span.Start - b.Span.Start })
	for i := range d.procedures {
		p := &d.procedures[i]
		p.Ordinal, p.Section = i, sectionAt(d.sections, p.Span.Start)
	}
	d.surround()
}

// procedureLists finds the procedures among siblings and, where there is none,
// in their children. heading is what the siblings stand under.
func (d *document) procedureLists(blocks []rag.Block, heading string) {
	for i := 0; i < len(blocks); i++ {
		b := &blocks[i]
		if b.Kind == rag.BlockHeading {
			heading = d.plain(b.Content)
		}
		if d.inProcedure(b.Span) {
			continue
		}
		steps, next := d.collect(blocks, i, heading)
		if len(steps) < 2 {
			d.procedureLists(b.Children, "")
			continue
		}
		d.procedures = append(d.procedures, rag.Procedure{
			Span:  rag.Span{Start: steps[0].Span.Start, End: steps[len(steps)-1].Span.End},
			Steps: steps,
		})
		i = next - 1
	}
}

// inProcedure says that a procedure made of sections holds the span. Spans are
// asked about in the order of the text.
func (d *document) inProcedure(s rag.Span) bool {
	for len(d.fromHeadings) > 0 && d.fromHeadings[0].Span.End <= s.Start {
		d.fromHeadings = d.fromHeadings[1:]
	}
	return len(d.fromHeadings) > 0 && d.fromHeadings[0].Span.Contains(s)
}

// collect gathers the steps of the procedure that starts with the block i, if
// one does, and gives the first block after it.
func (d *document) collect(blocks []rag.Block, i int, heading string) ([]rag.Step, int) {
	b := &blocks[i]
	switch {
	case b.Kind == rag.BlockList && b.Ordered && len(b.Children) > 0 && !d.listsSources(blocks, i, heading):
		return d.collectList(blocks, i)
	case b.Kind == rag.BlockList && !b.Ordered && d.callsSteps(blocks, i, heading):
		return d.collectList(blocks, i)
	case b.Kind == rag.BlockParagraph && stepNumber(b.Span.In(d.text), false) >= 0:
		return d.collectParagraphs(blocks, i)
	}
	return nil, i + 1
}

// collectList gathers the steps of the list i and of the lists that continue
// it. What stands between two of them belongs to the step before it.
func (d *document) collectList(blocks []rag.Block, i int) ([]rag.Step, int) {
	steps := d.stepsOf(&blocks[i], nil)
	last, broken := i, false // the list that holds the last step; code stood between lists
	for {
		next := d.continuation(blocks, last)
		if next < 0 {
			break
		}
		steps[len(steps)-1].Span.End = blocks[next-1].Span.End
		broken = broken || next > last+1 && blocks[last+1].Kind == rag.BlockCode
		steps = d.stepsOf(&blocks[next], steps)
		last = next
	}
	end := last + 1
	label := blocks[i].Children[0].Label
	for end < len(blocks) && d.belongs(&blocks[end], label, blocks[end-1].Span.End, end == last+1, broken) {
		steps[len(steps)-1].Span.End = blocks[end].Span.End
		end++
	}
	number(steps, blocks[i].Start)
	return steps, end
}

// stepsOf appends the items of a list as steps, with their markers as numbers.
func (d *document) stepsOf(list *rag.Block, steps []rag.Step) []rag.Step {
	for k := range list.Children {
		item := &list.Children[k]
		step := rag.Step{Span: d.trim(item.Span)}
		if list.Ordered {
			step.Number = item.Label
		}
		steps = append(steps, step)
	}
	return steps
}

// number gives steps that all carry the same marker ("1." five times) the
// numbers that a reader sees: they count up from the first.
func number(steps []rag.Step, start int) {
	first := steps[0].Number
	if len(steps) < 2 || first == "" || strings.Trim(first, "0123456789") == first {
		return
	}
	for _, s := range steps[1:] {
		if s.Number != first {
			return
		}
	}
	digits := strconv.Itoa(start)
	for i := range steps {
		steps[i].Number = strings.Replace(first, digits, strconv.Itoa(start+i), 1)
	}
}

// continuation finds the list that continues the list at i among its siblings,
// -1 when none does. A list that goes on counting where this one ended does so
// whatever stands between, up to the next heading. A list that starts anew at 1
// does only when the author numbers every step so and nothing but code, tables,
// notes or pictures stands between, as a fence at the margin that a renderer
// takes for the end of the list. Neither does over more than maxApart bytes of
// prose: sections of a report that begin with 14. and 15. are no steps.
func (d *document) continuation(blocks []rag.Block, i int) int {
	list := &blocks[i]
	last := list.Children[len(list.Children)-1].Start
	aside := true // nothing but code and notes stands between
	apart := 0    // bytes of prose between
	for k := i + 1; k < len(blocks); k++ {
		b := &blocks[k]
		switch {
		case b.Kind == rag.BlockHeading || b.Kind == rag.BlockBreak:
			return -1
		case b.Kind == rag.BlockParagraph && stepNumber(b.Span.In(d.text), false) >= 0:
			return -1
		case b.Kind != rag.BlockList || len(b.Children) == 0:
			if !d.isAside(b) {
				aside = false
				apart += b.Span.Len()
			}
			if apart > maxApart {
				return -1
			}
		case b.Ordered != list.Ordered:
			if !list.Ordered {
				return -1
			}
			aside = false
		case list.Ordered && !markers.SameCount(list.Children[0].Label, b.Children[0].Label):
			aside = false // such as a), b) between 1. and 2.
		case !list.Ordered:
			if k > i+1 && aside && b.Children[0].Label == list.Children[0].Label && d.endsOpen(list.Span) {
				return k
			}
			return -1
		case b.Start > last && b.Start > 1 || b.Start == last && b.Start > 1 && len(b.Children) > 1:
			return k
		case b.Start == last+1:
			return k
		case k > i+1 && aside && allNumbered(list, b.Start) && allNumbered(b, b.Start):
			return k
		default:
			return -1
		}
	}
	return -1
}

// maxApart is the most bytes of prose between two lists of one procedure, about
// three pages.
const maxApart = 8_000

// allNumbered says that every item of the list carries the number n.
func allNumbered(list *rag.Block, n int) bool {
	for k := range list.Children {
		if list.Children[k].Start != n {
			return false
		}
	}
	return true
}

// isAside says that a block between two lists can be part of a step that its
// author forgot to indent.
func (d *document) isAside(b *rag.Block) bool {
	switch b.Kind {
	case rag.BlockCode, rag.BlockTable, rag.BlockNote, rag.BlockQuote, rag.BlockMeta, rag.BlockHTML:
		return true
	case rag.BlockParagraph:
		return strings.HasPrefix(b.Span.In(d.text), "![")
	default:
		return false
	}
}

// belongs says that a block after the last list is part of the last step: a
// list, code or table that the step leads to with a colon, code on the very
// next line, or code when the steps before had theirs outside the list, too.
// label is the marker of the list's items; a list that counts as they do is
// another procedure.
func (d *document) belongs(b *rag.Block, label string, end int, first, broken bool) bool {
	switch b.Kind {
	case rag.BlockCode:
		return first && (broken || d.endsOpen(rag.Span{End: end})) || strings.Count(d.text[end:b.Span.Start], "\n") < 2
	case rag.BlockTable:
		return first && d.endsOpen(rag.Span{End: end})
	case rag.BlockList:
		other := !b.Ordered || label != "" && len(b.Children) > 0 && !markers.SameCount(label, b.Children[0].Label)
		return first && other && d.endsOpen(rag.Span{End: end})
	default:
		return false
	}
}

// endsOpen says that the text of the span ends in a colon, marks of emphasis
// aside.
func (d *document) endsOpen(s rag.Span) bool {
	t := strings.TrimRight(s.In(d.text), " \t\n*_")
	return strings.HasSuffix(t, ":") || strings.HasSuffix(t, "：")
}

// trim takes white space off the end of a span.
func (d *document) trim(s rag.Span) rag.Span {
	s.End = s.Start + len(strings.TrimRight(s.In(d.text), " \t\n"))
	return s
}

// collectParagraphs gathers steps that are paragraphs, "Step 1: …", counting
// up by one. Everything between two of them belongs to the first; of what
// follows the last, code and lists that it leads to.
func (d *document) collectParagraphs(blocks []rag.Block, i int) ([]rag.Step, int) {
	var steps []rag.Step
	last, n := i, stepNumber(blocks[i].Span.In(d.text), false)
	for k := i; k < len(blocks) && blocks[k].Kind != rag.BlockHeading; k++ {
		if blocks[k].Kind != rag.BlockParagraph {
			continue
		}
		switch got := stepNumber(blocks[k].Span.In(d.text), false); {
		case got < 0:
			continue
		case got != n+len(steps):
			k = len(blocks) - 1
		default:
			if len(steps) > 0 {
				steps[len(steps)-1].Span.End = blocks[k-1].Span.End
			}
			steps = append(steps, rag.Step{Span: d.trim(blocks[k].Span), Number: strconv.Itoa(got)})
			last = k
		}
	}
	end := last + 1
	for end < len(blocks) && d.belongs(&blocks[end], "", blocks[end-1].Span.End, end == last+1, false) {
		steps[len(steps)-1].Span.End = blocks[end].Span.End
		end++
	}
	return steps, end
}

// stepNumber reads "Step 3:" at the start of a text, also behind marks of
// emphasis and in other languages; -1 when it says nothing of the kind. In a
// heading no sign needs to stand between the number and the words.
func stepNumber(s string, heading bool) int {
	s = strings.TrimLeft(s, "*_ ")
	n, end := markers.StepNumber(s)
	if end == 0 {
		return -1
	}
	rest := strings.TrimLeft(s[end:], " \u00a0")
	r, _ := utf8.DecodeRuneInString(rest)
	switch {
	case rest == "", strings.ContainsRune(":–—-*_\n(", r):
	case len(rest) == len(s[end:]):
		if r != '.' && r != ')' {
			return -1
		}
	case !heading && !unicode.IsUpper(r):
		return -1 // "Step 2 is hard."
	}
	return n
}
