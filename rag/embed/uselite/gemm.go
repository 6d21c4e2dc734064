package uselite

import "passage/rag/embed/uselite/weights"

// Matrix products take nearly all the time of the encoder. They are computed
// in tiles that fit the processor's registers, after Goto and van de Geijn,
// "Anatomy of High-Performance Matrix Multiplication" (2008): the right-hand
// matrix is stored in panels, so that a tile reads it from front to back, and
// a tile's sums stay in registers for the whole inner dimension.

// panelWidth is the number of columns of a panel.
const panelWidth = 16

// maxTileRows and maxTileCols bound the tile of every kernel. A left-hand
// matrix needs maxTileRows-1 rows of slack, which are read and not used.
const (
	maxTileRows = 8
	maxTileCols = 32
)

// panels is a matrix of k rows and n columns (n padded to whole tiles) stored
// by panels: element (r, c) is at ((c/16)*k+r)*16 + c%16.
type panels struct {
	k, n int
	data []float32
}

// resize gives the panels another shape, reusing their memory.
func (p *panels) resize(k, n int) {
	p.k, p.n = k, (n+maxTileCols-1)/maxTileCols*maxTileCols
	if size := p.k * p.n; cap(p.data) < size {
		p.data = make([]float32, size)
	} else {
		p.data = p.data[:size]
	}
}

// row gives the 16 elements of row r in panel i.
func (p *panels) row(i, r int) []float32 {
	at := (i*p.k + r) * panelWidth
	return p.data[at : at+panelWidth : at+panelWidth]
}

// loadPanels decodes a tensor of two dimensions into panels.
func loadPanels(t weights.Tensor) *panels {
	p := &panels{}
	p.resize(t.Shape[0], t.Shape[1])
	for r := range p.k {
		for i := range p.n / panelWidth {
			t.Floats(p.row(i, r), r*p.n+i*panelWidth)
		}
	}
	return p
}

// matrix is a view of rows in a larger buffer: element (r, c) is at
// data[r*stride+c].
type matrix struct {
	data   []float32
	stride int
}

// row gives the first n elements of row r.
func (m matrix) row(r, n int) []float32 {
	at := r * m.stride
	return m.data[at : at+n : at+n]
}

// from gives the view whose element (0, 0) is element (r, c) of m.
func (m matrix) from(r, c int) matrix {
	return matrix{data: m.data[r*m.stride+c:], stride: m.stride}
}

// mulAdd adds a·b to the first rows of c. A row's result depends on nothing
// but that row of a and on b, to the last bit: so a text has the same vector
// alone and in company. No element of c outside rows × b.n is written.
func (k kernel) mulAdd(c, a matrix, rows int, b *panels) {
	tileRows, tileCols := k.size()
	var edge [maxTileRows * maxTileCols]float32
	for col := 0; col < b.n; col += tileCols {
		panel := b.data[col*b.k:]
		for r := 0; r < rows; r += tileRows {
			if r+tileRows <= rows {
				k.tile(c.from(r, col), a.from(r, 0), panel, b.k)
				continue
			}
			// The last rows do not fill a tile: compute it aside, starting with
			// what c holds, as a kernel may begin its sums with that.
			aside := matrix{data: edge[:], stride: tileCols}
			for i := range rows - r {
				copy(aside.row(i, tileCols), c.from(r+i, col).data)
			}
			k.tile(aside, a.from(r, 0), panel, b.k)
			for i := range rows - r {
				copy(c.from(r+i, col).data, aside.row(i, tileCols))
			}
		}
	}
}
