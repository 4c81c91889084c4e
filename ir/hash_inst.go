package ir

import "encoding/binary"

func (h hasher) bytes(b []byte) hasher {
	for ; len(b) >= 16; b = b[16:] {
		h = h.add(binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:]))
	}
	for _, c := range b {
		h = h.add(uint64(c), 1)
	}
	return h
}

func (h hasher) blocks(bs []*Block) hasher {
	h = h.begin('b', len(bs))
	for _, b := range bs {
		h = h.begin('n', len(b.Insts))
		h = h.str(b.Name)
		h = h.json('x', b.Extra)
		for _, in := range b.Insts {
			h = h.join(hashInst(in))
		}
	}
	return h
}

// hashInst hashes one instruction; most of the optional parts are absent and cost a test each.
func hashInst(in *Inst) hasher {
	h := seed.add(uint64(in.Op)|uint64(in.Engine)<<8|uint64(in.NOut)<<16|uint64(len(in.Args))<<24, uint64(len(in.Params)))
	h = h.str(in.Name)
	for i := range in.Args {
		h = h.join(hashOperand(&in.Args[i]))
	}
	for i := range in.Params {
		h = h.param(&in.Params[i])
	}
	if in.Queue != "" {
		h = h.tagged('q', in.Queue)
	}
	if in.Source != "" {
		h = h.tagged('S', in.Source)
	}
	if in.Start != 0 || in.End != 0 {
		h = h.begin('t', 0)
		h = h.add(uint64(in.Start), uint64(in.End))
	}
	h = h.edges(in)
	h = h.sync(in)
	h = h.json('x', in.Extra)
	if in.Loop != nil {
		h = h.loop(in.Loop)
	}
	return h
}

func (h hasher) edges(in *Inst) hasher {
	for i := range in.Deps {
		h = h.tagged('d'|uint64(in.Deps[i].Kind)<<8, in.Deps[i].On.Name)
	}
	for i := range in.LoopDeps {
		h = h.tagged('D'|uint64(in.LoopDeps[i].Kind)<<8, in.LoopDeps[i].On.Name)
		h = h.ints(in.LoopDeps[i].Dist)
	}
	return h
}

func (h hasher) sync(in *Inst) hasher {
	for i := range in.Order {
		h = h.affine('o', &in.Order[i])
	}
	for i := range in.Pred {
		h = h.affine('p'|uint64(in.Pred[i].Cmp)<<8, &in.Pred[i].Expr)
	}
	for i := range in.Iter {
		h = h.affine('I', &in.Iter[i])
	}
	for _, s := range in.Wait {
		h = h.begin('w', 0)
		h = h.add(uint64(s.ID), uint64(s.Value))
	}
	for _, s := range in.Update {
		h = h.begin('u', 0)
		h = h.add(uint64(s.ID), uint64(s.Value))
	}
	return h
}

func (h hasher) loop(l *Loop) hasher {
	h = h.begin('l', int(flag(l.NoReorder, 0)|flag(l.Parallel, 1)|flag(l.Unroll, 2)))
	h = h.str(l.Axis)
	h = h.add(uint64(l.LB), uint64(l.UB))
	h = h.int(l.Stride)
	return h.blocks(l.Blocks)
}

func hashOperand(o *Operand) hasher {
	head := uint64(o.Kind) | uint64(o.DType)<<8
	switch o.Kind {
	case APOperand:
		h := seed.add(head|uint64(o.N)<<16|uint64(len(o.Off.Terms))<<24, uint64(o.Off.C))
		h = h.str(o.Loc.Name)
		h = h.pairs(o.Pairs())
		for i := range o.Off.Terms {
			h = h.term(&o.Off.Terms[i])
		}
		return h
	case RegOperand:
		return seed.int(int64(head)).str(o.Loc.Name)
	case ImmOperand:
		return seed.int(int64(head)).float(o.Imm)
	default:
		return seed.int(int64(o.Kind))
	}
}

// pairs takes in two pairs a multiplication.
func (h hasher) pairs(ps []Pair) hasher {
	for ; len(ps) > 1; ps = ps[2:] {
		h = h.add(ps[0].word(), ps[1].word())
	}
	if len(ps) > 0 {
		h = h.add(ps[0].word(), 0)
	}
	return h
}

func (p Pair) word() uint64 { return uint64(uint32(p.Step))<<32 | uint64(uint32(p.Num)) }

// affine takes in an expression: its kind and more in the low 16 bits of tag.
func (h hasher) affine(tag uint64, a *Affine) hasher {
	h = h.add(uint64(a.C), uint64(len(a.Terms))<<16|tag)
	for i := range a.Terms {
		h = h.term(&a.Terms[i])
	}
	return h
}

func (h hasher) term(t *Term) hasher {
	h = h.add(uint64(t.Kind), uint64(t.Coef))
	if t.Axis != nil {
		h = h.str(t.Axis.Axis)
	}
	if t.Sub != nil {
		h = h.affine(0, t.Sub)
	}
	if t.Kind != AxisTerm {
		h = h.int(t.N)
	}
	return h
}

func (h hasher) param(p *Param) hasher {
	s := p.ID.Spec()
	switch s.Kind {
	case FloatParam:
		h = h.int(int64(p.ID))
		h = h.float(p.F)
	case ListParam:
		h = h.int(int64(p.ID))
		h = h.ints(p.L)
	case PairsParam, ListsParam:
		h = h.begin(byte(p.ID), len(p.LL))
		for _, l := range p.LL {
			h = h.ints(l)
		}
	default:
		h = h.add(uint64(p.ID), uint64(p.I))
	}
	return h
}
