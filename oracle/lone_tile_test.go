package oracle

import (
	"runtime"
	"testing"

	"birfuzz/ir"
)

// TestLoneTileIsCheap: storage costs what is touched of it and not what lies before it, so a tile at byte 200,000 of each partition takes at
// most 4 MiB more than a program that touches next to nothing, at both grains.
func TestLoneTileIsCheap(t *testing.T) {
	const most = 4 << 20
	empty := judgedBytes(t, "func f {\n  output y: f32[1,1]\n  m: y = Memset\n}")
	tile := judgedBytes(t, `func f {
  output y: f32[128,16]
  sb s: f32[128,16] at base 0 addr 200000
  m: s = Memset constant=1065353216
  n: y = Save s
}`)
	if tile > empty+most {
		t.Errorf("a lone tile takes %d bytes, nothing takes %d", tile, empty)
	}
}

// judgedBytes returns how much memory a new judge of each grain takes from the heap for one program.
func judgedBytes(t *testing.T, text string) (n uint64) {
	t.Helper()
	p := parse(t, text)
	for _, elements := range []bool{false, true} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if v := NewJudge(Options{Elements: elements}).Start(p, []ir.Values{{}}); v.Kind != Same {
			t.Fatal(v)
		}
		runtime.ReadMemStats(&after)
		n += after.TotalAlloc - before.TotalAlloc
	}
	return n
}
