package ir

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"birfuzz/ir/num"
)

// parseText parses a program that must be good.
func parseText(t testing.TB, src string) *Program {
	t.Helper()
	p, err := Parse("test.bir", src)
	if err != nil {
		t.Fatalf("%v\n%s", err, src)
	}
	return p
}

// parseFile parses a file of testdata/text.
func parseFile(t testing.TB, name string) *Program {
	t.Helper()
	src, err := os.ReadFile(filepath.Join("testdata", "text", name))
	if err != nil {
		t.Fatal(err)
	}
	return parseText(t, string(src))
}

// sameText fails with the first line in which two texts differ.
func sameText(t testing.TB, got, want string) {
	t.Helper()
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range max(len(g), len(w)) {
		if i >= len(g) || i >= len(w) {
			t.Fatalf("%d lines, want %d", len(g), len(w))
		}
		if g[i] != w[i] {
			t.Fatalf("line %d:\n%s\nwant:\n%s", i+1, g[i], w[i])
		}
	}
}

// uncommented drops comments that stand on lines of their own.
func uncommented(src string) string {
	var out strings.Builder
	for line := range strings.Lines(src) {
		if !strings.HasPrefix(line, ";") {
			out.WriteString(line)
		}
	}
	return out.String()
}

// TestGoldenPrint: the files of testdata/text are in canonical form, so that printing what was parsed gives them back.
func TestGoldenPrint(t *testing.T) {
	files, err := filepath.Glob("testdata/text/*.bir")
	if err != nil || len(files) < 2 {
		t.Fatal("files missing", files, err)
	}
	for _, f := range files {
		t.Run(filepath.Base(f), func(t *testing.T) {
			src, err := os.ReadFile(f)
			if err != nil {
				t.Fatal(err)
			}
			p, err := Parse(f, string(src))
			if err != nil {
				t.Fatal(err)
			}
			sameText(t, p.String(), uncommented(string(src)))
		})
	}
}

// spelled are other spellings and the canonical one, inside a function with a body.
var spelled = []struct{ name, written, printed string }{
	{"full types", "I: t = Load x:float32 @SP", "I: t = Load x @SP"},
	{"whole location by slices", "I: t[0:128, 0:64] = Load x[:, :]", "I: t = Load x"},
	{"whole location by pairs", "I: t[64x128, 1x64] = Load x[64x128,1x64 at 0]", "I: t = Load x"},
	{"spaced pairs", "I: t[64 x 2, 1 x 2] = Load x[64x2, 1x2]", "I: t[0:2, 0:2] = Load x[0:2, 0:2]"},
	{"slice moved by a constant", "I: t[0:2, 0:8 at 64 + 8] = Load x", "I: t[1:3, 8:16] = Load x"},
	{"rectangle that leaves the row", "I: t[64x2, 1x8 at 60] = Load x", "I: t[64x2, 1x8 at 60] = Load x"},
	{"other pitch", "I: t[:, 0:64]:bf16 = Load x", "I: t[:, 0:64]:bf16 = Load x"},
	{"whole in another type", "I: t[128x128, 1x128]:bf16 = Load x", "I: t:bf16 = Load x"},
	{"lines inside brackets", "I: NoOp wait(1>=2,\n  3>=4)", "I: NoOp wait(1>=2, 3>=4)"},
	{"comment inside brackets", "I: NoOp wait(1>=2, ; why\n  3>=4)", "I: NoOp wait(1>=2, 3>=4)"},
	{"clauses in any order", "I: t = TensorTensor t, t update(1+=1) @DVE op=add", "I: t = TensorTensor t, t op=add @DVE update(1+=1)"},
	{"defaults", "I: t = Activation t func=Identity scale=1 acc=Idle", "I: t = Activation t"},
	{"alias of a setting", "I: t = Activation t reduce_cmd=Zero", "I: t = Activation t acc=Zero"},
	{"negative zero stays", "I: t = TensorScalar t const0=-0", "I: t = TensorScalar t const0=-0"},
	{"numbers", "I: t = TensorScalar t const0=1.50e2 const1=1e-7", "I: t = TensorScalar t const0=150 const1=1e-07"},
	{"flow edges", "I: NoOp after(flow J)\n    J: NoOp", "I: NoOp after(J)\n  J: NoOp"},
	{"an instruction named as an edge kind", "anti: NoOp after(J)\n    J: NoOp after(anti, anti anti)", "anti: NoOp after(J)\n  J: NoOp after(anti, anti anti)"},
	{"predicates on both sides", "L: for i = 0..2 {\nI: NoOp if(3 > 2*i)\n}", "L: for i = 0..2 {\n    I: NoOp if(-2*i > -3)\n  }"},
	{"minus without blanks", "L: for i = 0..2 {\nI: NoOp order(i-1)\n}", "L: for i = 0..2 {\n    I: NoOp order(i - 1)\n  }"},
	{"equal leaves merge", "L: for i = 0..2 {\nI: NoOp order(i+2+3*i-1, i-i)\n}", "L: for i = 0..2 {\n    I: NoOp order(4*i + 1, 0)\n  }"},
	{"smallest integer", "I: NoOp order(-9223372036854775808)", "I: NoOp order(-9223372036854775808)"},
	{"a location named as an opcode", "Max: Max = Max Max", "Max: Max = Max Max"},
}

const spelledIn = `module gen3

func f {
  input x: f32[128,64]
  sb t: f32[128,64]
  sb Max: f32[128,64]
Block1:
  %s
}
`

func TestSpellings(t *testing.T) {
	for _, c := range spelled {
		t.Run(c.name, func(t *testing.T) {
			p := parseText(t, strings.Replace(spelledIn, "%s", c.written, 1))
			sameText(t, p.String(), strings.Replace(spelledIn, "%s", c.printed, 1))
		})
	}
}

// TestDefaults: a text that leaves out all it can means what its long form says.
func TestDefaults(t *testing.T) {
	short := parseText(t, "func f {\n sb t: f32[4,4]\n I: t = Memset @DVE\n reg: NoOp }")
	sameText(t, short.String(), "module gen3\n\nfunc f {\n  sb t: f32[4,4]\nBlock1:\n  I: t = Memset @DVE\n  reg: NoOp\n}\n")
	if empty := parseText(t, ""); len(empty.Cores) != 0 || empty.Version != 2 || empty.CoreID != NoCore || empty.Arch != Gen3 {
		t.Errorf("empty text gives %+v", empty)
	}
}

// TestObjects: what a program was built from comes back from its text, where the text form has more than one way to hold it.
func TestObjects(t *testing.T) {
	p := parseFile(t, "everything.bir")
	f := p.Cores[0]
	insts := map[string]*Inst{}
	for in := range p.Insts {
		insts[in.Name] = in
	}
	a := insts["I-1"].Args
	want := []Operand{
		{Kind: APOperand, DType: num.BFloat16, N: 2, Loc: a[0].Loc, Off: Konst(8), AP: [5]Pair{{128, 64}, {1, 8}}},
		{Kind: APOperand, DType: num.Float32, N: 2, Loc: a[1].Loc, AP: [5]Pair{{512, 64}, {1, 512}}},
		{Kind: APOperand, DType: num.Float32r, N: 2, Loc: a[0].Loc, Off: Konst(64 * 64), AP: [5]Pair{{64, 64}, {1, 8}}},
		{Kind: APOperand, DType: num.Float32, N: 1, Loc: a[1].Loc, AP: [5]Pair{{1, 8}}},
		{Kind: APOperand, DType: num.Float32r, N: 0, Loc: a[0].Loc},
		{Kind: APOperand, DType: num.Float32r, N: 0, Loc: a[0].Loc, Off: Konst(-3)},
		{Kind: APOperand, DType: num.Float32r, N: 5, Loc: a[0].Loc, Off: Konst(7), AP: [5]Pair{{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 5}}},
	}
	if a[0].Loc.Name != "a" || a[1].Loc.Name != "b" || insts["I-1"].NOut != 2 || len(a) != len(want) {
		t.Fatal("I-1 has other operands")
	}
	for i := range want {
		if !a[i].Equal(&want[i]) {
			t.Errorf("argument %d is %+v, want %+v", i, a[i], want[i])
		}
	}
	s0 := insts["I-5"].Args
	if s0[2].Imm != 0.1 || !math.Signbit(s0[3].Imm) || s0[3].DType != num.Float32 || insts["I-3"].Args[1].DType != num.Int32 {
		t.Error("immediates differ")
	}
	if r9 := insts["I-3"].Args[0].Loc; !r9.Implicit || r9.Type != REG || f.Sets[len(f.Sets)-1].Locs[0] != r9 {
		t.Error("$r9 is no implicit register of the function")
	}
	if d := insts["I-16"]; d.Deps[0].On != insts["I-20"] || d.Deps[0].Kind != Flow || d.LoopDeps[0].On != d || d.LoopDeps[2].Dist != nil {
		t.Errorf("edges differ: %+v %+v", d.Deps, d.LoopDeps)
	}
	if ax := insts["I-17"].Args[0].Off.Terms; ax[0].Axis != insts["L0"].Loop || ax[1].Axis != insts["L1"].Loop {
		t.Error("axes are not the loops around")
	}
	if n, ok := p.Number(); int(insts["I-20"].ID) != n-1 || int(insts["I-3"].Args[0].Loc.ID) >= ok {
		t.Error("the program is not numbered")
	}
}

// TestRawJSONIsCompact: blanks in kept JSON do not reach the text, nor do other forms of one text change its hash.
func TestRawJSONIsCompact(t *testing.T) {
	p := parseText(t, "module extra({ \"a b\" : [ 1 ,\n 2 ] })\nfunc f {\n}")
	if !strings.Contains(p.String(), `extra({"a b":[1,2]})`) {
		t.Error(p.String())
	}
	q := *p
	q.Extra = []byte("{\n\t\"a b\": [1, 2]}")
	if q.String() != p.String() || q.Hash() != p.Hash() {
		t.Error("blanks in JSON count")
	}
}
