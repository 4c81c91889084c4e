package passes

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// A module that would come to more than the budget is not split.
func TestSplitBudget(t *testing.T) {
	var b strings.Builder
	b.WriteString("func f {\n  output y: f32[64,8]\n  sb a: f32[1,8]\n")
	for i := range maxUnrolled / 64 {
		fmt.Fprintf(&b, "  I-%d: a = Memset @DVE\n", i)
	}
	b.WriteString("  K: y[8x1, 1x8 at 8*shardid(64)] = Save a @SP\n}\n")
	p := parse(t, b.String())
	s := steps(p, Unlimited(), lncSplitter())[0]
	if s.Changed || s.Declined != overBudget || p.Facts.Has(ir.Split) {
		t.Errorf("changed %v, declined %q, facts %s", s.Changed, s.Declined, p.Facts)
	}
}

// The fuel may end anywhere: what was granted is done, the fact is not given.
func TestHalfUnrolled(t *testing.T) {
	p := parse(t, looped(100))
	steps(p, Unlimited(), lncSplitter())
	was := p.NumInsts()
	s := steps(p, Options{Fuel: 1}, unroll())[0]
	if !s.Changed || p.Facts.Has(ir.Unrolled) || p.NumInsts() <= was || s.Declined != "unroll.loop is out of fuel" {
		t.Errorf("changed %v, declined %q, facts %s, %d instructions, was %d", s.Changed, s.Declined, p.Facts, p.NumInsts(), was)
	}
	if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
		t.Error(cs)
	}
}

// Where edges order the program, and an instruction without engine was unrolled inside a loop that stays, Deps is given up: the clones'
// queues are ordered inside one iteration only.
func TestLooseQueues(t *testing.T) {
	const src = `module gen3 facts(Deps)
func f {
  sb a: f32[4,8]
  L0: for i = 0..2 {
    L1: for j = 0..2 unroll {
      I-0: a = Memset%s
    }
  }
}`
	for engine, keeps := range map[string]bool{"": false, " @DVE": true} {
		p := parse(t, fmt.Sprintf(src, engine))
		steps(p, Unlimited(), fullUnrollSome())
		if p.Facts.Has(ir.Deps) != keeps || p.NumInsts() != 3 {
			t.Errorf("engine %q: facts %s\n%s", engine, p.Facts, p)
		}
	}
}

func TestLargestFactor(t *testing.T) {
	for _, c := range []struct{ n, limit, want int64 }{{34, 64, 2}, {32, 64, 16}, {12, 64, 12}, {17, 64, 0}, {1, 64, 0}, {0, 64, 0}, {32, 5, 4}, {32, 0, 0}} {
		if got := largestFactor(c.n, c.limit); got != c.want {
			t.Errorf("%d below %d: got %d, want %d", c.n, c.limit, got, c.want)
		}
	}
}
