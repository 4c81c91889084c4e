package passes

import (
	"fmt"
	"strings"
	"testing"

	"birfuzz/ir"
)

// chaotic runs dropLast under a seed of chaos and returns the names of what is left between the first instruction and the last.
func chaotic(t *testing.T, src string, r *Rule, seed int64) (left []string, s *Step) {
	t.Helper()
	pass := dropLast(r)
	pass.Chaos = seed
	s = steps(parse(t, src), Unlimited(), pass)[0]
	insts := s.After.Cores[0].Blocks[0].Insts
	for _, in := range insts[1 : len(insts)-1] {
		left = append(left, in.Name)
	}
	return left, s
}

// many is a program of n instructions between two.
func many(n int) string {
	var b strings.Builder
	b.WriteString("func sg0000 {\n  output y: f32[4,8]\n  sb t: f32[4,8]\n  I-0: t = Memset @DVE\n")
	for i := range n {
		fmt.Fprintf(&b, "  J-%d: t = Memset @DVE\n", i)
	}
	return b.String() + "  I-9: y = Save t @SP\n}\n"
}

// TestChaos: over the seeds some refuse nothing, some everything, and most a part, which is no prefix; what is refused is counted and says so.
func TestChaos(t *testing.T) {
	none, part, all, holes := 0, 0, 0, 0
	for seed := range int64(200) {
		left, s := chaotic(t, many(20), testRule, seed)
		switch len(left) {
		case 0:
			none++
		case 20:
			all++
		default:
			part++
			if n := 20 - len(left); left[0] != fmt.Sprint("J-", n) && left[len(left)-1] != fmt.Sprint("J-", 19-n) {
				holes++
			}
		}
		n := s.Tally[0]
		if n.Fired+n.Refused != n.Considered || n.Refused != len(left) || len(left) > 0 && n.Why[0] != (Reason{RefusedByChaos, len(left)}) || s.Declined != "" {
			t.Fatalf("seed %d: %d left, tally %+v, declined %q", seed, len(left), n, s.Declined)
		}
	}
	if none < 20 || all < 20 || part < 60 || holes < 50 {
		t.Errorf("of 200 seeds %d refuse nothing, %d all, %d a part, %d of them with holes", none, all, part, holes)
	}
	if left, _ := chaotic(t, many(20), testRule, 0); len(left) > 0 {
		t.Errorf("without a seed %d are left", len(left))
	}
}

// TestChaosKeeps: a program that has lost other instructions keeps the refusals, and what is owed to a fact is never refused.
func TestChaosKeeps(t *testing.T) {
	for seed := int64(1); seed < 50; seed++ {
		whole, _ := chaotic(t, many(20), testRule, seed)
		part, _ := chaotic(t, many(7), testRule, seed)
		if n := strings.Join(whole, " ") + " "; !strings.HasPrefix(n, strings.Join(part, " ")) {
			t.Errorf("seed %d: %s in the small program, %s in the large one", seed, part, whole)
		}
		if left, _ := chaotic(t, many(5), testMust, seed); len(left) > 0 {
			t.Errorf("seed %d: %s is left, though it is owed", seed, left)
		}
	}
}

// TestChaosOnce: a pass that was kept from a rewrite does not promise that there is nothing left to do.
func TestChaosOnce(t *testing.T) {
	for seed := range int64(30) {
		pass := dropLast(testRule)
		pass.Chaos, pass.Contract.Once = seed, true
		s := steps(parse(t, many(4)), Unlimited(), pass)[0]
		if got, want := s.Promised().Once, s.Tally[0].Refused == 0; got != want {
			t.Errorf("seed %d: %d refused, promises idempotence: %v", seed, s.Tally[0].Refused, got)
		}
	}
}

// TestChaosFuel: fuel counts what chaos grants, so a replay by fuel is a prefix of it.
func TestChaosFuel(t *testing.T) {
	pass := dropLast(testRule)
	for seed := range int64(20) {
		pass.Chaos = seed
		all := steps(parse(t, many(20)), Unlimited(), pass)[0].Events
		for fuel := range len(all) + 1 {
			if got := steps(parse(t, many(20)), Options{Fuel: fuel}, pass)[0].Events; fmt.Sprint(got) != fmt.Sprint(all[:fuel]) {
				t.Fatalf("seed %d, fuel %d: %v, want the first of %v", seed, fuel, got, all)
			}
		}
	}
}

// TestSimpler: one setting less each time; what stands at its default is left out.
func TestSimpler(t *testing.T) {
	for list, want := range map[string]string{
		"pre_sched": "",
		"pre_sched(max-spills=3,level=1,chaos=5)": "pre_sched(max-spills=3,level=1) pre_sched(max-spills=3,chaos=5) pre_sched(level=1,chaos=5)",
		"dead_code_elim_o1(chaos=9)":              "dead_code_elim_o1",
	} {
		ps, err := Named(list)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, q := range ps[0].Simpler() {
			got = append(got, q.Spelling())
		}
		if strings.Join(got, " ") != want || ps[0].Spelling() != list {
			t.Errorf("%s: got %s, want %s", ps[0].Spelling(), got, want)
		}
	}
}

// TestNamedChaos: chaos is named like a knob, where a pass can refuse.
func TestNamedChaos(t *testing.T) {
	ps, err := Named("instruction_reorder(chaos=7),instruction_reorder")
	if err != nil || ps[0].Chaos != 7 || ps[1].Chaos != 0 || len(ps[0].Knobs) > 0 {
		t.Errorf("got %+v, %v", ps, err)
	}
	if got, want := Spellings(ps), "instruction_reorder(chaos=7),instruction_reorder"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for list, want := range map[string]string{
		"birverifier(chaos=1)":            `pass birverifier: no knob "chaos"; the knobs are max-instruction-limit`,
		"full_unroll_all(chaos=1)":        `pass full_unroll_all: no knob "chaos"; the pass has none`, // all of its rules are owed
		"instruction_reorder(chaos=-1)":   "pass instruction_reorder: knob chaos: got -1, want 0 or more",
		"instruction_reorder(level=1)":    `pass instruction_reorder: no knob "level"; the knobs are chaos`,
		"mine(chaos=1)":                   `pass mine: no knob "chaos"; the pass has none`,
		"instruction_reorder(chaos=x)":    `pass instruction_reorder: knob chaos: want a whole number, got "x"`,
		"pre_sched(chaos=1,chaos=2)":      "pass pre_sched: knob chaos stands twice",
		"pre_sched(chaos=1),pre_sched(a)": `pass pre_sched: no knob "a"; the knobs are max-spills, far-live-range, level, chaos`,
	} {
		if _, err := Named(list, external(t, ExternalOptions{}, "identity")); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", list, err, want)
		}
	}
}

// TestKnobRanges: what is drawn is allowed, and holds the default, so that a drawn knob may stand where it stood.
func TestKnobRanges(t *testing.T) {
	drawn := 0
	for _, p := range known() {
		for i := range p.Knobs {
			k := &p.Knobs[i]
			least, most := k.DrawRange()
			if k.allows(least)+k.allows(most) != "" || least > most || k.Value < least || k.Value > most {
				t.Errorf("%s: knob %s at %d is drawn from %d to %d", p.Name, k.Name, k.Value, least, most)
			}
			if least < most {
				drawn++
			}
		}
	}
	if drawn < 7 {
		t.Errorf("%d knobs are drawn", drawn)
	}
}

// TestLegal: a pass whose needs nobody gives before it is left out, and those behind it too that needed what it gives.
func TestLegal(t *testing.T) {
	need := func(name string, needs, gives, drops ir.Facts) Pass {
		return Pass{Name: name, Contract: ir.Contract{Needs: needs, Gives: gives, Drops: drops}}
	}
	list := []Pass{need("a", ir.Deps, ir.Placed, 0), need("b", ir.Placed, 0, 0), need("c", 0, ir.Deps, 0), need("d", ir.Deps, 0, ir.Deps), need("e", ir.Deps, 0, 0)}
	for facts, want := range map[ir.Facts]string{0: "c d", ir.Deps: "a b c d", ir.Placed: "b c d"} {
		if got := names(Legal(list, facts)); got != want {
			t.Errorf("with %s: got %s, want %s", facts, got, want)
		}
	}
}

// TestParseFreedom: what String writes is read, and what is none is said.
func TestParseFreedom(t *testing.T) {
	for f := range AllFreedom + 1 {
		if got, err := ParseFreedom(f.String()); got != f || err != nil {
			t.Errorf("%s: got %s, %v", f, got, err)
		}
	}
	if f, err := ParseFreedom("all"); f != AllFreedom || err != nil {
		t.Errorf("all: got %s, %v", f, err)
	}
	const some = ", want some of knobs, chaos, order, or all, or none"
	for text, want := range map[string]string{
		"": `got ""` + some, "knobs,": `got ""` + some, "kaos": `got "kaos"` + some, "knobs,kaos": `got "kaos"` + some,
		"knobs,none": `got "knobs,none", but none stands alone`, "all,order": `got "all,order", but all stands alone`, "all,none": `got "all,none", but all stands alone`,
	} {
		if f, err := ParseFreedom(text); err == nil || err.Error() != want {
			t.Errorf("%q: got %s, %v, want %s", text, f, err, want)
		}
	}
}
