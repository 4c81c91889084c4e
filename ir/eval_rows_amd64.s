#include "textflag.h"

// SPREAD puts a float64, given as its bits, into both halves of a register.
#define SPREAD(bits, reg) \
	MOVQ     $bits, AX \
	MOVQ     AX, reg   \
	UNPCKLPD reg, reg

// func rsqrtSSE(dst, x *float32, n int)
// Four at a time, in float64, rounded once.
TEXT ·rsqrtSSE(SB), NOSPLIT, $0-24
	MOVQ dst+0(FP), DI
	MOVQ x+8(FP), SI
	MOVQ n+16(FP), CX
	SPREAD(0x3FF0000000000000, X7) // 1

loop:
	CVTPS2PD 0(SI), X0
	CVTPS2PD 8(SI), X1
	SQRTPD   X0, X0
	SQRTPD   X1, X1
	MOVAPD   X7, X2
	MOVAPD   X7, X3
	DIVPD    X0, X2
	DIVPD    X1, X3
	CVTPD2PS X2, X2
	CVTPD2PS X3, X3
	MOVLHPS  X3, X2
	MOVUPS   X2, (DI)
	ADDQ     $16, SI
	ADDQ     $16, DI
	SUBQ     $4, CX
	JNZ      loop
	RET

// QUOTIENT sets q to a/b and ok to all ones where exactQuotient holds of them; t is scratch.
#define QUOTIENT(a, b, q, ok, t) \
	MOVAPD a, q       \
	DIVPD  b, q       \
	MOVAPD q, ok      \
	ANDPD  X8, ok     \
	CMPPD  X9, ok, $1 \
	MOVAPD b, t       \
	ANDPD  X8, t      \
	CMPPD  X10, t, $1 \
	ANDPD  t, ok

// REMAINDER sets a to exactMod of a, b and q, in float64; it uses up b, q, n and t.
#define REMAINDER(a, b, q, n, t) \
	MOVAPD q, n      \
	ADDPD  X11, n    \
	SUBPD  X11, n    \
	CMPPD  n, q, $1  \
	ANDPD  X12, q    \
	SUBPD  q, n      \
	MULPD  b, n      \
	SUBPD  n, a      \
	ADDPD  X13, a    \
	MOVAPD X8, t     \
	ANDNPD b, t      \
	ORPD   t, a

// func modSSE(dst, x, y *float32, n int) int
// Four at a time, up to the first four of which one quotient is not exact.
TEXT ·modSSE(SB), NOSPLIT, $0-40
	MOVQ  dst+0(FP), DI
	MOVQ  x+8(FP), SI
	MOVQ  y+16(FP), DX
	MOVQ  n+24(FP), CX
	SPREAD(0x7FFFFFFFFFFFFFFF, X8)  // all but the sign
	SPREAD(0x4170000000000000, X9)  // 2²⁴
	SPREAD(0x7FF0000000000000, X10) // Inf
	SPREAD(0x4338000000000000, X11) // 1.5·2⁵²
	SPREAD(0x3FF0000000000000, X12) // 1
	XORPS X13, X13

loop:
	CVTPS2PD 0(SI), X0
	CVTPS2PD 8(SI), X1
	CVTPS2PD 0(DX), X2
	CVTPS2PD 8(DX), X3
	QUOTIENT(X0, X2, X4, X6, X7)
	QUOTIENT(X1, X3, X5, X7, X14)
	ANDPD    X7, X6
	MOVMSKPD X6, AX
	CMPL     AX, $3
	JNE      done
	REMAINDER(X0, X2, X4, X6, X7)
	REMAINDER(X1, X3, X5, X6, X7)
	CVTPD2PS X0, X0
	CVTPD2PS X1, X1
	MOVLHPS  X1, X0
	MOVUPS   X0, (DI)
	ADDQ     $16, SI
	ADDQ     $16, DX
	ADDQ     $16, DI
	SUBQ     $4, CX
	JNZ      loop

done:
	MOVQ n+24(FP), AX
	SUBQ CX, AX
	MOVQ AX, ret+32(FP)
	RET

// func zeroOneSSE(x *float32, n int) bool
TEXT ·zeroOneSSE(SB), NOSPLIT, $0-17
	MOVQ   x+0(FP), SI
	MOVQ   n+8(FP), CX
	XORPS  X4, X4 // 0
	MOVL   $0x3F800000, AX
	MOVL   AX, X5
	PSHUFD $0, X5, X5 // 1
	PCMPEQL X6, X6 // all ones

loop:
	MOVUPS (SI), X0
	MOVAPS X0, X1
	CMPPS  X4, X0, $0
	CMPPS  X5, X1, $0
	ORPS   X1, X0
	ANDPS  X0, X6
	ADDQ   $16, SI
	SUBQ   $4, CX
	JNZ    loop

	MOVMSKPS X6, AX
	CMPL     AX, $15
	SETEQ    ret+16(FP)
	RET
