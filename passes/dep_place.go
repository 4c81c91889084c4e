package passes

import "birfuzz/ir"

// storeKey names one storage of a program: accesses to different ones never meet.
type storeKey struct {
	loc   int32 // the first location of the family that has the storage to itself; none for the others
	core  int32 // of the others
	space ir.SpaceKind
}

// The storages that are no memory have kinds beyond ir's.
const (
	accumulatorSpace ir.SpaceKind = 64 + iota
	visibleSpace                  // what fences and accesses to visible memory meet in
)

// home is where a location's bytes are: flat addresses of a storage, read as rows of fold bytes.
//
// Folding serves speed alone. It tells apart, by columns, accesses that lie across each other's rows.
type home struct {
	store int32
	shift int64 // to be added to the flat addresses of ir.Walk
	fold  int64
	wild  bool // it may lie anywhere in the storage
}

const (
	sharedShift = int64(1) << 50 // Shared DRAM and a core's own are two address spaces; together they are one storage here, since aliases join them
	wildBytes   = int64(1) << 56
	chipFold    = int64(1) << 20 // ir.Walk puts the partitions of on-chip memory that far apart
)

// atlas knows the home of every location.
type atlas struct {
	aliases *ir.Families
	homes   []home // by location ID
	stores  map[storeKey]int32
	folds   []int64 // by storage
}

func newAtlas(p *ir.Program, aliases *ir.Families) *atlas {
	a := &atlas{aliases: aliases, homes: make([]home, aliases.Len()), stores: map[storeKey]int32{}}
	for core, f := range p.Cores {
		anchors := a.anchors(f)
		for l := range f.Locs {
			a.homes[l.ID] = a.settle(l, int32(core), anchors)
		}
	}
	return a
}

// anchors returns, by family, the placed location that the others of it lie on; nil stands for several places.
func (a *atlas) anchors(f *ir.Func) map[int32]*ir.Loc {
	anchors := map[int32]*ir.Loc{}
	for l := range f.Locs {
		root := a.aliases.Of(l)
		if !l.Allocated || !l.Type.IsDRAM() {
			continue
		}
		if had, ok := anchors[root]; ok && (had == nil || flatOf(had) != flatOf(l)) {
			l = nil
		}
		anchors[root] = l
	}
	return anchors
}

// flatOf returns the address of a placed DRAM location in the storage of all of them.
func flatOf(l *ir.Loc) int64 {
	if l.Set.Space == ir.Shared {
		return l.Addr + sharedShift
	}
	return l.Addr
}

// settle returns the home of l. What is not placed has storage of its own together with its aliases; but if one of those is placed, it lies
// there too (semantics §1). May aliases are taken as joined: apart they share less.
func (a *atlas) settle(l *ir.Loc, core int32, anchors map[int32]*ir.Loc) home {
	root := a.aliases.Of(l)
	anchor, anchored := anchors[root]
	switch space, _ := ir.StorageOf(l); {
	case l.Type.OnChip() && l.Allocated:
		return a.home(storeKey{none, core, space.Kind}, chipFold)
	case l.Type.OnChip():
		return a.home(storeKey{loc: root}, chipFold)
	case !l.Type.IsDRAM() || !anchored:
		return a.home(storeKey{loc: root}, max(l.RowBytes, 1))
	}
	h := a.home(storeKey{none, core, ir.DRAMSpace}, 2*wildBytes)
	switch {
	case l.Allocated:
		h.shift = flatOf(l) - l.Addr
	case anchor != nil:
		h.shift = flatOf(anchor)
	default:
		h.wild = true
	}
	return h
}

// home returns the home at the beginning of a storage, which is made if it is new. Its first location decides how it is folded.
func (a *atlas) home(k storeKey, fold int64) home {
	id, ok := a.stores[k]
	if !ok {
		id = int32(len(a.folds))
		a.stores[k] = id
		a.folds = append(a.folds, fold)
	}
	return home{store: id, fold: a.folds[id]}
}
