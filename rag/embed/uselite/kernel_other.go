//go:build !amd64 && !arm64

package uselite

// kernels lists those that run on this processor, the fastest last.
func kernels() []kernel { return []kernel{kernelGo} }

// String names the kernel in messages of tests.
func (k kernel) String() string { return "go" }

// size is the number of rows and columns of a tile.
func (k kernel) size() (rows, cols int) { return goTileRows, panelWidth }

// tile adds the tile at the start of a·panel to c; n is the inner dimension.
func (k kernel) tile(c, a matrix, panel []float32, n int) { tileGo(c, a, panel, n) }
