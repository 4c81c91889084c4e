package oracle

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

func TestInputErrors(t *testing.T) {
	p := parse(t, "func f {\n  input x: f32[1,2]\n  const k: f32[1,1]\n  output y: f32[1,2]\n  a: y = DMACopy x\n}\ndata k: f32[1,1] = [3]")
	for name, in := range map[string]ir.Values{
		`input "x" is missing`:                      {},
		`input "x" has 4 bytes, want 8`:             {"x": floats(1)},
		`input "x" is of dtype int32, want float32`: {"x": ints(1, 2)},
		`input "k" has 8 bytes, want 4`:             {"x": floats(1, 2), "k": floats(1, 2)},
		"":                                          {"x": floats(1, 2), "gone": floats(1)},
	} {
		_, err := Execute(p, in)
		if got := fmt.Sprint(err); got != name && (err != nil || name != "") {
			t.Errorf("got %q, want %q", got, name)
		}
	}
	if _, err := NewMachine().Run(nil, Way{}); err != errNotPrepared {
		t.Errorf("run without program: %v", err)
	}
}

// TestHostile: what is too large is refused before any memory is taken, and never panics.
func TestHostile(t *testing.T) {
	const huge = int64(1) << 60
	loc := func(f func(l *ir.Loc)) func(p *ir.Program) {
		return func(p *ir.Program) { f(p.Cores[0].Sets[0].Locs[0]) }
	}
	arg := func(f func(a *ir.Operand)) func(p *ir.Program) {
		return func(p *ir.Program) { f(&p.Cores[0].Blocks[0].Insts[0].Args[0]) }
	}
	for name, c := range map[string]struct {
		change func(p *ir.Program)
		limit  bool // else a plain error
	}{
		"rows":     {loc(func(l *ir.Loc) { l.Rows = huge }), true},
		"row":      {loc(func(l *ir.Loc) { l.RowBytes = huge }), true},
		"product":  {loc(func(l *ir.Loc) { l.Rows, l.RowBytes = 1<<20, 1<<20 }), true},
		"overflow": {loc(func(l *ir.Loc) { l.Rows, l.RowBytes = 1<<28, 1<<36 }), true},
		"negative": {loc(func(l *ir.Loc) { l.Rows = -1 }), false},
		"address":  {loc(func(l *ir.Loc) { l.Allocated, l.Addr = true, huge }), true},
		"bank":     {loc(func(l *ir.Loc) { l.Type, l.Allocated, l.Bank = ir.PSUM, true, huge }), true},
		"elements": {arg(func(a *ir.Operand) {
			a.N, a.AP = 4, [5]ir.Pair{{Num: 1 << 30}, {Num: 1 << 30}, {Num: 1 << 30}, {Num: 1 << 30}}
		}), true},
		"repeats":          {arg(func(a *ir.Operand) { a.AP[1] = ir.Pair{Step: 0, Num: 1 << 29} }), true},
		"no elements":      {arg(func(a *ir.Operand) { a.AP[0].Num = 0 }), false},
		"no pairs":         {arg(func(a *ir.Operand) { a.N = 0 }), false},
		"no location":      {arg(func(a *ir.Operand) { a.Loc = nil }), false},
		"strange location": {arg(func(a *ir.Operand) { a.Loc = &ir.Loc{Name: "z", Set: &ir.Set{}} }), false},
		"no dtype":         {arg(func(a *ir.Operand) { a.DType = 0 }), false},
		"shards":           {arg(func(a *ir.Operand) { a.Off.Terms = []ir.Term{{Coef: 1, Kind: ir.ShardTerm, N: huge}} }), true},
		"divisor":          {arg(func(a *ir.Operand) { a.Off.Terms = []ir.Term{{Coef: 1, Kind: ir.ModTerm, Sub: &ir.Affine{}}} }), false},
		"foreign axis":     {arg(func(a *ir.Operand) { a.Off.Terms = []ir.Term{{Coef: 1, Axis: &ir.Loop{}}} }), false},
		"semaphore":        {func(p *ir.Program) { p.Cores[0].Blocks[0].Insts[0].Update = []ir.Sem{{ID: ir.MaxVirtual, Value: 1}} }, false},
		"loop":             {func(p *ir.Program) { p.Cores[0].Blocks[0].Insts[1].Loop.UB = huge }, true},
		"stride":           {func(p *ir.Program) { p.Cores[0].Blocks[0].Insts[1].Loop.Stride = 0 }, false},
		"no function":      {func(p *ir.Program) { p.Cores = nil }, false},
	} {
		p := parse(t, "func f {\n  sb t: f32[4,4]\n  a: t = Memset constant=0 @DVE\n  L: for i = 0..2 {\n  }\n}")
		c.change(p)
		_, err := Execute(p, nil)
		var limit *LimitError
		if err == nil || errors.As(err, &limit) != c.limit {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestMemoryFollowsUse: a tile at the end of a large memory costs its own size.
func TestMemoryFollowsUse(t *testing.T) {
	m := NewMachine()
	p := parse(t, "func f {\n  sb t: f32[2,4] at base 96 addr 190000\n  sb u: f32[2,4] at base 96 addr 190008\n  a: t = Memset constant=0 @DVE\n}")
	if err := m.Prepare(p, Layout{}); err != nil || m.size > 256 {
		t.Errorf("%d bytes, %v", m.size, err)
	}
	if err := m.Prepare(p, Layout{MaxBytes: 40}); err == nil {
		t.Error("48 bytes fit into a limit of 40")
	}
}

const chores = `func f {
  input x: f32[8,16]
  output y: f32[8,16]
  shared s: f32[8,16]
  sb i: i32[8,1]
  sb t: f32[8,16]
  sb b: bf16[8,16]
  sb u: f32[16,8]
  psum p: f32[16,16]
  L: for i = 0..3 {
    a: t = Load x
    c: b = TensorTensor t, t op=mult acc=ZeroAccumulate @DVE
    d: t = Select b, t, t @DVE
    e: t = TensorScalar b op0=add const0=1
    g: u = DMATranspose t
    h: p = Matmult t, b @PE
    j: t[0:8, 0:16] = TensorCopy p[0:8, 0:16]
    k: t[:, 0:1] = DveReadAccumulator @DVE
    l: $r = RegisterMove 7
    m: $r = RegisterAlu $r, $r op=mult
    n: t[:, 0:15 at mod(i, 2)] = TensorScalar t[:, 0:15 at mod(i, 2)] op0=mult const0=2
    o: y = Save t
    q: s = CollectiveCompute y kind=AllReduce
    r: CoreBarrier
    v: EventSemaphore update(2+=1)
  }
}
`

// TestNoAllocation: a run allocates nothing once the program has run, with or without the shadow of the judge.
func TestNoAllocation(t *testing.T) {
	p := parse(t, chores+strings.Replace(chores, "func f", "func g", 1))
	for _, m := range []*Machine{NewMachine(), newMachine(newTracker(cellGrain, p))} {
		allocatesNothing(t, m, p)
	}
}

func allocatesNothing(t *testing.T, m *Machine, p *ir.Program) {
	t.Helper()
	if err := m.Prepare(p, Layout{}); err != nil {
		t.Fatal(err)
	}
	in := ir.Values{"x": counting(128)}
	if out, err := m.Run(in, Way{}); err != nil || out.Fault != nil {
		t.Fatal(err, out.Fault)
	}
	if n := testing.AllocsPerRun(5, func() { m.Run(in, Way{}) }); n != 0 {
		t.Errorf("%v allocations a run, want 0", n)
	}
	if n := testing.AllocsPerRun(5, func() { m.Prepare(p, Layout{}) }); n > 2 {
		t.Errorf("%v allocations to prepare the same program again", n)
	}
}

// TestReuse: a machine that ran another program gives what a new one gives.
func TestReuse(t *testing.T) {
	small := parse(t, "func f {\n  output y: u8[1,3]\n  sb t: u8[1,3]\n  a: t[:, 0:2] = Memset constant=1 @DVE\n  b: y = Save t\n}")
	m := NewMachine()
	for range 2 {
		for _, p := range []*ir.Program{parse(t, chores), small} {
			if err := m.Prepare(p, Layout{}); err != nil {
				t.Fatal(err)
			}
			if out, err := m.Run(ir.Values{"x": counting(128)}, Way{Clear: true}); err != nil || out.Fault != nil {
				t.Fatal(err, out.Fault)
			}
		}
		if got := m.Outputs()["y"].Data; !slices.Equal(got, []byte{1, 1, 0xFF}) {
			t.Errorf("output %v", got)
		}
	}
}

// TestPoisonOfResult: bytes that nobody wrote, or that were computed from such, are told apart.
func TestPoisonOfResult(t *testing.T) {
	r := execute(t, `func f {
  output y: i16[1,4]
  sb t: i16[1,4]
  a: t[:, 0:2] = Memset constant=1 @DVE
  b: t[:, 1:3] = TensorScalar t[:, 1:3] op0=add const0=1
  c: y = Save t
}`, nil)
	if want := []bool{false, false, false, false, true, true, true, true}; r.Fault != nil || !slices.Equal(r.Poison["y"], want) {
		t.Errorf("%v, fault %v, want %v", r.Poison["y"], r.Fault, want)
	}
}

// TestOutputShape: an output has the shape of its set where that fits.
func TestOutputShape(t *testing.T) {
	r := execute(t, "func f {\n  output y: f32[2,3]\n  output z: f32[2,3] dims=1x8\n}", nil)
	if y, z := r.Outputs["y"], r.Outputs["z"]; !slices.Equal(y.Shape, []int64{2, 3}) || !slices.Equal(z.Shape, []int64{2}) || y.DType != num.Float32 {
		t.Errorf("%v %v", y.Shape, z.Shape)
	}
}
