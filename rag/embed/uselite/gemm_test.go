package uselite

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// filled gives a matrix of rows × cols and slack rows that no product may use.
func filled(rng *rand.Rand, rows, cols int) matrix {
	m := matrix{data: make([]float32, (rows+maxTileRows)*cols), stride: cols}
	for i := range m.data {
		m.data[i] = rng.Float32()*2 - 1
	}
	for i := rows * cols; i < len(m.data); i++ {
		m.data[i] = float32(math.NaN())
	}
	return m
}

func asPanels(m matrix, k, n int) *panels {
	p := &panels{}
	p.resize(k, n)
	clear(p.data)
	for r := range k {
		for c := range n {
			p.row(c/panelWidth, r)[c%panelWidth] = m.row(r, n)[c]
		}
	}
	return p
}

func TestMulAddOfEveryKernel(t *testing.T) {
	t.Parallel()
	shapes := []struct{ rows, k, n int }{
		{1, 1, 32},
		{1, 512, 64},
		{5, 3, 32},
		{6, 64, 96},
		{7, 7, 32},
		{8, 256, 64},
		{13, 129, 128},
		{24, 30, 64},
		{128, 512, 32},
	}
	for _, kern := range kernels() {
		for _, s := range shapes {
			t.Run(fmt.Sprintf("%v/%dx%dx%d", kern, s.rows, s.k, s.n), func(t *testing.T) {
				t.Parallel()
				rng := rand.New(rand.NewPCG(1, uint64(s.rows)))
				a, b, c := filled(rng, s.rows, s.k), filled(rng, s.k, s.n), filled(rng, s.rows, s.n)
				before := slices.Clone(c.data)
				kern.mulAdd(c, a, s.rows, asPanels(b, s.k, s.n))
				for r := range s.rows {
					for j := range s.n {
						want := float64(before[r*s.n+j])
						for i := range s.k {
							want += float64(a.row(r, s.k)[i]) * float64(b.row(i, s.n)[j])
						}
						require.InDelta(t, want, c.row(r, s.n)[j], 1e-6*float64(s.k+10), "row %d column %d", r, j)
					}
				}
				for i := s.rows * s.n; i < len(c.data); i++ {
					require.True(t, math.IsNaN(float64(c.data[i])), "element %d after the last row was written", i)
				}
			})
		}
	}
}

func TestMulAddRowDoesNotDependOnOthers(t *testing.T) {
	t.Parallel()
	const rows, k, n = 21, 77, 64
	for _, kern := range kernels() {
		t.Run(kern.String(), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(2, 3))
			a, b := filled(rng, rows, k), asPanels(filled(rng, k, n), k, n)
			all := filled(rng, rows, n)
			before := slices.Clone(all.data)
			kern.mulAdd(all, a, rows, b)
			for r := range rows {
				one := matrix{data: slices.Clone(before[r*n : (r+1)*n]), stride: n}
				kern.mulAdd(one, a.from(r, 0), 1, b)
				require.Equal(t, all.row(r, n), one.data, "row %d", r)
			}
		})
	}
}

func BenchmarkMulAdd(b *testing.B) {
	const rows = 128
	for _, kern := range kernels() {
		for _, s := range []struct{ k, n int }{{512, 1536}, {1536, 512}, {64, 32}} {
			b.Run(fmt.Sprintf("%v/%dx%d", kern, s.k, s.n), func(b *testing.B) {
				rng := rand.New(rand.NewPCG(4, 5))
				x, w := filled(rng, rows, s.k), asPanels(filled(rng, s.k, s.n), s.k, s.n)
				c := filled(rng, rows, s.n)
				for b.Loop() {
					kern.mulAdd(c, x, rows, w)
				}
				flops := 2 * float64(rows) * float64(s.k) * float64(s.n) * float64(b.N)
				b.ReportMetric(flops/b.Elapsed().Seconds()/1e9, "GFLOP/s")
			})
		}
	}
}
