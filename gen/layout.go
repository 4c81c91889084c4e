package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// newSlot declares a location of rows × width bytes, in a set of its own, and returns its slot.
func (b *builder) newSlot(t ir.MemType, kind ir.TensorKind, rows, width int, d num.DType, name, set string) *slot {
	s, l, st := b.sets.one(), b.locs.one(), b.scratch.slot()
	*s = ir.Set{} // and then one by one: a literal would be made elsewhere and copied
	s.Name, s.Kind, s.Class, s.DType, s.PartDim = set, kind, "Tensor", d, ir.NoPartDim
	s.Shape, s.Locs = b.shapes.take(2), b.pieces.take(1)
	s.Shape[0], s.Shape[1], s.Locs[0] = int64(rows), int64(width/d.Size()), l
	if t.OnChip() || kind == ir.Internal {
		s.PartDim = 0
	}
	*l = ir.Loc{}
	l.Name, l.Set, l.Type, l.Rows, l.RowBytes = name, s, t, int64(rows), int64(width)
	b.declare(s, l)
	st.loc, st.root, st.rows, st.width, st.dtype, st.used = l, st, rows, width, d, true
	b.slots = append(b.slots, st)
	return st
}

// declare adds a set with its one location to the function and to the data-flow state.
func (b *builder) declare(s *ir.Set, l *ir.Loc) {
	b.fn.Sets = append(b.fn.Sets, s)
	l.ID = int32(len(b.flow.root))
	b.flow.root = append(b.flow.root, int32(len(b.flow.at)))
	b.flow.at = append(b.flow.at, nothing)
}

// newTile declares a location on chip that holds at least lanes rows of free elements of type d. It returns nil where there is no room for such
// rows: bytes seen as a smaller type, and each of those made a larger one, grow at every step.
func (b *builder) newTile(t ir.MemType, lanes, free int, d num.DType) *slot {
	width, most := free*d.Size(), ir.PSUMBankBytes
	if t == ir.SB {
		most = int(b.prog.Arch.SBUFBytes())
	}
	if lanes > ir.Partitions || width > most {
		return nil
	}
	if b.sometimes(Partial, 0.3) {
		lanes = min(lanes+b.roomRows(lanes), ir.Partitions)
		if extra := width + 8*b.Between(0, 4); extra <= most {
			width = extra
		}
	}
	if t == ir.SB {
		width += -width & (d.Size() - 1)
	}
	s := b.internal(t, lanes, width, d)
	b.place.locate(b, s.loc)
	return s
}

// internal declares a location of the core's own, of rows × width bytes.
func (b *builder) internal(t ir.MemType, rows, width int, d num.DType) *slot {
	s := b.newSlot(t, ir.Internal, rows, width, d, tileNames.at(b.tiles), tileSets.at(b.tiles))
	b.tiles++
	return s
}

// aside declares a location with a place of its own, which no instruction finds but by the slot.
func (b *builder) aside(t ir.MemType, rows, width int, d num.DType) *slot {
	s := b.internal(t, rows, width, d)
	b.place.locate(b, s.loc)
	s.fixed, s.hidden = true, true
	return s
}

// roomRows returns how many rows a tile gets beyond what is asked: enough that a start partition other than 0 fits.
func (b *builder) roomRows(lanes int) int {
	if lanes <= 64 && b.Bool(0.5) {
		return one(&b.Rand, []int{32, 64, 96})
	}
	return b.Between(0, 8)
}

// newInput declares a tensor that the host gives, nil when there are enough. A Const one carries its data.
func (b *builder) newInput(lanes, free int, d num.DType) *slot {
	if len(b.inputs)+b.kept >= maxSources-1 {
		return nil
	}
	kind, t := ir.ExternalInput, ir.Input
	if b.sometimes(Constants, 0.2) {
		kind, t = ir.Const, ir.DRAM
	}
	i := len(b.inputs)
	s := b.newSlot(t, kind, lanes, free*d.Size(), d, inNames.at(i), inSets.at(i))
	s.def, s.readOnly = s.all(), true
	s.loc.WrittenByAnotherCore = b.sometimes(Foreign, 0.15)
	b.inputs = append(b.inputs, input{slot: s, may: anyValue})
	*b.flow.of(s.loc) = contents{sources: sourceBit(i), dtype: d, pure: true, consts: noConsts}
	return s
}

// newOutput declares a tensor that the host takes.
func (b *builder) newOutput(lanes, free int, d num.DType) *slot {
	s := b.newSlot(ir.Output, ir.ExternalOutput, lanes, free*d.Size(), d, outNames.at(b.tensor), outSets.at(b.tensor))
	b.tensor++
	s.fixed = true
	b.results = append(b.results, s)
	if b.sometimes(SharedOutputs, 0.3) && !b.parallel() { // the trips may all write the same of it, and who is last would be seen
		b.expose(s)
	}
	return s
}

// newResult declares a tensor that the host takes; of a function that several cores run, a part for each.
func (b *builder) newResult(lanes, free int, d num.DType) *slot {
	if !b.on(Shards) {
		return b.newOutput(lanes, free, d)
	}
	width := free * d.Size()
	s := b.newOutput(lanes, b.cores()*free, d)
	s.busy = true // reached through windows only: all of it belongs to several cores
	w := b.newWindow(s, 0, b.shardID(int64(width)), width)
	w.readOnly = false
	s.part = w
	return w
}

// newScratch declares an Internal tensor in the core's DRAM, with other names for it now and then.
func (b *builder) newScratch(lanes, free int, d num.DType) *slot {
	s := b.internal(ir.DRAM, lanes, free*d.Size(), d)
	switch {
	case b.sometimes(MayAliases, 0.4):
		b.rival(s)
	case b.sometimes(Aliases, 0.5), b.sometimes(AliasChains, 0.4):
		b.twins(s)
	}
	return s
}

// like declares scratch DRAM of the size and type of a slot's location.
func (b *builder) like(s *slot) *slot { return b.internal(ir.DRAM, s.rows, s.width, s.dtype) }

// twins declares locations that must alias s and adds them as further slots over one storage: it is written through one name and read through
// all. A third one is an alias of the second only; and of two, one side may keep the other to itself.
func (b *builder) twins(s *slot) {
	s.fixed = true
	last := s
	for range 2 {
		t := b.like(s)
		b.flow.root[t.loc.ID] = b.flow.root[s.loc.ID]
		t.root, t.readOnly = s, true
		last.twin = t
		names := bothName
		if b.sometimes(AliasChains, 0.4) {
			names = naming(b.IntN(int(bothName)))
		}
		b.link(last.loc, t.loc, names)
		if last = t; !b.sometimes(AliasChains, 0.6) {
			return
		}
	}
}

// naming says which of two aliases names the other: one side is enough.
type naming uint8

const (
	firstNames naming = iota
	secondNames
	bothName
	numNamings
)

// link makes two locations must aliases.
func (b *builder) link(l, m *ir.Loc, who naming) {
	if who != secondNames {
		l.Alias = b.alias.add(l.Alias, ir.Alias{Loc: m, Kind: ir.MustAlias})
	}
	if who != firstNames {
		m.Alias = b.alias.add(m.Alias, ir.Alias{Loc: l, Kind: ir.MustAlias})
	}
}

// rival declares a location that may alias s: whether a write to one is one to the other is open, so both are written before they are read,
// and no value in them is relied on.
func (b *builder) rival(s *slot) {
	t := b.like(s)
	t.root, s.fixed = s, true
	b.flow.root[t.loc.ID] = b.flow.root[s.loc.ID]
	s.loc.Alias = []ir.Alias{{Loc: t.loc, Kind: ir.MayAlias}}
	t.loc.Alias = []ir.Alias{{Loc: s.loc, Kind: ir.MayAlias}}
}

// newOut declares a location for an output in one of the given memories.
func (b *builder) newOut(mem ir.MemSet, lanes, free int, d num.DType) *slot {
	var s *slot
	switch b.memory(mem) {
	case ir.SB:
		s = b.newTile(ir.SB, lanes, free, d)
	case ir.PSUM:
		s = b.newTile(ir.PSUM, lanes, free, d)
	default:
		if b.storing || b.Bool(0.4) {
			s = b.newResult(lanes, free, d)
		} else {
			s = b.newScratch(lanes, free, d)
		}
	}
	return s
}

// minFree is a length that every row may have, whatever the number of rows: several instructions take no fewer columns.
const minFree = 8

// sizes draws the lanes and the elements a lane of a tile, those that are 0, among the program's usual ones.
func (b *builder) sizes(lanes, free int) (int, int) {
	if lanes == 0 {
		lanes = one(&b.Rand, b.lanes)
	}
	if free == 0 {
		free = min(one(&b.Rand, b.frees), b.freeOf(lanes))
	}
	return lanes, free
}

// freeOf returns how many elements a lane a tile of so many lanes has at most.
func (b *builder) freeOf(lanes int) int { return max(b.most/lanes, minFree) }

// memory draws one of several memories; DRAM stands for all its forms.
func (b *builder) memory(mem ir.MemSet) ir.MemType {
	mem &= b.mem
	w := [...]int{0, 0, 0}
	for i, m := range [...]ir.MemSet{ir.InSB, ir.InPSUM, ir.InDRAM} {
		if mem&m != 0 {
			w[i] = [...]int{6, 2, 2}[i]
		}
	}
	return [...]ir.MemType{ir.SB, ir.PSUM, ir.DRAM}[b.Pick(w[:])]
}

// dtype draws an element type of a set, mostly one that the program commonly uses; Invalid if the program has none of them.
func (b *builder) dtype(set ir.DTypeSet) num.DType {
	set &= b.types
	if set == 0 {
		return num.Invalid
	}
	k := b.IntN(len(b.common))
	for i := range b.common {
		if d := b.common[(k+i)%len(b.common)]; set.Has(d) {
			return d
		}
	}
	k = b.IntN(int(num.NumDTypes))
	for i := range int(num.NumDTypes) {
		if d := num.DType((k + i) % int(num.NumDTypes)); set.Has(d) {
			return d
		}
	}
	return num.Invalid
}
