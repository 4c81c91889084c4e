package fuzz

import (
	"context"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
)

// reduced returns what a reduction makes of a program at some of its places. It is legal, and the original as it was.
func reduced(t *testing.T, name, text string, at ...int32) string {
	t.Helper()
	p := parsed(t, text)
	for _, r := range reductions {
		places := r.places(p.Clone())
		if r.name != name || slices.ContainsFunc(at, func(i int32) bool { return !slices.Contains(places, i) }) {
			continue
		}
		q := p.Clone()
		if !r.change(q, at) {
			t.Fatalf("%s: nothing was done", name)
		}
		q.Number()
		if cs := ir.Verify(q, q.Facts); len(cs) > 0 {
			t.Errorf("%s: not legal: %v\n%s", name, cs, q)
		}
		if p.String() != parsed(t, text).String() {
			t.Errorf("%s: the original was changed too", name)
		}
		return q.String()
	}
	t.Fatalf("no reduction %s has the places %v", name, at)
	return ""
}

// inFunction is the text of a module of one function.
func inFunction(locations, insts string) string {
	return "func f {\n" + locations + "Block1:\n" + insts + "}\n"
}

// TestTransfers: what is carried on several legs is carried on one, or not at all.
func TestTransfers(t *testing.T) {
	for _, c := range []struct {
		reduction  string
		at         []int32
		text, want string
	}{
		// The load goes, and what is saved comes from DRAM then.
		{"bypass", []int32{0}, inFunction("  input x: f32[1,8]\n  sb s: f32[1,8]\n  output y: f32[1,8]\n", "  I-0: s = Load x\n  I-1: y = Save s\n"),
			inFunction("  input x: f32[1,8]\n  sb s: f32[1,8]\n  output y: f32[1,8]\n", "  I-1: y = DMACopy x\n")},
		// A copy that casts goes like any other.
		{"bypass", []int32{1}, inFunction("  sb s: f32[1,8]\n  sb u: i32[1,8]\n  output y: f32[1,8]\n", "  I-0: s = Memset\n  I-1: u = TensorCopy s\n  I-2: y = Save u\n"),
			inFunction("  sb s: f32[1,8]\n  sb u: i32[1,8]\n  output y: f32[1,8]\n", "  I-0: s = Memset\n  I-2: y = Save s\n")},
		{"results in place", []int32{2}, inFunction("  input x: f32[1,8]\n  dram d: f32[1,8]\n  output y: f32[1,8]\n", "  I-0: d = DMACopy x\n  I-1: d[1x1, 1x2] = DMACopy x[1x1, 1x2]\n  I-2: y = DMACopy d\n"),
			inFunction("  input x: f32[1,8]\n  dram d: f32[1,8]\n  output y: f32[1,8]\n", "  I-0: y = DMACopy x\n  I-1: y[1x1, 1x2] = DMACopy x[1x1, 1x2]\n")},
		{"constants in place", []int32{1}, inFunction("  sb s: f32[1,2]\n  output y: f32[1,2]\n", "  I-0: s = Memset\n  I-1: y = Save s\n"),
			inFunction("  sb s: f32[1,2]\n  output y: f32[1,2]\n  const c0: f32[1,2]\n", "  I-0: y = DMACopy c0\n") + "\ndata c0: f32[1,2] = [1, 2]\n"},
		{"operands in place", []int32{0}, inFunction("  input x: f32[1,8]\n  sb s: f32[1,8]\n  output y: f32[1,1]\n", "  I-0: s = Load x\n  I-1: y = Save s[:, 3:4]\n"),
			inFunction("  input x: f32[1,8]\n  sb s: f32[1,8]\n  output y: f32[1,1]\n", "  I-1: y = DMACopy x[:, 3:4]\n")},
		{"constants for transfers", []int32{1}, inFunction("  input x: f32[1,2]\n  sb s: f32[1,2]\n  output y: f32[1,2]\n", "  I-0: s = Load x\n  I-1: y = Save s\n"),
			inFunction("  input x: f32[1,2]\n  sb s: f32[1,2]\n  output y: f32[1,2]\n  const c0: f32[1,2]\n", "  I-1: y = DMACopy c0\n") + "\ndata c0: f32[1,2] = [1, 2]\n"},
		{"uses for publications", []int32{1}, inFunction("  psum p: f32[1,8]\n  sb s: f32[1,8]\n  output y: f32[1,8]\n", "  I-0: p = Memset\n  I-1: s = TensorCopy p\n  I-2: y = Save s\n"),
			inFunction("  psum p: f32[1,8]\n  sb s: f32[1,8]\n  output y: f32[1,8]\n", "  I-0: p = Memset\n  I-1: s = TensorScalar p\n")},
		// A sum needs nothing to begin with where what it comes to is computed with.
		{"uses for published sums", []int32{3}, inFunction("  sb a: f32[1,1]\n  psum p: f32[1,1]\n  sb s: f32[1,1]\n  output y: f32[1,1]\n",
			"  I-0: a = Memset\n  I-1: p = Memset\n  I-2: p = Matmult a, a start_tensor_calc=false\n  I-3: s = TensorCopy p\n  I-4: y = Save s\n"),
			inFunction("  sb a: f32[1,1]\n  psum p: f32[1,1]\n  sb s: f32[1,1]\n  output y: f32[1,1]\n",
				"  I-0: a = Memset\n  I-2: p = Matmult a, a start_tensor_calc=false\n  I-3: s = TensorScalar p\n")},
	} {
		if got, want := reduced(t, c.reduction, c.text, c.at...), "module gen3\n\n"+c.want; strings.TrimSpace(got) != strings.TrimSpace(want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.reduction, got, want)
		}
	}
}

// TestPlacesOfTransfers: what is there before the program, and what others see, keeps its name.
func TestPlacesOfTransfers(t *testing.T) {
	p := parsed(t, inFunction("  input x: f32[1,8]\n  dram d: f32[1,8]\n  dram e: f32[1,4]\n  output y: f32[1,8]\n  output z: f32[1,8]\n",
		"  I-0: d = DMACopy x\n  I-1: y = DMACopy d\n  I-2: z = DMACopy y\n  I-3: e = DMACopy z[1x1, 1x4]\n"))
	for _, c := range []struct {
		reduction string
		want      []int32
	}{{"results in place", []int32{1}}, {"operands in place", []int32{0}}, {"constants for transfers", []int32{1, 2, 3}}, {"uses for publications", nil}} {
		r := reductions[slices.IndexFunc(reductions, func(r reduction) bool { return r.name == c.reduction })]
		if got := r.places(p); !slices.Equal(got, c.want) {
			t.Errorf("%s at %v, want %v", c.reduction, got, c.want)
		}
	}
}

// TestSizesCutConstants: a constant that becomes smaller keeps the first of its data.
func TestSizesCutConstants(t *testing.T) {
	p := parsed(t, inFunction("  const c: f32[1,3]\n  output y: f32[1,3]\n", "  I-0: y = DMACopy c\n")+"\ndata c: f32[1,3] = [5, 6, 7]\n")
	q := p.Clone()
	resize(q, map[int64]int64{3: 2})
	if got, want := q.String(), parsed(t, inFunction("  const c: f32[1,2]\n  output y: f32[1,2]\n", "  I-0: y = DMACopy c\n")+"\ndata c: f32[1,2] = [5, 6]\n").String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if elems(p.Consts["c"]) != 3 {
		t.Error("the constant of the original was cut too")
	}
}

// TestShrinkTakesTwo: two instructions apart that fail only together go together.
func TestShrinkTakesTwo(t *testing.T) {
	p := parsed(t, inFunction("  sb s: f32[1,8]\n", "  I-0: s = Memset\n  I-1: s = Memset\n  I-2: s = Memset\n  I-3: s = Memset\n  I-4: s = Memset\n"))
	small := Shrink(context.Background(), p, func(q *ir.Program) bool {
		has := map[string]bool{}
		for in := range q.Insts {
			has[in.Name] = true
		}
		return has["I-0"] == has["I-3"] && has["I-1"] && has["I-2"] == has["I-4"]
	}, Budget{})
	if small.NumInsts() != 1 {
		t.Errorf("%d instructions are left, want 1\n%s", small.NumInsts(), small)
	}
}

// TestConstantsDiffer: constants that come into a program differ from each other in every element.
func TestConstantsDiffer(t *testing.T) {
	p := parsed(t, inFunction("  sb s: f32[1,2]\n  output y: f32[1,2]\n", "  I-0: s = Memset\n  I-1: y = Save s\n  I-2: y = Save s\n"))
	if !giveConstants(p, []int32{1, 2}) || len(p.Consts) != 2 {
		t.Fatalf("want two constants:\n%s", p)
	}
	for i := range 2 {
		if a, b := element(p.Consts["c0"], i), element(p.Consts["c1"], i); a == b {
			t.Errorf("element %d of both is %v", i, a)
		}
	}
}

// TestCopyOfSecond: what an instruction does with its inputs may not matter, but which of them it carries on.
func TestCopyOfSecond(t *testing.T) {
	const locations = "  sb m: u8[1,8]\n  sb s: f32[1,8]\n  sb u: f32[1,8]\n"
	got := reduced(t, "copies of second inputs", inFunction(locations, "  I-0: s = Memset\n  I-1: u = CopyPredicated m, s\n"), 1)
	if want := "module gen3\n\n" + inFunction(locations, "  I-0: s = Memset\n  I-1: u = DMACopy s\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestOneForTwo: what is written to one location is written to another before it that is as large, and not copied
// there onto itself.
func TestOneForTwo(t *testing.T) {
	const locations = "  sb s: f32[1,8]\n  sb u: f32[2,8]\n  output y: f32[1,8]\n"
	got := reduced(t, "one location for two", inFunction(locations, "  I-0: s = Memset\n  I-1: u = Memset\n  I-2: y = Save s\n"), 2)
	if want := "module gen3\n\n" + inFunction(locations, "  I-0: s = Memset\n  I-1: u = Memset\n  I-2: s = Memset constant=1077936128\n"); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestTwinsOf: a location that nobody mentions, or that is given, stands for no other, and neither does one of another function.
func TestTwinsOf(t *testing.T) {
	p := parsed(t, inFunction("  input x: f32[1,8]\n  sb r: f32[1,8]\n  sb s: f32[1,8]\n  sb u: f32[1,8]\n", "  I-0: s = Load x\n  I-1: u = TensorCopy s\n")+
		"\nfunc g {\n  sb v: f32[1,8]\nBlock1:\n  I-0: v = Memset\n}\n")
	for l, twin := range twinsOf(p) {
		if l.Name != "u" || twin.Name != "s" {
			t.Errorf("%s for %s, want s for u alone", twin.Name, l.Name)
		}
	}
	if len(twinsOf(p)) != 1 {
		t.Errorf("%d twins, want 1", len(twinsOf(p)))
	}
}
