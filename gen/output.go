package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// output draws an output that the instruction only writes.
func (d *draft) output(i int) bool {
	s := &d.row.Outs[i]
	if s.Role == ir.Register {
		return d.registerOut(i)
	}
	n := d.needOf(s)
	n.write = true
	switch {
	case d.b.sometimes(InPlace, 0.25) && d.inPlace(i, &n):
		return true
	case d.guarded:
		return d.overwrite(i, n, updating)
	case (d.b.Bool(d.b.reuse()) || len(d.b.loops) > 0 && d.b.sometimes(Windows, 0.4)) && d.overwrite(i, n, filling):
		return true
	}
	return d.fresh(i, n)
}

// reuse returns how often a location is written again rather than a new one made.
func (b *builder) reuse() float64 {
	switch {
	case b.on(Redefine):
		return 0.6
	case len(b.slots) > 24:
		return 0.4
	default:
		return 0.15
	}
}

// inPlace makes output i the access of an input of its shape and type. Settings that a row has for its output's order are its own affair.
func (d *draft) inPlace(i int, n *need) bool {
	s := &d.row.Outs[i]
	if d.row.Flow != ir.FlowElem && d.row.Flow != ir.FlowMove && d.row.Flow != ir.FlowScan {
		return false
	}
	for j := range d.row.Ins {
		at := int(d.in.NOut) + j
		if at >= len(d.in.Args) {
			break
		}
		o, w := &d.args[at], &d.touched[at]
		if o.Kind != ir.APOperand || d.row.Ins[j].Shape != s.Shape || d.row.Ins[j].Role != s.Role || !n.types.Has(o.DType) {
			continue
		}
		if !n.mem.Holds(o.Loc.Type) || !w.slot.writable() || w.slot.twin != nil || repeats(o) {
			continue
		}
		d.args[i] = *o
		d.touched[i] = *w
		return true
	}
	return false
}

// repeats tells whether a read meets an element twice, so that it cannot be a write.
func repeats(o *ir.Operand) bool {
	for _, p := range o.Pairs() {
		if p.Step == 0 && p.Num > 1 {
			return true
		}
	}
	return false
}

// overwrite makes output i an access of a slot that is there.
func (d *draft) overwrite(i int, n need, u use) bool {
	b, s := d.b, &d.row.Outs[i]
	lanes, free := d.sizeOut(s)
	count := len(b.slots)
	if count == 0 {
		return false
	}
	k := b.IntN(count)
	for try := range min(count, 8) {
		sl := b.slots[k]
		k = (k + 1) % count
		if try == 0 && len(b.loops) > 0 && b.sometimes(Windows, 0.5) {
			if w := b.window((*slot).writable); w != nil {
				sl = w
			}
		}
		if !n.mem.Holds(sl.loc.Type) || !sl.writable() || sl.busyWith(d) || u == updating && !sl.readable() {
			continue
		}
		area := sl.all()
		if u == updating {
			area = sl.def
		}
		t := d.typeOut(sl, n.types)
		if t == num.Invalid || area.rows() < lanes || area.width() < free*t.Size() {
			continue
		}
		how := u
		if !sl.def.empty() && sl.def.rows() >= lanes && sl.def.width() >= free*t.Size() && b.Bool(0.5) {
			how = updating // gaps are allowed there
		}
		if d.place(i, s, sl, t, how) {
			return true
		}
	}
	return false
}

// busyWith tells whether the draft reads the slot's location already.
func (s *slot) busyWith(d *draft) bool {
	for i := range d.touched[:len(d.in.Args)] {
		if t := d.touched[i].slot; t != nil && t.root == s.root {
			return true
		}
	}
	return false
}

// sizeOut returns the lanes and elements a lane of an output.
func (d *draft) sizeOut(s *ir.OperandSpec) (lanes, free int) {
	if len(s.Shape) == 1 {
		return d.shape.lanes, d.shape.free()
	}
	lanes, free = d.get(s.Shape[0]), d.get(s.Shape[1])
	openL, openF := lanes == 0, free == 0
	lanes, free = d.b.sizes(lanes, free) // where no input told: the program's usual sizes
	if openL {
		lanes = d.cap(s.Shape[0], lanes)
	}
	if openF {
		free = d.cap(s.Shape[1], free)
	}
	return lanes, free
}

// typeOut draws the type in which a slot is written: its own, or another of the size.
func (d *draft) typeOut(s *slot, types ir.DTypeSet) num.DType {
	if types.Has(s.dtype) && !d.b.sometimes(Reinterpret, 0.1) {
		return s.dtype
	}
	for range 3 {
		if t := d.b.dtype(types); t != num.Invalid && t.Size() == s.dtype.Size() {
			return t
		}
	}
	return num.Invalid
}

// fresh makes output i an access of a new location.
func (d *draft) fresh(i int, n need) bool {
	b, s := d.b, &d.row.Outs[i]
	lanes, free := d.sizeOut(s)
	t := b.dtype(n.types)
	if own := d.typeOfFirst(); n.types.Has(own) && b.Bool(0.6) {
		t = own
	}
	if t == num.Invalid || n.mem == 0 || lanes > ir.Partitions && n.mem&ir.InDRAM == 0 {
		return false
	}
	if lanes > ir.Partitions {
		n.mem = ir.InDRAM
	}
	sl := b.newOut(n.mem, lanes, free, t)
	return sl != nil && d.place(i, s, sl, t, filling)
}

// typeOfFirst returns the type of the first input in memory.
func (d *draft) typeOfFirst() num.DType {
	for j := int(d.in.NOut); j < len(d.in.Args); j++ {
		if d.args[j].Kind == ir.APOperand {
			return d.args[j].DType
		}
	}
	return num.Invalid
}
