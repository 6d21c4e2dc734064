package db

import (
	"encoding/binary"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestRunsComeBack(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	var body []byte
	var want []run
	var counts []int
	version := int64(1 << 33)
	first := version
	for range 50 {
		p := &posting{}
		for ordinal := r.IntN(3); ordinal < 1<<20 && len(p.ordinals) < 1+r.IntN(200); ordinal += 1 + r.IntN(1<<r.IntN(16)) {
			p.ordinals = append(p.ordinals, ordinal)
			p.counts = append(p.counts, 1+r.IntN(1<<r.IntN(10)))
			p.lengths = append(p.lengths, 1+r.IntN(1<<r.IntN(20)))
		}
		single, err := runsOf(nil, version, p.encode(1<<20))
		require.NoError(t, err)
		require.Len(t, single, 1)
		want = append(want, single[0])
		counts = append(counts, len(p.ordinals))
		before := first
		if len(want) > 1 {
			before = want[len(want)-2].version
		}
		body = single[0].append(body, before)
		version += int64(1 + r.IntN(1<<r.IntN(30)))
	}
	got, err := runsOf(nil, first, body)
	require.NoError(t, err)
	require.Equal(t, want, got)
	for i, r := range got {
		n, err := r.count()
		require.NoError(t, err)
		require.Equal(t, counts[i], n)
	}
}

func TestBlocksAreFilled(t *testing.T) {
	t.Parallel()
	var runs []run
	for v := range int64(1000) {
		p := &posting{ordinals: []int{0, 1}, counts: []int{1, 2}, lengths: []int{3, 4}}
		one, err := runsOf(nil, v, p.encode(2))
		require.NoError(t, err)
		runs = append(runs, one...)
	}
	var all []run
	for rest := runs; len(rest) > 0; {
		var b block
		var err error
		rest, err = b.fill(rest, 100)
		require.NoError(t, err)
		part, err := runsOf(nil, b.first, b.body)
		require.NoError(t, err)
		require.Equal(t, b.first, part[0].version)
		require.Equal(t, b.last, part[len(part)-1].version)
		require.Equal(t, 2*len(part), b.n)
		if len(rest) > 0 {
			require.GreaterOrEqual(t, len(b.body), 100)
			require.Less(t, len(b.body), 120)
		}
		all = append(all, part...)
	}
	require.Equal(t, runs, all)
}

// A damaged row gives an error and never a panic or an endless loop.
func FuzzDamagedRows(f *testing.F) {
	p := &posting{ordinals: []int{0, 7, 300}, counts: []int{1, 2, 500}, lengths: []int{3, 400, 5}}
	f.Add(p.encode(301))
	f.Add([]byte{0x80})
	f.Add(binary.AppendUvarint([]byte{0, 1, 20}, 1<<63))
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 2 && body[1] > 100 {
			t.Skip("a version of many units takes much memory")
		}
		s := newScorer(1)
		defer s.release()
		s.keep(0, 1, 1, body)
		s.begin(10, 50)
		scored := s.add(0, 1)
		runs, err := runsOf(nil, 1, body)
		if err != nil {
			require.ErrorIs(t, err, errDamaged)
			require.ErrorIs(t, scored, errDamaged)
			return
		}
		for _, r := range runs {
			if _, err := r.count(); err != nil {
				require.ErrorIs(t, scored, errDamaged)
			}
		}
	})
}

func TestVersionTable(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	var table versionTable
	for range 3 {
		want := map[int64]int32{}
		for range 5000 {
			version, slot := 1+r.Int64N(1<<(1+r.IntN(40))), int32(r.IntN(1000)-1)
			got, found := table.get(version)
			known, is := want[version]
			require.Equal(t, is, found)
			require.Equal(t, known, got)
			table.put(version, slot)
			want[version] = slot
		}
		for version, slot := range want {
			got, found := table.get(version)
			require.True(t, found)
			require.Equal(t, slot, got)
		}
		table.clear()
	}
}

// BenchmarkScorer scores five words that stand in 19 % each of a million units.
func BenchmarkScorer(b *testing.B) {
	r := rand.New(rand.NewPCG(3, 4))
	const versions, terms = 30_000, 5
	var runs [terms][]run
	for v := range int64(versions) {
		units := 1 + r.IntN(66)
		for t := range terms {
			p := &posting{}
			for ordinal := range units {
				if r.IntN(100) < 19 {
					p.ordinals = append(p.ordinals, ordinal)
					p.counts = append(p.counts, 1+r.IntN(12)/11)
					p.lengths = append(p.lengths, 4+r.IntN(16))
				}
			}
			if len(p.ordinals) > 0 {
				one, err := runsOf(nil, v+1, p.encode(units))
				require.NoError(b, err)
				runs[t] = append(runs[t], one...)
			}
		}
	}
	var blocks [terms][]block
	for t, rest := range runs {
		for len(rest) > 0 {
			var one block
			var err error
			rest, err = one.fill(rest, usualMerge.full)
			require.NoError(b, err)
			blocks[t] = append(blocks[t], one)
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		s := newScorer(terms)
		for t := range terms {
			for _, one := range blocks[t] {
				s.keep(t, one.first, one.n, one.body)
			}
		}
		s.begin(1e6, 12e6)
		for t := range terms {
			require.NoError(b, s.add(t, 1.5))
		}
		best := s.highest(200)
		require.Len(b, best, 200)
		s.release()
	}
}
