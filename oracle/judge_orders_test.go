package oracle

import (
	"slices"
	"testing"
)

// inSchedule judges the named pair of a file by the checks, in the schedule too.
func inSchedule(t *testing.T, file, name, checks, schedule string) Verdict {
	t.Helper()
	pairs := readPairs(t, "testdata/pairs/"+file)
	i := slices.IndexFunc(pairs, func(c pairCase) bool { return c.name == name })
	if i < 0 {
		t.Fatalf("%s: no pair %q", file, name)
	}
	set, err := ParseChecks(checks)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Checks: set}
	if schedule != "" {
		if o.Schedule, err = ParseSchedule(schedule); err != nil {
			t.Fatal(err)
		}
	}
	return judgePair(t, pairs[i], o)
}

// TestAskedSchedule: what a race, or a lost edge, does shows in the order that is asked for, where the check that answers for all orders was
// not; the verdict names the order. A schedule for which the facts leave no room is none.
func TestAskedSchedule(t *testing.T) {
	for _, c := range []struct{ file, name, checks, schedule, want string }{
		{"race.bir", "a buffer that is refilled while the trip before still reads it", "value", "", "same"},
		{"race.bir", "a buffer that is refilled while the trip before still reads it", "value", "early", "value"},
		{"race.bir", "a buffer that is refilled while the trip before still reads it", "value", "edges:1", "same"},
		{"race.bir", "a buffer that is refilled while the trip before still reads it", "value", "starve:none", "same"},
		{"race.bir", "a buffer that is refilled while the trip before still reads it", "race", "early", "race"},
		{"deps_loops.bir", "what the loop carries is forgotten", "value", "", "same"},
		{"deps_loops.bir", "what the loop carries is forgotten", "value", "late", "same"},
		{"shown.bir", "a wait for each edge", "accumulation", "pct:6:3", "same"},
		{"met_in_groups.bir", "a wait for each edge", "-race", "late", "same"},
		{"met_in_groups.bir", "a meeting that does not wait for its member's store", "undefined", "", "same"},
		{"met_in_groups.bir", "a meeting that does not wait for its member's store", "undefined", "starve:SP.dma", "undefined"},
	} {
		v := inSchedule(t, c.file, c.name, c.checks, c.schedule)
		if got := failedNames(v); got != c.want {
			t.Errorf("%s by %s in schedule %q: got %s, want %s", c.name, c.checks, c.schedule, got, c.want)
		}
		if want := c.want != "same" && c.checks != raceCheck; want != (v.Schedule.String() == c.schedule) && c.schedule != "" {
			t.Errorf("%s: the verdict names the schedule %q", c.name, v.Schedule)
		}
	}
	for seed := range 20 { // some order shows it
		if v := inSchedule(t, "deps_loops.bir", "what the loop carries is forgotten", "value,undefined", Schedule{kind: byEdges, seed: uint64(seed)}.String()); v.Kind != Same {
			return
		}
	}
	t.Error("no order by edges shows the missing edge")
}

// TestSimpler: what is proposed in the place of a schedule is none that it was proposed for, however often one asks.
func TestSimpler(t *testing.T) {
	for _, text := range []string{"engines", "early", "starve:DVE", "pct:7:9", "path:2.0.1.3", "edges:9"} {
		s, err := ParseSchedule(text)
		if err != nil {
			t.Fatal(err)
		}
		open, seen := []Schedule{s}, map[Schedule]bool{}
		for ; len(open) > 0 && len(seen) < 10_000; open = open[1:] {
			for _, next := range open[0].Simpler() {
				if next == s {
					t.Fatalf("%s comes back from %s", s, open[0])
				}
				if _, err := ParseSchedule(next.String()); err != nil {
					t.Error(err)
				}
				if !seen[next] {
					seen[next] = true
					open = append(open, next)
				}
			}
		}
		if len(open) > 0 {
			t.Errorf("%s: no end of simpler ones", s)
		}
	}
}

// TestParseChecks: a list is read as it is printed.
func TestParseChecks(t *testing.T) {
	for text, want := range map[string]string{
		"value": "value", " value , race ": "race,value", "-steady": "-steady", "-value,-race": "-race,-value", "value,-value,race": "race",
		"-value,value": "",
	} {
		set, err := ParseChecks(text)
		if err != nil || set.String() != want {
			t.Errorf("%q: got %q, %v, want %q", text, set, err, want)
		}
	}
	for _, text := range []string{"", "nope", "value,", "value,-value", "--value"} {
		if _, err := ParseChecks(text); err == nil {
			t.Errorf("%q is a list of checks?", text)
		}
	}
	if !AllChecks.Has("steady") || AllChecks.Has("nope") {
		t.Error("has")
	}
}
