package gen_test

import (
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
)

// TestAnyBytesAreAProgram: whatever the bytes, they give a legal program, the same each time; other bytes give other programs.
func TestAnyBytesAreAProgram(t *testing.T) {
	noise, texts := gen.New(5), map[string]bool{}
	var v ir.Verifier
	n := count(400)
	for range n {
		data := make([]byte, noise.IntN(300))
		for i := range data {
			data[i] = byte(noise.IntN(256))
		}
		draw := func() *ir.Program {
			r := gen.FromBytes(data)
			return gen.Program(r, gen.Swarm(r))
		}
		p := draw()
		if cs := v.Verify(p, p.Facts); len(cs) > 0 {
			t.Fatalf("% x: %v", data, cs)
		}
		text := p.String()
		if q := draw(); q.String() != text {
			t.Fatalf("% x: two programs", data)
		}
		texts[text] = true
	}
	if len(texts) < n*9/10 {
		t.Errorf("%d programs of %d lists of bytes", len(texts), n)
	}
}

// TestBytesDecide: one other byte changes what the draw that it drives comes to, and no draw before it.
func TestBytesDecide(t *testing.T) {
	draws := func(data ...byte) (out [4]int) {
		r := gen.FromBytes(data)
		for i := range out {
			out[i] = r.Fork("x").IntN(256)
		}
		return out
	}
	if a, b := draws(1, 2, 3, 4), draws(1, 2, 200, 4); a != [4]int{1, 2, 3, 4} || b != [4]int{1, 2, 200, 4} {
		t.Errorf("%v, %v", a, b)
	}
	if a, b := draws(9), draws(9, 7); a[0] != b[0] || a[1] == b[1] {
		t.Errorf("%v, %v", a, b)
	}
}
