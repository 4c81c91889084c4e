package fuzz_test

import (
	"cmp"
	"fmt"
	"slices"

	"birfuzz/ir"
)

// instance is one execution of an instruction, in the order of the program.
type instance struct {
	inst  *ir.Inst
	loops []*ir.Inst
	trips []int64 // one a loop around
	axes  map[*ir.Loop]int64
}

// AxisValue implements ir.Env.
func (x *instance) AxisValue(l *ir.Loop) int64 { return x.axes[l] }

// ShardID implements ir.Env.
func (x *instance) ShardID() int64 { return 0 }

// unrolled lists what a function executes; nil if that is more than most.
func unrolled(f *ir.Func, most int) []*instance {
	var out []*instance
	var walk func(bs []*ir.Block, at *instance)
	walk = func(bs []*ir.Block, at *instance) {
		for _, b := range bs {
			for _, in := range b.Insts {
				x := &instance{in, at.loops, at.trips, at.axes}
				if len(out) > most || slices.ContainsFunc(in.Pred, func(p ir.Predicate) bool { return !p.Cmp.Holds(p.Expr.Eval(x)) }) {
					continue
				}
				if in.Loop == nil {
					out = append(out, x)
					continue
				}
				for k := range in.Loop.Trips() {
					axes := map[*ir.Loop]int64{in.Loop: in.Loop.LB + k*in.Loop.Stride}
					for l, v := range at.axes {
						axes[l] = v
					}
					walk(in.Loop.Blocks, &instance{nil, append(slices.Clone(at.loops), in), append(slices.Clone(at.trips), k), axes})
				}
			}
		}
	}
	walk(f.Blocks, &instance{})
	if len(out) > most {
		return nil
	}
	return out
}

// span is a run of bytes from ≤ b < to.
type span struct{ from, to int64 }

// storages says where the bytes of a function's locations are, by its own account of semantics §1.
type storages struct {
	root    map[*ir.Loc]*ir.Loc
	anchor  map[*ir.Loc]*ir.Loc // by root: a placed one
	visible map[*ir.Loc]bool    // by root
}

func storagesOf(f *ir.Func) *storages {
	s := &storages{map[*ir.Loc]*ir.Loc{}, map[*ir.Loc]*ir.Loc{}, map[*ir.Loc]bool{}}
	for l := range f.Locs {
		s.root[l] = l
	}
	for changed := true; changed; {
		changed = false
		for l := range f.Locs {
			for _, a := range l.Alias {
				if x, y := s.root[l], s.root[a.Loc]; x != y {
					for m := range f.Locs {
						if s.root[m] == y {
							s.root[m] = x
						}
					}
					changed = true
				}
			}
		}
	}
	for l := range f.Locs {
		if l.Allocated {
			s.anchor[s.root[l]] = l
		}
		s.visible[s.root[l]] = s.visible[s.root[l]] || l.Visible()
	}
	return s
}

// of returns the storage of a location, and where a byte of the location is in it; for DRAM row is 0.
func (s *storages) of(l *ir.Loc, row, b int64) (storage string, at int64) {
	p := l
	if l.Type.IsDRAM() && s.anchor[s.root[l]] != nil && !l.Allocated {
		p = s.anchor[s.root[l]]
	}
	switch {
	case !p.Allocated:
		return "own " + s.root[l].Name, row<<20 + b
	case p.Type == ir.PSUM:
		return "psum", (p.Base+row)<<20 + p.Bank*2048 + p.Addr + b
	case p.Type == ir.SB:
		return "sb", (p.Base+row)<<20 + p.Addr + b
	}
	return "dram " + p.Set.Space.String(), p.Addr + b
}

// use is what an instance does to a storage.
type use struct {
	storage string
	writes  bool
	bytes   []span // ascending
}

// meets tells whether the two conflict.
func (u *use) meets(v *use) bool {
	if u.storage != v.storage || !u.writes && !v.writes {
		return false
	}
	for i, j := 0, 0; i < len(u.bytes) && j < len(v.bytes); {
		switch a, b := u.bytes[i], v.bytes[j]; {
		case a.to <= b.from:
			i++
		case b.to <= a.from:
			j++
		default:
			return true
		}
	}
	return false
}

// operand returns the use of an operand in an instance, element by element.
func (s *storages) operand(o *ir.Operand, x *instance, writes bool) use {
	size, l := int64(o.DType.Size()), o.Loc
	if o.Kind == ir.RegOperand {
		return use{"register " + l.Name, writes, []span{{0, 4}}}
	}
	u := use{writes: writes}
	var walk func(i int, e int64)
	walk = func(i int, e int64) {
		if i < int(o.N) {
			for k := range int64(o.AP[i].Num) {
				walk(i+1, e+k*int64(o.AP[i].Step))
			}
			return
		}
		row, col := int64(0), e*size
		if l.Type.OnChip() {
			pitch := l.RowBytes / size
			row, col = e/pitch, e%pitch*size
		}
		storage, at := s.of(l, row, col)
		u.storage = storage
		if n := len(u.bytes); n > 0 && u.bytes[n-1].to == at {
			u.bytes[n-1].to += size
		} else {
			u.bytes = append(u.bytes, span{at, at + size})
		}
	}
	walk(0, o.Off.Eval(x))
	slices.SortFunc(u.bytes, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return u
}

// region returns what a matmul clears: the 2^log banks around its output's in the output's partitions. What is not placed has no neighbours.
func (s *storages) region(o *ir.Operand, log int64) use {
	l, pitch := o.Loc, o.Loc.RowBytes/int64(o.DType.Size())
	first := o.Off.C / pitch
	storage, _ := s.of(l, 0, 0)
	u := use{storage: storage, writes: true}
	for row := first; row < first+o.Lanes(); row++ {
		from, n := row<<20, l.RowBytes
		if l.Allocated {
			from, n = (l.Base+row)<<20+l.Bank>>log<<log*2048, 2048<<log
		}
		u.bytes = append(u.bytes, span{from, from + n})
	}
	return u
}

// uses lists what an instance uses. Fences and visible memory meet in a storage of their own if asked for.
func (s *storages) uses(x *instance, fences bool) []use {
	var out []use
	in, sees := x.inst, false
	for k := range in.Args {
		if o := &in.Args[k]; o.Loc != nil {
			out = append(out, s.operand(o, x, k < int(in.NOut)))
			sees = sees || s.visible[s.root[o.Loc]]
		}
	}
	if in.Int(ir.PZeroRegion) >= 0 && in.Flag(ir.PStart) {
		out = append(out, s.region(&in.Args[0], in.Int(ir.PZeroRegion)))
	}
	if n := accumulatorLanes(in); n > 0 {
		out = append(out, use{"accumulator " + in.Engine.String(), in.WritesAcc(), []span{{0, n}}})
	}
	if fence := in.Spec().Effect.Fence(); fences && (fence || sees) {
		out = append(out, use{"fences", fence, []span{{0, 1}}})
	}
	return out
}

func accumulatorLanes(in *ir.Inst) int64 {
	if !in.ReadsAcc() && !in.WritesAcc() || in.NOut == 0 {
		return 0
	}
	return in.Args[0].Lanes()
}

// bits is a set of instances.
type bits []uint64

func newBits(n int) bits { return make(bits, (n+63)/64) }

func (b bits) set(i int32)      { b[i/64] |= 1 << (i % 64) }
func (b bits) has(i int32) bool { return b[i/64]>>(i%64)&1 != 0 }
func (b bits) join(c bits) {
	for i := range c {
		b[i] |= c[i]
	}
}

// conflicts returns, for each instance, the earlier ones that it conflicts with.
func conflicts(f *ir.Func, xs []*instance, fences bool) []bits {
	s, out, all := storagesOf(f), make([]bits, len(xs)), make([][]use, len(xs))
	for i, x := range xs {
		out[i], all[i] = newBits(len(xs)), s.uses(x, fences)
		for j := range int32(i) {
			if slices.ContainsFunc(all[i], func(u use) bool {
				return slices.ContainsFunc(all[j], func(v use) bool { return u.meets(&v) })
			}) {
				out[i].set(j)
			}
		}
	}
	return out
}

// drawn is one edge of the program and the pairs of instances that it orders.
type drawn struct {
	name  string
	kind  ir.EdgeKind
	pairs [][2]int32 // later, earlier
}

// drawnEdges lists the edges of a function.
func drawnEdges(f *ir.Func, xs []*instance) []drawn {
	around := map[*ir.Inst][]*ir.Inst{}
	inside := map[*ir.Inst][]int32{}
	for i, x := range xs {
		around[x.inst] = x.loops
		inside[x.inst] = append(inside[x.inst], int32(i))
		for k, l := range x.loops {
			around[l] = x.loops[:k]
			inside[l] = append(inside[l], int32(i))
		}
	}
	var out []drawn
	add := func(of, on *ir.Inst, kind ir.EdgeKind, dist []int64) {
		if dist == nil {
			a, b := around[of], around[on]
			for len(dist) < min(len(a), len(b)) && a[len(dist)] == b[len(dist)] {
				dist = append(dist, 0)
			}
		}
		d := drawn{name: fmt.Sprintf("%s on %s %v", of.Name, on.Name, dist), kind: kind}
		for _, i := range inside[of] {
			for _, j := range inside[on] {
				if apart(xs[i].trips, xs[j].trips, dist) {
					d.pairs = append(d.pairs, [2]int32{i, j})
				}
			}
		}
		out = append(out, d)
	}
	for in := range f.Insts {
		for _, d := range in.Deps {
			add(in, d.On, d.Kind, nil)
		}
		for _, d := range in.LoopDeps {
			add(in, d.On, d.Kind, d.Dist)
		}
	}
	return out
}

func apart(later, earlier, dist []int64) bool {
	for k, d := range dist {
		if later[k]-earlier[k] != d {
			return false
		}
	}
	return true
}
