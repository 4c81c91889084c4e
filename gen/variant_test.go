package gen

import (
	"fmt"
	"slices"
	"testing"

	"birfuzz/ir"
	"birfuzz/oracle"
)

// variantContract is what a variant promises of its program: everything but the storage of what only its code knows.
var variantContract = ir.Contract{Same: []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepOrder, ir.KeepPredicates, ir.KeepFlags, ir.KeepLoops, ir.KeepAttributes}}

// variantCase returns a program and its inputs.
func variantCase(i int) (*ir.Program, []ir.Values) {
	r := New(31).Fork(fmt.Sprint("case ", i))
	p := Program(r.Fork("program"), Swarm(r.Fork("swarm")))
	return p, []ir.Values{NeedsOf(p).Inputs(New(31), Exact), NeedsOf(p).Inputs(New(31), Ordinary)}
}

// vary makes a variant of a copy of p and says how often each equivalence was used.
func vary(seed uint64, p *ir.Program, es []*Equivalence, used map[string]int) *ir.Program {
	q := p.Clone()
	Variant(seed, q, es, func(e *Equivalence, _ *ir.Inst, _ *ir.Loc) bool { used[e.Name]++; return true }, func(f func()) { f() })
	q.Number()
	return q
}

// compare returns why a variant is wrong, "" if it is not.
func compare(j *oracle.Judge, p, q *ir.Program, in []ir.Values) string {
	if bad := ir.Verify(q, q.Facts); bad != nil {
		return fmt.Sprint("illegal: ", bad[0])
	}
	if v := j.Start(p, in); v.Kind != oracle.Same {
		return ""
	}
	if v := j.Next(p, q, variantContract, true); v.Kind != oracle.Same && v.Kind != oracle.Unknown {
		return v.String()
	}
	return ""
}

// TestVariants: a program and its variants are the same to the judge, in all that fences show and in every origin. Each equivalence is used.
func TestVariants(t *testing.T) {
	n, used := 1500, map[string]int{}
	if testing.Short() {
		n = 250
	}
	j := oracle.NewJudge(oracle.Options{})
	for i := range n {
		p, in := variantCase(i)
		q := vary(uint64(i), p, Equivalences(), used)
		if why := compare(j, p, q, in); why != "" {
			t.Fatalf("program %d: %s\n%s\n%s", i, why, p, q)
		}
	}
	for _, e := range Equivalences() {
		if used[e.Name] < n/20 {
			t.Errorf("%s was used %d times in %d programs", e.Name, used[e.Name], n)
		}
	}
	t.Log(used)
}

// without returns the equivalence with one guard taken away.
func without(e *Equivalence, name string) *Equivalence {
	f := *e
	f.guards = slices.DeleteFunc(slices.Clone(e.guards), func(g guard) bool { return g.name == name })
	f.share = 1
	return &f
}

// TestVariantGuards: a variant made without one of its guards is wrong, and the judge or the verifier says so.
func TestVariantGuards(t *testing.T) {
	n := 1500
	if testing.Short() {
		n = 100
	}
	j := oracle.NewJudge(oracle.Options{})
	for _, e := range Equivalences() {
		for _, g := range e.guards {
			weak := []*Equivalence{without(e, g.name)}
			found := -1
			for i := 0; i < n && found < 0; i++ {
				p, in := variantCase(i)
				if wrongWithout(j, weak, p, in) {
					found = i
				}
			}
			if found < 0 {
				t.Errorf("%s without %s: nothing wrong in %d programs", e.Name, g.name, n)
			} else {
				t.Logf("%s without %s: program %d", e.Name, g.name, found)
			}
		}
	}
}

// wrongWithout tells whether the weakened equivalence breaks the program, or breaks down.
func wrongWithout(j *oracle.Judge, weak []*Equivalence, p *ir.Program, in []ir.Values) (wrong bool) {
	defer func() {
		if recover() != nil {
			wrong = true
		}
	}()
	q := vary(1, p, weak, map[string]int{})
	return compare(j, p, q, in) != ""
}
