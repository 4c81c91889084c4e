package oracle

import (
	"strings"
	"testing"

	"birfuzz/ir"
)

// explained judges a pair and explains the verdict.
func explained(t *testing.T, c pairCase) (Verdict, *Witness) {
	t.Helper()
	before, after := mustParse(t, "before", c.before), mustParse(t, "after", c.after)
	inputs := []ir.Values{testInputs(before, 0), testInputs(before, 1)}
	j := NewJudge(Options{})
	j.Start(before, inputs)
	v := j.Next(before, after, c.contract, true)
	return v, Explain(&v, before, after, c.contract, inputs)
}

// TestEveryPairIsExplained: whatever fails in data has a culprit, or an instruction of before that nobody stands for any more.
func TestEveryPairIsExplained(t *testing.T) {
	eachPair(t, func(t *testing.T, c pairCase) {
		v, w := explained(t, c)
		if v.Kind == Same {
			if w != nil {
				t.Error("a witness of nothing")
			}
			return
		}
		if testing.Verbose() {
			t.Logf("%s\n%s", v, strings.Join(w.Lines(), "\n"))
		}
		if dataChecks[v.Class] && (w == nil || w.Culprit == nil && w.Was == nil) {
			t.Errorf("%s: nobody did it: %+v", v, w)
		}
	})
}

// TestCulprits: who did it, and why, of pairs worked by hand.
func TestCulprits(t *testing.T) {
	for _, c := range []struct{ file, pair, culprit, why, before, path string }{
		{"straight", "another constant", "I-4", "what it reads is as before", "", "I-4 I-5"},
		{"straight", "placed over what is alive", "I-3", "a element 4, of which I-1 has taken the bytes for b", "I-0", "I-3 I-4 I-5"},
		{"straight", "the other input", "I-1", "x element 0, and read y element 0 before", "", ""},
		{"edges", "a reader before its writer", "I-1", "which I-0 writes only later", "I-0", "I-1 I-2"},
		{"edges", "a writer before the reader of the old value", "I-2", "as I-3 left it, which did as before", "I-1", "I-2"},
		{"matmul", "the middle restarts", "I-4", "what it reads is as before", "", "I-4 I-5 I-6 I-7"},
		{"matmul", "a member lost", "I-5", "as I-3 left it, which did as before", "I-4", "I-5 I-6 I-7"},
		{"matmul", "a member twice", "I-4b", "it was not there before", "", "I-4b I-5 I-6 I-7"},
		{"matmul", "the members in another order, which rounds otherwise", "I-5", "p element 2 as I-3 left it, which did as before", "I-4", "I-5 I-4 I-6 I-7"},
		{"cores", "what was sent is undefined", "C-0", "s element 0, which nobody writes", "K-1", "C-0 I-2 I-3"},
		{"fusion", "fused, but the axis is that of another trip", "I-2[1]", "b element 0, and read b element 4 before", "", "I-2[1] I-3[0] I-4[0] I-9"},
		{"hidden", "the accumulator read too early", "I-3", "accumulator element 0 as I-1 left it", "I-2", "I-3 I-10"},
		{"region", "the neighbour lies in the same bank", "I-5", "of which I-2 has taken the bytes for p", "I-1", "I-5 I-6"},
		{"poison", "the index undefined", "I-4", "n element 0, which nobody writes", "I-3", ""},
	} {
		t.Run(c.pair, func(t *testing.T) {
			v, w := explained(t, pairNamed(t, c.file+".bir", c.pair))
			if w == nil || w.Culprit == nil {
				t.Fatalf("%s: nobody did it", v)
			}
			var path []string
			for _, p := range w.Path {
				path = append(path, p.text())
			}
			before := ""
			if w.Culprit.Before != nil {
				before = w.Culprit.Before.text()
			}
			if gone := c.pair == "a member lost"; gone && !w.Culprit.Gone {
				t.Errorf("%+v: I-4 is gone", w.Culprit)
			}
			if got := w.Culprit.text(); got != c.culprit || !strings.Contains(w.Culprit.Why, c.why) || before != c.before && c.why != "" || c.path != "" && strings.Join(path, " ") != c.path {
				t.Errorf("got %s, %q, before %q, path %v\n%s", got, w.Culprit.Why, before, path, strings.Join(w.Lines(), "\n"))
			}
		})
	}
}

// pairNamed returns a pair of a file.
func pairNamed(t *testing.T, file, name string) pairCase {
	t.Helper()
	for _, c := range readPairs(t, "testdata/pairs/"+file) {
		if c.name == name {
			return c
		}
	}
	t.Fatalf("%s: no pair %q", file, name)
	return pairCase{}
}

// TestWitnessOfOrder: what is no matter of data has its own: the accesses, where they meet and what would mend it, the fence, the edge.
func TestWitnessOfOrder(t *testing.T) {
	_, w := explained(t, pairNamed(t, "fences.bir", "the wrong rows written"))
	if len(w.Parties) != 2 || w.Parties[0].Inst != "I-1" || w.Parties[1].Inst != "K-1" || w.Place == nil || w.Place.Location != "s" || w.Place.Byte != 64 || w.Mend == "" {
		t.Errorf("race of cores: %+v", w)
	}
	_, w = explained(t, pairNamed(t, "fences.bir", "a store moved across the barrier"))
	if w.Fence == nil || w.Fence.Before == "" || w.Fence.After != "" || len(w.Parties) == 0 || w.Parties[0].Inst != "I-1" || w.Culprit != nil {
		t.Errorf("crossed: %+v", w)
	}
	_, w = explained(t, pairNamed(t, "fences.bir", "a fence more"))
	if w.Fence == nil || !strings.Contains(w.Fence.Before, "E-1") || !strings.Contains(w.Fence.After, "D-0") || w.Fence.Number != 2 {
		t.Errorf("a fence more: %+v", w.Fence)
	}
	_, w = explained(t, pairNamed(t, "deps_loops.bir", "what the loop carries is forgotten"))
	if len(w.Parties) != 2 || w.Parties[0].text() != "I-1[0]" || w.Parties[1].text() != "I-0[1]" || w.Edge != "Anti" || w.Place == nil || w.Place.Location != "a" ||
		w.Mend != "the Anti edge to I-1 at distance [1] on I-0" {
		t.Errorf("missing edge: %+v", w)
	}
	_, w = explained(t, pairNamed(t, "straight.bir", "an engine that cannot"))
	if len(w.Parties) != 1 || w.Parties[0].Inst == "" || w.Parties[0].Op == "" {
		t.Errorf("illegal: %+v", w)
	}
	_, w = explained(t, pairNamed(t, "straight.bir", "a queue"))
	if len(w.Parties) != 1 || w.Parties[0].Inst == "" || len(w.Lines()) != 0 { // the detail has named it
		t.Errorf("contract: %+v", w)
	}
	_, w = explained(t, pairNamed(t, "unroll.bir", "a trip lost"))
	if w.Was == nil && w.Culprit == nil {
		t.Errorf("a trip lost: %+v", w)
	}
}

// TestAddressOfCulprit: a placed element is named by partition and byte.
func TestAddressOfCulprit(t *testing.T) {
	_, w := explained(t, pairNamed(t, "moves.bir", "two places that overlap while both live"))
	if a := w.Culprit.Place.Address; a == nil || a.Memory != "SB" || a.Byte != 64 {
		t.Errorf("%+v", w.Culprit.Place)
	}
	if text := strings.Join(w.Lines(), "\n"); !strings.Contains(text, "partition 0, byte 64 of SB") {
		t.Error(text)
	}
}

// TestRetraceIsBounded: a run of very many small instances is given up, for each of them takes room, whatever it reads and writes.
func TestRetraceIsBounded(t *testing.T) {
	const trips = 100
	p := parse(t, `func f {
  output y: f32[1,1]
  sb t: f32[1,1]
  L: for i = 0..100 {
    a: t = Memset
  }
  b: y = Save t
}`)
	for room, fits := range map[int]bool{trips * eventElements: false, 2 * trips * eventElements: true} {
		if got := retraceWithin(room, p, ir.Values{}, runWay{}, lens{unit: 4}); (got != nil) != fits {
			t.Errorf("in %d: %v, want %v", room, got != nil, fits)
		}
	}
}
