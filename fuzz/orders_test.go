package fuzz_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"birfuzz/fuzz"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/oracle"
)

// outputsOf runs a program in one schedule and returns its outputs as text; false where the run came to a fault or a limit.
func outputsOf(t *testing.T, m *oracle.Machine, in ir.Values, schedule string) (string, bool) {
	t.Helper()
	s, err := oracle.ParseSchedule(schedule)
	if err != nil {
		t.Fatal(err)
	}
	got, err := m.Run(in, oracle.Way{Clear: true, Schedule: s})
	if err != nil {
		return err.Error(), false
	}
	if got.Fault != nil {
		return got.Fault.Error(), false
	}
	var text strings.Builder
	out := m.Outputs()
	for _, name := range slices.Sorted(maps.Keys(out)) {
		fmt.Fprintf(&text, "%s %x\n", name, out[name].Data)
	}
	return text.String(), !got.Limited
}

// TestEveryOrderByEdges: generated programs with the fact Deps give one answer in every order that their edges leave open, and many of those
// whose edges are taken away do not.
func TestEveryOrderByEdges(t *testing.T) {
	most := 3000
	if birtest.Quick() {
		most = 100
	}
	ran, lost, seen := 0, 0, 0
	for i := range most {
		c := fuzz.Generate(11, i, nil)
		if !c.Program.Facts.Has(ir.Deps) {
			continue
		}
		m := oracle.NewMachine()
		if err := m.Prepare(c.Program, oracle.Layout{}); err != nil {
			continue
		}
		want, ok := outputsOf(t, m, c.Inputs[0].Values, "")
		if !ok {
			continue
		}
		for seed := range 4 {
			got, ok := outputsOf(t, m, c.Inputs[0].Values, fmt.Sprint("edges:", seed))
			if got != want || !ok {
				t.Fatalf("%s: schedule edges:%d leaves something else than program order: %t\n%s", c.Name, seed, ok, c.Program)
			}
			ran++
		}
		for in := range c.Program.Insts {
			in.Deps, in.LoopDeps = nil, nil
		}
		lost++
		for seed := range 4 {
			if got, _ := outputsOf(t, m, c.Inputs[0].Values, fmt.Sprint("edges:", seed)); got != want {
				seen++
				break
			}
		}
	}
	if ran < most/8 || seen < lost/4 {
		t.Errorf("%d runs by edges; without edges %d of %d programs show it", ran, seen, lost)
	}
	t.Logf("%d runs by edges; without edges %d of %d programs show it", ran, seen, lost)
}
