package diff_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/diff"
	"passage/rag/extract"
	"passage/rag/split"
	"passage/rag/tokens"
)

func reading(t *testing.T, text string) *rag.Reading {
	t.Helper()
	x, err := extract.File(t.Context(), "a.md", []byte(text))
	require.NoError(t, err)
	tok, err := tokens.CL100K()
	require.NoError(t, err)
	o, err := split.Split(x, split.Options{Tokens: tok})
	require.NoError(t, err)
	return &rag.Reading{Text: x.Text, Outline: o}
}

// tell writes sections as "state path" and changed ones with their pieces.
func tell(sections []diff.Section) []string {
	var out []string
	for _, s := range sections {
		out = append(out, string(s.State)+" "+strings.Join(s.Path, "/"))
		if s.State != diff.Changed {
			continue
		}
		for _, p := range s.Pieces() {
			if text := strings.TrimSpace(p.Text); p.State != diff.Same && text != "" {
				out = append(out, map[diff.State]string{diff.Added: "+ ", diff.Removed: "- "}[p.State]+text)
			}
		}
	}
	return out
}

const before = `# Rotate

Keys end after 90 days. Rotate one at a time.

## Steps

1. Drain it.
2. Wait for 5 minutes.

## Ports

| Broker | Port |
|---|---|
| b-1 | 9092 |
| b-2 | 9093 |
`

func TestSections(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		after string
		want  []string
	}{
		"nothing changed": {before, []string{"same Rotate", "same Rotate/Steps", "same Rotate/Ports"}},
		"a dose in a sentence of a line": {
			strings.Replace(before, "90 days", "30 days", 1),
			[]string{"changed Rotate", "- Keys end after 90 days.", "+ Keys end after 30 days.", "same Rotate/Steps", "same Rotate/Ports"},
		},
		"a step and a row": {
			strings.Replace(strings.Replace(before, "2. Wait for 5 minutes.", "2. Stop it.\n3. Wait for 5 minutes.", 1), "| b-2 | 9093 |\n", "", 1),
			[]string{
				"same Rotate", "changed Rotate/Steps", "- 2. Wait for 5 minutes.", "+ 2. Stop it.", "+ 3. Wait for 5 minutes.",
				"changed Rotate/Ports", "- | b-2 | 9093 |",
			},
		},
		"a section more and one less": {
			strings.Replace(before, "## Steps\n\n1. Drain it.\n2. Wait for 5 minutes.\n", "## Before\n\nAsk first.\n", 1),
			[]string{"same Rotate", "removed Rotate/Steps", "added Rotate/Before", "same Rotate/Ports"},
		},
		"another title": {
			strings.Replace(before, "# Rotate", "# Rotate keys", 1),
			[]string{"changed Rotate keys", "- # Rotate", "+ # Rotate keys", "same Rotate keys/Steps", "same Rotate keys/Ports"},
		},
		"another title and text": {
			strings.Replace(before, "# Rotate\n\nKeys end", "# Rotate keys\n\nThey end", 1),
			[]string{
				"changed Rotate keys", "- # Rotate", "+ # Rotate keys", "- Keys end after 90 days.", "+ They end after 90 days.",
				"same Rotate keys/Steps", "same Rotate keys/Ports",
			},
		},
		"another heading": {
			strings.Replace(before, "## Ports", "## Doors", 1),
			[]string{"same Rotate", "same Rotate/Steps", "changed Rotate/Doors", "- ## Ports", "+ ## Doors"},
		},
		"all of it": {"Nothing is left.\n", []string{"removed Rotate", "removed Rotate/Steps", "removed Rotate/Ports", "added "}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.want, tell(diff.Sections(reading(t, before), reading(t, tt.after))))
		})
	}
}

// Two headings of one path are told apart by their texts, else by their order.
func TestSectionsOfOnePath(t *testing.T) {
	t.Parallel()
	a := reading(t, "# A\n\nOne.\n\n# A\n\nTwo.\n")
	b := reading(t, "# A\n\nNew.\n\n# A\n\nOne.\n\n# A\n\nTwo.\n")
	require.Equal(t, []string{"added A", "same A", "same A"}, tell(diff.Sections(a, b)))
}

// Nothing is lost: sections and pieces give both texts, byte for byte.
func TestDiffLosesNothing(t *testing.T) {
	t.Parallel()
	lines := []string{
		"# A", "## B", "## C", "### D", "", "", "One. Two. Three.", "- item one. More.", "1. step", "2. step", "```", "code  x", "| a | b |", "|---|---|", "> quote. Again.",
		"<script>alert(1)</script>", "  indented\t", "ünï. Ende.",
	}
	for seed := range uint64(25) {
		r := rand.New(rand.NewPCG(seed, 3))
		random := func() *rag.Reading {
			var b strings.Builder
			b.WriteString("Text.\n")
			for range r.IntN(40) {
				b.WriteString(lines[r.IntN(len(lines))] + "\n")
			}
			return reading(t, b.String())
		}
		old, now := random(), random()
		sections := diff.Sections(old, now)
		require.Len(t, kept(sections, diff.Added), len(old.Outline.Sections), "every old section once")
		var after strings.Builder
		for _, s := range sections {
			var was, is strings.Builder
			for _, p := range s.Pieces() {
				if p.State != diff.Added {
					was.WriteString(p.Text)
				}
				if p.State != diff.Removed {
					is.WriteString(p.Text)
				}
			}
			require.Equal(t, s.Old, was.String())
			require.Equal(t, s.New, is.String())
			after.WriteString(s.New)
		}
		require.Equal(t, now.Text, after.String())
	}
}

// kept gives the sections that are not of the state.
func kept(sections []diff.Section, but diff.State) []diff.Section {
	var out []diff.Section
	for _, s := range sections {
		if s.State != but {
			out = append(out, s)
		}
	}
	return out
}

func TestSameVersionTwiceIsTheSame(t *testing.T) {
	t.Parallel()
	r := reading(t, before)
	for _, s := range diff.Sections(r, r) {
		require.Equal(t, diff.Same, s.State)
		for _, p := range s.Pieces() {
			require.Equal(t, diff.Same, p.State)
		}
	}
}

// BenchmarkSections compares two long documents without a line in common, and
// two that differ in every tenth.
func BenchmarkSections(b *testing.B) {
	text := func(word string, each int) *rag.Reading {
		var t strings.Builder
		for i := range 100_000 {
			if i%each == 0 {
				fmt.Fprintf(&t, "%s ", word)
			}
			fmt.Fprintf(&t, "line %d\n", i)
		}
		s := t.String()
		return &rag.Reading{Text: s, Outline: rag.Outline{Sections: []rag.Section{{Parent: -1, Span: rag.Span{End: len(s)}, TreeEnd: len(s)}}}}
	}
	for _, each := range []int{1, 10} {
		one, two := text("one", each), text("two", each)
		b.Run(fmt.Sprintf("every %d", each), func(b *testing.B) {
			for b.Loop() {
				for _, s := range diff.Sections(one, two) {
					s.Pieces()
				}
			}
		})
	}
}
