package db

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"passage/rag"
)

// checkVersion finds what would make a version wrong before anything is
// written: spans that do not fit the text, units out of order, vectors that
// are missing. The database checks again what it holds, see verify.
func checkVersion(v *rag.NewVersion) error {
	switch {
	case v.SourceURI == "" || v.SourceURI != clean(v.SourceURI):
		return rag.Errorf(rag.CodeInvalid, "A document needs a path or URL of readable characters.")
	case v.Text == "":
		return rag.Errorf(rag.CodeInvalid, "The document holds no text.")
	case v.Text != clean(v.Text):
		return rag.Errorf(rag.CodeInvalid, "The document's text holds bytes that are not text.")
	}
	if err := checkSections(v.Text, v.Outline.Sections); err != nil {
		return err
	}
	steps := make([]int, len(v.Outline.Procedures))
	for i, p := range v.Outline.Procedures {
		if err := checkProcedure(v.Text, i, p, len(v.Outline.Sections)); err != nil {
			return err
		}
		steps[i] = len(p.Steps)
	}
	if err := checkUnits(v.Text, v.Outline.Units, len(v.Outline.Sections), steps); err != nil {
		return err
	}
	return checkIndex(v.Outline.Units, v.Index, v.Recipe.Embedder, v.Dimension)
}

// checkSections wants spans that tile the text byte for byte.
func checkSections(text string, sections []rag.Section) error {
	end := 0
	for i, s := range sections {
		switch {
		case s.Ordinal != i:
			return fmt.Errorf("section %d has the ordinal %d", i, s.Ordinal)
		case s.Span.Start != end || s.Span.End < s.Span.Start || !fits(text, s.Span):
			return fmt.Errorf("section %d spans %v, after %d bytes", i, s.Span, end)
		case s.Parent >= i || s.Parent < -1:
			return fmt.Errorf("section %d has the parent %d", i, s.Parent)
		case s.TreeEnd < s.Span.End || s.TreeEnd > len(text):
			return fmt.Errorf("section %d has its tree end at %d", i, s.TreeEnd)
		}
		end = s.Span.End
		if err := checkParts(i, s); err != nil {
			return err
		}
	}
	if end != len(text) {
		return fmt.Errorf("sections end at byte %d of %d", end, len(text))
	}
	return nil
}

func checkParts(i int, s rag.Section) error {
	if len(s.Parts) == 0 {
		return nil
	}
	end := s.Span.Start
	for _, p := range s.Parts {
		if p.Start != end || p.Empty() {
			return fmt.Errorf("part %v of section %d does not follow byte %d", p, i, end)
		}
		end = p.End
	}
	if end != s.Span.End {
		return fmt.Errorf("parts of section %d end at byte %d of %d", i, end, s.Span.End)
	}
	return nil
}

func checkProcedure(text string, i int, p rag.Procedure, sections int) error {
	switch {
	case p.Ordinal != i:
		return fmt.Errorf("procedure %d has the ordinal %d", i, p.Ordinal)
	case p.Section < 0 || p.Section >= sections:
		return fmt.Errorf("procedure %d is in section %d of %d", i, p.Section, sections)
	case p.Span.Empty() || !fits(text, p.Span) || !fits(text, p.Lead) || !fits(text, p.Tail):
		return fmt.Errorf("procedure %d spans %v, lead %v, tail %v", i, p.Span, p.Lead, p.Tail)
	case len(p.Steps) == 0:
		return fmt.Errorf("procedure %d has no steps", i)
	}
	end := p.Span.Start
	for n, step := range p.Steps {
		if step.Span.Empty() || step.Span.Start < end || step.Span.End > p.Span.End {
			return fmt.Errorf("step %d of procedure %d spans %v", n, i, step.Span)
		}
		end = step.Span.End
	}
	for _, s := range p.Around {
		if s.Span.Empty() || !fits(text, s.Span) || s.Span.Overlaps(p.Span) {
			return fmt.Errorf("what is the %s of procedure %d spans %v", s.Kind, i, s.Span)
		}
	}
	return nil
}

// checkUnits wants the units of each set together, in order, numbered from 0,
// on whole characters, and sentence units that do not overlap: then the units
// with the gaps between them are the text.
func checkUnits(text string, units []rag.Unit, sections int, steps []int) error {
	done := map[rag.UnitSet]bool{}
	for i, u := range units {
		var before *rag.Unit
		if i > 0 && units[i-1].Set == u.Set {
			before = &units[i-1]
		}
		if before == nil {
			if done[u.Set] || u.Set == "" {
				return fmt.Errorf("unit %d: the set %q begins twice or has no name", i, u.Set)
			}
			done[u.Set] = true
		}
		if err := checkUnit(text, u, before); err != nil {
			return err
		}
		if u.Section < 0 || u.Section >= sections {
			return fmt.Errorf("unit %s/%d is in section %d of %d", u.Set, u.Ordinal, u.Section, sections)
		}
		if u.Procedure < 0 && u.Step >= 0 || u.Procedure >= len(steps) ||
			u.Procedure >= 0 && u.Step >= steps[u.Procedure] {
			return fmt.Errorf("unit %s/%d is step %d of procedure %d", u.Set, u.Ordinal, u.Step, u.Procedure)
		}
	}
	return nil
}

func checkUnit(text string, u rag.Unit, before *rag.Unit) error {
	ordinal, start := 0, 0
	if before != nil {
		ordinal, start = before.Ordinal+1, before.Span.Start
		if u.Set == rag.SentenceSet {
			start = before.Span.End
		}
	}
	switch {
	case u.Ordinal != ordinal:
		return fmt.Errorf("unit %s/%d should have the ordinal %d", u.Set, u.Ordinal, ordinal)
	case u.Span.Empty() || u.Span.Start < start || !fits(text, u.Span) || !fits(text, u.Header):
		return fmt.Errorf("unit %s/%d spans %v with the header %v, after byte %d of %d",
			u.Set, u.Ordinal, u.Span, u.Header, start, len(text))
	}
	return nil
}

// checkIndex wants either one vector of the dimension per unit or none at all.
func checkIndex(units []rag.Unit, index []rag.UnitIndex, embedder string, dimension int) error {
	if len(index) != len(units) {
		return fmt.Errorf("%d index entries for %d units", len(index), len(units))
	}
	if (embedder == "") != (dimension == 0) || embedder != clean(embedder) {
		return fmt.Errorf("embedder %q with the dimension %d", embedder, dimension)
	}
	for i := range index {
		if len(index[i].Vector) != dimension {
			return fmt.Errorf("unit %s/%d has a vector of length %d, not %d",
				units[i].Set, units[i].Ordinal, len(index[i].Vector), dimension)
		}
		if dimension > 0 && !usable(index[i].Vector) {
			return fmt.Errorf("unit %s/%d has a vector without direction", units[i].Set, units[i].Ordinal)
		}
	}
	return nil
}

// usable says that a cosine with the vector is defined.
func usable(vector []float32) bool {
	var sum float64
	for _, x := range vector {
		sum += float64(x) * float64(x)
	}
	return sum > 0 && !math.IsInf(sum, 0) && !math.IsNaN(sum)
}

// fits says that a span lies in the text and cuts no character.
func fits(text string, s rag.Span) bool {
	if s.Start < 0 || s.End < s.Start || s.End > len(text) {
		return false
	}
	return boundary(text, s.Start) && boundary(text, s.End)
}

func boundary(text string, i int) bool { return i == len(text) || utf8.RuneStart(text[i]) }

// unitSets lists the sets of units in order of appearance.
func unitSets(units []rag.Unit) []rag.UnitSet {
	var sets []rag.UnitSet
	for i, u := range units {
		if i == 0 || units[i-1].Set != u.Set {
			sets = append(sets, u.Set)
		}
	}
	return sets
}

// cleaned copies what a version says in words of its own, without what
// Postgres cannot store.
func cleaned(v rag.NewVersion) rag.NewVersion {
	v.Title, v.Successor = strings.TrimSpace(clean(v.Title)), successorRef(v.Successor)
	v.Meta, v.Warnings = cleanMap(v.Meta), cleanAll(v.Warnings)
	return v
}
