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

// Passes prints the list of a level: order number, contract, rules; a pass of the documents' list that does not exist yet says so.
func Passes(w io.Writer, level string, rows []passes.Row) error {
	fmt.Fprintf(w, "level %s\n\n", level)
	var cells [][]string
	for _, r := range passRows(rows) {
		order := fmt.Sprint(r.Order)
		if r.Order == 0 {
			order = ""
		}
		what := "does not exist yet"
		if r.Exists {
			what = contract(r)
		}
		cells = append(cells, []string{order, r.Pass, what, ruleNames(r.Rules)})
	}
	return table(w, []string{"order", "pass", "contract", "rules"}, []int{0}, cells)
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
