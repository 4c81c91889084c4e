package reports

import (
	"fmt"
	"io"
	"strings"

	"birfuzz/passes"
)

// passRow is one place of a pass list as programs read it.
type passRow struct {
	Level    string    `json:"level,omitempty"`
	Order    int       `json:"order"`
	Pass     string    `json:"pass"`
	Exists   bool      `json:"exists"`
	Flag     string    `json:"off_without,omitempty"`
	Verifies bool      `json:"verifies,omitempty"`
	Doc      string    `json:"doc,omitempty"`
	Needs    []string  `json:"needs,omitempty"`
	Gives    []string  `json:"gives,omitempty"`
	Drops    []string  `json:"drops,omitempty"`
	Promise  *promise  `json:"contract,omitempty"`
	Knobs    []knobRow `json:"knobs,omitempty"`
	Rules    []ruleRow `json:"rules,omitempty"`
}

// promise is what a contract says beside facts.
type promise struct {
	Same         []string `json:"same"`
	Attributes   []string `json:"free_attributes,omitempty"` // of functions, which may come and go
	Instructions string   `json:"instructions"`
	Fences       string   `json:"fences"`
	Arithmetic   bool     `json:"arithmetic"`
	ULP          float64  `json:"ulp"`
	Reassociates bool     `json:"reassociates"`
	Idempotent   bool     `json:"idempotent"`
}

// knobRow is one knob at the value that it has in the list.
type knobRow struct {
	Knob  string  `json:"knob"`
	Value int64   `json:"value"`
	Doc   string  `json:"doc,omitempty"`
	Drawn []int64 `json:"drawn,omitempty"` // the least and the greatest value that campaigns draw, where they draw any
}

// ruleRow is one rule of a pass.
type ruleRow struct {
	Rule string `json:"rule"`
	Doc  string `json:"doc"`
	Must bool   `json:"must"`
}

func passRows(level string, rows []passes.Row) []passRow {
	out := make([]passRow, len(rows))
	for i, r := range rows {
		out[i] = passRow{Level: level, Order: r.Order, Pass: r.Name, Exists: r.Exists, Flag: r.Flag}
		for _, k := range r.Knobs {
			row := knobRow{Knob: k.Name, Value: k.Value, Doc: k.Doc}
			if least, most := k.DrawRange(); least < most {
				row.Drawn = []int64{least, most}
			}
			out[i].Knobs = append(out[i].Knobs, row)
		}
		if r.Exists {
			out[i].describe(&r.Pass)
		}
	}
	return out
}

func (r *passRow) describe(p *passes.Pass) {
	c := &p.Contract
	r.Verifies, r.Doc = p.Verifies, p.Doc
	r.Needs, r.Gives, r.Drops = c.Needs.List(), c.Gives.List(), c.Drops.List()
	r.Promise = &promise{Same: []string{}, Attributes: c.Attributes, Instructions: c.Order.String(), Fences: c.Fences.String(), Arithmetic: c.Arithmetic, ULP: c.Number.ULP,
		Reassociates: c.Number.Reassociate, Idempotent: c.Once}
	for _, l := range c.Same {
		r.Promise.Same = append(r.Promise.Same, l.String())
	}
	for _, rule := range p.Rules {
		r.Rules = append(r.Rules, ruleRow{rule.Name, rule.Doc, rule.Must})
	}
}

// Passes prints a pass list, that of a level or one that a user made: order number, contract, rules; a pass of the documents' list that does
// not exist yet says so. What the passes, their knobs and their rules do and promise stands below. title says which list it is.
func Passes(w io.Writer, title string, rows []passes.Row) error {
	all := passRows("", rows)
	var cells [][]string
	run := 0
	for _, r := range all {
		order := ""
		if r.Order > 0 {
			order = fmt.Sprint(r.Order)
		}
		if r.Exists && r.Flag == "" {
			run++
		}
		cells = append(cells, []string{order, r.Pass, fold(append(r.state(), r.knobs()...), ", ", stateWidth), fold(ruleNames(r.Rules), " ", ruleWidth)})
	}
	fmt.Fprintf(w, "%s: %d of its %d passes exist and run\n\n", title, run, len(all))
	if err := table(w, []string{"order", "pass", "contract, knobs", "rules"}, []int{0}, cells); err != nil {
		return err
	}
	return passDocs(w, all)
}

// Widths of table cells that hold lists, in characters.
const (
	stateWidth = 42
	ruleWidth  = 42
)

// fold joins a list and breaks it into lines of a width.
func fold(list []string, separator string, width int) string {
	var b strings.Builder
	column := 0
	for i, s := range list {
		if i > 0 {
			b.WriteString(separator)
			if column += len(separator); column+len(s) > width {
				b.WriteByte('\n')
				column = 0
			}
		}
		b.WriteString(s)
		column += len(s)
	}
	return b.String()
}

// state says in a few words what a pass does to facts, or why it does not run.
func (r *passRow) state() []string {
	var parts []string
	switch {
	case !r.Exists:
		parts = append(parts, "does not exist yet")
	case r.Verifies:
		parts = append(parts, "verifies")
	}
	for _, p := range []struct {
		word  string
		facts []string
	}{{"needs", r.Needs}, {"gives", r.Gives}, {"drops", r.Drops}} {
		if len(p.facts) > 0 {
			parts = append(parts, p.word+" "+strings.Join(p.facts, " "))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, "keeps meaning")
	}
	switch r.Flag {
	case "":
	case passes.OffByDefault:
		parts = append(parts, "off by default")
	default:
		parts = append(parts, "off without "+r.Flag)
	}
	return parts
}

func (r *passRow) knobs() []string {
	var list []string
	for _, k := range r.Knobs {
		list = append(list, fmt.Sprintf("%s=%d", k.Knob, k.Value))
	}
	return list
}

// drawn says in a sentence what values campaigns draw, "" where they draw none.
func (k *knobRow) drawn() string {
	if len(k.Drawn) == 0 {
		return ""
	}
	return fmt.Sprintf(" Campaigns draw %d to %d.", k.Drawn[0], k.Drawn[1])
}

func ruleNames(rules []ruleRow) []string {
	var names []string
	for _, r := range rules {
		names = append(names, r.Rule)
	}
	return names
}

// passDocs says what each pass, each of its knobs and each of its rules does, once.
func passDocs(w io.Writer, rows []passRow) error {
	said := map[string]bool{}
	for i := range rows {
		r := &rows[i]
		if !r.Exists || said[r.Pass] {
			continue
		}
		said[r.Pass] = true
		fmt.Fprintf(w, "\n%s\n%s\n%s\n", r.Pass, wrap(r.Doc, "  "), wrap(r.Promise.String(), "  "))
		for _, k := range r.Knobs {
			fmt.Fprintf(w, "  %s=%d\n%s\n", k.Knob, k.Value, wrap("Knob: "+k.Doc+"."+k.drawn(), "    "))
		}
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

// String says in a sentence what the pass promises beside meaning.
func (p *promise) String() string {
	text := "Promises: instructions " + p.Instructions + ", fences " + p.Fences
	if len(p.Same) > 0 {
		text += ", same " + strings.Join(p.Same, " ")
	}
	if len(p.Attributes) > 0 {
		text += " but for " + strings.Join(p.Attributes, " ")
	}
	if p.Arithmetic {
		text += ", arithmetic rewritten"
	}
	if p.ULP > 0 {
		text += fmt.Sprintf(", numbers within %g ULP", p.ULP)
	}
	if p.Reassociates {
		text += ", sums in any order"
	}
	if p.Idempotent {
		text += ", idempotent"
	}
	return text + "."
}

// PassList is a pass list and the level that it is of.
type PassList struct {
	Level string // "" of a list that a user made
	Rows  []passes.Row
}

// PassesJSON prints pass lists, one after the other, as one JSON array.
func PassesJSON(w io.Writer, lists []PassList) error {
	var all []passRow
	for _, l := range lists {
		all = append(all, passRows(l.Level, l.Rows)...)
	}
	return printJSON(w, all)
}
