package ir

import "birfuzz/ir/num"

// Op is the index of an instruction's row in the op table.
type Op uint8

// Role says what an operand is to its instruction.
type Role uint8

// The roles. They are few and closed: what a role needs, every reader of the table must handle.
const (
	Data   Role = iota // memory, read or written element by element
	Scalar             // one column [P,1] of memory, or an immediate
	Table              // the rows that an index picks from: outermost pair = [row step, rows]
	Index              // int32 row numbers, one a lane
	Register
	RegOrImm
)

// MemSet is a set of places where an operand may live, one bit each.
type MemSet uint8

// The places of operands.
const (
	InSB MemSet = 1 << iota
	InPSUM
	InDRAM
	InReg
	OnChip   = InSB | InPSUM
	DMASides = InSB | InDRAM | InPSUM
)

// Holds tells whether a location of type t is in one of the places.
func (m MemSet) Holds(t MemType) bool {
	place := InDRAM
	if int(t) < len(places) {
		place = places[t]
	}
	return m&place != 0
}

// places are the places of memory types.
var places = [NumMemTypes]MemSet{Input: InDRAM, Output: InDRAM, DRAM: InDRAM, SB: InSB, PSUM: InPSUM, REG: InReg}

// DTypeSet is a set of element types, one bit each.
type DTypeSet uint32

// DTypesOf returns the set of the given types.
func DTypesOf(ds ...DType) DTypeSet {
	var s DTypeSet
	for _, d := range ds {
		s |= 1 << d
	}
	return s
}

// Has tells whether d is in the set.
func (s DTypeSet) Has(d DType) bool { return s>>d&1 != 0 }

// List returns the members in ascending order.
func (s DTypeSet) List() []DType {
	var out []DType
	for _, d := range num.DTypes() {
		if s.Has(d) {
			out = append(out, d)
		}
	}
	return out
}

// Dim is one letter of an operand's shape: a size shared by all operands of the instruction that use the letter.
type Dim byte

// The letters. A shape is two letters, lanes and elements a lane; DimAny is free, DimOne is 1, DimEight is 8.
const (
	DimAny   Dim = '*'
	DimOne   Dim = '1'
	DimTwo   Dim = '2'
	DimSix   Dim = '6'
	DimEight Dim = '8'
)

// OperandSpec describes one operand of a row.
type OperandSpec struct {
	Name   string
	Role   Role
	Mem    MemSet
	Shape  string   // two Dim letters, lanes then elements a lane ("PF", "P1", "KM"); "N" alone: only the number of elements counts
	Types  DTypeSet // legal element types
	Same   byte     // operands of one instruction with the same non-zero letter have one type
	Domain Domain   // values for which the result is defined
	Opt    bool     // may be absent (trailing inputs only)
}

// DomainKind says which values an operand may hold for the result to be defined.
type DomainKind uint8

// The domain kinds.
const (
	AnyValue   DomainKind = iota
	ZeroOne               // 0 or 1
	RowNumber             // −1 or a row of the instruction's table
	InRange               // Lo ≤ x ≤ Hi
	NonZero               // |x| in [Lo, Hi]
	ShiftCount            // 0 ≤ x < width of the type
)

// Domain is a set of values.
type Domain struct {
	Kind   DomainKind
	Lo, Hi float64
}

// WriteMode says what an instruction does to the bytes of its outputs.
type WriteMode uint8

// The write modes.
const (
	Overwrites WriteMode = iota // every byte of the access is written, nothing of it is read
	Keeps                       // some bytes may keep their value: the output is an input too
	Adds                        // adds to what stands there: the output is an input too
)

// Effect is what an instruction does beside writing its outputs.
type Effect uint8

// The effects.
const (
	Pure       Effect = iota // nothing: may be deleted when nobody reads its outputs
	Control                  // Loop
	FenceLocal               // EventSemaphore, AllEngineBarrier, Drain, GroupResetSemaphores: a fence of one core
	FenceCores               // CoreBarrier, collectives, Halt: publishes to, and lets news in from, the other cores
)

// Fence tells whether the effect is a fence (semantics §3).
func (e Effect) Fence() bool { return e >= FenceLocal }

// FlowKind says on which input elements an output element depends; the executor derives element origins and poison from it.
type FlowKind uint8

// The flow kinds. In all of them a Scalar operand counts by lane.
const (
	FlowNone   FlowKind = iota // constants only, or no data
	FlowMove                   // the row's Eval picks, bit by bit, where each output element comes from
	FlowElem                   // out[r,c] from in[r,c]
	FlowFold                   // out[r,j] from in[r, j·k … j·k+k−1], k = elements in / elements out
	FlowScan                   // out[r,c] from in[r, 0…c]
	FlowRow                    // out[r,·] from all of in[r,·]
	FlowMatmul                 // out[m,n] from moving[·,n] and stationary[·,m]
	FlowCores                  // collectives: between the cores
)

// Hidden is state of an engine that an instruction reads or writes beside its operands.
type Hidden uint8

// The hidden states of the dialect.
const (
	NoHidden    Hidden = iota
	Accumulator        // one float32 a lane, on Activation and on DVE
)

// HiddenUse says how a row uses hidden state.
type HiddenUse struct {
	State Hidden
	Reads bool // always; rows with an `acc` setting read as the setting says
}

// Spec is one row of the op table: everything there is to know about an instruction. Printer, parser, JSON, verifier, generator, shrinker,
// executor and dependence analysis loop over rows; nothing switches on opcodes.
type Spec struct {
	Op       Op
	Name     string  // in the text form, unique
	JSON     string  // bir.json opcode; rows may share one
	When     []Param // settings that tell rows of one JSON opcode apart; implied by the row, never stored in Inst.Params
	Doc      string
	Engines  [NumArch]EngineSet          // legal engines; Unassigned is always legal, ALL where listed
	Narrow   func(*Inst, Arch) EngineSet // engines that the settings leave of these; nil: all. Ask EnginesOf
	Outs     []OperandSpec
	Ins      []OperandSpec
	State    HiddenUse
	Params   []ParamID
	Writes   func(*Inst) WriteMode // nil: Overwrites
	Effect   Effect
	Resets   bool // a fence that sets every semaphore of its core to 0
	Ends     bool // a fence behind which the core runs nothing any more
	Flow     FlowKind
	Legal    func(*Inst, *Complain)         // rules beyond operands, engines and types; nil: none
	DomainOf func(in *Inst, arg int) Domain // value domain of an input where it depends on settings; nil: the operand's own
	Eval     func(*Eval)                    // nil: the executor does it all (synchronisation, control, collectives)
	Weight   int                            // how often a generator draws the row, relative
	Lanewise bool                           // an engine works by lanes: outermost pairs of SB and PSUM operands must agree with the start-partition rule
}

// WriteMode returns what in does to the bytes of its outputs.
func (s *Spec) WriteMode(in *Inst) WriteMode {
	if s.Writes == nil {
		return Overwrites
	}
	return s.Writes(in)
}

// In returns the description of the i-th input of an instruction of this row.
func (s *Spec) In(i int) *OperandSpec { return &s.Ins[i] }

// Domain returns the value domain of the i-th input of in.
func (s *Spec) Domain(in *Inst, i int) Domain {
	if s.DomainOf != nil {
		return s.DomainOf(in, i)
	}
	return s.Ins[i].Domain
}

// HasParam tells whether instructions of the row carry the setting.
func (s *Spec) HasParam(id ParamID) bool {
	for _, p := range s.Params {
		if p == id {
			return true
		}
	}
	return false
}

// ReadsAcc tells whether in reads its engine's accumulator.
func (in *Inst) ReadsAcc() bool {
	return in.Spec().State.Reads || in.Acc() == AccAccumulate
}

// WritesAcc tells whether in changes its engine's accumulator.
func (in *Inst) WritesAcc() bool { return in.Acc() != AccIdle }

// HasEffect tells whether in does anything beside writing its outputs: fences, control, accumulator commands and sync_info.
func (in *Inst) HasEffect() bool {
	return in.Spec().Effect != Pure || in.WritesAcc() || in.HasSync()
}
