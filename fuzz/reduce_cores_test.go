package fuzz

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// exchanging is a program of two cores, of which the first writes Shared memory in each of n phases, and the second reads it in the next one.
// Between meetings the first has fences of its own.
func exchanging(t *testing.T, n int) *ir.Program {
	t.Helper()
	var first, second strings.Builder
	for i := range n {
		fmt.Fprintf(&first, "  I-%d: s[:, %d:%d] = DMACopy x[:, %d:%d] @SP\n  F-%d: AllEngineBarrier\n  B-%d: CoreBarrier id=%d cores=[0, 1]\n", i, i, i+1, i, i+1, i, i, i)
		fmt.Fprintf(&second, "  B-%d: CoreBarrier id=%d cores=[0, 1]\n  I-%d: y[:, %d:%d] = DMACopy s[:, %d:%d] @SP\n", i, i, i, i, i+1, i, i+1)
	}
	p, err := ir.Parse("exchange.bir", fmt.Sprintf("module gen3\n\nfunc f {\n  input x: f32[1,%d]\n  shared s: f32[1,%d]\nBlock1:\n%s}\n\nfunc g {\n  shared s: f32[1,%d]\n"+
		"  output y: f32[1,%d]\nBlock1:\n%s}\n", n, n, first.String(), n, n, second.String()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inTurn tells whether the first core writes what the second one reads by the instruction of the same name, and they meet in between.
func inTurn(p *ir.Program, name string) bool {
	var at []int
	for _, f := range p.Cores {
		phase := 0
		for in := range f.Insts {
			if in.Name == name {
				at = append(at, phase)
			}
			if meets(in) {
				phase++
			}
		}
	}
	return len(at) == 2 && at[0] < at[1]
}

// TestPhases: what several cores do between two meetings goes together, so that a long exchange costs few calls.
func TestPhases(t *testing.T) {
	const n = 64
	p := exchanging(t, n)
	if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
		t.Fatal(cs)
	}
	calls := 0
	small := Shrink(context.Background(), p, func(q *ir.Program) bool {
		calls++
		if len(q.Cores) != 2 || meetingsOf(q.Cores[0]) != meetingsOf(q.Cores[1]) {
			return false // who is left waits for ever
		}
		return inTurn(q, "I-41")
	}, Budget{})
	if got, most := small.NumInsts(), mostCalls; got != 4 || calls > most {
		t.Errorf("%d instructions are left after %d calls, want 4 after at most %d\n%s", got, calls, most, small)
	}
}

// TestFunctionsKeepTheirNumber: a function that is left alone stays that of its core, and does not become one that all cores run.
func TestFunctionsKeepTheirNumber(t *testing.T) {
	p, err := ir.Parse("shards.bir", `module gen3

func f {
  input x: f32[1,8]
  output y: f32[1,8]
Block1:
  B-0: CoreBarrier cores=[0, 1]
  I-0: y = DMACopy x @SP
}

func g {
  input x: f32[1,8]
  output z: f32[1,4]
Block1:
  B-0: CoreBarrier cores=[0, 1]
  I-0: z = DMACopy x[:, 0:4 at 4*shardid(2)] @SP
}
`)
	if err != nil {
		t.Fatal(err)
	}
	small := Shrink(context.Background(), p, func(q *ir.Program) bool {
		f, g := q.Cores[0], q.Cores[len(q.Cores)-1]
		second := false // g copies what is the second core's
		for in := range g.Insts {
			if at := in.Args[len(in.Args)-1:]; !meets(in) && len(at) == 1 {
				second = at[0].Off.ShardBound() == 2 && f != g || at[0].Off.C == 4
			}
		}
		return g.Name == "g" && second && (f == g && meetingsOf(g) == 0 || f != g && meetingsOf(f) == meetingsOf(g))
	}, Budget{})
	if len(small.Cores) != 1 || small.Cores[0].ShardBound() > 0 || small.NumInsts() != 1 {
		t.Errorf("want the second core's function alone, without ShardIDs:\n%s", small)
	}
}

// TestReduceMeetings: a meeting may become a fence of each core, a core may stand for an iteration, and what any core runs for what one does.
func TestReduceMeetings(t *testing.T) {
	const second = "\nfunc g {\nBlock1:\n"
	for _, c := range []struct {
		reduction  string
		at         int32
		text, want string
	}{
		{"fences of one core", 1, inFunction("  output y: f32[1,1]\n", "  I-0: CoreBarrier id=1\n  I-1: CoreBarrier id=2\n") + second + "  I-0: CoreBarrier id=1\n  I-1: CoreBarrier id=2\n}\n",
			inFunction("  output y: f32[1,1]\n", "  I-0: CoreBarrier id=1\n  I-1: EventSemaphore\n") + second + "  I-0: CoreBarrier id=1\n  I-1: EventSemaphore\n}\n"},
		{"functions of any core", 1, inFunction("  sb s: f32[1,1]\n", "  I-0: s = Memset if(shardid(2) > 0)\n") + second + "  I-0: NoOp\n}\n",
			inFunction("  sb s: f32[1,1]\n", "  I-0: s = Memset if(shardid(2) > 0)\n")},
		{"cores for iterations", 0, inFunction("  sb s: f32[1,1]\n", "  L0: for i = 1..7 step 3 {\n    I-0: s = Memset if(i > 1)\n  }\n"),
			inFunction("  sb s: f32[1,1]\n", "  I-0: s = Memset if(3*shardid(2) > 0)\n")},
	} {
		if got, want := reduced(t, c.reduction, c.text, c.at), "module gen3\n\n"+c.want; got != want {
			t.Errorf("%s: got\n%s\nwant\n%s", c.reduction, got, want)
		}
	}
}

// TestShrinkLeavesFences: what needs a meeting only as a fence needs no second core.
func TestShrinkLeavesFences(t *testing.T) {
	small := Shrink(context.Background(), exchanging(t, 3), func(q *ir.Program) bool {
		for _, f := range q.Cores {
			written := false
			for in := range f.Insts {
				if written && in.Spec().Effect.Fence() {
					return len(q.Cores) == 1 || meetingsOf(q.Cores[0]) == meetingsOf(q.Cores[1])
				}
				written = written || in.NOut > 0 && in.Args[0].Loc.Set.Kind == ir.ExternalOutput
			}
		}
		return false
	}, Budget{})
	if len(small.Cores) != 1 || small.NumInsts() != 2 {
		t.Errorf("want one core, a publisher and a fence:\n%s", small)
	}
}
