package split

import (
	"strconv"
	"strings"

	"passage/rag"
	"passage/rag/extract/names"
)

// stepHeadings finds procedures whose steps are sections: siblings that are
// called "Step 1", "Step 2" and so on, or "1. Drain the node", "Phase 2: …"
// where it is certain that these are steps. A step is the whole tree below its
// heading.
func (d *document) stepHeadings() {
	for i := 0; i < len(d.sections); i++ {
		first, kind := headingNumber(d.sections[i].Heading)
		if kind == noNumber || first > 1 && kind != stepNumbered {
			continue
		}
		run := d.headingRun(i, first, kind)
		if len(run) < 2 || kind != stepNumbered && !d.headingsOrder(run, kind) {
			continue
		}
		steps := make([]rag.Step, len(run))
		for k, ordinal := range run {
			s := &d.sections[ordinal]
			steps[k] = rag.Step{Span: d.trim(rag.Span{Start: s.Span.Start, End: s.TreeEnd}), Number: strconv.Itoa(first + k)}
		}
		end := d.sections[run[len(run)-1]].TreeEnd
		d.procedures = append(d.procedures, rag.Procedure{
			Span: rag.Span{Start: steps[0].Span.Start, End: steps[len(steps)-1].Span.End}, Steps: steps,
		})
		for i+1 < len(d.sections) && d.sections[i+1].Span.Start < end {
			i++
		}
	}
}

// headingRun gives the ordinals of the sections that count on from the section
// i, which carries the number n: its next siblings, one by one.
func (d *document) headingRun(i, n int, kind headingKind) []int {
	first := d.sections[i]
	run := []int{i}
	next := first.TreeEnd
	for k := i + 1; k < len(d.sections); k++ {
		s := &d.sections[k]
		if s.Span.Start < next {
			continue
		}
		got, other := headingNumber(s.Heading)
		if s.Parent != first.Parent || s.Level != first.Level || other != kind || got != n+len(run) {
			break
		}
		run = append(run, k)
		next = s.TreeEnd
	}
	return run
}

// headingsOrder says that numbered headings are steps and not chapters, which
// long documents number too. Their parent must name steps or ask how, or each
// of them must begin with an order; and none may be the usual name of a
// chapter.
func (d *document) headingsOrder(run []int, kind headingKind) bool {
	orderly := true
	for k, ordinal := range run {
		words := headingWords(d.sections[ordinal].Heading)
		switch names.Of(words) {
		case names.None, names.Check:
		default:
			return false
		}
		orderly = orderly && (orders(words) || k > 0 && ordersIf(words))
	}
	if orderly && kind == plainNumbered {
		return true
	}
	parent := d.sections[run[0]].Parent
	if parent < 0 {
		return false
	}
	heading := d.sections[parent].Heading
	return names.Of(heading) == names.Steps || asksHow(heading)
}

// headingKind is how a heading is numbered.
type headingKind int

const (
	noNumber      headingKind = iota
	stepNumbered              // Step 2
	phaseNumbered             // Phase 2, Stage 2
	plainNumbered             // 2. or 2)
)

// headingNumber reads the number of "Step 2: drain the node", "Step two",
// "Phase 2" or "2. Drain the node".
func headingNumber(heading string) (n int, kind headingKind) {
	if n := stepNumber(heading, true); n >= 0 {
		return n, stepNumbered
	}
	word, rest, _ := strings.Cut(heading, " ")
	if n := strings.TrimRight(word, ".)"); len(n) == len(word)-1 && rest != "" {
		if n, err := strconv.Atoi(n); err == nil && n < 1000 {
			return n, plainNumbered
		}
	}
	switch strings.ToLower(word) {
	case "step":
		kind = stepNumbered
	case "phase", "stage":
		kind = phaseNumbered
	default:
		return 0, noNumber
	}
	word, _, _ = strings.Cut(strings.TrimSpace(rest), " ")
	word = strings.ToLower(strings.TrimRight(word, ":.–-"))
	if n, err := strconv.Atoi(word); err == nil && 0 <= n && n < 1000 {
		return n, kind
	}
	for i, w := range [...]string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"} {
		if word == w {
			return i + 1, kind
		}
	}
	return 0, noNumber
}

// headingWords is a heading without its number.
func headingWords(heading string) string {
	_, words, _ := strings.Cut(heading, " ")
	if _, kind := headingNumber(heading); kind == phaseNumbered {
		_, words, _ = strings.Cut(words, " ")
	}
	return strings.TrimLeft(words, ":.–—- ")
}
