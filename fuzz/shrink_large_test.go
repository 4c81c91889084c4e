package fuzz

import (
	"context"
	"slices"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestShrinkLarge: of programs of thousands of instructions hardly more is left than of small ones: of most as little as there can be, of none more
// than a screen.
func TestShrinkLarge(t *testing.T) {
	t.Parallel()
	if birtest.Quick() {
		t.Skip("judges programs of thousands of instructions")
	}
	const bug, programs, screen = "constant", 3, 12
	pass := planted(bug)
	least := 0
	for _, c := range shrinkable(t, pass, "value", 2000, programs) {
		w, before := showing(t, pass, c)
		small, calls := shrink(context.Background(), before, w.still, Budget{})
		got := small.NumInsts()
		if got <= smallest[bug] {
			least++
		}
		if t.Logf("%s: %d instructions are left after %d calls", c.Name, got, calls); got > screen {
			t.Errorf("%s: %d instructions are left, want at most %d\n%s", c.Name, got, screen, small)
		}
	}
	if least*2 <= programs {
		t.Errorf("%d of %d programs are as small as they can be, want most", least, programs)
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
