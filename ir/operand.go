package ir

// OperandKind is the form of an operand.
type OperandKind uint8

// The operand forms of bir.json: physical_ap and symbolic_ap are one form here (a symbolic one has terms in Off).
const (
	NoOperand OperandKind = iota
	APOperand             // memory
	ImmOperand
	RegOperand
)

// MaxPairs is the largest number of pairs of an access: the partition (outermost) one and up to four free ones.
const MaxPairs = 5

// Pair is one level of an access pattern, in elements of the access's dtype.
type Pair struct {
	Step int32
	Num  int32
}

// Operand is one operand of an instruction. For APOperand: N pairs, outermost first, starting Off elements into Loc.
// For RegOperand Loc is the register.
type Operand struct {
	Kind  OperandKind
	DType DType
	N     uint8
	Loc   *Loc
	Off   Affine
	AP    [MaxPairs]Pair
	Imm   float64 // ImmOperand: the value as written; f32 arithmetic rounds it once
}

// IsAP tells whether the operand is memory.
func (o *Operand) IsAP() bool { return o.Kind == APOperand }

// Pairs returns the access pattern, outermost pair first.
func (o *Operand) Pairs() []Pair { return o.AP[:o.N] }

// Symbolic tells whether the offset depends on a loop axis or on the core.
func (o *Operand) Symbolic() bool { return len(o.Off.Terms) > 0 }

// Lanes returns the number of partitions (outermost pair) that the access walks; 1 for anything but memory.
func (o *Operand) Lanes() int64 {
	if o.Kind != APOperand || o.N == 0 {
		return 1
	}
	return int64(o.AP[0].Num)
}

// Free returns the number of elements a lane.
func (o *Operand) Free() int64 {
	n := int64(1)
	for i := 1; i < int(o.N); i++ {
		n *= int64(o.AP[i].Num)
	}
	return n
}

// Count returns the number of elements of the access.
func (o *Operand) Count() int64 { return o.Lanes() * o.Free() }

// Pitch returns the elements of the access's dtype in one row of its location.
func (o *Operand) Pitch() int64 { return o.Loc.RowBytes / int64(o.DType.Size()) }

// Equal tells whether two operands are the same access, immediate or register.
func (o *Operand) Equal(p *Operand) bool {
	return o.Kind == p.Kind && o.DType == p.DType && o.N == p.N && o.Loc == p.Loc && o.AP == p.AP && sameFloat(o.Imm, p.Imm) && o.Off.Equal(p.Off)
}

func sameFloat(a, b float64) bool { return a == b || a != a && b != b }
