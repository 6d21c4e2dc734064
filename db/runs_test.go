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
		s.average = 5
		s.keep(0, 1, 1, body)
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
