package db

import (
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// cells makes a census; a type has the number of its place from 1.
func cells(spaces ...[]int) []cell {
	var census []cell
	for s, types := range spaces {
		for t, n := range types {
			if n > 0 {
				census = append(census, cell{part: part{int64(s + 1), int64(t + 1)}, vectors: n})
			}
		}
	}
	return census
}

func ask(census []cell, asked func(cell) bool) []cell {
	census = slices.Clone(census)
	for i := range census {
		census[i].asked = asked(census[i])
	}
	return census
}

func TestWantedIndexes(t *testing.T) {
	t.Parallel()
	const limit = 100
	small := slices.Repeat([][]int{{30}}, 10)
	for name, test := range map[string]struct {
		census []cell
		has    []part
		want   []part
	}{
		"nothing there":                   {nil, nil, nil},
		"few vectors":                     {cells([]int{60, 40}), nil, nil},
		"one cell that is all":            {cells([]int{101}), nil, []part{{1, 1}}},
		"a space of two small types":      {cells([]int{60, 50}), nil, nil},
		"a space of many small types":     {cells([]int{90, 90, 80, 50}), nil, []part{{1, 0}}},
		"two spaces of one type":          {cells([]int{101}, []int{200}), nil, []part{{1, 1}, {2, 1}}},
		"many small spaces":               {cells(small...), nil, []part{{0, 0}}},
		"many small spaces of a big type": {cells(slices.Repeat([][]int{{50}}, 10)...), nil, []part{{0, 1}}},
		"five big spaces": {
			cells(slices.Repeat([][]int{{500}}, 5)...), nil,
			[]part{{0, 0}, {1, 1}, {2, 1}, {3, 1}, {4, 1}, {5, 1}},
		},
		"a cell that has shrunk a little":  {cells([]int{60}), []part{{1, 1}}, []part{{1, 1}}},
		"a cell that has shrunk to a half": {cells([]int{50}), []part{{1, 1}}, nil},
		"a space that is gone":             {cells([]int{20}), []part{{7, 0}, {7, 1}}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			has := parts{}
			for _, p := range test.has {
				has[p] = true
			}
			require.ElementsMatch(t, test.want, slices.Collect(maps.Keys(wantedIndexes(test.census, has, limit))))
		})
	}
}

func TestPlanDense(t *testing.T) {
	t.Parallel()
	const limit = 100
	census := cells([]int{500, 400, 30}, []int{300, 20}, []int{90, 5}, []int{60, 40}, []int{99})
	indexed := wantedIndexes(census, nil, limit)
	require.Equal(t, parts{{}: true, {1, 1}: true, {1, 2}: true, {2, 1}: true}, indexed)
	in := func(spaces ...int64) func(cell) bool {
		return func(c cell) bool { return slices.Contains(spaces, c.space) }
	}
	for name, test := range map[string]struct {
		asked func(cell) bool
		n     int
		want  string
	}{
		"everything":               {in(1, 2, 3, 4, 5), 10, "embeddings_hnsw_7"},
		"nothing":                  {in(), 10, "none"},
		"a small space":            {in(4), 10, "exact"},
		"cells of a space":         {in(1), 10, "embeddings_hnsw_7_1_1, embeddings_hnsw_7_1_2, rest"},
		"a big and a small space":  {in(2, 3), 10, "embeddings_hnsw_7_2_1, rest"},
		"small spaces together":    {in(3, 4), 10, "exact"},
		"many small spaces":        {in(3, 4, 5), 10, "probe embeddings_hnsw_7 200, exact"},
		"many of small spaces":     {in(3, 4, 5), 100, "probe embeddings_hnsw_7 788, exact"},
		"more of small spaces":     {in(3, 4, 5), 500, "exact"},
		"one type in every space":  {func(c cell) bool { return c.docType == 1 }, 10, "probe embeddings_hnsw_7 200, embeddings_hnsw_7_1_1, embeddings_hnsw_7_2_1, rest"},
		"a big cell":               {func(c cell) bool { return c.part == part{1, 2} }, 200, "embeddings_hnsw_7_1_2"},
		"nearly all of a big cell": {func(c cell) bool { return c.part == part{1, 2} }, 3200, "exact"},
		"a cell below the limit":   {func(c cell) bool { return c.part == part{1, 3} }, 10, "exact"},
		"a big space and a corner": {func(c cell) bool { return c.space == 2 && c.docType == 1 || c.space == 3 && c.docType == 2 }, 10, "embeddings_hnsw_7_2_1, rest"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, test.want, planDense(ask(census, test.asked), indexed, test.n, limit).describe(7))
		})
	}
}

// Whatever there is and is asked for, a cover holds exactly that, each cell
// once; a probe is of a part that holds all of it.
func TestCoverHoldsWhatIsAsked(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(29, 31))
	for range 2000 {
		limit := r.IntN(200)
		var spaces [][]int
		for range r.IntN(6) {
			var types []int
			for range r.IntN(4) {
				types = append(types, r.IntN(3)*r.IntN(200))
			}
			spaces = append(spaces, types)
		}
		census := cells(spaces...)
		all := wantedIndexes(census, nil, limit)
		kept := wantedIndexes(census, all, limit)
		require.Equal(t, all, kept, "what is built is kept")
		indexed := parts{}
		for p := range all {
			if r.IntN(4) > 0 { // the others are being built
				indexed[p] = true
			}
		}
		types, space := r.IntN(8), int64(r.IntN(6))
		census = ask(census, func(c cell) bool { return types>>c.docType&1 == 1 || c.space == space })
		plan := planDense(census, indexed, 1+r.IntN(300), limit)
		left := 0
		for _, c := range census {
			holders := 0
			for _, scan := range plan.cover.scans {
				require.True(t, indexed[scan.part])
				if scan.holds(c) {
					holders++
				}
			}
			if slices.Contains(plan.cover.rest, c) {
				holders++
			}
			switch {
			case !c.asked:
				require.Zero(t, holders)
				continue
			case len(plan.cover.scans) > 0:
				require.Equal(t, 1, holders)
			}
			left += c.vectors
			if plan.probe != nil {
				require.True(t, indexed[plan.probe.part] && plan.probe.holds(c))
			}
		}
		require.Equal(t, left, plan.left)
	}
}

func TestEfSearchGrowsWithTheGraph(t *testing.T) {
	t.Parallel()
	for vectors, want := range map[int][2]string{10_000: {"400", "400"}, 50_000: {"400", "400"}, 100_000: {"581", "581"}, 250_000: {"819", "819"}, 1_000_000: {"1000", "1000"}} {
		s := scan{vectors: vectors}
		require.Equal(t, want, [2]string{s.efSearch(10, 1), s.efSearch(200, 1)}, vectors)
	}
	require.Equal(t, "800", scan{vectors: 25_000}.efSearch(10, 0.5), "half of what is kept does not pass")
}
