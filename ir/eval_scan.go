package ir

import "math"

// evalScan runs r = (x op0 r) op1 y along each row from s0; every r is written. The carry stays float32 (nki-isa.md §3.14).
func evalScan(e *Eval) {
	x, s0, y, out := e.In(0), e.In(1), e.In(2), e.Out(0)
	op0, op1 := e.Alu(POp0), e.Alu(POp1)
	if op0.Logical() || op1.Logical() {
		e.scanChecked(out, x, s0, y)
		return
	}
	f, g := e.flip(op0, e.Flag(PReverse0)), e.flip(op1, e.Flag(PReverse1))
	mulAdd := op0 == AluMult && op1 == AluAdd && !e.Flag(PReverse0) && !e.Flag(PReverse1)
	for r := 0; r < out.Rows; r += len(quad{}) {
		dst, xs, ys := out.quadAt(r), x.quadAt(r), y.quadAt(r)
		var carry [4]float32
		for k := range carry {
			carry[k] = s0.lane(min(r+k, out.Rows-1))
		}
		if mulAdd {
			scanMulAdd(&dst, &xs, &ys, carry)
		} else {
			scanWith(f, g, &dst, &xs, &ys, carry)
		}
	}
}

// scanChecked is evalScan with a logical operator: what comes from a number other than 0 and 1 is poison, and all that follows in its row.
func (e *Eval) scanChecked(out, x, s0, y View) {
	op0, op1 := e.Alu(POp0), e.Alu(POp1)
	f, g := e.flip(op0, e.Flag(PReverse0)), e.flip(op1, e.Flag(PReverse1))
	for r := range out.Rows {
		carry := s0.lane(r)
		dst := out.Row(r)
		xs, ys := x.Row(r)[:len(dst)], y.Row(r)[:len(dst)]
		bad := false
		for c := range dst {
			between := f(xs[c], carry)
			bad = bad || op0.Logical() && !(zeroOne(xs[c]) && zeroOne(carry))
			bad = bad || op1.Logical() && !(zeroOne(between) && zeroOne(ys[c]))
			if bad {
				e.Poison(r, c)
			}
			carry = g(between, ys[c])
			dst[c] = carry
		}
	}
}

// cache runs r = r op1 (x op0 s0) along each row and writes r of element c to column c·step of output 0: every r, or with step 0 the last.
// It starts at the identity of op1, whatever the accumulator command (bir-json.md); reverse1 makes it (x op0 s0) op1 r.
func (e *Eval) cache(step int) {
	x, s0, out := e.In(0), e.In(1), e.Out(0)
	f := e.flip(e.Alu(POp0), e.Flag(PReverse0))
	g := e.flip(e.Alu(POp1), e.Flag(PReverse1))
	start := e.identity(e.Alu(POp1))
	logical := e.Alu(POp0).Logical()
	for lane := range out.Rows {
		s, r := s0.lane(lane), start
		dst := out.Row(lane)
		bad := false
		for c, v := range x.Row(lane) {
			r = g(r, f(v, s))
			dst[c*step] = r
			bad = bad || logical && !(zeroOne(v) && zeroOne(s))
			if bad {
				e.Poison(lane, c*step)
			}
		}
	}
}

// identity is the number from which a running operator starts (nki-isa.md §3.12, §3.13).
func (e *Eval) identity(op AluOp) float32 {
	switch op {
	case AluAdd, AluSubtract:
		return 0
	case AluMult:
		return 1
	case AluMax:
		return float32(math.Inf(-1))
	case AluMin:
		return float32(math.Inf(1))
	}
	e.Fault("%s has no identity to start from", op)
	return 0
}

func evalCacheReduce(e *Eval) { e.cache(0) }

func evalCacheCumulative(e *Eval) { e.cache(1) }
