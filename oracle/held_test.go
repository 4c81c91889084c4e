package oracle

import (
	"testing"

	"birfuzz/ir"
)

const heldSource = `func f {
  input x: f32[4,4]
  output y: f32[4,4]
  sb t: f32[4,4]
  a: t = Load x
  b: t = TensorScalar t op0=mult const0=2
  c: t = TensorScalar t op0=mult const0=2
  d: y = Save t
}`

// TestLabHolds: a program is compiled once while neither its content nor the parts that hold it change.
func TestLabHolds(t *testing.T) {
	p := parse(t, heldSource)
	insts := p.Cores[0].Blocks[0].Insts
	b := newLab(nil, nil)
	compiled := func(l Layout) bool {
		t.Helper()
		b.machine.program = nil
		if err := b.prepare(p, p.Hash(), l); err != nil {
			t.Fatal(err)
		}
		return b.machine.program != nil
	}
	compiled(Layout{})
	for _, c := range []struct {
		name   string
		change func()
		want   bool
	}{
		{"nothing", func() {}, false},
		{"the layout", func() {}, true},
		{"a setting", func() { insts[1].SetParam(ir.Param{ID: ir.PConst0, F: 3}) }, true},
		{"and back", func() { insts[1].SetParam(ir.Param{ID: ir.PConst0, F: 2}) }, true},
		{"an instruction for its equal", func() { q := *insts[1]; insts[1] = &q }, true},
		{"a location for its equal", func() {
			set := p.Cores[0].Sets[0]
			q := *set.Locs[0]
			set.Locs[0] = &q
			insts[0].Args[1].Loc = &q
		}, true},
	} {
		c.change()
		if got := compiled(Layout{Joined: c.name == "the layout"}); got != c.want {
			t.Errorf("after a change of %s: compiled again is %v, want %v", c.name, got, c.want)
		}
		compiled(Layout{})
	}
}

// TestFinishAfterSteps: the program of Start is still what it was when Finish runs it again, whatever the steps ran and whatever was done to
// it meanwhile.
func TestFinishAfterSteps(t *testing.T) {
	p := parse(t, heldSource)
	in := []ir.Values{{"x": counting(16)}, {"x": floats(make([]float32, 16)...)}, {"x": counting(16)}}
	for i := range in {
		x := in[i]["x"]
		x.Shape = []int64{4, 4}
		in[i]["x"] = x
	}
	j := NewJudge(Options{})
	if v := j.Start(p, in); v.Kind != Same {
		t.Fatal(v)
	}
	q := renamed(p)
	if v := j.Next(p, q, ir.Contract{}, false); v.Kind != Same {
		t.Fatal(v)
	}
	if v := j.Finish(p, q, ir.Contract{}); v.Kind != Same {
		t.Error(v)
	}
	p.Cores[0].Blocks[0].Insts[1].SetParam(ir.Param{ID: ir.PConst0, F: 3})
	if v := j.Finish(p, q, ir.Contract{}); v.Kind != Different {
		t.Errorf("after the first program changed in place: %s, want different", v)
	}
}
