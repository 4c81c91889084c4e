package passes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// crowdedAtRandom is n reads and writes of rectangles of one location.
func crowdedAtRandom(r *rand.Rand, n int, memory string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "func f {\n  input a: f32[8,64]\n  output y: f32[8,64]\n  %s t: f32[8,64]\n", memory)
	for i := range n {
		row, col := r.IntN(8), r.IntN(64)
		part := fmt.Sprintf("[%d:%d, %d:%d]", row, row+1+r.IntN(8-row), col, col+1+r.IntN(min(64-col, 1<<r.IntN(7))))
		if r.IntN(2) == 0 {
			fmt.Fprintf(&b, "  I-%d: y%s = DMACopy t%s @SP can_read_uninit=true\n", i, part, part)
		} else {
			fmt.Fprintf(&b, "  I-%d: t%s = DMACopy a%s @SP\n", i, part, part)
		}
	}
	return b.String() + "}\n"
}

// What is looked up in the index is what a walk over everything finds, before and after removals.
func TestIndexAgreesWithWalk(t *testing.T) {
	for seed := range uint64(6) {
		r := rand.New(rand.NewPCG(seed, 1))
		a := newAccesses(parse(t, crowdedAtRandom(r, 300, []string{"sb", "dram"}[seed%2])))
		for range 3 {
			asked := 0
			for e := range a.list {
				x := &a.list[e]
				if a.gone[x.inst] || !a.indexed(x) {
					continue
				}
				first := r.Int32N(300)
				last := first + r.Int32N(300)
				want := false
				for i := range a.list {
					y := &a.list[i]
					want = want || !a.gone[y.inst] && y.reads && y.inst >= first && y.inst <= last && a.operand(x).Loc == a.operand(y).Loc && a.touches(y, x)
				}
				if got, known := a.readBetween(x, first, last); known && got != want {
					t.Fatalf("seed %d: access %d, instructions %d to %d: got %v, want %v", seed, e, first, last, got, want)
				} else if known {
					asked++
				}
			}
			if asked < 100 {
				t.Fatalf("seed %d: only %d questions were answered", seed, asked)
			}
			for range 80 {
				if id := r.Int32N(300); !a.gone[id] {
					a.remove(id)
				}
			}
		}
	}
}

// In a crowded location the far overwriting store is found, and so is the reader before it.
func TestDeadStoreFarAway(t *testing.T) {
	program := func(between string) string {
		var b strings.Builder
		b.WriteString("func f {\n  output y: f32[4,512]\n  sb t: f32[4,512]\n  First: t[:, 0:1] = Memset @DVE constant=7\n")
		for i := 1; i < 400; i++ {
			fmt.Fprintf(&b, "  I-%d: t[:, %d:%d] = Memset @DVE constant=1\n", i, i, i+1)
		}
		return b.String() + between + "  Last: t[:, 0:1] = Memset @DVE constant=2\n  Out: y[:, 0:400] = Save t[:, 0:400] @SP\n}\n"
	}
	for between, dead := range map[string]bool{"": true, "  Read: y[:, 500:501] = Save t[:, 0:1] @SP\n": false, "  Read: y[:, 500:501] = Save t[:, 1:2] @SP\n": true} {
		p := parse(t, program(between))
		steps(p, Unlimited(), deadCodeElimO1())
		if got := !strings.Contains(p.String(), "First:"); got != dead {
			t.Errorf("with %q between: deleted %v, want %v", between, got, dead)
		}
	}
}

// Locations that nothing about them tells apart: no more than maxLook accesses are looked at for one question, and the answer is then unknown.
func TestQuestionsAreBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString("func f {\n  output y: f32[2,2048]\n  dram t: f32[2,4096]\n  First: t[1:2, 0:1] = DMACopy y[0:1, 0:1] @SP\n")
	for i := range 1500 {
		fmt.Fprintf(&b, "  I-%d: y[0:1, %d:%d] = DMACopy t[0:1, 0:1] @SP can_read_uninit=true\n", i, i, i+1)
	}
	a := newAccesses(parse(t, b.String()+"}\n"))
	e := &a.list[a.outs[0]]
	if _, known := a.readBetween(e, 1, math.MaxInt32); known {
		t.Error("1500 accesses were looked at")
	}
	if read, known := a.readBetween(e, 1, 100); read || !known {
		t.Errorf("a short stretch: read %v, known %v", read, known)
	}
}
