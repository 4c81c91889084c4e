package fuzz_test

import (
	"slices"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/passes"
)

// reshapeTally is of loops, or tiles, that one rule is asked about.
type reshapeTally struct {
	loopTally
	rule, other string // other: a reason that is about another loop or tile than the one that force takes
	force       func(p *ir.Program) []*ir.Program
}

// tryAll tries programs. What the pass refused is done all the same, in all the ways that force knows.
func (y *reshapeTally) tryAll(t *testing.T, list string, n int, draw func(*nestText)) {
	t.Helper()
	y.loopTally = newLoopTally()
	ps, err := passes.Named(list)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(n) {
		w := &nestText{Rand: *gen.New(seed)}
		w.tiles(draw)
		if c, ok := y.start(t, seed, w.String(), false, false); ok {
			y.run(t, seed, c, ps, func(s *passes.Step) { y.count(c, s) })
		}
	}
	y.log(t, y.rule)
	if y.programs < n*3/4 || y.fired < n/40 {
		t.Errorf("too little was tried: %+v", y)
	}
}

// tiles writes a program around what draw draws.
func (w *nestText) tiles(draw func(*nestText)) {
	w.line("module gen3\nfunc sg0000 {\n  input x: f32[4,%d]\n  output y0: f32[4,%[1]d]\n  output y1: f32[4,%[1]d]\n  output y2: f32[4,%[1]d]\n  output v: f32[4,%[1]d]", nestColumns)
	w.line("  sb s0: f32[4,%d]\n  sb s1: f32[4,%[1]d]\n  sb s2: f32[4,%[1]d]\n  sb t: f32[4,3]\n  sb u: f32[4,%[1]d]\n  dram d: f32[4,%[1]d]\n  dram e: f32[4,%[1]d]", nestColumns)
	w.line("I-a: s0 = Load x @SP\nI-b: s1 = TensorScalar s0 op0=add const0=1 @DVE\nI-c: s2 = TensorScalar s0 op0=add const0=2 @DVE\nI-d: d = Save s1 @SP\nI-e: e = Save s2 @SP\nI-v: v = Save s2 @SP")
	w.line("I-f: s0 = Activation s0 func=Copy acc=ZeroAccumulate @Activation\nI-g: t = TensorCopy s0[:, 0:3] @DVE")
	draw(w)
	for len(w.axes) > 0 {
		w.leave()
	}
	w.line("I-x: y0 = Save s0 @SP\nI-y: y1 = Save s1 @SP\nI-z: y2 = Save s2 @SP\nI-zz: y0[:, 0:3] = Save t @SP\n}")
}

// count takes up what the step did by the rule.
func (y *reshapeTally) count(c loopCase, s *passes.Step) {
	for i := range s.Tally {
		n := &s.Tally[i]
		if n.Rule.Name != y.rule {
			continue
		}
		y.fired += n.Fired
		if why, ok := soleReason(n, y.other); ok {
			y.refuse(c, why, y.force(c.program)...)
		}
	}
}

// outermost returns the loops that stand in no other.
func outermost(p *ir.Program) []*ir.Inst {
	return slices.DeleteFunc(slices.Clone(p.Cores[0].Blocks[0].Insts), func(in *ir.Inst) bool { return in.Loop == nil })
}

// TestInterchangeAgainstExecution: a perfect nest beside a loop that has as many trips as the inner one.
func TestInterchangeAgainstExecution(t *testing.T) {
	t.Parallel()
	y := reshapeTally{rule: "loop-opt.interchange", other: "no perfect nest", force: func(p *ir.Program) []*ir.Program {
		q := p.Clone()
		outer := outermost(q)[0]
		e := ir.NewEdit(q)
		e.Interchange(outer, outer.Loop.Blocks[0].Insts[0])
		e.Done()
		return []*ir.Program{q}
	}}
	y.tryAll(t, "loop_optimization(enable-loop-distribution=0)", sizeOf(t, 5000, 300), func(w *nestText) {
		trips := w.Between(2, 4)
		other := trips%3 + 2
		w.enter(other, w.IntN(2), w.Between(1, 2), w.flags())
		w.enter(trips, w.IntN(2), w.Between(1, 2), w.flags())
		for range w.Between(1, 3) {
			w.part()
		}
		for range w.Pick([]int{6, 2, 1}) {
			w.accumulate()
		}
		w.leave()
		w.leave()
		w.enter(trips, 0, 1, "")
		w.part()
		w.leave()
	})
}

// TestDistributionAgainstExecution: two loops, the second of several parts.
func TestDistributionAgainstExecution(t *testing.T) {
	t.Parallel()
	y := reshapeTally{rule: "loop-opt.distribute", force: func(p *ir.Program) []*ir.Program {
		var all []*ir.Program
		for i, l := range outermost(p) {
			for at := 1; at < len(l.Loop.Blocks[0].Insts); at++ {
				all = append(all, forceSplit(p, i, at))
			}
		}
		return all
	}}
	y.tryAll(t, "loop_optimization", sizeOf(t, 5000, 300), func(w *nestText) {
		trips := w.Between(2, 4)
		for range 2 {
			w.enter(trips, w.IntN(2), w.Between(1, 2), "")
			for range w.Between(1, 3) {
				w.part()
			}
			w.leave()
		}
	})
}

// forceSplit returns the program with the i-th of its outermost loops split, whatever that does to it.
func forceSplit(p *ir.Program, i, at int) *ir.Program {
	q := p.Clone()
	first := outermost(q)[i]
	second, l := *first, *first.Loop
	second.Name, second.Loop = "L-second", &l
	l.Axis, l.Blocks = "second", []*ir.Block{{Name: "Second"}}
	e := ir.NewEdit(q)
	e.Distribute(first, at, &second)
	e.Done()
	return q
}

// TestTilingAgainstExecution: two loops of unlike trips.
func TestTilingAgainstExecution(t *testing.T) {
	y := reshapeTally{rule: "loop-opt.tile", force: forceTiles}
	y.tryAll(t, "loop_optimization", sizeOf(t, 4000, 200), func(w *nestText) {
		for range 2 {
			w.enter(w.Between(1, 6), w.IntN(2), w.Between(1, 2), "")
			for range w.Between(1, 2) {
				w.part()
			}
			w.leave()
		}
	})
}

// TestShrinkAgainstExecution: loops whose iterations use parts of a tile that they may or may not have for themselves.
func TestShrinkAgainstExecution(t *testing.T) {
	y := reshapeTally{rule: "sb-size.shrink", other: "touched outside one loop body", force: forceShrink}
	y.tryAll(t, "sb_size_legalization(sb-size=1)", sizeOf(t, 5000, 400), func(w *nestText) {
		if w.Bool(0.3) {
			w.enter(w.Between(1, 2), 0, 1, "")
		}
		w.line("  L-w: for k = %d..%d {", w.IntN(2), w.Between(3, 5))
		c := w.Between(1, 3)
		for range w.Between(1, 4) {
			w.names++
			n := w.Between(1, 3)
			at := w.Between(0, 2)
			switch w.IntN(3) {
			case 0:
				w.line("I-%d: u[20x4, 1x%d at %d*k + %d] = TensorScalar s0[:, 0:%d] op0=add const0=%d @DVE%s", w.names, n, c, at, n, w.IntN(9), map[bool]string{true: " if(k - 1 >= 0)"}[w.Bool(0.1)])
			case 1:
				w.line("I-%d: u[20x4, 1x%d at %d*k + %d] = Load d[20x4, 1x%d at 2*k] @SP", w.names, n, c, at, n)
			default:
				w.line("I-%d: s1[20x4, 1x%d at 3*k] = TensorCopy u[20x4, 1x%d at %d*k + %d] @DVE", w.names, n, n, c, at)
			}
		}
		w.line("}")
	})
}

// part writes a statement, or two that hand a value on by way of a tile of their own.
func (w *nestText) part() {
	if !w.Bool(0.25) {
		w.statement()
		return
	}
	w.names++
	n := w.Between(2, 3)
	in, out := w.IntN(2), w.IntN(2)
	w.line("I-%d: t[:, 0:%d] = TensorCopy s%d%s @DVE", w.names, n, in, w.window(n))
	w.line("I-%d-b: s%d%s = TensorScalar t[:, 0:%d] op0=add const0=1 @DVE", w.names, out, w.window(n), n)
}

// accumulate writes a statement that adds to an accumulator, or starts it anew.
func (w *nestText) accumulate() {
	w.names++
	n := w.Between(1, 3)
	w.line("I-%d: s1%s = Activation s0%s func=Copy acc=%s @Activation", w.names, w.window(n), w.window(n), []string{"Accumulate", "ZeroAccumulate"}[w.IntN(2)])
}

// forceTiles returns the program with each of its outermost loops made a nest, in every way there is: what tiling refuses it refuses for want of a
// use, not for harm.
func forceTiles(p *ir.Program) []*ir.Program {
	var all []*ir.Program
	for i, l := range outermost(p) {
		for inner := int64(2); inner < l.Loop.Trips(); inner++ {
			if l.Loop.Trips()%inner != 0 {
				continue
			}
			q := p.Clone()
			loop := outermost(q)[i]
			e := ir.NewEdit(q)
			e.Tile(loop, inner, &ir.Inst{Op: loop.Op, Name: "L-tile", Loop: &ir.Loop{Axis: "tile"}}, "Tile")
			e.Done()
			all = append(all, q)
		}
	}
	return all
}

// forceShrink returns the program with the tile u no longer moving along the innermost loop.
func forceShrink(p *ir.Program) []*ir.Program {
	q := p.Clone()
	for in := range q.Insts {
		for i := range in.Args {
			o := &in.Args[i]
			if o.Loc == nil || o.Loc.Name != "u" {
				continue
			}
			at := ir.Konst(o.Off.C)
			for _, x := range o.Off.Terms {
				at.C += x.Coef * x.Axis.LB
			}
			o.Off = at
		}
	}
	return []*ir.Program{q}
}
