package ir

// EnginesOf returns the engines that may issue in on a generation: those of the row, less those that its settings exclude. Unassigned, which
// leaves the choice open, is never among them and legal as long as any engine is.
func (s *Spec) EnginesOf(in *Inst, a Arch) EngineSet {
	if s.Narrow == nil {
		return s.Engines[a]
	}
	return s.Engines[a] & s.Narrow(in, a)
}

// everyEngine is what a setting leaves that excludes no engine.
const everyEngine = ^EngineSet(0)

// aluEngines returns the engines that have an operator (nki-isa.md §1.2, §2.1): those on bits are Vector's alone, pow is GpSimd's, and
// nothing offers divide and mod on any engine but Vector.
func aluEngines(op AluOp) EngineSet {
	switch {
	case op.Bitwise() || op == AluDivide || op == AluMod:
		return Engines(DVE)
	case op == AluPow:
		return Engines(Pool)
	}
	return everyEngine
}

func tensorTensorEngines(in *Inst, _ Arch) EngineSet { return aluEngines(in.Alu(POp)) }

func reduceEngines(in *Inst, _ Arch) EngineSet {
	if !in.Alu(PReduceOp).Bitwise() {
		return everyEngine
	}
	return aluEngines(in.Alu(PReduceOp))
}

// poolChain are the operators that a chain may have on GpSimd: rsqrt by the page of tensor_scalar (nki-isa.md §3.10), add and multiply by the
// operator table (§2.1).
var poolChain = aluOps(AluBypass, AluAdd, AluMult, AluRsqrt)

// chainEngines is for op1(op0(x, s0), s1).
func chainEngines(in *Inst, a Arch) EngineSet {
	op0, op1 := in.Alu(POp0), in.Alu(POp1)
	set := aluEngines(op0) & aluEngines(op1)
	if !poolChain.has(op0) || !poolChain.has(op1) {
		set &^= Engines(Pool)
	}
	if !scalarChain(op0, op1, a) {
		set &^= Engines(Activation)
	}
	return set
}

// scalarChain tells whether the Scalar engine has a chain: on Gen3 mult and add, mult, or add; on CoreV4 it has tensor_scalar natively, and
// before Gen3 it has none (nki-isa.md §2.1, §3.10, §6).
func scalarChain(op0, op1 AluOp, a Arch) bool {
	switch {
	case a == Sunda:
		return false
	case a != Gen3:
		return true
	case op1 == AluBypass:
		return op0 == AluMult || op0 == AluAdd
	}
	return op0 == AluMult && op1 == AluAdd
}

// absoluteOps came with CoreV4 (nki-isa.md §2.1, §12).
var absoluteOps = aluOps(AluAbsMax, AluAbsMin)

// hasOps checks that the generation has the operators of an instruction.
func hasOps(in *Inst, c *Complain, ids ...ParamID) {
	for _, id := range ids {
		if op := in.Alu(id); absoluteOps.has(op) && c.Arch != CoreV4 {
			c.Addf(RuleArch, "an operator of "+c.Arch.String()+", as "+absoluteOps.String()+" are of "+CoreV4.String(), "%s %s", id.Spec().Key, op)
		}
	}
}

// noPower checks that a chain does not raise to a power, which takes two tensors (nki-isa.md §2.1).
func noPower(in *Inst, c *Complain) {
	for _, id := range [2]ParamID{POp0, POp1} {
		if in.Alu(id) == AluPow {
			c.Addf(RuleSetting, "another operator: pow takes two tensors", "%s %s", id.Spec().Key, AluPow)
		}
	}
}

// powerInSB checks that the operands of pow are not in PSUM, on whichever engine (nki-isa.md §3.9).
func powerInSB(in *Inst, c *Complain) {
	for i := range in.Args {
		if o := &in.Args[i]; o.IsAP() && o.Loc.Type == PSUM {
			c.Addf(RuleMemory, "SB for "+AluPow.String(), "PSUM in %s", in.argPosition(i))
		}
	}
}
