package gen

import (
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// exchange is a collective that all cores of the module are about to join: they agree on everything but the locations.
type exchange struct {
	row         *ir.Spec
	kind        ir.CollectiveKind
	op          ir.AluOp
	dtype       num.DType
	lanes, free int // of what each core gives; lanes is a multiple of the cores
	cores       int // of a group
	groups      [][]int64
	pairs       [][]int64
}

// exchangeSize says how the elements that a core gets relate to those that it gives.
type exchangeSize uint8

const (
	asMany     exchangeSize = iota
	timesCores              // as many for each core
	byCores                 // as many of all cores together
)

// exchangeKinds says of each kind how much each core gets, whether it goes by pairs of cores, and whether it computes.
var exchangeKinds = [...]struct {
	size  exchangeSize
	pairs bool
	adds  bool // in some way: the operator means something
}{ir.AllReduce: {asMany, false, true}, ir.AllGather: {timesCores, false, false}, ir.ReduceScatter: {byCores, false, true}, ir.AllToAll: {asMany, false, false},
	ir.SendRecv: {asMany, true, false}, ir.Permute: {asMany, true, false}}

// got returns the rows that a core gets.
func (x *exchange) got() int {
	switch exchangeKinds[x.kind].size {
	case timesCores:
		return x.lanes * x.cores
	case byCores:
		return x.lanes / x.cores
	default:
		return x.lanes
	}
}

// planExchange draws a collective for the cores of a module; nil if there is to be none.
func (b *builder) planExchange(cores int) *exchange {
	if cores < 2 || len(b.rows.exchange) == 0 || !b.sometimes(Collectives, 0.7) || len(b.inputs)+cores >= maxSources {
		return nil
	}
	b.kept = cores
	x := &exchange{row: one(&b.Rand, b.rows.exchange), kind: ir.CollectiveKind(b.IntN(len(exchangeKinds)))}
	x.op = one(&b.Rand, []ir.AluOp{ir.AluAdd, ir.AluAdd, ir.AluMax, ir.AluMin})
	if b.on(SharedTypes) && !exchangeKinds[x.kind].adds {
		x.op = ir.AluOp(b.IntN(int(ir.NumAluOps)))
	}
	x.dtype = b.sharedKind(x.row.Ins[0].Types)
	x.lanes, x.free = b.sizes(0, 0)
	x.lanes, x.cores = min(cores*x.lanes, ir.Partitions), cores
	if exchangeKinds[x.kind].pairs {
		x.pairs = b.routes(cores)
	} else if cores > 2 && b.sometimes(OddExchanges, 0.5) {
		x.cores = 2
		x.groups = one(&b.Rand, [][][]int64{{{0, 1}, {2, 3}}, {{0, 2}, {1, 3}}, {{3, 0}, {2, 1}}})
	}
	return x
}

// routes draws from which core to which an exchange goes: round the ring; or in any way in which no core gives or gets twice, some of them to
// themselves, and some not at all.
func (b *builder) routes(cores int) [][]int64 {
	var out [][]int64
	if !b.sometimes(OddExchanges, 0.7) {
		for k := range int64(cores) {
			out = append(out, []int64{k, (k + 1) % int64(cores)})
		}
		return out
	}
	to := slices.Clone(coreNumbers[:cores])
	for i := range to {
		j := b.Between(i, cores-1)
		to[i], to[j] = to[j], to[i]
		if len(out) == 0 || b.Bool(0.8) {
			out = append(out, []int64{int64(i), to[i]})
		}
	}
	return out
}

// join draws the core's part in a collective: it brings what it gives into a tensor of its own first.
func (b *builder) join(x *exchange) {
	b.left = 4
	b.kept--
	from := b.newInput(x.lanes, x.free, x.dtype)
	src := b.ownTensor(from, x)
	dst := b.newScratch(x.got(), x.free, x.dtype)
	in := b.bare(x.row)
	in.NOut = 1
	in.Args = b.args.take(2)
	to, ok := b.access(&in.Args[0], dst, tileOf(dst.rows, x.free), x.dtype, filling, false)
	if _, ok2 := b.access(&in.Args[1], src, tileOf(x.lanes, x.free), x.dtype, reading, false); !ok || !ok2 {
		return
	}
	in.SetInt(ir.PCollectiveKind, int64(x.kind))
	in.SetInt(ir.PCollectiveOp, int64(x.op))
	in.SetParam(ir.Param{ID: ir.PReplicaGroups, LL: x.groups})
	in.SetParam(ir.Param{ID: ir.PSrcTargetPairs, LL: x.pairs})
	b.emit(in)
	dst.define(to.rect, to.dense)
	dst.root.stamp = b.names
	for w := dst.twin; w != nil; w = w.twin {
		w.define(to.rect, to.dense)
	}
}

// ownTensor moves an input to DRAM of the core's own. Both cores must join, so where no row does it the input itself is given.
func (b *builder) ownTensor(from *slot, x *exchange) *slot {
	if s := b.moved(from, ir.InDRAM, x.dtype); s != nil && s.loc.Set.Kind == ir.Internal {
		return s
	}
	return from
}
