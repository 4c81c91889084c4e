package fuzz

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/passes"
)

// scheduleBreaks names what must not be broken unseen in the SSA exit, the first scheduler and the allocator: the exemption of members of an
// accumulation, the place of a late clone, an access left unrebound, anti edges, a lifetime carried round a loop, a reader of PSUM before its
// matmul. The seventh is skippedCheck.
var scheduleBreaks = []string{"nonssa-splits-accumulation", "nonssa-clone-elsewhere", "nonssa-unrebound", "presched-no-anti", "lsa-loop-not-widened", "presched-psum-reader"}

// skippedCheck is the seventh break. It does not stand among the others: no legal program has a cyclic edge set, so it must be given one.
const skippedCheck = `; assert_no_cycles lets every graph pass.
file:    passes/pre_sched.go
rule:    presched.place
caught:  undefined
within:  1
minimum: 2
-	if at := g.cycle(); at != none {
+	if at := g.cycle(); at != none && name == nil {
`

const skippedCheckName = "skipped-check"

// TestScheduleBreaksFound plants each of these and sees it found, and the pass, the rule and the class named.
func TestScheduleBreaksFound(t *testing.T) {
	t.Parallel()
	b := benchForTest(t)
	for _, m := range b.named(t, scheduleBreaks...) {
		switch o := b.try(context.Background(), m); {
		case !o.Killed:
			t.Errorf("%s survives: %s %v", o.Name, o.Note, o.Err)
		case !o.Blame || !slices.Contains(m.Caught, o.Check):
			t.Errorf("%s: rule %s blamed for %s, want %v and %v", o.Name, o.Rule, o.Check, m.Rules, m.Caught)
		}
	}
	cycleCheckSkipped(t, b.bench, b.mutants[skippedCheckName])
}

// cycleCheckSkipped: given a cyclic edge set, pre_sched fails at its own check; without the check the order that it makes is found wrong.
func cycleCheckSkipped(t *testing.T, b *bench, m *Mutant) {
	mutated, err := b.plant(context.Background(), m)
	if err != nil {
		t.Fatal(err)
	}
	defer mutated.remove()
	for _, file := range []string{"cycle.bir", "cycle_far.bir"} {
		args := []string{"check", "-json", "-passes", "pre_sched", filepath.Join(b.hunt.Root, "passes", "testdata", "pre_sched", file)}
		for _, c := range []struct {
			binary      executable
			class, rule string
		}{{b.shared, passes.Crash, ""}, {mutated, m.Caught[0], m.Rules[0]}} {
			r, _, err := c.binary.run(context.Background(), args)
			if err != nil || len(r.Findings) != 1 {
				t.Fatalf("%s: %+v, %v", file, r, err)
			}
			if f := r.Findings[0]; f.Pass != "pre_sched" || f.Class != c.class || f.Rule != c.rule {
				t.Errorf("%s: %s by %s, rule %q, want %s, rule %q", file, f.Class, f.Pass, f.Rule, c.class, c.rule)
			}
		}
	}
}

// TestSsaExitBreaksFound breaks two of them by hand, without a build: the late clone lies elsewhere, the last access stays unrebound.
func TestSsaExitBreaksFound(t *testing.T) {
	if birtest.Quick() {
		t.Skip("two campaigns")
	}
	for _, c := range []struct {
		name    string
		classes []string
		spoil   func(p *ir.Program, clone *ir.Loc)
	}{
		{"the clone lies elsewhere", []string{"contract", "undefined", "illegal", "accumulation"}, func(_ *ir.Program, clone *ir.Loc) {
			if clone.Allocated {
				clone.Addr += 64
			}
		}},
		{"an access stays unrebound", []string{"value", "undefined", "provenance", "illegal", "accumulation"}, leaveLastAccess},
	} {
		exit := named(t, "non_ssa_legalization")[0]
		right := exit.Run
		exit.Run = func(x *passes.Ctx) error {
			err := right(x)
			for _, f := range x.Program().Cores {
				for l := range f.Locs {
					if strings.Contains(l.Name, "_SsaClone") {
						x.Edit().Change(func() { c.spoil(x.Program(), l) })
					}
				}
			}
			return err
		}
		campaign := Campaign{Seed: 3, Count: 300, Findings: 1, NoShrink: true, Passes: []passes.Pass{exit}}
		r, err := campaign.Run(context.Background())
		if err != nil || len(r.Findings) != 1 {
			t.Errorf("%s: %d findings in %d programs, %v", c.name, len(r.Findings), r.Programs, err)
			continue
		}
		if f := r.Findings[0]; f.Pass != exit.Name || f.Rule != "nonssa.clone" || !slices.Contains(c.classes, f.Class) {
			t.Errorf("%s: %s by %s, rule %q", c.name, f.Class, f.Pass, f.Rule)
		}
	}
}

// leaveLastAccess lets the last access of a clone go to the location that it was cloned from.
func leaveLastAccess(p *ir.Program, clone *ir.Loc) {
	var last *ir.Operand
	for in := range p.Insts {
		for i := range in.Args {
			if in.Args[i].Loc == clone {
				last = &in.Args[i]
			}
		}
	}
	name, _, _ := strings.Cut(clone.Name, "_SsaClone")
	for _, l := range clone.Set.Locs {
		if last != nil && l.Name == name {
			last.Loc = l
		}
	}
}
