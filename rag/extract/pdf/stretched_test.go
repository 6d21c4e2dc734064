package pdf

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// at is words from a place on, with a gap between, each letter 6 wide.
func at(x, gap, base float32, text string) []word {
	var out []word
	for _, s := range strings.Fields(text) {
		w := 6 * float32(len(s))
		out = append(out, word{x0: x, x1: x + w, base: base, size: 10, text: s, runs: []run{{end: len(s)}}, before: true, after: true})
		x += w + gap
	}
	return out
}

// flushed sets lines from edge to edge of a column 240 wide, but the last.
func flushed(texts ...string) []line {
	var ws []word
	for i, s := range texts {
		gap := float32(3)
		if words := strings.Fields(s); i < len(texts)-1 {
			gap = (240 - 6*float32(len(strings.Join(words, "")))) / float32(len(words)-1)
		}
		ws = append(ws, at(60, gap, 100+13*float32(i), s)...)
	}
	return (&page{number: 1}).column(ws)
}

// placed sets the cells of rows 100 apart.
func placed(rows ...[]string) []line {
	var ws []word
	for i, r := range rows {
		for c, cell := range r {
			ws = append(ws, at(float32(60+100*c), 3, 100+13*float32(i), cell)...)
		}
	}
	return (&page{number: 1}).column(ws)
}

func TestFlushLinesAreNoTable(t *testing.T) {
	t.Parallel()
	for name, ls := range map[string][]line{
		"gaps that meet by chance": flushed("Method sentence 1. Understanding", "characteristics notwithstanding", "administration, the configuration", "considerations remain. Method", "sentence two."),
		"two words on each line":   flushed("characteristics notwithstanding", "straightforwardly reconfiguration", "understanding internationalization", "administration's considerations", "remain."),
		"the same words again":     flushed("Internationalization sentence 1.", "Internationalization sentence 2.", "Internationalization sentence 3.", "Internationalization sentence 4.", "Internationalization."),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			n := len(ls)
			out := aligned(ls, nil)
			require.Len(t, out, n)
			for i := range out {
				require.Nil(t, out[i].table())
				require.False(t, out[i].alone, "the lines are one paragraph")
			}
		})
	}
}

func TestRowsThatReachBothEdgesAreATable(t *testing.T) {
	t.Parallel()
	for name, ls := range map[string][]line{
		"one word in each cell, on the right edge": flushed("Morphine 5mg", "Ketamine 30mg", "Propofol 100mg", "Fentanyl 1mg", "Naloxone 4mg", "end"),
		"numbers of one width":                     placed([]string{"10", "20", "30"}, []string{"11", "21", "31"}, []string{"12", "22", "32"}, []string{"13", "23", "33"}),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			out := aligned(ls[:4], nil)
			require.Len(t, out, 1)
			require.NotNil(t, out[0].table())
			require.Len(t, out[0].table().rows, 4)
		})
	}
}

func TestColumnsThatTheGapsDoNotShow(t *testing.T) {
	t.Parallel()
	// A word across the second gap hides it; each line keeps its words.
	ls := placed(
		[]string{"Morphine", "5 mg", "", "slowly"}, []string{"Fentanyl", "0.1 mg in the theatre and nowhere else ever"},
		[]string{"Ketamine", "30 mg", "", "alone"}, []string{"Propofol", "100 mg", "", "first"}, []string{"Naloxone", "4 mg", "", "again"})
	out := aligned(ls, nil)
	for i := range out {
		require.Nil(t, out[i].table())
		require.True(t, out[i].alone)
	}
	require.Len(t, out, 5)
	require.Equal(t, "Ketamine 30 mg alone", out[2].text())
}

func TestAnEmptyCellInTheFirstRow(t *testing.T) {
	t.Parallel()
	for name, rows := range map[string][][]string{
		"at its end":   {{"Morphine", "5 mg"}, {"Ketamine", "30 mg", "alone"}, {"Propofol", "9 mg", "first"}, {"Naloxone", "4 mg", "again"}},
		"at its start": {{"", "low", "high"}, {"Ketamine", "30 mg", "90 mg"}, {"Propofol", "9 mg", "19 mg"}, {"Naloxone", "4 mg", "8 mg"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ls := placed(rows...)
			n, open := alignedRun(ls)
			require.Equal(t, len(rows), n)
			require.Len(t, open, 2)
		})
	}
}

// A last column of notes that wrap is no column of a page: the rows keep it,
// over the end of a page too.
func TestALongTableWithNotes(t *testing.T) {
	t.Parallel()
	slow(t)
	m := &maker{}
	var want strings.Builder
	want.WriteString("table \n  header ⟨1⟩Drug ¦ Dose ¦ Interval ¦ Note\n")
	const rows = 18
	for p := range 2 {
		var puts []set
		y := 80.0
		if p == 0 {
			for c, s := range []string{"Drug", "Dose", "Interval", "Note"} {
				puts = append(puts, set{x: 60 + 70*float64(c), y: y, text: s, font: bold})
			}
			y += 19
		}
		for r := range rows {
			i := p*rows + r + 1
			cells := []string{fmt.Sprintf("Drug%d", i), fmt.Sprintf("%d mg", 5*i), fmt.Sprintf("every %d h", i)}
			for c, s := range cells {
				puts = append(puts, set{x: 60 + 70*float64(c), y: y, text: s})
			}
			mark := ""
			if p == 1 && r == 0 {
				mark = "⟨2⟩"
			}
			want.WriteString("  row " + mark + strings.Join(cells, " ¦ ") + " ¦ ")
			if i%3 != 1 {
				first, second := fmt.Sprintf("note for %d that is rather long and wraps", i), fmt.Sprintf("to two lines in cell %d", i)
				puts = append(puts, set{x: 270, y: y, text: first}, set{x: 270, y: y + 14, text: second})
				want.WriteString(first + " " + second)
				y += 14
			}
			want.WriteString("\n")
			y += 19
		}
		m.page(puts...)
	}
	require.Equal(t, want.String(), read(t, m))
}
