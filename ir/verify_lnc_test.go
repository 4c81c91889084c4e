package ir

import (
	"strings"
	"testing"

	"birfuzz/ir/num"
)

// coresCase is a module of two functions and what VerifyCores complains about: rule, and a part of the text.
type coresCase struct {
	name, rule, text string
	cores            [2]func(b *builder)
}

func runCoresCases(t *testing.T, cases []coresCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder()
			c.cores[0](b)
			b.core("sg0001")
			c.cores[1](b)
			p := b.done()
			if list := Verify(p, 0); len(list) > 0 && c.rule != RuleCores {
				t.Fatalf("not legal: %v", list)
			}
			list := VerifyCores(p)
			switch {
			case c.rule == "" && list != nil:
				t.Errorf("got %v, want nothing", list)
			case c.rule != "" && (len(list) != 1 || list[0].Rule != c.rule || !strings.Contains(list[0].Error(), c.text)):
				t.Errorf("got %v, want one of rule %s with %q", list, c.rule, c.text)
			}
		})
	}
}

// sharedPair declares two Shared locations, aliases of the given kind where it is not 0.
func sharedPair(kind AliasKind) func(b *builder) {
	return func(b *builder) {
		s, u := b.loc("s", DRAM, num.Float32, 4, 4), b.loc("u", DRAM, num.Float32, 4, 4)
		s.Set.Space, u.Set.Space = Shared, Shared
		if kind != 0 {
			s.Alias = []Alias{{u, kind}}
		}
	}
}

func TestVerifyCoresAliases(t *testing.T) {
	alone := func(b *builder) { b.loc("s", DRAM, num.Float32, 4, 4).Set.Space = Shared }
	local := func(b *builder) { b.loc("s", DRAM, num.Float32, 4, 4); b.loc("u", DRAM, num.Float32, 4, 4) }
	both := func(f func(b *builder)) [2]func(b *builder) { return [2]func(b *builder){f, f} }
	runCoresCases(t, []coresCase{
		{"none", "", "", both(sharedPair(0))},
		{"the same", "", "", both(sharedPair(MustAlias))},
		{"one function knows one end only", "", "", [2]func(b *builder){sharedPair(MustAlias), alone}},
		{"Local ones of the other function", "", "", [2]func(b *builder){sharedPair(MustAlias), local}},
		{"the second says none", RuleAlias, "sg0001, location s: alias: got no alias of u, want what function sg0000 says of the two: must alias",
			[2]func(b *builder){sharedPair(MustAlias), sharedPair(0)}},
		{"the first says none", RuleAlias, "sg0000, location s: alias: got no alias of u, want what function sg0001 says",
			[2]func(b *builder){sharedPair(0), sharedPair(MayAlias)}},
		{"may and must", RuleAlias, "got must alias u, want what function sg0000 says of the two: may alias",
			[2]func(b *builder){sharedPair(MayAlias), sharedPair(MustAlias)}},
		{"one end is another location", RuleCores, "what the first function says", [2]func(b *builder){
			alone, func(b *builder) { b.loc("s", DRAM, num.Float32, 4, 8).Set.Space = Shared }}},
	})
}

func TestVerifyCoresMeetings(t *testing.T) {
	barrier := func(b *builder, id int64) *Inst {
		in := b.add("CoreBarrier", SP).with(PBarrierID, id)
		in.SetParam(Param{ID: PCores, L: []int64{0, 1}})
		return in
	}
	barriers := func(ids ...int64) func(b *builder) {
		return func(b *builder) {
			for _, id := range ids {
				barrier(b, id)
			}
		}
	}
	looped := func(ub int64, ids ...int64) func(b *builder) {
		return func(b *builder) {
			_, outer := b.loop("i", 0, ub, 1)
			barriers(ids...)(b)
			b.end(outer)
		}
	}
	first := func(b *builder) { // a barrier in the first of four trips
		l, outer := b.loop("i", 2, 10, 2)
		barrier(b, 1).Pred = []Predicate{{axisOff(l, 1, -2), IsEqual}}
		b.end(outer)
	}
	reduce := func(b *builder) { b.collective(AllReduce, 8, 8) }
	gather := func(b *builder) { b.collective(AllGather, 16, 8) }
	then := func(fs ...func(b *builder)) func(b *builder) {
		return func(b *builder) {
			for _, f := range fs {
				f(b)
			}
		}
	}
	halt := func(b *builder) { b.add("Halt", SP) }
	nothing := func(b *builder) { b.add("NoOp", SP) }
	runCoresCases(t, []coresCase{
		{"none", "", "", [2]func(b *builder){nothing, nothing}},
		{"the same", "", "", [2]func(b *builder){barriers(1, 2), barriers(1, 2)}},
		{"a loop against copies", "", "", [2]func(b *builder){looped(3, 1, 2), barriers(1, 2, 1, 2, 1, 2)}},
		{"a loop of no trip", "", "", [2]func(b *builder){looped(0, 1), nothing}},
		{"a predicate", "", "", [2]func(b *builder){first, barriers(1)}},
		{"behind a halt", "", "", [2]func(b *builder){then(barriers(1), halt, barriers(2)), barriers(1)}},
		{"collectives", "", "", [2]func(b *builder){then(reduce, barriers(1)), then(reduce, barriers(1))}},
		{"one too few", RuleCores, "CoreBarrier, meeting 2 of the core, while function sg0000 is at its end after 1", [2]func(b *builder){barriers(1), barriers(1, 2)}},
		{"one too few in a loop", RuleCores, "meeting 3 of the core, while function sg0001 is at its end after 2", [2]func(b *builder){looped(3, 1), looped(2, 1)}},
		{"another id", RuleCores, "func sg0000, block Block1, inst I-1: cores: got CoreBarrier, meeting 2 of the core, while function sg0001 is at I-3, its meeting 2",
			[2]func(b *builder){barriers(1, 2), barriers(1, 3)}},
		{"another order", RuleCores, "one order of meetings", [2]func(b *builder){then(reduce, barriers(1)), then(barriers(1), reduce)}},
		{"another collective", RuleCores, "one order of meetings", [2]func(b *builder){reduce, gather}},
	})
}

// Three cores of which two meet: the third is not asked.
func TestVerifyCoresSubset(t *testing.T) {
	module := func(third ...int64) *Program {
		b := newBuilder()
		for core := range 3 {
			if core > 0 {
				b.core("sg000" + string(rune('0'+core)))
			}
			if core < 2 {
				b.add("CoreBarrier", SP).SetParam(Param{ID: PCores, L: []int64{0, 1}})
			} else if third != nil {
				b.add("CoreBarrier", SP).SetParam(Param{ID: PCores, L: third})
			}
		}
		return b.done()
	}
	if list := VerifyCores(module()); list != nil {
		t.Errorf("two of three: %v", list)
	}
	if list := VerifyCores(module(1, 2)); len(list) != 1 || list[0].Rule != RuleCores {
		t.Errorf("the third waits for one that never comes: %v", list)
	}
}

// Loops of hostile size are given up, not walked.
func TestVerifyCoresGivesUp(t *testing.T) {
	b := newBuilder()
	for core := range 2 {
		if core > 0 {
			b.core("sg0001")
		}
		_, outer := b.loop("i", 0, 1<<30, 1)
		b.add("CoreBarrier", SP).with(PBarrierID, int64(core)) // they never agree
		b.end(outer)
	}
	if list := VerifyCores(b.done()); len(list) != 1 {
		t.Errorf("the first meeting disagrees: %v", list)
	}
	b = newBuilder()
	_, outer := b.loop("i", 0, 1<<30, 1)
	b.add("CoreBarrier", SP)
	b.end(outer)
	b.core("sg0001")
	_, outer = b.loop("i", 0, 1<<30, 1)
	b.add("CoreBarrier", SP)
	b.end(outer)
	b.add("CoreBarrier", SP)
	if list := VerifyCores(b.done()); list != nil {
		t.Errorf("what lies beyond the limit is not compared: %v", list)
	}
}
