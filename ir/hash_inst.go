package ir

import "encoding/binary"

func (h *hasher) bytes(b []byte) {
	for ; len(b) >= 16; b = b[16:] {
		h.add(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
	}
	for _, c := range b {
		h.add(uint64(c), 1)
	}
}

func (h *hasher) blocks(bs []*Block) {
	h.begin('b', len(bs))
	for _, b := range bs {
		h.begin('n', len(b.Insts))
		h.str(b.Name)
		h.json('x', b.Extra)
		for _, in := range b.Insts {
			h.inst(in)
		}
	}
}

// inst takes in one instruction; most of the optional parts are absent and cost a test each.
func (h *hasher) inst(in *Inst) {
	h.add(uint64(in.Op)|uint64(in.Engine)<<8|uint64(in.NOut)<<16|uint64(len(in.Args))<<24, uint64(len(in.Params)))
	h.str(in.Name)
	for i := range in.Args {
		h.operand(&in.Args[i])
	}
	for i := range in.Params {
		h.param(&in.Params[i])
	}
	if in.Queue != "" {
		h.begin('q', 0)
		h.str(in.Queue)
	}
	if in.Source != "" {
		h.begin('S', 0)
		h.str(in.Source)
	}
	if in.Start != 0 || in.End != 0 {
		h.begin('t', 0)
		h.add(uint64(in.Start), uint64(in.End))
	}
	h.edges(in)
	h.sync(in)
	h.json('x', in.Extra)
	if in.Loop != nil {
		h.loop(in.Loop)
	}
}

func (h *hasher) edges(in *Inst) {
	for i := range in.Deps {
		h.begin('d', int(in.Deps[i].Kind))
		h.str(in.Deps[i].On.Name)
	}
	for i := range in.LoopDeps {
		h.begin('D', int(in.LoopDeps[i].Kind))
		h.str(in.LoopDeps[i].On.Name)
		h.ints(in.LoopDeps[i].Dist)
	}
}

func (h *hasher) sync(in *Inst) {
	for i := range in.Order {
		h.begin('o', i)
		h.affine(&in.Order[i])
	}
	for i := range in.Pred {
		h.begin('p', int(in.Pred[i].Cmp))
		h.affine(&in.Pred[i].Expr)
	}
	for _, s := range in.Wait {
		h.begin('w', 0)
		h.add(uint64(s.ID), uint64(s.Value))
	}
	for _, s := range in.Update {
		h.begin('u', 0)
		h.add(uint64(s.ID), uint64(s.Value))
	}
}

func (h *hasher) loop(l *Loop) {
	h.begin('l', int(flag(l.NoReorder, 0)|flag(l.Parallel, 1)|flag(l.Unroll, 2)))
	h.str(l.Axis)
	h.add(uint64(l.LB), uint64(l.UB))
	h.int(l.Stride)
	h.blocks(l.Blocks)
}

func (h *hasher) operand(o *Operand) {
	head := uint64(o.Kind) | uint64(o.DType)<<8
	switch o.Kind {
	case APOperand:
		h.add(head|uint64(o.N)<<16|uint64(len(o.Off.Terms))<<24, uint64(o.Off.C))
		h.str(o.Loc.Name)
		for _, p := range o.Pairs() {
			h.pair(p)
		}
		for i := range o.Off.Terms {
			h.term(&o.Off.Terms[i])
		}
	case RegOperand:
		h.int(int64(head))
		h.str(o.Loc.Name)
	case ImmOperand:
		h.int(int64(head))
		h.float(o.Imm)
	default:
		h.int(int64(o.Kind))
	}
}

func (h *hasher) pair(p Pair) { h.add(uint64(uint32(p.Step)), uint64(uint32(p.Num))) }

func (h *hasher) affine(a *Affine) {
	h.add(uint64(a.C), uint64(len(a.Terms)))
	for i := range a.Terms {
		h.term(&a.Terms[i])
	}
}

func (h *hasher) term(t *Term) {
	h.add(uint64(t.Kind), uint64(t.Coef))
	if t.Axis != nil {
		h.str(t.Axis.Axis)
	}
	if t.Sub != nil {
		h.affine(t.Sub)
	}
	if t.Kind != AxisTerm {
		h.int(t.N)
	}
}

func (h *hasher) param(p *Param) {
	s := p.ID.Spec()
	switch s.Kind {
	case FloatParam:
		h.int(int64(p.ID))
		h.float(p.F)
	case ListParam:
		h.int(int64(p.ID))
		h.ints(p.L)
	case PairsParam, ListsParam:
		h.begin(byte(p.ID), len(p.LL))
		for _, l := range p.LL {
			h.ints(l)
		}
	default:
		h.add(uint64(p.ID), uint64(p.I))
	}
}
