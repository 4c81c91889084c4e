package oracle

import (
	"fmt"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// before reads the shadow of the operands: nothing is written yet, and index values can still be read.
func (t *elementTracker) before(c *code, at []place) *Fault {
	if f := t.groups.before(c, at); f != nil {
		return f
	}
	for len(t.in) < len(at) {
		t.in, t.from = append(t.in, nil), append(t.from, nil)
	}
	for k := range at {
		p := &at[k]
		t.in[k], t.from[k] = t.in[k][:0], t.from[k][:0]
		if p.acc.st == nil {
			t.in[k] = append(t.in[k], t.immediate(c, k))
			continue
		}
		writes := k < c.nout || k == c.accum && c.inst.WritesAcc()
		reads := k >= c.nout && k != c.accum || k == c.accum && readsAcc(c) || k < c.nout && readsOld(c)
		if f := t.meet(c, p, reads, writes); f != nil {
			return f
		}
		bits := c.movesBits(k)
		if reads && (t.whole || !bits || c.accum != noAcc || chooses(inputSpec(c, k))) {
			t.in[k] = t.gather(t.in[k], c.core, p, t.userOf(c, k))
		}
		if bits {
			t.from[k] = t.gatherUnits(t.from[k], c.core, p)
		}
		if mustBeDefined(c, k) {
			for _, h := range t.in[k] {
				if h == poisonOrigin {
					return &Fault{Kind: PoisonFault, Detail: "operand " + c.spec.Ins[k-c.nout].Name + " is undefined"}
				}
			}
		}
	}
	return nil
}

// movesBits tells whether elements of operand k may become elements of the output as they stand.
func (c *code) movesBits(k int) bool {
	return k >= c.nout && c.nout > 0 && c.spec.Flow == ir.FlowMove && c.acc[k].st != nil && c.acc[k].dtype == c.acc[0].dtype
}

// immediate is the origin of an immediate operand: a constant read.
func (t *elementTracker) immediate(c *code, k int) uint64 {
	v := c.inst.Args[k].Imm
	if registers(c) {
		return constElement(uint64(uint32(int64(v))), 4, t.unit)
	}
	return constElement(uint64(float32Bits(v)), 4, t.unit)
}

// userOf names the instruction where it computes with operand k, and is empty where it only moves it or adds to it.
func (t *elementTracker) userOf(c *code, k int) string {
	if k < c.nout && c.spec.Flow == ir.FlowMatmul {
		return ""
	}
	if c.spec.Flow == ir.FlowMove && (k < c.nout || !chooses(inputSpec(c, k))) {
		if k < c.nout || c.acc[0].dtype == c.acc[k].dtype {
			return ""
		}
	}
	return c.inst.Name
}

// chooses tells whether an input of a moving row decides what is moved rather than being moved: bounds, indices and masks.
func chooses(s *ir.OperandSpec) bool {
	return s != nil && (s.Role == ir.Scalar || s.Role == ir.Index || s.Domain.Kind == ir.ZeroOne || !s.Types.Has(num.Float32))
}

// meet records the access for the outside world and finds races between cores.
func (t *elementTracker) meet(c *code, p *place, reads, writes bool) *Fault {
	if l := p.acc.loc; t.watches(l) {
		t.touch(c, l, t.touchKey(p), reads, writes)
	}
	first := t.raceAt[p.acc.st.id]
	if first < 0 {
		return nil
	}
	cores, bad := len(t.m.cores), -1
	p.runs(func(at int) {
		for x := at; x < at+p.acc.run; x += t.unit {
			i := int(first) + (x-p.acc.st.off)/t.unit
			if t.collides(&t.races[i], t.readers[i*cores:(i+1)*cores], c.core, reads, writes) && bad < 0 {
				bad = x
			}
		}
	})
	if bad < 0 {
		return nil
	}
	return &Fault{Kind: RaceFault, Detail: raceText(p, bad)}
}

// after follows what the instruction did to its outputs and to the accumulator.
func (t *elementTracker) after(c *code, at []place, r *ran) *Fault {
	if c.nout > 0 {
		t.write(c, at, r)
	}
	if c.accum != noAcc && c.inst.WritesAcc() {
		t.accumulate(c, &at[c.accum])
	}
	if c.nout > 0 && c.spec.Outs[0].Role == ir.Register && t.class[at[0].base/t.unit] == 0 {
		return &Fault{Kind: PoisonFault, Detail: "register " + at[0].acc.loc.name + " becomes undefined"}
	}
	return nil
}

// write gives the units of output 0 their shadow.
func (t *elementTracker) write(c *code, at []place, r *ran) {
	out := &at[0]
	n := out.acc.count()
	t.pre = resize(t.pre, n)
	switch {
	case r.how == wroteCopy:
		t.copy(c, out, r)
		return
	case r.how == wrotePick:
		t.pick(c, out, r)
		return
	case c.spec.Flow == ir.FlowMatmul:
		t.matmul(c, out)
		return
	case c.spec.Outs[0].Role == ir.Table:
		t.scatterAdd(c, at)
	default:
		t.compute(c, n)
	}
	for _, e := range r.poisoned {
		t.pre[e] = poisonOrigin
	}
	t.round(out)
}

// round casts the results and stores them.
func (t *elementTracker) round(out *place) {
	id, parts := castTo(out.acc.dtype), out.acc.size>>t.shift
	t.put = resize(t.put, len(t.pre)*parts)
	for e, h := range t.pre {
		if h != keepUnit {
			h = unary(id, h)
		}
		if parts == 1 {
			t.put[e] = unitShadow{base: h}
		} else {
			split(t.put[e*parts:(e+1)*parts], h)
		}
	}
	t.scatter(out, t.put)
}

// split gives the units of one element their origins.
func split(units []unitShadow, h uint64) {
	for k := range units {
		units[k] = unitShadow{base: h}
		if len(units) > 1 && h != keepUnit {
			units[k].base = partOf(h, k)
		}
	}
}

// copy moves the units of an input, or casts its elements.
func (t *elementTracker) copy(c *code, out *place, r *ran) {
	k := c.nout + r.from
	a := &c.acc[k]
	wide, bits := a.st != nil && a.count() > 1, c.movesBits(k)
	if !bits || c.accum != noAcc {
		d := operandType(c, k)
		for e := range t.pre {
			t.pre[e] = leaf(t.in[k][index(wide, e)], d)
		}
	}
	switch {
	case !bits:
		t.round(out)
	case !wide && len(t.pre) > 1: // one element into many
		t.put = t.put[:0]
		for range t.pre {
			t.put = append(t.put, t.from[k]...)
		}
		t.scatter(out, t.put)
	default:
		t.scatter(out, t.from[k])
	}
}

func index(wide bool, e int) int {
	if wide {
		return e
	}
	return 0
}

// pick moves the units that the instruction chose; what chose them must be defined.
func (t *elementTracker) pick(c *code, out *place, r *ran) {
	parts := out.acc.size / t.unit
	t.put = t.put[:0]
	for e, from := range r.pick {
		t.pickOne(c, out, e, from, parts)
	}
	for k := c.nout; k < len(c.inst.Args); k++ {
		if s := inputSpec(c, k); chooses(s) && s.Role != ir.Index {
			t.spoil(c, out, k, parts)
		}
	}
	for _, e := range r.poisoned {
		t.ruin(int(e), parts)
	}
	t.scatter(out, t.put)
}

func (t *elementTracker) pickOne(c *code, out *place, e int, from int32, parts int) {
	switch {
	case from == ir.Keep:
		t.pre[e] = leaf(t.oldElement(e), out.acc.dtype)
		t.same(keepUnit, parts)
	case from == ir.Fill:
		t.pre[e] = kindConst
		t.same(kindConst, parts)
	default:
		i, el := c.source(from)
		k, a := c.nout+i, &c.acc[c.nout+i]
		el = index(a.st != nil && a.count() > 1, el)
		bits := c.movesBits(k)
		if !bits || c.accum != noAcc {
			t.pre[e] = leaf(t.in[k][el], operandType(c, k))
		}
		if bits {
			t.put = append(t.put, t.from[k][el*parts:(el+1)*parts]...)
			return
		}
		t.same(0, parts)
		split(t.put[len(t.put)-parts:], unary(castTo(out.acc.dtype), t.pre[e]))
	}
}

// oldElement is what stood in output 0, where the row reads it.
func (t *elementTracker) oldElement(e int) uint64 {
	if e < len(t.in[0]) {
		return t.in[0][e]
	}
	return poisonOrigin
}

func (t *elementTracker) same(h uint64, parts int) {
	for range parts {
		t.put = append(t.put, unitShadow{base: h})
	}
}

// spoil makes poison of the elements for which input k, which chooses, is poison.
func (t *elementTracker) spoil(c *code, out *place, k, parts int) {
	a := &c.acc[k]
	if a.st == nil {
		return
	}
	for e := range t.pre {
		if t.in[k][broadcast(a, e/out.acc.free, e%out.acc.free)] == poisonOrigin {
			t.ruin(e, parts)
		}
	}
}

func (t *elementTracker) ruin(e, parts int) {
	t.pre[e] = poisonOrigin
	for j := range parts {
		t.put[e*parts+j] = unitShadow{}
	}
}

// broadcast returns the element of an operand that belongs to element c of lane r: a column serves all of its lane, one lane serves all.
func broadcast(a *access, r, c int) int {
	if a.lanes == 1 {
		r = 0
	}
	if a.free == 1 {
		c = 0
	}
	return r*a.free + c
}

// scatterAdd follows rows that are added to the rows of a table, in lane order.
func (t *elementTracker) scatterAdd(c *code, at []place) {
	out, src := &at[0], &at[1]
	for e := range t.pre {
		t.pre[e] = keepUnit
	}
	var idx *place
	for k := c.nout; k < len(c.inst.Args); k++ {
		if s := inputSpec(c, k); s != nil && s.Role == ir.Index {
			idx = &at[k]
		}
	}
	if idx == nil {
		return
	}
	id, free, lane := saltAlu+uint64(ir.AluAdd), out.acc.free, 0
	idx.runs(func(x int) {
		for ; lane < src.acc.lanes; lane++ {
			if x >= idx.base+idx.acc.span {
				return
			}
			row := int(int32(num.Load(t.m.data[x:], idx.acc.dtype)))
			x += idx.acc.size
			for j := 0; row >= 0 && j < free; j++ {
				e := row*free + j
				old := t.pre[e]
				if old == keepUnit {
					old = leaf(t.in[0][e], out.acc.dtype)
				}
				t.pre[e] = combine(id, old, leaf(t.in[1][lane*free+j], src.acc.dtype))
			}
			if idx.acc.run < idx.acc.size*idx.acc.lanes { // one lane a run
				lane++
				return
			}
		}
	})
}

// raceText names the byte that two cores touch.
func raceText(p *place, at int) string {
	return fmt.Sprintf("another core touches byte %d of %s with no barrier between", at-p.acc.loc.at, p.acc.loc.name)
}
