package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

var sharedKinds = []num.DType{num.Float32, num.Float32, num.BFloat16, num.Int32}

// sharedKind draws an element type for what several cores have in common.
func (b *builder) sharedKind(set ir.DTypeSet) num.DType {
	if b.sometimes(SharedTypes, 0.6) {
		if rare := set & b.types & ir.DTypesOf(num.Float8e4m3fn); rare != 0 && b.Bool(0.3) { // few programs may have it
			return num.Float8e4m3fn
		}
		return one(&b.Rand, (set & b.types).List())
	}
	return one(&b.Rand, sharedKinds)
}

// holding is what every function that declares a tensor in Shared memory says of it.
type holding struct {
	lanes, free int
	dtype       num.DType
	name, set   string
	placed      bool
	addr        int64
	names       int // it goes by: must aliases in a row, of which each is one of the next
	naming      [2]naming
}

// nameEnds are what the names of a holding, and of their sets, end in.
var nameEnds = [...]string{"", "_too", "_as_well"}

// holding draws a tensor in Shared memory under one name.
func (b *builder) holding(name, set string) *holding {
	h := &holding{dtype: b.sharedKind(b.types), name: name, set: set, names: 1}
	h.lanes, h.free = b.sizes(0, 0)
	for i := range h.naming {
		h.naming[i] = naming(b.IntN(int(numNamings)))
	}
	if b.sometimes(PlacedShared, 0.4) {
		h.placed, h.addr = true, b.hbm
		b.hbm += (int64(h.lanes*h.free*h.dtype.Size()) + 63) &^ 63
	}
	return h
}

// hold declares a tensor in Shared memory in the function being drawn and returns a slot for each of its names. Only the first name has the
// address, if there is one: the others lie there as well. root is the storage of the slots of an earlier function, nil in the first.
func (b *builder) hold(h *holding, root *slot) []*slot {
	list := make([]*slot, 0, len(nameEnds))
	for i, end := range nameEnds[:h.names] {
		s := b.ownShared(h.lanes, h.free, h.dtype, h.name+end, h.set+end)
		if root == nil {
			root = s
		}
		b.flow.root[s.loc.ID] = b.flow.root[root.loc.ID]
		if i == 0 {
			s.loc.Allocated, s.loc.Addr = h.placed, h.addr
		} else {
			b.link(list[i-1].loc, s.loc, h.naming[i-1])
		}
		list = append(list, s)
	}
	return list
}

// ownShared declares a tensor in Shared memory.
func (b *builder) ownShared(lanes, free int, t num.DType, name, set string) *slot {
	s := b.newSlot(ir.DRAM, ir.Internal, lanes, free*t.Size(), t, name, set)
	s.loc.Set.Space, s.fixed = ir.Shared, true
	return s
}

// shareTensors declares tensors in Shared memory in every function. Where one has several names, a core uses the first and the other the last.
func (b *builder) shareTensors(states []core) {
	for k := range b.Between(1, 3) {
		h := b.holding(shareNames.at(k), shareSets.at(k))
		if b.sometimes(SharedNames, 0.6) {
			h.names = 2
			if b.sometimes(IdleLinks, 0.6) {
				h.names = 3
			}
		}
		g, turn := &sharedTensor{}, b.IntN(2)
		for i := range states {
			b.core = states[i]
			had := len(b.slots)
			list := b.hold(h, g.first())
			s := list[(i+turn)%2*(len(list)-1)]
			b.slots = append(b.slots[:had], s)
			g.slots = append(g.slots, s)
			states[i] = b.core
		}
		b.shared = append(b.shared, g)
	}
}

// first returns the slot of the first core; nil while there is none.
func (g *sharedTensor) first() *slot {
	if len(g.slots) == 0 {
		return nil
	}
	return g.slots[0]
}

// keepToOne declares tensors in Shared memory that one core touches, or none, though the others may know them.
func (b *builder) keepToOne(states []core) {
	for k := range b.Between(1, 3) {
		h := b.holding(aloneNames.at(k), aloneSets.at(k))
		owner := b.IntN(len(states) + 1)
		if b.Bool(0.4) {
			h.names = 2
		}
		known := b.Bool(0.6) // by the others
		var first *slot
		for i := range states {
			if i != owner && !known && owner < len(states) {
				continue
			}
			b.core = states[i]
			list := b.hold(h, first)
			first = list[0]
			for _, s := range list {
				s.hidden = i != owner
			}
			if len(list) > 1 {
				follow(first, list[1])
			}
			if owner == len(states) {
				b.keep = append(b.keep, b.flow.root[first.loc.ID])
			}
			states[i] = b.core
		}
	}
}

// follow makes t, a must alias of s, one that is only read.
func follow(s, t *slot) { t.root, t.readOnly, s.twin = s, true, t }

// dealPieces declares tensors in Shared memory that consist of two pieces: each core touches one of them alone, though all know both.
func (b *builder) dealPieces(states []core) {
	for k := range b.Between(1, 2) {
		t := b.sharedKind(b.types)
		lanes, free := b.sizes(0, 0)
		turn := b.IntN(len(states))
		var roots [2]int32
		for i := range states {
			b.core = states[i]
			s := b.ownShared(lanes, free, t, pieceNames.at(k), pieceSets.at(k))
			for j, p := range [...]*slot{s, b.piece(s, pieceNames.at(k)+"_rest")} {
				if i == 0 {
					roots[j] = b.flow.root[p.loc.ID]
				}
				b.flow.root[p.loc.ID] = roots[j]
				p.hidden = (j+turn)%len(states) != i
			}
			states[i] = b.core
		}
	}
}

// piece declares a location of the size of s beside it in its set.
func (b *builder) piece(s *slot, name string) *slot {
	p, set := b.ownShared(s.rows, s.width/s.dtype.Size(), s.dtype, name, ""), s.loc.Set
	b.fn.Sets = b.fn.Sets[:len(b.fn.Sets)-1] // p needs none of its own
	p.loc.Set = set
	set.Locs = append(set.Locs, p.loc)
	set.Shape[0] += int64(s.rows)
	return p
}

// expose puts a result into Shared memory, now and then with an Internal name for what stands there.
func (b *builder) expose(s *slot) {
	s.loc.Set.Space = ir.Shared
	if b.Bool(0.4) {
		return
	}
	t := b.ownShared(s.rows, s.width/s.dtype.Size(), s.dtype, s.loc.Name+nameEnds[1], s.loc.Set.Name+nameEnds[1])
	b.flow.root[t.loc.ID] = b.flow.root[s.loc.ID]
	b.link(s.loc, t.loc, naming(b.IntN(int(numNamings))))
	follow(s, t)
}

// visit touches some of the Shared memory that the core may touch now: what is written it reads, and the rest it writes. Drawn instructions seldom
// find it among all the tiles.
func (b *builder) visit() {
	for _, s := range b.slots[:len(b.slots):len(b.slots)] {
		if s.loc.Set.Space != ir.Shared || s.loc.Set.Kind != ir.Internal || b.left < b.reserve+3 || b.Bool(0.5) {
			continue
		}
		switch {
		case s.readable() && s.writable() && b.sometimes(Copies, 0.5):
			b.putBack(s)
		case s.readable():
			b.moved(s, ir.InSB, s.dtype)
		case s.writable():
			if x := b.newInput(s.rows, s.width/s.dtype.Size(), s.dtype); x != nil {
				b.put(x, s, nil)
			}
		}
	}
}

// putBack writes what stands in Shared memory there again: from itself, under whatever name, or from a copy of the core's own.
func (b *builder) putBack(s *slot) {
	if b.Bool(0.5) {
		b.put(s, b.sameStorage(s), nil)
		return
	}
	if u := b.like(s); b.put(s, u, nil) {
		b.put(u, s, nil)
	}
}
