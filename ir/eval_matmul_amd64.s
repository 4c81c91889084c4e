#include "textflag.h"

// One row of the block: spread number `lane` of X8 over X11, and add its products with the moving row X9:X10 to the sums lo:hi.
#define ROW(lane, lo, hi) \
	PSHUFD $lane, X8, X11 \
	MOVAPS X11, X12       \
	MULPS  X9, X11        \
	MULPS  X10, X12       \
	ADDPS  X11, lo        \
	ADDPS  X12, hi

// func multiplySSE(sums *blockSums, stationary *[blockM]float32, moving *[blockN]float32, k int)
// Sums stay in X0 … X7, two registers a row.
TEXT ·multiplySSE(SB), NOSPLIT, $0-32
	MOVQ   sums+0(FP), DI
	MOVQ   stationary+8(FP), SI
	MOVQ   moving+16(FP), DX
	MOVQ   k+24(FP), CX
	MOVUPS 0(DI), X0
	MOVUPS 16(DI), X1
	MOVUPS 32(DI), X2
	MOVUPS 48(DI), X3
	MOVUPS 64(DI), X4
	MOVUPS 80(DI), X5
	MOVUPS 96(DI), X6
	MOVUPS 112(DI), X7

loop:
	MOVUPS (SI), X8
	MOVUPS 0(DX), X9
	MOVUPS 16(DX), X10
	ROW(0x00, X0, X1)
	ROW(0x55, X2, X3)
	ROW(0xAA, X4, X5)
	ROW(0xFF, X6, X7)
	ADDQ   $16, SI
	ADDQ   $32, DX
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
