package oracle

import (
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// roundings is a tracker that tells whether the additions of a run were all exact, in whatever order each instruction's terms are added (semantics
// §7): then a sum has one value, and another order of adding has no excuse for another one.
//
// It never says so wrongly, and may miss it: numbers that are all multiples of one power of two, the grid, with a total magnitude that a
// mantissa can count in grid steps, add without rounding. Instructions whose additions it cannot see count as rounding. What adds nothing is
// left out, for it gives equal numbers on equal ones.
type roundings struct {
	m       *Machine
	data    []float32 // scratch
	rounded bool      // some addition may have rounded
	pending bool      // the instruction that runs may round if it computes
}

// addsExactly tells whether no addition of a run rounds. A program that cannot be run, or comes to no end, is no proof.
func addsExactly(p *ir.Program, in ir.Values, w runWay, maxBytes int64) bool {
	t := &roundings{}
	t.m = newMachine(t)
	if t.m.Prepare(p, Layout{Joined: w.joined, MaxBytes: maxBytes}) != nil {
		return false
	}
	out, err := t.m.Run(in, Way{Downward: w.down, Clear: true, Schedule: w.orderOf(p), Racy: w.order.kind != programOrder})
	return err == nil && out.Fault == nil && !out.Limited && !t.rounded
}

// before implements tracker: while the operands still stand it is known whether adding them may round.
func (t *roundings) before(c *code, at []place) *Fault {
	t.pending = !t.rounded && c.adding() && !t.fits(c, at)
	return nil
}

// after implements tracker. What was only moved was not added, unless an accumulator took it.
func (t *roundings) after(c *code, _ []place, r *ran) *Fault {
	if moved := r.how == wroteCopy || r.how == wrotePick; t.pending && (!moved || c.accum != noAcc) {
		t.rounded = true
	}
	return nil
}

// exchange implements tracker: what a collective folds is added.
func (t *roundings) exchange(_ []member, moves []transfer) *Fault {
	for i := range moves {
		t.rounded = t.rounded || moves[i].reduce
	}
	return nil
}

// operators are the settings that say how numbers are combined.
var operators = [...]ir.ParamID{ir.POp, ir.PRegOp, ir.PReduceOp, ir.PScatterOp, ir.POp0, ir.POp1}

// adding tells whether the instruction may add: all that computes, but for those whose operators say that they do not.
func (c *code) adding() bool {
	switch {
	case c.spec.Flow == ir.FlowMatmul, c.writes == ir.Adds, c.accum != noAcc:
		return true
	case c.spec.Flow == ir.FlowMove, c.spec.Flow == ir.FlowNone:
		return false
	}
	operated := false
	for _, id := range operators {
		if c.spec.HasParam(id) {
			op := c.inst.Alu(id)
			if op == ir.AluAdd || op == ir.AluSubtract {
				return true
			}
			operated = true
		}
	}
	return !operated
}

// degree returns how many factors a term may have, false where more than sums and products are computed or nothing says what is.
func (c *code) degree() (int, bool) {
	factors, known := 1, c.writes == ir.Adds && c.spec.Flow == ir.FlowMove
	if c.spec.Flow == ir.FlowMatmul {
		factors, known = 2, true
	}
	for _, id := range operators {
		if !c.spec.HasParam(id) {
			continue
		}
		switch c.inst.Alu(id) {
		case ir.AluMult:
			if c.spec.Flow != ir.FlowElem { // a product of many
				return 0, false
			}
			factors++
		case ir.AluAdd, ir.AluSubtract, ir.AluMax, ir.AluMin, ir.AluBypass:
		default:
			return 0, false
		}
		known = true
	}
	return factors, known
}

// fits tells whether no addition of the instruction can round.
func (t *roundings) fits(c *code, at []place) bool {
	factors, known := c.degree()
	if !known {
		return false
	}
	g, operands, elems := lattice{step: 1, most: 1}, 0, 0
	for k := range at {
		p := &at[k]
		switch {
		case p.acc.st != nil && (k >= c.nout || c.writes != ir.Overwrites):
			t.data = resize(t.data, p.acc.count())
			widen(t.data, t.m.data, p)
			g.hold(t.data...)
			operands++
			elems += max(p.acc.lanes, p.acc.free)
		case p.acc.st == nil:
			g.hold(float32(c.inst.Args[p.acc.arg].Imm))
			operands++
		}
	}
	for i := range c.inst.Params {
		if q := &c.inst.Params[i]; q.ID.Spec().Kind == ir.FloatParam {
			g.hold(float32(q.F))
			operands++
		}
	}
	terms := operands                                   // of one result: no operand is added to it twice
	if c.spec.Flow != ir.FlowElem || c.accum != noAcc { // one element takes many
		terms *= max(elems, 1)
	}
	sum := g.sums(factors, terms)
	if c.accum != noAcc && !sum.exactIn(num.Float32) {
		return false
	}
	for k := range c.nout {
		if !sum.exactIn(at[k].acc.dtype) {
			return false
		}
	}
	return true
}

// lattice is what is known of numbers: all are multiples of step, a power of two of at most 1, and none is larger than most,
// which is 1 or more.
type lattice struct{ step, most float64 }

// hold widens a lattice so that it has more numbers.
func (g *lattice) hold(xs ...float32) {
	for _, f := range xs {
		x := math.Abs(float64(f))
		g.most = max(g.most, x) // NaN stays
		if x == 0 || !(x <= math.MaxFloat32) {
			continue
		}
		for math.Mod(x, g.step) != 0 {
			g.step /= 2
		}
	}
}

// sums returns the lattice of sums of so many products of up to so many of its numbers.
func (g lattice) sums(factors, terms int) lattice {
	return lattice{math.Pow(g.step, float64(factors)), float64(terms) * math.Pow(g.most, float64(factors))}
}

// exactIn tells whether float32 arithmetic and then an element type have every number of the lattice: they do where they have the negative one
// with the most digits.
func (g lattice) exactIn(d num.DType) bool {
	_, exponent := math.Frexp(g.most)
	return g.most/g.step < 1<<24 && has(d, g.step-math.Ldexp(1, exponent))
}

// has tells whether a type has a number, of those that float32 has.
func has(d num.DType, x float64) bool {
	f := float32(x)
	return float64(f) == x && num.Decode(d, num.Encode(d, f)) == f
}

func (t *roundings) bind(*Machine)                   {}
func (t *roundings) reset()                          {}
func (t *roundings) input(*location, int)            {}
func (t *roundings) cleared(*code, []zeroed)         {}
func (t *roundings) fence(int, *code)                {}
func (t *roundings) barrier([]member)                {}
func (t *roundings) environment(int, *location, int) {}

var _ tracker = (*roundings)(nil)
