package fuzz_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/leanovate/gopter"
	quick "github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"

	"birfuzz/fuzz"
	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birjson"
	"birfuzz/ir/birtest"
	"birfuzz/ir/num"
	"birfuzz/oracle"
)

// properties are laws of the judge's foundations, for programs and accesses that gopter draws and, where one fails, makes small.
func properties(t *testing.T, often int) *gopter.Properties {
	t.Helper()
	if birtest.Quick() {
		often /= 15
	}
	params := gopter.DefaultTestParametersWithSeed(11)
	params.MinSuccessfulTests = often
	return gopter.NewProperties(params)
}

// tensorBytes is the size of the tensor in DRAM that drawn accesses touch.
const tensorBytes = 200

// access is a pattern of up to three levels on that tensor.
type access struct {
	Off                 int64
	Step0, Step1, Step2 int32
	Num0, Num1, Num2    int32
}

// operand returns the access as an operand: cut down to what the tensor holds.
func (a access) operand(l *ir.Loc) *ir.Operand {
	o := &ir.Operand{Kind: ir.APOperand, DType: num.UInt8, N: 3, Loc: l, Off: ir.Konst(a.Off)}
	o.AP[0], o.AP[1], o.AP[2] = ir.Pair{Step: a.Step0, Num: a.Num0}, ir.Pair{Step: a.Step1, Num: a.Num1}, ir.Pair{Step: a.Step2, Num: a.Num2}
	for i := range 3 {
		for lastByte(o) >= tensorBytes && o.AP[i].Num > 1 {
			o.AP[i].Num--
		}
	}
	return o
}

// lastByte returns the last byte that the pattern comes to.
func lastByte(o *ir.Operand) int64 {
	at := o.Off.C
	for _, p := range o.Pairs() {
		at += int64(p.Step) * int64(p.Num-1)
	}
	return at
}

// touchedBy lists the bytes of a pattern one by one.
func touchedBy(o *ir.Operand) map[int64]bool {
	out := map[int64]bool{}
	for i := range o.AP[0].Num {
		for j := range o.AP[1].Num {
			for k := range o.AP[2].Num {
				out[o.Off.C+int64(i*o.AP[0].Step+j*o.AP[1].Step+k*o.AP[2].Step)] = true
			}
		}
	}
	return out
}

func accesses() gopter.Gen {
	step, number := quick.Int32Range(0, 40), quick.Int32Range(1, 6)
	return quick.Struct(reflect.TypeFor[access](), map[string]gopter.Gen{"Off": quick.Int64Range(0, tensorBytes-1),
		"Step0": step, "Step1": step, "Step2": step, "Num0": number, "Num1": number, "Num2": number})
}

// TestAccessLaws: two accesses overlap, and one covers the other, where their bytes do.
func TestAccessLaws(t *testing.T) {
	p, err := ir.Parse("t.bir", fmt.Sprintf("func f {\n  dram t: u8[1,%d]\n}", tensorBytes))
	if err != nil {
		t.Fatal(err)
	}
	tensor := p.Cores[0].Sets[0].Locs[0]
	law := properties(t, 20_000)
	law.Property("accesses overlap where they share bytes", prop.ForAll(func(a, b access) bool {
		x, y := a.operand(tensor), b.operand(tensor)
		shared, other := false, touchedBy(y)
		for at := range touchedBy(x) {
			shared = shared || other[at]
		}
		return ir.Overlap(x, y) == shared && ir.Overlap(y, x) == shared
	}, accesses(), accesses()))
	law.Property("what covers an access holds all its bytes", prop.ForAll(func(a, b access) bool {
		x, y := a.operand(tensor), b.operand(tensor)
		wx, wy := x.Walk(), y.Walk()
		if !wx.Covers(&wy) {
			return true
		}
		have := touchedBy(x)
		for at := range touchedBy(y) {
			if !have[at] {
				return false
			}
		}
		return true
	}, accesses(), accesses()))
	law.TestingRun(t)
}

// TestProgramLaws: a program is the same in either form, and is judged the same as itself.
func TestProgramLaws(t *testing.T) {
	t.Parallel()
	judge := oracle.NewJudge(oracle.Options{})
	law := properties(t, 1500)
	law.Property("the text form gives the program back", prop.ForAll(func(p *ir.Program) string {
		q, err := ir.Parse("p.bir", p.String())
		if err != nil {
			return err.Error()
		}
		return cmp.Diff(p.String(), q.String())
	}, gen.Programs(gen.Default())))
	law.Property("expressions are canonical", prop.ForAll(func(p *ir.Program) bool {
		for in := range p.Insts {
			for i := range in.Args {
				if off := in.Args[i].Off; slices.ContainsFunc(off.Terms, func(t ir.Term) bool { return t.Coef == 0 }) {
					return false
				}
			}
		}
		return true
	}, gen.Programs(gen.Default())))
	law.Property("bir.json gives the program back", prop.ForAll(func(p *ir.Program) string {
		text, err := birjson.Compact(p)
		if err != nil {
			return err.Error()
		}
		q, err := birjson.Read(bytes.NewReader(text), "p.bir.json")
		if err != nil {
			return err.Error()
		}
		return cmp.Diff(p.String(), q.String())
	}, gen.Programs(gen.Default())))
	law.Property("a program means the same as itself", prop.ForAll(func(p *ir.Program) string {
		if v := judge.Start(p, []ir.Values{fuzz.Inputs(3, p)[0].Values}); v.Kind == oracle.Void {
			return "" // a counter-example made smaller may read what nobody writes
		}
		if v := judge.Next(p, p.Clone(), ir.Contract{Same: []ir.Law{}}, true); v.Kind != oracle.Same {
			return v.String()
		}
		return ""
	}, gen.Programs(gen.Default())))
	law.TestingRun(t)
}

// TestScheduleLaw: where every instruction waits for the one before, any schedule of the engines gives what program order gives.
func TestScheduleLaw(t *testing.T) {
	t.Parallel()
	cfg := gen.Default()
	cfg.Features[gen.Loops], cfg.Features[gen.Predicates] = 0, 0
	law := properties(t, 90)
	law.Property("any schedule is program order", prop.ForAll(func(p *ir.Program, seed uint64) string {
		q := p.Clone()
		if p.Facts.Has(ir.Synced) || !serialise(q) {
			return ""
		}
		in := fuzz.Inputs(3, p)[0].Values
		want, err := oracle.Execute(p, in)
		if err != nil || want.Fault != nil {
			return ""
		}
		for _, text := range []string{"early", "late", fmt.Sprintf("pct:%d:3", seed)} {
			s, err := oracle.ParseSchedule(text)
			if err != nil {
				return err.Error()
			}
			got, err := oracle.ExecuteAs(q, in, s)
			if err != nil {
				return err.Error()
			}
			if d := cmp.Diff(want.Outputs, got.Outputs); d != "" || got.Fault != nil {
				return fmt.Sprintf("%s: %v\n%s", text, got.Fault, d)
			}
		}
		return ""
	}, gen.Programs(cfg), quick.UInt64()))
	law.TestingRun(t)
}
