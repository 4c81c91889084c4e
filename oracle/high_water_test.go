package oracle

import (
	"errors"
	"strings"
	"testing"

	"birfuzz/ir"
)

// TestHighWater: what is live and what is given storage, by hand. Columns are float32, so 8 of them are 32 bytes.
func TestHighWater(t *testing.T) {
	const head = "func f {\n  input x: f32[4,8]\n  output y: f32[4,8]\n  sb a: f32[4,8]\n  sb b: f32[4,16]\n  sb c: f32[4,32]\n  psum p: f32[4,8]\n"
	for _, c := range []struct {
		name, decl, body string
		sb, psum         Room
	}{
		{"nothing", "", "Drain @DVE", Room{}, Room{}},
		{"an instruction holds what it reads and writes", "", "a = Load x @SP\nb[:, 0:8] = TensorCopy a @DVE\ny = Save b[:, 0:8] @SP", Room{96, 96}, Room{}},
		{"one dies, then another is born", "", "a = Load x @SP\ny = Save a @SP\nb[:, 0:8] = Load x @SP\ny = Save b[:, 0:8] @SP", Room{64, 64}, Room{}},
		{"a result that nobody reads", "", "a = Load x @SP\nb[:, 0:8] = Load x @SP", Room{64, 64}, Room{}},
		{"dead while c lives", "", "a = Load x @SP\nc[:, 0:8] = TensorCopy a @DVE\ny = Save c[:, 0:8] @SP\na = Load x @SP\ny = Save a @SP",
			Room{160, 160}, Room{}},
		{"dead while b and c live", "",
			"a = Load x @SP\ny = Save a @SP\nb[:, 0:8] = Load x @SP\nc[:, 0:8] = TensorCopy b[:, 0:8] @DVE\ny = Save c[:, 0:8] @SP\na = Load x @SP\ny = Save a @SP",
			Room{192, 224}, Room{}},
		{"half of it lives on", "",
			"a = Load x @SP\na[:, 0:4] = TensorCopy a[:, 4:8] @DVE\nb[:, 0:8] = Load x @SP\ny = Save b[:, 0:8] @SP\na[:, 0:4] = TensorCopy a[:, 4:8] @DVE",
			Room{96, 96}, Room{}},
		{"carried round a loop", "",
			"a = Load x @SP\nL: for i = 0..3 {\na = TensorScalar a op0=add const0=1 @DVE\nb[:, 0:8] = TensorCopy a @DVE\ny = Save b[:, 0:8] @SP\n}",
			Room{96, 96}, Room{}},
		{"new in every trip", "",
			"L: for i = 0..3 {\na = Load x @SP\ny = Save a @SP\nb[:, 0:8] = Load x @SP\ny = Save b[:, 0:8] @SP\n}", Room{64, 96}, Room{}},
		{"not run", "", "L: for i = 0..0 {\na = Load x @SP\n}\nM: for i = 0..2 {\nb = Memset constant=0 if (i > 1) @DVE\n}", Room{}, Room{}},
		{"what others may touch", "  sb r: f32[4,64] runtime_reserved\n", "a = Load x @SP", Room{288, 288}, Room{}},
		{"a sum reads what it adds to", "",
			"p = Memset constant=1 @DVE\na = Load x @SP\nb[:, 0:8] = Load x @SP\np = Matmult b[:, 0:8], a[:, 0:4] start_tensor_calc=false @PE\na = TensorCopy p @DVE", Room{96, 96}, Room{32, 32}},
	} {
		p := mustParse(t, c.name, head+c.decl+named(c.body)+"}\n")
		got, err := ObserveHighWater(p, testInputs(p, 0))
		if err != nil || len(got) != 1 || got[0] != (HighWater{c.sb, c.psum}) {
			t.Errorf("%s: got %+v, %v, want SB %+v PSUM %+v", c.name, got, err, c.sb, c.psum)
		}
	}
}

// named gives every instruction of a body a name.
func named(body string) string {
	var b strings.Builder
	for i, l := range strings.Split(body, "\n") {
		if l != "}" && !strings.Contains(l, "for ") {
			l = "I-" + string(rune('a'+i)) + ": " + l
		}
		b.WriteString("  " + l + "\n")
	}
	return b.String()
}

// TestHighWaterErrors: what has no meaning, or no inputs, has no mark.
func TestHighWaterErrors(t *testing.T) {
	p := mustParse(t, "p", "func f {\n  input x: f32[4,8]\n  sb a: f32[4,8]\n  I-0: a = Load x @SP\n}\n")
	if _, err := ObserveHighWater(p, ir.Values{}); err == nil || !strings.Contains(err.Error(), `input "x" is missing`) {
		t.Errorf("no inputs: %v", err)
	}
	p = mustParse(t, "p", "func f {\n  I-0: EventSemaphore @SP wait(1>=1)\n}\n")
	if _, err := ObserveHighWater(p, nil); err == nil || !strings.Contains(err.Error(), "has no meaning") {
		t.Errorf("a deadlock: %v", err)
	}
	p = mustParse(t, "p", "func f {\n  sb a: f32[4,8]\n  L: for i = 0..30000000 {\n  M: for j = 0..30 {\n  I-0: a = Memset constant=1 @DVE\n  }\n  }\n}\n")
	if _, err := ObserveHighWater(p, nil); !errors.Is(err, ErrTooLong) {
		t.Errorf("a long loop: %v", err)
	}
}
