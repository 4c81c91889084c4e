package passes

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// sharers is two cores of n/2 instructions each, which store to n/4 Shared locations, each its own half of them; with aliases all locations of
// one core are one family.
func sharers(n int, aliases bool) string {
	var b strings.Builder
	for core := range 2 {
		fmt.Fprintf(&b, "func sg000%d {\n  sb t: f32[4,8]\n", core)
		for i := range n / 4 {
			alias := ""
			if aliases && i%(n/8) != 0 {
				alias = fmt.Sprintf(" alias(must s%d)", i-1)
			}
			fmt.Fprintf(&b, "  shared s%d: f32[4,8]%s\n", i, alias)
		}
		for i := range n / 2 {
			fmt.Fprintf(&b, "  I-%d: s%d = Save t @SP\n", i, core*(n/8)+i%(n/8))
		}
		b.WriteString("}\n")
	}
	return b.String()
}

// BenchmarkLocalize is localize_shared_memory where it moves and removes everything that it may.
func BenchmarkLocalize(b *testing.B) {
	for _, aliases := range []bool{false, true} {
		for _, n := range []int{100, 1000, 10000} {
			b.Run(fmt.Sprintf("aliases=%v/%d", aliases, n), func(b *testing.B) { benchmark(b, localizeSharedMemory(), sharers(n, aliases), n) })
		}
	}
}

// What the benchmark measures is done: every location is Local to its core and gone from the other.
func TestLocalizeMany(t *testing.T) {
	for _, aliases := range []bool{false, true} {
		p := parse(t, sharers(800, aliases))
		s := steps(p, Unlimited(), localizeSharedMemory())[0]
		locs := 0
		for _, f := range s.After.Cores {
			for l := range f.Locs {
				locs++
				if l.Set.Space != ir.Local {
					t.Fatalf("aliases %v: %s is Shared", aliases, l.Name)
				}
			}
		}
		if want := 2 + 200; locs != want {
			t.Errorf("aliases %v: %d locations are left, want %d", aliases, locs, want)
		}
	}
}

// Each rewrite stands alone: after any number of them the tensor of a core is its own, or Shared as it was, and nothing that is used is gone.
func TestLocalizeUnderFuel(t *testing.T) {
	for fuel := range 12 {
		p := parse(t, sharers(16, false))
		steps(p, Options{Fuel: fuel}, localizeSharedMemory())
		if cs := ir.Verify(p, 0); len(cs) > 0 {
			t.Errorf("fuel %d: %v", fuel, cs)
		}
	}
}
