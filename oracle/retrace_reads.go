package oracle

import "birfuzz/ir"

// maxReads bounds the elements that one element is followed back to.
const maxReads = 1 << 16

// elemRead is an element that an event read.
type elemRead struct {
	event         int32
	operand, elem int
}

// reads returns which elements an event read for one that it wrote, by the row's flow.
func (t *retrace) reads(w deed) []elemRead {
	e := &t.events[w.event]
	c := e.c
	r := &readList{e: e, event: w.event}
	switch {
	case e.peers != nil: // of a collective: whatever any member sent
		for _, i := range e.peers {
			r.list = append(r.list, t.allReads(i)...)
		}
		return r.list
	case c.nout > 0 && c.spec.Outs[0].Role == ir.Table:
		return t.allReads(w.event)
	case w.state:
		r.lane(-1, w.elem)
	case e.how == wroteCopy:
		k := c.nout + e.from
		r.put(k, index(len(e.in[k]) > 1, w.elem))
	case e.how == wrotePick:
		r.picked(w.elem)
	case len(c.acc) > 0 && c.nout > 0:
		r.flow(w.elem)
	}
	if c.accum != noAcc && readsAcc(c) {
		lane := w.elem
		if !w.state && c.nout > 0 {
			lane = w.elem / max(c.acc[0].free, 1)
		}
		r.add(c.accum, lane, 0)
	}
	if c.nout > 0 && readsOld(c) {
		r.old(w)
	}
	return r.list
}

// allReads returns every element that an event read.
func (t *retrace) allReads(i int32) []elemRead {
	e := &t.events[i]
	r := &readList{e: e, event: i}
	for k := range e.in {
		for x := range e.in[k] {
			r.put(k, x)
		}
	}
	return r.list
}

// readList collects what an event read.
type readList struct {
	e     *event
	event int32
	list  []elemRead
}

// put adds an element of an operand, if it was read.
func (r *readList) put(k, elem int) {
	if k < len(r.e.in) && elem < len(r.e.in[k]) && r.e.at[k].acc.st != nil && len(r.list) < maxReads {
		r.list = append(r.list, elemRead{r.event, k, elem})
	}
}

// old adds what stood in the output: an element, or all of a lane that an accumulator takes.
func (r *readList) old(w deed) {
	if !w.state {
		r.put(0, w.elem)
		return
	}
	for x := range r.e.c.acc[0].free {
		r.add(0, w.elem, x)
	}
}

// add adds the element of operand k that belongs to column c of lane i.
func (r *readList) add(k, i, c int) {
	a := &r.e.c.acc[k]
	if a.st != nil {
		r.put(k, broadcast(a, i, c))
	}
}

// lane adds lane i of every input; of output column j alone where j ≥ 0.
func (r *readList) lane(j, i int) {
	c := r.e.c
	for k := c.nout; k < len(c.inst.Args); k++ {
		if j >= 0 {
			r.add(k, i, j)
			continue
		}
		for x := range c.acc[k].freeOrOne() {
			r.add(k, i, x)
		}
	}
}

// picked adds what a moved element came from, then what chose it.
func (r *readList) picked(elem int) {
	c := r.e.c
	if from := r.e.pick[elem]; from >= 0 {
		i, el := c.source(from)
		r.put(c.nout+i, index(len(r.e.in[c.nout+i]) > 1, el))
	}
	free := max(c.acc[0].free, 1)
	for k := c.nout; k < len(c.inst.Args); k++ {
		if s := inputSpec(c, k); s != nil && (s.Role == ir.Index || chooses(s)) {
			r.add(k, elem/free, elem%free)
		}
	}
}

// flow adds what element elem of the output depends on.
func (r *readList) flow(elem int) {
	c := r.e.c
	free := max(c.acc[0].free, 1)
	i, j := elem/free, elem%free
	switch c.spec.Flow {
	case ir.FlowElem:
		r.lane(j, i)
	case ir.FlowMatmul:
		r.columns(elem)
	case ir.FlowFold:
		n := c.acc[c.nout].free / free
		for x := j * n; x < (j+1)*n; x++ {
			r.add(c.nout, i, x)
		}
		for k := c.nout + 1; k < len(c.inst.Args); k++ {
			r.add(k, i, 0)
		}
	case ir.FlowScan:
		for x := j; x >= 0; x-- {
			r.lane(x, i)
		}
	default:
		r.lane(-1, i)
	}
}

// columns adds the columns of both operands of a matmul that meet in an element.
func (r *readList) columns(elem int) {
	c := r.e.c
	n := max(c.acc[c.nout].free, 1)
	for k, j := range [2]int{elem % n, elem / n} {
		a := &c.acc[c.nout+k]
		for i := range a.lanes {
			r.put(c.nout+k, i*a.free+j)
		}
	}
}
