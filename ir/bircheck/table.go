package bircheck

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

//go:embed table.txt
var tableText string

// row is one form of an opcode.
type row struct {
	opcode   string
	when     []setting // settings that tell the forms of one opcode apart
	engines  map[string][]string
	outs     []operandRule
	ins      []operandRule
	index    []operandRule
	settings []settingRule
	lanes    bool
	overlap  bool // an output may lie over an input in any way
	meets    bool
	loop     bool
	rules    []rule
}

// setting is a key with the text of its value.
type setting struct{ key, value string }

// operandRule is what an operand of a row may be.
type operandRule struct {
	name, memory, shape string
	types               []string
	like                string // the type of that operand
	imm, opt            bool
}

// rule is a rule of a row's own: its name, and arguments for it.
type rule struct {
	name string
	args []string
}

// opTable is table.txt by opcode, the forms of one opcode in file order.
type opTable struct {
	rows  map[string][]*row
	types map[string][]string
	words map[string][]string
}

// table is read once; it is a constant of the program, so that a wrong one is a bug and not an error.
var table = mustParse(tableText)

func mustParse(text string) *opTable {
	t, err := parseTable(text)
	if err != nil {
		panic(err)
	}
	return t
}

// parseTable reads the form that table.txt describes. Classes are read before rows, wherever they stand.
func parseTable(text string) (*opTable, error) {
	t := &opTable{rows: map[string][]*row{}, types: map[string][]string{}, words: map[string][]string{}}
	var now *row
	for pass := range 2 {
		for i, line := range strings.Split(text, "\n") {
			f := strings.Fields(strings.SplitN(line, "#", 2)[0])
			if len(f) == 0 {
				continue
			}
			class := f[0] == "types" || f[0] == "words"
			if class != (pass == 0) {
				continue
			}
			var err error
			if class {
				err = t.class(f)
			} else if now, err = t.line(now, f); err == nil && now == nil {
				err = fmt.Errorf("%s before the first op", f[0])
			}
			if err != nil {
				return nil, fmt.Errorf("line %d: %w", i+1, err)
			}
		}
	}
	return t, nil
}

// class adds a class of types or words; @NAME stands for those of another.
func (t *opTable) class(f []string) error {
	of := t.types
	if f[0] == "words" {
		of = t.words
	}
	if len(f) < 3 {
		return fmt.Errorf("%s: want a name and members", f[0])
	}
	for _, w := range f[2:] {
		if name, ref := strings.CutPrefix(w, "@"); !ref {
			of[f[1]] = append(of[f[1]], w)
		} else if of[name] == nil {
			return fmt.Errorf("no class %q above", name)
		} else {
			of[f[1]] = append(of[f[1]], of[name]...)
		}
	}
	return nil
}

// line adds a line to the row, or begins another.
func (t *opTable) line(r *row, f []string) (*row, error) {
	if f[0] == "op" {
		r = &row{opcode: f[1], engines: map[string][]string{}}
		for _, w := range f[2:] {
			key, value, _ := strings.Cut(w, "=")
			if _, ok := settingKeys[key]; !ok {
				return nil, fmt.Errorf("no setting %q", key)
			}
			r.when = append(r.when, setting{key, value})
		}
		t.rows[r.opcode] = append(t.rows[r.opcode], r)
		return r, nil
	}
	if r == nil {
		return nil, nil
	}
	switch f[0] {
	case "on":
		return r, r.on(f[1:])
	case "out", "in", "index":
		o, err := t.operand(f[1:])
		list := map[string]*[]operandRule{"out": &r.outs, "in": &r.ins, "index": &r.index}[f[0]]
		*list = append(*list, o)
		return r, err
	case "set":
		s, err := t.setting(f[1:])
		r.settings = append(r.settings, s)
		return r, err
	case "lanes":
		r.lanes = true
	case "any-overlap":
		r.overlap = true
	case "meets":
		r.meets = true
	case "loop":
		r.loop = true
	case "rule":
		r.rules = append(r.rules, rule{f[1], f[2:]})
	default:
		return nil, fmt.Errorf("unknown line %q", f[0])
	}
	return r, nil
}

func (r *row) on(f []string) error {
	for i, w := range f {
		if w != ":" {
			continue
		}
		for _, a := range f[:i] {
			if a == "all" {
				for g := range generations {
					r.engines[g] = f[i+1:]
				}
			} else if _, ok := generations[a]; ok {
				r.engines[a] = f[i+1:]
			} else {
				return fmt.Errorf("no generation %q", a)
			}
		}
		return nil
	}
	return fmt.Errorf("on: want generations : engines")
}

func (t *opTable) operand(f []string) (operandRule, error) {
	if len(f) < 4 || t.types[f[2]] == nil {
		return operandRule{}, fmt.Errorf("want NAME MEMORY TYPES SHAPE, not %s", strings.Join(f, " "))
	}
	o := operandRule{name: f[0], memory: f[1], types: t.types[f[2]], shape: f[3]}
	for _, w := range f[4:] {
		like, ok := strings.CutPrefix(w, "like=")
		switch {
		case ok:
			o.like = like
		case w == "imm":
			o.imm = true
		case w == "opt":
			o.opt = true
		default:
			return o, fmt.Errorf("unknown flag %q", w)
		}
	}
	return o, nil
}

func (t *opTable) setting(f []string) (settingRule, error) {
	s := settingRule{keys: []string{f[0]}, kind: f[1]}
	if _, ok := settingKeys[f[0]]; !ok {
		return s, fmt.Errorf("no setting %q", f[0])
	}
	if slices.Contains(accSpellings, f[0]) {
		s.keys = accSpellings
	}
	switch args := f[2:]; f[1] {
	case "word":
		s.words = t.words[args[0]]
		if s.words == nil {
			return s, fmt.Errorf("no words %q", args[0])
		}
	case "int", "list", "pairs", "lists":
		var err error
		if s.lo, err = strconv.ParseInt(args[0], 10, 64); err != nil {
			return s, err
		}
		if s.hi, err = strconv.ParseInt(args[1], 10, 64); err != nil {
			return s, err
		}
		if len(args) > 2 {
			s.len, err = strconv.Atoi(args[2])
		}
		return s, err
	case "bool", "number", "bits":
	default:
		return s, fmt.Errorf("no kind %q", f[1])
	}
	return s, nil
}

// accSpellings are the three names of the accumulator command.
var accSpellings = []string{"acc", "reduce_cmd", "accumulator_cmd"}

// form returns the row of an instruction, nil if no form of its opcode has its settings.
func (t *opTable) form(in *inst) *row {
	rows := t.rows[in.Opcode]
	for i, r := range rows {
		if r.is(in, rows[0]) {
			return rows[i]
		}
	}
	return nil
}

// is tells whether the instruction has the settings of the row; absent ones are those of the first row.
func (r *row) is(in *inst, first *row) bool {
	for i, w := range r.when {
		got := first.when[i].value
		if raw := in.raw(w.key); raw != nil {
			got = strings.Trim(string(raw), `"`)
		}
		if got != w.value {
			return false
		}
	}
	return true
}
