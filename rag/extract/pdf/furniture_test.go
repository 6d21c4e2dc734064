package pdf

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// chapter is a file with a line above and one below on every page.
func chapter(pages int, head, foot func(page int) string) *maker {
	m := &maker{}
	for n := 1; n <= pages; n++ {
		puts := column(60, 200, 14, set{}, fmt.Sprintf("The pump number %d is calibrated before it is used for the", n*n+7), "first time and once a year after that, by its makers.")
		if s := head(n); s != "" {
			puts = append(puts, set{x: 60, y: 40, text: s, size: 8})
		}
		if s := foot(n); s != "" {
			puts = append(puts, set{x: 280, y: 810, text: s, size: 8})
		}
		m.page(puts...)
	}
	return m
}

func TestFurniture(t *testing.T) {
	t.Parallel()
	slow(t)
	none := func(int) string { return "" }
	always := func(s string) func(int) string { return func(int) string { return s } }
	for name, tc := range map[string]struct {
		pages      int
		head, foot func(int) string
		gone       []string
		kept       []string
	}{
		"a head and a page's number":     {4, always("Pumps in the theatre"), strconv.Itoa, []string{"theatre", "⟩1 ", "paragraph 2"}, nil},
		"page n of m":                    {3, none, func(n int) string { return fmt.Sprintf("Page %d of 3", n) }, []string{"Page"}, nil},
		"numbers that do not begin at 1": {4, none, func(n int) string { return fmt.Sprintf("- %d -", n+96) }, []string{"97", "98"}, nil},
		"Roman numbers":                  {4, none, toRoman, []string{"paragraph i", "iii"}, nil},
		"left and right pages": {6, func(n int) string {
			if n%2 == 0 {
				return "Pumps in the theatre"
			}
			return "Second edition"
		}, none, []string{"theatre", "edition"}, nil},
		"a section's title beside the number": {6, func(n int) string {
			return fmt.Sprintf("%s %d", []string{"Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta"}[n-1], n)
		}, none, []string{"Alpha", "Zeta"}, nil},
		"a chapter's title on one page": {5, func(n int) string {
			if n == 3 {
				return "Interlude"
			}
			return "Pumps"
		}, none, []string{"Pumps", "Interlude"}, nil},
		"a line that stands once":         {4, func(n int) string { return map[int]string{1: "Pumps in the theatre"}[n] }, none, nil, []string{"Pumps in the theatre"}},
		"steps count without being pages": {4, func(n int) string { return fmt.Sprintf("Step %d: turn it off", n) }, none, nil, []string{"Step 1:", "Step 4:"}},
		"items count too":                 {4, func(n int) string { return fmt.Sprintf("%d. Turn it off", n) }, none, nil, []string{`"1."`, `"4."`}},
		"different lines":                 {4, func(n int) string { return strings.Repeat("x", n) + " is the valve" }, none, nil, []string{"x is", "xxxx is"}},
		"one page has none":               {1, always("Pumps in the theatre"), always("1"), nil, []string{"Pumps in the theatre"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := read(t, chapter(tc.pages, tc.head, tc.foot))
			for _, s := range tc.gone {
				require.NotContains(t, got, s)
			}
			for _, s := range tc.kept {
				require.Contains(t, got, s)
			}
			require.Equal(t, tc.pages, strings.Count(got, "The pump number"))
		})
	}
}

func TestPageNumber(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]int{"17": 17, "-17-": 17, "17/40": 17, "xvii": 17, "(3)": 3, "iv.": 4} {
		n, ok := pageNumber(s)
		require.True(t, ok, s)
		require.Equal(t, want, n, s)
	}
	for _, s := range []string{"", "mix", "iiii", "3a", "–", "vx", "civil"} {
		_, ok := pageNumber(s)
		require.False(t, ok, s)
	}
}

func TestRanges(t *testing.T) {
	t.Parallel()
	require.Equal(t, "3–40", ranges(count(3, 40)))
	require.Equal(t, "1 and 3", ranges([]int{1, 3}))
	require.Equal(t, "1–2, 4 and 6–8", ranges([]int{1, 2, 4, 6, 7, 8}))
}

func count(from, to int) []int {
	var out []int
	for n := from; n <= to; n++ {
		out = append(out, n)
	}
	return out
}

// What closes every page alike but stands as the body does is of the body.
func TestBodyAtTheEdge(t *testing.T) {
	t.Parallel()
	slow(t)
	cards := func(gap, foot float64) *maker {
		m := &maker{}
		for n := 1; n <= 4; n++ {
			var puts []set
			y := 810 - foot - 20*gap
			for i := range 19 {
				puts = append(puts, set{x: 60, y: y + gap*float64(i), text: fmt.Sprintf("Valve %d of pump %d is opened slowly.", i*n+7*n, n)})
			}
			puts = append(puts, set{x: 60, y: 810 - foot - gap, text: "Wait until the pressure is stable."}, set{x: 60, y: 810 - foot, text: "Never open the valve under load."})
			if foot > 0 {
				puts = append(puts, set{x: 60, y: 810, text: "Theatre handbook"})
			}
			m.page(puts...)
		}
		return m
	}
	for name, m := range map[string]*maker{"lines": cards(13, 0), "paragraphs": cards(24, 0), "above a foot": cards(13, 30)} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := read(t, m)
			require.Equal(t, 4, strings.Count(got, "Wait until the pressure is stable."))
			require.Equal(t, 4, strings.Count(got, "Never open the valve under load."))
			require.NotContains(t, got, "Theatre handbook")
		})
	}
	t.Run("the last row of a ruled table", func(t *testing.T) {
		t.Parallel()
		m := &maker{}
		for n := 1; n <= 3; n++ {
			var b strings.Builder
			for i := range 20 {
				y := 220 + 30*float64(i)
				if i == 19 {
					y += 10 // even when the row is far from the one above
				}
				for j, s := range []string{fmt.Sprintf("Drug%c%c", 'A'+i, 'A'+n), "5 mg", "every day"} {
					if i == 19 && j == 0 {
						s = "Aspirin"
					}
					b.WriteString(set{x: 65 + 120*float64(j), y: y, text: s}.code("1 0 0 1"))
				}
			}
			for i := range 22 {
				y := 842 - (200 + 30*float64(i))
				if i > 19 {
					y -= 10
				}
				if i == 20 {
					continue
				}
				fmt.Fprintf(&b, "60 %g m 420 %g l S\n", y, y)
			}
			for j := range 4 {
				x := 60 + 120*j
				fmt.Fprintf(&b, "%d 642 m %d 2 l S\n", x, x)
			}
			m.raw(b.String())
		}
		got := read(t, m)
		require.Equal(t, 3, strings.Count(got, "Aspirin"))
		require.Equal(t, 60, strings.Count(got, "5 mg"))
	})
}
