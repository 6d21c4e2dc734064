package split_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/split"
)

// tree shows sections as "level parent path | text".
func tree(x rag.Extraction, o rag.Outline) []string {
	out := make([]string, len(o.Sections))
	for i, s := range o.Sections {
		out[i] = strconv.Itoa(s.Level) + " " + strconv.Itoa(s.Parent) + " " + strings.Join(s.Path, " › ") + " | " +
			strings.ReplaceAll(x.Text[s.Span.Start:s.TreeEnd], "\n", "⏎")
	}
	return out
}

func TestSections(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text string
		want       []string
	}{
		{"tree", "# A\n## B\nb\n## C\n# D\n", []string{"1 -1 A | # A⏎## B⏎b⏎## C⏎", "2 0 A › B | ## B⏎b⏎", "2 0 A › C | ## C⏎", "1 -1 D | # D⏎"}},
		{"before the first heading", "Intro.\n\n# A\n", []string{"0 -1  | Intro.⏎⏎", "1 -1 A | # A⏎"}},
		{"front matter", "---\na: b\n---\n# A\n", []string{"0 -1  | ---⏎a: b⏎---⏎", "1 -1 A | # A⏎"}},
		{"blank lines before it", "\n\n  # A\nb", []string{"1 -1 A | ⏎⏎  # A⏎b"}},
		{"no heading", "Text.", []string{"0 -1  | Text."}},
		{"skipped levels", "# A\n#### B\n## C\n", []string{"1 -1 A | # A⏎#### B⏎## C⏎", "4 0 A › B | #### B⏎", "2 0 A › C | ## C⏎"}},
		{"higher after lower", "### A\n# B\n", []string{"3 -1 A | ### A⏎", "1 -1 B | # B⏎"}},
		{"duplicate and empty", "# A\n#\n# A\n", []string{"1 -1 A | # A⏎", "1 -1  | #⏎", "1 -1 A | # A⏎"}},
		{"markup and indentation", "# *A* `b_c` [d](e) &amp; #\n  ## C\n", []string{"1 -1 A b_c d & | # *A* `b_c` [d](e) &amp; #⏎  ## C⏎", "2 0 A b_c d & › C |   ## C⏎"}},
		{"setext", "A\n===\nb\n\nC\n---\n", []string{"1 -1 A | A⏎===⏎b⏎⏎C⏎---⏎", "2 0 A › C | C⏎---⏎"}},
		{"T26 in fences and lists", "# A\n```sh\n# b\n```\n~~~\n# c\n~~~\n\n    # d\n\n- # e\n", []string{"1 -1 A | # A⏎```sh⏎# b⏎```⏎~~~⏎# c⏎~~~⏎⏎    # d⏎⏎- # e⏎"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x, o := outline(t, "a.md", c.text)
			require.Equal(t, c.want, tree(x, o))
		})
	}
}

// T29: line ends change no section.
func TestSectionsOfAnyLineEnd(t *testing.T) {
	t.Parallel()
	text := "---\ntitle: T\n---\n# A\n\ntext\n\n## B\n\n1. x\n   a) z\n   b) q\n2. y\n\nStep 1: r\n\nStep 2: s\n\nTerm\n: t\n"
	x, o := outline(t, "a.md", text)
	for _, end := range []string{"\r\n", "\r"} {
		again, other := outline(t, "a.md", strings.ReplaceAll(text, "\n", end))
		require.Equal(t, x.Text, again.Text)
		require.Equal(t, o, other)
	}
}

func TestParts(t *testing.T) {
	t.Parallel()
	tok := cl100k(t)
	words := strings.Repeat("The broker restarts and rejoins the cluster. ", 12) // about 100 tokens
	list := "1. " + words + "\n2. " + words + "\n3. " + words + "\n"
	rows := "| a | b |\n|---|---|\n" + strings.Repeat("| one | two |\n", 100)
	for _, c := range []struct {
		name, text string
		limit      int
		cuts       []string // how each part but the first starts
	}{
		{"between paragraphs, in about equal parts", "# A\n\n" + strings.Repeat("P. "+words+"\n\n", 6), 450, []string{"P. "}},
		{"not inside a procedure", "# A\n\n" + words + "\n\nDo the following:\n\n" + list + "\nEnd. " + words, 420, []string{"Do the following", "End. "}},
		{"between the steps of a procedure over the cap", "# A\n\n" + list, 150, []string{"2. ", "3. "}},
		{"not after a paragraph that leads on", "# A\n\n" + words + "\n\nThus:\n\n```\n" + strings.Repeat("x y z\n", 60) + "```\n", 320, []string{"Thus:"}},
		{"between rows", "# A\n\n" + rows, 320, []string{"| one"}},
		{"between sentences", "# A\n\n" + strings.Repeat(words, 4), 250, []string{"The broker", "The broker"}},
		{"inside a step over the cap", "# A\n\n1. x\n2. y\n\n   " + words + "\n\n   " + words + "\n3. z\n", 150, []string{"   The broker"}},
		{"code is never cut", "# A\n\n```\n" + strings.Repeat("x y z\n", 200) + "```\n", 100, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			x := read(t, "a.md", c.text)
			o, err := split.Split(x, split.Options{Tokens: tok, SectionCap: c.limit})
			require.NoError(t, err)
			requireOutline(t, x, o)
			parts := o.Sections[0].Parts
			require.Len(t, parts, len(c.cuts)+1)
			for i, start := range c.cuts {
				require.True(t, strings.HasPrefix(parts[i+1].In(x.Text), start), "part %d is %q", i+1, parts[i+1].In(x.Text))
				require.LessOrEqual(t, tok.Count(parts[i+1].In(x.Text)), c.limit)
			}
		})
	}
}

// Parts are never cut inside a procedure that fits into one, and a part ends
// only where a block does or inside one that is over the cap.
func TestPartsKeepProceduresWhole(t *testing.T) {
	t.Parallel()
	tok := cl100k(t)
	words := strings.Repeat("The broker restarts and rejoins the cluster. ", 8) // about 70 tokens
	made := read(t, "a.md", "# A\n\n"+words+"\n\n**Warning:** "+words+"\n\n> [!NOTE]\n> "+words+"\n\nDo this:\n\n1. "+words+"\n2. "+words+"\n\nVerify it. "+words+"\n\n"+words+"\n")
	const limit = 200
	kept := 0
	for _, x := range append(readings(t, ".md"), made) {
		o, err := split.Split(x, split.Options{Tokens: tok, SectionCap: limit})
		require.NoError(t, err)
		for _, p := range o.Procedures {
			s := o.Sections[p.Section]
			if len(s.Parts) < 2 || !s.Span.Contains(p.Span) || tok.Count(p.Span.In(x.Text)) > limit {
				continue
			}
			kept++
			for _, part := range s.Parts[1:] {
				require.False(t, p.Span.Start < part.Start && part.Start < p.Span.End, "%q is cut at %q", p.Span.In(x.Text), part.In(x.Text))
			}
		}
	}
	require.Positive(t, kept)
}

// T27: a fence that is never closed takes no section before it and loses no
// line after it.
func TestUnclosedFence(t *testing.T) {
	t.Parallel()
	x, o := outline(t, "a.md", "# A\n\na\n\n## B\n\n1. b\n2. c\n\n```sh\n# d\n\n## e\n")
	require.Len(t, o.Sections, 2)
	require.Equal(t, []string{"heading # A", "sentence a", "heading ## B", "item 1. b", "item 2. c", "code ```sh\n# d\n\n## e"}, texts(x, o))
	require.Len(t, x.Warnings, 1)
}

func TestSplitRefusesBrokenBlocks(t *testing.T) {
	t.Parallel()
	for name, blocks := range map[string][]rag.Block{
		"outside the text": {{Kind: rag.BlockParagraph, Span: rag.Span{Start: 0, End: 9}}},
		"out of order":     {{Kind: rag.BlockParagraph, Span: rag.Span{Start: 2, End: 4}}, {Kind: rag.BlockParagraph, Span: rag.Span{Start: 0, End: 2}}},
		"outside parent":   {{Kind: rag.BlockQuote, Span: rag.Span{Start: 0, End: 2}, Children: []rag.Block{{Kind: rag.BlockParagraph, Span: rag.Span{Start: 1, End: 3}}}}},
		"inside a rune":    {{Kind: rag.BlockParagraph, Span: rag.Span{Start: 0, End: 5}}},
	} {
		_, err := split.Split(rag.Extraction{Text: "abcdé", Blocks: blocks}, split.Options{})
		require.Error(t, err, name)
	}
}
