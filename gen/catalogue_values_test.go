package gen_test

import (
	"slices"

	"birfuzz/ir"
)

// valueShapes are about values, their places and their readers in straight code.
var valueShapes = map[string]shape{
	"tied-rewrite": anyPair(func(a, b *ir.Inst) bool {
		return len(a.Order) > 0 && slices.EqualFunc(a.Order, b.Order, ir.Affine.Equal) && kills(a, b)
	}),
	"shifted-overlap": anyPair(func(a, b *ir.Inst) bool {
		return slices.ContainsFunc(a.Outs(), func(o ir.Operand) bool {
			return slices.ContainsFunc(b.Ins(), func(q ir.Operand) bool {
				return o.IsAP() && q.IsAP() && o.Loc == q.Loc && !o.Symbolic() && !q.Symbolic() && q.Off.C > o.Off.C && ir.Overlap(&o, &q)
			})
		})
	}),
	"side-output":         anyInst(func(in *ir.Inst) bool { return in.WritesAcc() && in.NOut > 0 }),
	"read-then-rewritten": anyPair(func(a, b *ir.Inst) bool { return overwritesItself(b) && hit(a.Ins(), b.Outs()) }),
	"dead-with-wait":      deadWithWait,
	"hidden-state":        anyPair(func(a, b *ir.Inst) bool { return a.WritesAcc() && b.Spec().State.Reads && a.Engine == b.Engine }),
	"reads-what-it-kills": anyPair(func(a, b *ir.Inst) bool { return overwritesItself(b) && hit(a.Outs(), b.Outs()) }),
	"far-consumer":        anyBlock(farConsumer),
	"twice-in-place":      anyInst(twiceInPlace),
	"write-read-write":    anyTriple(feeds, func(a, b, c *ir.Inst) bool { return hit(a.Outs(), c.Outs()) && hit(b.Ins(), c.Outs()) }),
	"across-blocks":       acrossBlocks,
	"narrow-write-wide-read": anyPair(func(a, b *ir.Inst) bool {
		return slices.ContainsFunc(a.Outs(), func(o ir.Operand) bool {
			return slices.ContainsFunc(b.Ins(), func(q ir.Operand) bool {
				return o.IsAP() && q.IsAP() && o.DType.Size() < q.DType.Size() && ir.Overlap(&o, &q)
			})
		})
	}),
	"chain-of-three": anyTriple(feeds, func(_, b, c *ir.Inst) bool { return feeds(b, c) }),
	"guarded-read":   anyPair(func(a, b *ir.Inst) bool { return len(b.Pred) > 0 && feeds(a, b) }),
	"store-before-signal": anyInst(func(in *ir.Inst) bool {
		return len(in.Update) > 0 && in.NOut > 0 && in.Args[0].Loc != nil && in.Args[0].Loc.Type.IsDRAM()
	}),
	"may-alias-write": aliasesInUse(ir.MayAlias, 2, 2),
	"alias-in-use":    aliasesInUse(ir.MustAlias, 2, 1),
	"alias-of-alias":  anyLoc(lopsided),
	"overlay":         stacked,
	"both-memories":   bothMemories,
	"start-partition": symptoms[partial].in,
	"async-then-use":  asyncThenUse,
	"several-semaphores": func(p *ir.Program) bool {
		ids := map[int64]bool{}
		for in := range p.Insts {
			for _, s := range in.Update {
				ids[s.ID] = true
			}
		}
		return len(ids) > 1
	},
	"reset": anyTriple(func(a, b *ir.Inst) bool { return len(a.Update) > 0 && b.Spec().Resets }, func(_, _, c *ir.Inst) bool { return len(c.Update) > 0 }),
	"every-engine-waits": func(p *ir.Program) bool {
		on := map[ir.Engine]bool{}
		for in := range p.Insts {
			if len(in.Wait) > 0 {
				on[in.Engine] = true
			}
		}
		return len(on) > 1
	},
}

// deadWithWait tells whether an instruction waits or signals and writes a location of the chip that nobody reads.
func deadWithWait(p *ir.Program) bool {
	read := map[*ir.Loc]bool{}
	for in := range p.Insts {
		for _, o := range in.Ins() {
			read[o.Loc] = true
		}
	}
	return anyInst(func(in *ir.Inst) bool {
		return in.HasSync() && in.NOut == 1 && in.Args[0].IsAP() && in.Args[0].Loc.Type.OnChip() && !read[in.Args[0].Loc]
	})(p)
}

// farConsumer tells whether a value is read twenty instructions behind where it was made.
func farConsumer(list []*ir.Inst) bool {
	for i, a := range list {
		for _, b := range list[min(i+20, len(list)):] {
			if feeds(a, b) {
				return true
			}
		}
	}
	return false
}

func twiceInPlace(in *ir.Inst) bool {
	n := 0
	for _, o := range in.Ins() {
		if in.NOut == 1 && o.IsAP() && o.Equal(&in.Args[0]) {
			n++
		}
	}
	return n > 1
}

// acrossBlocks tells whether a block of a function reads what an earlier one writes.
func acrossBlocks(p *ir.Program) bool {
	for _, f := range p.Cores {
		for i, b := range f.Blocks {
			for _, c := range f.Blocks[i+1:] {
				for _, in := range b.Insts {
					if slices.ContainsFunc(c.Insts, func(other *ir.Inst) bool { return feeds(in, other) }) {
						return true
					}
				}
			}
		}
	}
	return false
}

// aliasesInUse is the shape of a program with two aliases of a kind of which the first and the second are used so: 1 read, 2 written.
func aliasesInUse(kind ir.AliasKind, first, second int) shape {
	return func(p *ir.Program) bool {
		does := map[*ir.Loc]int{}
		for in := range p.Insts {
			for i := range in.Args {
				bit := 1
				if i < int(in.NOut) {
					bit = 2
				}
				does[in.Args[i].Loc] |= bit
			}
		}
		return anyLoc(func(l *ir.Loc) bool {
			return does[l]&first != 0 && slices.ContainsFunc(l.Alias, func(a ir.Alias) bool { return a.Kind == kind && does[a.Loc]&second != 0 })
		})(p)
	}
}

// bothMemories tells whether tiles of SBUF and of PSUM are used where most of one is reserved.
func bothMemories(p *ir.Program) bool {
	in := func(t ir.MemType) shape {
		return anyOperand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool { return o.Loc.Type == t })
	}
	return in(ir.SB)(p) && in(ir.PSUM)(p) && anyLoc(func(l *ir.Loc) bool { return l.RuntimeReserved })(p)
}

// asyncThenUse tells whether another engine reads what a transfer brings.
func asyncThenUse(p *ir.Program) bool {
	return anyPair(func(a, b *ir.Inst) bool {
		return a.Transfers(p.Arch) && !b.Transfers(p.Arch) && a.Engine != b.Engine && feeds(a, b)
	})(p)
}
