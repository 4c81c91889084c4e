package ir

import (
	"math"
	"math/bits"
	"slices"
	"strings"

	"birfuzz/ir/num"
)

// The words of the text form; index = value, "?" what no program should hold. Printer and parser share them, and the defaults below, so that each is the other's inverse.
var (
	dtypeWords = names{"?", "f32", "f32r", "bf16", "f16", "f8e3", "f8e4", "f8e5", "f8e4m3fn", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}
	kindWords  = names{"internal", "input", "output", "const", "pointer", "interface"}
	memWords   = names{"dram", "input", "output", "sb", "psum", "reg"}
	cmpWords   = names{"==", "!=", ">", ">=", "<", "<="}
	edgeWords  = names{"?", "ordered", "anti", "output", "flow"}
	boolWords  = names{"false", "true"}
	aliasWords = names{"?", "may", "?", "must"}
)

// reserved are the words that a name shares its place with; as names they are quoted.
var reserved = []string{"for", "nan", "inf", "_"}

const (
	defaultVersion = 2
	defaultClass   = "Tensor"
	defaultBlock   = "Block1"
)

// defaultMem is the memory of a location whose declaration names none.
func defaultMem(k TensorKind) MemType {
	switch k {
	case ExternalInput:
		return Input
	case ExternalOutput:
		return Output
	default:
		return DRAM
	}
}

// defaultPartDim is the partition_dim of a set that gives none: only the tensors of the host have none.
func defaultPartDim(k TensorKind) int {
	if k == ExternalInput || k == ExternalOutput {
		return NoPartDim
	}
	return 0
}

// bodyName is the name of a loop's first block when the text gives none: Body0 of loop L0.
func bodyName(loop string) string { return "Body" + strings.TrimPrefix(loop, "L") }

// newRegister returns a set that holds one register; without a type it is a 32-bit integer.
func newRegister(name string) *Set {
	s := &Set{Name: name + "_set", Class: defaultClass, DType: num.Int32, Shape: []int64{1}}
	s.Locs = []*Loc{{Name: name, Set: s, Type: REG, Rows: 1, RowBytes: 4}}
	return s
}

// registerDType is the type of an operand that names the register and no type. One that nobody declared has none of its own.
func (l *Loc) registerDType() DType {
	if l.Implicit {
		return num.Int32
	}
	return l.Set.DType
}

// isRegister tells whether s has the type of newRegister.
func (s *Set) isRegister() bool {
	return s.DType == num.Int32 && slices.Equal(s.Shape, []int64{1})
}

// implicit tells whether nobody declared the set: an operand's register.
func (s *Set) implicit() bool { return len(s.Locs) == 1 && s.Locs[0].Implicit }

// naturalDims returns the dims of a location that holds all of a set: on chip the first dimension is the partitions and the rest one row;
// in DRAM the last dimension is one row. It reports false where a product overflows.
func naturalDims(t MemType, shape []int64, d DType) (rows, rowBytes int64, ok bool) {
	cut := max(len(shape)-1, 0)
	if !t.IsDRAM() {
		cut = min(len(shape), 1)
	}
	rows, ok1 := product(1, shape[:cut])
	rowBytes, ok2 := product(int64(d.Size()), shape[cut:])
	return rows, rowBytes, ok1 && ok2
}

// product multiplies non-negative numbers and reports overflow.
func product(n int64, by []int64) (int64, bool) {
	for _, b := range by {
		hi, lo := bits.Mul64(uint64(n), uint64(b))
		if n < 0 || b < 0 || hi != 0 || lo > math.MaxInt64 {
			return 0, false
		}
		n = int64(lo)
	}
	return n, true
}

// naturalPairs returns the access to all of l row by row, and whether l can be walked so in elements of d.
func naturalPairs(l *Loc, d DType) ([2]Pair, bool) {
	size := int64(d.Size())
	if size == 0 || l.RowBytes%size != 0 {
		return [2]Pair{}, false
	}
	pitch := l.RowBytes / size
	if pitch < 1 || pitch > math.MaxInt32 || l.Rows < 1 || l.Rows > math.MaxInt32 {
		return [2]Pair{}, false
	}
	return [2]Pair{{int32(pitch), int32(l.Rows)}, {1, int32(pitch)}}, true
}

// immDType is the type of an immediate that names none: float32 where the row allows it, else the row's first.
func immDType(o *OperandSpec) DType {
	if o == nil || o.Types == 0 || o.Types.Has(num.Float32) {
		return num.Float32
	}
	return o.Types.List()[0]
}

// argSpec returns the row's description of argument i of an instruction with nOut outputs, nil where it has none.
func (s *Spec) argSpec(i, nOut int) *OperandSpec {
	switch {
	case i < nOut && i < len(s.Outs):
		return &s.Outs[i]
	case i >= nOut && i-nOut < len(s.Ins):
		return &s.Ins[i-nOut]
	default:
		return nil
	}
}

// loopSpec returns the row of loops.
func loopSpec() *Spec {
	i := slices.IndexFunc(opTable, func(s Spec) bool { return s.Effect == Control })
	return &opTable[i]
}
