package ir

import "strings"

// Facts is a set of properties of a whole program, one bit each (architecture, "Words"; semantics §2).
type Facts uint16

// The facts. Each is given by a pass (or the generator), checked by Verify as far as it is static, and by the oracle for the rest.
const (
	Unrolled Facts = 1 << iota // no loop, no symbolic access, no predicate is left
	Deps                       // every conflicting pair is ordered by edges ∪ fences ∪ per-queue order
	Placed                     // every SB and PSUM location is allocated
	Grouped                    // accumulation groups carry legal start and stop flags
	Synced                     // semaphores order every cross-engine conflict
	Split                      // one function a core; no ShardID is left
	Virtual                    // semaphores are as many as are asked for (MaxVirtual), and not yet those of the machine
)

var factNames = names{"Unrolled", "Deps", "Placed", "Grouped", "Synced", "Split", "Virtual"}

// List returns the names of the facts, in bit order.
func (f Facts) List() []string {
	var out []string
	for i, n := range factNames {
		if f>>i&1 != 0 {
			out = append(out, n)
		}
	}
	return out
}

// String returns the names joined by commas.
func (f Facts) String() string { return strings.Join(f.List(), ",") }

// Has tells whether all of g hold.
func (f Facts) Has(g Facts) bool { return f&g == g }

// ParseFact returns the fact of that name.
func ParseFact(s string) (Facts, bool) {
	i, ok := factNames.find(s)
	return 1 << i, ok
}
