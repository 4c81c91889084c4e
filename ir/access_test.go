package ir

import (
	"testing"

	"birfuzz/ir/num"
)

// TestOverlapOfAliases: aliases without addresses lie byte on byte. Where one has an address, Overlap does not ask where the other lies, and
// all that they reach may meet.
func TestOverlapOfAliases(t *testing.T) {
	pair := func() (x, y *Loc) {
		b := newBuilder()
		return b.loc("x", DRAM, num.Float32, 4, 4), b.loc("y", DRAM, num.Float32, 4, 4)
	}
	for _, c := range []struct {
		name        string
		set         func(x, y *Loc)
		same, other bool // the first row of x and the first, the last row of y
	}{
		{"strangers", func(_, _ *Loc) {}, false, false},
		{"without addresses", func(x, y *Loc) { x.aliases(MustAlias, y) }, true, false},
		{"one placed", func(x, y *Loc) { x.at(0, 1024).aliases(MustAlias, y) }, true, true},
		{"one placed, which the other names", func(x, y *Loc) { x.at(0, 1024); y.aliases(MayAlias, x) }, true, true},
		{"both placed", func(x, y *Loc) { x.at(0, 1024).aliases(MustAlias, y.at(0, 1024-48)) }, false, true},
		{"one placed, no aliases", func(x, _ *Loc) { x.at(0, 1024) }, false, false},
	} {
		x, y := pair()
		c.set(x, y)
		o := tileOf(x, 0, 0, 1, 4)
		for row, want := range map[int64]bool{0: c.same, 3: c.other} {
			p := tileOf(y, row, 0, 1, 4)
			if got, back := Overlap(&o, &p), Overlap(&p, &o); got != want || back != want {
				t.Errorf("%s, row %d: %t, and %t the other way round, want %t", c.name, row, got, back, want)
			}
		}
	}
}
