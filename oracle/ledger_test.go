package oracle

import (
	"fmt"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// ears is a cell tracker that hears what every step wrote, and compares it with what the same step wrote at other times.
type ears struct {
	*cellTracker
	wrote map[uint64]written
	twice int
	err   error
}

type written struct {
	gist  gist
	bytes uint64
	name  string
}

func (e *ears) after(c *code, at []place, r *ran) *Fault {
	if g := gistOf(r); e.decided(c, g) {
		w := written{g, 0, c.inst.Name}
		for k := range c.acc {
			if s := &e.now[k]; s.writes && s.inGrid && e.knowsInputs(c) {
				b := make([]byte, at[k].acc.count()*at[k].acc.size)
				gather(b, e.m.data, &at[k])
				w.bytes = hashBytes(w.bytes, b)
			}
		}
		key := e.stepKey(c)
		if old, ok := e.wrote[key]; !ok {
			e.wrote[key] = w
		} else if e.twice++; old.gist != w.gist || old.bytes != w.bytes {
			e.err = fmt.Errorf("%s computes another thing than the same step of %s", w.name, old.name)
		}
	}
	return e.cellTracker.after(c, at, r)
}

// knowsInputs tells whether all that the instruction reads is defined.
func (e *ears) knowsInputs(c *code) bool { return e.decided(c, gist{keeps: true}) }

// TestEqualStepsWriteEqualBytes: what the ledger rests on. Random programs run under other names, in other orders, with instructions missing
// and with aliases joined; wherever a step is one that ran before, it must write what that one wrote, and so must visible memory look.
func TestEqualStepsWriteEqualBytes(t *testing.T) {
	n := 150
	if birtest.Quick() {
		n = 40
	}
	r := gen.New(17)
	e := &ears{cellTracker: &cellTracker{}}
	m := newMachine(e)
	total := 0
	ps, qs, ins := generated(gen.Default(), 11, n)
	for i, p := range ps {
		programs := []*ir.Program{p, qs[i]}
		for k := range 8 {
			q := p.Clone()
			q.Number()
			if at := r.IntN(q.NumInsts()); k%3 == 0 {
				drop(q, at)
			} else {
				swap(q, at)
			}
			programs = append(programs, q)
		}
		for set := range ins[i] {
			e.wrote, e.known = map[uint64]written{}, &ledger{}
			for k, q := range programs {
				for _, joined := range bothLayouts {
					m.Prepare(q, Layout{Joined: joined})
					looks := e.runAndLook(m, ins[i][set])
					if e.err == nil {
						e.err = looks
					}
					if e.err != nil {
						t.Fatalf("program %d, variant %d, set %d: %v\n%s", i, k, set, e.err, q)
					}
				}
			}
		}
		total += e.twice
		e.twice = 0
	}
	if t.Logf("%d steps ran before", total); total < 100*n {
		t.Errorf("only %d steps of %d programs ran before", total, n)
	}
}

// runAndLook runs a program and compares what visible memory held with what the ledger says of it.
func (e *ears) runAndLook(m *Machine, in ir.Values) error {
	out := outcome{}
	e.observe(cellGrain, lens{}, &out)
	e.look = func(l *location, s *shot) {
		e.lookAt(l, s)
		g := &e.grids[l.st.id]
		if l.rows*l.rowBytes == 0 || s.state != defined || out.unsure != "" {
			return
		}
		tl := g.home(l)
		r := g.read(tl, g.locate(tl), int32(l.class))
		key := r.strict(mixAll(e.names[l.id], uint64(l.rows), uint64(l.rowBytes)))
		if v, ok := e.known.values.get(key); !ok || v != e.hashLocation(l) {
			e.err = fmt.Errorf("location %s: the ledger says another thing (%v)", l.name, ok)
		}
	}
	if got, err := m.Run(in, Way{}); err == nil && got.Fault == nil {
		e.finish()
	}
	return e.err
}

// chainOf judges a chain of two programs.
func chainOf(t *testing.T, j *Judge, p, q *ir.Program) Verdict {
	t.Helper()
	if v := j.Start(p, []ir.Values{testInputs(p, 1)}); v.Kind != Same {
		t.Fatal(v)
	}
	return j.Next(p, q, ir.Contract{}, false)
}

// TestReplayed: a step that computes nothing new is replayed, one that does is run; and none is with Options.Numbers.
func TestReplayed(t *testing.T) {
	p := parse(t, scaled("t", 2))
	for _, c := range []struct {
		q       *ir.Program
		numbers bool
		kind    Kind
		want    int
	}{{renamed(p), false, Same, 1}, {parse(t, scaled("t", 3)), false, Different, 0}, {renamed(p), true, Same, 0}} {
		j := NewJudge(Options{Numbers: c.numbers})
		if v := chainOf(t, j, p, c.q); v.Kind != c.kind {
			t.Errorf("verdict %v, want %v", v, c.kind)
		}
		if got := j.Tally(); got.Replayed != c.want {
			t.Errorf("%d of %d runs replayed, want %d", got.Replayed, got.Runs, c.want)
		}
	}
}

// scaled is a program that multiplies its input.
func scaled(name string, factor int) string {
	return fmt.Sprintf(`func f {
  input x: f32[4,4]
  output y: f32[4,4]
  sb %s: f32[4,4]
  a: %[1]s = Load x
  b: %[1]s = TensorScalar %[1]s op0=mult const0=%d @DVE
  c: y = Save %[1]s
}`, name, factor)
}

// TestCarriedConstants: the data of a constant come with the program, and a pass may have changed them.
func TestCarriedConstants(t *testing.T) {
	src := "func f {\n  const k: u8[1,4]\n  output y: u8[1,4]\n  sb t: u8[1,4]\n  a: t = Load k\n  c: y = Save t\n}\ndata k: u8[1,4] = [1, 2, 3, %d]"
	p := parse(t, fmt.Sprintf(src, 4))
	j := NewJudge(Options{})
	if v := j.Start(p, []ir.Values{{}}); v.Kind != Same || j.audit {
		t.Fatal(v, j.audit)
	}
	for range 2 { // the second time there is nothing about it that was not seen before
		if v := j.Next(p, parse(t, fmt.Sprintf(src, 5)), ir.Contract{}, false); v.Kind != Different {
			t.Error(v)
		}
	}
	if v := j.Next(p, renamed(p), ir.Contract{}, false); v.Kind != Same || j.Tally().Replayed != 1 {
		t.Error(v, j.Tally())
	}
}

// deaf is a cell tracker that does not hear which settings an instruction has.
type deaf struct{ *cellTracker }

func (d deaf) bind(m *Machine) {
	d.cellTracker.bind(m)
	for i, plans := range d.plans {
		for k := range plans {
			op := uint64(m.cores[i].code[k].inst.Op)
			plans[k].id, plans[k].exact = mix(1, op), mix(2, op)
		}
	}
}

// TestAudit: a tracker that is wrong takes another constant for the same computation. Chains that are replayed do not notice; those that are run
// in full do, and there are enough of them.
func TestAudit(t *testing.T) {
	audits, n := 0, 8*auditEvery
	for i := range n {
		j := NewJudge(Options{})
		for _, b := range []*lab{j.kept, j.steps} {
			b.machine.track = deaf{b.cells}
		}
		name := fmt.Sprint("t", i)
		v := chainOf(t, j, parse(t, scaled(name, 2)), parse(t, scaled(name, 3)))
		if j.audit {
			audits++
		}
		if (v.Kind == Different) != j.audit {
			t.Errorf("program %d, audit %v: %v", i, j.audit, v)
		}
	}
	if audits < n/auditEvery/3 || audits > 3*n/auditEvery {
		t.Errorf("%d audits in %d chains, want one in %d", audits, n, auditEvery)
	}
}

// TestOrderSurvives: the order of additions is still told where cells are written in part, differ in nothing else, or are copied.
func TestOrderSurvives(t *testing.T) {
	left, both := tile{0, 0, 4, 8}, tile{0, 0, 4, 16}
	summed := cell{base: 1, bag: 2, order: 3, row: 0, col: 0, class: 1, state: defined}
	orders := map[uint64]string{0: "no sum"}
	for name, f := range map[string]func(g *grid){
		"a sum":                    func(g *grid) { g.spread(both, g.locate(both), &summed) },
		"the sum in another order": func(g *grid) { n := summed; n.order = 4; g.spread(both, g.locate(both), &n) },
		"one half in another order": func(g *grid) {
			g.spread(both, g.locate(both), &summed)
			n := summed
			n.order = 4
			g.spread(left, g.locate(left), &n)
		},
		"a sum under a piece of a cell": func(g *grid) {
			g.spread(left, g.locate(left), &summed)
			piece := tile{1, 2, 1, 2}
			g.fill(piece, g.locate(piece), cell{base: 5, class: 1, state: defined}, true, 0)
		},
		"a sum under every second byte": func(g *grid) {
			g.spread(both, g.locate(both), &summed)
			g.fill(both, g.locate(both), cell{base: 5, class: 1, state: defined}, false, 0)
		},
	} {
		g := gridOf([]int32{4}, []int32{8, 16})
		f(g)
		o := g.read(both, g.locate(both), 1).order
		if other, ok := orders[o]; ok {
			t.Errorf("%s has the order of %s", name, other)
		}
		orders[o] = name
	}
}
