package fuzz

import (
	"context"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/passes"
)

// TestShrink: what the failure does not need goes, with the storage that nobody mentions any more and the data of its constants.
func TestShrink(t *testing.T) {
	const src = `
func f attrs(need_unroll) {
  const c: f32[1,2]
  input x: f32[4,8]
  output y: f32[4,8]
  output z: f32[1,2]
  sb s: f32[4,8]
  sb u: f32[1,2]
Block1:
  I-0: s = Load x @SP queue=q0 order(1)
  I-1: u = Load c @SP after(ordered I-0)
  L-0: for i = 0..4 {
    I-2: y = Save s @SP
  }
  I-3: z = Save u @SP
}
data c: f32[1,2] = [1, 2]
`
	p, err := ir.Parse("shrink.bir", src)
	if err != nil {
		t.Fatal(err)
	}
	before := p.String()
	small := Shrink(context.Background(), p, func(q *ir.Program) bool {
		if len(ir.Verify(q, 0)) > 0 {
			return false
		}
		for in := range q.Insts {
			if in.Name == "I-2" {
				return true
			}
		}
		return false
	}, Budget{})
	if p.String() != before {
		t.Error("Shrink changed the program that it was given")
	}
	got := small.String()
	for _, gone := range []string{"I-0", "I-1", "I-3", "for", "queue", "need_unroll", "x:", "c:", "u:", "z:", "data"} {
		if strings.Contains(got, gone) {
			t.Errorf("%q is still there:\n%s", gone, got)
		}
	}
	if small.NumInsts() != 1 {
		t.Errorf("%d instructions, want 1", small.NumInsts())
	}
}

// twoBugs is a pass with two rules, each of which changes the constant of an instruction with its name.
func twoBugs() passes.Pass {
	a, b := &passes.Rule{Name: "a"}, &passes.Rule{Name: "b"}
	return passes.Pass{Name: "two_bugs", Rules: []*passes.Rule{a, b}, Run: func(c *passes.Ctx) error {
		for in := range c.Program().Insts {
			for _, r := range []*passes.Rule{a, b} {
				if strings.HasPrefix(in.Name, r.Name) && c.Allow(r, in) {
					c.Edit().Change(func() { in.SetInt(ir.PConstant, in.Int(ir.PConstant)^1<<30) })
				}
			}
		}
		return nil
	}}
}

// TestShrinkKeepsRule: rule a does no harm in the whole program, and harm of the same class in parts of it. They are no reproducers of what
// rule b does.
func TestShrinkKeepsRule(t *testing.T) {
	const src = `
func f {
  input x: f32[1,1]
  output y: f32[1,1]
  output z: f32[1,1]
  sb s: f32[1,1]
  sb u: f32[1,1]
  sb v: f32[1,1]
Block1:
  a-0: s = Memset
  b-0: u = Memset
  I-1: v = Load x @SP
  I-2: s = Load x @SP
  I-3: v = Load x @SP
  I-4: v = Load x @SP
  I-5: y = Save s @SP
  I-6: z = Save u @SP
}
`
	p, err := ir.Parse("two.bir", src)
	if err != nil {
		t.Fatal(err)
	}
	found := shrunk(t, p, twoBugs())
	if found.Rule != "b" || found.Inst != "b-0" || found.Class != "value" || found.Insts != 2 {
		t.Errorf("%s by rule %s at %s, %d instructions are left, want value by rule b at b-0, 2 instructions\n%s",
			found.Class, found.Rule, found.Inst, found.Insts, found.Text())
	}
}

// shrunk runs a campaign of one program and returns its only finding.
func shrunk(t *testing.T, p *ir.Program, pass passes.Pass) *Finding {
	t.Helper()
	c := &Campaign{Count: 1, Passes: []passes.Pass{pass}, Source: func(int) Case { return Case{Name: "given", Program: p, Inputs: Inputs(1, p)} }}
	r, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Findings) != 1 {
		t.Fatalf("%d findings, want 1: %v", len(r.Findings), r.Unjudged)
	}
	return r.Findings[0]
}

// TestShrinkSimplifies: what lies between the two ends of a chain goes; where the chip does not matter, one transfer is left.
func TestShrinkSimplifies(t *testing.T) {
	const src = `
func f {
  input x: f32[4,8]
  output y: f32[4,8]
  sb s: f32[4,8] at base 0 addr 0
  sb u: f32[4,8] at base 0 addr 64
  sb v: f32[4,8] at base 0 addr 128
Block1:
  I-0: s = Load x @SP
  I-1: u = TensorTensor s, s @DVE source=I-9
  I-2: v = TensorCopy u @DVE
  I-3: y = Save v @SP
}
`
	const head = "module gen3\n\nfunc f {\n"
	for _, c := range []struct {
		keep string // an instruction that reads something
		want string
	}{
		{"I-0", head + "  input x: f32[1,1]\n  output y: f32[1,1]\n  sb s: f32[1,1]\nBlock1:\n  I-0: s = Load x\n  I-3: y = Save s\n}\n"},
		{"I-3", head + "  input x: f32[1,1]\n  output y: f32[1,1]\nBlock1:\n  I-3: y = DMACopy x\n}\n"},
	} {
		p, err := ir.Parse("chain.bir", src)
		if err != nil {
			t.Fatal(err)
		}
		small := Shrink(context.Background(), p, func(q *ir.Program) bool {
			if len(ir.Verify(q, 0)) > 0 {
				return false
			}
			kept, defined := false, map[*ir.Loc]bool{}
			for in := range q.Insts {
				fed := true
				for i := range in.Ins() {
					l := in.Ins()[i].Loc
					fed = fed && (defined[l] || l.Type == ir.Input)
				}
				defined[in.Args[0].Loc] = fed
				kept = kept || in.Name == c.keep && len(in.Args) > 1
				if in.Name == "I-3" {
					return kept && fed
				}
			}
			return false
		}, Budget{})
		if got := small.String(); got != c.want {
			t.Errorf("%s kept: got\n%s\nwant\n%s", c.keep, got, c.want)
		}
	}
}

// TestShrinkMeetings: a barrier that no core can leave out alone goes from all.
func TestShrinkMeetings(t *testing.T) {
	p, err := ir.Parse("meet.bir", `
func f {
  output y: f32[1,1]
Block1:
  I-0: CoreBarrier id=1 cores=[0, 1]
  I-2: AllEngineBarrier
  I-1: CoreBarrier id=2 cores=[0, 1]
}

func g {
  output z: f32[1,1]
Block1:
  I-0: CoreBarrier id=1 cores=[0, 1]
  I-1: CoreBarrier id=2 cores=[0, 1]
}
`)
	if err != nil {
		t.Fatal(err)
	}
	small := Shrink(context.Background(), p, func(q *ir.Program) bool {
		return len(q.Cores) == 2 && meetingsOf(q.Cores[0]) == meetingsOf(q.Cores[1])
	}, Budget{})
	if small.NumInsts() > 0 {
		t.Errorf("barriers are left:\n%s", small)
	}
}
