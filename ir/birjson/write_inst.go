package birjson

import (
	"cmp"
	"math"
	"slices"

	"birfuzz/ir"
)

func (p *printer) inst(in *ir.Inst) {
	p.note = p.noteOf(in.Extra)
	p.open('{', p.instFields(in))
	loop := in.Loop
	if loop != nil {
		p.loop(loop)
	}
	if p.key("dependencies", len(in.Deps) > 0) {
		list(p, in.Deps, p.dep)
	}
	if p.key("engine", in.Engine != ir.Unassigned) {
		p.str(in.Engine.String())
	}
	ins, index := splitIns(in)
	p.operands("indirection_ins", index)
	p.operands("ins", ins)
	if loop != nil {
		p.flag("isParallel", loop.Parallel)
	}
	if p.key("loop_carried_dependencies", len(in.LoopDeps) > 0) {
		list(p, in.LoopDeps, p.loopDep)
	}
	p.key("name", true)
	p.str(in.Name)
	if loop != nil {
		p.flag("no_reorder", loop.NoReorder)
	}
	p.key("opcode", true)
	p.str(in.Spec().JSON)
	if p.key("order", len(in.Order) > 0) {
		list(p, in.Order, p.expr)
	}
	p.operands("outs", in.Outs())
	if p.key("predicates", len(in.Pred) > 0) {
		list(p, in.Pred, p.predicate)
	}
	if p.key("queue", in.Queue != "") {
		p.str(in.Queue)
	}
	p.number("scheduled_end", in.End)
	p.number("scheduled_start", in.Start)
	if p.keyOrNote("sync_info", in.HasSync()) {
		p.sync(in)
	}
	if loop != nil {
		p.flag("unroll", loop.Unroll)
	}
	if p.keyOrNote("x_birfuzz", in.Source != "" || len(in.Iter) > 0) {
		p.object()
		if p.key("iter", len(in.Iter) > 0) {
			list(p, in.Iter, p.expr)
		}
		if p.key("source", in.Source != "") {
			p.str(in.Source)
		}
		p.close()
	}
	p.close()
}

// instFields returns the settings that the instruction or its row gives, and the notes on it, by key. A setting outdoes a note of its name.
func (p *printer) instFields(in *ir.Inst) []field {
	notes := p.fields(p.note)
	row := in.Spec()
	if len(row.When)+len(in.Params) == 0 {
		return notes
	}
	out := make([]field, 0, len(row.When)+len(in.Params)+len(notes))
	for i := range row.When {
		if w := &row.When[i]; w.I != w.ID.Spec().Def {
			out = append(out, field{key: w.ID.Spec().Key, setting: w})
		}
	}
	for i := range in.Params {
		out = append(out, field{key: in.Params[i].ID.Spec().Key, setting: &in.Params[i]})
	}
	out = append(out, notes...)
	byKey := func(a, b field) int { return cmp.Compare(a.key, b.key) }
	slices.SortStableFunc(out, byKey)
	return slices.CompactFunc(out, func(a, b field) bool { return a.key == b.key })
}

// splitIns parts the inputs from the index operands, which have a list of their own in bir.json.
func splitIns(in *ir.Inst) (ins, index []ir.Operand) {
	ins = in.Ins()
	row := in.Spec()
	n := len(ins)
	for n > 0 && n <= len(row.Ins) && row.In(n-1).Role == ir.Index {
		n--
	}
	return ins[:n], ins[n:]
}

func (p *printer) setting(s *ir.Param) {
	spec := s.ID.Spec()
	switch spec.Kind {
	case ir.BoolParam:
		p.bool(s.I != 0)
	case ir.IntParam:
		if isBits(spec) {
			p.bits(uint64(s.I))
		} else {
			p.int(s.I)
		}
	case ir.FloatParam:
		p.float(s.F)
	case ir.EnumParam:
		p.str(spec.Names[s.I])
	case ir.ListParam:
		p.ints(s.L)
	default:
		inline(p, s.LL, p.ints)
	}
}

// loop prints what sorts first; the flags of a loop stand among the other keys. To instructions that are no loops these keys are unknown.
func (p *printer) loop(l *ir.Loop) {
	p.key("LoopAxis", true)
	p.axis(l)
	if p.key("blocks", len(l.Blocks) > 0) {
		list(p, l.Blocks, p.block)
	}
}

func (p *printer) axis(l *ir.Loop) {
	p.object()
	p.number("lb", l.LB)
	p.key("name", true)
	p.str(l.Axis)
	if p.key("stride", l.Stride != 1) {
		p.int(l.Stride)
	}
	p.number("ub", l.UB)
	p.close()
}

func (p *printer) dep(d ir.Dep) {
	if d.Kind == ir.Flow {
		p.str(d.On.Name)
		return
	}
	p.array()
	p.item()
	p.str(d.On.Name)
	p.item()
	p.str(d.Kind.String())
	p.close()
}

func (p *printer) loopDep(d ir.LoopDep) {
	p.array()
	p.item()
	p.str(d.On.Name)
	p.item()
	p.str(d.Kind.String())
	p.item()
	p.ints(d.Dist)
	p.close()
}

func (p *printer) predicate(c ir.Predicate) {
	p.object()
	p.key("cmp", true)
	p.str(c.Cmp.String())
	p.key("expr", true)
	p.expr(c.Expr)
	p.close()
}

func (p *printer) sync(in *ir.Inst) {
	p.object()
	p.semaphores("on_update", "update_value", in.Update)
	p.semaphores("on_wait", "wait_value", in.Wait)
	p.close()
}

func (p *printer) semaphores(key, valueKey string, list []ir.Sem) {
	if !p.key(key, len(list) > 0) {
		return
	}
	p.array()
	for _, s := range list {
		p.item()
		p.object()
		p.key("id", true)
		p.int(s.ID)
		p.number(valueKey, s.Value)
		p.close()
	}
	p.close()
}

func (p *printer) operands(key string, args []ir.Operand) {
	if !p.key(key, len(args) > 0) {
		return
	}
	p.array()
	for i := range args {
		p.item()
		p.operand(&args[i])
	}
	p.close()
}

func (p *printer) operand(o *ir.Operand) {
	memory, symbolic := o.IsAP(), o.IsAP() && o.Symbolic()
	p.object()
	if p.key("addrs", symbolic) {
		p.array()
		p.item()
		p.expr(o.Off)
		p.close()
	}
	if p.key("ap", memory) {
		inline(p, o.Pairs(), p.pair)
	}
	p.key("dtype", true)
	p.str(o.DType.String())
	p.key("kind", true)
	p.str(operandKind(o))
	if p.key("memref", memory && (!symbolic || len(o.Loc.Set.Locs) != 1)) {
		p.str(o.Loc.Name)
	}
	if p.key("memsetref", memory) {
		p.str(o.Loc.Set.Name)
	}
	if p.key("offset", memory && !symbolic && o.Off.C != 0) {
		p.int(o.Off.C)
	}
	if p.key("regref", o.Kind == ir.RegOperand) {
		p.str(o.Loc.Name)
	}
	if p.key("value", o.Kind == ir.ImmOperand) {
		p.immediate(o)
	}
	p.close()
}

// immediate prints a whole number of an integer type as an integer: readers elsewhere may refuse 3.0 there.
func (p *printer) immediate(o *ir.Operand) {
	const exact = 1 << 53
	if whole := math.Trunc(o.Imm) == o.Imm && math.Abs(o.Imm) <= exact; whole && o.DType.IsInt() && (o.Imm != 0 || !math.Signbit(o.Imm)) {
		p.int(int64(o.Imm))
		return
	}
	p.float(o.Imm)
}

func operandKind(o *ir.Operand) string {
	switch {
	case o.Kind == ir.RegOperand:
		return kindRegister
	case o.Kind == ir.ImmOperand:
		return kindImmediate
	case o.Symbolic():
		return kindSymbolic
	}
	return kindPhysical
}

func (p *printer) pair(a ir.Pair) { p.ints([]int64{int64(a.Step), int64(a.Num)}) }
