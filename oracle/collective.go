package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// exchange performs the collective at which the members of m.met stand; n counts the meetings before it.
func (m *Machine) exchange(n int) *Fault {
	g := &m.met
	for i := range g.members {
		if f := m.resolve(&g.members[i]); f != nil {
			return f
		}
	}
	if f := m.plan(); f != nil {
		return f
	}
	if m.track != nil {
		for _, p := range g.members {
			if f := m.track.before(p.c, p.at); f != nil {
				return f
			}
		}
	}
	if f := m.deliver(n); f != nil {
		return f
	}
	if m.track != nil {
		return m.track.exchange(g.members, g.moves)
	}
	return nil
}

// resolve sets the places of a member's operands.
func (m *Machine) resolve(p *member) *Fault {
	at, f := m.places(&m.cores[p.core].thread, p.c)
	switch {
	case f != nil:
	case len(at) != 2:
		f = &Fault{Kind: ValueFault, Detail: fmt.Sprintf("%d operands, want a destination and a source", len(at))}
	case overlaps(p.c, at) == illegal:
		f = clashFault(p.c, at)
	}
	p.at = at
	if f != nil {
		f.Core, f.Inst = p.core, p.c.inst.Name
	}
	return f
}

// plan lists the moves of the collective. Pieces are in the order of replica_groups, folds in core order. Of a module that is one core of
// several the other members are absent: what they send is the world's, and a fold does without them.
func (m *Machine) plan() *Fault {
	g := &m.met
	g.moves = g.moves[:0]
	first := &g.members[0]
	m.rank(first)
	dst, src, size := first.at[0].acc.count(), first.at[1].acc.count(), len(g.ranks)
	for i := range g.members {
		if p := &g.members[i]; p.at[0].acc.count() != dst || p.at[1].acc.count() != src {
			return sizeFault("%d and %d elements on core %d, %d and %d on core %d", dst, src, first.core, p.at[0].acc.count(), p.at[1].acc.count(), p.core)
		}
	}
	kind := ir.CollectiveKind(first.c.inst.Int(ir.PCollectiveKind))
	wantDst, wantSrc := dst, dst
	switch kind {
	case ir.AllGather:
		wantDst, wantSrc = src*size, src
	case ir.ReduceScatter:
		wantSrc = dst * size
	case ir.AllToAll:
		wantDst = dst / size * size
	}
	if dst != wantDst || src != wantSrc {
		return sizeFault("%d elements into %d among %d cores", src, dst, size)
	}
	for rank, to := range g.ranks {
		if to != absent {
			g.moves = g.piece(kind, first.c.inst, rank, to, dst, src)
		}
	}
	return nil
}

func sizeFault(format string, args ...any) *Fault {
	return &Fault{Kind: ValueFault, Detail: fmt.Sprintf(format, args...)}
}

// rank lists the group of the collective: the index in members of each core, absent for those that the module does not hold.
func (m *Machine) rank(p *member) {
	g := &m.met
	g.ranks = g.ranks[:0]
	for _, group := range p.c.inst.Lists(ir.PReplicaGroups) {
		if !slices.Contains(group, int64(m.number(p.core))) {
			continue
		}
		for _, k := range group {
			g.ranks = append(g.ranks, g.holder(k))
		}
		return
	}
	for i := range g.members {
		g.ranks = append(g.ranks, i)
	}
}

// number returns the core number that core i has in the whole.
func (m *Machine) number(i int) int {
	if m.lone() {
		return m.program.CoreID
	}
	return i
}

// holder returns the index in members of the core with that number, or absent.
func (g *meeting) holder(k int64) int { return slices.Index(g.numbers, int(k)) } // absent is −1

// piece appends the moves into the destination of member `to`, whose place in the group is rank.
func (g *meeting) piece(kind ir.CollectiveKind, in *ir.Inst, rank, to, dst, src int) []transfer {
	switch kind {
	case ir.AllReduce:
		return append(g.moves, transfer{to: to, n: dst, reduce: true})
	case ir.ReduceScatter:
		return append(g.moves, transfer{to: to, fromElem: rank * dst, n: dst, reduce: true})
	case ir.AllGather:
		for r, from := range g.ranks {
			g.moves = append(g.moves, transfer{to: to, toElem: r * src, from: from, n: src})
		}
		return g.moves
	case ir.AllToAll:
		n := src / len(g.ranks)
		for r, from := range g.ranks {
			g.moves = append(g.moves, transfer{to: to, toElem: r * n, from: from, fromElem: rank * n, n: n})
		}
		return g.moves
	default:
		return append(g.moves, transfer{to: to, from: g.sender(in, to), n: dst})
	}
}

// sender returns the member that sends to member `to` in src_target_pairs; zeros where nobody does. A pair's numbers are those of the cores.
func (g *meeting) sender(in *ir.Inst, to int) int {
	for _, p := range in.Lists(ir.PSrcTargetPairs) {
		if len(p) != 2 || p[1] != int64(g.numbers[to]) {
			continue
		}
		return g.holder(p[0])
	}
	return zeros
}

// parcel is the source of one member: its bytes and, where a cast or a fold needs them, its numbers.
type parcel struct {
	raw []byte
	f32 []float32
}

// deliver makes the moves. All sources are read before a destination is written.
func (m *Machine) deliver(n int) *Fault {
	g, x := &m.met, &m.x
	x.recycle()
	g.parcels = g.parcels[:0]
	for i := range g.members {
		q := &g.members[i].at[1]
		raw := x.bytes(q.acc.count() * q.acc.size)
		gather(raw, m.data, q)
		f32 := x.f32.take(q.acc.count())
		num.Widen(f32, raw, q.acc.dtype)
		g.parcels = append(g.parcels, parcel{raw, f32})
	}
	fold := folds[ir.AluOp(g.members[0].c.inst.Int(ir.PCollectiveOp))]
	for i := range g.members {
		p := &g.members[i].at[0]
		out := x.bytes(p.acc.count() * p.acc.size)
		for k := range g.moves {
			t := &g.moves[k]
			if t.to != i {
				continue
			}
			if t.reduce && fold == nil {
				return &Fault{Kind: ValueFault, Detail: fmt.Sprintf("op %v cannot fold over the cores", g.members[0].c.inst.Alu(ir.PCollectiveOp))}
			}
			m.move(out, p, t, fold, n)
		}
		scatter(m.data, p, out)
	}
	return nil
}

// move makes one transfer into the bytes that a member's destination is to have.
func (m *Machine) move(out []byte, p *place, t *transfer, fold foldFunc, n int) {
	g, x := &m.met, &m.x
	size, d := p.acc.size, p.acc.dtype
	out = out[t.toElem*size : (t.toElem+t.n)*size]
	switch {
	case t.reduce:
		sum := x.f32.take(t.n)
		copy(sum, g.parcels[0].f32[t.fromElem:])
		for _, q := range g.parcels[1:] {
			for i, v := range q.f32[t.fromElem : t.fromElem+t.n] {
				sum[i] = fold(sum[i], v)
			}
		}
		num.Narrow(out, sum, d)
	case t.from == zeros:
		clear(out)
	case t.from == absent:
		h := worldSeed(n, p.acc.loc.name)
		for i := range out {
			out[i] = worldByte(h, t.toElem*size+i)
		}
	case g.members[t.from].at[1].acc.dtype == d:
		copy(out, g.parcels[t.from].raw[t.fromElem*size:])
	default:
		num.Narrow(out, g.parcels[t.from].f32[t.fromElem:t.fromElem+t.n], d)
	}
}

// foldFunc folds two numbers.
type foldFunc func(x, y float32) float32

// folds has the operators that fold over cores, in float32.
var folds = [ir.NumAluOps]foldFunc{
	ir.AluAdd:  func(x, y float32) float32 { return x + y },
	ir.AluMult: func(x, y float32) float32 { return x * y },
	ir.AluMax:  func(x, y float32) float32 { return max(x, y) },
	ir.AluMin:  func(x, y float32) float32 { return min(x, y) },
}
