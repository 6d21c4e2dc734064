package uselite

// tileGo adds a tile of goTileRows × panelWidth of a·panel to c: the kernel
// for processors without one in assembly. Four columns at a time keep the
// sixteen sums in registers.
func tileGo(c, a matrix, panel []float32, k int) {
	const step = 4
	a0, a1, a2, a3 := a.row(0, k), a.row(1, k), a.row(2, k), a.row(3, k)
	for col := 0; col < panelWidth; col += step {
		var s00, s01, s02, s03 float32
		var s10, s11, s12, s13 float32
		var s20, s21, s22, s23 float32
		var s30, s31, s32, s33 float32
		rest := panel[col:]
		for i := range k {
			b := rest[i*panelWidth : i*panelWidth+step : i*panelWidth+step]
			b0, b1, b2, b3 := b[0], b[1], b[2], b[3]
			v := a0[i]
			s00, s01, s02, s03 = s00+v*b0, s01+v*b1, s02+v*b2, s03+v*b3
			v = a1[i]
			s10, s11, s12, s13 = s10+v*b0, s11+v*b1, s12+v*b2, s13+v*b3
			v = a2[i]
			s20, s21, s22, s23 = s20+v*b0, s21+v*b1, s22+v*b2, s23+v*b3
			v = a3[i]
			s30, s31, s32, s33 = s30+v*b0, s31+v*b1, s32+v*b2, s33+v*b3
		}
		add4(c.from(0, col).data, s00, s01, s02, s03)
		add4(c.from(1, col).data, s10, s11, s12, s13)
		add4(c.from(2, col).data, s20, s21, s22, s23)
		add4(c.from(3, col).data, s30, s31, s32, s33)
	}
}

// goTileRows is the number of rows that tileGo computes.
const goTileRows = 4

func add4(dst []float32, v0, v1, v2, v3 float32) {
	dst = dst[:4:4]
	dst[0] += v0
	dst[1] += v1
	dst[2] += v2
	dst[3] += v3
}
