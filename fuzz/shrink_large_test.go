package fuzz

import (
	"context"
	"slices"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestShrinkLarge: of a program of thousands of instructions no more is left than of a small one.
func TestShrinkLarge(t *testing.T) {
	t.Parallel()
	if birtest.Quick() {
		t.Skip("judges programs of thousands of instructions")
	}
	const bug = "constant"
	pass := planted(bug)
	w, before := showing(t, pass, shrinkable(t, pass, "value", 2000, 1)[0])
	small, calls := shrink(context.Background(), before, w.still, Budget{})
	if got := small.NumInsts(); got > smallest[bug] {
		t.Errorf("%d instructions are left after %d calls, want %d\n%s", got, calls, smallest[bug], small)
	}
}

// TestShrinkTakesFeeders: a pass that spoils the first constant spoils nothing where nobody reads that, so what only fed an instruction goes in one
// step with what that did.
func TestShrinkTakesFeeders(t *testing.T) {
	p, err := ir.Parse("feeders.bir", `
func f {
  output y: i32[4,8]
  sb s: f32[4,8]
  sb u: i32[4,8]
  I-0: s = Memset
  I-1: u = TensorCopy s @DVE
  I-2: y = Save u
}
`)
	if err != nil {
		t.Fatal(err)
	}
	fill, _ := fillOp()
	small := Shrink(context.Background(), p, func(q *ir.Program) bool {
		insts := slices.Collect(q.Insts)
		i := slices.IndexFunc(insts, func(in *ir.Inst) bool { return in.Op == fill })
		return i >= 0 && readers(q)[i] && len(insts[len(insts)-1].Args) > 1 && insts[len(insts)-1].Args[1].DType.IsInt()
	}, Budget{})
	if small.NumInsts() != 2 {
		t.Errorf("%d instructions are left, want 2\n%s", small.NumInsts(), small)
	}
}

// TestShrinkDropsUnmentioned: tensors that only instructions mentioned which went with all but a slice go with them; on-chip memory, which costs
// nothing and may be why an allocator fails, does not.
func TestShrinkDropsUnmentioned(t *testing.T) {
	p, err := ir.Parse("unmentioned.bir", `
func f {
  input x: f32[4,8]
  input w: f32[4,8]
  output y: f32[4,8]
  output z: f32[4,8]
  sb s: f32[4,8]
  sb u: f32[4,8]
  I-0: s = Load x
  I-1: u = Load w
  I-2: y = Save s
  I-3: z = Save u
}
`)
	if err != nil {
		t.Fatal(err)
	}
	p.Number()
	if !keepSlices(p, []int32{3}) {
		t.Fatal("nothing went")
	}
	const want = "module gen3\n\nfunc f {\n  input w: f32[4,8]\n  output z: f32[4,8]\n  sb s: f32[4,8]\n  sb u: f32[4,8]\nBlock1:\n  I-1: u = Load w\n  I-3: z = Save u\n}\n"
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
