package passes

import (
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
	const front = "dead_code_elim_o1 instruction_reorder dead_code_elim_o0 dead_code_elim_o0 dead_code_elim_o0"
	want := map[string]string{
		"O0": "dead_code_elim_o0", "O1": front, "O2": front, "O3": front,
		"O2-loops": "dead_code_elim_o1", "O3-loops": "dead_code_elim_o1",
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
	if err == nil || err.Error() != `no level "O9"; the levels are O0, O1, O2, O3, O2-loops, O3-loops` {
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

func TestNamed(t *testing.T) {
	ps, err := Named("instruction_reorder, dead_code_elim_o0,mine", Pass{Name: "mine"})
	if err != nil || names(ps) != "instruction_reorder dead_code_elim_o0 mine" {
		t.Errorf("got %s, %v", names(ps), err)
	}
	for _, list := range []string{"dce", "", "dead_code_elim_o0,"} {
		_, err = Named(list)
		if err == nil || !strings.HasSuffix(err.Error(), "the passes are dead_code_elim_o0, dead_code_elim_o1, instruction_reorder") {
			t.Errorf("%q: got %v", list, err)
		}
	}
}

// Rule names are unique but where two rows of one class share the rule, and every rule says what it does.
func TestRules(t *testing.T) {
	seen := map[string]*Rule{}
	for _, p := range known() {
		if p.Doc == "" || len(p.Rules) == 0 {
			t.Errorf("%s: no doc or no rules", p.Name)
		}
		for _, r := range p.Rules {
			if r.Doc == "" || seen[r.Name] != nil && seen[r.Name] != r {
				t.Errorf("rule %s: no doc, or two rules of that name", r.Name)
			}
			seen[r.Name] = r
		}
	}
}
