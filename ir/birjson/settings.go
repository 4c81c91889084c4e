package birjson

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"birfuzz/ir"
)

// form returns the row of an instruction: of the rows with its opcode, the one whose When settings it has.
func (r *reader) form(v, opcode value) *ir.Spec {
	name := string(r.text(opcode, "an opcode"))
	rows, ok := r.rows[name]
	if !ok {
		rows = ir.RowsOf(name)
		r.rows[name] = rows
	}
	for _, row := range rows {
		if r.isForm(row) {
			return row
		}
	}
	if len(rows) == 0 {
		r.fail(opcode, "no instruction %q", name)
	} else {
		r.fail(v, "no form of %s has these settings together: %s", name, r.formSettings(rows))
	}
	return nil
}

// isForm tells whether the settings in r.rest are those that the row implies.
func (r *reader) isForm(row *ir.Spec) bool {
	for _, w := range row.When {
		got := w.ID.Spec().Def
		if m := r.find(w.ID); m != nil {
			got = r.setting(m.val, w.ID).I
		}
		if got != w.I {
			return false
		}
	}
	return true
}

// find returns the member of r.rest that spells the setting, nil if none does.
func (r *reader) find(id ir.ParamID) *member {
	for i := range r.rest {
		if spells(r.rest[i].key, id) {
			return &r.rest[i]
		}
	}
	return nil
}

func (r *reader) formSettings(rows []*ir.Spec) string {
	var out []string
	for _, w := range rows[0].When {
		if m := r.find(w.ID); m != nil {
			out = append(out, fmt.Sprintf("%s %s", m.key, r.describe(m.val)))
		}
	}
	return strings.Join(out, ", ")
}

// spells tells whether key is a spelling of the setting.
func spells(key []byte, id ir.ParamID) bool {
	s := id.Spec()
	return string(key) == s.Key || slices.Contains(s.Aliases, string(key))
}

// settingOf returns the setting of the row that key spells.
func settingOf(row *ir.Spec, key []byte) (id ir.ParamID, form, ok bool) {
	for _, w := range row.When {
		if spells(key, w.ID) {
			return w.ID, true, true
		}
	}
	for _, id := range row.Params {
		if spells(key, id) {
			return id, false, true
		}
	}
	return 0, false, false
}

// settings reads what is left in r.rest: settings of the row, and unknown keys.
func (r *reader) settings(in *ir.Inst, row *ir.Spec) {
	var seen [ir.NumParams]bool
	var flag value
	for _, m := range r.rest {
		id, form, ok := settingOf(row, m.key)
		switch {
		case form: // the row implies it
		case ok:
			p := r.setting(m.val, id)
			if seen[id] && in.Int(id) != p.I { // only enumerations have two spellings
				r.fail(m.val, "another spelling of %s says otherwise", id.Spec().Key)
			}
			seen[id] = true
			if r.err == nil {
				in.SetParam(p)
			}
		case string(m.key) == "accumulation_flag" && row.HasParam(ir.PStart):
			flag = m.val
		default:
			r.keep(m.val)
		}
	}
	if flag.given() {
		r.accumulationFlag(in, flag, seen[ir.PStart], seen[ir.PStop])
	}
}

// The bits of accumulation_flag.
const (
	flagStart = 1 << iota
	flagStop
	flagAccumulate
)

// accumulationFlag reads the other form of start_tensor_calc and stop_tensor_calc. The form without the accumulate bit is legal: 0 reads as
// a lone member, 2 as the last of a group (bir-json.md, "Small things settled"). Given together, the two forms must agree.
func (r *reader) accumulationFlag(in *ir.Inst, v value, start, stop bool) {
	flag := r.int(v, 0, flagStart|flagStop|flagAccumulate)
	if flag&flagStart != 0 && flag&flagAccumulate != 0 {
		r.mismatch(v, "start (1) or accumulate (4), not both")
	}
	if flag == 0 {
		flag = flagStart | flagStop
	}
	r.flagBit(in, v, ir.PStart, flag&flagStart, start)
	r.flagBit(in, v, ir.PStop, flag&flagStop>>1, stop)
}

func (r *reader) flagBit(in *ir.Inst, v value, id ir.ParamID, bit int64, given bool) {
	if given && in.Int(id) != bit {
		r.fail(v, "%s says otherwise", id.Spec().Key)
	}
	in.SetInt(id, bit)
}

// setting reads the value of a setting.
func (r *reader) setting(v value, id ir.ParamID) ir.Param {
	s := id.Spec()
	p := ir.Param{ID: id}
	switch s.Kind {
	case ir.BoolParam:
		if r.bool(v) {
			p.I = 1
		}
	case ir.IntParam:
		if isBits(s) {
			p.I = int64(r.bits(v))
		} else {
			p.I = r.int(v, s.Min, s.Max)
		}
	case ir.FloatParam:
		p.F = r.float(v)
	case ir.EnumParam:
		p.I = r.enum(v, s)
	case ir.ListParam:
		p.L = r.ints(v, s.Min, s.Max)
		if s.Len > 0 && len(p.L) != s.Len {
			r.fail(v, "got %d numbers, want %d", len(p.L), s.Len)
		}
	default:
		p.LL = r.lists(v, s)
	}
	return p
}

// isBits tells whether an integer setting takes every 64-bit value: it is a bit pattern, written unsigned.
func isBits(s *ir.ParamSpec) bool { return s.Min == math.MinInt64 && s.Max == math.MaxInt64 }

func (r *reader) enum(v value, s *ir.ParamSpec) int64 {
	text := r.text(v, "a string")
	i := slices.Index(s.Names, string(text))
	if i < 0 {
		r.mismatch(v, "one of "+strings.Join(s.Names, ", "))
	}
	return int64(i)
}

func (r *reader) lists(v value, s *ir.ParamSpec) [][]int64 {
	out := make([][]int64, 0, r.len(v))
	for it := r.list(v); it.next(); {
		l := r.ints(it.val, s.Min, s.Max)
		if s.Kind == ir.PairsParam && len(l) != 2 {
			r.fail(it.val, "got %d numbers, want 2", len(l))
		}
		out = append(out, l)
	}
	return out
}
