package ir

import (
	"fmt"
	"strings"
	"testing"
)

// TestCopiesReuse: a clone in used memory is the program that was cloned, whatever stood there before, and costs next to nothing.
func TestCopiesReuse(t *testing.T) {
	small, large := parseText(t, "func f {\n  sb a: f32[4,4]\n  x: a = Memset @DVE\n}"), parseFile(t, "everything.bir")
	var c Copies
	for _, p := range []*Program{large, small, large, small, small, large} {
		q := c.Clone(p)
		sameText(t, q.String(), p.String())
		for _, l := range leaves(q, shared...) {
			l.change()
		}
		c.Return(q)
	}
	if n := testing.AllocsPerRun(10, func() { c.Return(c.Clone(large)) }); n > 1 {
		t.Errorf("%v allocations a clone, want one for the module itself", n)
	}
}

// TestCopiesApart: what was not given back is never written again; only what came from here is taken back, and only once.
func TestCopiesApart(t *testing.T) {
	p, other := parseFile(t, "everything.bir"), parseText(t, "func f {\n  sb a: f32[4,4]\n  x: a = Memset @DVE\n}")
	text := p.String()
	var c Copies
	kept, used := c.Clone(p), c.Clone(p)
	c.Return(other)
	c.Return(used)
	first := c.Clone(p)
	c.Return(used)
	second := c.Clone(other)
	c.Keep()
	c.Return(kept)
	c.Clone(other)
	for _, q := range []*Program{p, kept, first} {
		sameText(t, q.String(), text)
	}
	sameText(t, second.String(), other.String())
	var none *Copies
	q := none.Clone(p)
	none.Return(q)
	sameText(t, q.String(), text)
}

// TestCopiesLetGo: the memory of a clone of very many instructions is not kept.
func TestCopiesLetGo(t *testing.T) {
	for n, want := range map[int]int{maxSpareInsts: 1, maxSpareInsts + 1: 0} {
		var body strings.Builder
		for i := range n {
			fmt.Fprintf(&body, "  x%d: NoOp @DVE\n", i)
		}
		var c Copies
		c.Return(c.Clone(parseText(t, "func f {\n"+body.String()+"}")))
		if len(c.spare) != want || len(c.lent) != 0 {
			t.Errorf("%d instructions: memory of %d clones is kept, want %d; %d are lent", n, len(c.spare), want, len(c.lent))
		}
	}
}
