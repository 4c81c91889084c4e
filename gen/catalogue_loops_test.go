package gen_test

import (
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
)

// loopShapes are about loops and what passes from trip to trip.
var loopShapes = map[string]shape{
	"shifted-writes": anyLoop(func(l *ir.Loop) bool { return shifted(directly(l), directly(l), outOf, outOf) }),
	"carried": anyLoop(func(l *ir.Loop) bool {
		return l.Trips() >= 3 && slices.ContainsFunc(directly(l), func(in *ir.Inst) bool {
			return in.NOut == 1 && in.Args[0].Loc != nil && withLoc(in.Ins(), in.Args[0].Loc)
		})
	}),
	"in-place-loop": anyLoop(func(l *ir.Loop) bool {
		return l.Trips() > 1 && slices.ContainsFunc(directly(l), func(in *ir.Inst) bool { return overwritesItself(in) && !in.Args[0].Symbolic() })
	}),
	"swap": anyInst(exchanges),
	"no-trips": anyLoop(func(l *ir.Loop) bool {
		return l.Trips() == 0 && slices.ContainsFunc(directly(l), func(in *ir.Inst) bool { return in.NOut > 0 && !in.Args[0].Symbolic() })
	}),
	"meeting-at-one-place": loopPair(func(l, m *ir.Loop) bool {
		return slices.ContainsFunc(directly(l), func(a *ir.Inst) bool {
			return len(a.Outs()) > 0 && !a.Args[0].Symbolic() && slices.ContainsFunc(directly(m), func(b *ir.Inst) bool { return feeds(a, b) })
		})
	}),
	"two-axis-shift": anyInst(func(in *ir.Inst) bool { return perfect(in) && twoAxisShift(in.Loop) }),
	"odd-trips":      anyLoop(func(l *ir.Loop) bool { return l.Trips() > 2 && l.Trips()%2 == 1 }),
	"fence-in-loop":  symptoms[gen.FencedLoops].in,
	"first-trip-fence": anyLoop(func(l *ir.Loop) bool {
		return slices.ContainsFunc(directly(l), func(in *ir.Inst) bool { return in.Spec().Effect.Fence() }) &&
			slices.ContainsFunc(directly(l), func(in *ir.Inst) bool { return len(in.Pred) > 0 })
	}),
	"live-over-loop": around(func(before, _ []*ir.Inst, l *ir.Loop) bool { return liveOver(before, l) }),
	"load-use-loop": anyLoop(func(l *ir.Loop) bool {
		return l.Trips() >= 6 && pairIn(directly(l), func(a, b *ir.Inst) bool { return loads(a) && feeds(a, b) })
	}),
	"far-edge": anyInst(func(in *ir.Inst) bool {
		return slices.ContainsFunc(in.LoopDeps, func(d ir.LoopDep) bool { return slices.Max(d.Dist) > 1 })
	}),
	"back-edge-war": anyLoop(func(l *ir.Loop) bool {
		return l.Trips() > 1 && pairIn(directly(l), func(a, b *ir.Inst) bool { return a.Engine != b.Engine && feeds(a, b) })
	}),
	"shifted-meeting": anyLoop(func(l *ir.Loop) bool { return shifted(directly(l), directly(l), outOf, insOf) }),
	"wide-stride":     anyLoop(func(l *ir.Loop) bool { return l.Stride > 1 && slices.ContainsFunc(directly(l), movesWithAxis) }),
	"rewritten-each-trip": around(func(before, _ []*ir.Inst, l *ir.Loop) bool {
		return slices.ContainsFunc(directly(l), func(in *ir.Inst) bool {
			return len(in.Outs()) > 0 && !in.Args[0].Symbolic() && slices.ContainsFunc(before, func(b *ir.Inst) bool { return hit(b.Outs(), in.Outs()) })
		})
	}),
	"fence-only-loop": anyLoop(func(l *ir.Loop) bool {
		list := directly(l)
		return len(list) > 0 && !slices.ContainsFunc(list, func(in *ir.Inst) bool { return !in.Spec().Effect.Fence() })
	}),
	"read-in-nest": around(func(before, _ []*ir.Inst, l *ir.Loop) bool {
		return slices.ContainsFunc(directly(l), func(in *ir.Inst) bool {
			return in.Loop != nil && slices.ContainsFunc(directly(in.Loop), func(sub *ir.Inst) bool {
				return slices.ContainsFunc(before, func(b *ir.Inst) bool { return feeds(b, sub) })
			})
		})
	}),
	"first-write-in-loop": around(func(before, after []*ir.Inst, l *ir.Loop) bool {
		return slices.ContainsFunc(directly(l), func(in *ir.Inst) bool {
			return len(in.Outs()) > 0 && in.Args[0].Loc != nil && !slices.ContainsFunc(before, func(b *ir.Inst) bool { return withLoc(b.Outs(), in.Args[0].Loc) }) &&
				slices.ContainsFunc(after, func(a *ir.Inst) bool { return feeds(in, a) })
		})
	}),
	"first-trip-alias": anyLoop(func(l *ir.Loop) bool { return shifted(directly(l), directly(l), outOf, insOf) }),
	"invariant-and-readers": anyInst(func(in *ir.Inst) bool {
		found := false
		constants(in, func(bl *ir.Block, at int) {
			found = found || slices.ContainsFunc(bl.Insts, func(r *ir.Inst) bool { return !moves(r) && feeds(bl.Insts[at], r) })
		})
		return found
	}),
	"floor-or-mod": anyOperand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool {
		return slices.ContainsFunc(o.Off.Terms, func(t ir.Term) bool { return t.Kind == ir.ModTerm || t.Kind == ir.FloorDivTerm })
	}),
	"other-index":    symptoms[gen.OddPairs].in,
	"anti-ahead":     loopPair(func(l, m *ir.Loop) bool { return shifted(directly(l), directly(m), insOf, outOf) }),
	"part-of-window": anyOperand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool { return o.Symbolic() && gaps(o) }),
	"hollow":         anyInst(hollow),
	"nested-alias": anyLoop(func(l *ir.Loop) bool {
		return slices.ContainsFunc(directly(l), func(in *ir.Inst) bool {
			return in.Loop != nil && slices.ContainsFunc(directly(in.Loop), func(sub *ir.Inst) bool {
				return slices.ContainsFunc(directly(l), func(out *ir.Inst) bool { return feeds(sub, out) })
			})
		})
	}),
	"moving-part": anyOperand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool {
		return o.Symbolic() && o.Count()*int64(o.DType.Size()) < o.Loc.Bytes()
	}),
	"live-out": around(func(_, after []*ir.Inst, l *ir.Loop) bool {
		return slices.ContainsFunc(directly(l), func(in *ir.Inst) bool {
			return slices.ContainsFunc(after, func(a *ir.Inst) bool { return feeds(in, a) })
		})
	}),
	"store-last": anyLoop(func(l *ir.Loop) bool {
		list := directly(l)
		return len(list) > 0 && list[len(list)-1].NOut > 0 && list[len(list)-1].Args[0].Loc.Type.IsDRAM()
	}),
	"guarded-loop": anyInst(func(in *ir.Inst) bool { return in.Loop != nil && len(in.Pred) > 0 }),
	"far-start":    anyLoop(func(l *ir.Loop) bool { return l.LB != 0 && slices.ContainsFunc(directly(l), movesWithAxis) }),
}

func outOf(in *ir.Inst) []ir.Operand { return in.Outs() }
func insOf(in *ir.Inst) []ir.Operand { return in.Ins() }

// movesWithAxis tells whether the instruction has an access that moves.
func movesWithAxis(in *ir.Inst) bool {
	return slices.ContainsFunc(in.Args, func(o ir.Operand) bool { return o.IsAP() && o.Symbolic() })
}

// shifted tells whether an access of one list and an access of another move over one location some way from each other.
func shifted(list, other []*ir.Inst, of, with func(*ir.Inst) []ir.Operand) bool {
	for _, a := range list {
		for _, o := range of(a) {
			for _, b := range other {
				if a != b && slices.ContainsFunc(with(b), func(q ir.Operand) bool {
					return o.IsAP() && q.IsAP() && o.Loc == q.Loc && o.Symbolic() && q.Symbolic() && o.Off.C != q.Off.C
				}) {
					return true
				}
			}
		}
	}
	return false
}

// loopPair is the shape of a program with two such loops, in this order, in a block.
func loopPair(right func(l, m *ir.Loop) bool) shape {
	return anyPair(func(a, b *ir.Inst) bool { return a.Loop != nil && b.Loop != nil && right(a.Loop, b.Loop) })
}

// around is the shape of a program with such a loop that runs, and the instructions before and behind it in its block.
func around(right func(before, after []*ir.Inst, l *ir.Loop) bool) shape {
	return anyBlock(func(list []*ir.Inst) bool {
		for i, in := range list {
			if in.Loop != nil && in.Loop.Trips() > 1 && right(list[:i], list[i+1:], in.Loop) {
				return true
			}
		}
		return false
	})
}

// liveOver tells whether a loop reads, and does not write, a tile that was written before it, and writes another one behind that.
func liveOver(before []*ir.Inst, l *ir.Loop) bool {
	t := touches(l)
	return pairIn(directly(l), func(use, next *ir.Inst) bool {
		return len(next.Outs()) > 0 && slices.ContainsFunc(use.Ins(), func(o ir.Operand) bool {
			return o.IsAP() && o.Loc.Type.OnChip() && t[o.Loc]&2 == 0 && slices.ContainsFunc(before, func(b *ir.Inst) bool { return hit(b.Outs(), []ir.Operand{o}) })
		})
	})
}

// twoAxisShift tells whether a nest writes pieces of a tensor and reads others of it, both moving with two axes.
func twoAxisShift(l *ir.Loop) bool {
	var list []*ir.Inst
	for in := range l.Insts {
		list = append(list, in)
	}
	both := func(of func(*ir.Inst) []ir.Operand) func(*ir.Inst) []ir.Operand {
		return func(in *ir.Inst) []ir.Operand {
			var out []ir.Operand
			for _, o := range of(in) {
				if len(o.Off.Terms) > 1 {
					out = append(out, o)
				}
			}
			return out
		}
	}
	return shifted(list, list, both(outOf), both(insOf))
}
