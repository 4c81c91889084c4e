package fuzz

import (
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// fewEdges draws programs with the fact Deps that have as few edges as order them.
const fewEdges = `{"insts": [4, 40], "elems": 32, "features": {"edges": 1, "rolled-edges": 1, "lean-edges": 1, "loops": 0.8, "barriers": 0.7,
	"shared-outputs": 0.7, "redefine": 1, "predicates": 0.5, "shards": 0}}`

// TestChangedStayOrdered: programs that were changed or joined and still have the fact Deps are ordered by edges, queues and fences, though whatever is
// put into another queue may have been part of the order.
func TestChangedStayOrdered(t *testing.T) {
	t.Parallel()
	c, err := gen.ReadConfig(strings.NewReader(fewEdges))
	if err != nil {
		t.Fatal(err)
	}
	n := 6000
	if birtest.Quick() {
		n = 300
	}
	k, changed, joined := newChecking(1), 0, 0
	var v gen.Varier
	r, last := gen.New(9), Generate(5, n, &c).Program
	for i := range n {
		p := Generate(5, i, &c).Program
		if q := v.Vary(r, p); q != nil && q.Facts.Has(ir.Deps) {
			changed++
			k.edges(i, q)
		}
		if q := v.Splice(r, p, last); q != nil && q.Facts.Has(ir.Deps) {
			joined++
			k.edges(i, q)
		}
		last = p
	}
	for _, bad := range k.found.Complaints[:min(len(k.found.Complaints), 5)] {
		t.Error(bad)
	}
	if changed < n/20 || joined < n/200 {
		t.Errorf("too little was tried: %d changed, %d joined of %d", changed, joined, n)
	}
	t.Logf("%d changed, %d joined", changed, joined)
}

// bridges counts, in bodies of loops of programs that edges order, the instructions that do the same in every trip and by which alone one of another
// engine waits for one that comes before them on their own: whoever takes such a bridge out of the loop takes the order along.
func bridges(p *ir.Program) (n int) {
	if !p.Facts.Has(ir.Deps) {
		return 0
	}
	for in := range p.Insts {
		if in.Loop == nil {
			continue
		}
		for _, b := range in.Loop.Blocks {
			for i, x := range b.Insts {
				if still(x) && slices.ContainsFunc(b.Insts[:i], func(a *ir.Inst) bool {
					return a.Loop == nil && a.Engine == x.Engine && slices.ContainsFunc(b.Insts[i+1:], func(c *ir.Inst) bool { return over(a, x, c) })
				}) {
					n++
				}
			}
		}
	}
	return n
}

// still tells whether an instruction does the same in every trip of all loops around it, and surely.
func still(in *ir.Inst) bool {
	return in.Loop == nil && len(in.Pred) == 0 && len(in.Deps) == 0 && in.Engine != ir.Unassigned &&
		!slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.Symbolic() })
}

// over tells whether c, on another engine, conflicts with a, and has an edge to x and none to a.
func over(a, x, c *ir.Inst) bool {
	to := func(on *ir.Inst) bool {
		return slices.ContainsFunc(c.Deps, func(d ir.Dep) bool { return d.On == on })
	}
	return c.Engine != a.Engine && to(x) && !to(a) && (share(c.Args, a.Outs()) || share(c.Outs(), a.Args))
}

// share tells whether some two operands may have a byte in common.
func share(list, others []ir.Operand) bool {
	return slices.ContainsFunc(list, func(o ir.Operand) bool {
		return o.IsAP() && slices.ContainsFunc(others, func(q ir.Operand) bool { return q.IsAP() && ir.Overlap(&o, &q) })
	})
}

// TestBridgesAppear: a campaign draws loops in which an instruction that may leave the loop is the only link between two that stay.
func TestBridgesAppear(t *testing.T) {
	t.Parallel()
	found, n := 0, 8000
	for i := range n {
		if found += bridges(Generate(1, i, nil).Program); found > 2 {
			return
		}
	}
	t.Errorf("%d in %d programs, want 3", found, n)
}
