package reports

import (
	"fmt"
	"io"
	"strings"

	"birfuzz/passes"
)

// passRow is one place of a level's list as programs read it.
type passRow struct {
	Order  int       `json:"order"`
	Pass   string    `json:"pass"`
	Exists bool      `json:"exists"`
	Doc    string    `json:"doc,omitempty"`
	Needs  []string  `json:"needs,omitempty"`
	Gives  []string  `json:"gives,omitempty"`
	Drops  []string  `json:"drops,omitempty"`
	Rules  []ruleRow `json:"rules,omitempty"`
}

// ruleRow is one rule of a pass.
type ruleRow struct {
	Rule string `json:"rule"`
	Doc  string `json:"doc"`
	Must bool   `json:"must"`
}

func passRows(rows []passes.Row) []passRow {
	out := make([]passRow, len(rows))
	for i, r := range rows {
		c := r.Pass.Contract
		out[i] = passRow{Order: r.Order, Pass: r.Name, Exists: r.Exists, Doc: r.Pass.Doc, Needs: c.Needs.List(), Gives: c.Gives.List(), Drops: c.Drops.List()}
		for _, rule := range r.Pass.Rules {
			out[i].Rules = append(out[i].Rules, ruleRow{rule.Name, rule.Doc, rule.Must})
		}
	}
	return out
}

// Passes prints the list of a level: order number, contract, rules; a pass of the documents' list that does not exist yet says so. What the
// passes and their rules do stands below.
func Passes(w io.Writer, level string, rows []passes.Row) error {
	all := passRows(rows)
	var cells [][]string
	exist := 0
	for _, r := range all {
		order, what := "", "does not exist yet"
		if r.Order > 0 {
			order = fmt.Sprint(r.Order)
		}
		if r.Exists {
			what = contract(r)
			exist++
		}
		cells = append(cells, []string{order, r.Pass, what, ruleNames(r.Rules)})
	}
	fmt.Fprintf(w, "level %s: %d of its %d passes exist and run\n\n", level, exist, len(all))
	if err := table(w, []string{"order", "pass", "contract", "rules"}, []int{0}, cells); err != nil {
		return err
	}
	return passDocs(w, all)
}

// passDocs says what each pass and each of its rules does, once.
func passDocs(w io.Writer, rows []passRow) error {
	said := map[string]bool{}
	for _, r := range rows {
		if !r.Exists || said[r.Pass] {
			continue
		}
		said[r.Pass] = true
		fmt.Fprintf(w, "\n%s\n%s\n", r.Pass, wrap(r.Doc, "  "))
		for _, rule := range r.Rules {
			owed := ""
			if rule.Must {
				owed = " Owed to a fact: never left out."
			}
			if _, err := fmt.Fprintf(w, "  %s\n%s\n", rule.Rule, wrap(rule.Doc+owed, "    ")); err != nil {
				return err
			}
		}
	}
	return nil
}

func contract(r passRow) string {
	var parts []string
	for _, p := range []struct {
		word  string
		facts []string
	}{{"needs", r.Needs}, {"gives", r.Gives}, {"drops", r.Drops}} {
		if len(p.facts) > 0 {
			parts = append(parts, p.word+" "+strings.Join(p.facts, " "))
		}
	}
	if len(parts) == 0 {
		return "keeps meaning"
	}
	return strings.Join(parts, ", ")
}

func ruleNames(rules []ruleRow) string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Rule)
	}
	return strings.Join(names, " ")
}

// PassesJSON prints the list of a level as one JSON array.
func PassesJSON(w io.Writer, rows []passes.Row) error { return printJSON(w, passRows(rows)) }
