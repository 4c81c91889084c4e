package fuzz_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/passes"
)

// probeName is the instruction of a probeProgram of which the pass is asked. Everybody else in the loops has an order vector that names the
// axis, and so stays.
const probeName = "I-probe"

// probeText draws loops with one instruction that may nearly run before them.
type probeText struct {
	nestText
}

// probeProgram returns a program of one probe in loops.
func probeProgram(seed uint64) string {
	w := &probeText{nestText: nestText{Rand: *gen.New(seed)}}
	w.line("module gen3\nfunc sg0000 {\n  input x: f32[4,%d]\n  output y0: f32[4,%[1]d]\n  output y1: f32[4,%[1]d]\n  output y2: f32[4,%[1]d]\n  shared h: f32[4,%[1]d]", nestColumns)
	place := ""
	if w.Bool(0.2) {
		place = " at addr 32 base 0"
	}
	w.line("  sb s0: f32[4,%d]\n  sb s1: f32[4,%[1]d]%s\n  sb s2: f32[4,%[1]d]%s\n  dram d: f32[4,%[1]d]\n  psum p: f32[%[1]d,%[1]d]", nestColumns, place, place)
	w.line("I-a: s0 = Load x @SP\nI-b: s1 = TensorScalar s0 op0=add const0=1 @DVE\nI-c: s2 = TensorScalar s0 op0=add const0=2 @DVE\nI-d: d = Save s0 @SP\nI-e: h = Save s0 @SP\nI-ee: y2 = Save s0 @SP")
	w.line("I-f: s0 = Activation s0 func=Copy acc=ZeroAccumulate @Activation\nI-g: p = Matmult s0, s0 @PE")
	if w.Bool(0.3) {
		w.enter(w.Between(1, 3), w.IntN(2), 1, w.flags())
	}
	w.enter(w.Pick([]int{1, 3, 5, 5}), w.IntN(2), w.Between(1, 2), w.flags())
	for range w.IntN(4) {
		w.other()
	}
	w.probe()
	for range w.IntN(4) {
		w.other()
	}
	for len(w.axes) > 0 {
		w.leave()
		if w.Bool(0.5) {
			w.other()
		}
	}
	w.line("I-x: y0 = Save s0 @SP\nI-y: y1 = Save s1 @SP\nI-z: s0[:, 0:1] = ReadActivationAccumulator @Activation\nI-zz: y2[:, 0:1] = Save s0[:, 0:1] @SP\n}")
	return w.String()
}

// other writes an instruction that stays, or a loop of one.
func (w *probeText) other() {
	if len(w.axes) > 0 && w.Bool(0.15) {
		w.enter(w.Between(1, 2), 0, 1, "")
		defer w.leave()
	}
	tail := w.predicate()
	if len(w.axes) > 0 {
		var names []string
		for _, a := range w.axes {
			names = append(names, a.name)
		}
		tail += fmt.Sprintf(" order(%s)", strings.Join(names, ", "))
	}
	w.names++
	w.line("I-%d: %s%s", w.names, w.draw(), tail)
}

// probe writes the probe, whose windows mostly stand still.
func (w *probeText) probe() {
	tail := w.predicate()
	axes := w.axes
	if w.Bool(0.85) {
		w.axes = nil
	} else if w.Bool(0.5) {
		w.axes = axes[:len(axes)-1]
	}
	w.line("%s: %s%s", probeName, w.draw(), tail)
	w.axes = axes
}

// draw returns an instruction without its name.
func (w *probeText) draw() string {
	n := []int{2, 6, 10}[w.IntN(3)]
	out := fmt.Sprint("s", w.Pick([]int{3, 3, 1}))
	in := w.nestText.other(out)
	switch w.IntN(18) {
	case 0:
		return fmt.Sprintf("d%s = Save %s%s @SP", w.window(n), in, w.window(n))
	case 1:
		return fmt.Sprintf("%s%s = Load d%s @SP", out, w.window(n), w.window(n))
	case 2:
		return fmt.Sprintf("%s%s = Load h%s @SP", out, w.window(n), w.window(n))
	case 3:
		return fmt.Sprintf("d%s = DMACopy x%s @SP", w.window(n), w.window(n))
	case 4:
		return "Drain @DVE"
	case 5:
		at := w.window(n)
		return fmt.Sprintf("%[1]s%[2]s = TensorScalar %[1]s%[2]s op0=add const0=%[3]d @DVE", out, at, w.IntN(9))
	case 6:
		return fmt.Sprintf("%s%s = Activation %s%s func=Copy acc=%s @Activation", out, w.window(n), in, w.window(n), []string{"Accumulate", "ZeroAccumulate", "Idle"}[w.IntN(3)])
	case 7:
		return fmt.Sprintf("%s%s = ReadActivationAccumulator @Activation", out, w.window(1))
	case 8:
		return fmt.Sprintf("p = Matmult %s, %s start_tensor_calc=%v @PE", out, out, w.Bool(0.5))
	case 9:
		return fmt.Sprintf("%s%s = TensorCopy p[%dx4, 1x%d at %d] @DVE", out, w.window(n), nestColumns, n, w.IntN(nestColumns-n))
	case 10, 11:
		return fmt.Sprintf("%s%s = Memset constant=%d @DVE", out, w.window(n), (127+w.IntN(9))<<23) // a power of two
	case 12:
		return "CoreBarrier"
	case 13:
		return fmt.Sprintf("y2%s = Save %s%s @SP", w.window(n), in, w.window(n))
	}
	return fmt.Sprintf("%s%s = TensorCopy %s%s @DVE", out, w.window(n), in, w.window(n))
}

// TestLICMAgainstExecution: what the pass takes out of loops runs as before, and what it leaves there is taken out all the same, to see how
// often that would have been fine.
func TestLICMAgainstExecution(t *testing.T) {
	t.Parallel()
	n := sizeOf(t, 20000, 600)
	y := newLoopTally()
	ps, err := passes.Named("loop_optimization(loop-opt-distance-threshold=0)")
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(n) {
		// It may compute with bytes that another tile has been placed on.
		if c, ok := y.start(t, seed, probeProgram(seed), false, true); ok {
			y.run(t, seed, c, ps, func(s *passes.Step) { countProbe(t, &y, c, s) })
		}
	}
	y.log(t, "hoisted")
	if y.programs < n*3/4 || y.fired < n/10 || len(y.refused) < 10 {
		t.Errorf("too little was tried: %+v", y)
	}
}

// countProbe takes up what the step did with the probe.
func countProbe(t *testing.T, y *loopTally, c loopCase, s *passes.Step) {
	t.Helper()
	for i := range s.Tally {
		n := &s.Tally[i]
		if n.Rule.Name != "licm.hoist" {
			if n.Rule.Name == "loop-opt.fuse" && n.Fired > 0 {
				t.Fatalf("a loop was fused\n%s", c.program)
			}
			continue
		}
		y.fired += n.Fired
		if why, ok := soleReason(n, "order vector on the axis"); ok {
			y.refuse(c, why, forceHoist(c.program))
		}
	}
}

// forceHoist returns the program with its probe before the innermost loop, whatever that does to it.
func forceHoist(p *ir.Program) *ir.Program {
	q := p.Clone()
	for l := range q.Insts {
		if l.Loop == nil {
			continue
		}
		for _, b := range l.Loop.Blocks {
			if i := slices.IndexFunc(b.Insts, func(in *ir.Inst) bool { return in.Name == probeName }); i >= 0 {
				e := ir.NewEdit(q)
				e.Hoist(b.Insts[i], l)
				e.Done()
				return q
			}
		}
	}
	return q
}
