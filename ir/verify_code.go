package ir

import "strconv"

// code checks the blocks and instructions of the function.
func (v *Verifier) code() {
	v.names.reset(len(v.insts))
	for _, in := range v.insts {
		v.at.inst = in
		v.name("instruction", in.Name)
	}
	v.at.inst = nil
	v.blockNames()
	v.used = append(v.used[:0], make([]bool, v.usedLen())...)
	v.loops, v.meets = v.loops[:0], v.meets[:0]
	v.blocks(v.fn.Blocks)
	v.meetings()
	v.at = spot{arg: noArg}
}

func (v *Verifier) usedLen() int {
	if v.facts.Has(Placed) {
		return len(v.locs)
	}
	return 0
}

func (v *Verifier) blockNames() {
	n := 0
	for range v.fn.AllBlocks {
		n++
	}
	v.names.reset(n)
	for b := range v.fn.AllBlocks {
		v.at.block = b
		v.name("block", b.Name)
	}
	v.at.block = nil
}

func (v *Verifier) blocks(bs []*Block) {
	for _, b := range bs {
		v.at.block = b
		for _, in := range b.Insts {
			v.at.inst, v.at.arg = in, noArg
			v.inst(in)
			if in.Loop != nil {
				v.loops = append(v.loops, in.Loop)
				v.blocks(in.Loop.Blocks)
				v.loops = v.loops[:len(v.loops)-1]
				v.at.block = b
			}
		}
		v.at.inst = nil
	}
}

// inst checks one instruction. Its row's own rules assume operands and settings that are right by themselves, so they are asked last
// and only if nothing was wrong.
func (v *Verifier) inst(in *Inst) {
	if int(in.Op) >= len(opTable) {
		v.at.inst = nil // nothing of it can be named by a row
		v.Addf(RuleStructure, "a row of the op table", "instruction %s with op %d", printable(in.Name), in.Op)
		return
	}
	spec, before := in.Spec(), len(v.List)
	v.engine(in, spec)
	if (spec.Effect == Control) != (in.Loop != nil) {
		v.Addf(RuleStructure, "a loop on Loop instructions and on no other", "%s, loop %t", spec.Name, in.Loop != nil)
	}
	if in.Loop != nil {
		v.loop(in.Loop)
	}
	if len(in.Params) > 0 {
		v.settings(in, spec)
	}
	if v.operands(in, spec) && len(v.List) == before {
		v.together(in, spec)
	}
	if in.Deps != nil || in.LoopDeps != nil {
		v.edges(in)
	}
	if in.Order != nil || in.Pred != nil || in.Iter != nil {
		v.conditions(in)
	}
	if in.Wait != nil || in.Update != nil {
		v.sync(in)
	}
	v.text("queue", in.Queue)
	if in.Start < 0 || in.End < 0 {
		v.Addf(RuleStructure, "cycles from 0", "scheduled from %d to %d", in.Start, in.End)
	}
}

// together checks what the operands and settings of an instruction owe to each other.
func (v *Verifier) together(in *Inst, spec *Spec) {
	before := len(v.List)
	if spec.Narrow != nil {
		v.narrowed(in, spec)
	}
	if spec.Legal != nil {
		spec.Legal(in, &v.Complain)
	}
	if in.NOut > 0 && int(in.NOut) < len(in.Args) {
		v.inPlace(in, spec)
	}
	if spec.Flow == FlowMatmul {
		v.matmul(in)
	}
	if spec.Effect == FenceCores && len(v.List) == before {
		v.meets = append(v.meets, v.at)
	}
}

func (v *Verifier) engine(in *Inst, spec *Spec) {
	set := spec.Engines[v.prog.Arch]
	switch {
	case set.Has(in.Engine) && in.Engine != Unassigned:
	case set == 0:
		v.Addf(RuleArch, "an instruction of "+v.prog.Arch.String(), "%s", spec.Name)
	case in.Engine >= NumEngines || in.Engine != Unassigned:
		v.Addf(RuleEngine, engineList(set), "%s on %s", spec.Name, in.Engine)
	}
}

// narrowed checks that the engine has what the settings ask for. Where no engine has it, the row's own rules say why.
func (v *Verifier) narrowed(in *Inst, spec *Spec) {
	if set := spec.EnginesOf(in, v.prog.Arch); set != 0 && in.Engine != Unassigned && !set.Has(in.Engine) {
		v.Addf(RuleEngine, engineList(set), "%s of%s on %s", spec.Name, operatorList(in, spec), in.Engine)
	}
}

// operatorList names the operators of an instruction.
func operatorList(in *Inst, spec *Spec) string {
	text := ""
	for _, id := range [...]ParamID{POp, PReduceOp, POp0, POp1} {
		if spec.HasParam(id) {
			text += " " + in.Alu(id).String()
		}
	}
	return text
}

func engineList(set EngineSet) string {
	text := Unassigned.String()
	for _, e := range set.List() {
		text += " " + e.String()
	}
	return text
}

// Loop bounds and strides fit 32 bits, the width of the machine's registers; so trips and axis values never overflow.
const maxAxis = int64(1) << 31

// bounded tells whether the loop's numbers are fit to compute with.
func (l *Loop) bounded() bool {
	return l.LB >= -maxAxis && l.LB <= maxAxis && l.UB >= -maxAxis && l.UB <= maxAxis && l.Stride >= 1 && l.Stride <= maxAxis
}

func (v *Verifier) loop(l *Loop) {
	if !l.bounded() {
		v.Addf(RuleLoop, "bounds of 32 bits and a stride from 1", "from %d to %d by %d", l.LB, l.UB, l.Stride)
	}
	v.text("axis", l.Axis)
	if l.Axis == "" {
		v.Add(RuleName, "axis without a name", "a name")
	}
	for _, up := range v.loops {
		if up.Axis == l.Axis {
			v.Addf(RuleName, "another name than the loops around it", "a second axis %s", printable(l.Axis))
		}
	}
	if v.facts.Has(Unrolled) {
		v.Add(RuleFact, "a loop", "none: the program is Unrolled")
	}
}

// conditions checks order vectors, instances and predicates.
func (v *Verifier) conditions(in *Inst) {
	for i := range in.Order {
		v.span(&in.Order[i])
	}
	for i := range in.Iter {
		v.span(&in.Iter[i])
	}
	for i := range in.Pred {
		v.span(&in.Pred[i].Expr)
		if in.Pred[i].Cmp >= NumCmps {
			v.Addf(RulePredicate, "one of the six comparisons", "comparison %d", in.Pred[i].Cmp)
		}
	}
	if len(in.Pred) == 0 {
		return
	}
	if in.HasSync() {
		v.Add(RulePredicate, "predicates beside sync_info", "one of the two")
	}
	if v.facts.Has(Unrolled) {
		v.Add(RuleFact, "predicates", "none: the program is Unrolled")
	}
}

func (v *Verifier) sync(in *Inst) {
	most := int64(NumSemaphores)
	if v.facts.Has(Virtual) {
		most = MaxVirtual
	}
	for _, list := range [2][]Sem{in.Wait, in.Update} {
		for _, s := range list {
			if s.ID < 0 || s.ID >= most || s.Value < 0 || s.Value > MaxSemValue {
				v.Addf(RuleSync, "a semaphore below "+strconv.FormatInt(most, 10)+" and an unsigned 32-bit value", "semaphore %d, value %d", s.ID, s.Value)
			}
		}
	}
}

// placed checks the fact Placed, once a location.
func (v *Verifier) placed() {
	for i, used := range v.used {
		if l := v.locs[i]; used && l.Type.OnChip() && !l.Allocated {
			v.at.loc = l
			v.Add(RuleFact, "a location in use that is not allocated", "an allocated one: the program is Placed")
		}
	}
	v.at.loc = nil
}
