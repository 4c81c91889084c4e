package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// crowd reserves most of the core's SBUF, and of its PSUM in every other program, for the run-time: an allocator has room for a few tiles only.
// No instruction touches what is reserved, so it costs nothing to run.
func (b *builder) crowd() {
	r := b.fork("pressure")
	room := int64(r.Between(4, 64)) * 64
	if b.on(FarUses) {
		room = min(room, mostSetAside)
	}
	b.space = int(room)
	b.reserved(ir.SB, b.prog.Arch.SBUFBytes()-room, "rt_sb")
	if r.Bool(0.5) {
		b.reserved(ir.PSUM, int64(r.Between(5, ir.PSUMBanks-1))*ir.PSUMBankBytes, "rt_psum")
	}
}

// reserved declares a location over all partitions, from the beginning of a memory on.
func (b *builder) reserved(t ir.MemType, bytes int64, name string) {
	s, l := b.sets.one(), b.locs.one()
	*s = ir.Set{Name: name, Kind: ir.Internal, Class: "Tensor", DType: num.UInt8, Shape: []int64{ir.Partitions, bytes}, PartDim: 0, Locs: []*ir.Loc{l}}
	*l = ir.Loc{Name: name, Set: s, Type: t, Rows: ir.Partitions, RowBytes: bytes, Allocated: true, RuntimeReserved: true}
	b.declare(s, l)
	b.keep = append(b.keep, b.flow.root[l.ID])
}
