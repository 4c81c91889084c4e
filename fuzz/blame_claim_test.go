package fuzz

import (
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// boaster asks for a rewrite at every instruction, makes none, and says that edges order the program.
func boaster() passes.Pass {
	rules := []*passes.Rule{{Name: "b.first", Must: true}, {Name: "b.second", Must: true}}
	return passes.Pass{Name: "boaster", Rules: rules, Contract: ir.Contract{Gives: ir.Deps, Order: ir.OrderSame, Same: []ir.Law{}}, Run: func(c *passes.Ctx) error {
		for in := range c.Program().Insts {
			if !c.Allow(rules[int(in.ID)%2], in) {
				c.Decline("a rewrite was refused")
			}
		}
		return nil
	}}
}

// follower drops the first Memset, and rests on what a boaster says.
func follower() passes.Pass {
	rule := &passes.Rule{Name: "f.drop"}
	return passes.Pass{Name: "follower", Rules: []*passes.Rule{rule}, Rests: []passes.Pass{boaster()}, Run: func(c *passes.Ctx) error {
		b := c.Program().Cores[0].Blocks[0]
		i := slices.IndexFunc(b.Insts, func(in *ir.Inst) bool { return in.Spec().HasParam(ir.PConstant) })
		if i >= 0 && c.Allow(rule, b.Insts[i]) {
			c.Edit().Delete(map[*ir.Inst]bool{b.Insts[i]: true})
		}
		return nil
	}}
}

const boasted = `func f {
  sb a: f32[4,8]
  sb b: f32[4,8]
  output y: f32[4,8]
  I-0: b = Memset @Pool
  I-1: a = Memset @DVE
  I-2: y = Save a @SP
%s}
`

// claimed makes a campaign of one program out of a pass.
func claimed(t *testing.T, p passes.Pass, more string) []*Finding {
	t.Helper()
	q, err := ir.Parse("x.bir", fmt.Sprintf(boasted, more))
	if err != nil {
		t.Fatal(err)
	}
	c := &Campaign{Seed: 1, Count: 1, Passes: []passes.Pass{p}, Source: func(int) Case { return Case{Name: "x", Program: q, Inputs: Inputs(1, q)} }}
	r, err := c.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return r.Findings
}

// TestClaim: where a pass says what is not so, and nothing else is wrong, no rewrite is blamed; programs that show it by different ones are one
// finding.
func TestClaim(t *testing.T) {
	var one *Finding
	for _, more := range []string{"", "I-3: y = Save b @SP\n"} {
		fs := claimed(t, boaster(), more)
		if len(fs) != 1 || fs[0].Claim != "Deps" || fs[0].Rule != "" || fs[0].Class != "schedule" || fs[0].Insts != 2 {
			t.Fatalf("%d findings, %+v", len(fs), fs)
		}
		if text := fs[0].Text(); strings.Contains(text, "The rewrite") || !strings.Contains(text, "is not so: facts(Deps)") {
			t.Errorf("the story is another:\n%s", text)
		}
		if one == nil {
			one = fs[0]
		}
		if !one.sameCause(fs[0]) {
			t.Error("the same claim is two findings")
		}
	}
}

// TestClaimOfSemaphores: sync_info that a pass adds is a part of what it says; what was there before is not.
func TestClaimOfSemaphores(t *testing.T) {
	ps, err := passes.Named("synchronizer")
	if err != nil {
		t.Fatal(err)
	}
	loose := ps[0]
	run := loose.Run
	loose.Run = func(c *passes.Ctx) error {
		defer c.Edit().Change(func() {
			for in := range c.Program().Insts {
				for i := range in.Wait {
					in.Wait[i].Value--
				}
			}
		})
		return run(c)
	}
	fs := claimed(t, loose, "I-3: y = Save b @SP\n")
	if len(fs) != 1 || fs[0].Claim != "Synced,Virtual" || fs[0].Rule != "" || fs[0].Class != "race" {
		t.Fatalf("%d findings, %+v", len(fs), fs)
	}
	after := fs[0].after.Clone()
	if unsync(after, fs[0].after); !slices.ContainsFunc(slices.Collect(after.Insts), (*ir.Inst).HasSync) {
		t.Error("sync_info that was there before is gone")
	}
	if unsync(after, fs[0].before); slices.ContainsFunc(slices.Collect(after.Insts), (*ir.Inst).HasSync) {
		t.Error("sync_info that was not there before is left")
	}
}

// TestSyncedIsRun: that semaphores order a program in which there are none is seen when it is run, though the step changed nothing.
func TestSyncedIsRun(t *testing.T) {
	p := boaster()
	p.Contract.Gives = ir.Synced
	fs := claimed(t, p, "")
	if len(fs) != 1 || fs[0].Class != "race" || fs[0].Claim != "Synced" || fs[0].Insts != 2 {
		t.Fatalf("%d findings, %+v", len(fs), fs)
	}
}

// TestNoClaim: where a step is wrong without its facts too, the rewrite is blamed.
func TestNoClaim(t *testing.T) {
	p := follower()
	p.Rests, p.Contract.Gives = nil, ir.Unrolled
	if f := claimed(t, p, "I-3: y = Save b @SP\n")[0]; f.Claim != "" || f.Rule != "f.drop" {
		t.Errorf("claim %q, rule %q", f.Claim, f.Rule)
	}
}

// TestAnalysis: where what a pass rests on is wrong about the program before it does anything, that is the cause, whichever pass shows it.
func TestAnalysis(t *testing.T) {
	fs := claimed(t, follower(), "I-3: y = Save b @SP\n")
	if len(fs) != 1 || fs[0].Analysis != "boaster" || fs[0].Rule != "f.drop" || !strings.Contains(fs[0].Text(), "already: boaster writes that down") {
		t.Fatalf("%d findings, %+v", len(fs), fs)
	}
	claim := claimed(t, boaster(), "")[0]
	if !claim.sameCause(fs[0]) || !fs[0].sameCause(claim) {
		t.Errorf("told apart: %v %q, %v %q", claim.Core, claim.code(), fs[0].Core, fs[0].code())
	}
	own := follower()
	own.Rests = nil
	if f := claimed(t, own, "I-3: y = Save b @SP\n")[0]; f.Analysis != "" || claim.sameCause(f) {
		t.Errorf("a pass that rests on nothing has the cause of another: %+v", f)
	}
}

// TestRests: what passes rest on are analyses, which draw edges and change nothing else, and are right where they say nothing wrong.
func TestRests(t *testing.T) {
	ps, err := passes.Named(strings.Join(passes.Known(), ","))
	if err != nil {
		t.Fatal(err)
	}
	var resting []string
	for _, p := range ps {
		if len(p.Rests) > 0 {
			resting = append(resting, p.Name)
		}
		for _, w := range p.Rests {
			if w.Contract.Order != ir.OrderSame {
				t.Errorf("%s rests on %s, which changes programs", p.Name, w.Name)
			}
		}
	}
	slices.Sort(resting)
	if want := []string{"instruction_reorder", "non_ssa_legalization", "pre_sched", "synchronizer"}; !reflect.DeepEqual(resting, want) {
		t.Errorf("%v, want %v", resting, want)
	}
	tester := NewTester(nil, oracle.Options{})
	for i := range 50 {
		c := Generate(1, i, nil)
		if got := tester.analysis(c, &ps[slices.IndexFunc(ps, func(p passes.Pass) bool { return p.Name == "pre_sched" })]); got != "" {
			t.Errorf("%s: %s is wrong", c.Name, got)
		}
	}
}
