package oracle

import (
	"strings"
	"testing"

	"birfuzz/ir"
)

// TestBarrier: what a core wrote to Shared memory before a barrier is there for the others after it.
func TestBarrier(t *testing.T) {
	const src = `func f {
  input x: f32[1,2]
  output y: f32[1,2]
  shared s: f32[1,2]
  shared u: f32[1,2]
  sb t: f32[1,2]
  a: t = Load x
  b: s = Save t
  c: CoreBarrier id=1
  d: t = Load u
  e: y = Save t
}
func g {
  shared s: f32[1,2]
  shared u: f32[1,2]
  output z: f32[1,2]
  sb t: f32[1,2]
  a: t = Memset constant=1073741824 @DVE
  b: u = Save t
  c: CoreBarrier id=1
  d: t = Load s
  e: z = Save t
}`
	in := ir.Values{"x": floats(5, 6)}
	expect(t, src, in, "y: 2 2", "z: 5 6")
	expectFault(t, strings.Replace(src, "id=1", "id=2", 1), in, DeadlockFault, "c")
	expectFault(t, strings.Replace(src, "c: CoreBarrier id=1", "c: NoOp", 1), in, RaceFault, "b")
	expectFault(t, strings.ReplaceAll(src, "id=1", "id=1 cores=[0, 1, 2]"), in, DeadlockFault, "c")
	expect(t, strings.ReplaceAll(src, "id=1", "id=1 cores=[0, 1]"), in, "y: 2 2", "z: 5 6")
}

// TestNobodyComes: a core that has ended comes to no barrier.
func TestNobodyComes(t *testing.T) {
	expectFault(t, "func f {\n  a: CoreBarrier\n}\nfunc g {\n  b: Halt\n  c: CoreBarrier\n}", nil, DeadlockFault, "a")
}

// TestBarrierOfSome: a core that a barrier does not name does not come to it.
func TestBarrierOfSome(t *testing.T) {
	expect(t, `func f {
  c: CoreBarrier cores=[0, 2]
}
func g {
}
func h {
  output y: f32[1,1]
  sb t: f32[1,1]
  c: CoreBarrier cores=[0, 2]
  a: t = Memset constant=0 @DVE
  b: y = Save t
}`, nil, "y: 0")
}

// TestShards: a module of one function that names its core runs as all of them; their own memory is apart.
func TestShards(t *testing.T) {
	expect(t, `func f {
  input x: f32[1,8]
  output y: f32[1,8]
  sb t: f32[1,4]
  a: t = Load x[1x1, 1x4 at 4*shardid(2)]
  b: t = TensorScalar t op0=add const0=100 if(shardid(2) == 1)
  c: CoreBarrier
  d: y[1x1, 1x4 at 4*shardid(2)] = Save t
}`, ir.Values{"x": counting(8)}, "y: 0 1 2 3 104 105 106 107")
}

// TestWorld: for the code of one core of several, Shared memory changes at every barrier, in a way that depends on the barrier, the
// location and the byte alone.
func TestWorld(t *testing.T) {
	const src = `module core=1
func f {
  output y: u8[1,6]
  shared s: u8[1,2]
  shared u: u8[1,2]
  sb t: u8[1,6]
  a: t = Memset constant=255 @DVE
  b: s = Save t[:, 0:2]
  c: CoreBarrier cores=[0, 1]
  d: t[:, 0:2] = Load s
  e: CoreBarrier
  g: t[:, 2:4] = Load s
  h: t[:, 4:6] = Load u
  i: y = Save t
}`
	r := execute(t, src, nil)
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	y := r.Outputs["y"].Data
	for i, name := range []string{"s", "s", "s", "s", "u", "u"} {
		if want := worldByte(worldSeed(min(i/2, 1), name), i%2); y[i] != want {
			t.Errorf("byte %d is %d, want %d", i, y[i], want)
		}
	}
	if y[0] == y[1] || y[0] == y[2] || y[2] == y[4] {
		t.Errorf("bytes %v do not depend on byte, barrier and location", y)
	}
}

func TestCollectives(t *testing.T) {
	const src = `func f {
  input x: f32[1,4]
  output y: f32[1,DST]
  dram s: f32[1,4]
  dram d: f32[1,DST]
  a: s = DMACopy x
  b: d = CollectiveCompute s[0:1, 0:SRC] KIND
  c: y = DMACopy d
}
func g {
  input x: f32[1,4]
  output z: f32[1,DST]
  dram s: f32[1,4]
  dram d: f32[1,DST]
  sb t: f32[1,4]
  e: t = Load x
  h: t = TensorScalar t op0=mult const0=10
  a: s = Save t
  b: d = CollectiveCompute s[0:1, 0:SRC] KIND
  c: z = DMACopy d
}`
	for _, c := range []struct{ kind, src, dst, y, z string }{
		{"kind=AllReduce", "4", "4", "y: 11 22 33 44", "z: 11 22 33 44"},
		{"op=max kind=AllReduce", "2", "2", "y: 10 20", "z: 10 20"},
		{"kind=AllReduce replica_groups=[[0], [1]]", "4", "4", "y: 1 2 3 4", "z: 10 20 30 40"},
		{"kind=ReduceScatter", "4", "2", "y: 11 22", "z: 33 44"},
		{"kind=AllGather", "2", "4", "y: 1 2 10 20", "z: 1 2 10 20"},
		{"kind=AllGather replica_groups=[[1, 0]]", "2", "4", "y: 10 20 1 2", "z: 10 20 1 2"},
		{"kind=AllToAll", "4", "4", "y: 1 2 10 20", "z: 3 4 30 40"},
		{"kind=Permute src_target_pairs=[[0, 1], [1, 0]]", "4", "4", "y: 10 20 30 40", "z: 1 2 3 4"},
		{"kind=SendRecv src_target_pairs=[[0, 1]]", "4", "4", "y: 0 0 0 0", "z: 1 2 3 4"},
	} {
		t.Run(c.kind, func(t *testing.T) {
			text := strings.NewReplacer("KIND", c.kind, "SRC", c.src, "DST", c.dst).Replace(src)
			expect(t, text, ir.Values{"x": floats(1, 2, 3, 4)}, c.y, c.z)
		})
	}
	for _, c := range []struct{ kind, src, dst string }{
		{"kind=AllGather", "2", "2"}, {"kind=AllReduce", "2", "4"}, {"op=bitwise_and kind=AllReduce", "4", "4"},
	} {
		text := strings.NewReplacer("KIND", c.kind, "SRC", c.src, "DST", c.dst).Replace(src)
		expectFault(t, text, ir.Values{"x": floats(1, 2, 3, 4)}, ValueFault, "b")
	}
}

// TestLoneCollective: the code of one core of several folds without the absent cores and receives the world's bytes from them.
func TestLoneCollective(t *testing.T) {
	r := execute(t, `module core=1
func f {
  input x: f32[1,2]
  output y: f32[1,2]
  output z: f32[1,4]
  dram d: f32[1,2]
  dram e: f32[1,4]
  a: d = CollectiveCompute x kind=AllReduce replica_groups=[[0, 1]]
  b: e = CollectiveCompute x kind=AllGather replica_groups=[[0, 1]]
  c: y = DMACopy d
  g: z = DMACopy e
}`, ir.Values{"x": floats(3, 4)})
	if r.Fault != nil {
		t.Fatal(r.Fault)
	}
	if got := show(r.Outputs["y"]); got != "3 4" {
		t.Errorf("fold with nobody there: %s", got)
	}
	z := r.Outputs["z"].Data
	for i, b := range z[:8] {
		if want := worldByte(worldSeed(1, "e"), i); b != want {
			t.Errorf("byte %d of the absent core is %d, want %d", i, b, want)
		}
	}
	if got := show(ir.Tensor{DType: r.Outputs["z"].DType, Data: z[8:]}); got != "3 4" {
		t.Errorf("own piece: %s", got)
	}
}
