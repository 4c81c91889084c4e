package oracle

import (
	"strings"
	"testing"

	"birfuzz/ir"
)

func TestLoops(t *testing.T) {
	const head = `func f {
  input x: f32[1,8]
  output y: f32[1,8]
  sb t: f32[1,8]
  a: t = Load x
`
	const tail = `
  z: y = Save t
}`
	in := ir.Values{"x": counting(8)}
	for name, c := range map[string]struct{ body, want string }{
		"axis is a value, not a trip number": {
			`L: for i = 2..7 step 2 { b: t[:, 0:1 at i] = TensorScalar t[:, 0:1 at i] op0=mult const0=10 }`, "y: 0 1 20 3 40 5 60 7"},
		"no trip": {
			`L: for i = 3..3 { b: t = Memset constant=0 }`, "y: 0 1 2 3 4 5 6 7"},
		"carried value": {
			`L: for i = 1..8 { b: t[:, 0:1 at i] = TensorTensor t[:, 0:1 at i], t[:, 0:1 at i - 1] op=add @DVE }`, "y: 0 1 3 6 10 15 21 28"},
		"nested, axes of both": {
			`L: for i = 0..4 { M: for j = 0..2 { b: t[:, 0:1 at 2*i + j] = TensorScalar t[:, 0:1 at 2*i + j] op0=add const0=1 } }`, "y: 1 2 3 4 5 6 7 8"},
		"floordiv and mod": {
			`L: for i = 0..8 { b: t[:, 0:1 at 4*mod(i, 2) + floordiv(i, 2)] = TensorCopy t[:, 7:8] }`, "y: 7 7 7 7 7 7 7 7"},
		"negative values round down": {
			`L: for i = -3..-1 { b: t[:, 0:1 at 2 + floordiv(i, 2)] = TensorCopy t[:, 5:6 at mod(i, 4)] }`, "y: 6 7 2 3 4 5 6 7"},
		"predicate": {
			`L: for i = 0..8 { b: t[:, 0:1 at i] = TensorScalar t[:, 0:1 at i] op0=mult const0=-1 if(i >= 2, i - 6 < 0) }`, "y: 0 1 -2 -3 -4 -5 6 7"},
		"predicate of a loop": {
			`L: for i = 0..4 { M: for j = 0..2 if(i == 1) { b: t[:, 0:1 at 2*i + j] = TensorScalar t[:, 0:1 at 2*i + j] op0=mult const0=-1 } }`, "y: 0 1 -2 -3 4 5 6 7"},
	} {
		t.Run(name, func(t *testing.T) { expect(t, head+c.body+tail, in, c.want) })
	}
}

// TestDownward: only parallel loops turn round.
func TestDownward(t *testing.T) {
	for kind, want := range map[string]string{"parallel": "9 9 9 9", "": "9 9 1 2"} {
		p := parse(t, `func f {
  input x: f32[1,4]
  output y: f32[1,4]
  sb t: f32[1,4]
  a: t = Load x
  L: for i = 0..3 `+kind+` { c: t[:, 0:1 at 3 - i] = TensorCopy t[:, 0:1 at 2 - i] }
  z: y = Save t
}`)
		m := NewMachine()
		if err := m.Prepare(p, Layout{}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Run(ir.Values{"x": floats(9, 1, 2, 3)}, Way{Downward: true}); err != nil {
			t.Fatal(err)
		}
		if got := show(m.Outputs()["y"]); got != want {
			t.Errorf("%q loop downwards: %s, want %s", kind, got, want)
		}
	}
}

func TestSemaphores(t *testing.T) {
	const src = `func f {
  output y: f32[1,2]
  sb t: f32[1,2]
  a: t = Memset constant=0 @DVE BEFORE
  b: EventSemaphore @SP wait(3>=2)
  c: y = Save t
}`
	expect(t, strings.Replace(src, "BEFORE", "update(3+=2)", 1), nil, "y: 0 0")
	expectFault(t, strings.Replace(src, "BEFORE", "update(3+=1)", 1), nil, DeadlockFault, "b")
	expectFault(t, strings.Replace(src, "BEFORE", "update(3+=2)\n  r: GroupResetSemaphores", 1), nil, DeadlockFault, "b")
	expect(t, strings.Replace(src, "BEFORE", "update(3+=1)\n  d: NoOp update(3+=1)", 1), nil, "y: 0 0")
}

// TestSemaphoresAreOfOneCore: another core's update does not count.
func TestSemaphoresAreOfOneCore(t *testing.T) {
	expectFault(t, `func f {
  a: EventSemaphore update(1+=1)
}
func g {
  b: EventSemaphore wait(1>=1)
}`, nil, DeadlockFault, "b")
}

func TestHalt(t *testing.T) {
	expect(t, `func f {
  output y: f32[1,2]
  sb t: f32[1,2]
  a: t = Memset constant=0 @DVE
  b: y = Save t
  c: Halt
  d: t = Memset constant=1065353216 @DVE
  e: y = Save t
}`, nil, "y: 0 0")
}

// TestStepLimit: neither an endless loop nor one that does nothing hangs.
func TestStepLimit(t *testing.T) {
	for _, body := range []string{"", "c: NoOp", "c: t = Memset constant=0 @DVE"} {
		m := NewMachine()
		p := parse(t, `func f {
  sb t: f32[1,8]
  L: for i = 0..1000000000 { M: for j = 0..1000000000 { `+body+` } }
}`)
		if err := m.Prepare(p, Layout{}); err != nil {
			t.Fatal(err)
		}
		out, err := m.Run(nil, Way{MaxSteps: 1000})
		if err != nil || !out.Limited || out.Fault != nil || out.Steps != 1001 {
			t.Errorf("body %q: %+v, %v, want the limit at step 1001", body, out, err)
		}
	}
}

// TestStepsCountElements: a large instruction counts more than a small one.
func TestStepsCountElements(t *testing.T) {
	m := NewMachine()
	p := parse(t, "func f {\n  sb t: f32[128,512]\n  a: t = Memset constant=0 @DVE\n}")
	if err := m.Prepare(p, Layout{}); err != nil {
		t.Fatal(err)
	}
	if out, err := m.Run(nil, Way{}); err != nil || out.Steps != 1+128*512/stepElems {
		t.Errorf("%+v, %v", out, err)
	}
}
