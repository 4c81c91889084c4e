package passes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
)

// preSchedWith is the pass with other knobs.
func preSchedWith(knobs map[string]int64) Pass {
	p := preSched()
	p.Knobs = slices.Clone(p.Knobs)
	for i := range p.Knobs {
		if v, ok := knobs[p.Knobs[i].Name]; ok {
			p.Knobs[i].Value = v
		}
	}
	return p
}

// twoPaths has a short path and then a long one.
const twoPaths = `func sg0000 {
  input x: f32[4,8]
  output y: f32[4,8]
  output z: f32[4,8]
  sb a: f32[4,8]
  sb b: f32[4,8]
  sb c: f32[4,8]
  sb d: f32[4,8]
  I-0: a = Load x @SP
  I-1: y = Save a @SP
  I-2: c = Load x @SP
  I-3: d = TensorScalar c op0=add const0=1 @DVE
  I-4: b = TensorScalar d op0=add const0=1 @DVE
  I-5: z = Save b @SP
}
`

// instNames is the program order.
func instNames(p *ir.Program) string {
	var names []string
	for in := range p.Insts {
		names = append(names, in.Name)
	}
	return strings.Join(names, " ")
}

// Level 1 trusts the declared order, but for what dependences ask: d before b. Level 2 sorts by depth.
func TestPreSchedLevels(t *testing.T) {
	for level, want := range map[int64]string{
		1: "I-0 I-1 I-2 I-3 I-4 I-5",
		2: "I-2 I-3 I-4 I-5 I-0 I-1",
	} {
		s := steps(parse(t, twoPaths), Unlimited(), preSchedWith(map[string]int64{"level": level}))[0]
		if got := instNames(s.After); s.Failure != nil || got != want {
			t.Errorf("level %d: got %s, %v, want %s", level, got, s.Failure, want)
		}
	}
	var locs []string
	s := steps(parse(t, twoPaths), Unlimited(), preSchedWith(map[string]int64{"level": 1}))[0]
	for l := range s.After.Cores[0].Locs {
		locs = append(locs, l.Name)
	}
	if got := strings.Join(locs, " "); got != "x y z a c d b" {
		t.Errorf("level 1: locations %s", got)
	}
}

// Levels 1 and 2 are the valid ones; any other is an assertion of the vendor's.
func TestPreSchedInvalidLevel(t *testing.T) {
	for _, level := range []int64{0, 3, 4, -1} {
		s := steps(parse(t, twoPaths), Unlimited(), preSchedWith(map[string]int64{"level": level}))[0]
		want := fmt.Sprintf("level is %d, want 1 or 2 (NeuronAssertion 828)", level)
		if s.Failure == nil || s.Failure.Detail != want || s.Changed {
			t.Errorf("level %d: %v", level, s.Failure)
		}
	}
}

// crowdedTiles are n tiles of 100 KiB a partition that all live at once.
func crowdedTiles(n int) string {
	var b strings.Builder
	b.WriteString("func sg0000 {\n  input x: f32[128,25600]\n  output y: f32[128,8]\n")
	for i := range n {
		fmt.Fprintf(&b, "  sb t%d: f32[128,25600]\n", i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  L-%d: t%d = Load x @SP\n", i, i)
	}
	for i := range n {
		fmt.Fprintf(&b, "  S-%d: y = Save t%d[:, 0:8] @SP\n", i, i)
	}
	return b.String() + "}\n"
}

// Of n tiles two fit: n−2 are spilled. More than the knob allows, and nothing is done.
func TestPreSchedTooManySpills(t *testing.T) {
	const why = "Too many spills, skip pre scheduling"
	for spills, want := range map[int64]string{8: "", 7: why} {
		s := steps(parse(t, crowdedTiles(10)), Unlimited(), preSchedWith(map[string]int64{"max-spills": spills}))[0]
		if s.Failure != nil || s.Declined != want || s.Changed == (want != "") {
			t.Errorf("up to %d spills: declined %q, changed %v, %v", spills, s.Declined, s.Changed, s.Failure)
		}
	}
}

// eventTexts are the lines that a step logged.
func eventTexts(s *Step) []string {
	var out []string
	for _, e := range s.Events {
		if e.Rule == nil {
			out = append(out, e.Text)
		}
	}
	return out
}

// The log strings of the documents; sb_hwm is what is live at once after scheduling: a with nothing, then c with d, d with b.
func TestPreSchedLog(t *testing.T) {
	s := steps(parse(t, twoPaths), Unlimited(), preSched())[0]
	if got := strings.Join(eventTexts(s), "|"); got != "build flow dependencies|sb_hwm=64|DONE PRE scheduling" {
		t.Errorf("got %s", got)
	}
	s = steps(parse(t, twoPaths), Unlimited(), memoryAnalysisAfterPreSched())[0]
	if got := strings.Join(eventTexts(s), "|"); got != "sg0000: sb_hwm=64 psum_hwm=0" || s.Changed {
		t.Errorf("got %s", got)
	}
}

// The high-water mark over positions: lifetimes share their last and first position, unused locations take nothing, what others may touch
// lives throughout.
func TestHighWaterMark(t *testing.T) {
	p := parse(t, `func sg0000 {
  output y: f32[4,8]
  sb a: f32[4,8]
  sb b: f32[4,16]
  sb c: f32[4,32]
  sb unused: f32[4,1000]
  sb other: f32[4,2] written_by_another_core
  psum p: f32[4,4]
  I-0: a = Memset @DVE constant=0
  I-1: b[:, 0:8] = TensorCopy a @DVE
  I-2: c[:, 0:16] = TensorCopy b @DVE can_read_uninit=true
  I-3: p = Memset @DVE constant=0
  I-4: y = Save c[:, 0:8] @SP
}
`)
	life := lifetimes(p.Cores[0])
	if sb, psum := highWaterMark(life, ir.SB), highWaterMark(life, ir.PSUM); sb != 4*(16+32+2) || psum != 16 {
		t.Errorf("sb %d, psum %d", sb, psum)
	}
}

// Every prefix of the asking leaves an order in which nobody comes before what it waits for, and no Flow edge.
func TestPreSchedFuel(t *testing.T) {
	src := strings.Replace(twoPaths, "y = Save a @SP", "y = Save a @SP after(I-0)", 1)
	all := 0
	for _, n := range steps(parse(t, src), Unlimited(), preSched())[0].Tally {
		all += n.Fired
	}
	if all < 6 {
		t.Fatalf("only %d rewrites", all)
	}
	for fuel := range all + 1 {
		s := steps(parse(t, src), Options{Fuel: fuel}, preSched())[0]
		if s.Failure != nil || s.Changed != (fuel > 0) || (s.Declined == "") != (fuel > 0) {
			t.Fatalf("fuel %d: changed %v, declined %q, %v", fuel, s.Changed, s.Declined, s.Failure)
		}
		d := newDependences(s.After, ir.NewFamilies(s.After), byStorage)
		if len(d.edges) != 4 {
			t.Errorf("fuel %d: %d dependences are left of 4:\n%s", fuel, len(d.edges), s.After)
		}
		for in := range s.After.Insts {
			if len(in.Deps) > 0 && fuel > 0 {
				t.Errorf("fuel %d: %s has edges", fuel, in.Name)
			}
		}
	}
}

// A chain as long as a program needs no stack.
func TestLongChain(t *testing.T) {
	const n = 1 << 20
	arcs := make([]arc, n-1)
	for i := range arcs {
		arcs[i] = arc{int32(i + 1), int32(i)}
	}
	g := newDigraph(n, arcs)
	order := newDFS(g).visit(n-1, nil)
	if len(order) != n || order[0] != 0 || order[n-1] != n-1 || g.cycle() != none {
		t.Errorf("%d nodes in order", len(order))
	}
	arcs = append(arcs, arc{0, n - 1})
	if newDigraph(n, arcs).cycle() == none {
		t.Error("a cycle of all nodes is not found")
	}
}

// A node that several wait for, and two that do not wait for each other, are no cycle; one that waits for itself is.
func TestCycle(t *testing.T) {
	for want, arcs := range map[int32][]arc{
		none: {{3, 1}, {3, 2}, {1, 0}, {2, 0}, {3, 0}, {3, 1}},
		2:    {{3, 1}, {3, 2}, {1, 0}, {2, 0}, {2, 2}},
	} {
		if got := newDigraph(4, arcs).cycle(); got != want {
			t.Errorf("%v: got %d, want %d", arcs, got, want)
		}
	}
}
