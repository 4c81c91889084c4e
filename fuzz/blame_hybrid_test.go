package fuzz

import (
	"fmt"
	"math/bits"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestBlameHybrid: of a step that may change arithmetic, of which nobody knows the rewrites, the one region is blamed that changes a number, by
// few judgements; where origins must be kept, no hybrid is asked.
func TestBlameHybrid(t *testing.T) {
	const n = 9
	for wrong := range n {
		before, after := sums(t, n, -1), sums(t, n, wrong)
		pass := &passes.Pass{Name: "foreign", Command: &passes.Command{}, Contract: ir.Contract{Arithmetic: true}}
		c := Case{Name: "sums", Program: before, Inputs: Inputs(1, before)[:1]}
		tester := NewTester(nil, oracle.Options{})
		if v := tester.judge.Start(before, c.Values()); v.Kind != oracle.Same {
			t.Fatal(v)
		}
		v := tester.judge.Next(before, after, pass.Contract, true)
		if v.Kind != oracle.Different {
			t.Fatalf("%d: %s", wrong, v)
		}
		r := Result{Verdict: v, Pass: pass, Before: before, After: after, Promise: pass.Contract, Failed: true}
		got := tester.FindBlame(c, r)
		if want := fmt.Sprintf("S-%d", wrong); got.Inst != want || got.Replays > bits.Len(n)+2 {
			t.Errorf("%s by %d judgements, want %s", got.Inst, got.Replays, want)
		}
		if r.Promise.Arithmetic = false; tester.FindBlame(c, r) != (Blame{}) {
			t.Error("a hybrid is asked where origins say who did it")
		}
	}
}

// sums returns a program of n sums. With wrong ≥ 0 their terms have changed places, which changes no number, and sum number wrong has become a
// difference.
func sums(t *testing.T, n, wrong int) *ir.Program {
	t.Helper()
	var decl, body strings.Builder
	for i := range n {
		fmt.Fprintf(&decl, "  output y%d: f32[2,2]\n  sb s%d: f32[2,2]\n", i, i)
		op, terms := "add", "a, b"
		if wrong >= 0 {
			terms = "b, a"
		}
		if i == wrong {
			op = "subtract"
		}
		fmt.Fprintf(&body, "  S-%d: s%d = TensorTensor %s op=%s\n  P-%d: y%d = Save s%d\n", i, i, terms, op, i, i, i)
	}
	p, err := ir.Parse("sums.bir", "func f {\n  input x: f32[2,2]\n  input z: f32[2,2]\n  sb a: f32[2,2]\n  sb b: f32[2,2]\n"+decl.String()+
		"Block1:\n  L-0: a = Load x\n  L-1: b = Load z\n"+body.String()+"}\n")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestHybrids: a hybrid has regions of both programs: what was deleted, moved to another location, or stands in a loop, comes back as it was.
func TestHybrids(t *testing.T) {
	const head = "func f {\n  input x: f32[4,8]\n  output y: f32[4,8]\n  output z: f32[4,8]\n  sb s: f32[4,8]\n"
	before := hybridOf(t, head+`  sb u: f32[4,8]
Block1:
  I-0: s = Load x
  I-1: u = TensorCopy s
  I-2: y = Save u
  L-0: for i = 0..4 {
    I-3: z[:, 0:2 at 2*i] = Save u[:, 0:2 at 2*i]
  }
}
`)
	after := hybridOf(t, head+`Block1:
  I-0: s = Load x
  I-2: y = Save s
  L-0: for i = 0..4 {
    I-3: z[:, 0:2 at 2*i] = Save s[:, 0:2 at 2*i]
  }
}
`)
	h := cutUp(before, after)
	if len(h.regions) != 2 {
		t.Fatalf("%d regions, want 2: the copy with its reader, and the reader in the loop", len(h.regions))
	}
	if p := h.program(0); p == nil || p.String() != before.String() {
		t.Errorf("none as after the pass:\n%v", p)
	}
	p := h.program(2)
	if p == nil || p.String() != after.String() {
		t.Errorf("all as after the pass:\n%v", p)
	}
	mixed := h.program(1)
	if mixed == nil {
		t.Fatal("the hybrid is not legal")
	}
	text := mixed.String()
	if !strings.Contains(text, "I-2: y = Save s\n") || !strings.Contains(text, "= Save u[") || strings.Contains(text, "TensorCopy") {
		t.Errorf("the first as after the pass:\n%s", text)
	}
}

// hybridOf reads a program.
func hybridOf(t *testing.T, text string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("hybrid.bir", text)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestHybridRegions: what an access steps by with its loop, and what a predicate asks, are part of an instruction.
func TestHybridRegions(t *testing.T) {
	const head = "func f {\n  input x: f32[4,16]\n  sb s: f32[4,16]\nBlock1:\n  L-0: for i = 0..4 {\n"
	before := hybridOf(t, head+"    I-0: s[:, 0:2 at 2*i] = Load x[:, 0:2 at 2*i]\n  }\n}\n")
	for _, c := range []struct {
		inst string
		want int
	}{
		{"s[:, 0:2 at 2*i] = Load x[:, 0:2 at 2*i]", 0},
		{"s[:, 0:2 at 2*i] = Load x[:, 0:2 at 3*i]", 1},
		{"s[:, 0:2 at 2*i] = Load x[:, 0:2 at 2*i] if(i - 1 >= 0)", 1},
	} {
		if got := len(cutUp(before, hybridOf(t, head+"    I-0: "+c.inst+"\n  }\n}\n")).regions); got != c.want {
			t.Errorf("%s: %d regions, want %d", c.inst, got, c.want)
		}
	}
}

// TestHybridLocations: a location that comes back does so with its data, and shares storage as it did, whichever of the two says so.
func TestHybridLocations(t *testing.T) {
	const head = "func f {\n  output y: f32[4,8]\n"
	const tail = "  sb s: f32[4,8]\nBlock1:\n  I-0: s = Memset\n"
	for _, locs := range []string{"  dram d: f32[4,8] alias(must e)\n  dram e: f32[4,8]\n", "  dram d: f32[4,8]\n  dram e: f32[4,8] alias(must d)\n"} {
		before := hybridOf(t, head+"  const c: f32[1,2]\n  sb u: f32[1,2]\n"+locs+tail+
			"  I-1: d = Save s\n  I-2: s = Load e\n  I-3: u = Load c\n  I-4: y = Save s\n}\ndata c: f32[1,2] = [1, 2]\n")
		after := hybridOf(t, head+"  dram e: f32[4,8]\n"+tail+"  I-4: y = Save s\n}\n")
		h := cutUp(before, after)
		p := h.program(0)
		if p == nil {
			t.Fatal("the hybrid is not legal")
		}
		text := p.Clone().String() // what is not of the program would be lost
		if strings.Count(text, "alias(must ") != 1 || !strings.Contains(text, "data c: f32[1,2] = [1, 2]") {
			t.Errorf("all as before the pass:\n%s", text)
		}
	}
}
