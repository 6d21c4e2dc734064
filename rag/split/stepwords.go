package split

import (
	"strconv"
	"strings"

	"passage/rag"
)

// callsSteps says that an unordered list is called steps: by a paragraph right
// before it, or by its heading when it is the first list there. It is meant to
// be strict, since most bullets are no steps.
func (d *document) callsSteps(blocks []rag.Block, i int, heading string) bool {
	if len(blocks[i].Children) < 2 {
		return false
	}
	if i > 0 && blocks[i-1].Kind == rag.BlockParagraph {
		words := d.plain(blocks[i-1].Span)
		if strings.HasSuffix(words, ":") && saysSteps(words) {
			return true
		}
	}
	if !namesSteps(heading) {
		return false
	}
	for k := i - 1; k >= 0 && blocks[k].Kind != rag.BlockHeading; k-- {
		if blocks[k].Kind == rag.BlockList {
			return false
		}
	}
	return true
}

// saysSteps says that a lead-in announces steps to be done in order.
func saysSteps(words string) bool {
	w := strings.ToLower(words)
	if strings.Contains(w, "one of ") || strings.Contains(w, "any of ") {
		return false // alternatives
	}
	for _, phrase := range [...]string{
		"following steps", "these steps", "steps below", "steps to ", "following procedure", "following instructions", "do the following", "in this order", "in order:",
		"in the following order", "folgende schritte", "étapes suivantes", "siguientes pasos", "seguenti passaggi",
	} {
		if strings.Contains(w, phrase) {
			return true
		}
	}
	return false
}

// namesSteps says that a heading is a name for steps.
func namesSteps(heading string) bool {
	h := strings.ToLower(strings.TrimRight(heading, ": "))
	switch h {
	case "steps", "step by step", "step-by-step", "procedure", "procedures", "instructions", "checklist", "walkthrough", "schritte", "vorgehen", "anleitung", "étapes", "pasos", "procedimiento":
		return true
	}
	return strings.HasPrefix(h, "steps to ") || strings.HasSuffix(h, " steps") || strings.HasSuffix(h, " procedure") || strings.HasSuffix(h, " instructions") || strings.HasSuffix(h, " checklist")
}

// listsSources says that a list under the heading is a bibliography or a table
// of contents, numbered but no procedure.
func listsSources(heading string) bool {
	switch strings.ToLower(strings.TrimRight(heading, ": ")) {
	case "references", "bibliography", "footnotes", "endnotes", "sources", "table of contents", "contents", "toc", "literatur", "quellen", "inhalt", "références", "referencias":
		return true
	}
	return false
}

// stepHeadings finds procedures whose steps are sections: siblings that are
// called "Step 1", "Step 2" and so on. A step is the whole tree below its
// heading.
func (d *document) stepHeadings() {
	for i := 0; i < len(d.sections); i++ {
		n, number := headingNumber(d.sections[i].Heading)
		if n < 0 {
			continue
		}
		first := d.sections[i]
		steps := []rag.Step{{Span: d.trim(rag.Span{Start: first.Span.Start, End: first.TreeEnd}), Number: number}}
		next := first.TreeEnd
		for k := i + 1; k < len(d.sections); k++ {
			s := d.sections[k]
			if s.Span.Start < next {
				continue
			}
			got, number := headingNumber(s.Heading)
			if s.Parent != first.Parent || s.Level != first.Level || got != n+len(steps) {
				break
			}
			steps = append(steps, rag.Step{Span: d.trim(rag.Span{Start: s.Span.Start, End: s.TreeEnd}), Number: number})
			next = s.TreeEnd
		}
		if len(steps) < 2 {
			continue
		}
		d.procedures = append(d.procedures, rag.Procedure{
			Span: rag.Span{Start: steps[0].Span.Start, End: steps[len(steps)-1].Span.End}, Steps: steps,
		})
		for i+1 < len(d.sections) && d.sections[i+1].Span.Start < next {
			i++
		}
	}
}

// headingNumber reads the number of "Step 2: drain the node" or "Step two";
// -1 when the heading names no step.
func headingNumber(heading string) (n int, number string) {
	if n := stepNumber(heading); n > 0 || len(heading) > 5 && strings.EqualFold(heading[:5], "step ") && strings.HasPrefix(heading[5:], "0") {
		return n, strconv.Itoa(n)
	}
	if len(heading) <= 5 || !strings.EqualFold(heading[:5], "step ") {
		return -1, ""
	}
	word, _, _ := strings.Cut(strings.TrimSpace(heading[5:]), " ")
	word = strings.ToLower(strings.TrimRight(word, ":.–-"))
	for i, w := range [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if word == w {
			return i + 1, strconv.Itoa(i + 1)
		}
	}
	return -1, ""
}
