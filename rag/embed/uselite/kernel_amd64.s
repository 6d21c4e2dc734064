#include "textflag.h"

// Both kernels walk along the inner dimension: each step loads one row of the
// panel(s), broadcasts one element of every row of a, and adds the products to
// sums that stay in registers. Rows 0…7 of a (c) are addressed from one
// pointer with the stride times 1, 2, 3, 4, 5, 6 and 7.

// One row of the AVX2 tile: element of a times 16 columns.
#define ROW2(elem, lo, hi) \
	VBROADCASTSS elem, Y14       \
	VFMADD231PS  Y12, Y14, lo    \
	VFMADD231PS  Y13, Y14, hi

// One step of the AVX2 tile, at byte offset o of a and bo of b.
#define STEP2(o, bo) \
	VMOVUPS bo(DX), Y12          \
	VMOVUPS bo+32(DX), Y13       \
	ROW2(o(SI), Y0, Y1)          \
	ROW2(o(SI)(R9*1), Y2, Y3)    \
	ROW2(o(SI)(R9*2), Y4, Y5)    \
	ROW2(o(SI)(R10*1), Y6, Y7)   \
	ROW2(o(SI)(R9*4), Y8, Y9)    \
	ROW2(o(SI)(R11*1), Y10, Y11)

// Adds a row of sums to c and moves on to the next row.
#define STORE2(lo, hi) \
	VADDPS  (DI), lo, lo         \
	VADDPS  32(DI), hi, hi       \
	VMOVUPS lo, (DI)             \
	VMOVUPS hi, 32(DI)           \
	ADDQ    R8, DI

// func tileAVX2(c *float32, cStride int, a *float32, aStride int, b *float32, n int)
TEXT ·tileAVX2(SB), NOSPLIT, $0-48
	MOVQ c+0(FP), DI
	MOVQ cStride+8(FP), R8
	MOVQ a+16(FP), SI
	MOVQ aStride+24(FP), R9
	MOVQ b+32(FP), DX
	MOVQ n+40(FP), CX
	SHLQ $2, R8
	SHLQ $2, R9
	LEAQ (R9)(R9*2), R10
	LEAQ (R9)(R9*4), R11

	VXORPS Y0, Y0, Y0
	VXORPS Y1, Y1, Y1
	VXORPS Y2, Y2, Y2
	VXORPS Y3, Y3, Y3
	VXORPS Y4, Y4, Y4
	VXORPS Y5, Y5, Y5
	VXORPS Y6, Y6, Y6
	VXORPS Y7, Y7, Y7
	VXORPS Y8, Y8, Y8
	VXORPS Y9, Y9, Y9
	VXORPS Y10, Y10, Y10
	VXORPS Y11, Y11, Y11

	SUBQ $4, CX
	JLT  rest

four:
	STEP2(0, 0)
	STEP2(4, 64)
	STEP2(8, 128)
	STEP2(12, 192)
	ADDQ $16, SI
	ADDQ $256, DX
	SUBQ $4, CX
	JGE  four

rest:
	ADDQ $4, CX
	JZ   store

one:
	STEP2(0, 0)
	ADDQ $4, SI
	ADDQ $64, DX
	DECQ CX
	JNZ  one

store:
	STORE2(Y0, Y1)
	STORE2(Y2, Y3)
	STORE2(Y4, Y5)
	STORE2(Y6, Y7)
	STORE2(Y8, Y9)
	STORE2(Y10, Y11)
	VZEROUPPER
	RET

// One row of the AVX-512 tile: element of a times 32 columns.
#define ROW5(elem, bc, lo, hi) \
	VBROADCASTSS elem, bc        \
	VFMADD231PS  Z16, bc, lo     \
	VFMADD231PS  Z17, bc, hi

// One step of the AVX-512 tile, at byte offset o of a and bo of both panels.
#define STEP5(o, bo) \
	VMOVUPS bo(DX), Z16               \
	VMOVUPS bo(BX), Z17               \
	ROW5(o(SI), Z18, Z0, Z1)          \
	ROW5(o(SI)(R9*1), Z19, Z2, Z3)    \
	ROW5(o(SI)(R9*2), Z20, Z4, Z5)    \
	ROW5(o(SI)(R10*1), Z21, Z6, Z7)   \
	ROW5(o(SI)(R9*4), Z22, Z8, Z9)    \
	ROW5(o(SI)(R11*1), Z23, Z10, Z11) \
	ROW5(o(SI)(R10*2), Z24, Z12, Z13) \
	ROW5(o(SI)(R12*1), Z25, Z14, Z15)

// Adds a row of sums to c and moves on to the next row.
#define STORE5(lo, hi) \
	VADDPS  (DI), lo, lo              \
	VADDPS  64(DI), hi, hi            \
	VMOVUPS lo, (DI)                  \
	VMOVUPS hi, 64(DI)                \
	ADDQ    R8, DI

// func tileAVX512(c *float32, cStride int, a *float32, aStride int, b0, b1 *float32, n int)
TEXT ·tileAVX512(SB), NOSPLIT, $0-56
	MOVQ c+0(FP), DI
	MOVQ cStride+8(FP), R8
	MOVQ a+16(FP), SI
	MOVQ aStride+24(FP), R9
	MOVQ b0+32(FP), DX
	MOVQ b1+40(FP), BX
	MOVQ n+48(FP), CX
	SHLQ $2, R8
	SHLQ $2, R9
	LEAQ (R9)(R9*2), R10
	LEAQ (R9)(R9*4), R11
	LEAQ (R10)(R9*4), R12

	VPXORD Z0, Z0, Z0
	VPXORD Z1, Z1, Z1
	VPXORD Z2, Z2, Z2
	VPXORD Z3, Z3, Z3
	VPXORD Z4, Z4, Z4
	VPXORD Z5, Z5, Z5
	VPXORD Z6, Z6, Z6
	VPXORD Z7, Z7, Z7
	VPXORD Z8, Z8, Z8
	VPXORD Z9, Z9, Z9
	VPXORD Z10, Z10, Z10
	VPXORD Z11, Z11, Z11
	VPXORD Z12, Z12, Z12
	VPXORD Z13, Z13, Z13
	VPXORD Z14, Z14, Z14
	VPXORD Z15, Z15, Z15

	SUBQ $4, CX
	JLT  rest

four:
	STEP5(0, 0)
	STEP5(4, 64)
	STEP5(8, 128)
	STEP5(12, 192)
	ADDQ $16, SI
	ADDQ $256, DX
	ADDQ $256, BX
	SUBQ $4, CX
	JGE  four

rest:
	ADDQ $4, CX
	JZ   store

one:
	STEP5(0, 0)
	ADDQ $4, SI
	ADDQ $64, DX
	ADDQ $64, BX
	DECQ CX
	JNZ  one

store:
	STORE5(Z0, Z1)
	STORE5(Z2, Z3)
	STORE5(Z4, Z5)
	STORE5(Z6, Z7)
	STORE5(Z8, Z9)
	STORE5(Z10, Z11)
	STORE5(Z12, Z13)
	STORE5(Z14, Z15)
	VZEROUPPER
	RET
