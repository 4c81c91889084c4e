package fuzz

import (
	"context"
	"slices"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// TestShrinkLarge: of programs of thousands of instructions as little is left as there can be.
func TestShrinkLarge(t *testing.T) {
	t.Parallel()
	if birtest.Quick() {
		t.Skip("judges programs of thousands of instructions")
	}
	const bug, programs = "constant", 5
	pass := planted(bug)
	for _, c := range shrinkable(t, pass, "value", 2000, programs) {
		w, before := showing(t, pass, c)
		small, calls := shrink(context.Background(), before, w.still, Budget{})
		got := small.NumInsts()
		if t.Logf("%s: %d instructions are left after %d calls", c.Name, got, calls); got > smallest[bug] {
			t.Errorf("%s: %d instructions are left, want %d\n%s", c.Name, got, smallest[bug], small)
		}
	}
}

// parsed returns a numbered program.
func parsed(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse(t.Name()+".bir", text)
	if err != nil {
		t.Fatal(err)
	}
	p.Number()
	return p
}

// TestShrinkTakesFeeders: a pass that spoils the first constant spoils nothing where nobody reads that, so what only fed an instruction goes in one
// step with what that did.
func TestShrinkTakesFeeders(t *testing.T) {
	p := parsed(t, `
func f {
  output y: i32[4,8]
  sb s: f32[4,8]
  sb u: i32[4,8]
  I-0: s = Memset
  I-1: u = TensorCopy s @DVE
  I-2: y = Save u
}
`)
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
	p := parsed(t, `
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
	if !keepSlices(p, []int32{3}) {
		t.Fatal("nothing went")
	}
	const want = "module gen3\n\nfunc f {\n  input w: f32[4,8]\n  output z: f32[4,8]\n  sb s: f32[4,8]\n  sb u: f32[4,8]\nBlock1:\n  I-1: u = Load w\n  I-3: z = Save u\n}\n"
	if got := p.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// renamed writes a tensor under one name and reads it under another.
const renamed = `
func f {
  output y: f32[4,8]
  sb s: f32[4,8]
  sb u: f32[4,8]
  dram d: f32[4,8] alias(must e)
  dram e: f32[4,8]
  I-0: s = Memset
  I-1: d = Save s
  I-2: u = Load e
  I-3: y = Save u
}
`

// TestShrinkSeesAliases: who writes what is read under another name is a feeder like any other: it is no unread one, it belongs to the slice, it
// goes when its reader becomes a constant, and chains are shortened past it.
func TestShrinkSeesAliases(t *testing.T) {
	if p := parsed(t, renamed); dropUnread(p) {
		t.Errorf("what is read goes as unread:\n%s", p)
	}
	if p := parsed(t, renamed); keepSlices(p, []int32{3}) {
		t.Errorf("the slice lacks something:\n%s", p)
	}
	for _, c := range []struct {
		reduction string
		at        int32
		want      []string // the names of the instructions that are left
	}{
		{"constants for results", 2, []string{"I-2", "I-3"}},
		{"bypass", 1, []string{"I-0", "I-2", "I-3"}},
	} {
		p := parsed(t, renamed)
		r := reductions[slices.IndexFunc(reductions, func(r reduction) bool { return r.name == c.reduction })]
		var left []string
		if r.change(p, []int32{c.at}) {
			for in := range p.Insts {
				left = append(left, in.Name)
			}
		}
		if !slices.Equal(left, c.want) {
			t.Errorf("%s at %d: %v are left, want %v", c.reduction, c.at, left, c.want)
		}
	}
}
