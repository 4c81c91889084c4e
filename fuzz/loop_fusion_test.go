package fuzz_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// nestText draws two loops side by side, in all the ways in which they may be nearly legal to fuse: trips, bounds and strides alike or not,
// accesses of the same tensors at all distances, things in between, loops around and inside, predicates, remainders.
type nestText struct {
	gen.Rand
	strings.Builder
	axes  []nestAxis
	names int
	first string // the axis of the first of two loops, once that is drawn
}

// nestAxis is a loop around, and the values that its axis takes.
type nestAxis struct {
	name   string
	lo, hi int
}

// nestColumns is the width of all locations.
const nestColumns = 20

func (w *nestText) line(format string, args ...any) { fmt.Fprintf(&w.Builder, format+"\n", args...) }

// nestProgram returns a program of two loops that stand side by side.
func nestProgram(seed uint64) string {
	w := &nestText{Rand: *gen.New(seed)}
	w.line("module gen3\nfunc sg0000 {\n  input x: f32[4,%d]\n  output y0: f32[4,%[1]d]\n  output y1: f32[4,%[1]d]\n  output y2: f32[4,%[1]d]\n  output v: f32[4,%[1]d]\n  output u: f32[4,1]", nestColumns)
	place := ""
	if w.Bool(0.2) {
		place = " at addr 64 base 0" // on each other, in part
	}
	w.line("  sb s0: f32[4,%d]\n  sb s1: f32[4,%[1]d]%s\n  sb s2: f32[4,%[1]d]%s\n  dram d: f32[4,%[1]d]\n  dram e: f32[4,%[1]d]", nestColumns, place, strings.Replace(place, "64", "128", 1))
	w.line("I-a: s0 = Load x @SP\nI-b: s1 = TensorScalar s0 op0=add const0=1 @DVE\nI-c: s2 = TensorScalar s0 op0=add const0=2 @DVE\nI-d: d = Save s1 @SP\nI-e: e = Save s2 @SP\nI-v: v = Save s2 @SP")
	w.line("I-f: s0 = Activation s0 func=Copy acc=ZeroAccumulate @Activation")
	if w.Bool(0.25) {
		w.enter(w.Between(1, 2), 0, 1, "")
	}
	lb, stride, trips := w.IntN(3), w.Between(1, 2), w.Between(1, 4)
	flags := w.flags()
	first := fmt.Sprint("i", w.names+1)
	w.loop(trips, lb, stride, flags)
	w.first = first
	for range w.Pick([]int{5, 3, 1}) {
		w.statement()
	}
	if w.Bool(0.3) {
		lb, stride = w.IntN(4), w.Between(1, 3)
	}
	if w.Bool(0.1) {
		trips = w.Between(1, 4)
	}
	if w.Bool(0.1) {
		flags = w.flags()
	}
	w.loop(trips, lb, stride, flags)
	for len(w.axes) > 0 {
		w.leave()
	}
	w.line("I-x: y0 = Save s0 @SP\nI-y: y1 = Save s1 @SP\nI-z: y2 = Save s2 @SP\nI-aa: s0[:, 0:1] = ReadActivationAccumulator @Activation\nI-bb: u = Save s0[:, 0:1] @SP\n}")
	return w.String()
}

func (w *nestText) flags() string {
	text := ""
	for _, f := range []string{" no_reorder", " unroll"} {
		if w.Bool(0.06) {
			text += f
		}
	}
	return text + w.predicate()
}

func (w *nestText) predicate() string {
	if len(w.axes) == 0 || !w.Bool(0.1) {
		return ""
	}
	return fmt.Sprintf(" if(%s %s %d)", w.axes[w.IntN(len(w.axes))].name, []string{">=", "<"}[w.IntN(2)], w.IntN(3))
}

func (w *nestText) enter(trips, lb, stride int, flags string) {
	w.enterAs(fmt.Sprint("i", w.names+1), trips, lb, stride, flags)
}

// enterAs opens a loop with an axis of that name.
func (w *nestText) enterAs(axis string, trips, lb, stride int, flags string) {
	w.names++
	w.line("L%d: for %s = %d..%d step %d%s {", w.names, axis, lb, lb+(trips-1)*stride+1, stride, flags)
	w.axes = append(w.axes, nestAxis{axis, lb, lb + (trips-1)*stride})
}

func (w *nestText) leave() {
	w.axes = w.axes[:len(w.axes)-1]
	w.line("}")
}

func (w *nestText) loop(trips, lb, stride int, flags string) {
	w.enter(trips, lb, stride, flags)
	for range w.Between(1, 2) {
		if w.Bool(0.15) {
			w.inner()
			continue
		}
		w.statement()
	}
	w.leave()
}

// inner writes a loop in the loop. In the second of two its axis may have the name of the first one's.
func (w *nestText) inner() {
	if trips, lb := w.Between(1, 3), w.IntN(2); w.first != "" && w.Bool(0.5) {
		w.enterAs(w.first, trips, lb, 1, "")
	} else {
		w.enter(trips, lb, 1, "")
	}
	w.statement()
	w.leave()
}

func (w *nestText) statement() {
	w.names++
	sb := func() string { return fmt.Sprint("s", w.IntN(3)) }
	out, in := sb(), sb()
	n := w.Between(1, 3)
	switch w.Pick([]int{8, 8, 8, 8, 8, 2, 2, 2, 1, 24}) {
	case 0:
		w.line("I-%d: %s%s = Memset constant=%d @DVE%s", w.names, out, w.window(n), (127+w.IntN(9))<<23, w.predicate()) // a power of two
	case 1:
		w.line("I-%d: %s%s = Load d%s @SP%s", w.names, out, w.window(n), w.window(n), w.predicate())
	case 2:
		w.line("I-%d: d%s = Save %s%s @SP%s", w.names, w.window(n), in, w.window(n), w.predicate())
	case 3:
		at := w.window(n)
		w.line("I-%d: %s%s = TensorScalar %s%s op0=add const0=%d @DVE%s", w.names, out, at, out, at, w.IntN(9), w.predicate())
	case 4:
		w.line("I-%d: %s%s = TensorScalar %s%s op0=mult const0=2 @DVE%s", w.names, out, w.window(n), w.other(out), w.window(n), w.predicate())
	case 5:
		w.line("I-%d: %s%s = Activation %s%s func=Copy acc=%s @Activation", w.names, out, w.window(n), w.other(out), w.window(n), []string{"Accumulate", "ZeroAccumulate"}[w.IntN(2)])
	case 6:
		w.line("I-%d: e%s = DMACopy d%s @SP", w.names, w.window(n), w.window(n))
	case 7:
		w.line("I-%d: v%s = Save %s%s @SP", w.names, w.window(n), in, w.window(n))
	case 8:
		w.line("I-%d: Drain @Activation", w.names)
	default:
		w.line("I-%d: %s%s = TensorCopy %s%s @DVE%s", w.names, out, w.window(n), w.other(out), w.window(n), w.predicate())
	}
}

// other returns a tensor that shares no byte with s.
func (w *nestText) other(s string) string {
	if s == "s0" {
		return "s1"
	}
	return "s0"
}

// window is an access of n columns that stays inside its location whatever the axes are.
func (w *nestText) window(n int) string {
	lo, hi, text := 0, 0, ""
	for _, a := range w.axes {
		c := []int{0, 1, 1, 2, 2, 3, -1, -2}[w.IntN(8)]
		if c == 0 {
			continue
		}
		sign, most := "+", c
		if c < 0 {
			sign, most = "-", -c
		}
		text += fmt.Sprintf(" %s %d*%s", sign, most, a.name)
		lo, hi = lo+min(c*a.lo, c*a.hi), hi+max(c*a.lo, c*a.hi)
	}
	if w.Bool(0.1) || hi-lo > nestColumns-n {
		return fmt.Sprintf("[%dx4, 1x%d at mod(%d%s, %d)]", nestColumns, n, w.IntN(5), text, nestColumns-n+1)
	}
	return fmt.Sprintf("[%dx4, 1x%d at %d%s]", nestColumns, n, w.IntN(nestColumns-n-hi+lo+1)-lo, text)
}

// fusionTally is of pairs of loops.
type fusionTally struct {
	loopTally
	reshaped int // programs whose loops the pass changed before it looked again
	vain     int // refused for their distance though no two instances that conflict would have been turned round
}

// TestFusionAgainstExecution: what the pass fuses runs as before, and what it refuses to fuse is fused all the same, to see how often that
// would have been fine.
func TestFusionAgainstExecution(t *testing.T) {
	t.Parallel()
	n := sizeOf(t, 20000, 300)
	y := fusionTally{loopTally: newLoopTally()}
	ps, err := passes.Named("loop_optimization")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(n) {
		if c, ok := y.start(t, seed, nestProgram(seed), true, false); ok {
			y.run(t, seed, c, ps, func(s *passes.Step) { y.count(c, s) })
		}
	}
	y.log(t, "fused as they stand")
	t.Logf("%d programs reshaped", y.reshaped)
	if y.programs < n*9/10 || y.fired < n/10 {
		t.Errorf("too little was tried: %+v", y)
	}
	if y.refused[negative] == 0 || y.vain > 0 {
		t.Errorf("of %d distances called negative %d are not", y.refused[negative], y.vain)
	}
}

// negative is the reason of a pair whose accesses would be turned round.
const negative = "negative distance dep in def-use"

// TestFusionWithEdges: the same on programs that edges order, with any amount of fuel. What the edges say then is as true, and the passes that
// draw them find all that is missing.
func TestFusionWithEdges(t *testing.T) {
	t.Parallel()
	n := 3000
	if birtest.Quick() {
		n = 120
	}
	const at = 2
	ps, err := passes.Named("build_fdeps,anti_dependency_analyzer,loop_optimization,build_fdeps,anti_dependency_analyzer")
	if err != nil {
		t.Fatal(err)
	}
	j, changed, drawn := oracle.NewJudge(oracle.Options{}), 0, 0
	for seed := range n {
		p, err := ir.Parse("nest.bir", nestProgram(uint64(seed)))
		if err != nil {
			t.Fatal(err)
		}
		if len(ir.Verify(p, 0)) > 0 {
			continue
		}
		j.Start(p, []ir.Values{gen.Inputs(gen.New(uint64(seed)), p, gen.Exact)})
		soundSteps(t, j, fmt.Sprint("seed ", seed), p, ps, passes.Options{Fuel: seed%4 - 1, FuelAt: at}, func(s *passes.Step) {
			if s.Index == at && s.Changed {
				changed++
			}
			if s.Index > at && s.After.Facts.Has(ir.Deps) {
				drawn++
			}
		})
	}
	t.Logf("%d programs changed, Deps given again %d times", changed, drawn)
	if changed < n/4 || drawn < n/2 {
		t.Errorf("too little was tried: %d changed, %d drawn", changed, drawn)
	}
}

// count takes up what the step did with the one pair of outermost loops that the program has.
func (y *fusionTally) count(c loopCase, s *passes.Step) {
	for _, n := range s.Tally {
		switch n.Rule.Name {
		case "loop-opt.interchange", "loop-opt.tile", "loop-opt.distribute":
			if n.Fired > 0 {
				y.reshaped++
				return
			}
		}
	}
	for i := range s.Tally {
		n := &s.Tally[i]
		if n.Rule.Name != "loop-opt.fuse" {
			continue
		}
		y.fired += n.Fired
		if why, ok := soleReason(n, ""); ok {
			y.stopped(c, why)
		}
	}
}

// stopped takes up a pair that was not fused.
func (y *fusionTally) stopped(c loopCase, why string) {
	forced := forceFusion(c.program)
	if forced == nil {
		y.refuse(c, why)
		return
	}
	if why == negative && len(ir.Verify(forced, 0)) == 0 && !turnsRound(c.program) {
		y.vain++
	}
	y.refuse(c, why, forced)
}

// turnsRound tells whether fusing the two loops would turn two instances round that conflict, by looking at every byte of every instance.
func turnsRound(p *ir.Program) bool {
	f := p.Cores[0]
	first, second := neighbours(f)
	depth := 0
	for b := range f.AllBlocks {
		if slices.Contains(b.Insts, first) && b != f.Blocks[0] {
			depth = 1
		}
	}
	xs := unrolled(f, maxInstances)
	for i, before := range conflicts(f, xs, false) {
		for k := range i {
			a, b := xs[k], xs[i]
			if before.has(int32(k)) && len(a.loops) > depth && len(b.loops) > depth && a.loops[depth] == first && b.loops[depth] == second &&
				slices.Equal(a.trips[:depth], b.trips[:depth]) && b.trips[depth] < a.trips[depth] {
				return true
			}
		}
	}
	return false
}

// neighbours returns the two loops of the program that stand side by side.
func neighbours(f *ir.Func) (first, second *ir.Inst) {
	for b := range f.AllBlocks {
		var loops []*ir.Inst
		for _, in := range b.Insts {
			if in.Loop != nil {
				loops = append(loops, in)
			}
		}
		if len(loops) == 2 {
			return loops[0], loops[1]
		}
	}
	return nil, nil
}

// forceFusion returns the program with its two loops fused, whatever that does to it; nil if they cannot be.
func forceFusion(p *ir.Program) *ir.Program {
	q := p.Clone()
	first, second := neighbours(q.Cores[0])
	if first == nil || first.Loop.Trips() != second.Loop.Trips() {
		return nil
	}
	for b := range q.Cores[0].AllBlocks {
		if slices.Contains(b.Insts, first) {
			e := ir.NewEdit(q)
			e.Fuse(b, first, second)
			e.Done()
			return q
		}
	}
	return nil
}
