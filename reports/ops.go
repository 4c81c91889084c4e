package reports

import (
	"fmt"
	"io"
	"strings"

	"birfuzz/ir"
)

// opRow is a row of the op table as people and programs read it.
type opRow struct {
	Name     string   `json:"name"`
	Opcode   string   `json:"opcode"`
	Doc      string   `json:"doc"`
	Engines  string   `json:"engines"`
	Outs     []string `json:"outs"`
	Ins      []string `json:"ins"`
	Settings []string `json:"settings"`
}

func opRows() []opRow {
	var rows []opRow
	for s := range ir.Ops {
		r := opRow{Name: s.Name, Opcode: s.JSON, Doc: s.Doc, Engines: engines(s)}
		for i := range s.Outs {
			r.Outs = append(r.Outs, operand(&s.Outs[i]))
		}
		for i := range s.Ins {
			r.Ins = append(r.Ins, operand(&s.Ins[i]))
		}
		for _, id := range s.Params {
			r.Settings = append(r.Settings, id.Spec().Key)
		}
		for _, w := range s.When {
			r.Settings = append(r.Settings, fmt.Sprintf("%s=%d", w.ID.Spec().Key, w.I))
		}
		rows = append(rows, r)
	}
	return rows
}

// engines lists the legal engines; generations that differ from gen3 are named.
func engines(s *ir.Spec) string {
	text := setNames(s.Engines[ir.Gen3])
	for a := ir.Arch(0); a < ir.NumArch; a++ {
		if s.Engines[a] != s.Engines[ir.Gen3] {
			text += fmt.Sprintf(" (%s: %s)", a, setNames(s.Engines[a]))
		}
	}
	return text
}

func setNames(s ir.EngineSet) string {
	var names []string
	for _, e := range s.List() {
		names = append(names, e.String())
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

func operand(o *ir.OperandSpec) string {
	text := o.Name + "[" + strings.Join(strings.Split(o.Shape, ""), ",") + "]"
	if o.Opt {
		return "(" + text + ")"
	}
	return text
}

// Ops prints the op table; with names, which are those of ops or opcodes, all that is known about these.
func Ops(w io.Writer, names []string, asJSON bool) error {
	rows, err := opsNamed(names)
	switch {
	case err != nil:
		return err
	case asJSON:
		return printJSON(w, rows)
	case len(names) == 0:
		return opTable(w, rows)
	}
	for i := range rows {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := opText(w, &rows[i]); err != nil {
			return err
		}
	}
	return nil
}

// opsNamed returns the rows with these names, all without any.
func opsNamed(names []string) ([]opRow, error) {
	all := opRows()
	if len(names) == 0 {
		return all, nil
	}
	var out []opRow
	for _, n := range names {
		found := len(out)
		for _, r := range all {
			if r.Name == n || r.Opcode == n {
				out = append(out, r)
			}
		}
		if len(out) == found {
			return nil, fmt.Errorf("no op %q; `birfuzz ops` lists them", n)
		}
	}
	return out, nil
}

// everyEngine is the list of all engines, which is too long for a table.
var everyEngine = setNames(^ir.EngineSet(0) &^ ir.Engines(ir.Unassigned))

func opTable(w io.Writer, rows []opRow) error {
	var cells [][]string
	for _, r := range rows {
		opcode := r.Opcode
		if opcode == r.Name {
			opcode = ""
		}
		cells = append(cells, []string{r.Name, opcode, r.form(), strings.Replace(r.Engines, everyEngine, "any", 1)})
	}
	if err := table(w, []string{"op", "opcode, if another", "outs ← ins", "engines"}, nil, cells); err != nil {
		return err
	}
	_, err := fmt.Fprintln(w, "\n`birfuzz ops NAME…` prints what an op means and its settings, `birfuzz ops -json` everything.")
	return err
}

// form writes an op as an assignment.
func (r *opRow) form() string {
	return strings.TrimSpace(strings.Join(r.Outs, " ") + " ← " + strings.Join(r.Ins, " "))
}

func opText(w io.Writer, r *opRow) error {
	settings := strings.Join(r.Settings, " ")
	if settings == "" {
		settings = "none"
	}
	_, err := fmt.Fprintf(w, "%s (opcode %s)\n  %s\n  engines:  %s\n  settings: %s\n%s\n",
		r.Name, r.Opcode, r.form(), r.Engines, settings, wrap(r.Doc, "  "))
	return err
}
