package passes

import (
	"errors"
	"strings"
	"testing"

	"birfuzz/ir"
)

const sample = `
func sg0000 {
  output y: f32[4,8]
  sb t: f32[4,8]
  sb u: f32[4,8]
  I-0: t = Memset @DVE constant=1
  I-1: u = TensorCopy t @DVE
  I-2: u = TensorCopy t @DVE
  I-3: y = Save t @SP
}`

func parse(t testing.TB, src string) *ir.Program {
	t.Helper()
	p, err := ir.Parse("test.bir", src)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// steps runs the passes and returns every step.
func steps(p *ir.Program, o Options, ps ...Pass) []*Step {
	var out []*Step
	Run(p, ps, o, func(s *Step) bool {
		out = append(out, s)
		return true
	})
	return out
}

var (
	testRule = &Rule{Name: "test.drop"}
	testMust = &Rule{Name: "test.owed", Must: true}
)

// dropLast asks for the deletion of every instruction but the first and the last, from the end.
func dropLast(r *Rule) Pass {
	return Pass{Name: "drop", Rules: []*Rule{r}, Contract: ir.Contract{Gives: ir.Unrolled, Drops: ir.Deps}, Run: func(c *Ctx) error {
		insts := c.Program().Cores[0].Blocks[0].Insts
		for i := len(insts) - 2; i > 0; i-- {
			if in := insts[i]; c.Allow(r, in) {
				c.Edit().Delete(map[*ir.Inst]bool{in: true})
			}
		}
		return nil
	}}
}

func TestRunChanges(t *testing.T) {
	p := parse(t, sample)
	p.Facts = ir.Deps | ir.Split
	was := p.String()
	s := steps(p, Unlimited(), dropLast(testRule))[0]
	switch {
	case s.Failure != nil || !s.Changed || s.Before == s.After || s.After != p:
		t.Fatalf("got %+v", s)
	case s.Before.String() != was:
		t.Errorf("the snapshot is not the program as it was:\n%s", s.Before)
	case p.NumInsts() != 2 || p.Cores[0].Blocks[0].Insts[1].ID != 1:
		t.Errorf("got %s", p)
	case p.Facts != ir.Split|ir.Unrolled || s.Gained != ir.Unrolled:
		t.Errorf("facts: got %v, gained %v", p.Facts, s.Gained)
	case len(s.Events) != 2 || s.Events[0] != (Event{Rule: testRule, Inst: "I-2"}):
		t.Errorf("events: got %v", s.Events)
	}
}

func TestRunUnchanged(t *testing.T) {
	p := parse(t, sample)
	idle := Pass{Name: "idle", Rules: []*Rule{testRule}, Run: func(c *Ctx) error { c.Refuse(testRule, nil, "why not"); return nil }}
	s := steps(p, Unlimited(), idle)[0]
	if s.Changed || s.Before != p || s.After != p {
		t.Errorf("got %+v", s)
	}
	if n := s.Tally[0]; n.Considered != 1 || n.Refused != 1 || n.Why[0] != (Reason{"why not", 1}) {
		t.Errorf("tally: got %+v", n)
	}
}

func TestRunStops(t *testing.T) {
	n := 0
	Run(parse(t, sample), []Pass{dropLast(testRule), dropLast(testRule)}, Unlimited(), func(*Step) bool { n++; return false })
	if n != 1 {
		t.Errorf("got %d steps, want 1", n)
	}
}

// A pass that breaks down hands on the program that it was given, half-edited or not.
func TestRunFailures(t *testing.T) {
	edit := func(c *Ctx) { c.Edit().Delete(map[*ir.Inst]bool{c.Program().Cores[0].Blocks[0].Insts[2]: true}) }
	for name, tt := range map[string]struct {
		run   func(*Ctx) error
		class string
		want  string
	}{
		"panic":      {func(c *Ctx) error { c.Allow(testRule, nil); edit(c); panic("at sea") }, Crash, "panic: at sea (run_test.go:"},
		"nil":        {func(c *Ctx) error { var p *ir.Program; _ = p.Cores; return nil }, Crash, "nil pointer dereference (run_test.go:"},
		"error":      {func(c *Ctx) error { return errors.New("no luck") }, Crash, "no luck"},
		"failure":    {func(c *Ctx) error { return &Failure{Hang, "waiting"} }, Hang, "waiting"},
		"unasked":    {func(c *Ctx) error { edit(c); return nil }, Crash, "1 edits that no rule was asked for"},
		"not allow":  {func(c *Ctx) error { c.Refuse(testRule, nil, "x"); edit(c); return nil }, Crash, "no rule was asked for"},
		"other rule": {func(c *Ctx) error { c.Allow(testMust, nil); return nil }, Crash, "rule test.owed is none of pass bad"},
	} {
		p := parse(t, sample)
		was := p.String()
		s := steps(p, Unlimited(), Pass{Name: "bad", Rules: []*Rule{testRule}, Contract: ir.Contract{Gives: ir.Placed}, Run: tt.run})[0]
		switch {
		case s.Failure == nil:
			t.Errorf("%s: no failure", name)
		case s.Failure.Class != tt.class || !strings.Contains(s.Failure.Detail, tt.want):
			t.Errorf("%s: got %v, want %s: …%s…", name, s.Failure, tt.class, tt.want)
		case strings.Contains(s.Failure.Detail, "goroutine") || strings.Contains(s.Failure.Detail, "\n"):
			t.Errorf("%s: a trace: %v", name, s.Failure)
		case s.Changed || s.Before != s.After || s.After.String() != was || s.After.Facts != 0:
			t.Errorf("%s: the program was not restored:\n%s", name, s.After)
		}
	}
}

func TestFuel(t *testing.T) {
	for fuel, left := range []int{4, 3, 2, 2} {
		p := parse(t, sample)
		s := steps(p, Options{Fuel: fuel, FuelAt: 1}, Pass{Name: "first", Run: func(*Ctx) error { return nil }}, dropLast(testRule))[1]
		if p.NumInsts() != left || s.Tally[0].Fired != 4-left || s.Tally[0].Considered != 2 || s.Changed != (fuel > 0) {
			t.Errorf("fuel %d: %d instructions left, want %d; tally %+v", fuel, p.NumInsts(), left, s.Tally[0])
		}
	}
	p := parse(t, sample)
	if steps(p, Options{Fuel: 0, FuelAt: 1}, dropLast(testRule), dropLast(testRule)); p.NumInsts() != 2 {
		t.Error("fuel of step 1 limits step 0")
	}
}

// A rule owed to a fact obeys the fuel, and the fact is then not given; a pass that needs it is not run.
func TestMustUnderFuel(t *testing.T) {
	needy := Pass{Name: "needy", Contract: ir.Contract{Needs: ir.Unrolled, Gives: ir.Placed}, Run: func(*Ctx) error { panic("run") }}
	ss := steps(parse(t, sample), Options{Fuel: 1}, dropLast(testMust), needy)
	if ss[0].Declined != "test.owed is out of fuel" || ss[0].After.Facts.Has(ir.Unrolled) {
		t.Errorf("declined %q, facts %v", ss[0].Declined, ss[0].After.Facts)
	}
	if ss[1].Failure != nil || ss[1].Declined != "needs Unrolled, which no earlier pass gave" || ss[1].After.Facts != 0 {
		t.Errorf("got %+v", ss[1])
	}
}

func TestCheck(t *testing.T) {
	gives := Pass{Name: "g", Contract: ir.Contract{Gives: ir.Deps | ir.Placed}}
	drops := Pass{Name: "d", Contract: ir.Contract{Drops: ir.Deps}}
	needs := Pass{Name: "n", Contract: ir.Contract{Needs: ir.Deps}}
	if err := Check([]Pass{gives, needs, drops}, 0); err != nil {
		t.Error(err)
	}
	if err := Check([]Pass{needs}, ir.Deps); err != nil {
		t.Error(err)
	}
	err := Check([]Pass{gives, drops, needs}, 0)
	if err == nil || err.Error() != "pass 3, n: needs the facts Deps, which neither the program nor an earlier pass gives" {
		t.Errorf("got %v", err)
	}
}

// Every prefix of what a pass asks for leaves a legal program, and as many rewrites as were granted.
func TestEveryFuel(t *testing.T) {
	for _, text := range textFiles(t) {
		ps, err := Named(text.Values("run")[0])
		if err != nil {
			t.Fatal(err)
		}
		for fuel := 0; ; fuel++ {
			p := parse(t, text.Source)
			s := steps(p, Options{Fuel: fuel}, ps...)[0]
			fired := 0
			for _, n := range s.Tally {
				fired += n.Fired
				if n.Considered != n.Fired+n.Refused {
					t.Errorf("%s: tally %+v does not add up", text.File, n)
				}
			}
			if s.Failure != nil && len(text.Values("fails")) > 0 {
				break
			}
			if s.Failure != nil || s.Changed != (fired > 0) {
				t.Errorf("%s, fuel %d: changed %v, fired %d, failure %v", text.File, fuel, s.Changed, fired, s.Failure)
			}
			if cs := ir.Verify(p, p.Facts); len(cs) > 0 {
				t.Errorf("%s, fuel %d: illegal:\n%v", text.File, fuel, cs)
			}
			if fired < fuel {
				break
			}
		}
	}
}

// What a foreign pass printed may be illegal: an output that is no place, or one place twice. Passes then do nothing rash: they neither break
// down nor delete.
func TestIllegalPrograms(t *testing.T) {
	for _, inst := range []string{"t, t = Memset @DVE constant=1", "_ = Memset @DVE constant=1", "t = Memset t, t, t @DVE"} {
		p := parse(t, "func f {\n  output y: f32[4,8]\n  sb t: f32[4,8]\n  I-0: "+inst+" order(2)\n  I-1: y = Save t @SP order(2)\n}\n")
		for _, s := range steps(p, Unlimited(), known()...) {
			if fails := s.Failure != nil && s.Failure.Class == Illegal; s.Pass.Name == "birverifier" {
				if !fails {
					t.Errorf("%s: birverifier lets it pass: %v", inst, s.Failure)
				}
				continue
			}
			if s.Failure != nil || s.After.NumInsts() < s.Before.NumInsts() {
				t.Errorf("%s: %s: %d instructions left, failure %v", inst, s.Pass.Name, s.After.NumInsts(), s.Failure)
			}
		}
	}
}
