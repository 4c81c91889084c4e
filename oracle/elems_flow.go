package oracle

import (
	"math"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

func float32Bits(v float64) uint32 { return math.Float32bits(float32(v)) }

// compute fills pre with the origins of the results before the cast, by the row's flow.
func (t *elementTracker) compute(c *code, n int) {
	r := t.recipe(c)
	out := &c.acc[0]
	switch c.spec.Flow {
	case ir.FlowElem:
		t.elementwise(c, r, out)
	case ir.FlowFold:
		t.fold(c, r, out)
	case ir.FlowScan:
		t.scan(c, r, out)
	case ir.FlowNone:
		t.generate(c, r)
	default:
		t.byRow(c, r, out)
	}
}

// operandLeaf is the number that operand k contributes to element j of lane i.
func (t *elementTracker) operandLeaf(c *code, k, i, j int) uint64 {
	return leaf(t.in[k][broadcast(&c.acc[k], i, j)], operandType(c, k))
}

// elementwise: out[i,j] from in[i,j].
func (t *elementTracker) elementwise(c *code, r *recipe, out *access) {
	args := len(c.inst.Args)
	for e := range t.pre {
		i, j := e/out.free, e%out.free
		h := t.operandLeaf(c, c.nout, i, j)
		if !r.chain {
			h = unary(r.id, h)
			for k := c.nout + 1; k < args; k++ {
				h = combine(r.id, h, t.operandLeaf(c, k, i, j))
			}
		}
		for s := range r.steps {
			st := &r.steps[s]
			x := st.konst
			switch {
			case st.alone:
				h = unary(st.id, h)
				continue
			case st.operand >= 0:
				x = t.operandLeaf(c, st.operand, i, j)
			}
			if st.reverse {
				h = combine(st.id, x, h)
			} else {
				h = combine(st.id, h, x)
			}
		}
		t.pre[e] = h
	}
}

// fold: out[i,j] from k neighbours of in[i,·].
func (t *elementTracker) fold(c *code, r *recipe, out *access) {
	first := &c.acc[c.nout]
	n := first.free / max(out.free, 1)
	for e := range t.pre {
		i, j := e/out.free, e%out.free
		h := kindConst
		for x := j * n; x < (j+1)*n; x++ {
			h = combine(r.id, h, t.operandLeaf(c, c.nout, i, x))
		}
		for k := c.nout + 1; k < len(c.inst.Args); k++ {
			h = combine(r.id, h, t.operandLeaf(c, k, i, 0))
		}
		t.pre[e] = h
	}
}

// scan: out[i,j] from in[i,0…j].
func (t *elementTracker) scan(c *code, r *recipe, out *access) {
	h := kindConst
	for e := range t.pre {
		i, j := e/out.free, e%out.free
		if j == 0 {
			h = kindConst
		}
		for k := c.nout; k < len(c.inst.Args); k++ {
			if j == 0 || c.acc[k].free > 1 {
				h = combine(r.id, h, t.operandLeaf(c, k, i, j))
			}
		}
		t.pre[e] = h
	}
}

// generate: constants, or the accumulator.
func (t *elementTracker) generate(c *code, r *recipe) {
	for e := range t.pre {
		t.pre[e] = kindConst
		if c.accum != noAcc && c.adds && e < len(t.in[c.accum]) {
			t.pre[e] = leaf(t.in[c.accum][e], num.Float32)
		}
	}
}

// byRow: out[i,·] from all of the inputs' lane i.
func (t *elementTracker) byRow(c *code, r *recipe, out *access) {
	h := poisonOrigin
	for e := range t.pre {
		i, j := e/out.free, e%out.free
		if j == 0 {
			h = t.row(c, r.id, i)
		}
		t.pre[e] = combine(r.id+uint64(j), h, kindConst)
	}
}

// row folds lane i of every input, and of the outputs where the row reads them.
func (t *elementTracker) row(c *code, id uint64, i int) uint64 {
	h := kindConst
	for k := range c.inst.Args {
		if k < c.nout && !readsOld(c) {
			continue
		}
		for j := range c.acc[k].freeOrOne() {
			h = combine(id, h, t.operandLeaf(c, k, i, j))
		}
	}
	return h
}

// freeOrOne is the number of elements a lane; immediates have one.
func (a *access) freeOrOne() int {
	if a.st == nil {
		return 1
	}
	return a.free
}

// matmul starts a bag in every element of the output, or adds to it: out[m,n] from moving[·,n] and stationary[·,m].
func (t *elementTracker) matmul(c *code, out *place) {
	moving, stationary := c.nout, c.nout+1
	n, m := c.acc[moving].free, c.acc[stationary].free
	t.cols = resize(t.cols, n+m)
	t.columns(c, moving, t.cols[:n])
	t.columns(c, stationary, t.cols[n:])
	parts, add, k, e := out.acc.size/t.unit, c.writes == ir.Adds, key(out.acc), 0
	t.wrote(out.acc.st)
	out.runs(func(at int) {
		for x := at; x < at+out.acc.run; x += out.acc.size {
			member := t.member(t.cols[e%n], t.cols[n+e/n], out.acc.dtype)
			t.admit(x/t.unit, parts, k, member, add)
			e++
		}
	})
}

// columns hashes each column of an operand over its lanes.
func (t *elementTracker) columns(c *code, k int, cols []uint64) {
	d := operandType(c, k)
	for j := range cols {
		cols[j] = kindConst
	}
	for e, h := range t.in[k] {
		j := e % len(cols)
		cols[j] = combine(saltMember, cols[j], leaf(h, d))
	}
}

// member is the origin of one matmul's sum at one element; poison if anything in it is.
func (t *elementTracker) member(moving, stationary uint64, d ir.DType) uint64 {
	if moving == poisonOrigin || stationary == poisonOrigin {
		return poisonOrigin
	}
	h := asKind(mixAll(saltMember, moving, stationary, uint64(d)), kindComputed)
	t.out.members.add(h)
	return h
}

// admit lets a member into the units of one element.
func (t *elementTracker) admit(i, parts int, k int32, member uint64, add bool) {
	var list int32
	for j := range parts {
		u, class := &t.shadow[i+j], &t.class[i+j]
		if member == poisonOrigin {
			*class = 0
			continue
		}
		switch {
		case !add:
			*u, *class = unitShadow{base: zeroUnit}, k
		case *class != k && *class != -k: // nothing to add to: a chain without a start
			*u, *class = unitShadow{base: poisonOrigin}, -k
		}
		if j == 0 {
			list = t.out.used.push(u.members, member)
		}
		u.bag += mix(saltBag, partOf(member, j))
		u.members = list
	}
}

// accumulate follows the accumulator of the engine: the sum of a lane's results before the cast.
func (t *elementTracker) accumulate(c *code, p *place) {
	free := max(c.acc[0].free, 1)
	mode := c.inst.Acc()
	lanes := p.acc.count()
	old := t.in[c.accum]
	sums := t.cols[:0]
	for i := range lanes {
		h := kindConst
		if mode != ir.AccZero {
			for j := range free {
				h = combine(saltAcc, h, t.pre[i*free+j])
			}
		}
		if mode == ir.AccAccumulate {
			h = combine(saltAcc, leaf(old[i], num.Float32), h)
		}
		sums = append(sums, h)
	}
	t.cols = sums
	t.scatter(p, t.expand(sums, p.acc.size))
}

// exchange follows the data of a collective.
func (t *elementTracker) exchange(members []member, moves []transfer) *Fault {
	for len(t.from) < len(members) {
		t.in, t.from = append(t.in, nil), append(t.from, nil)
	}
	for i := range members {
		m := &members[i]
		if k := m.c.nout; k < len(m.at) {
			t.in[i] = t.gather(t.in[i], m.core, &m.at[k], t.userOf(m.c, k))
			t.from[i] = t.gatherUnits(t.from[i], m.core, &m.at[k])
		}
	}
	for to := range members {
		if members[to].c.nout > 0 {
			t.receive(members, moves, to)
		}
	}
	t.meetAll(members)
	return nil
}

// receive gives the destination of one member its shadow.
func (t *elementTracker) receive(members []member, moves []transfer, to int) {
	out := &members[to].at[0]
	parts := out.acc.size / t.unit
	t.put = resize(t.put, out.acc.count()*parts)
	for i := range t.put {
		t.put[i] = unitShadow{base: keepUnit}
	}
	for i := range moves {
		if mv := &moves[i]; mv.to == to {
			for j := range mv.n {
				t.transfer(members, mv, j, t.put[(mv.toElem+j)*parts:(mv.toElem+j+1)*parts])
			}
		}
	}
	t.scatter(out, t.put)
}

// transfer gives the units of one received element their shadow.
func (t *elementTracker) transfer(members []member, mv *transfer, j int, units []unitShadow) {
	c := members[mv.to].c
	out := c.acc[0].dtype
	h := kindConst
	switch {
	case mv.reduce:
		id := saltAlu + uint64(c.inst.Alu(ir.PCollectiveOp))
		for i := range members {
			h = combine(id, h, leaf(t.in[i][mv.fromElem+j], members[i].c.acc[members[i].c.nout].dtype))
		}
		h = unary(castTo(out), h)
	case mv.from == zeros: // constants
	case mv.from == absent:
		h = inputUnit(mixAll(saltWorld, uint64(mv.to), uint64(t.epoch[members[mv.to].core])), mv.toElem+j)
	default:
		from := &members[mv.from]
		if d := from.c.acc[from.c.nout].dtype; d != out {
			h = unary(castTo(out), leaf(t.in[mv.from][mv.fromElem+j], d))
			break
		}
		e := mv.fromElem + j
		copy(units, t.from[mv.from][e*len(units):(e+1)*len(units)])
		return
	}
	split(units, h)
}
