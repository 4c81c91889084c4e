package fuzz_test

import (
	"testing"

	"birfuzz/fuzz"
	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
)

// spoil changes a number in the settings of one instruction, drawn among those that have one; nil if there is none.
func spoil(r *gen.Rand, p *ir.Program) *ir.Inst {
	var all []*ir.Inst
	for in := range p.Insts {
		if in.Spec().HasParam(ir.PConstant) || in.Spec().HasParam(ir.PConst0) && !in.Alu(ir.POp0).Unary() && in.Alu(ir.POp0) != ir.AluBypass {
			all = append(all, in)
		}
	}
	if len(all) == 0 {
		return nil
	}
	in := all[r.IntN(len(all))]
	if in.Spec().HasParam(ir.PConstant) {
		in.SetInt(ir.PConstant, in.Int(ir.PConstant)^1)
	} else {
		in.SetFloat(ir.PConst0, in.Float(ir.PConst0)+1)
	}
	return in
}

// TestCulpritIsTheChangedInstruction: where one instruction computes something else than before, it is the culprit, whether programs keep their
// names or all are new; what it read, and how it came to the place that differs, is told.
func TestCulpritIsTheChangedInstruction(t *testing.T) {
	t.Parallel()
	most := 400
	if birtest.Quick() {
		most = 5
	}
	found, renamed := 0, 0
	j := oracle.NewJudge(oracle.Options{})
	for i := range most {
		c := fuzz.Generate(23, i, nil)
		q := c.Program.Clone()
		in := spoil(gen.New(uint64(i)), q)
		if in == nil || j.Start(c.Program, c.Values()).Kind != oracle.Same {
			continue
		}
		name := in.Name
		for _, fresh := range []bool{false, true} {
			if fresh {
				for x := range q.Insts {
					x.Name, x.Source = "N"+x.Name, ""
				}
				name = "N" + name
			}
			v := j.Next(c.Program, q, ir.Contract{}, false)
			if v.Kind != oracle.Different || v.Class != "value" && v.Class != "publish" && v.Class != "provenance" {
				break
			}
			w := oracle.Explain(&v, c.Program, q, ir.Contract{}, c.Values())
			switch {
			case w == nil || w.Culprit == nil || len(w.Path) == 0 || len(w.Slice) == 0:
				t.Fatalf("%s: %s: nobody did it: %+v", c.Name, v, w)
			case w.Culprit.Inst == name && fresh:
				renamed++
			case w.Culprit.Inst == name:
				found++
			case !fresh: // a constant may decide what others do
				t.Errorf("%s: %s was changed, %s is said to have done it: %s\n%v", c.Name, name, w.Culprit.Inst, v, w.Lines())
			}
		}
	}
	if found < most/8 || renamed < found*3/4 {
		t.Errorf("%d culprits, %d of them without names", found, renamed)
	}
	t.Logf("%d culprits, %d of them without names", found, renamed)
}
