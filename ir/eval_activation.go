package ir

import "math"

// evalActivation is func(x·scale + bias), product and sum rounded apart. An argument outside the documented range of the function is poison
// (nki-isa.md §2.2).
func evalActivation(e *Eval) {
	e.activate(ActFunc(e.Int(PFunc)), float32(e.Float(PScale)))
}

// evalExponential is exp(x + bias).
func evalExponential(e *Eval) { e.activate(FuncExp, 1) }

func (e *Eval) activate(f ActFunc, scale float32) {
	x, out := e.In(0), e.Out(0)
	var bias View
	if e.Has(1) {
		bias = e.In(1)
	}
	lo, hi, nonZero := f.ValidRange()
	limited := !math.IsInf(lo, -1) || !math.IsInf(hi, 1)
	for r := range out.Rows {
		dst := out.Row(r)
		b := float32(0)
		if bias.F != nil {
			b = bias.lane(r)
		}
		argument(dst, x.Row(r), scale, b, bias.F != nil)
		if limited {
			e.checkRange(r, dst, lo, hi, nonZero)
		}
		actFuncs[f](dst)
	}
}

// argument is dst ← x·scale + bias. Nothing is added without a bias, so that −0 stays.
func argument(dst, x []float32, scale, bias float32, biased bool) {
	x = x[:len(dst)]
	switch {
	case biased:
		for i, v := range x {
			dst[i] = float32(v*scale) + bias
		}
	case scale != 1:
		for i, v := range x {
			dst[i] = v * scale
		}
	default:
		copy(dst, x)
	}
}

// checkRange poisons the elements of lane r whose argument, NaN included, is outside lo ≤ x ≤ hi, or lo ≤ |x| ≤ hi where nonZero.
func (e *Eval) checkRange(r int, args []float32, lo, hi float64, nonZero bool) {
	for c, v := range args {
		a := float64(v)
		if nonZero {
			a = math.Abs(a)
		}
		if !(a >= lo && a <= hi) {
			e.Poison(r, c)
		}
	}
}

// actFuncs has the functions of nki-isa.md §2.2, in place on a row. The exact ones are float32; the others are evaluated in float64 by the formula
// of the reference and rounded once.
var actFuncs = [NumActFuncs]func(row []float32){
	FuncIdentity:         func([]float32) {},
	FuncCopy:             func([]float32) {},
	FuncRelu:             reluRow,
	FuncSquare:           func(row []float32) { mulRow(row, row, row) },
	FuncAbs:              func(row []float32) { absRow(row, row, nil) },
	FuncSign:             signRow,
	FuncExp:              inFloat64(math.Exp),
	FuncLn:               inFloat64(math.Log),
	FuncSqrt:             inFloat64(math.Sqrt),
	FuncRsqrt:            inFloat64(func(x float64) float64 { return 1 / math.Sqrt(x) }),
	FuncReciprocal:       inFloat64(func(x float64) float64 { return 1 / x }),
	FuncSigmoid:          inFloat64(sigmoid),
	FuncTanh:             inFloat64(math.Tanh),
	FuncGelu:             inFloat64(func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }),
	FuncGeluApprxTanh:    inFloat64(geluTanh),
	FuncSilu:             inFloat64(func(x float64) float64 { return x * sigmoid(x) }),
	FuncErf:              inFloat64(math.Erf),
	FuncSoftplus:         inFloat64(softplus),
	FuncSin:              inFloat64(math.Sin),
	FuncArctan:           inFloat64(math.Atan),
	FuncMish:             inFloat64(func(x float64) float64 { return x * math.Tanh(softplus(x)) }),
	FuncGeluApprxSigmoid: inFloat64(func(x float64) float64 { return x * sigmoid(geluSigmoidScale*x) }),
}

// geluSigmoidScale is the usual coefficient of this approximation; the documents give none.
const geluSigmoidScale = 1.702

func inFloat64(f func(float64) float64) func([]float32) {
	return func(row []float32) {
		for i, v := range row {
			row[i] = float32(f(float64(v)))
		}
	}
}

func sigmoid(x float64) float64 { return 1 / (1 + math.Exp(-x)) }

// softplus is log(1 + eˣ), arranged so that eˣ cannot overflow.
func softplus(x float64) float64 { return max(x, 0) + math.Log1p(math.Exp(-math.Abs(x))) }

func geluTanh(x float64) float64 {
	const cubic = 0.044715
	inner := math.Sqrt(2/math.Pi) * (x + float64(cubic*x*x*x))
	return 0.5 * x * (1 + math.Tanh(inner))
}

// reluRow keeps NaN and makes −0 positive.
func reluRow(row []float32) {
	for i, v := range row {
		row[i] = max(v, 0)
	}
}

// signRow is −1, 0 or 1; it keeps NaN, and ±0 becomes 0.
func signRow(row []float32) {
	for i, v := range row {
		if v == v {
			row[i] = gt32(v, 0) - lt32(v, 0)
		}
	}
}
