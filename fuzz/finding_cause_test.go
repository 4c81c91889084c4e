package fuzz

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

func TestAlike(t *testing.T) {
	for _, x := range []struct {
		a, b string
		want bool
	}{
		{"", "", true}, {"", "loop", true}, {"loop", "loop part", true}, {"loop part", "part", true},
		{"loop", "part", false}, {"loop part", "cores loop", false}, {"loop psum", "loop retyped", true}, {"part psum", "loop psum", false},
	} {
		if got := alike(strings.Fields(x.a), strings.Fields(x.b)); got != x.want {
			t.Errorf("%q and %q: %v", x.a, x.b, got)
		}
	}
}

// TestShape: a shape names what is special, in order, once.
func TestShape(t *testing.T) {
	p, err := ir.Parse("x.bir", `func f {
  input x: f32[4,8]
  sb a: f32[4,8]
  output y: f32[4,8]
  I-0: a = Load x
  L: for i = 0..3 {
    I-1: a[:, 0:4] = Memset constant=1 if(i > 0)
    I-2: a[:, 4:8] = Memset constant=1 if(i > 0)
  }
  I-3: y = Save a
}
`)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shapeOf(p), []string{"loop", "part", "predicate"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestCauses: of one class, pass and rule, what is left of a program tells causes apart; a class beside it is another finding unless the same
// cure mends both.
func TestCauses(t *testing.T) {
	mk := func(class, rule, shape string, cure Cure) *Finding {
		return &Finding{Class: class, Pass: "p", Rule: rule, Shape: strings.Fields(shape), Core: strings.Fields(shape), Cure: cure}
	}
	r := NewReport("", nil, 0)
	for i, x := range []struct {
		f        *Finding
		findings int // after it
	}{
		{mk("value", "r", "loop", CureRewrite), 1},
		{mk("value", "r", "loop part", CureRewrite), 1},
		{mk("undefined", "r", "loop", CureRule), 1},
		{mk("undefined", "r", "loop", CureNone), 1}, // in that class the cause was seen before
		{mk("race", "r", "loop", CureNone), 2},
		{mk("value", "r", "cores", CureRewrite), 3},
		{mk("value", "s", "loop", CureRewrite), 4},
		{mk("value", "r", "", CureNone), 3}, // less than the first, which stands for less from now on, and so for the one with cores too
		{mk("value", "r", "cores", CureRewrite), 3},
	} {
		if r.add(x.f) != (r.Findings[len(r.Findings)-1] == x.f) || len(r.Findings) != x.findings {
			t.Fatalf("number %d: %d findings, want %d", i, len(r.Findings), x.findings)
		}
	}
	first := r.Findings[0]
	if first.Duplicates != 6 || first.Alike != 5 || fmt.Sprint(first.Also) != "[undefined]" {
		t.Errorf("%+v", first)
	}
	// Alike often enough: others are counted and not reduced. Each new cause makes them worth a look again.
	again := mk("value", "r", "part predicate", "")
	if !r.settled(again, false) || first.Duplicates != 7 {
		t.Errorf("not settled, or counted elsewhere: %d", first.Duplicates)
	}
	if first.Alike = maxAlike - 1; r.settled(again, false) || !r.settled(again, true) {
		t.Error("the last finding of a kind has met too few like it, and is settled")
	}
	first.Alike, first.Core = maxAlike, []string{"loop"}
	if r.settled(again, false) {
		t.Error("a program without a loop is counted with a cause that needs one")
	}
}

// TestOrderOfCauses: how many causes programs show does not depend on which comes first. A rule is the same code in every pass that runs it.
func TestOrderOfCauses(t *testing.T) {
	shapes := []string{"part", "part psum", "loop part", "cores part", "accumulation loop retyped"} // the least are the first and the last
	for first := range shapes {
		r := NewReport("", nil, 0)
		for i := range shapes {
			shape := strings.Fields(shapes[(first+i)%len(shapes)])
			r.add(&Finding{Class: "value", Pass: fmt.Sprint("pass ", i%2), Rule: "r", Shape: shape, Core: shape})
		}
		total := 0
		for _, f := range r.Findings {
			total += 1 + f.Duplicates
		}
		if len(r.Findings) != 2 || total != len(shapes) {
			t.Errorf("from %q on: %d findings of %d programs, want 2 of %d", shapes[first], len(r.Findings), total, len(shapes))
		}
	}
	r := NewReport("", nil, 0)
	for _, rule := range []string{"r", "s"} { // they share their code
		r.add(&Finding{Class: "value", Pass: "p", Rule: rule, Shared: "x"})
	}
	if len(r.Findings) != 1 {
		t.Errorf("two rules, one code: %d findings, want 1", len(r.Findings))
	}
	r = NewReport("", nil, 0)
	for _, pass := range []string{"p", "q"} { // what no rule is blamed for is told apart by its pass
		r.add(&Finding{Class: "value", Pass: pass})
	}
	if len(r.Findings) != 2 {
		t.Errorf("two passes, no rule: %d findings, want 2", len(r.Findings))
	}
}

// TestComplaints: what the text of a program is found fault with for, by the same rule and in the same words, has one cause whatever else is in
// the program; what its runs show says nothing.
func TestComplaints(t *testing.T) {
	r := NewReport("", nil, 0)
	for i, x := range []struct {
		class, detail, shape string
		findings             int // after it
	}{
		{"contract", "I-7: the Ordered edge to I-5[1] is gone", "order", 1},
		{"contract", "I-20: the Ordered edge to L-19[1] is gone\nand more", "loop", 1},
		{"contract", "I-20: the Flow edge to L-19[1] is gone", "nest", 2},
		{"value", "element 1 of y1 is 3, was 0", "cores", 3},
		{"value", "element 2 of y2 is 4, was 0", "predicate", 4},
	} {
		shape := strings.Fields(x.shape)
		if r.add(&Finding{Class: x.class, Pass: "p", Rule: "r", Detail: x.detail, Shape: shape, Core: shape}); len(r.Findings) != x.findings {
			t.Errorf("number %d: %d findings, want %d", i, len(r.Findings), x.findings)
		}
	}
}

// TestTwoCausesOfOneRule: two bugs in one rule are two findings, though class, pass and rule are equal.
func TestTwoCausesOfOneRule(t *testing.T) {
	rule := &passes.Rule{Name: "two.bugs"}
	two := passes.Pass{Name: "two", Rules: []*passes.Rule{rule}, Run: func(c *passes.Ctx) error {
		for in := range c.Program().Insts {
			if in.Loop != nil {
				in = in.Loop.Blocks[0].Insts[0]
			} else if len(in.Outs()) == 0 || !slices.Contains(shapeOfOperand(&in.Args[0]), "part") {
				continue
			}
			if in.Spec().HasParam(ir.PConstant) && c.Allow(rule, in) {
				c.Edit().Change(func() { in.SetInt(ir.PConstant, in.Int(ir.PConstant)^1) })
			}
		}
		return nil
	}}
	var programs []*ir.Program
	for _, body := range []string{
		"L: for i = 0..2 {\n I-1: a = Memset constant=7 @DVE\n}\n", "I-1: a = Memset @DVE\nI-2: a[:, 0:4] = Memset constant=7 @DVE\n",
	} {
		p, err := ir.Parse("x.bir", "func f {\n sb a: f32[4,8]\n output y: f32[4,8]\n"+body+"I-3: y = Save a @SP\n}\n")
		if err != nil {
			t.Fatal(err)
		}
		programs = append(programs, p)
	}
	c := &Campaign{Seed: 1, Count: 12, Passes: []passes.Pass{two}, Source: func(i int) Case {
		p := programs[i/4%2] // enough of the first for its kind to be settled
		return Case{Name: fmt.Sprint("program ", i), Program: p, Inputs: Inputs(1, p)}
	}}
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) != 2 {
		t.Fatalf("%d findings, %v, want 2", len(r.Findings), err)
	}
	for i, want := range []string{"[loop] 7", "[part] 3"} {
		if got := fmt.Sprint(r.Findings[i].Core, " ", r.Findings[i].Duplicates); got != want {
			t.Errorf("finding %d: %s, want %s", i, got, want)
		}
	}
}

// shapeOfOperand is what an operand adds to a shape.
func shapeOfOperand(o *ir.Operand) (out []string) {
	var has [len(traits)]bool
	traitsOf(o, &has)
	for i, name := range traits {
		if has[i] {
			out = append(out, name)
		}
	}
	return out
}

// TestCure: a finding says whether the pass is right without the rewrite that is blamed, and has a text test of what it does then.
func TestCure(t *testing.T) {
	c := plantedCampaign("swap")
	c.Out, c.Findings = t.TempDir(), 1
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) == 0 {
		t.Fatal(err, len(r.Findings))
	}
	f := r.Findings[0]
	if f.Cure != CureRewrite || f.Flaky != "" || !strings.Contains(f.Text(), "; "+CureRewrite.Says()+"\n") {
		t.Errorf("cure %q, flaky %q\n%s", f.Cure, f.Flaky, f.Text())
	}
	text, err := os.ReadFile(filepath.Join(f.Reproducer, "finding_test.bir.txt"))
	if err != nil || !strings.Contains(string(text), "; run: planted\n") || !strings.HasSuffix(string(text), "; want:\n; unchanged\n") {
		t.Errorf("%v\n%s", err, text)
	}
	if _, err := ir.Parse("t.bir", string(text)); err != nil {
		t.Errorf("the text test is no program: %v", err)
	}
}

// TestCureNone: where the blamed rewrite is not the cause, the finding says so.
func TestCureNone(t *testing.T) {
	rule, other := &passes.Rule{Name: "n.blamed"}, &passes.Rule{Name: "n.other"}
	p := passes.Pass{Name: "n", Rules: []*passes.Rule{rule, other}, Run: func(c *passes.Ctx) error {
		for _, r := range []*passes.Rule{rule, other} {
			if c.Allow(r, nil) { // whichever comes first does it
				c.Edit().Change(func() { swapDependent(c.Program()) })
				return nil
			}
		}
		return nil
	}}
	r, err := (&Campaign{Seed: 4, Count: 60, Findings: 1, Passes: []passes.Pass{p}}).Run(context.Background())
	if err != nil || len(r.Findings) == 0 || r.Findings[0].Cure != CureNone {
		t.Fatalf("%v, %+v", err, r.Findings)
	}
}

// TestCureOther: where another rule than the blamed one has to be refused, the finding says which, and counts with those of that rule.
func TestCureOther(t *testing.T) {
	if birtest.Quick() {
		t.Skip("shrinks")
	}
	shows, spoils := &passes.Rule{Name: "n.shows"}, &passes.Rule{Name: "n.spoils"}
	p := passes.Pass{Name: "n", Rules: []*passes.Rule{shows, spoils}, Run: func(c *passes.Ctx) error {
		if !c.Allow(spoils, nil) {
			return nil
		}
		c.Allow(shows, nil)
		c.Edit().Change(func() { swapDependent(c.Program()) })
		return nil
	}}
	c := &Campaign{Seed: 4, Count: 60, Findings: 1, Passes: []passes.Pass{p}}
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) == 0 {
		t.Fatalf("%v, %+v", err, r.Findings)
	}
	f := r.Findings[0]
	f.Rule = shows.Name // as where the failure shows by a later rewrite, without which there is another such
	f.confirm(context.Background(), oracle.Options{})
	if f.Cure != "rule n.spoils" || !f.Cure.mends() || f.code() != spoils.Name || !strings.Contains(f.Text(), "Without all rewrites of n.spoils the pass keeps") {
		t.Errorf("cure %q\n%s", f.Cure, f.Text())
	}
	with := &Finding{Class: f.Class, Pass: f.Pass, Rule: spoils.Name, Core: f.Core, Cure: CureRewrite}
	if !with.sameCause(f) || !f.covers(&Finding{Class: f.Class, Pass: f.Pass, Rule: shows.Name}) {
		t.Error("told apart from a finding of the rule that is to be mended, or from one that blames the same")
	}
}

// TestFlaky: a finding that replays do not show is marked.
func TestFlaky(t *testing.T) {
	var right atomic.Bool
	moody := planted("swap")
	swap := moody.Run
	moody.Run = func(c *passes.Ctx) error {
		if right.Load() {
			return nil
		}
		return swap(c)
	}
	c := plantedCampaign("swap")
	c.Passes, c.Findings = []passes.Pass{moody}, 1
	r, err := c.Run(context.Background())
	if err != nil || len(r.Findings) == 0 || r.Findings[0].Flaky != "" {
		t.Fatalf("%v, %+v", err, r.Findings)
	}
	f := r.Findings[0]
	right.Store(true)
	f.confirm(context.Background(), oracle.Options{})
	if want := "shown by 0 of 2 replays of the pass alone"; f.Flaky != want || !strings.Contains(f.Text(), "; NOT STEADY: "+want) {
		t.Errorf("flaky %q\n%s", f.Flaky, f.Text())
	}
}

// TestUnitedIsSaid: the folder of a finding that turns out to have the cause of another one names the folder of that.
func TestUnitedIsSaid(t *testing.T) {
	r, dir := NewReport("", nil, 0), t.TempDir()
	file := func(name string, shape ...string) {
		f := &Finding{Class: "value", Pass: "p", Rule: "r", Shape: shape, Core: shape, Cure: CureRewrite}
		if r.add(f) {
			f.Reproducer = filepath.Join(dir, name)
			if err := os.Mkdir(f.Reproducer, 0o777); err != nil {
				t.Fatal(err)
			}
		}
	}
	file("first", "cores")
	file("second", "loop")
	file("third") // less than either
	if err := r.recount(); err != nil || len(r.Findings) != 1 {
		t.Fatalf("%d findings, %v, want one", len(r.Findings), err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "second", "finding.json"))
	if err != nil || !strings.Contains(string(text), `"united": "first"`) {
		t.Errorf("%v, want a file that names the first:\n%s", err, text)
	}
	if text, _ := os.ReadFile(filepath.Join(dir, "first", "finding.json")); strings.Contains(string(text), "united") {
		t.Errorf("the first is united with something:\n%s", text)
	}
}
