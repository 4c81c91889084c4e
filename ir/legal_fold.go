package ir

import "strconv"

// folds checks that an output has one element a lane for each run of the k innermost pairs of input x.
func folds(in *Inst, c *Complain, k int) {
	x, out := &in.Ins()[0], &in.Args[0]
	if int(x.N)-1 < k {
		c.Addf(RuleShape, "an input with "+strconv.Itoa(k)+" pairs beside the lanes", "%d", int(x.N)-1)
		return
	}
	kept := int64(1)
	for _, p := range x.Pairs()[1 : int(x.N)-k] {
		kept *= int64(p.Num)
	}
	if n := out.Free(); n != kept {
		c.Addf(RuleShape, strconv.FormatInt(kept, 10)+", the product of the pairs kept", "%d elements a lane out", n)
	}
}

// legalTensorReduce: nki-isa.md §3.7.
func legalTensorReduce(in *Inst, c *Complain) {
	op := in.Alu(PReduceOp)
	switch {
	case !foldOps.has(op):
		c.Addf(RuleSetting, foldOps.String(), "op %s", op)
	case op.Bitwise() && in.Flag(PNegate):
		c.Addf(RuleSetting, "negate with an operator on numbers", "negate with %s", op)
	case op.Bitwise():
		integersOfOneWidth(in, c, op)
	}
	folds(in, c, int(in.Int(PAxis))+1)
}

// legalPoolFold: the two innermost pairs (bir-json.md).
func legalPoolFold(in *Inst, c *Complain) { folds(in, c, 2) }

// columns checks the elements a lane of input x.
func columns(in *Inst, c *Complain, lo, hi int64) {
	if n := in.Ins()[0].Free(); n < lo || n > hi {
		c.Addf(RuleShape, strconv.FormatInt(lo, 10)+" to "+strconv.FormatInt(hi, 10), "%d elements a lane", n)
	}
}

// legalMax8: 8 to 16,384 columns (nki-isa.md §3.26).
func legalMax8(in *Inst, c *Complain) { columns(in, c, 8, 16384) }

// legalBNStats: at most 512 columns (nki-isa.md §3.24).
func legalBNStats(in *Inst, c *Complain) { columns(in, c, 1, 512) }

// legalBNAggregate: triples of count, mean and variance·count.
func legalBNAggregate(in *Inst, c *Complain) {
	if n := in.Ins()[0].Free(); n%3 != 0 {
		c.Addf(RuleShape, "a multiple of 3", "%d elements a lane", n)
	}
}
