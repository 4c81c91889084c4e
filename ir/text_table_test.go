package ir

import (
	"os"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir/num"
)

// TestDocExample: the example in Parse's comment parses.
func TestDocExample(t *testing.T) {
	src, err := os.ReadFile("parse.go")
	if err != nil {
		t.Fatal(err)
	}
	var example strings.Builder
	for line := range strings.Lines(string(src)) {
		if strings.HasPrefix(line, "func Parse(") {
			break
		}
		if rest, ok := strings.CutPrefix(line, "//\t"); ok {
			example.WriteString(rest)
		}
	}
	if p := parseText(t, example.String()); p.NumInsts() != 6 || len(p.Consts) != 1 {
		t.Errorf("the example is\n%s", p)
	}
}

// TestSettingKeys: within a row a key means one setting, and no setting hides a word of the text form.
func TestSettingKeys(t *testing.T) {
	for row := range Ops {
		seen := []string{"queue", "source"}
		for _, id := range row.Params {
			if k := id.Spec().Key; slices.Contains(seen, k) {
				t.Errorf("%s: key %q twice", row.Name, k)
			} else {
				seen = append(seen, k)
			}
		}
		if _, isName := memWords.find(row.Name); isName || !isPlain(row.Name) {
			t.Errorf("%s is no name of an opcode in the text form", row.Name)
		}
	}
}

// TestEveryRow: an instruction of every row, all settings away from their defaults, survives the text form.
func TestEveryRow(t *testing.T) {
	for row := range Ops {
		if row.Effect == Control {
			continue
		}
		p := parseText(t, "func f {\n dram d: i32[32,8]\n sb s: f32[32,8]\n reg r\n I: NoOp\n}")
		fillRow(row, p.Cores[0])
		q := parseText(t, p.String())
		sameText(t, q.String(), p.String())
		got, want := q.Cores[0].Blocks[0].Insts[0], p.Cores[0].Blocks[0].Insts[0]
		if got.Op != want.Op || got.NOut != want.NOut || len(got.Args) != len(want.Args) || len(got.Params) != len(want.Params) || p.Hash() != q.Hash() {
			t.Errorf("%s comes back as\n%s", row.Name, q)
		}
		for i := range got.Args {
			w := want.Args[i]
			if w.Loc != nil {
				w.Loc = got.Args[i].Loc
			}
			if !got.Args[i].Equal(&w) {
				t.Errorf("%s: argument %d is %+v, want %+v", row.Name, i, got.Args[i], w)
			}
		}
	}
}

// fillRow makes the only instruction of f one of the row.
func fillRow(row *Spec, f *Func) {
	in := f.Blocks[0].Insts[0]
	in.Op, in.NOut = row.Op, uint8(len(row.Outs))
	locs := []*Loc{f.Sets[0].Locs[0], f.Sets[1].Locs[0]}
	for i, s := range slices.Concat(row.Outs, row.Ins) {
		l := locs[i%2]
		o := Operand{Kind: APOperand, DType: s.Types.List()[0], N: 2, Loc: l, AP: [5]Pair{{8, 32}, {1, 1}}}
		switch s.Role {
		case Register:
			o = Operand{Kind: RegOperand, DType: num.UInt32, Loc: f.Sets[2].Locs[0]}
		case RegOrImm, Scalar:
			o = Operand{Kind: ImmOperand, DType: s.Types.List()[0], Imm: -1.5}
		}
		in.Args = append(in.Args, o)
	}
	for _, id := range row.Params {
		s := id.Spec()
		v := Param{ID: id, I: s.Def ^ 1, F: -0.25, L: []int64{1, 2}, LL: [][]int64{{1, 2}, {3, -4}}}
		if s.Kind == EnumParam && len(s.Names) == 1 {
			v.I = s.Def // it has no other value
		}
		in.SetParam(v)
	}
}
