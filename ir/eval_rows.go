package ir

import "math"

// rowFunc applies an operator to rows: dst[i] ← x[i] op y[i]. x and y are at least as long as dst; dst may be the same memory as either.
type rowFunc func(dst, x, y []float32)

// rowFuncs is the one table of element-wise kernels. A loop of its own for each operator lets the compiler inline the operator.
var rowFuncs = [NumAluOps]rowFunc{
	AluBypass: bypassRow, AluAdd: addRow, AluSubtract: subRow, AluMult: mulRow, AluDivide: divRow, AluMax: maxRow, AluMin: minRow,
	AluAverage: avgRow, AluPow: powRow, AluMod: modRow, AluRsqrt: rsqrtRow, AluAbs: absRow,
	AluAbsMax: absMaxRow, AluAbsMin: absMinRow,
	AluLogicalAnd: andRow, AluLogicalOr: orRow, AluLogicalXor: xorRow,
	AluIsEqual: eqRow, AluNotEqual: neRow, AluIsGT: gtRow, AluIsGE: geRow, AluIsLT: ltRow, AluIsLE: leRow,
}

func bypassRow(dst, x, _ []float32) { copy(dst, x[:len(dst)]) }

func addRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = add32(x[i], y[i])
	}
}

func subRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = sub32(x[i], y[i])
	}
}

func mulRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = mul32(x[i], y[i])
	}
}

func divRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = div32(x[i], y[i])
	}
}

func maxRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = max32(x[i], y[i])
	}
}

func minRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = min32(x[i], y[i])
	}
}

func avgRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = avg32(x[i], y[i])
	}
}

// powRow is some thirty times slower than the others: math.Pow is long, and what gives other bits is not pow32.
func powRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = pow32(x[i], y[i])
	}
}

func absMaxRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = absMax32(x[i], y[i])
	}
}

func absMinRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = absMin32(x[i], y[i])
	}
}

func andRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = and32(x[i], y[i])
	}
}

func orRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = or32(x[i], y[i])
	}
}

func xorRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = xor32(x[i], y[i])
	}
}

func eqRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = eq32(x[i], y[i])
	}
}

func neRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = ne32(x[i], y[i])
	}
}

func gtRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = gt32(x[i], y[i])
	}
}

func geRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = ge32(x[i], y[i])
	}
}

func ltRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = lt32(x[i], y[i])
	}
}

func leRow(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = le32(x[i], y[i])
	}
}

// eachZeroOne is the portable allZeroOne. A product of two 32-bit numbers is 0 only where one of them is.
func eachZeroOne(row []float32) bool {
	bad := uint64(0)
	for _, x := range row {
		u := math.Float32bits(x)
		bad |= uint64(u<<1) * uint64(u^one)
	}
	return bad == 0
}

// rsqrtEach is the portable kernel of rsqrtRow.
func rsqrtEach(dst, x []float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = rsqrt32(x[i], 0)
	}
}

// modEach is the portable kernel of modRow.
func modEach(dst, x, y []float32) {
	x, y = x[:len(dst)], y[:len(dst)]
	for i := range dst {
		dst[i] = mod32(x[i], y[i])
	}
}

func absRow(dst, x, _ []float32) {
	x = x[:len(dst)]
	for i := range dst {
		dst[i] = abs32(x[i], 0)
	}
}
