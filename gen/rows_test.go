package gen

import (
	"testing"

	"birfuzz/ir"
)

// TestRowsFit: the generator has room for the operands and settings of every row, and finds rows for everything that it does by itself.
func TestRowsFit(t *testing.T) {
	for s := range ir.Ops {
		if n := len(s.Outs) + len(s.Ins); n > maxArgs {
			t.Errorf("%s has %d operands, room for %d", s.Name, n, maxArgs)
		}
		if n := len(s.Params); n > maxParams {
			t.Errorf("%s has %d settings, room for %d", s.Name, n, maxParams)
		}
	}
	for name, list := range map[string][]*ir.Spec{"draw": rows.draw, "move": rows.move, "fill": rows.fill, "sums": rows.sums, "local": rows.local,
		"meet": rows.meet, "idle": rows.idle, "sync": rows.sync, "end": rows.end, "accGet": rows.accGet, "exchange": rows.exchange,
		"number": rows.number, "count": rows.count} {
		if len(list) == 0 {
			t.Errorf("no row of the table is for %s", name)
		}
	}
	if rows.loop == nil {
		t.Error("no row of the table is a loop")
	}
}
