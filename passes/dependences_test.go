package passes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestLattice: the search agrees with trying every choice.
func TestLattice(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	yes := 0
	for range 20000 {
		var l lattice
		from := r.Int64N(200) - 100
		l.lo, l.hi = from, from+r.Int64N(6)-1
		lo, hi := l.lo, l.hi
		sums := map[int64]bool{0: true}
		for range r.IntN(5) {
			step, first := r.Int64N(60)-30, r.Int64N(5)-2
			last := first + r.Int64N(4)
			l.add(step, first, last)
			next := map[int64]bool{}
			for s := range sums {
				for x := first; x <= last; x++ {
					next[s+step*x] = true
				}
			}
			sums = next
		}
		want := false
		for s := range sums {
			want = want || lo <= s && s <= hi
		}
		if got := l.solvable(); got != want {
			t.Fatalf("%+v: %v, want %v", l, got, want)
		}
		if want {
			yes++
		}
	}
	if yes < 1000 || yes > 19000 {
		t.Errorf("%d of 20000 are solvable: the test is one-sided", yes)
	}
}

// TestLatticeWidens: what a lattice has no room or no time for counts as possible, never as impossible.
func TestLatticeWidens(t *testing.T) {
	l := lattice{lo: 1, hi: 1}
	for range maxTerms + 3 {
		l.add(2, 0, 1)
	}
	if !l.solvable() {
		t.Error("terms beyond the last count as impossible")
	}
	hard := lattice{lo: 1 << 40, hi: 1 << 40}
	for i := range int64(12) {
		hard.add(1<<36+2*i*i+2, 0, 1<<10)
	}
	hard.solvable() // must come to an end; the answer is open
}

// pieces is n writes of a column each, and n reads of all of them: n² dependences.
func pieces(n int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func sg0000 {\n  dram y: f32[1,%d]\n  dram t: f32[1,%d]\n", n, n)
	for i := range n {
		fmt.Fprintf(&b, "  I-%d: t[:, %d:%d] = DMACopy y[:, 0:1] @SP can_read_uninit=true\n", i, i, i+1)
	}
	for i := range n {
		fmt.Fprintf(&b, "  J-%d: y = DMACopy t @SP\n", i)
	}
	return b.String() + "}\n"
}

// TestTooManyDependences: a program with millions of dependences is given up before it fills memory, and nobody relies on what is missing.
func TestTooManyDependences(t *testing.T) {
	if birtest.Quick() {
		t.Skip("a million pairs")
	}
	p := parse(t, pieces(1500))
	if d := newDependences(p, ir.NewFamilies(p), byStorage); !d.cut || d.incomplete == "" || len(d.edges) > fewEdges+manyEdges*3000 {
		t.Errorf("%d edges, cut %v, incomplete %q", len(d.edges), d.cut, d.incomplete)
	}
	Run(p, []Pass{buildFdeps(), antiDependencyAnalyzer()}, Unlimited(), func(s *Step) bool {
		if s.Changed || s.Declined == "" || s.After.Facts.Has(ir.Deps) {
			t.Errorf("%s: changed %v, declined %q, facts %v", s.Pass.Name, s.Changed, s.Declined, s.After.Facts)
		}
		return true
	})
}

// TestFuelLeavesPrefix: with every amount of fuel the edges written are the first so many, and Deps is given only with all of them.
func TestFuelLeavesPrefix(t *testing.T) {
	const n = 8
	var all []string // each writer of y but the first waits for the one before
	for fuel := n; fuel >= 0; fuel-- {
		o := Unlimited()
		o.Fuel, o.FuelAt = fuel, 1
		var last *Step
		Run(parse(t, pieces(n)), []Pass{buildFdeps(), antiDependencyAnalyzer()}, o, func(s *Step) bool { last = s; return s.Failure == nil })
		got := notFlow(last.After)
		if all == nil {
			all = got
		}
		if want := min(fuel, n-1); len(got) != want || !slices.Equal(got, all[:want]) || last.After.Facts.Has(ir.Deps) != (want == len(all)) {
			t.Errorf("fuel %d: %v of %v, facts %v", fuel, got, all, last.After.Facts)
		}
	}
}

// notFlow lists the edges of a program that are no flow edges.
func notFlow(p *ir.Program) []string {
	var out []string
	for in := range p.Insts {
		for _, d := range in.Deps {
			if d.Kind != ir.Flow {
				out = append(out, in.Name+" after "+d.On.Name)
			}
		}
	}
	return out
}
