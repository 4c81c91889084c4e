package oracle

import (
	"bytes"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
)

// eachConformance yields the conformance programs with their inputs.
func eachConformance(t testing.TB, groups []string, f func(name string, p *ir.Program, in ir.Values)) {
	t.Helper()
	for c, err := range birtest.Conformance(groups...) {
		if err != nil {
			t.Fatal(err)
		}
		p, err := birjson.Read(bytes.NewReader(c.BIR), c.File())
		if err != nil {
			t.Fatal(err)
		}
		io, err := birjson.ReadIO(bytes.NewReader(c.IO), c.Name)
		if err != nil {
			t.Fatal(err)
		}
		f(c.File(), p, io.Inputs)
	}
}

// renamed returns p with other names for all instructions and private locations: the same meaning, another hash.
func renamed(p *ir.Program) *ir.Program {
	q := p.Clone()
	q.Number()
	for in := range q.Insts {
		in.Name += "_"
	}
	for _, f := range q.Cores {
		for l := range f.Locs {
			if !l.Global() {
				l.Name += "_"
				l.Set.Name += "_"
			}
		}
	}
	return q
}

// TestConformanceIdentity: every conformance program means what it means under other names, by cells and by elements; the cells almost
// always know.
func TestConformanceIdentity(t *testing.T) {
	doubts, n := 0, 0
	cells, elems := NewJudge(Options{}), NewJudge(Options{Elements: true})
	eachConformance(t, nil, func(name string, p *ir.Program, in ir.Values) {
		n++
		if birtest.Quick() && n%8 != 0 {
			return
		}
		for _, j := range []*Judge{cells, elems} {
			if v := j.Start(p, []ir.Values{in}); v.Kind != Same {
				t.Errorf("%s: start: %s", name, v)
				return
			}
			before := j.Tally().Elements
			if v := j.Next(p, renamed(p), ir.Contract{}, false); v.Kind != Same {
				t.Errorf("%s: %s", name, v)
			}
			if j == cells {
				doubts += j.Tally().Elements - before
			}
		}
	})
	if doubts > n/50 {
		t.Errorf("%d of %d programs needed elements", doubts, n)
	}
}

// TestConformanceMutations: a program that lost an instruction is another one, unless the instruction was dead.
func TestConformanceMutations(t *testing.T) {
	j := NewJudge(Options{})
	n, missed := 0, 0
	eachConformance(t, []string{"programs"}, func(name string, p *ir.Program, in ir.Values) {
		if n++; birtest.Quick() && n%8 != 0 {
			return
		}
		if v := j.Start(p, []ir.Values{in}); v.Kind != Same {
			t.Errorf("%s: start: %s", name, v)
			return
		}
		for i := n % 8; i < p.NumInsts(); i += 8 {
			q := p.Clone()
			q.Number()
			drop(q, i)
			if v := j.Next(p, q, ir.Contract{}, false); v.Kind == Same {
				missed++
				if testing.Verbose() {
					t.Logf("%s: instruction %d is not missed", name, i)
				}
			}
		}
	})
	if t.Logf("%d deletions kept the meaning", missed); missed > 30 {
		t.Errorf("%d deletions were not noticed; few instructions of these programs are dead", missed)
	}
}

// drop removes instruction i of a program.
func drop(p *ir.Program, i int) {
	for _, f := range p.Cores {
		for b := range f.AllBlocks {
			for k, in := range b.Insts {
				if int(in.ID) == i {
					b.Insts = append(b.Insts[:k:k], b.Insts[k+1:]...)
					p.Number()
					return
				}
			}
		}
	}
}

func chainStep(t testing.TB) (p, q *ir.Program, in []ir.Values) {
	t.Helper()
	src := pairSource(t, "testdata/pairs/matmul.bir")
	p = mustParse(t, "p", src)
	return p, renamed(p), []ir.Values{testInputs(p, 0)}
}

// TestSteadyStateAllocations: judging allocates nothing once everything has been seen.
func TestSteadyStateAllocations(t *testing.T) {
	for _, elements := range []bool{false, true} {
		p, q, in := chainStep(t)
		j := NewJudge(Options{Elements: elements})
		j.Start(p, in)
		a, b := p, q
		step := func() {
			if v := j.Next(a, b, ir.Contract{}, false); v.Kind != Same {
				t.Fatal(v)
			}
			a, b = b, a
		}
		for range 4 {
			step()
		}
		if n := testing.AllocsPerRun(20, step); n > 2 { // two are the race detector's
			t.Errorf("elements %v: %v allocations a step", elements, n)
		}
	}
}

func TestUnchangedStep(t *testing.T) {
	p, _, in := chainStep(t)
	j := NewJudge(Options{})
	j.Start(p, in)
	if n := testing.AllocsPerRun(20, func() { j.Next(p, p, ir.Contract{}, false) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// TestUnchangedStepIsHeldToItsContract: what a pass owes is asked of a step that leaves everything as it was, on however many inputs.
func TestUnchangedStepIsHeldToItsContract(t *testing.T) {
	p := parse(t, "func f {\n sb a: f32[1,1]\n output y: f32[1,1]\n I-0: a = Memset\n I-1: y = Save a after(I-0)\n}\n")
	owed := ir.Contract{Order: ir.OrderSchedule, Same: []ir.Law{}}
	for _, in := range [][]ir.Values{{{}}, {{}, {}}} {
		j := NewJudge(Options{})
		if v := j.Start(p, in); v.Kind != Same {
			t.Fatal(v)
		}
		if v := j.Next(p, p.Clone(), owed, true); v.Kind != Different || v.Class != "contract" {
			t.Errorf("%d inputs: %v, want the Flow edge that is left to be found", len(in), v)
		}
		p.Cores[0].Blocks[0].Insts[1].Deps[0].Kind = ir.Anti
		if v := j.Start(p, in); v.Kind != Same {
			t.Fatal(v)
		}
		if v := j.Next(p, p.Clone(), owed, true); v.Kind != Same {
			t.Errorf("%d inputs, no Flow edge: %v", len(in), v)
		}
		p.Cores[0].Blocks[0].Insts[1].Deps[0].Kind = ir.Flow
	}
}
