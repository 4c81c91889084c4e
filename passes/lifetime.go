package passes

import (
	"slices"

	"birfuzz/ir"
)

// lifetime is the stretch of a function in which a location's storage must hold what was written there: flat program positions (instruction
// IDs), both inside. A location that nobody touches has none: from is past to.
type lifetime struct {
	loc      *ir.Loc
	from, to int32
	users    []*ir.Inst // the instructions that touch it, in program order
}

// unused tells whether no instruction touches the location.
func (t *lifetime) unused() bool { return len(t.users) == 0 }

// widen makes the lifetime hold a loop.
func (t *lifetime) widen(l *loopNode) {
	t.from, t.to = min(t.from, l.from), max(t.to, l.to)
}

// loopNode is a loop in the tree of a function's loops. The function itself is the root and has no node.
type loopNode struct {
	parent   *loopNode
	depth    int
	from, to int32 // positions of the Loop instruction and of the last one in its body
}

// lifetimes computes the lifetimes of a function's on-chip locations, in declaration order.
//
// A location lives from its first access to its last; where it is touched inside a loop and outside it, for the whole loop. One that is
// touched in one loop body only lives inside the body if every iteration begins by overwriting all of it; otherwise an iteration may see what
// an earlier one left, and it lives as long as the outermost loop around it. That is exact but where several writes together overwrite it.
func lifetimes(f *ir.Func) []*lifetime {
	w := lifeWalk{of: map[*ir.Loc]*lifeDraft{}}
	w.blocks(f.Blocks, nil)
	var out []*lifetime
	for l := range f.Locs {
		if !l.Type.OnChip() {
			continue
		}
		if d := w.of[l]; d != nil {
			out = append(out, d.finish())
		} else {
			out = append(out, &lifetime{loc: l, from: 1})
		}
	}
	return out
}

// lifeWalk visits a function's instructions in program order.
type lifeWalk struct {
	of   map[*ir.Loc]*lifeDraft
	last int32 // position of the instruction visited last
}

// lifeDraft is a lifetime while the spans of the loops around its accesses are not yet known.
type lifeDraft struct {
	lifetime
	loops  []*loopNode // innermost loop of each user; nil: none
	killed bool        // the first user overwrites all of the location
}

func (w *lifeWalk) blocks(bs []*ir.Block, around *loopNode) {
	for _, b := range bs {
		for _, in := range b.Insts {
			w.last = in.ID
			w.inst(in, around)
			if in.Loop != nil {
				n := &loopNode{parent: around, depth: 1, from: in.ID}
				if around != nil {
					n.depth = around.depth + 1
				}
				w.blocks(in.Loop.Blocks, n)
				n.to = w.last
			}
		}
	}
}

func (w *lifeWalk) inst(in *ir.Inst, around *loopNode) {
	for i := range in.Args {
		l := in.Args[i].Loc
		if l == nil || !l.Type.OnChip() {
			continue
		}
		d := w.of[l]
		if d == nil {
			d = &lifeDraft{lifetime: lifetime{loc: l, from: in.ID}, killed: overwritesAll(in, l)}
			w.of[l] = d
		}
		if n := len(d.users); n == 0 || d.users[n-1] != in {
			d.users, d.loops = append(d.users, in), append(d.loops, around)
		}
		d.to = in.ID
	}
}

// overwritesAll tells whether in, wherever it is reached, leaves no byte of l as it was, and reads none.
func overwritesAll(in *ir.Inst, l *ir.Loc) bool { return writesAll(in, l) && !reads(in, l) }

// writesAll tells whether in, wherever it is reached, leaves no byte of l as it was.
func writesAll(in *ir.Inst, l *ir.Loc) bool {
	return len(in.Pred) == 0 && in.Spec().WriteMode(in) == ir.Overwrites && slices.ContainsFunc(in.Outs(), func(o ir.Operand) bool {
		return o.Loc == l && o.IsAP() && !o.Symbolic() && o.Count()*int64(o.DType.Size()) == l.Bytes()
	})
}

func (d *lifeDraft) finish() *lifetime {
	common := d.loops[0]
	for _, l := range d.loops[1:] {
		common = commonLoop(common, l)
	}
	for _, l := range d.loops {
		for ; l != common; l = l.parent {
			if l.parent == common {
				d.widen(l)
			}
		}
	}
	if common != nil && !(d.killed && d.loops[0] == common) {
		for common.parent != nil {
			common = common.parent
		}
		d.widen(common)
	}
	return &d.lifetime
}

// commonLoop returns the innermost loop around both, nil if there is none.
func commonLoop(a, b *loopNode) *loopNode {
	for a != b {
		switch {
		case a == nil || b == nil:
			return nil
		case a.depth >= b.depth:
			a = a.parent
		default:
			b = b.parent
		}
	}
	return a
}
