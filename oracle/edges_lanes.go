package oracle

import "math/bits"

// lanesByEdges cuts the prepared program into lanes of one job each, an instance (semantics §2, by edges): it waits for those that edges,
// queues and fences put before it, and for nothing else. So loop iterations overlap as far as edges allow. It is the order that the check
// schedule reckons with, see precedence. The error is a *LimitError.
func lanesByEdges(m *Machine) (*lanes, error) {
	s := &lanes{m: m, engines: make([][]int32, len(m.cores))}
	var seen claimList
	seen.open(&m.atlas, m.program, len(m.cores), owed{})
	var p precedence
	for k := range m.cores {
		t := traceOf(m.program, k, maxScheduled)
		if t == nil {
			return nil, tooLarge("core %d executes more than %d instructions, trips included, and more than that are not run by edges", k, maxScheduled)
		}
		t.end()
		s.traces = append(s.traces, t)
		p.reset(t, m.program, owed{})
		seen.core = k
		b := laneBuilder{lanes: s, core: k, codes: m.codesOf(k)}
		b.byEdges(t, &p, &seen)
	}
	return s, nil
}

// byEdges makes the lanes of one core.
func (b *laneBuilder) byEdges(t *trace, p *precedence, seen *claimList) {
	first := int32(len(b.jobs))
	for i := range t.list {
		in := t.list[i].in
		b.alone(job{at: int32(i), code: b.codes[in.ID]}, t.list[i].label())
		p.next(int32(i), seen.sees(in))
		p.nearest(int32(i), func(j int32) { b.after(first+int32(i), first+j) })
	}
	n := int32(len(t.list))
	if n == 0 || kindOf(t.list[n-1].in.Spec()) != haltCore {
		b.alone(job{at: n, kind: ends}, "end")
		for i := range n {
			b.after(first+n, first+i)
		}
	}
}

// alone adds a job in a lane of its own.
func (b *laneBuilder) alone(j job, name string) {
	l := int32(len(b.list))
	b.list = append(b.list, lane{core: b.core, name: name, queue: none, issuer: none})
	b.engines[b.core] = append(b.engines[b.core], l)
	b.add(j, l)
}

// nearest calls f for those that instance i waits for and no other that it waits for does.
func (p *precedence) nearest(i int32, f func(j int32)) {
	row := p.row(i)
	left := make([]uint64, len(row))
	copy(left, row)
	for w := len(left) - 1; w >= 0; w-- {
		for left[w] != 0 {
			j := int32(w*64 + 63 - bits.LeadingZeros64(left[w]))
			left[w] &^= 1 << (j & 63)
			for v, has := range p.row(j)[:w+1] {
				left[v] &^= has
			}
			f(j)
		}
	}
}
