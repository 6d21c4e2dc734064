package split_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract"
	"passage/rag/split"
	"passage/rag/tokens"
)

// Every document of the development data, and some made for the purpose, keep
// invariant 1: units and gaps give the text, sections tile it, parts tile their
// section, and nothing that a document says is in a gap (T09, T21, T30).
func TestOutlineHoldsEverything(t *testing.T) {
	t.Parallel()
	tok := cl100k(t)
	for _, x := range append(readings(t, ".md", ".txt"), read(t, "a.md", everything)) {
		limits := []int{rag.DefaultCap}
		if len(x.Text) < 20_000 {
			limits = append(limits, 64)
		}
		for _, limit := range limits {
			o, err := split.Split(x, split.Options{Tokens: tok, SectionCap: limit})
			require.NoError(t, err)
			requireOutline(t, x, o)
			for _, s := range o.Sections {
				require.Equal(t, s.Tokens > limit, len(s.Parts) > 0)
			}
		}
	}
}

// everything has one of each kind of block, in odd places.
const everything = "---\ntitle: All\n---\n\nBefore the first heading.\n\n# A *title* [here](x)\n\n> Quoted one. Two\n> lines. Three.\n\n## \n\n" +
	"!!! warning \"Mind the gap\"\n    Stop. First.\n\n1. ```sh\n   # code first\n   ```\n2. [ ] Task with words. Two sentences.\n   - nested\n\n     Second paragraph. Of it.\n3.\n\n" +
	"| a | b |\n|---|---|\n| 1 | `x|y` |\n|   |   |\n\n<!-- a comment with words -->\n<br>\n<p>Words in HTML. More.</p>\n\n[ref]: http://example.com\n\n    indented code\n      deeper\n\n" +
	"```\n```\n\n***\n\nSetext\n======\n\nLast. Words[^1]\n\n[^1]: A footnote. Two.\n\n~~~\nnever closed\n"

func read(tb testing.TB, name, text string) rag.Extraction {
	tb.Helper()
	x, err := extract.File(tb.Context(), name, []byte(text))
	require.NoError(tb, err)
	return x
}

func cl100k(tb testing.TB) tokens.Tokenizer {
	tb.Helper()
	return tokenizers(tb)[0]
}

func outline(tb testing.TB, name, text string) (rag.Extraction, rag.Outline) {
	tb.Helper()
	x := read(tb, name, text)
	o, err := split.Split(x, split.Options{})
	require.NoError(tb, err)
	requireOutline(tb, x, o)
	return x, o
}

// requireOutline checks what holds for every outline.
func requireOutline(tb testing.TB, x rag.Extraction, o rag.Outline) {
	tb.Helper()
	at := 0
	for i, s := range o.Sections {
		require.Equal(tb, i, s.Ordinal)
		require.Equal(tb, at, s.Span.Start)
		require.LessOrEqual(tb, s.Span.End, s.TreeEnd)
		require.Less(tb, s.Parent, i)
		if s.Parent >= 0 {
			require.Less(tb, o.Sections[s.Parent].Level, s.Level)
			require.LessOrEqual(tb, s.TreeEnd, o.Sections[s.Parent].TreeEnd)
		}
		at = s.Span.End
		part := s.Span.Start
		for _, p := range s.Parts {
			require.Equal(tb, part, p.Start)
			require.False(tb, p.Empty(), "%v of %v", s.Parts, s.Span)
			part = p.End
		}
		require.True(tb, s.Parts == nil || part == s.Span.End)
	}
	require.Equal(tb, len(x.Text), at)
	requireProcedures(tb, x, o)
	requireUnits(tb, x, o)
}

func requireProcedures(tb testing.TB, x rag.Extraction, o rag.Outline) {
	tb.Helper()
	at := 0
	for i, p := range o.Procedures {
		require.Equal(tb, i, p.Ordinal)
		require.GreaterOrEqual(tb, p.Span.Start, at)
		require.True(tb, p.Lead.Empty() || p.Lead.Start >= at && p.Lead.End <= p.Span.Start)
		require.True(tb, p.Tail.Empty() || p.Tail.Start >= p.Span.End)
		require.GreaterOrEqual(tb, len(p.Steps), 2)
		require.Equal(tb, p.Span.Start, p.Steps[0].Span.Start)
		require.Equal(tb, p.Span.End, p.Steps[len(p.Steps)-1].Span.End)
		require.True(tb, o.Sections[p.Section].Span.Start <= p.Span.Start && p.Span.Start < o.Sections[p.Section].Span.End)
		step := p.Span.Start
		for _, s := range p.Steps {
			require.GreaterOrEqual(tb, s.Span.Start, step)
			require.Empty(tb, strings.Trim(x.Text[step:s.Span.Start], " \t\n>"), "between steps")
			step = s.Span.End
		}
		at = max(p.Span.End, p.Tail.End)
	}
}

func requireUnits(tb testing.TB, x rag.Extraction, o rag.Outline) {
	tb.Helper()
	silent := markup(x.Text, x.Blocks, make([]bool, len(x.Text)))
	at, paragraph := 0, 0
	for i, u := range o.UnitsOf(rag.SentenceSet) {
		if fault := unitFault(x.Text, o, u, at, paragraph); fault != "" || u.Ordinal != i {
			require.Fail(tb, fault, "unit %d: %q", i, u.Span.In(x.Text))
		}
		requireSilent(tb, x.Text, silent, at, u.Span.Start)
		at, paragraph = u.Span.End, u.Paragraph
	}
	requireSilent(tb, x.Text, silent, at, len(x.Text))
}

// unitFault says what is wrong with a unit, given where the one before it ends
// and its paragraph.
func unitFault(text string, o rag.Outline, u rag.Unit, at, paragraph int) string {
	words := u.Span.In(text)
	first, _ := utf8.DecodeRuneInString(words)
	last, _ := utf8.DecodeLastRuneInString(words)
	prose := u.Kind == rag.UnitSentence || u.Kind == rag.UnitItem
	section := o.Sections[u.Section].Span
	switch {
	case u.Span.Start < at:
		return "out of order"
	case u.Span.Empty():
		return "empty"
	case unicode.IsSpace(last) || unicode.IsSpace(first) && u.Kind != rag.UnitCode:
		return "not trimmed"
	case prose && len(words) > 2_000:
		return "too long"
	case u.Span.Start < section.Start || u.Span.Start >= section.End:
		return "in another section"
	case u.Paragraph != paragraph && u.Paragraph != paragraph+1:
		return "paragraphs skipped"
	case u.Step >= 0 && !o.Procedures[u.Procedure].Steps[u.Step].Span.Contains(u.Span):
		return "in another step"
	}
	return ""
}

// requireSilent checks that a gap holds no letter or digit but in markup.
func requireSilent(tb testing.TB, text string, silent []bool, from, to int) {
	tb.Helper()
	for i, r := range text[from:to] {
		if (unicode.IsLetter(r) || unicode.IsNumber(r)) && !silent[from+i] {
			require.Fail(tb, "lost", "%q in %q", text[from+i:min(to, from+i+60)], text[max(0, from-60):min(len(text), to+60)])
		}
	}
}

// markup marks the bytes of letters that are no words of the document: front
// matter and comments, the heads of notes, markers and fences without content,
// tags.
func markup(text string, blocks []rag.Block, silent []bool) []bool {
	mark := func(from, to int) {
		for i := from; i < to; i++ {
			silent[i] = true
		}
	}
	for _, b := range blocks {
		switch b.Kind {
		case rag.BlockMeta, rag.BlockBreak:
			mark(b.Span.Start, b.Span.End)
		case rag.BlockNote:
			line, _, _ := strings.Cut(b.Span.In(text), "\n")
			mark(b.Span.Start, b.Span.Start+len(line))
		case rag.BlockItem:
			mark(b.Span.Start, b.Span.Start+len(b.Label))
		case rag.BlockCode, rag.BlockHeading:
			if strings.TrimSpace(b.Content.In(text)) == "" {
				mark(b.Span.Start, b.Span.End)
			}
		case rag.BlockHTML:
			tag := false
			for i := b.Span.Start; i < b.Span.End; i++ {
				tag = tag || text[i] == '<'
				silent[i] = tag
				tag = tag && text[i] != '>'
			}
		default:
		}
		markup(text, b.Children, silent)
	}
	return silent
}

// texts gives the kind and text of each sentence unit.
func texts(x rag.Extraction, o rag.Outline) []string {
	units := o.UnitsOf(rag.SentenceSet)
	out := make([]string, len(units))
	for i, u := range units {
		out[i] = string(u.Kind) + " " + u.Span.In(x.Text)
	}
	return out
}

// T05: a heading, bullets without stops and a fence are not glued together.
func TestBulletsAreUnits(t *testing.T) {
	t.Parallel()
	bullets := make([]string, 12)
	want := []string{"heading # Checks"}
	for i := range bullets {
		bullets[i] = "- check " + strings.Repeat("x", i+1)
		want = append(want, "item "+bullets[i])
	}
	fence := "```sh\n# no heading\n\nls\n```"
	x, o := outline(t, "a.md", "# Checks\n"+strings.Join(bullets, "\n")+"\n"+fence+"\n")
	require.Equal(t, append(want, "code "+fence), texts(x, o))
	require.Len(t, o.Sections, 1, "T26: a comment in a fence is no heading")
}

func TestUnitsOfEveryBlock(t *testing.T) {
	t.Parallel()
	x, o := outline(t, "a.md", everything)
	require.Equal(t, []string{
		"sentence Before the first heading.",
		"heading # A *title* [here](x)",
		"sentence Quoted one.", "sentence Two\n> lines.", "sentence Three.",
		"sentence Mind the gap", "sentence Stop.", "sentence First.",
		"code ```sh\n   # code first\n   ```",
		"item 2. [ ] Task with words. Two sentences.", "item - nested", "sentence Second paragraph.", "sentence Of it.",
		"row | a | b |", "row | 1 | `x|y` |",
		"sentence <br>\n<p>Words in HTML.", "sentence More.</p>",
		"code     indented code\n      deeper",
		"heading Setext\n======",
		"sentence Last.", "sentence Words[^1]", "sentence A footnote.", "sentence Two.",
		"code ~~~\nnever closed",
	}, texts(x, o))
}

// T23, T25: rows stay whole and know their header.
func TestRowsKnowTheirHeader(t *testing.T) {
	t.Parallel()
	rows := strings.Repeat("| amoxicillin | 5 mg/kg |\n", 80)
	x, o := outline(t, "a.md", "# Doses\n\n| drug | dose |\n|---|---|\n"+rows)
	require.Len(t, o.Units, 82)
	require.Empty(t, o.Units[1].Header)
	for _, u := range o.Units[2:] {
		require.Equal(t, "| drug | dose |", u.Header.In(x.Text))
		require.Equal(t, "Doses: drug, dose: amoxicillin, 5 mg/kg", split.EmbedText("Doses", o.Sections[u.Section], u, x.Text))
	}
}

// T13: prose without stops, in any script, is divided under the cap, at the
// best place there is.
func TestLongProseIsDivided(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"Chinese":   strings.Repeat("重启服务器之前请先检查日志并通知值班人员", 500),
		"clauses":   strings.Repeat("第一步，检查日志，", 400),
		"words":     strings.Repeat("lorem ipsum ", 800),
		"unbroken":  strings.Repeat("QmFzZTY0", 1_000),
		"Thai":      strings.Repeat("เริ่มระบบใหม่", 400),
		"families":  strings.Repeat("👩‍👩‍👧‍👦", 300),
		"sentences": "- " + strings.Repeat("This item has many sentences. ", 200),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			x, o := outline(t, "a.md", text)
			require.Greater(t, len(o.Units), 2)
			for _, u := range o.Units {
				s := u.Span.In(x.Text)
				require.True(t, utf8.ValidString(s))
				switch name {
				case "clauses":
					require.True(t, strings.HasSuffix(s, "，"), s)
				case "words":
					require.True(t, strings.HasSuffix(s, "m"), s)
				case "families":
					require.True(t, strings.HasPrefix(s, "👩") && strings.HasSuffix(s, "👦"), s)
				case "sentences":
					require.True(t, strings.HasSuffix(s, "."), s)
				}
			}
		})
	}
}

func FuzzSplit(f *testing.F) {
	f.Add(everything, true)
	f.Add("1. a\n```\nb\n```\n1. c\n", true)
	f.Add("Step 1: a\n\nStep 2: b\n", false)
	f.Add("# Step 1\n\n1. x\n2. y\n\n# Step 2\n", true)
	f.Add("> 1. a\n> 2. b:\n\n- c\n- d\n", true)
	tok := cl100k(f)
	f.Fuzz(func(t *testing.T, text string, markdown bool) {
		name := "a.txt"
		if markdown {
			name = "a.md"
		}
		x, err := extract.File(t.Context(), name, []byte(text))
		if err != nil {
			t.Skip()
		}
		sets := []rag.UnitSet{"tokens-7-3", "chars-5-4"}
		o, err := split.Split(x, split.Options{Tokens: tok, SectionCap: 20, Sets: sets})
		require.NoError(t, err)
		requireOutline(t, x, o)
		for _, set := range sets {
			requireChunks(t, x.Text, o.UnitsOf(set))
		}
		for _, u := range o.Units {
			split.EmbedText(x.Title, o.Sections[u.Section], u, x.Text)
		}
	})
}
