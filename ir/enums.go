package ir

import "birfuzz/ir/num"

// DType is the element type of a tensor or of one access (see ir/num).
type DType = num.DType

// Arch is a generation of the NeuronCore.
type Arch uint8

// The generations that bir.json names; Gen3 is the default of a module that names none.
const (
	Gen3   Arch = iota // Trn2, NeuronCore v3
	Sunda              // Trn1, NeuronCore v2
	CoreV4             // Trn3, NeuronCore v4
	NumArch
)

var archNames = names{"gen3", "sunda", "core_v4"}

// String returns the bir.json name.
func (a Arch) String() string { return archNames.of(int(a)) }

// Engine is the sequencer that issues an instruction.
type Engine uint8

// The engines of a core, in the order of walrus.md §2.2.
const (
	Unassigned Engine = iota
	Pool              // GpSimd
	Activation        // Scalar
	PE                // Tensor
	DMA
	DVE // Vector
	SP  // Sync
	ALL
	NumEngines
)

var engineNames = names{"Unassigned", "Pool", "Activation", "PE", "DMA", "DVE", "SP", "ALL"}

// String returns the bir.json name.
func (e Engine) String() string { return engineNames.of(int(e)) }

// EngineSet is a set of engines, one bit each.
type EngineSet uint8

// Engines returns the set of the given engines.
func Engines(list ...Engine) EngineSet {
	var s EngineSet
	for _, e := range list {
		s |= 1 << e
	}
	return s
}

// Has tells whether e is in the set.
func (s EngineSet) Has(e Engine) bool { return s>>e&1 != 0 }

// List returns the members in ascending order.
func (s EngineSet) List() []Engine {
	var out []Engine
	for e := Engine(0); e < NumEngines; e++ {
		if s.Has(e) {
			out = append(out, e)
		}
	}
	return out
}

// TensorKind says whose tensor a memory-location set is.
type TensorKind uint8

// The tensor kinds of bir.json.
const (
	Internal TensorKind = iota
	ExternalInput
	ExternalOutput
	Const
	Pointer
	InternalInterface
	NumTensorKinds
)

var tensorKindNames = names{"Internal", "ExternalInput", "ExternalOutput", "Const", "Pointer", "InternalInterface"}

// String returns the bir.json name.
func (k TensorKind) String() string { return tensorKindNames.of(int(k)) }

// AddrSpace says whether one core or all cores of the module see a DRAM tensor.
type AddrSpace uint8

// The address spaces of bir.json.
const (
	Local AddrSpace = iota
	Shared
	NumAddrSpaces
)

var addrSpaceNames = names{"Local", "Shared"}

// String returns the bir.json name.
func (s AddrSpace) String() string { return addrSpaceNames.of(int(s)) }

// MemType is where a memory location lives. Input and Output are DRAM that the host sees.
type MemType uint8

// The memory types of bir.json.
const (
	DRAM MemType = iota
	Input
	Output
	SB
	PSUM
	REG
	NumMemTypes
)

var memTypeNames = names{"DRAM", "Input", "Output", "SB", "PSUM", "REG"}

// String returns the bir.json name.
func (t MemType) String() string { return memTypeNames.of(int(t)) }

// IsDRAM tells whether locations of this type live in DRAM (DRAM, Input, Output).
func (t MemType) IsDRAM() bool { return t <= Output }

// OnChip tells whether locations of this type are rows of partitions (SB, PSUM).
func (t MemType) OnChip() bool { return t == SB || t == PSUM }

// Cmp is a comparison with zero or between two numbers.
type Cmp uint8

// The six comparisons; the names are those of the ALU operators.
const (
	IsEqual Cmp = iota
	NotEqual
	IsGT
	IsGE
	IsLT
	IsLE
	NumCmps
)

var cmpNames = names{"is_equal", "not_equal", "is_gt", "is_ge", "is_lt", "is_le"}

// String returns the bir.json name.
func (c Cmp) String() string { return cmpNames.of(int(c)) }

// Holds tells whether `v cmp 0`.
func (c Cmp) Holds(v int64) bool {
	return [...]bool{v == 0, v != 0, v > 0, v >= 0, v < 0, v <= 0}[c]
}

// EdgeKind is the strength of a dependence; of two edges to one target the larger kind stands (walrus.md §1.3).
type EdgeKind uint8

// The edge kinds, weakest first.
const (
	Ordered EdgeKind = iota + 1
	Anti
	OutputDep
	Flow
)

var edgeKindNames = names{"Invalid", "Ordered", "Anti", "Output", "Flow"}

// String returns the bir.json name.
func (k EdgeKind) String() string { return edgeKindNames.of(int(k)) }

// AliasKind says how two DRAM locations share storage.
type AliasKind uint8

// The alias kinds of bir.json.
const (
	MayAlias  AliasKind = 1
	MustAlias AliasKind = 3
)

// AccMode is what an instruction does to its engine's accumulator (`acc` of bir.json).
type AccMode uint8

// The accumulator commands.
const (
	AccIdle           AccMode = iota
	AccZero                   // acc ← 0
	AccAccumulate             // acc += row sum
	AccZeroAccumulate         // acc ← row sum
	NumAccModes
)

// names is the spelling table of an enumeration: index = value.
type names []string

func (n names) of(i int) string {
	if i >= 0 && i < len(n) {
		return n[i]
	}
	return "?"
}

// find returns the value spelled s, and whether there is one.
func (n names) find(s string) (int, bool) {
	for i, v := range n {
		if v == s {
			return i, true
		}
	}
	return 0, false
}

// ParseArch, and its siblings below, turn a bir.json name into its value.
func ParseArch(s string) (Arch, bool) { i, ok := archNames.find(s); return Arch(i), ok }

// ParseEngine returns the engine of that bir.json name.
func ParseEngine(s string) (Engine, bool) { i, ok := engineNames.find(s); return Engine(i), ok }

// ParseTensorKind returns the tensor kind of that bir.json name.
func ParseTensorKind(s string) (TensorKind, bool) {
	i, ok := tensorKindNames.find(s)
	return TensorKind(i), ok
}

// ParseAddrSpace returns the address space of that bir.json name.
func ParseAddrSpace(s string) (AddrSpace, bool) {
	i, ok := addrSpaceNames.find(s)
	return AddrSpace(i), ok
}

// ParseMemType returns the memory type of that bir.json name.
func ParseMemType(s string) (MemType, bool) { i, ok := memTypeNames.find(s); return MemType(i), ok }

// ParseCmp returns the comparison of that bir.json name.
func ParseCmp(s string) (Cmp, bool) { i, ok := cmpNames.find(s); return Cmp(i), ok }

// ParseEdgeKind returns the edge kind of that bir.json name.
func ParseEdgeKind(s string) (EdgeKind, bool) {
	i, ok := edgeKindNames.find(s)
	return EdgeKind(i), ok && i != 0
}
