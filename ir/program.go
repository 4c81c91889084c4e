package ir

import "encoding/json"

// Program is one BIR module: the code of every core.
//
// Several functions are several cores, in core order. Names are the only cross references of the two file forms;
// in memory they are pointers, so a rename is one assignment.
type Program struct {
	Version int // schema version, 2
	Arch    Arch
	Facts   Facts // what holds of the whole program (x_birfuzz.facts)
	CoreID  int   // neuron_core_id of a one-function module; NoCore when absent
	Attrs   json.RawMessage
	Cores   []*Func
	Consts  Values          // data of Const locations carried by the module (x_birfuzz.const)
	Extra   json.RawMessage // unknown keys, one JSON object, kept for the writer
}

// NoCore is Program.CoreID of a module without neuron_core_id.
const NoCore = -1

// Func is the code and the storage of one logical core.
type Func struct {
	Name   string
	Attrs  []string // function attributes by name, in file order
	Sets   []*Set   // in declaration order
	Blocks []*Block
	Extra  json.RawMessage
}

// Block is a straight run of instructions; blocks of a function or loop run in list order (no branches in this dialect).
type Block struct {
	Name  string
	Insts []*Inst
	Extra json.RawMessage
}

// Set is a memory-location set: one logical tensor and its placed pieces.
type Set struct {
	Name    string
	Kind    TensorKind
	Class   string // tensor_class; "Tensor" by default
	Space   AddrSpace
	DType   DType
	Shape   []int64
	PartDim int // partition_dim; NoPartDim when absent
	Locs    []*Loc
	Extra   json.RawMessage
}

// NoPartDim is Set.PartDim of a set without partition_dim.
const NoPartDim = -1

// Loc is a memory location: one piece of storage.
//
// SB and PSUM: Rows partitions of RowBytes bytes each. DRAM: only the product counts. REG: a 32-bit scalar register (4 bytes).
// Addr, Base and Bank mean something only when Allocated: byte offset inside every partition (SB) or inside the bank (PSUM),
// byte address (DRAM); start partition; PSUM bank.
type Loc struct {
	Name      string
	Set       *Set
	Type      MemType
	Rows      int64
	RowBytes  int64
	Allocated bool
	Pinned    bool
	Addr      int64
	Base      int64
	Bank      int64
	Alias     []Alias
	// The vendor's keys that passes ask about.
	WrittenByAnotherCore, UserAllocated, RuntimeReserved bool
	RemoteLocalTarget                                    json.RawMessage
	Implicit                                             bool // a register that an operand names but nobody declared
	Extra                                                json.RawMessage

	ID int32 // dense within the program after Number
}

// Alias says that two DRAM locations share storage, byte 0 on byte 0.
type Alias struct {
	Loc  *Loc
	Kind AliasKind
}

// Inst is one occurrence of an instruction. Args holds the outputs first, then the inputs in the order of its row
// (index operands, `indirection_ins` of bir.json, stand last).
type Inst struct {
	Op       Op
	Engine   Engine
	NOut     uint8
	Name     string
	Queue    string
	Args     []Operand
	Params   []Param // settings that differ from the row's default, ascending by ID
	Order    []Affine
	Pred     []Predicate
	Deps     []Dep
	LoopDeps []LoopDep
	Wait     []Sem    // on_wait: semaphore ≥ value
	Update   []Sem    // on_update: semaphore += value
	Loop     *Loop    // of a Loop instruction only
	Start    int64    // scheduled_start, cycles
	End      int64    // scheduled_end, cycles
	Source   string   // the instruction that this one stands for, when it is not itself (x_birfuzz.source)
	Iter     []Affine // which instance of Source: the axis values of the loops around that, outermost first; nil: as around this one (x_birfuzz.iter)
	Extra    json.RawMessage

	ID int32 // dense within the program, in program order, after Number
}

// Loop is the body and the axis of a Loop instruction. The axis stands for its value LB, LB+Stride, … < UB, not for the trip number.
type Loop struct {
	Axis           string
	LB, UB, Stride int64
	NoReorder      bool
	Parallel       bool // isParallel
	Unroll         bool
	Blocks         []*Block

	ID int32 // dense within the program, in program order, after Number
}

// Trips returns ceil((UB−LB)/Stride), never negative.
func (l *Loop) Trips() int64 {
	if l.UB <= l.LB || l.Stride <= 0 {
		return 0
	}
	return (l.UB-l.LB-1)/l.Stride + 1
}

// Dep is an edge: the instruction that holds it waits for On.
type Dep struct {
	On   *Inst
	Kind EdgeKind
}

// LoopDep is a loop-carried edge: iteration i of the instruction that holds it waits for iteration i−Dist of On.
// Dist has one entry a common loop, outermost first.
type LoopDep struct {
	On   *Inst
	Kind EdgeKind
	Dist []int64
}

// Sem is one semaphore wait (≥ Value) or update (+ Value).
type Sem struct {
	ID    int64
	Value int64
}

// Predicate holds when `Expr Cmp 0`.
type Predicate struct {
	Expr Affine
	Cmp  Cmp
}

// Outs returns the output operands.
func (in *Inst) Outs() []Operand { return in.Args[:in.NOut] }

// Ins returns the input operands, index operands last.
func (in *Inst) Ins() []Operand { return in.Args[in.NOut:] }

// Spec returns the row of the op table.
func (in *Inst) Spec() *Spec { return in.Op.Spec() }

// HasSync tells whether the instruction carries sync_info.
func (in *Inst) HasSync() bool { return len(in.Wait)+len(in.Update) > 0 }

// Bytes returns the size of the location in bytes, over all rows.
func (l *Loc) Bytes() int64 { return l.Rows * l.RowBytes }

// Visible tells whether the host or another core can see the location: ExternalOutputs and Shared memory (semantics §3).
func (l *Loc) Visible() bool { return l.Set.Kind == ExternalOutput || l.Set.Space == Shared }

// Global tells whether functions that name the location mean one storage: Shared memory, external tensors and constants (semantics §1).
func (l *Loc) Global() bool {
	k := l.Set.Kind
	return l.Set.Space == Shared || k == ExternalInput || k == ExternalOutput || k == Const
}

// HasAttr tells whether the function carries the attribute.
func (f *Func) HasAttr(name string) bool {
	for _, a := range f.Attrs {
		if a == name {
			return true
		}
	}
	return false
}

// Locs yields every location of the function in declaration order.
func (f *Func) Locs(yield func(*Loc) bool) {
	for _, s := range f.Sets {
		for _, l := range s.Locs {
			if !yield(l) {
				return
			}
		}
	}
}

// Insts yields every instruction of the function in program order: a Loop instruction stands before its body.
func (f *Func) Insts(yield func(*Inst) bool) { walkBlocks(f.Blocks, yield) }

// Insts yields the body of the loop in program order, nested loops included.
func (l *Loop) Insts(yield func(*Inst) bool) { walkBlocks(l.Blocks, yield) }

func walkBlocks(bs []*Block, yield func(*Inst) bool) bool {
	for _, b := range bs {
		for _, in := range b.Insts {
			if !yield(in) || in.Loop != nil && !walkBlocks(in.Loop.Blocks, yield) {
				return false
			}
		}
	}
	return true
}

// AllBlocks yields every block of the function, loop bodies after the block that holds the loop begins.
func (f *Func) AllBlocks(yield func(*Block) bool) { allBlocks(f.Blocks, yield) }

func allBlocks(bs []*Block, yield func(*Block) bool) bool {
	for _, b := range bs {
		if !yield(b) {
			return false
		}
		for _, in := range b.Insts {
			if in.Loop != nil && !allBlocks(in.Loop.Blocks, yield) {
				return false
			}
		}
	}
	return true
}

// Insts yields every instruction of every core.
func (p *Program) Insts(yield func(*Inst) bool) {
	for _, f := range p.Cores {
		if !walkBlocks(f.Blocks, yield) {
			return
		}
	}
}

// NumInsts returns the number of instructions, loops and their bodies included.
func (p *Program) NumInsts() int {
	n := 0
	for range p.Insts {
		n++
	}
	return n
}

// Number gives every instruction, location and loop its dense ID and returns the first two counts. Whoever builds or edits a program calls it last;
// Parse, birjson.Read, Clone and Edit do.
func (p *Program) Number() (insts, locs int) {
	for _, f := range p.Cores {
		for l := range f.Locs {
			l.ID = int32(locs)
			locs++
		}
	}
	loops := int32(0)
	for in := range p.Insts {
		in.ID = int32(insts)
		insts++
		if in.Loop != nil {
			in.Loop.ID = loops
			loops++
		}
	}
	return insts, locs
}
