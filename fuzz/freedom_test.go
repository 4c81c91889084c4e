package fuzz

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
	"birfuzz/passes"
)

// TestFree: about one program in freeShare gets passes of its own, equal arguments give equal ones, all of them legal and spelled so that they can
// be named again, and each freedom leaves alone what is not its own.
func TestFree(t *testing.T) {
	n := 100
	if birtest.Quick() {
		n = 40
	}
	levels := []string{"O3-loops", "O1", "O2-loops-sync"}
	if birtest.Quick() {
		levels = levels[:1]
	}
	for _, level := range levels {
		ps := mustPipeline(level)
		usual := passes.Spellings(ps)
		for _, f := range []passes.Freedom{passes.FreeKnobs, passes.FreeChaos, passes.FreeOrder, passes.AllFreedom} {
			got, other := 0, 0
			for i := range n {
				c, again := Generate(31, i, nil), Generate(31, i, nil)
				c.Free(31, i, ps, f)
				again.Free(31, i, ps, f)
				list := passes.Spellings(c.Passes)
				if list != passes.Spellings(again.Passes) || c.Program.Hash() != again.Program.Hash() {
					t.Fatalf("%s, %s: %s, then %s", level, f, list, passes.Spellings(again.Passes))
				}
				if c.Passes == nil {
					continue
				}
				got++
				if list != usual {
					other++
				}
				checkVaried(t, level, ps, &c, f)
			}
			if got < n/freeShare/2 || got > n/freeShare*2 || other < got/4 {
				t.Errorf("%s, %s: %d of %d programs get passes of their own, %d of them others", level, f, got, n, other)
			}
		}
		if c := Generate(31, 0, nil); passes.Spellings(ps) != usual {
			t.Fatalf("%s: drawing changed the level: %s", c.Name, passes.Spellings(ps))
		}
	}
}

// checkVaried checks one drawn list.
func checkVaried(t *testing.T, level string, ps []passes.Pass, c *Case, f passes.Freedom) {
	t.Helper()
	if err := passes.Check(c.Passes, c.Program.Facts); err != nil {
		t.Errorf("%s, %s: %v", level, f, err)
	}
	again, err := passes.Named(passes.Spellings(c.Passes))
	if err != nil || passes.Spellings(again) != passes.Spellings(c.Passes) {
		t.Errorf("%s, %s: %v", level, f, err)
	}
	if f&passes.FreeOrder == 0 && len(c.Passes) != len(ps) {
		t.Fatalf("%s, %s: %d passes, want %d", level, f, len(c.Passes), len(ps))
	}
	for i := range c.Passes {
		p := &c.Passes[i]
		if f&passes.FreeChaos == 0 && p.Chaos != 0 {
			t.Errorf("%s, %s: %s", level, f, p.Spelling())
		}
		if f&passes.FreeOrder == 0 && p.Name != ps[i].Name || f == passes.FreeChaos && !slices.Equal(p.Knobs, ps[i].Knobs) {
			t.Errorf("%s, %s: %s in the place of %s", level, f, p.Spelling(), ps[i].Spelling())
		}
	}
}

// TestFreeExternal: external passes keep their place behind all others.
func TestFreeExternal(t *testing.T) {
	mine := passes.Pass{Name: "mine", Command: &passes.Command{}}
	ps := append(mustPipeline("O2"), mine, mine)
	for i := range 60 {
		c := Generate(1, i, nil)
		c.Free(1, i, ps, passes.AllFreedom)
		if n := len(c.Passes); c.Passes != nil && (n < 2 || c.Passes[n-1].Name != "mine" || c.Passes[n-2].Name != "mine" || n > 2 && c.Passes[n-3].Name == "mine") {
			t.Fatalf("%s: %s", c.Name, passes.Spellings(c.Passes))
		}
	}
}

// TestFreeCampaign: the project's own passes keep the meaning of programs under every freedom, whatever the number of workers.
func TestFreeCampaign(t *testing.T) {
	count := 200
	if birtest.Quick() {
		count = 12
	}
	var first []byte
	for _, workers := range []int{1, 3} {
		c := Campaign{Seed: 9, Count: count, Workers: workers, Level: "O2-loops", Passes: mustPipeline("O2-loops"), Freedom: passes.AllFreedom}
		r, err := c.Run(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range r.Findings {
			t.Errorf("%s by %s %s\n%s", f.Class, f.Pass, f.Rule, f.Text())
		}
		r.Seconds, r.Rate = 0, 0
		var b bytes.Buffer
		if err := r.WriteJSON(&b); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("%d workers: another report\n%s\nwant\n%s", workers, b.Bytes(), first)
		}
		if !strings.Contains(b.String(), passes.RefusedByChaos) {
			t.Error("chaos refused nothing")
		}
	}
}

// TestFreedomFeeds: what a level's own list starves fires in programs that go through passes drawn anew.
func TestFreedomFeeds(t *testing.T) {
	cfg := gen.Default()
	cfg.Features[gen.Loops] = 1
	for _, level := range passes.Levels() {
		if birtest.Quick() && level != "O2" {
			continue
		}
		ps := mustPipeline(level)
		for _, p := range ps {
			for _, rule := range p.Rules {
				if passes.Starved(level, p.Name, rule.Name, 0) == "" {
					continue
				}
				if n := firesFreely(ps, &cfg, p.Name, rule.Name, 3000); n < 0 {
					t.Errorf("%s: %s of %s does not fire", level, rule.Name, p.Name)
				} else {
					t.Logf("%s: %s of %s fires in program %d", level, rule.Name, p.Name, n)
				}
			}
		}
	}
}

// firesFreely returns the number of the first program in which a rule fires, -1 if it does in none of so many.
func firesFreely(ps []passes.Pass, cfg *gen.Config, pass, rule string, most int) int {
	for i := range most {
		c := Generate(19, i, cfg)
		fired := false
		passes.Run(c.Program, varied(gen.New(uint64(i)), ps, c.Program.Facts, passes.AllFreedom), passes.Unlimited(), func(s *passes.Step) bool {
			for _, n := range s.Tally {
				fired = fired || s.Pass.Name == pass && n.Rule.Name == rule && n.Fired > 0
			}
			return !fired
		})
		if fired {
			return i
		}
	}
	return -1
}

// leaning is dead_code_elim_o1, gone wrong: it changes a constant where the rewrite at one Memset was granted and that at another was not.
// always: wherever any was granted.
func leaning(chaos int64, always bool) passes.Pass {
	ps, err := passes.Named(fmt.Sprintf("dead_code_elim_o1(chaos=%d)", chaos))
	if err != nil {
		panic(err)
	}
	p := ps[0]
	p.Run = func(c *passes.Ctx) error {
		granted, refused := false, always
		for in := range c.Program().Insts {
			if in.Spec().Name != "Memset" {
				continue
			}
			if c.Allow(p.Rules[0], in) {
				granted = true
			} else {
				refused = true
			}
		}
		if granted && refused {
			c.Edit().Change(func() { changeConstant(c.Program()) })
		}
		return nil
	}
	return p
}

// TestFreeFindings: a finding names the passes that were drawn, its reproducer keeps chaos where the failure needs it and only there, and the
// refusals survive the shrinking.
func TestFreeFindings(t *testing.T) {
	for _, always := range []bool{false, true} {
		found := 0
		for i := range 60 {
			c := Generate(5, i, nil)
			c.Passes = []passes.Pass{leaning(int64(100+i), always)}
			tester := NewTester(nil, oracle.Options{})
			r := tester.Test(c)
			if !r.Failed || r.Verdict.Class == "illegal" {
				continue
			}
			f := newFinding(c, "O2", oracle.Options{}, r, tester.FindBlame(c, r))
			Minimise(context.Background(), f, c, r, oracle.Options{}, false)
			if f.Inputs == "" {
				continue // other inputs than those of one set show it
			}
			found++
			if want := c.Passes[0].Spelling(); f.Varied != want || !strings.Contains(f.Text(), ", level O2, varied") {
				t.Errorf("varied: got %q, want %q", f.Varied, want)
			}
			if chaos := strings.Contains(f.Run, "chaos"); chaos == always || !strings.Contains(f.Text(), "; run: "+f.Run+"\n") {
				t.Errorf("run: got %q where chaos decides: %v", f.Run, !always)
			}
			if f.Insts > 12 {
				t.Errorf("%d instructions are left\n%s", f.Insts, f.Text())
			}
			if found == 2 || birtest.Quick() {
				break
			}
		}
		if found == 0 {
			t.Errorf("no finding; always: %v", always)
		}
	}
}
