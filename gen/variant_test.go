package gen

import (
	"fmt"
	"slices"
	"testing"

	"birfuzz/ir"
	"birfuzz/oracle"
)

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
	if v := j.Next(p, q, VariantContract(), true); v.Kind != oracle.Same && v.Kind != oracle.Unknown {
		return v.String()
	}
	return ""
}

// TestVariants: a program and its variants are the same to the judge, in all that fences show and in every origin. Each equivalence is used.
func TestVariants(t *testing.T) {
	n, used := 600, map[string]int{}
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

// guardPrograms are code that one guard alone keeps from harm, where generated programs seldom have it.
var guardPrograms = map[string]string{
	"swap.edge": ` facts(Deps)

func f {
  sb a: f32[4,8]
  sb b: f32[4,8]
Block1:
  I-0: a = Memset @DVE
  I-1: b = Memset @Pool after(I-0)
}
`,
	// Whoever waits for I-1 has I-0 behind it, as long as that stands in front on one engine.
	"swap.lane": ` facts(Deps)

func f {
  sb a: f32[4,8]
  sb b: f32[4,8]
  sb c: f32[4,8]
Block1:
  I-0: a = Memset @DVE
  I-1: b = Memset @DVE
  I-2: c = TensorCopy a @Pool after(I-1)
}
`,
	// The next trip reads what this one wrote.
	"split.top": `

func f {
  sb a: f32[4,8]
  sb b: f32[4,8]
  output y: f32[4,8]
Block1:
  I-0: a = Memset constant=1065353216 @DVE
  L0: for i = 0..2 {
    I-1: b = TensorCopy a @DVE
    I-2: a = Memset @DVE
  }
  I-3: y = Save b @SP
}
`,
	// The trips go from row to row.
	"pad.physical": `

func f {
  sb a: f32[64,8]
  output y: f32[64,8]
Block1:
  L0: for i = 0..2 {
    I-1: a[8x32, 1x8 at 256*i] = Memset @DVE
  }
  I-2: y = Save a @SP
}
`,
	// Another core's tile lies there, or the memory ends.
	"pad.private": `

func f {
  sb a: f32[4,8] at base 0 addr 229344
Block1:
  I-0: a = Memset @DVE
}
`,
}

// TestVariantGuards: a variant made without one of its guards is wrong, and the judge or the verifier says so.
func TestVariantGuards(t *testing.T) {
	n := 700
	if testing.Short() {
		n = 0
	}
	j := oracle.NewJudge(oracle.Options{})
	for _, e := range Equivalences() {
		for _, g := range e.guards {
			if text, ok := guardPrograms[e.Name+"."+g.name]; ok {
				testGuard(t, j, e, g.name, text)
				continue
			}
			found := n == 0
			for i := 0; i < n && !found; i++ {
				p, in := variantCase(i)
				found = wrongWithout(j, without(e, g.name), p, in)
			}
			if !found {
				t.Errorf("%s without %s: nothing wrong in %d programs", e.Name, g.name, n)
			}
		}
	}
}

// testGuard: the program is left alone with the guard, and broken without it.
func testGuard(t *testing.T, j *oracle.Judge, e *Equivalence, name, text string) {
	t.Helper()
	p, err := ir.Parse("t.bir", "module gen3"+text)
	if err != nil {
		t.Fatal(err)
	}
	in := []ir.Values{{}}
	if wrongWithout(j, without(e, "none"), p, in) {
		t.Errorf("%s breaks the program of %s", e.Name, name)
	}
	if !wrongWithout(j, without(e, name), p, in) {
		t.Errorf("%s without %s: nothing wrong with the program", e.Name, name)
	}
}

// wrongWithout tells whether the weakened equivalence breaks the program, or breaks down.
func wrongWithout(j *oracle.Judge, weak *Equivalence, p *ir.Program, in []ir.Values) (wrong bool) {
	defer func() {
		if recover() != nil {
			wrong = true
		}
	}()
	q := vary(1, p, []*Equivalence{weak}, map[string]int{})
	return compare(j, p, q, in) != ""
}
