package ir

import (
	"math"
	"testing"

	"birfuzz/ir/num"
)

// TestActivationDomains: numbers drawn from the domains of x and bias are in the function's range after scale and bias, in float32.
func TestActivationDomains(t *testing.T) {
	for f := range NumActFuncs {
		for _, scale := range []float64{1, -1, 0.125, -300} {
			for _, bias := range []func(b *builder) []Operand{
				func(b *builder) []Operand { return nil },
				func(b *builder) []Operand { return []Operand{immOf(0.25)} },
				func(b *builder) []Operand { return []Operand{whole(b.loc("bias", SB, num.Float32, 4, 1))} },
			} {
				b := newBuilder()
				x := b.loc("x", SB, num.Float32, 4, 4)
				in := b.add("Activation", Activation, append([]Operand{whole(x), whole(x)}, bias(b)...)...)
				in.SetInt(PFunc, int64(f))
				in.SetFloat(PScale, scale)
				checkDomain(t, in, f, float32(scale))
			}
		}
	}
}

func checkDomain(t *testing.T, in *Inst, f ActFunc, scale float32) {
	t.Helper()
	lo, hi, nonZero := f.ValidRange()
	biases := []float32{0}
	if ins := in.Ins(); len(ins) > 1 {
		biases = ends(in.Spec().Domain(in, 1))
		if ins[1].Kind == ImmOperand {
			biases = []float32{float32(ins[1].Imm)}
		}
	}
	for _, x := range ends(in.Spec().Domain(in, 0)) {
		for _, b := range biases {
			arg := float64(float32(x*scale) + b)
			if nonZero {
				arg = math.Abs(arg)
			}
			if !(arg >= lo && arg <= hi) {
				t.Errorf("%s(%v·%v + %v): %v is outside %v to %v", f, x, scale, b, arg, lo, hi)
			}
			if f == FuncExp && math.IsInf(float64(float32(math.Exp(arg))), 0) {
				t.Errorf("%s(%v) is infinite", f, arg)
			}
		}
	}
}

// ends are numbers of a domain, its ends among them.
func ends(d Domain) []float32 {
	lo, hi := float32(d.Lo), float32(d.Hi)
	switch d.Kind {
	case InRange:
		return []float32{lo, lo + (hi-lo)/2, hi}
	case NonZero:
		return []float32{lo, hi, -lo, -hi}
	}
	return []float32{0, 1, -1000, math.MaxFloat32}
}

// TestChainDomains: which operand of a chain is a shift count, a truth value or a divisor.
func TestChainDomains(t *testing.T) {
	for _, c := range []struct {
		op0, op1   AluOp
		rev0, rev1 int64
		want       [3]DomainKind // x, s0, y
	}{
		{AluAdd, AluMult, 0, 0, [3]DomainKind{AnyValue, AnyValue, AnyValue}},
		{AluLogicalShiftLeft, AluBypass, 0, 0, [3]DomainKind{AnyValue, ShiftCount, AnyValue}},
		{AluLogicalShiftLeft, AluBypass, 1, 0, [3]DomainKind{ShiftCount, AnyValue, AnyValue}},
		{AluDivide, AluDivide, 1, 0, [3]DomainKind{NonZero, AnyValue, NonZero}},
		{AluBypass, AluLogicalAnd, 0, 0, [3]DomainKind{ZeroOne, AnyValue, ZeroOne}},
		{AluRsqrt, AluPow, 1, 1, [3]DomainKind{InRange, AnyValue, InRange}},
	} {
		in := &Inst{NOut: 1}
		for id, v := range map[ParamID]int64{POp0: int64(c.op0), POp1: int64(c.op1), PReverse0: c.rev0, PReverse1: c.rev1} {
			in.SetInt(id, v)
		}
		for arg, want := range c.want {
			if got := domainChain(in, arg).Kind; got != want {
				t.Errorf("%s, %s, reversed %d %d: input %d has domain %d, want %d", c.op0, c.op1, c.rev0, c.rev1, arg, got, want)
			}
		}
	}
}

func TestDomainsOfOneOperator(t *testing.T) {
	for _, c := range []struct {
		row  string
		id   ParamID
		op   AluOp
		arg  int
		want DomainKind
	}{
		{"TensorTensor", POp, AluAdd, 1, AnyValue},
		{"TensorTensor", POp, AluDivide, 0, AnyValue},
		{"TensorTensor", POp, AluDivide, 1, NonZero},
		{"TensorTensor", POp, AluMod, 1, NonZero},
		{"TensorTensor", POp, AluArithShiftRight, 0, AnyValue},
		{"TensorTensor", POp, AluArithShiftRight, 1, ShiftCount},
		{"TensorTensor", POp, AluLogicalXor, 0, ZeroOne},
		{"TensorTensor", POp, AluPow, 0, InRange},
		{"TensorTensor", POp, AluRsqrt, 0, InRange},
		{"TensorTensor", POp, AluRsqrt, 1, AnyValue},
		{"TensorReduce", PReduceOp, AluLogicalOr, 0, ZeroOne},
		{"TensorReduce", PReduceOp, AluMult, 0, NonZero},
		{"TensorReduce", PReduceOp, AluMax, 0, AnyValue},
	} {
		spec, _ := OpNamed(c.row)
		in := &Inst{Op: spec.Op, NOut: 1}
		in.SetInt(c.id, int64(c.op))
		if got := spec.Domain(in, c.arg).Kind; got != c.want {
			t.Errorf("%s %s: input %d has domain %d, want %d", c.row, c.op, c.arg, got, c.want)
		}
	}
}
