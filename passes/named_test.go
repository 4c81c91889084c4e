package passes

import (
	"strings"
	"testing"
)

func TestNamed(t *testing.T) {
	ps, err := Named("instruction_reorder, dead_code_elim_o0,mine", Pass{Name: "mine"})
	if err != nil || names(ps) != "instruction_reorder dead_code_elim_o0 mine" {
		t.Errorf("got %s, %v", names(ps), err)
	}
	for _, list := range []string{"dce", "", "dead_code_elim_o0,", "dead_code_elim_o0),unroll"} {
		_, err = Named(list)
		if err == nil || !strings.HasSuffix(err.Error(), "the passes are "+strings.Join(Known(), ", ")) {
			t.Errorf("%q: got %v", list, err)
		}
	}
}

// TestNamedKnobs: knobs in brackets hold for that place of the list alone, and what is wrong with them is said.
func TestNamedKnobs(t *testing.T) {
	ps, err := Named("unroll, pre_sched ( level = 1, max-spills=3 ),pre_sched")
	if err != nil || names(ps) != "unroll pre_sched pre_sched" {
		t.Fatalf("got %s, %v", names(ps), err)
	}
	if got, want := Spellings(ps), "unroll,pre_sched(max-spills=3,level=1),pre_sched"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	for list, want := range map[string]string{
		"pre_sched(level=1":                      `pass pre_sched: want ) after the knobs, got "level=1"`,
		"pre_sched(level=1)2":                    `pass pre_sched: want ) after the knobs, got "level=1)2"`,
		"pre_sched(level=high)":                  `pass pre_sched: knob level: want a whole number, got "high"`,
		"pre_sched(level=99999999999999999999)":  `pass pre_sched: knob level: want a whole number, got "99999999999999999999"`,
		"pre_sched(level)":                       `pass pre_sched: knob level: want a whole number, got ""`,
		"pre_sched(level=9)":                     `pass pre_sched: knob level: got 9, want 1 or 2`,
		"pre_sched(max-spills=-1)":               `pass pre_sched: knob max-spills: got -1, want 0 or more`,
		"pre_sched(level=1,level=2)":             `pass pre_sched: knob level stands twice`,
		"pre_sched(speed=1)":                     `pass pre_sched: no knob "speed"; the knobs are max-spills, `,
		"pre_sched()":                            `pass pre_sched: no knob ""; the knobs are max-spills, `,
		"lnc_verifier(level=1),pre_sched":        `pass lnc_verifier: no knob "level"; the pass has none`,
		"pre_sched(level=1),(level=1),pre_sched": `no pass ""; the passes are `,
	} {
		if _, err := Named(list); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", list, err, want)
		}
	}
}

// TestSpelling: every pass of every level is named back, with the knobs as the level sets them.
func TestSpelling(t *testing.T) {
	turned := 0
	for _, level := range Levels() {
		ps, err := Pipeline(level)
		if err != nil {
			t.Fatal(err)
		}
		again, err := Named(Spellings(ps))
		if err != nil || len(again) != len(ps) {
			t.Fatalf("%s: %d passes, want %d: %v", level, len(again), len(ps), err)
		}
		for i := range ps {
			if strings.Contains(ps[i].Spelling(), "(") {
				turned++
			}
			for j, k := range ps[i].Knobs {
				if got := again[i].Knobs[j]; again[i].Name != ps[i].Name || got != k {
					t.Errorf("%s: %s has the knob %+v, want %+v of %s", level, again[i].Name, got, k, ps[i].Name)
				}
			}
		}
	}
	if turned == 0 {
		t.Error("no level turns a knob: nothing was tested")
	}
}
