package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
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

// probeTally says what became of many probes.
type probeTally struct {
	programs, moved int
	refused, fine   map[string]int // by reason: refused, and those that would have been fine
}

// TestLICMAgainstExecution: what the pass takes out of loops runs as before, and what it leaves there is taken out all the same, to see how
// often that would have been fine.
func TestLICMAgainstExecution(t *testing.T) {
	n := 20000
	if birtest.Quick() {
		n = 600
	}
	y := probeTally{refused: map[string]int{}, fine: map[string]int{}}
	ps, err := passes.Named("loop_optimization(loop-opt-distance-threshold=0)")
	if err != nil {
		t.Fatal(err)
	}
	j := oracle.NewJudge(oracle.Options{})
	for seed := range n {
		y.probe(t, j, uint64(seed), ps)
	}
	t.Logf("%d programs, %d hoisted", y.programs, y.moved)
	for _, why := range slices.Sorted(maps.Keys(y.refused)) {
		t.Logf("%6d refused: %-50s fine %6d", y.refused[why], why, y.fine[why])
	}
	if y.programs < n*3/4 || y.moved < n/10 || len(y.refused) < 10 {
		t.Errorf("too little was tried: %+v", y)
	}
}

// probe tries one program.
func (y *probeTally) probe(t *testing.T, j *oracle.Judge, seed uint64, ps []passes.Pass) {
	t.Helper()
	text := probeProgram(seed)
	p, err := ir.Parse("probe.bir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	if cs := ir.Verify(p, 0); len(cs) > 0 {
		t.Fatalf("seed %d: illegal: %v\n%s", seed, cs, text)
	}
	inputs := []ir.Values{gen.Inputs(gen.New(seed), p, gen.Exact)}
	if v := j.Start(p, inputs); v.Kind != oracle.Same {
		return // computes with bytes that another tile has been placed on
	}
	y.programs++
	soundSteps(t, j, fmt.Sprint("seed ", seed), p.Clone(), ps, passes.Unlimited(), func(s *passes.Step) { y.count(t, j, p, inputs, s) })
}

// count takes up what the step did with the probe.
func (y *probeTally) count(t *testing.T, j *oracle.Judge, p *ir.Program, inputs []ir.Values, s *passes.Step) {
	t.Helper()
	for _, n := range s.Tally {
		if n.Rule.Name != "licm.hoist" {
			if n.Rule.Name == "loop-opt.fuse" && n.Fired > 0 {
				t.Fatalf("a loop was fused\n%s", p)
			}
			continue
		}
		y.moved += n.Fired
		reasons := slices.DeleteFunc(slices.Clone(n.Why), func(r passes.Reason) bool { return r.Why == "order vector on the axis" })
		if n.Fired > 0 || len(reasons) != 1 {
			continue
		}
		why := reasons[0].Why
		y.refused[why]++
		if forced := forceHoist(p); len(ir.Verify(forced, 0)) == 0 {
			j.Start(p, inputs)
			if v := j.Next(p, forced, ir.Contract{}, true); v.Kind == oracle.Same {
				y.fine[why]++
			}
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
