package oracle

import (
	"math"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birtest"
	"birfuzz/ir/num"
)

const loopProgram = `module gen3
func sg0000 {
  input x: f32[4,8]
  input i: i32[4,1]
  output o: f32[4,8]
  sb a: f32[4,8]
  sb n: i32[4,1]
Block1:
  I-0: a = Load x @SP
  I-1: n = Load i @SP
  L-0: for k = 0..TRIPS {
    I-2: a = TensorScalar a op0=add const0=1 @DVE
  }
  I-3: a = IndirectLoad x, n @Pool
  I-4: o = Save a @SP
}
`

func loopOf(t *testing.T, trips string) *ir.Program {
	return mustParse(t, "loop", strings.Replace(loopProgram, "TRIPS", trips, 1))
}

// indexInputs gives every lane of i the row r.
func indexInputs(p *ir.Program, r byte) ir.Values {
	in := testInputs(p, 0)
	for k := range in["i"].Data {
		in["i"].Data[k] = 0
		if k%4 == 0 {
			in["i"].Data[k] = r
		}
	}
	return in
}

func TestStartVoid(t *testing.T) {
	p := loopOf(t, "3")
	v := NewJudge(Options{}).Start(p, []ir.Values{indexInputs(p, 9)})
	if v.Kind != Void || v.Why == "" || v.Class != "" {
		t.Errorf("an index out of range: %s", v)
	}
	if v := NewJudge(Options{}).Start(p, []ir.Values{{}}); v.Kind != Void {
		t.Errorf("a missing input: %s", v)
	}
}

func TestFurtherSetsThatAreVoid(t *testing.T) {
	p := loopOf(t, "3")
	j := NewJudge(Options{})
	sets := []ir.Values{indexInputs(p, 1), indexInputs(p, 9), indexInputs(p, 2)}
	if v := j.Start(p, sets); v.Kind != Same {
		t.Fatal(v)
	}
	if v := j.Next(p, renamed(p), ir.Contract{}, true); v.Kind != Same || v.Skipped != 1 {
		t.Errorf("%s, %d skipped", v, v.Skipped)
	}
}

// TestFurtherSetsFind: what the first input set does not show, another may.
func TestFurtherSetsFind(t *testing.T) {
	before := `module gen3
func sg0000 {
  input x: f32[4,8]
  output o: f32[4,8]
  sb a: f32[4,8]
  sb b: f32[4,8]
Block1:
  I-0: a = Load x @SP
  I-1: b = TensorScalar a op0=max const0=-100 @DVE
  I-2: o = Save b @SP
}
`
	p, q := mustParse(t, "p", before), mustParse(t, "q", strings.Replace(before, "-100", "-1", 1))
	zero := testInputs(p, 0)
	clear(zero["x"].Data)
	arithmetic := ir.Contract{Arithmetic: true}
	j := NewJudge(Options{})
	j.Start(p, []ir.Values{zero, testInputs(p, 0)})
	if v := j.Next(p, q, arithmetic, false); v.Kind != Same {
		t.Errorf("on zeros: %s", v)
	}
	if v := j.Next(p, q, arithmetic, true); v.Class != "value" {
		t.Errorf("on all sets: %s", v)
	}
}

func TestHangAndLimits(t *testing.T) {
	p, q := loopOf(t, "3"), loopOf(t, "1000000000")
	in := []ir.Values{indexInputs(p, 1)}
	j := NewJudge(Options{MaxSteps: 2000})
	if v := j.Start(p, in); v.Kind != Same {
		t.Fatal(v)
	}
	if v := j.Next(p, q, ir.Contract{}, false); v.Kind != Different || v.Class != hangClass {
		t.Errorf("a hang: %s", v)
	}
	if v := j.Start(q, in); v.Kind != Unknown {
		t.Errorf("a long program: %s", v)
	}
	j = NewJudge(Options{MaxSteps: 200})
	j.Start(p, in)
	if v := j.Next(p, loopOf(t, "500"), ir.Contract{}, false); v.Kind != Unknown {
		t.Errorf("a limit near the program's own length: %s", v)
	}
	j = NewJudge(Options{MaxBytes: 100})
	if v := j.Start(p, in); v.Kind != Unknown {
		t.Errorf("a program larger than the memory: %s", v)
	}
}

func TestCrowdedRun(t *testing.T) {
	if birtest.Quick() {
		t.Skip("fences a million times")
	}
	p := mustParse(t, "p", `module gen3
func sg0000 {
  sb a: f32[4,8]
Block1:
  L-0: for k = 0..3000000 {
    I-0: Drain @SP
  }
}
`)
	if v := NewJudge(Options{}).Start(p, []ir.Values{{}}); v.Kind != Unknown {
		t.Error(v)
	}
}

// TestChain: a step that failed leaves the program before it as the last one accepted; any other program may come too.
func TestChain(t *testing.T) {
	c := readPairs(t, "testdata/pairs/straight.bir")
	p := mustParse(t, "p", c[0].before)
	var wrong *ir.Program
	for i := range c {
		if c[i].name == "another constant" {
			wrong = mustParse(t, "wrong", c[i].after)
		}
	}
	j := NewJudge(Options{})
	j.Start(p, []ir.Values{testInputs(p, 0)})
	for range 2 {
		if v := j.Next(p, wrong, ir.Contract{}, false); v.Class != "value" {
			t.Errorf("wrong: %s", v)
		}
		if v := j.Next(p, renamed(p), ir.Contract{}, false); v.Kind != Same {
			t.Errorf("right: %s", v)
		}
	}
	if v := j.Next(wrong, renamed(wrong), ir.Contract{}, false); v.Kind != Same {
		t.Errorf("on from another program: %s", v)
	}
}

// TestChecksAlone: every check, asked alone, fails exactly where it is among the failed when all are asked.
func TestChecksAlone(t *testing.T) {
	seen := map[string]bool{}
	judges := make([]*Judge, len(checks))
	for i := range checks {
		set, ok := CheckNamed(checks[i].Name)
		if !ok || set != 1<<i {
			t.Fatalf("check %s is not found by name", checks[i].Name)
		}
		judges[i] = NewJudge(Options{Checks: set})
	}
	eachPair(t, func(t *testing.T, c pairCase) {
		wants := strings.Fields(c.want)
		for i := range checks {
			v := judgePairBy(t, judges[i], c)
			want := "same"
			for _, w := range wants {
				if w == checks[i].Name {
					want = w
					seen[w] = true
				}
			}
			if wants[0] == checks[0].Name && i > 0 {
				continue // what is not well-formed need not be run
			}
			if got := failedNames(v); got != want {
				t.Errorf("%s alone: got %s, want %s", checks[i].Name, got, want)
			}
		}
	})
	for i := range checks {
		if !seen[checks[i].Name] {
			t.Errorf("no pair makes check %s fail", checks[i].Name)
		}
	}
	if _, ok := CheckNamed("nothing"); ok {
		t.Error("a check of that name?")
	}
}

func TestChecksTable(t *testing.T) {
	want := "illegal limits deadlock race schedule fences accumulation undefined value publish provenance contract steady"
	var names []string
	for _, c := range Checks() {
		if names = append(names, c.Name); c.Doc == "" {
			t.Errorf("check %s has no doc", c.Name)
		}
	}
	if got := strings.Join(names, " "); got != want {
		t.Errorf("classes %s, want %s", got, want)
	}
}

// TestDetailsNamePlaces: a detail names the instruction, the location, the element and both values.
func TestDetailsNamePlaces(t *testing.T) {
	for _, c := range readPairs(t, "testdata/pairs/straight.bir") {
		if c.name != "another constant" {
			continue
		}
		v := judgePair(t, c, Options{})
		for _, w := range []string{"element 0 of o (float32)", " is -12, was -8"} {
			if !strings.Contains(v.String(), w) {
				t.Errorf("%q is missing in\n%s", w, v)
			}
		}
	}
}

func TestNumbers(t *testing.T) {
	bits := func(f float32) uint64 { return uint64(math.Float32bits(f)) }
	one := bits(1)
	for _, c := range []struct {
		a, b uint64
		n    ir.Number
		want bool
	}{
		{bits(0), bits(0) | 1<<31, ir.Number{}, true},
		{0x7fc00000, 0x7f800001, ir.Number{}, true},
		{one, one + 1, ir.Number{}, false},
		{one, one + 1, ir.Number{ULP: 1}, true},
		{one, one + 3, ir.Number{ULP: 2}, false},
		{bits(1), bits(1.0001), ir.Number{Reassociate: true}, true},
		{bits(1), bits(1.1), ir.Number{Reassociate: true}, false},
		{bits(1), 0x7fc00000, ir.Number{Reassociate: true, ULP: 9}, false},
		{0x7f800000, 0x7f7fffff, ir.Number{ULP: 1}, false},
	} {
		x := comparison{contract: ir.Contract{Number: c.n}}
		tensor := []byte{0, 0, 0x80, 0x3f}
		if got := x.sameNumber(c.a, c.b, num.Float32, tensor); got != c.want {
			t.Errorf("%#x and %#x under %+v: %v", c.a, c.b, c.n, got)
		}
	}
	if (&comparison{}).sameNumber(0, 1<<31, num.Int32, nil) {
		t.Error("integers have one zero")
	}
}
