package oracle

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestValueDoesNotDependOnCuts: what is hashed of a visible location that is defined in part is a function of its bytes and of which are defined,
// whatever the cuts and wherever it lies.
func TestValueDoesNotDependOnCuts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	home := tile{2, 4, 6, 12}
	seen := map[uint64]string{}
	for range 200 {
		writes := []tile{home}
		for range r.IntN(4) {
			writes = append(writes, randomTile(r).intersect(home))
		}
		writes = slices.DeleteFunc(writes, func(x tile) bool { return x.rows <= 0 || x.cols <= 0 })
		which := [12][24]byte{}
		hash := func(by tile, fine bool) uint64 {
			g := gridOf(nil, nil)
			for i := int32(0); fine && i < 24; i++ {
				g.rowCut.add(min(i, 12))
				g.colCut.add(i)
			}
			for _, w := range writes {
				g.cut(tile{w.row + by.row, w.col + by.col, w.rows, w.cols})
			}
			g.build(false, 1)
			g.reset()
			c := cellTracker{grids: []grid{*g}}
			c.m, c.out = &Machine{data: make([]byte, 12*24)}, &outcome{}
			for i, w := range writes[1:] {
				at := tile{w.row + by.row, w.col + by.col, w.rows, w.cols}
				c.grids[0].fill(at, c.grids[0].locate(at), cell{base: uint64(i + 1), class: 1, state: defined}, true, 0)
				for x := w.row; x < w.rowEnd(); x++ {
					for y := w.col; y < w.colEnd(); y++ {
						which[x][y] = 1
						c.m.data[(x+by.row)*24+y+by.col] = byte(x*24 + y)
					}
				}
			}
			l := &location{st: &storage{pitch: 24}, at: int((home.row+by.row)*24 + home.col + by.col), rows: 6, rowBytes: 12, class: 1}
			tl := c.grids[0].home(l)
			return c.hashVisible(l, c.grids[0].locate(tl), maybe)
		}
		h := hash(tile{}, false)
		if fine, far := hash(tile{}, true), hash(tile{row: 3, col: 7}, false); fine != h || far != h {
			t.Fatalf("%v: %#x, finer %#x, elsewhere %#x", writes, h, fine, far)
		}
		what := ""
		for _, row := range which {
			what += string(row[:])
		}
		if old, ok := seen[h]; ok && old != what {
			t.Fatalf("%v has the hash of others", writes)
		}
		seen[h] = what
	}
}
