package oracle

import (
	"fmt"
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// reassociationSlack is how far a sum folded in another order may be off, relative to the largest number of the tensor: float32 sums of the
// lengths that a partition holds stay far inside it, and a lost summand of any weight does not.
const reassociationSlack = 1.0 / 4096

// checkValue: the same final bytes of every output of before.
func checkValue(c *comparison) *flaw {
	if !c.after.faulted {
		for i := c.before.final; i < len(c.before.shots); i++ {
			a := &c.before.visible[c.before.shots[i].vis]
			b := c.after.finalOf(a.name)
			if b == nil {
				return &flaw{"output " + a.name + " is gone", &Witness{Place: &Place{Core: -1, Location: a.name, seen: atTheEnd}}}
			}
			if n := c.after.visible[b.vis].size; n != a.size {
				return said(fmt.Sprintf("output %s has %d bytes, %d before", a.name, n, a.size))
			}
		}
	}
	return c.eachShot(false, true, c.differs)
}

// checkPublish: the same visible contents at every publishing fence.
func checkPublish(c *comparison) *flaw { return c.eachShot(true, false, c.differs) }

// differs describes the first element whose number is not the same in both shots. Undefined bytes are another check's, open ones nobody's.
func (c *comparison) differs(p *shotPair) *flaw {
	v := &c.before.visible[p.a.vis]
	d := ir.DType(v.dtype)
	size := d.Size()
	x, y, ox, oy := c.before.data(p.a), c.after.data(p.b), c.before.unitsOf(p.a), c.after.unitsOf(p.b)
	units := max(size/c.before.lens.unit, 1)
	for at := 0; at+size <= len(x) && at+size <= len(y); at += size {
		i := at / c.before.lens.unit
		if string(x[at:at+size]) == string(y[at:at+size]) || undefinedIn(ox[i:], units) || undefinedIn(oy[i:], units) {
			continue
		}
		moved := movedIn(ox[i:], units) && movedIn(oy[i:], units)
		then, now := num.Load(x[at:], d), num.Load(y[at:], d)
		if !moved && c.sameNumber(then, now, d, x) {
			continue
		}
		return &flaw{fmt.Sprintf("element %d of %s (%s)%s is %s, was %s", at/size, v.name, d, c.momentText(p), numberText(now, d), numberText(then, d)),
			&Witness{Place: c.place(p, at)}}
	}
	return nil
}

// tells tells whether a unit is defined and not open.
func tells(origin uint64) bool { return origin != poisonOrigin && origin != openOrigin }

func undefinedIn(units []uint64, n int) bool {
	for _, h := range units[:min(n, len(units))] {
		if !tells(h) {
			return true
		}
	}
	return false
}

// movedIn tells whether the units hold bits of inputs that were moved only: they must be equal bit for bit.
func movedIn(units []uint64, n int) bool {
	for _, h := range units[:min(n, len(units))] {
		if h&kindMask != kindMoved {
			return false
		}
	}
	return true
}

// sameNumber tells whether two elements are the same number (semantics §7), or as near as the pass's contract allows.
func (c *comparison) sameNumber(p, q uint64, d ir.DType, tensor []byte) bool {
	if !d.IsFloat() {
		return false
	}
	x, y := float64(num.Decode(d, p)), float64(num.Decode(d, q))
	n := &c.contract.Number
	switch {
	case x == y || x != x && y != y:
		return true
	case x != x || y != y || math.IsInf(x, 0) || math.IsInf(y, 0):
		return false
	case n.ULP > 0 && math.Abs(ordinal(p, d)-ordinal(q, d)) <= n.ULP:
		return true
	case !n.Reassociate:
		return false
	case math.Abs(x-y) > reassociationSlack*largest(tensor, d) && math.Abs(ordinal(p, d)-ordinal(q, d)) > 1:
		return false
	}
	return c.exact == nil || !c.exact() // exact sums have one value (semantics §7)
}

// ordinal numbers the floats of a type in ascending order, neighbours one apart.
func ordinal(bits uint64, d ir.DType) float64 {
	sign := uint64(1) << (8*d.Size() - 1)
	if bits&sign != 0 {
		return -float64(bits &^ sign)
	}
	return float64(bits)
}

// largest returns the largest finite magnitude of a tensor.
func largest(data []byte, d ir.DType) float64 {
	m := 0.0
	for at := 0; at+d.Size() <= len(data); at += d.Size() {
		if v := math.Abs(float64(num.Decode(d, num.Load(data[at:], d)))); v > m && !math.IsInf(v, 0) {
			m = v
		}
	}
	return m
}

// numberText writes an element for a reader: the number, and the bits where the number does not tell all.
func numberText(bits uint64, d ir.DType) string {
	if d.IsFloat() {
		v := num.Decode(d, bits)
		if v != v || v == 0 {
			return fmt.Sprintf("%v (%#x)", v, bits)
		}
		return fmt.Sprint(v)
	}
	if d.IsSigned() {
		shift := 64 - 8*d.Size()
		return fmt.Sprint(int64(bits) << shift >> shift)
	}
	return fmt.Sprint(bits)
}
