package passes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
)

// The tests in this file are named after the notes of the document on loop fusion (loop-optimization.txt, walrus.md §4.6).

// loopsText is a function with loops that each double a tile of a tensor, given as name, trips and tensor.
func loopsText(decls string, loops ...string) string {
	text := "func sg0000 {\n  input x: f32[8,64]\n  output y: f32[8,64]\n" + decls
	for i, l := range loops {
		var trips int
		var names string
		fmt.Sscan(l, &trips, &names)
		text += fmt.Sprintf("  L%d: for i%[1]d = 0..%d {\n", i, trips)
		for k, name := range strings.Split(names, "+") {
			text += fmt.Sprintf("    I-%d-%d: %s[:, 0:1 at i%[1]d] = TensorScalar %[3]s[:, 0:1 at i%[1]d] op0=mult const0=2 @DVE\n", i, k, name)
		}
		text += "  }\n"
	}
	return text + "}\n"
}

// fusedFirsts returns the first loops of the pairs that were fused, in order.
func fusedFirsts(t *testing.T, src string, knobs ...levelKnob) (string, *Step) {
	t.Helper()
	p := loopOptimization()
	for _, k := range knobs {
		i := slices.IndexFunc(p.Knobs, func(have Knob) bool { return have.Name == k.knob })
		p.Knobs[i].Value = k.value
	}
	s := steps(parse(t, src), Unlimited(), p)[0]
	if s.Failure != nil {
		t.Fatal(s.Failure)
	}
	var firsts []string
	for _, e := range s.Events {
		if e.Rule == ruleFuse || e.Rule == ruleFuseClassic {
			firsts = append(firsts, e.Inst)
		}
	}
	return strings.Join(firsts, " "), s
}

// threePairs are three pairs of loops that may be fused, of which the second saves most and the first least.
const threePairs = "  sb a: f32[8,8]\n  sb b: f32[8,8]\n  sb c: f32[8,8]\n"

// Pairs are fused in the order of 2·Σ liveN·elemSize, the greatest first.
func TestFusionFollowsProfit(t *testing.T) {
	for _, dtypes := range []string{"f32", "bf16"} {
		decls := strings.ReplaceAll(threePairs, "f32", dtypes)
		got, s := fusedFirsts(t, loopsText(decls, "2 a", "2 a", "4 b", "4 b", "3 c", "3 c"))
		if got != "L2 L4 L0" {
			t.Errorf("%s: fused in the order %s", dtypes, got)
		}
		if lines := eventTexts(s); !slices.Contains(lines, "numLoopsFused = 3") {
			t.Errorf("events: %q", lines)
		}
	}
}

// Of equal profits the pair that stands first is fused first.
func TestFusionTiesAreDeterministic(t *testing.T) {
	if got, _ := fusedFirsts(t, loopsText(threePairs, "3 a", "3 a", "3 b", "3 b", "3 c", "3 c")); got != "L0 L2 L4" {
		t.Errorf("fused in the order %s", got)
	}
}

// liveN counts what accesses touch, in elements; the size is that of an element.
func TestProfitIsTwiceLiveNTimesSize(t *testing.T) {
	src := loopsText("  sb a: bf16[8,32]\n  sb b: f32[8,8]\n  psum p: f32[8,8]\n  dram d: f32[8,8]\n", "3 a+b", "3 a+b")
	pass := loopOptimization()
	var got float32
	pass.Run = func(c *Ctx) error {
		o := loopOptimizer{ctx: c, touches: newLoopTouches(c.Program())}
		o.updateLiveN(c.Program())
		g := greedy{loopOptimizer: &o, root: c.Program().Cores[0].Blocks[0]}
		loops := g.loops()
		got = o.profit(loops[0], loops[1])
		return nil
	}
	steps(parse(t, src), Unlimited(), pass)
	if want := float32(2 * (8*3*2 + 8*3*4)); got != want {
		t.Errorf("profit %g, want %g", got, want)
	}
}

// GOTCHA: only placed, internal tensors count. The first pair shares more bytes, but of an input.
func TestGotchaOnlyPlacedTensorsCount(t *testing.T) {
	src := loopsText("  sb a: f32[8,64]\n  sb b: f32[8,8]\n")
	load := func(n int, to string) string {
		return fmt.Sprintf("  L%d: for i = 0..2 {\n    I-%[1]d: %s[:, 0:1 at i] = TensorScalar %[2]s[:, 0:1 at i] op0=add const0=1 @DVE\n    J-%[1]d: y[:, 0:32 at 32*i] = DMACopy x[:, 0:32 at 32*i] @SP\n  }\n", n, to)
	}
	other := func(n int) string {
		return fmt.Sprintf("  L%d: for i = 0..3 {\n    I-%[1]d: b[:, 0:2 at 2*i] = TensorScalar b[:, 0:2 at 2*i] op0=add const0=1 @DVE\n  }\n", n)
	}
	src = strings.TrimSuffix(src, "}\n") + load(0, "a") + load(1, "a") + other(2) + other(3) + "}\n"
	if got, _ := fusedFirsts(t, src); got != "L2 L0" {
		t.Errorf("fused in the order %s", got)
	}
}

// NOTE: the budgets are no term of the profit: whatever they are, the same pairs are fused in the same order.
func TestNoteNoBudgetInProfit(t *testing.T) {
	src := loopsText(threePairs, "2 a", "2 a", "4 b", "4 b", "3 c", "3 c")
	got, s := fusedFirsts(t, src, levelKnob{knob: knobSBSize, value: 1}, levelKnob{knob: knobPSUMSize, value: 2})
	if got != "L2 L4 L0" {
		t.Errorf("fused in the order %s", got)
	}
	if want := "distanceThreshold = 8 SBSize = 1 PSUMSize = 2 enableLoopDistribution = 1 enableProfitableLoopFusion = 1"; !slices.Contains(eventTexts(s), want) {
		t.Errorf("no line %q in %q", want, eventTexts(s))
	}
	_, s = fusedFirsts(t, src)
	if want := fmt.Sprintf("SBSize = %d PSUMSize = %d", ir.Gen3.SBUFBytes(), ir.PSUMBanks*ir.PSUMBankBytes); !strings.Contains(strings.Join(eventTexts(s), "\n"), want) {
		t.Errorf("no %q, the target's, in %q", want, eventTexts(s))
	}
}

// NOTE: profitable fusion is the default; the classic one takes over when the flag is cleared, and goes by program order.
func TestNoteProfitableIsDefault(t *testing.T) {
	src := loopsText(threePairs, "2 a", "2 a", "4 b", "4 b", "3 c", "3 c")
	if got, s := fusedFirsts(t, src, levelKnob{knob: knobProfitable}); got != "L0 L2 L4" || s.Tally[2].Fired != 3 {
		t.Errorf("fused in the order %s by %+v", got, s.Tally)
	}
	if _, s := fusedFirsts(t, src); s.Tally[1].Fired != 3 {
		t.Errorf("by default %+v", s.Tally)
	}
}

// Pairs that stand threshold instructions apart are not scored.
func TestDistanceThreshold(t *testing.T) {
	src := loopsText(threePairs, "2 a", "3 b", "4 c", "2 a")
	for _, c := range []struct {
		threshold int64
		want      string
	}{{2, ""}, {3, ""}, {4, "L0"}} {
		if got, _ := fusedFirsts(t, src, levelKnob{knob: knobWindow, value: c.threshold}); got != c.want {
			t.Errorf("threshold %d: fused %q, want %q", c.threshold, got, c.want)
		}
	}
}

// GOTCHA: pairs of loops that are gone, or that stand elsewhere, are thrown away when they come up.
func TestGotchaStalePairs(t *testing.T) {
	pass := loopOptimization()
	var left []string
	pass.Run = func(c *Ctx) error {
		p := c.Program()
		o := loopOptimizer{ctx: c, touches: newLoopTouches(p)}
		o.updateLiveN(p)
		g := greedy{loopOptimizer: &o, root: p.Cores[0].Blocks[0], stops: map[[2]*ir.Inst]string{}}
		g.construct()
		c.Allow(ruleFuse, nil)
		b := g.root
		c.Edit().Fuse(b, b.Insts[2], b.Insts[3])
		for {
			pair, ok := g.next()
			if !ok {
				return nil
			}
			left = append(left, pair.first.inst.Name+pair.second.inst.Name)
		}
	}
	s := steps(parse(t, loopsText("  sb a: f32[8,8]\n", "3 a", "3 a", "3 a", "3 a", "3 a")), Unlimited(), pass)[0]
	if got := strings.Join(left, " "); s.Failure != nil || got != "L0L1 L0L2 L1L2" {
		t.Errorf("left are %s, %v", got, s.Failure)
	}
}

// QUIRK: after a fusion the graph is built anew: the fused loop shares what its second body shared.
func TestQuirkFullRebuild(t *testing.T) {
	src := loopsText(threePairs, "3 a", "3 a+b", "3 b")
	got, s := fusedFirsts(t, src)
	if got != "L0 L0" {
		t.Errorf("fused %s", got)
	}
	if want := "(LoopOpt::updateFPG) e -> : weight = 192 / loop L0 and loop L2, weight = 192, distance = 1"; !slices.Contains(eventTexts(s), want) {
		t.Errorf("no line %q in %q", want, eventTexts(s))
	}
}

// QUIRK: LICM runs after fusion: what is invariant in the second loop leaves the fused one, and comes to stand before both bodies.
func TestQuirkLICMAfterFusion(t *testing.T) {
	src := strings.Replace(loopsText("  sb a: f32[8,8]\n  sb s: f32[8,1]\n", "3 a", "3 a"), "    I-1-0:", "    J: s = Memset @DVE\n    I-1-0:", 1)
	_, s := fusedFirsts(t, src)
	var rules []string
	for _, e := range s.Events {
		if e.Rule != nil {
			rules = append(rules, e.Rule.Name)
		}
	}
	if got := strings.Join(rules, " "); got != "loop-opt.fuse licm.hoist" {
		t.Errorf("rewrites: %s", got)
	}
	if first := s.After.Cores[0].Blocks[0].Insts[0].Name; first != "J" {
		t.Errorf("%s stands first, want J", first)
	}
}

// Levels are taken outermost first, and the total is that of all.
func TestFusionByLevel(t *testing.T) {
	src := loopsText("  sb a: f32[8,8]\n")
	inner := "  L%d: for i = 0..2 {\n    M%[1]d: for j = 0..2 {\n      I-%[1]d: a[:, 0:1 at 2*i + j] = TensorScalar a[:, 0:1 at 2*i + j] op0=add const0=1 @DVE\n    }\n  }\n"
	src = strings.TrimSuffix(src, "}\n") + fmt.Sprintf(inner, 0) + fmt.Sprintf(inner, 1) + "}\n"
	got, s := fusedFirsts(t, src)
	if got != "L0 M0" {
		t.Errorf("fused %s", got)
	}
	lines := eventTexts(s)
	for _, want := range []string{"[LOOP FUSION] L0, L1, level = 0 shrink factor 2", "[LOOP FUSION] M0, M1, level = 1 shrink factor 2", "numLoopsFused = 2",
		"__loop_opt_chkpt.txt: sg0000 M0 level 1 trips 2"} {
		if !slices.Contains(lines, want) {
			t.Errorf("no line %q in %q", want, lines)
		}
	}
}

// More loops at a level than the pass will look at are left alone, once.
func TestTooManyLoops(t *testing.T) {
	got, s := fusedFirsts(t, loopsText("  sb a: f32[8,8]\n", slices.Repeat([]string{"2 a"}, maxSiblings+1)...))
	if want := []Reason{{stopMany, 1}}; got != "" || !slices.Equal(s.Tally[1].Why, want) {
		t.Errorf("fused %q, refused %v", got, s.Tally[1].Why)
	}
}

// A pair that was stopped is told once, though the graph is built again and again.
func TestStopIsToldOnce(t *testing.T) {
	_, s := fusedFirsts(t, loopsText(threePairs, "2 a", "3 a", "4 b", "4 b", "4 b"))
	n := 0
	for _, line := range eventTexts(s) {
		if line == "[STOP FUSION] unmatched trip count: L0, L1" {
			n++
		}
	}
	if n != 1 {
		t.Errorf("told %d times: %q", n, eventTexts(s))
	}
}
