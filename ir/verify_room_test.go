package ir

import (
	"strings"
	"testing"

	"birfuzz/ir/num"
)

func TestVerifyRoom(t *testing.T) {
	row := Gen3.SBUFBytes() / 4 // f32 columns of a partition of SBUF
	copyOf := func(t MemType, rows, x, y int64) func(b *builder) {
		return func(b *builder) {
			b.add("TensorCopy", DVE, whole(b.loc("a", t, num.Float32, rows, x)), whole(b.loc("b", t, num.Float32, rows, y)))
		}
	}
	cases := []struct {
		name, text string
		build      func(b *builder)
	}{
		{"two halves of SBUF", "", copyOf(SB, 128, row/2, row/2)},
		{"more than SBUF", "inst I-0: capacity: got 229380 bytes a partition", copyOf(SB, 128, row/2+1, row/2)},
		{"above each other", "", copyOf(SB, 64, row, row)},
		{"side by side by one partition", "of more than 64 partitions", copyOf(SB, 65, row/2+1, row/2)},
		{"more than PSUM", "a partition of PSUM", copyOf(PSUM, 128, 2048, 4096)},
		{"all of PSUM", "", copyOf(PSUM, 128, 2048, 2048)},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBuilder()
			c.build(b)
			checkRoom(t, b.done(), c.text)
		})
	}
}

func checkRoom(t *testing.T, p *Program, text string) {
	t.Helper()
	if list := Verify(p, 0); list != nil && text == "" {
		t.Fatalf("not legal: %v", list)
	}
	list := VerifyRoom(p)
	if text == "" && list != nil || text != "" && (len(list) != 1 || list[0].Rule != RuleCapacity || !strings.Contains(list[0].Error(), text)) {
		t.Errorf("got %v, want %q", list, text)
	}
}

// Locations of several instructions may follow each other at one place, one named twice counts once, and placed ones overlap on purpose.
func TestVerifyRoomCountsOnce(t *testing.T) {
	row := Gen3.SBUFBytes() / 4
	b := newBuilder()
	x, y := b.loc("x", SB, num.Float32, 128, row), b.loc("y", SB, num.Float32, 128, row)
	b.add("Memset", DVE, whole(x))
	b.add("Memset", DVE, whole(y))
	b.add("TensorTensor", DVE, whole(x), whole(x), whole(x))
	p := b.done()
	checkRoom(t, p, "")
	b.add("TensorTensor", DVE, whole(x), whole(x), whole(y))
	checkRoom(t, b.done(), "inst I-3: capacity")
	x.Allocated, y.Allocated = true, true
	checkRoom(t, p, "")
}

// Quarters that stand above each other fit by rows, but not by bytes.
func TestVerifyRoomArea(t *testing.T) {
	row := Gen3.SBUFBytes() / 4
	b := newBuilder()
	var args []Operand
	for _, name := range []string{"a", "b", "c"} {
		args = append(args, whole(b.loc(name, SB, num.Float32, 64, row)))
	}
	b.add("TensorTensor", DVE, args...)
	checkRoom(t, b.done(), "inst I-0: capacity: got 44040192 bytes in the locations")
}

func TestVerifyRoomDRAM(t *testing.T) {
	const gib = int64(1) << 28 // f32 elements
	b := newBuilder()
	var small *Loc
	for core := range 2 {
		if core > 0 {
			b.core("sg0001")
		}
		b.loc("x", Input, num.Float32, 1, 40*gib) // one tensor of both cores
		b.loc("t", DRAM, num.Float32, 1, 20*gib)  // each core's own; the smaller one may follow it
		small = b.loc("u", DRAM, num.Float32, 1, 10*gib)
	}
	s := b.loc("s", DRAM, num.Float32, 1, 16*gib)
	s.Set.Space = Shared
	checkRoom(t, b.done(), "")
	s.RowBytes++
	checkRoom(t, b.done(), "module: capacity: got at least 103079215105 bytes")
	b.loc("v", DRAM, num.Float32, 1, 1).aliases(MayAlias, s, small) // s itself names nobody
	if list := VerifyRoom(b.done()); list != nil {
		t.Errorf("an alias may lie on another location: %v", list)
	}
}
