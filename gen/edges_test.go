package gen_test

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// trips gives one axis its value.
type trips struct {
	axis  *ir.Loop
	value int64
	other bool // something else was asked for
}

func (e *trips) AxisValue(l *ir.Loop) int64 {
	e.other = e.other || l != e.axis
	return e.value
}

func (e *trips) ShardID() int64 {
	e.other = true
	return 0
}

// touched returns the bytes of an operand in one trip of a loop; false where they depend on more than that.
func touched(o *ir.Operand, l *ir.Loop, trip int64) (map[int64]bool, bool) {
	e := trips{axis: l, value: l.LB + trip*l.Stride}
	w, set := o.WalkAt(o.Off.Eval(&e)), map[int64]bool{}
	for run := range w.Runs {
		for i := range w.Run {
			set[run+i] = true
		}
	}
	return set, !e.other
}

// meetApart tells whether two instructions in the body of a loop conflict, then so many trips after first; sure is false where more than that loop
// decides.
func meetApart(first, then *ir.Inst, l *ir.Loop, dist int64) (meet, sure bool) {
	for i := range first.Args {
		for k := range then.Args {
			o, p := &first.Args[i], &then.Args[k]
			switch {
			case i >= int(first.NOut) && k >= int(then.NOut) || o.Loc == nil || p.Loc == nil:
				continue
			case !o.IsAP() || !p.IsAP() || o.Loc != p.Loc && (len(o.Loc.Alias)+len(p.Loc.Alias) > 0 || o.Loc.Allocated || p.Loc.Allocated):
				return false, false
			case o.Loc != p.Loc:
				continue
			}
			for trip := range l.Trips() - dist {
				a, one := touched(o, l, trip)
				b, two := touched(p, l, trip+dist)
				if !one || !two {
					return false, false
				}
				for at := range a {
					meet = meet || b[at]
				}
			}
		}
	}
	return meet, true
}

// TestCarriedEdgesMeet: at the distance of a loop-carried edge the two instructions have a byte in common, where accesses move with that loop alone.
func TestCarriedEdgesMeet(t *testing.T) {
	c := gen.Default()
	for _, f := range [...]gen.Feature{gen.Loops, gen.Windows, gen.Edges, gen.RolledEdges} {
		c.Features[f] = 1
	}
	for _, f := range [...]gen.Feature{gen.Shards, gen.TwoCores, gen.CoreModule, gen.Transfers, gen.Accumulators, gen.Chains, gen.StubbornLoops, gen.LongLoops, gen.Halves} {
		c.Features[f] = 0
	}
	c.Elems = 16
	asked, apart := 0, 0
	for seed := range uint64(count(600)) {
		p := gen.Program(gen.New(seed), c)
		for loop := range p.Insts {
			if loop.Loop == nil || loop.Loop.Trips() > 8 {
				continue
			}
			for _, in := range loop.Loop.Blocks[0].Insts {
				for _, d := range in.LoopDeps {
					dist := d.Dist[len(d.Dist)-1]
					if in.Loop != nil || d.On.Loop != nil || len(loop.Loop.Blocks) > 1 || !stands(loop.Loop, d.On) {
						continue
					}
					if meet, sure := meetApart(d.On, in, loop.Loop, dist); sure {
						if asked++; !meet {
							t.Fatalf("seed %d: %s and %s are not in each other's way at distance %d\n%s", seed, d.On.Name, in.Name, dist, p)
						}
						if dist > 1 {
							apart++
						}
					}
				}
			}
		}
	}
	if t.Logf("%d edges, %d of them at more than one trip", asked, apart); asked < count(300) || apart == 0 && !birtest.Quick() {
		t.Error("too few edges")
	}
}

// stands tells whether an instruction stands in the body of a loop, and in no other loop inside it.
func stands(l *ir.Loop, in *ir.Inst) bool {
	for _, b := range l.Blocks {
		for _, x := range b.Insts {
			if x == in {
				return true
			}
		}
	}
	return false
}
