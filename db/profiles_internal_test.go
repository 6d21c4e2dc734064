package db

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"passage/rag"
)

// randomUnits makes units as splitters do, with gaps between them and lead terms
// that neighbours share.
func randomUnits(rng *rand.Rand) ([]rag.Unit, []int64, []rag.UnitIndex) {
	n := rng.IntN(40)
	units, ids, index := make([]rag.Unit, n), make([]int64, n), make([]rag.UnitIndex, n)
	at, id := 0, rng.Int64N(1<<40)
	words := []string{"broker", "certif", "5 mg", "水", "err-4012", ""}
	pick := func(n int) []string {
		var list []string
		for range rng.IntN(n + 1) {
			list = append(list, words[rng.IntN(len(words))])
		}
		return list
	}
	title, headings := pick(3), pick(3)
	for i := range units {
		if rng.IntN(4) == 0 {
			headings = pick(3)
		}
		at += rng.IntN(5) - rng.IntN(2)*min(at, 3) // chunks overlap
		u := rag.Unit{Set: rag.SentenceSet, Ordinal: i, Kind: profileKinds[rng.IntN(len(profileKinds))], Section: rng.IntN(300), Procedure: rng.IntN(3) - 1}
		u.Span = rag.Span{Start: at, End: at + 1 + rng.IntN(200)}
		at = u.Span.End
		id += rng.Int64N(5) - 1
		x := rag.UnitIndex{Title: len(title), Lead: len(title) + len(headings)}
		x.Terms = append(append(append(x.Terms, title...), headings...), pick(9)...)
		units[i], ids[i], index[i] = u, id, x
	}
	return units, ids, index
}

func TestProfilesComeBackAsTheyWere(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		units, ids, index := randomUnits(rng)
		got, err := unpackProfile(packProfile(units, ids, index))
		require.NoError(t, err)
		require.Len(t, got, len(units))
		for i, u := range got {
			require.Equal(t, ids[i], u.ID)
			require.Equal(t, units[i].Span, u.Span)
			require.Equal(t, units[i].Section, u.Section)
			require.Equal(t, units[i].Kind, u.Kind)
			require.Equal(t, units[i].Procedure >= 0, u.Procedure)
			require.Equal(t, index[i].Title, u.Title)
			require.Equal(t, index[i].Lead, u.Lead)
			require.Len(t, u.Terms, len(index[i].Terms))
			for j, term := range index[i].Terms {
				require.Equal(t, rag.TermHash(term), u.Terms[j])
			}
		}
	}
}

// Damaged data is an error or other units, never a panic or much memory.
func FuzzUnpackProfile(f *testing.F) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 8 {
		f.Add(packProfile(randomUnits(rng)))
	}
	f.Add([]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		units, err := unpackProfile(data)
		if err != nil {
			require.ErrorIs(t, err, errProfile)
			return
		}
		require.LessOrEqual(t, len(units), len(data))
		for _, u := range units {
			require.LessOrEqual(t, u.Title, u.Lead)
			require.LessOrEqual(t, u.Lead, len(u.Terms))
		}
	})
}
