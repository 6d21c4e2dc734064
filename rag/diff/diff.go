// Package diff compares two versions of a document, section by section.
//
// Sections are matched by their heading paths; what is left over is matched by
// the heading alone, and then by the text below it, so that a new title does not
// make a whole document new. Inside a matched section the sentences and lines
// are compared. The pieces of a change, joined, give the text of the section
// before and after byte for byte.
package diff

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff/lcs"

	"passage/rag"
)

// State says what became of a section or of a piece of it.
type State string

// The states.
const (
	Same    State = "same"
	Changed State = "changed" // of a section only
	Added   State = "added"
	Removed State = "removed"
)

// Piece is a part of a section: a sentence, a line, or several of them.
type Piece struct {
	State State
	Text  string
}

// Section is what became of a section.
type Section struct {
	State  State
	Path   []string // of headings, as they are now; as they were for a removed one
	Was    []string // the path before, where it is another one
	Old    string   // its text before; "" for an added one
	New    string   // its text now; "" for a removed one
	before *side
	after  *side
	i, j   int // ordinals before and after, -1 for none
}

// side is one of the two versions.
type side struct {
	text    string
	outline *rag.Outline
	units   []rag.Unit // of the sentence set
}

func (s *side) section(i int) string { return s.outline.Sections[i].Span.In(s.text) }

// below is the text of a section without its heading line.
func (s *side) below(i int) string {
	text := s.section(i)
	if s.outline.Sections[i].Level == 0 {
		return text
	}
	_, rest, _ := strings.Cut(text, "\n")
	return strings.TrimSpace(rest)
}

// Sections compares two versions. Sections come in the order of the new one; a
// removed one stands behind those that it followed.
func Sections(before, after *rag.Reading) []Section {
	a := &side{text: before.Text, outline: &before.Outline, units: before.Outline.UnitsOf(rag.SentenceSet)}
	b := &side{text: after.Text, outline: &after.Outline, units: after.Outline.UnitsOf(rag.SentenceSet)}
	matched := match(a, b)
	taken := make([]int, len(b.outline.Sections)) // the old ordinal of each new one, or -1
	for j := range taken {
		taken[j] = -1
	}
	for i, j := range matched {
		if j >= 0 {
			taken[j] = i
		}
	}
	var out []Section
	shown := make([]bool, len(matched))
	removed := func(from int) { // those without a match from there on
		for i := from; i < len(matched) && matched[i] < 0; i++ {
			if !shown[i] {
				shown[i] = true
				out = append(out, section(a, b, i, -1))
			}
		}
	}
	removed(0)
	for j, i := range taken {
		out = append(out, section(a, b, i, j))
		if i >= 0 {
			removed(i + 1)
		}
	}
	return out
}

func section(a, b *side, i, j int) Section {
	s := Section{before: a, after: b, i: i, j: j}
	if i >= 0 {
		s.Old, s.Path = a.section(i), a.outline.Sections[i].Path
	}
	if j >= 0 {
		if i >= 0 && !slices.Equal(s.Path, b.outline.Sections[j].Path) {
			s.Was = s.Path
		}
		s.New, s.Path = b.section(j), b.outline.Sections[j].Path
	}
	switch {
	case i < 0:
		s.State = Added
	case j < 0:
		s.State = Removed
	case s.Old == s.New:
		s.State = Same
	default:
		s.State = Changed
	}
	return s
}

// match gives for each old section the new one that it became, or -1.
func match(a, b *side) []int {
	matched := make([]int, len(a.outline.Sections))
	for i := range matched {
		matched[i] = -1
	}
	free := make([]bool, len(b.outline.Sections))
	for j := range free {
		free[j] = true
	}
	for _, key := range []func(*side, int) string{
		func(s *side, i int) string {
			return strings.Join(s.outline.Sections[i].Path, "\x00") + "\x00\x00" + s.section(i)
		},
		func(s *side, i int) string { return "\x00" + strings.Join(s.outline.Sections[i].Path, "\x00") },
		func(s *side, i int) string {
			if s.outline.Sections[i].Heading == "" {
				return ""
			}
			return "\x00" + s.outline.Sections[i].Heading
		},
		func(s *side, i int) string { return s.below(i) },
		func(s *side, i int) string { // the only one of the highest level: the title of the document
			if s.outline.Sections[i].Level == 1 && top(s) == 1 {
				return "title"
			}
			return ""
		},
	} {
		byKey := map[string][]int{}
		for j := range free {
			if k := key(b, j); free[j] && k != "" {
				byKey[k] = append(byKey[k], j)
			}
		}
		for i := range matched {
			if matched[i] >= 0 {
				continue
			}
			if k := key(a, i); k != "" && len(byKey[k]) > 0 {
				matched[i], byKey[k] = byKey[k][0], byKey[k][1:]
				free[matched[i]] = false
			}
		}
	}
	return matched
}

// top is how many sections of level 1 there are.
func top(s *side) int {
	n := 0
	for i := range s.outline.Sections {
		if s.outline.Sections[i].Level == 1 {
			n++
		}
	}
	return n
}

// Pieces compares what a section was with what it is. Neighbours of one state
// are separate pieces: sentences, items, rows and lines.
func (s Section) Pieces() []Piece {
	var old, now []string
	if s.i >= 0 {
		old = s.before.pieces(s.i)
	}
	if s.j >= 0 {
		now = s.after.pieces(s.j)
	}
	out := make([]Piece, 0, len(old)+len(now))
	add := func(state State, texts []string) {
		for _, text := range texts {
			out = append(out, Piece{State: state, Text: text})
		}
	}
	at := 0
	for _, d := range lcs.DiffLines(old, now) {
		add(Same, old[at:d.Start])
		add(Removed, old[d.Start:d.End])
		add(Added, now[d.ReplStart:d.ReplEnd])
		at = d.End
	}
	add(Same, old[at:])
	return out
}

// pieces cuts a section behind each line, and inside of a line between units.
func (s *side) pieces(i int) []string {
	span := s.outline.Sections[i].Span
	from, _ := slices.BinarySearchFunc(s.units, span.Start, func(u rag.Unit, at int) int { return u.Span.Start - at })
	var out []string
	at := span.Start
	cut := func(end int) {
		out = append(out, s.text[at:end])
		at = end
	}
	lines := func(end int) {
		for n := strings.IndexByte(s.text[at:end], '\n'); n >= 0; n = strings.IndexByte(s.text[at:end], '\n') {
			cut(at + n + 1)
		}
	}
	before := -1 // where the last unit began
	for _, u := range s.units[from:] {
		if u.Span.Start >= span.End {
			break
		}
		lines(u.Span.Start)
		if before >= at && before < u.Span.Start { // the same line
			cut(u.Span.Start)
		}
		before = u.Span.Start
	}
	lines(span.End)
	if at < span.End {
		cut(span.End)
	}
	return out
}
