package oracle

import (
	"testing"
	"time"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// generated returns random programs, each under other names too, with one input set.
func generated(c gen.Config, seed uint64, n int) (ps, qs []*ir.Program, in [][]ir.Values) {
	r := gen.New(seed)
	for range n {
		p := gen.Program(r, c)
		ps, qs = append(ps, p), append(qs, renamed(p))
		in = append(in, []ir.Values{gen.Inputs(r, p, gen.Exact), gen.Inputs(r, p, gen.Edge)})
	}
	return ps, qs, in
}

// TestGrainsAgree: refining cells never changes a verdict. Each random program is judged by cells and by elements against itself under other
// names, and against versions that lost an instruction or had two exchanged.
func TestGrainsAgree(t *testing.T) {
	n := 60
	if birtest.Quick() {
		n = 25
	}
	r := gen.New(99)
	cells, elems := NewJudge(Options{}), NewJudge(Options{Elements: true})
	kinds, large := [Void + 1]int{}, 0
	ps, qs, ins := generated(gen.Default(), 3, n)
	for i, p := range ps {
		a, b := cells.Start(p, ins[i]), elems.Start(p, ins[i])
		if b.Kind == Unknown { // too large for its elements to be followed
			large++
			continue
		}
		if a.Kind != Same || b.Kind != Same {
			t.Fatalf("program %d: start: by cells %s, by elements %s", i, a, b)
		}
		after := []*ir.Program{qs[i]}
		for k := range 4 {
			q := p.Clone()
			q.Number()
			if at := r.IntN(q.NumInsts()); k%2 == 0 {
				drop(q, at)
			} else {
				swap(q, at)
			}
			after = append(after, q)
		}
		for k, q := range after {
			a, b := cells.Next(p, q, ir.Contract{}, true), elems.Next(p, q, ir.Contract{}, true)
			kinds[a.Kind]++
			if a.Kind != b.Kind || failedNames(a) != failedNames(b) {
				t.Errorf("program %d, change %d: by cells %s\nby elements %s\n%s", i, k, a, b, ir.Diff(p, q))
			}
			if k == 0 && a.Kind != Same {
				t.Errorf("program %d under other names: %s", i, a)
			}
		}
	}
	if large > n/10 || kinds[Same] < n-large || kinds[Different] == 0 || kinds[Undefined] == 0 {
		t.Errorf("verdicts by kind: %v; the changes are too dull", kinds)
	}
}

// swap exchanges instruction i of a program with the one behind it in its block, if there is one.
func swap(p *ir.Program, i int) {
	for _, f := range p.Cores {
		for b := range f.AllBlocks {
			for k := range len(b.Insts) - 1 {
				if int(b.Insts[k].ID) == i {
					b.Insts[k], b.Insts[k+1] = b.Insts[k+1], b.Insts[k]
					p.Number()
					return
				}
			}
		}
	}
}

// TestRunsRepeat: a program shows the same every time, whatever ran on the machine before.
func TestRunsRepeat(t *testing.T) {
	ps, _, ins := generated(gen.Default(), 5, 20)
	for _, elements := range []bool{false, true} {
		used := NewJudge(Options{Elements: elements})
		for i, p := range ps {
			fresh := NewJudge(Options{Elements: elements})
			used.Start(p, ins[i])
			fresh.Start(p, ins[i])
			a, b := used.known.runs[0].outcome, fresh.known.runs[0].outcome
			c := comparison{before: a, after: b}
			if !elements && !c.agree() && a.unsure == "" {
				t.Errorf("program %d shows another thing on a used machine", i)
			}
			if elements {
				var j judgement
				c.ask(AllChecks, &j)
				if len(j.failed) > 0 {
					t.Errorf("program %d on a used machine: %v", i, j.failed)
				}
			}
		}
	}
}

// newTracker returns a tracker that can follow all of the programs.
func newTracker(g grain, ps ...*ir.Program) tracker {
	o := &outcome{}
	if g == cellGrain {
		t := &cellTracker{}
		t.observe(g, lens{}, o)
		return &clearing{t, o, lens{}}
	}
	l := lens{unit: 8}
	for _, p := range ps {
		l.unit = min(l.unit, unitOf(p))
	}
	t := &elementTracker{}
	t.observe(g, l, o)
	return &clearing{t, o, l}
}

// clearing empties the outcome at the start of each run, as the judge does.
type clearing struct {
	tracker
	out *outcome
	l   lens
}

func (c *clearing) reset() {
	c.out.clear(c.out.grain, c.l)
	c.tracker.reset()
}

// BenchmarkShadow measures runs of generated programs with no shadow, with cells and with elements.
func BenchmarkShadow(b *testing.B) {
	ps, _, ins := generated(gen.Bench(), 7, 100)
	for _, g := range []grain{valuesOnly, cellGrain, elementGrain} {
		b.Run(g.String(), func(b *testing.B) {
			m := newMachine(nil)
			if g != valuesOnly {
				m = newMachine(newTracker(g, ps...))
			}
			for range b.N {
				for i, p := range ps {
					b.StopTimer()
					if err := m.Prepare(p, Layout{}); err != nil {
						b.Fatal(err)
					}
					b.StartTimer()
					if _, err := m.Run(ins[i][0], Way{}); err != nil {
						b.Fatal(err)
					}
				}
			}
			perProgram(b, len(ps))
		})
	}
}

// BenchmarkOverValues runs generated programs with each grain of shadow in turn with the same without any, and reports how much longer they take.
func BenchmarkOverValues(b *testing.B) {
	ps, _, ins := generated(gen.Bench(), 7, 40)
	for _, g := range []grain{cellGrain, elementGrain} {
		b.Run(g.String(), func(b *testing.B) {
			machines := make([][2]*Machine, len(ps))
			for i, p := range ps {
				machines[i] = [2]*Machine{newMachine(nil), newMachine(newTracker(g, p))}
				for _, m := range machines[i] {
					if err := m.Prepare(p, Layout{}); err != nil {
						b.Fatal(err)
					}
				}
			}
			best := make([][2]time.Duration, len(ps))
			for b.Loop() {
				for i := range ps {
					inTurn(b, machines[i], ins[i][0], &best[i])
				}
			}
			var total [2]time.Duration
			for _, t := range best {
				total[0], total[1] = total[0]+t[0], total[1]+t[1]
			}
			b.ReportMetric(total[1].Seconds()/total[0].Seconds(), "times-values")
		})
	}
}

func perProgram(b *testing.B, n int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/1e3/float64(b.N*n), "µs/program")
}

// BenchmarkPrepareShadow measures what cutting into cells adds to compiling.
func BenchmarkPrepareShadow(b *testing.B) {
	ps, _, _ := generated(gen.Bench(), 7, 100)
	for _, g := range []grain{valuesOnly, cellGrain, elementGrain} {
		b.Run(g.String(), func(b *testing.B) {
			m := newMachine(nil)
			if g != valuesOnly {
				m = newMachine(newTracker(g, ps[0]))
			}
			for range b.N {
				for _, p := range ps {
					if err := m.Prepare(p, Layout{}); err != nil {
						b.Fatal(err)
					}
				}
			}
			perProgram(b, len(ps))
		})
	}
}

// BenchmarkNext measures one changed step.
func BenchmarkNext(b *testing.B) {
	ps, qs, ins := generated(gen.Bench(), 7, 100)
	for _, elements := range []bool{false, true} {
		g := cellGrain
		if elements {
			g = elementGrain
		}
		b.Run(g.String(), func(b *testing.B) {
			j := NewJudge(Options{Elements: elements})
			for range b.N {
				for i, p := range ps {
					b.StopTimer()
					j.Start(p, ins[i])
					b.StartTimer()
					if v := j.Next(p, qs[i], ir.Contract{}, false); v.Kind != Same {
						b.Fatal(v)
					}
				}
			}
			perProgram(b, len(ps))
		})
	}
}
