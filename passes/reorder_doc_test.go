package passes

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"birfuzz/ir"
)

// The tests in this file are named after the notes of the document on instruction_reorder (ssa-exit-and-pre-scheduling, walrus.md §4.1).

// independent is a block of one instruction a key, each in a location of its own; an empty key is no order.
func independent(keys ...string) string {
	var b strings.Builder
	b.WriteString("func f {\n")
	for i := range keys {
		fmt.Fprintf(&b, "  sb t%d: f32[4,8]\n", i)
	}
	for i, k := range keys {
		fmt.Fprintf(&b, "  I-%d: t%d = Memset @DVE constant=1", i, i)
		if k != "" {
			fmt.Fprintf(&b, " order(%s)", k)
		}
		b.WriteByte('\n')
	}
	return b.String() + "}\n"
}

// reordered returns the numbers of the instructions in the order that the pass gives them.
func reordered(t *testing.T, keys ...string) string {
	t.Helper()
	p := parse(t, independent(keys...))
	if s := steps(p, Unlimited(), instructionReorder())[0]; s.Failure != nil {
		t.Fatal(s.Failure)
	}
	var names []string
	for in := range p.Insts {
		names = append(names, strings.TrimPrefix(in.Name, "I-"))
	}
	return strings.Join(names, " ")
}

// QUIRK: unordered instructions are hard barriers; what stands between two of them is sorted by itself.
func TestQuirkUnorderedIsABarrier(t *testing.T) {
	if got, want := reordered(t, "3", "2", "", "1", "0", "", "", "5", "4"), "1 0 2 4 3 5 6 8 7"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// QUIRK: within a run the permutation is deterministic and stable: equal coordinates keep their order, however many there are. (The
// documented sort changes its method at 128 instructions.)
func TestQuirkStableAmongEqualKeys(t *testing.T) {
	const n = 300
	keys, want := make([]string, n), make([]string, 0, n)
	for i := range n {
		keys[i] = fmt.Sprint((n - i) / 100) // 3, then 2s, 1s and 0s
	}
	for k := range 4 {
		for i := range n {
			if (n-i)/100 == k {
				want = append(want, fmt.Sprint(i))
			}
		}
	}
	if got := reordered(t, keys...); got != strings.Join(want, " ") {
		t.Errorf("got %s", got)
	}
}

// Bug surface: comparing the common prefix alone. The shorter vector comes first, also where that turns program order round.
func TestShorterVectorFirst(t *testing.T) {
	if got, want := reordered(t, "1, 0", "1", "1, 0, 0", "1, -1"), "1 3 0 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// Bug surface: not refreshing the flat index. A run behind another one, and a second execution, go by the positions of this execution.
func TestFlatIndexIsRefreshed(t *testing.T) {
	p := parse(t, independent("1", "0", "1", "0"))
	for want := range slices.Values([]string{"1 3 0 2", "1 3 0 2"}) {
		steps(p, Unlimited(), instructionReorder())
		var names []string
		for in := range p.Insts {
			names = append(names, strings.TrimPrefix(in.Name, "I-"))
			if int(in.ID) != len(names)-1 {
				t.Errorf("%s has number %d in place %d", in.Name, in.ID, len(names)-1)
			}
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// The comparator is a strict weak order over all instructions, whatever the lengths of their vectors.
func TestComparatorIsAStrictWeakOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	insts := make([]*ir.Inst, 60)
	for i := range insts {
		insts[i] = &ir.Inst{Order: make([]ir.Affine, 1+r.IntN(3))}
		for k := range insts[i].Order {
			insts[i].Order[k].C = r.Int64N(3) - 1
		}
	}
	for _, a := range insts {
		for _, b := range insts {
			if byKey(a, b) != -byKey(b, a) {
				t.Fatalf("%v against %v: %d one way, %d the other", a.Order, b.Order, byKey(a, b), byKey(b, a))
			}
			for _, c := range insts {
				if byKey(a, b) <= 0 && byKey(b, c) <= 0 && byKey(a, c) > 0 {
					t.Fatalf("%v, %v, %v: not transitive", a.Order, b.Order, c.Order)
				}
			}
		}
	}
}

// The block's symbol table tracks the new sequence: every name still means the instruction that it meant, for edges too.
func TestSymbolTableTracksTheSequence(t *testing.T) {
	p := parse(t, `func f {
  output y: f32[4,8]
  sb t: f32[4,8]
  sb u: f32[4,8]
  I-0: t = Memset @DVE constant=1 order(1)
  I-1: u = Memset @DVE constant=2 order(0)
  I-2: y = Save t @SP after(I-0) order(2)
}`)
	steps(p, Unlimited(), instructionReorder())
	q := parse(t, p.String())
	if p.String() != q.String() || p.Hash() != q.Hash() {
		t.Errorf("the text reads back as another program:\n%s", q)
	}
	last := q.Cores[0].Blocks[0].Insts[2]
	if on := last.Deps[0].On; on.Name != "I-0" || on != q.Cores[0].Blocks[0].Insts[1] {
		t.Errorf("%s waits for %s", last.Name, on.Name)
	}
}
