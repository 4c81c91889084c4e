package ir

import "unsafe"

// element is one of raw bits.
type element interface {
	uint8 | uint16 | uint32 | uint64
}

// wordRow is a rowFunc on raw elements: dst[i] ← x[i] op y[i].
type wordRow[T element] func(dst, x, y []T)

// bitKernels has row kernels of operators on raw bits, for every width.
type bitKernels struct {
	k8  [NumAluOps]wordRow[uint8]
	k16 [NumAluOps]wordRow[uint16]
	k32 [NumAluOps]wordRow[uint32]
	k64 [NumAluOps]wordRow[uint64]
}

// bitRows has the kernels of bitFuncs.
var bitRows = bitKernels{bitRowsOf[uint8](), bitRowsOf[uint16](), bitRowsOf[uint32](), bitRowsOf[uint64]()}

// wrapRows has the exact 32-bit integer operators of GpSimd: two's complement, wrapping (nki-isa.md §1.3; the wrap is our choice).
var wrapRows = bitKernels{k32: [NumAluOps]wordRow[uint32]{AluAdd: wrapAddRow, AluSubtract: wrapSubRow, AluMult: wrapMulRow}}

func bitRowsOf[T element]() [NumAluOps]wordRow[T] {
	return [NumAluOps]wordRow[T]{
		AluBypass: bitCopyRow[T], AluBitNot: bitNotRow[T], AluBitAnd: bitAndRow[T], AluBitOr: bitOrRow[T], AluBitXor: bitXorRow[T],
		AluArithShiftLeft: shiftLeftRow[T], AluLogicalShiftLeft: shiftLeftRow[T], AluLogicalShiftRight: shiftRightRow[T],
		AluArithShiftRight: signedShiftRow[T],
	}
}

func bitCopyRow[T element](dst, x, _ []T) { copy(dst, x[:len(dst)]) }

func bitNotRow[T element](dst, x, _ []T) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = ^x[i]
	}
}

func bitAndRow[T element](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] & y[i]
	}
}

func bitOrRow[T element](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] | y[i]
	}
}

func bitXorRow[T element](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] ^ y[i]
	}
}

func shiftLeftRow[T element](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] << y[i]
	}
}

func shiftRightRow[T element](dst, x, y []T) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] >> y[i]
	}
}

// signedShiftRow copies the sign bit down.
func signedShiftRow[T element](dst, x, y []T) {
	up := 64 - 8*unsafe.Sizeof(T(0))
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = T(int64(x[i]) << up >> up >> y[i])
	}
}

func wrapAddRow(dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] + y[i]
	}
}

func wrapSubRow(dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] - y[i]
	}
}

func wrapMulRow(dst, x, y []uint32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = x[i] * y[i]
	}
}
