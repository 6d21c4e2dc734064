package uselite

// kernelNEON keeps 4 × 16 sums in 16 registers of 4. Every arm64 processor
// has NEON.
const kernelNEON kernel = 1

// kernels lists those that run on this processor, the fastest last.
func kernels() []kernel { return []kernel{kernelGo, kernelNEON} }

// String names the kernel in messages of tests.
func (k kernel) String() string { return [...]string{"go", "neon"}[k] }

// size is the number of rows and columns of a tile.
func (k kernel) size() (rows, cols int) { return 4, panelWidth }

// tile adds the tile at the start of a·panel to c; n is the inner dimension.
func (k kernel) tile(c, a matrix, panel []float32, n int) {
	if k == kernelNEON {
		tileNEON(&c.data[0], c.stride, &a.data[0], a.stride, &panel[0], n)
		return
	}
	tileGo(c, a, panel, n)
}

// tileNEON adds a[0:4, 0:n]·b[0:n, 0:16] to c[0:4, 0:16]. Strides are in
// elements, b is a panel, n is at least 1.
//
//go:noescape
func tileNEON(c *float32, cStride int, a *float32, aStride int, b *float32, n int)
