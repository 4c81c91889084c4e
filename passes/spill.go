package passes

import (
	"fmt"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// spill moves a location to spill storage everywhere: every instruction that touches it gets a piece of its own, which is reloaded before it
// (unless the instruction overwrites all of it) and saved after it (if the instruction writes it).
func (s *scan) spill(v *lifetime) {
	c := newCourier(s, v.loc)
	s.ctx.Logf("spilling %s: %d bytes of %d partitions", v.loc.Name, v.loc.RowBytes, v.loc.Rows)
	at := map[*ir.Inst]ir.Insertion{}
	for _, in := range v.users {
		at[in] = c.serve(in)
	}
	for b := range s.fn.AllBlocks {
		s.ctx.Edit().Insert(b, at)
	}
	s.ctx.Edit().AddSets(s.fn, c.sets...)
	s.ctx.Edit().DeleteLocs(s.fn, map[*ir.Loc]bool{v.loc: true})
}

// courier carries what a spilled location held between its spill storage and the pieces.
type courier struct {
	*scan
	victim *ir.Loc
	store  *ir.Loc
	sets   []*ir.Set // the new storage
	n      int       // pieces so far
}

func newCourier(s *scan, victim *ir.Loc) *courier {
	c := &courier{scan: s, victim: victim}
	if victim.Type == ir.PSUM {
		c.store = c.storage("_SpillTensorCopy", ir.SB)
	} else {
		c.store = c.storage("_SpillSave", ir.DRAM)
	}
	return c
}

// storage declares a location that holds as much as the victim.
func (c *courier) storage(suffix string, t ir.MemType) *ir.Loc {
	old := c.victim.Set
	set := &ir.Set{
		Name: c.names.fresh(c.victim.Name + suffix), Kind: ir.Internal, Class: old.Class, DType: old.DType, Shape: old.Shape, PartDim: old.PartDim,
	}
	l := &ir.Loc{Name: set.Name, Set: set, Type: t, Rows: c.victim.Rows, RowBytes: c.victim.RowBytes}
	set.Locs = []*ir.Loc{l}
	c.sets = append(c.sets, set)
	return l
}

// serve gives an instruction its piece and returns what reloads and saves it.
func (c *courier) serve(in *ir.Inst) ir.Insertion {
	reload, save := !overwritesAll(in, c.victim), writes(in, c.victim)
	piece := c.storage(fmt.Sprint("_ReloadStore", c.n), c.victim.Type)
	c.settled[piece] = true
	c.ctx.Edit().Change(func() { rename(in.Args, c.victim, piece) })
	var x ir.Insertion
	if reload {
		x.Before = c.moves("_Reload", piece, c.store)
	}
	if save {
		x.After = c.moves("_Spill", c.store, piece)
	}
	c.n++
	return x
}

// moves returns the instructions that move all of src to dst, of which one is spill storage: one DMA, or a TensorCopy a PSUM bank.
func (c *courier) moves(suffix string, dst, src *ir.Loc) []*ir.Inst {
	row, engine, step := "TensorCopy", ir.DVE, int64(ir.PSUMBankBytes)
	if dst.Type == ir.DRAM {
		row, engine, step = "Save", ir.SP, dst.RowBytes
	} else if src.Type == ir.DRAM {
		row, engine, step = "Load", ir.SP, dst.RowBytes
	}
	spec, _ := ir.OpNamed(row)
	var out []*ir.Inst
	for from := int64(0); from < dst.RowBytes; from += step {
		to := min(from+step, dst.RowBytes)
		out = append(out, &ir.Inst{
			Op: spec.Op, Engine: engine, NOut: 1, Name: c.names.fresh(fmt.Sprint(c.victim.Name, suffix, row, c.n)),
			Args: []ir.Operand{columnsOf(dst, from, to), columnsOf(src, from, to)},
		})
	}
	return out
}

// columnsOf is the access of bytes from … to−1 of every row of a location, in elements of its set's type where rows consist of these.
func columnsOf(l *ir.Loc, from, to int64) ir.Operand {
	t := l.Set.DType
	if size := int64(t.Size()); l.RowBytes%size != 0 || from%size != 0 || to%size != 0 {
		t = num.UInt8
	}
	size := int64(t.Size())
	return ir.Operand{
		Kind: ir.APOperand, DType: t, N: 2, Loc: l, Off: ir.Affine{C: from / size},
		AP: [ir.MaxPairs]ir.Pair{{Step: int32(l.RowBytes / size), Num: int32(l.Rows)}, {Step: 1, Num: int32((to - from) / size)}},
	}
}
