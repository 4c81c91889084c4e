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

// fill allocates the core's SBUF, and in every other program PSUM, up to a little, which is what programs may place: most of them to the last
// tile or nearly. No instruction touches what is allocated first.
func (b *builder) fill() {
	r := b.fork("near full")
	room := int64(r.Between(8, 64)) * 256
	b.space = int(room)
	b.place.addr = b.prog.Arch.SBUFBytes() - room
	b.reserved(ir.SB, b.place.addr, "rt_sb")
	if banks := r.Between(3, ir.PSUMBanks-2); r.Bool(0.5) {
		b.reserved(ir.PSUM, int64(banks)*ir.PSUMBankBytes, "rt_psum")
		for k := range banks {
			b.place.bank[k] = ir.PSUMBankBytes
		}
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
