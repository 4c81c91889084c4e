package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// loopTally says what became of many programs that a pass over loops may rewrite, or nearly: how often it did, how often it refused and why, and how
// often that would have been fine (its precision). What it did must run as before.
type loopTally struct {
	judge           *oracle.Judge
	programs, fired int
	refused, fine   map[string]int // by reason
}

func newLoopTally() loopTally {
	return loopTally{judge: oracle.NewJudge(oracle.Options{}), refused: map[string]int{}, fine: map[string]int{}}
}

// loopCase is one of the programs.
type loopCase struct {
	program *ir.Program
	inputs  []ir.Values
}

// start has the judge start with a program. It returns false for one that is illegal or means nothing; such there may be or not.
func (y *loopTally) start(t *testing.T, seed uint64, text string, mayBeIllegal, mayBeVoid bool) (loopCase, bool) {
	t.Helper()
	p, err := ir.Parse("loops.bir", text)
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c := loopCase{p, nil}
	if cs := ir.Verify(p, 0); len(cs) > 0 {
		if !mayBeIllegal {
			t.Fatalf("seed %d: illegal: %v\n%s", seed, cs, text)
		}
		return c, false
	}
	c.inputs = []ir.Values{gen.Inputs(gen.New(seed), p, gen.Exact)}
	if v := y.judge.Start(p, c.inputs); v.Kind != oracle.Same {
		if !mayBeVoid {
			t.Fatalf("seed %d: void: %s\n%s", seed, v, text)
		}
		return c, false
	}
	y.programs++
	return c, true
}

// run runs passes on a copy of the program; each step is shown to count.
func (y *loopTally) run(t *testing.T, seed uint64, c loopCase, ps []passes.Pass, count func(*passes.Step)) {
	t.Helper()
	soundSteps(t, y.judge, fmt.Sprint("seed ", seed), c.program.Clone(), ps, passes.Unlimited(), count)
}

// soleReason returns why a rule that did not fire refused, if there was one reason beside other.
func soleReason(n *passes.Count, other string) (why string, ok bool) {
	reasons := slices.DeleteFunc(slices.Clone(n.Why), func(r passes.Reason) bool { return r.Why == other })
	if n.Fired > 0 || len(reasons) != 1 {
		return "", false
	}
	return reasons[0].Why, true
}

// refuse takes up a refusal, and whether one of the programs in which the thing was done all the same runs as before.
func (y *loopTally) refuse(c loopCase, why string, forced ...*ir.Program) {
	y.refused[why]++
	for _, q := range forced {
		if len(ir.Verify(q, 0)) > 0 {
			continue
		}
		y.judge.Start(c.program, c.inputs)
		if v := y.judge.Next(c.program, q, ir.Contract{}, true); v.Kind == oracle.Same {
			y.fine[why]++
			return
		}
	}
}

// log prints the figures.
func (y *loopTally) log(t *testing.T, what string) {
	t.Helper()
	t.Logf("%s: %d programs, %d times", what, y.programs, y.fired)
	for _, why := range slices.Sorted(maps.Keys(y.refused)) {
		t.Logf("%6d refused: %-70s fine %6d", y.refused[why], why, y.fine[why])
	}
}

// soundSteps runs passes on a program with which the judge has started. No step may break down, nor leave anything illegal or that runs otherwise.
func soundSteps(t *testing.T, j *oracle.Judge, name string, p *ir.Program, ps []passes.Pass, o passes.Options, sound func(*passes.Step)) {
	t.Helper()
	passes.Run(p, ps, o, func(s *passes.Step) bool {
		if s.Failure != nil {
			t.Fatalf("%s, %s: %v\n%s", name, s.Pass.Name, s.Failure, s.Before)
		}
		if cs := ir.Verify(s.After, s.After.Facts); len(cs) > 0 {
			t.Fatalf("%s, %s: illegal: %v\n%s\nafter\n%s", name, s.Pass.Name, cs, s.Before, s.After)
		}
		if v := j.Next(s.Before, s.After, s.Promised(), true); v.Kind != oracle.Same {
			t.Fatalf("%s, %s: %s\n%s\nafter\n%s", name, s.Pass.Name, v, s.Before, s.After)
		}
		sound(s)
		return true
	})
}

func sizeOf(t *testing.T, full, short int) int {
	t.Helper()
	if birtest.Quick() {
		return short
	}
	return full
}
