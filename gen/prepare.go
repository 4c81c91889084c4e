package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// prepare makes a slot that fits, by a new input in DRAM or an instruction that fills a new location; nil if that fails.
func (b *builder) prepare(n need) *slot {
	lanes, free := b.sizes(n.lanes, n.free)
	n.mem &= b.mem
	t := b.dtype(n.types)
	if t == num.Invalid || n.mem == 0 {
		return nil
	}
	if n.mem&ir.InDRAM != 0 && !n.write {
		return b.newInput(lanes, free, t)
	}
	if b.left < 2 {
		return nil
	}
	if b.Bool(0.3) || n.mem == ir.InPSUM {
		if s := b.filled(n.mem, lanes, free, t); s != nil {
			return s
		}
	}
	if x := b.source(lanes, free, t); x != nil {
		return b.moved(x, n.mem, t)
	}
	return nil
}

// source returns an input of that size and type, mostly a new one.
func (b *builder) source(lanes, free int, t num.DType) *slot {
	if b.Bool(0.3) {
		for i := range b.inputs {
			if s := b.inputs[i].slot; s.dtype == t && s.rows >= lanes && s.width >= free*t.Size() && b.inputs[i].may.any() && b.owns(s) {
				return s
			}
		}
	}
	return b.newInput(lanes, free, t)
}

// owns tells whether the slot is the current function's.
func (b *builder) owns(s *slot) bool {
	for _, own := range b.slots {
		if own == s {
			return true
		}
	}
	return false
}

// moved copies all that is written of a slot to a new location in one of the memories and returns that; nil if no row does it.
func (b *builder) moved(from *slot, mem ir.MemSet, t num.DType) *slot {
	k := b.IntN(len(b.rows.move))
	for range b.rows.move {
		row := b.rows.move[k]
		k = (k + 1) % len(b.rows.move)
		to := row.Outs[0].Mem & mem & b.mem
		if to == 0 || !row.Ins[0].Mem.Holds(from.loc.Type) || !row.Ins[0].Types.Has(t) || row.Engines[b.prog.Arch] == 0 {
			continue
		}
		if s := b.compose(row, from, to, from.def.rows(), from.def.width()/t.Size(), t); s != nil {
			return s
		}
	}
	return nil
}

// filled makes a new location of constants.
func (b *builder) filled(mem ir.MemSet, lanes, free int, t num.DType) *slot {
	k := b.IntN(len(b.rows.fill))
	for range b.rows.fill {
		row := b.rows.fill[k]
		k = (k + 1) % len(b.rows.fill)
		to := row.Outs[0].Mem & mem & b.mem
		if to == 0 || !row.Outs[0].Types.Has(t) || row.Engines[b.prog.Arch] == 0 {
			continue
		}
		if s := b.compose(row, nil, to, lanes, free, t); s != nil {
			return s
		}
	}
	return nil
}

// compose emits an instruction of a move or fill row that writes a new location of lanes × free elements, and returns its slot.
func (b *builder) compose(row *ir.Spec, from *slot, mem ir.MemSet, lanes, free int, t num.DType) *slot {
	if b.depth >= maxDepth {
		return nil
	}
	d := b.draft(row)
	defer b.drafted()
	if !d.settings() || !d.engine() {
		return nil
	}
	d.guarded = false
	if mem &= d.in.Engine.Reaches(); mem == 0 || from != nil && !d.in.Engine.Reaches().Holds(from.loc.Type) {
		return nil
	}
	e := tileOf(lanes, free)
	if from != nil {
		w, ok := b.access(&d.args[1], from, e, t, reading, row.Lanewise)
		if !ok {
			return nil
		}
		d.touched[1] = w
	}
	to := b.newOut(mem, lanes, free, t)
	if to == nil {
		return nil
	}
	w, ok := b.access(&d.args[0], to, e, t, filling, row.Lanewise)
	d.touched[0] = w
	if !ok || !d.late() || !b.commit(d) {
		return nil
	}
	return to
}

// prepareAny brings a new tensor on chip, for programs that have nothing else to do.
func (b *builder) prepareAny() bool {
	return b.prepare(need{mem: ir.InSB, types: b.types, may: anyValue}) != nil
}

// findValues returns a slot of type t whose values are known to be, or can still be made, of the set; nil if there is none.
func (b *builder) findValues(n need, t num.DType) *slot {
	count := len(b.slots)
	if count == 0 {
		return nil
	}
	k := b.IntN(count)
	for range count {
		s := b.slots[k]
		if n.mem.Holds(s.loc.Type) && s.readable() && n.lanes <= s.def.rows() && n.free*t.Size() <= s.def.width() && b.canHold(s, n.may, t) {
			return s
		}
		k = (k + 1) % count
	}
	return nil
}

// canHold tells whether all values that a read of the slot in type t may meet can be of the set.
func (b *builder) canHold(s *slot, may values, t num.DType) bool {
	c := b.flow.of(s.loc)
	if !c.pure || c.dtype != t || s.root.fixed || b.changing(s.root) {
		return false
	}
	if c.consts.lo <= c.consts.hi && !c.consts.within(may) {
		return false
	}
	for i := range b.inputs {
		if c.sources>>i&1 != 0 && !b.inputs[i].may.meet(may).possible(b.inputs[i].slot.dtype) {
			return false
		}
	}
	return true
}

// changing tells whether a running loop writes the slot, so that its values in the next trip are others.
func (b *builder) changing(s *slot) bool {
	return len(b.loops) > 0 && s.stamp > b.loops[0].since && !s.frozen
}

// restrict binds the inputs whose values stand in the slot to the set. Running loops leave the slot alone from now on.
func (b *builder) restrict(s *slot, may values) {
	c := b.flow.of(s.loc)
	for i := range b.inputs {
		if c.sources>>i&1 != 0 {
			b.inputs[i].may = b.inputs[i].may.meet(may)
		}
	}
	if len(b.loops) > 0 && !s.root.frozen {
		s.root.frozen = true
		top := b.loops[0]
		top.frozen = append(top.frozen, s.root)
	}
}

// prepareValues makes a slot of type t with values of the set: a new input, on chip if need be.
func (b *builder) prepareValues(n need, t num.DType) *slot {
	if !n.may.possible(t) || n.write || b.left < 2 {
		return nil
	}
	lanes, free := b.sizes(n.lanes, n.free)
	if lanes > ir.Partitions {
		return nil
	}
	x := b.newInput(lanes, free, t)
	if x == nil || n.mem.Holds(x.loc.Type) {
		return x
	}
	mem := n.mem & ir.InSB
	if mem == 0 {
		mem = n.mem
	}
	s := b.moved(x, mem, t)
	if s == nil || !b.flow.of(s.loc).pure {
		return nil
	}
	if len(b.loops) > 0 { // written in this loop, once a trip and always alike
		s.frozen = true
		b.loops[0].frozen = append(b.loops[0].frozen, s)
	}
	return s
}
