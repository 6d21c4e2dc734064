package pdf

import (
	"fmt"
	"math/rand"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
	"passage/rag/extract/compose"
)

// written is pages of lines as a typewriter sets them, 20 lines a page,
// without PDFium. Blanks before a line indent it.
func written(lines ...string) []page {
	const width, leading, perPage = 5, 14, 20
	var pages []page
	for i, l := range lines {
		if i%perPage == 0 {
			pages = append(pages, page{number: len(pages) + 1, width: 595, height: 842, drawn: true})
		}
		p := &pages[len(pages)-1]
		x := float32(60 + width*(len(l)-len(strings.TrimLeft(l, " "))))
		for _, text := range strings.Fields(l) {
			w := word{x0: x, x1: x + width*float32(len(text)), base: 200 + leading*float32(i%perPage), size: 10, text: text, runs: []run{{end: len(text)}}, before: true, after: true}
			p.words = append(p.words, w)
			p.letters += len(text)
			x = w.x1 + width
		}
	}
	return pages
}

func TestNest(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct{ lines, want []string }{
		"two procedures in one column, their second steps not indented": {
			[]string{
				"1. Stop the pump.", "a) Press the red key.", "b) Wait until it is quiet.", "2. Open the lid.", "a) Turn the bolt.", "b) Lift the lid.", "3. Look inside.",
				"1. Close the lid.", "a) Let it down.", "b) Turn the bolt back.", "2. Start the pump.",
			},
			[]string{
				"1. Stop the pump.", "- a) Press the red key.", "- b) Wait until it is quiet.", "2. Open the lid.", "- a) Turn the bolt.", "- b) Lift the lid.", "3. Look inside.",
				"1. Close the lid.", "- a) Let it down.", "- b) Turn the bolt back.", "2. Start the pump.",
			},
		},
		"the same two marks again and again": {
			[]string{"1. Stop it.", "a) Turn it.", "1. Start it.", "a) Turn it back.", "1. Look.", "a) Listen."},
			[]string{"1. Stop it.", "- a) Turn it.", "1. Start it.", "- a) Turn it back.", "1. Look.", "- a) Listen."},
		},
		"a second list of the same marks, further right": {
			[]string{"1. Stop it.", "    1. Turn it.", "    2. Push it.", "    1. Pull it.", "2. Start it."},
			[]string{"1. Stop it.", "- 1. Turn it.", "- 2. Push it.", "- 1. Pull it.", "2. Start it."},
		},
		"three kinds in one column": {
			[]string{"1. Stop it.", "a) Turn it.", "• Left first.", "• Then right.", "b) Push it.", "2. Start it.", "a) Turn it back.", "• Right first."},
			[]string{"1. Stop it.", "- a) Turn it.", "- - • Left first.", "- - • Then right.", "- b) Push it.", "2. Start it.", "- a) Turn it back.", "- - • Right first."},
		},
		"short lines without a full stop": {
			[]string{"1. Stop it", "2. Turn it", "3. Look inside it for water", "4. Start it"},
			[]string{"1. Stop it", "2. Turn it", "3. Look inside it for water", "4. Start it"},
		},
		"letters and Roman numbers right of the words": {
			[]string{"1. Stop it", "       a. at the front", "       b. at the back", "            i. left", "           ii. right", "2. Turn it", "       A. once", "       B. twice", "3. Start it"},
			[]string{"1. Stop it", "- a. at the front", "- b. at the back", "- - i. left", "- - ii. right", "2. Turn it", "- A. once", "- B. twice", "3. Start it"},
		},
		"letters below the words": {
			[]string{"1. Stop it", "   a) at the front", "   b) at the back", "2. Turn it"},
			[]string{"1. Stop it", "- a) at the front", "- b) at the back", "2. Turn it"},
		},
		"a number that the end of a line pushed below the mark": {
			[]string{"1. The reading is taken in the minute", "that comes after the end of minute", "2. Then the pump is switched off."},
			[]string{"1. The reading is taken in the minute that comes after the end of minute 2. Then the pump is switched off."},
		},
		"letters go past i and begin again": {
			[]string{"g) Stop it.", "h) Turn it.", "i) Push it.", "a) Start it.", "b) Look."},
			[]string{"g) Stop it.", "h) Turn it.", "i) Push it.", "a) Start it.", "b) Look."},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			doc, err := (&file{pages: written(append([]string{"Do this."}, tc.lines...)...)}).document(t.Context())
			require.NoError(t, err)
			require.Equal(t, tc.want, steps(doc.Blocks, ""))
		})
	}
}

// steps writes the items, with a dash for each list that one is inside of.
func steps(blocks []compose.Block, before string) []string {
	var out []string
	for i := range blocks {
		switch b := &blocks[i]; b.Kind {
		case rag.BlockList:
			for j := range b.Children {
				it := &b.Children[j]
				label := it.Label
				if label == "" {
					label = "•"
				}
				out = append(out, before+label+" "+it.Children[0].Words[0].Text)
				out = append(out, steps(it.Children[1:], before+"- ")...)
			}
		case rag.BlockParagraph:
		default:
			out = append(out, "unexpected "+string(b.Kind))
		}
	}
	return out
}

func depth(blocks []compose.Block) int {
	deepest := 0
	for i := range blocks {
		d := depth(blocks[i].Children)
		if blocks[i].Kind == rag.BlockList {
			d++
		}
		deepest = max(deepest, d)
	}
	return deepest
}

// Pages begin and end anywhere in the lists, and columns of pages without other
// text begin further right.
func TestNestOverPages(t *testing.T) {
	t.Parallel()
	var lines, want []string
	for i := range 50 {
		step := fmt.Sprintf("%d. Stop pump %d", i+1, 3*i)
		lines = append(lines, "    "+step, "        a. at the front", "        b. at the back")
		want = append(want, step, "- a. at the front", "- b. at the back")
	}
	lines = append(lines, "Write it down.")
	doc, err := (&file{pages: written(append([]string{"Do this."}, lines...)...)}).document(t.Context())
	require.NoError(t, err)
	require.Equal(t, want, steps(doc.Blocks, ""))
}

func TestNestStaysFlat(t *testing.T) {
	t.Parallel()
	var lines []string
	for i := range 1000 {
		lines = append(lines, fmt.Sprintf("1. Stop pump %d.", i), fmt.Sprintf("a) Turn key %d.", i))
	}
	doc, err := (&file{pages: written(lines...)}).document(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, depth(doc.Blocks))
	require.Len(t, steps(doc.Blocks, ""), 2000)
}

// Lists as deep as the page is wide are kept to the limit; any marks in any
// columns keep their order, and none is lost.
func TestNestDepth(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewSource(5))
	marks := []string{"1.", "2.", "3.", "1)", "2)", "(1)", "a)", "b)", "(a)", "A.", "i.", "ii.", "•", "–", "1.1", "Step 1:"}
	for round := range 200 {
		var drafts []draft
		var want strings.Builder
		for i := range 100 {
			column := float32(random.Intn(30)) * 10
			if round == 0 {
				column = float32(i) * 10
			}
			mark := marks[random.Intn(len(marks))]
			l := written(mark + " Xx")[0].words
			d := draft{kind: rag.BlockItem, in: column, text: column + 15}
			d.lines = lines(l, 1)
			d.label = labelOf(&d.lines[0])
			require.NotEqual(t, labelNone, d.label.kind, mark)
			drafts = append(drafts, d)
			want.WriteString(d.label.text + "Xx")
		}
		got, err := (&writer{known: vocabulary{}}).nest(t.Context(), drafts)
		require.NoError(t, err)
		require.Equal(t, want.String(), allText(got))
		require.LessOrEqual(t, depth(got), maxNested)
		if round == 0 {
			require.Equal(t, maxNested, depth(got))
		}
	}
}
