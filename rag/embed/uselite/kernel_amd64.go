package uselite

import "golang.org/x/sys/cpu"

// The kernels in assembly, the slower first.
const (
	kernelAVX2   kernel = 1 // 6 × 16 sums in 12 registers of 8
	kernelAVX512 kernel = 2 // 8 × 32 sums in 16 registers of 16
)

// kernels lists those that run on this processor, the fastest last.
func kernels() []kernel {
	found := []kernel{kernelGo}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		found = append(found, kernelAVX2)
	}
	if cpu.X86.HasAVX512F {
		found = append(found, kernelAVX512)
	}
	return found
}

// String names the kernel in messages of tests.
func (k kernel) String() string { return [...]string{"go", "avx2", "avx512"}[k] }

// size is the number of rows and columns of a tile.
func (k kernel) size() (rows, cols int) {
	switch k {
	case kernelAVX512:
		return 8, 2 * panelWidth
	case kernelAVX2:
		return 6, panelWidth
	default:
		return goTileRows, panelWidth
	}
}

// tile adds the tile at the start of a·panel to c; n is the inner dimension.
func (k kernel) tile(c, a matrix, panel []float32, n int) {
	switch k {
	case kernelAVX512:
		tileAVX512(&c.data[0], c.stride, &a.data[0], a.stride, &panel[0], &panel[n*panelWidth], n)
	case kernelAVX2:
		tileAVX2(&c.data[0], c.stride, &a.data[0], a.stride, &panel[0], n)
	default:
		tileGo(c, a, panel, n)
	}
}

// tileAVX2 adds a[0:6, 0:n]·b[0:n, 0:16] to c[0:6, 0:16]. Strides are in
// elements, b is a panel.
//
//go:noescape
func tileAVX2(c *float32, cStride int, a *float32, aStride int, b *float32, n int)

// tileAVX512 adds a[0:8, 0:n]·b[0:n, 0:32] to c[0:8, 0:32], b being the two
// panels b0 and b1.
//
//go:noescape
func tileAVX512(c *float32, cStride int, a *float32, aStride int, b0, b1 *float32, n int)
