package gen

import (
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
}

// exchangeKinds says of each kind how many times the elements given each core gets, in halves (there are two cores), whether it goes by
// pairs of cores, and whether it computes.
var exchangeKinds = [...]struct {
	halves int
	pairs  bool
	adds   bool // in some way: the operator means something
}{ir.AllReduce: {2, false, true}, ir.AllGather: {4, false, false}, ir.ReduceScatter: {1, false, true}, ir.AllToAll: {2, false, false},
	ir.SendRecv: {2, true, false}, ir.Permute: {2, true, false}}

// planExchange draws a collective for the cores of a module; nil if there is to be none.
func (b *builder) planExchange(cores int) *exchange {
	if cores != 2 || len(b.rows.exchange) == 0 || !b.sometimes(Collectives, 0.7) {
		return nil
	}
	x := &exchange{row: one(&b.Rand, b.rows.exchange), kind: ir.CollectiveKind(b.IntN(len(exchangeKinds)))}
	x.op = one(&b.Rand, []ir.AluOp{ir.AluAdd, ir.AluAdd, ir.AluMax, ir.AluMin})
	if b.on(SharedTypes) && !exchangeKinds[x.kind].adds {
		x.op = ir.AluOp(b.IntN(int(ir.NumAluOps)))
	}
	x.dtype = b.sharedKind(x.row.Ins[0].Types)
	x.lanes, x.free = b.sizes(0, 0)
	x.lanes = min(2*x.lanes, ir.Partitions)
	return x
}

// join draws the core's part in a collective: it brings what it gives into a tensor of its own first.
func (b *builder) join(x *exchange) {
	b.left = 4
	from := b.newInput(x.lanes, x.free, x.dtype)
	if from == nil {
		return
	}
	src := b.ownTensor(from, x)
	kind := &exchangeKinds[x.kind]
	dst := b.newScratch(x.lanes*kind.halves/2, x.free, x.dtype)
	in := b.bare(x.row)
	in.NOut = 1
	in.Args = b.args.take(2)
	to, ok := b.access(&in.Args[0], dst, tileOf(dst.rows, x.free), x.dtype, filling, false)
	if _, ok2 := b.access(&in.Args[1], src, tileOf(x.lanes, x.free), x.dtype, reading, false); !ok || !ok2 {
		return
	}
	in.SetInt(ir.PCollectiveKind, int64(x.kind))
	in.SetInt(ir.PCollectiveOp, int64(x.op))
	if kind.pairs {
		in.SetParam(ir.Param{ID: ir.PSrcTargetPairs, LL: [][]int64{{0, 1}, {1, 0}}})
	}
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
