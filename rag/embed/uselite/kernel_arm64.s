#include "textflag.h"

// The kernel walks along the inner dimension: each step loads one row of the
// panel, broadcasts one element of every row of a, and adds the products to
// the sums, which start with what c holds.

// One row of the tile: element of a, at p, times 16 columns.
#define ROW(p, elem, s0, s1, s2, s3) \
	VLD1R.P 4(p), [elem.S4]               \
	VFMLA   V16.S4, elem.S4, s0.S4        \
	VFMLA   V17.S4, elem.S4, s1.S4        \
	VFMLA   V18.S4, elem.S4, s2.S4        \
	VFMLA   V19.S4, elem.S4, s3.S4

// func tileNEON(c *float32, cStride int, a *float32, aStride int, b *float32, n int)
TEXT ·tileNEON(SB), NOSPLIT, $0-48
	MOVD c+0(FP), R0
	MOVD cStride+8(FP), R1
	MOVD a+16(FP), R2
	MOVD aStride+24(FP), R3
	MOVD b+32(FP), R4
	MOVD n+40(FP), R5
	LSL  $2, R1
	LSL  $2, R3

	// The rows of c and of a.
	ADD R0, R1, R6
	ADD R6, R1, R7
	ADD R7, R1, R8
	ADD R2, R3, R9
	ADD R9, R3, R10
	ADD R10, R3, R11

	VLD1 (R0), [V0.S4, V1.S4, V2.S4, V3.S4]
	VLD1 (R6), [V4.S4, V5.S4, V6.S4, V7.S4]
	VLD1 (R7), [V8.S4, V9.S4, V10.S4, V11.S4]
	VLD1 (R8), [V12.S4, V13.S4, V14.S4, V15.S4]

step:
	VLD1.P 64(R4), [V16.S4, V17.S4, V18.S4, V19.S4]
	ROW(R2, V20, V0, V1, V2, V3)
	ROW(R9, V21, V4, V5, V6, V7)
	ROW(R10, V22, V8, V9, V10, V11)
	ROW(R11, V23, V12, V13, V14, V15)
	SUBS   $1, R5
	BNE    step

	VST1 [V0.S4, V1.S4, V2.S4, V3.S4], (R0)
	VST1 [V4.S4, V5.S4, V6.S4, V7.S4], (R6)
	VST1 [V8.S4, V9.S4, V10.S4, V11.S4], (R7)
	VST1 [V12.S4, V13.S4, V14.S4, V15.S4], (R8)
	RET
