package passes

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func names(ps []Pass) string {
	var out []string
	for _, p := range ps {
		out = append(out, p.Name)
	}
	return strings.Join(out, " ")
}

func TestPipelines(t *testing.T) {
	const front = "lnc_splitter unroll dead_code_elim_o1 localize_shared_memory birverifier lnc_verifier oom_checker instruction_reorder non_ssa_legalization pre_sched " +
		"linear_scan_allocator dead_code_elim_o0 non_ssa_legalization dead_code_elim_o0 build_fdeps anti_dependency_analyzer dead_code_elim_o0 lower_control"
	const loops = "birverifier lnc_verifier flatten_small_loops loop_optimization sb_size_legalization full_unroll_some heuristic_unroll pre_sched pre_sched build_fdeps anti_dependency_analyzer full_unroll_all " +
		"anti_dependency_analyzer dead_code_elim_o1 localize_shared_memory birverifier lnc_verifier"
	want := map[string]string{
		"O0": "unroll dead_code_elim_o0 non_ssa_legalization linear_scan_allocator lower_control", "O1": front, "O2": front, "O3": front,
		"O2-loops": loops,
		"O3-loops": "loop_optimization sb_size_legalization full_unroll_some pre_sched linear_scan_allocator full_unroll_all dead_code_elim_o1 localize_shared_memory",
		"O2-sync":  front + " synchronizer alloc_semaphores", "O2-loops-sync": loops + " lower_control synchronizer alloc_semaphores",
	}
	for _, level := range Levels() {
		ps, err := Pipeline(level)
		if err != nil {
			t.Fatal(err)
		}
		if got := names(ps); got != want[level] {
			t.Errorf("%s: got %s, want %s", level, got, want[level])
		}
		if err := Check(ps, 0); err != nil {
			t.Errorf("%s: %v", level, err)
		}
	}
	_, err := Pipeline("O9")
	if err == nil || err.Error() != `no level "O9"; the levels are O0, O1, O2, O3, O2-loops, O3-loops, O2-sync, O2-loops-sync` {
		t.Errorf("got %v", err)
	}
}

// The order numbers of a list ascend, and a pass stands at the number that its row gives.
func TestRows(t *testing.T) {
	for _, level := range Levels() {
		rows, err := Rows(level)
		if err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, r := range rows {
			if r.Order != 0 && r.Order <= last {
				t.Errorf("%s: %s has number %d after %d", level, r.Name, r.Order, last)
			}
			last = max(last, r.Order)
			if r.Exists != slices.Contains(Known(), r.Name) || r.Exists && r.Pass.Order != r.Order {
				t.Errorf("%s: row %s: exists %v, order %d, pass order %d", level, r.Name, r.Exists, r.Order, r.Pass.Order)
			}
		}
	}
	rows, _ := Rows("O2")
	at := func(order int) string {
		return rows[slices.IndexFunc(rows, func(r Row) bool { return r.Order == order })].Name
	}
	if at(11) != "dead_code_elim_o1" || at(16) != "instruction_reorder" || at(66) != "dead_code_elim_o0" || at(92) != "post_sched" {
		t.Error("a documented order number is wrong")
	}
}

// Rule names are unique but where two rows of one class share the rule, and every rule says what it does.
func TestRules(t *testing.T) {
	seen, shared := map[string]*Rule{}, map[string]int{}
	for _, p := range known() {
		if p.Doc == "" || p.Verifies != (len(p.Rules) == 0) {
			t.Errorf("%s: no doc, or no rules, or a verifier with rules", p.Name)
		}
		for _, k := range p.Knobs {
			if k.Name == "" || k.Doc == "" {
				t.Errorf("%s: a knob without name or doc", p.Name)
			}
		}
		for _, r := range p.Rules {
			if r.Doc == "" || seen[r.Name] != nil && seen[r.Name] != r {
				t.Errorf("rule %s: no doc, or two rules of that name", r.Name)
			}
			if r.Shared != "" && seen[r.Name] == nil {
				shared[r.Shared]++
			}
			seen[r.Name] = r
		}
	}
	for code, rules := range shared {
		if rules < 2 {
			t.Errorf("%q is shared by a single rule", code)
		}
	}
}

// Levels 1 to 3 are one list with other knobs; what a level does not set is at its default. A place that is off by default is no part of the
// pipeline even when its pass exists.
func TestKnobs(t *testing.T) {
	pass := Pass{Name: "p", Knobs: []Knob{{Name: "level", Doc: "d", Value: 7}, {Name: "other", Doc: "d", Value: 8}}}
	knobs := func(rs []Row) string {
		var out []string
		for _, r := range rs {
			for _, k := range r.Knobs {
				out = append(out, fmt.Sprintf("%s.%s=%d", r.Name, k.Name, k.Value))
			}
		}
		return strings.Join(out, " ")
	}
	set := []levelKnob{{"p", "level", 1}, {"q", "size", 3}}
	rows := rowsFrom("p 3:q r?flag p?other-flag", set, []Pass{pass})
	if got := knobs(rows); got != "p.level=1 p.other=8 q.size=3 p.level=1 p.other=8" {
		t.Errorf("got %s", got)
	}
	if got := knobs(rowsFrom("p", nil, []Pass{pass})); got != "p.level=7 p.other=8" {
		t.Errorf("the default is gone: %s", got)
	}
	if rows[2].Flag != "flag" || rows[2].Name != "r" || rows[1].Order != 3 || names(existing(rows)) != "p" {
		t.Errorf("got %+v", rows)
	}
	run := rows[0].Pass
	run.Run = func(c *Ctx) error { return &Failure{Crash, fmt.Sprint(c.Knob("level"), c.Knob("other"))} }
	if s := steps(parse(t, sample), Unlimited(), run)[0]; s.Failure.Detail != "1 8" {
		t.Errorf("the pass sees %v", s.Failure)
	}
}

// Where the documents name levels of pre_sched, they are 1 and 2.
func TestLevelKnobs(t *testing.T) {
	for level, want := range map[string]string{"O1": "1 1 1", "O2": "2 2 2", "O3": "2 3 3"} {
		rows, err := Rows(level)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range rows {
			if r.Name == "pre_sched" || r.Name == "post_sched" {
				got = append(got, fmt.Sprint(r.Knobs[len(r.Knobs)-1].Value))
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: got %v, want %s", level, got, want)
		}
	}
}

// TestContractWords: a contract is printed in words; one that nobody named prints as "?".
func TestContractWords(t *testing.T) {
	for _, p := range known() {
		words := p.Contract.Order.String() + p.Contract.Fences.String()
		for _, l := range p.Contract.Same {
			words += l.String()
		}
		if strings.Contains(words, "?") {
			t.Errorf("%s: a contract without words: %s", p.Name, words)
		}
	}
}
