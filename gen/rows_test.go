package gen

import (
	"testing"

	"birfuzz/ir"
)

// TestRowsFit: the generator has room for the operands of every row, and finds rows for everything that it does by itself.
func TestRowsFit(t *testing.T) {
	for s := range ir.Ops {
		if n := len(s.Outs) + len(s.Ins); n > maxArgs {
			t.Errorf("%s has %d operands, room for %d", s.Name, n, maxArgs)
		}
	}
	for name, list := range map[string][]*ir.Spec{"draw": rows.draw, "move": rows.move, "fill": rows.fill, "sums": rows.sums, "local": rows.local,
		"meet": rows.meet, "idle": rows.idle, "sync": rows.sync, "end": rows.end, "accGet": rows.accGet, "exchange": rows.exchange} {
		if len(list) == 0 {
			t.Errorf("no row of the table is for %s", name)
		}
	}
	if rows.loop == nil {
		t.Error("no row of the table is a loop")
	}
}
