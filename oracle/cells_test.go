package oracle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// gridOf returns a grid of 12 rows of 24 bytes with the given inner cuts.
func gridOf(rows, cols []int32) *grid {
	g := &grid{pitch: 24, rows: 12}
	for _, x := range append([]int32{0, 12}, rows...) {
		g.rowCut.add(x)
	}
	for _, x := range append([]int32{0, 24}, cols...) {
		g.colCut.add(x)
	}
	g.build(false, 1)
	g.reset()
	return g
}

func randomTile(r *rand.Rand) tile {
	t := tile{row: r.Int32N(12), col: r.Int32N(24)}
	t.rows, t.cols = 1+r.Int32N(12-t.row), 1+r.Int32N(24-t.col)
	return t
}

// TestReadDoesNotDependOnCuts: what a read describes is a function of what every byte holds; finer cells describe it the same.
func TestReadDoesNotDependOnCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var tiles []tile
		var rows, cols []int32
		for range 6 {
			tl := randomTile(r)
			tiles = append(tiles, tl)
			rows, cols = append(rows, tl.row, tl.rowEnd()), append(cols, tl.col, tl.colEnd())
		}
		coarse := gridOf(rows, cols)
		fine := gridOf(append(rows, r.Int32N(12), r.Int32N(12)), append(cols, r.Int32N(24), r.Int32N(24)))
		for i, tl := range tiles {
			n := cell{base: mix(7, uint64(i%4)), class: int32(i % 2), state: defined}
			if i == 3 {
				n = cell{base: zeroBase, flat: true, class: 1, state: defined}
			}
			covers := i != 4
			a, b := coarse.read(tl, coarse.locate(tl), 1), fine.read(tl, fine.locate(tl), 1)
			if a.hash != b.hash || a.state != b.state {
				t.Fatalf("read %d of %v: %v by coarse cells, %v by fine ones", i, tiles, a, b)
			}
			coarse.fill(tl, coarse.locate(tl), n, covers, 5)
			fine.fill(tl, fine.locate(tl), n, covers, 5)
		}
	}
}

// TestReadTellsContentsApart: another write, another place in the write, or another order gives another description.
func TestReadTellsContentsApart(t *testing.T) {
	left, right, both := tile{0, 0, 4, 8}, tile{0, 8, 4, 8}, tile{0, 0, 4, 16}
	read := func(f func(g *grid)) uint64 {
		g := gridOf([]int32{4}, []int32{8, 16})
		f(g)
		return g.read(both, g.locate(both), 1).hash
	}
	a, b := cell{base: 11, class: 1, state: defined}, cell{base: 12, class: 1, state: defined}
	put := func(g *grid, t tile, c cell) { g.fill(t, g.locate(t), c, true, 0) }
	hashes := map[uint64]string{}
	for name, f := range map[string]func(g *grid){
		"nothing":         func(g *grid) {},
		"one write":       func(g *grid) { put(g, both, a) },
		"two writes":      func(g *grid) { put(g, left, a); put(g, right, b) },
		"two, exchanged":  func(g *grid) { put(g, left, b); put(g, right, a) },
		"the same twice":  func(g *grid) { put(g, left, a); put(g, right, a) },
		"half":            func(g *grid) { put(g, left, a) },
		"another class":   func(g *grid) { put(g, left, a); put(g, right, cell{base: 12, class: 2, state: maybe}) },
		"zeros":           func(g *grid) { put(g, both, cell{base: zeroBase, flat: true, class: 1, state: defined}) },
		"zeros and a bag": func(g *grid) { put(g, both, cell{base: zeroBase, flat: true, bag: 3, class: 1, state: defined}) },
	} {
		h := read(f)
		if other, ok := hashes[h]; ok && name != "another class" && other != "another class" {
			t.Errorf("%s and %s are described alike", name, other)
		}
		hashes[h] = name
	}
	if read(func(g *grid) { put(g, left, a) }) != read(func(g *grid) { put(g, left, a); put(g, right, cell{base: 9, class: 2, state: defined}) }) {
		t.Error("a read sees what was written through another location")
	}
}

func TestBandOf(t *testing.T) {
	cuts := []int32{0, 3, 4, 10}
	for x, want := range map[int32]int32{0: 0, 2: 0, 3: 1, 4: 2, 9: 2} {
		if got := bandOf(cuts, x); got != want {
			t.Errorf("band of %d is %d, want %d", x, got, want)
		}
	}
}

func TestThinKeepsTheEnds(t *testing.T) {
	for n := 2; n < 9; n++ {
		var c cuts
		for i := range n {
			c.add(int32(10 * i))
		}
		got := slices.Clone(c).thin()
		if got[0] != 0 || got[len(got)-1] != c[n-1] || n > 2 && len(got) >= n {
			t.Errorf("%v thinned is %v", c, got)
		}
	}
}

func TestWordSet(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	var s wordSet
	for range 3 {
		s.clear()
		ref := map[uint64]bool{}
		for range 2000 {
			k := r.Uint64N(1500)
			if s.has(k) != ref[k] || s.add(k) == ref[k] {
				t.Fatalf("%d: the set and the map disagree", k)
			}
			ref[k] = true
		}
	}
}

func TestOriginKinds(t *testing.T) {
	in, c := inputUnit(1, 2), constUnit(7)
	for _, x := range []struct {
		name string
		h    uint64
		kind uint64
	}{
		{"input", in, kindMoved}, {"constant", c, kindConst}, {"parts of a constant", joinParts(c, c), kindConst},
		{"parts of an input", joinParts(in, in), kindMoved}, {"sum", combine(1, in, c), kindComputed}, {"sum of constants", combine(1, c, c), kindConst},
		{"news of a constant", newsUnit(c, 1), kindMoved}, {"bag", withBag(zeroUnit, 5), kindComputed}, {"no bag", withBag(zeroUnit, 0), kindConst},
	} {
		if x.h&kindMask != x.kind {
			t.Errorf("%s is %s", x.name, kindText(x.h))
		}
	}
	for _, h := range []uint64{combine(1, in, 0), combine(1, 0, c), unary(1, 0), joinParts(0, c), joinParts(c, 0), leaf(0, 0), partOf(0, 1), withBag(0, 3)} {
		if h != poisonOrigin {
			t.Error("poison in, no poison out")
		}
	}
	if constElement(0x40000000, 4, 2) != joinParts(constUnit(0), constUnit(0x4000)) {
		t.Error("an element of two units is not its units")
	}
}

// TestCuts: cuts are in order, each once, few or many.
func TestCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, n := range []int{0, 1, 5, maxSorted, 3 * maxSorted} {
		var c cuts
		ref := map[int32]bool{}
		for range n {
			x := r.Int32N(int32(2 * n))
			c.add(x)
			ref[x] = true
		}
		c.settle()
		if !slices.IsSorted(c) || len(c) != len(ref) {
			t.Errorf("%d cuts of %d, of which %d are different: %v", len(c), n, len(ref), c)
		}
		for _, x := range c {
			if !ref[x] {
				t.Errorf("a cut at %d, where none was made", x)
			}
		}
	}
}

// TestCarry: two stretches end up with the cuts of both; what lies outside or on their borders is not carried.
func TestCarry(t *testing.T) {
	a, b := cuts{0, 10, 12, 20, 30}, cuts{0, 5, 8, 15, 40}
	if !carry(&a, &b, 10, 5, 10) || !slices.Equal(a, cuts{0, 10, 12, 13, 20, 30}) || !slices.Equal(b, cuts{0, 5, 7, 8, 15, 40}) {
		t.Errorf("got %v and %v", a, b)
	}
	if carry(&a, &b, 10, 5, 10) {
		t.Error("there was something left to carry")
	}
}
