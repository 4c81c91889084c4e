#include "textflag.h"

// One row of the block: spread number `lane` of X8 over X11, and add its products with the moving row X9:X10 to the sums lo:hi.
#define ROW(lane, lo, hi) \
	PSHUFD $lane, X8, X11 \
	MOVAPS X11, X12       \
	MULPS  X9, X11        \
	MULPS  X10, X12       \
	ADDPS  X11, lo        \
	ADDPS  X12, hi

// func multiplySSE(sums *blockSums, stationary *float32, stationaryStep int, moving *float32, movingStep int, k int)
// Sums grow from +0 in X0 … X7, two registers a row. Steps count numbers of four bytes.
TEXT ·multiplySSE(SB), NOSPLIT, $0-48
	MOVQ  sums+0(FP), DI
	MOVQ  stationary+8(FP), SI
	MOVQ  stationaryStep+16(FP), R8
	MOVQ  moving+24(FP), DX
	MOVQ  movingStep+32(FP), R9
	MOVQ  k+40(FP), CX
	SHLQ  $2, R8
	SHLQ  $2, R9
	XORPS X0, X0
	XORPS X1, X1
	XORPS X2, X2
	XORPS X3, X3
	XORPS X4, X4
	XORPS X5, X5
	XORPS X6, X6
	XORPS X7, X7

loop:
	MOVUPS (SI), X8
	MOVUPS 0(DX), X9
	MOVUPS 16(DX), X10
	ROW(0x00, X0, X1)
	ROW(0x55, X2, X3)
	ROW(0xAA, X4, X5)
	ROW(0xFF, X6, X7)
	ADDQ   R8, SI
	ADDQ   R9, DX
	DECQ   CX
	JNZ    loop

	MOVUPS X0, 0(DI)
	MOVUPS X1, 16(DI)
	MOVUPS X2, 32(DI)
	MOVUPS X3, 48(DI)
	MOVUPS X4, 64(DI)
	MOVUPS X5, 80(DI)
	MOVUPS X6, 96(DI)
	MOVUPS X7, 112(DI)
	RET
