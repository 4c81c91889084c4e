package ir

import (
	"math/rand/v2"
	"testing"

	"birfuzz/ir/num"
)

// Accesses with disjoint boxes share no byte, and a box is no larger than it must be: its four sides are touched.
func TestBox(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, mem := range []MemType{SB, DRAM} {
		l := &Loc{Name: "l", Set: &Set{}, Type: mem, Rows: 16, RowBytes: 64}
		draw := func() Operand {
			o := Operand{Kind: APOperand, DType: drawType(r), Loc: l, N: 3}
			pitch := int32(o.Pitch())
			o.AP = [MaxPairs]Pair{{pitch, 1 + r.Int32N(4)}, {1 + r.Int32N(3), 1 + r.Int32N(3)}, {1, 1 + r.Int32N(2)}}
			o.Off.C = r.Int64N(8)*int64(pitch) + r.Int64N(int64(pitch)-8)
			return o
		}
		for range 2000 {
			a, b := draw(), draw()
			ba, bb := a.Box(), b.Box()
			if Overlap(&a, &b) && !ba.Meets(&bb) {
				t.Fatalf("%v and %v share a byte, boxes %v and %v do not", a, b, ba, bb)
			}
			w := a.Walk()
			lo, hi := w.Extent()
			if mem == DRAM && (lo != ba.Col || hi != ba.ColEnd) {
				t.Fatalf("%v: box %v, extent %d..%d", a, ba, lo, hi)
			}
			if mem == SB && (lo != ba.Row*rowPitch+ba.Col || hi != (ba.RowEnd-1)*rowPitch+ba.ColEnd) {
				t.Fatalf("%v: box %v, extent %d..%d", a, ba, lo, hi)
			}
		}
	}
}

func drawType(r *rand.Rand) DType {
	return [...]DType{num.UInt8, num.BFloat16, num.Float32}[r.IntN(3)]
}
