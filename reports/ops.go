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

// Ops prints the op table.
func Ops(w io.Writer) error {
	var rows [][]string
	for _, r := range opRows() {
		rows = append(rows, []string{r.Name, r.Opcode, strings.Join(r.Outs, " "), strings.Join(r.Ins, " "), strings.Join(r.Settings, " "), r.Engines, firstLine(r.Doc)})
	}
	return table(w, []string{"op", "opcode", "outs", "ins", "settings", "engines", "meaning"}, nil, rows)
}

// OpsJSON prints the op table as one JSON array.
func OpsJSON(w io.Writer) error { return printJSON(w, opRows()) }
