package ir

import "slices"

// ParamID names one setting of instructions. Two rows may spell different settings with one JSON key (`mode`, `op`, `func`).
type ParamID uint8

// The settings of bir-json.md, in the order in which an instruction lists them.
const (
	PMemsetMode ParamID = iota
	PCopyMode
	PCacheMode
	PTransposeOp
	PConstant
	PBase
	PPattern
	PChannelMultiplier
	POp
	PRegOp
	PReduceOp
	PScatterOp
	PCollectiveOp
	POp0
	PConst0
	PReverse0
	POp1
	PConst1
	PReverse1
	PIsScalarTensorTensor
	PIsTensorTensorScan
	PAxis
	PNegate
	PFunc
	PPoolFunc
	PScale
	PAcc
	PReduceCmd
	PStart
	PStop
	PIsTranspose
	PZeroRegion
	PReversePred
	PCompareOp
	PCompareOp0
	PCompareOp1
	PFillValue
	PMask
	PImmValue
	PBarrierID
	PCores
	PCollectiveKind
	PReplicaGroups
	PSrcTargetPairs
	PCanReadUninit
	NumParams
)

// ParamKind is the type of a setting.
type ParamKind uint8

// The setting types.
const (
	BoolParam  ParamKind = iota // Param.I is 0 or 1
	IntParam                    // Param.I
	FloatParam                  // Param.F; integers up to 2^53 are exact
	EnumParam                   // Param.I indexes ParamSpec.Names
	ListParam                   // Param.L
	PairsParam                  // Param.LL, each of two numbers
	ListsParam                  // Param.LL
)

// Param is one setting with its value.
type Param struct {
	ID ParamID
	I  int64
	F  float64
	L  []int64
	LL [][]int64
}

// ParamSpec describes a setting: its spelling, type, default and legal values.
type ParamSpec struct {
	Key      string   // bir.json key, and the name in the text form
	Aliases  []string // other keys that decode to it
	Kind     ParamKind
	Names    []string // EnumParam: the spellings, index = value
	Def      int64    // default of Bool, Int and Enum settings
	DefF     float64  // default of Float settings
	Min, Max int64    // legal values of IntParam and of the numbers of list settings; legal length of a ListParam is Len if not 0
	Len      int
}

var aluNames = names{
	"bypass", "add", "subtract", "mult", "divide", "max", "min", "average", "pow", "mod", "rsqrt", "abs", "abs_max", "abs_min",
	"logical_and", "logical_or", "logical_xor", "is_equal", "not_equal", "is_gt", "is_ge", "is_lt", "is_le",
	"bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor",
	"arith_shift_left", "arith_shift_right", "logical_shift_left", "logical_shift_right",
}

// AluOp is an ALU operator (AluOpType).
type AluOp uint8

// The operators of bir.json. Those from BitNot on work on raw bits of one integer width; the rest is float32 arithmetic.
const (
	AluBypass AluOp = iota
	AluAdd
	AluSubtract
	AluMult
	AluDivide
	AluMax
	AluMin
	AluAverage
	AluPow
	AluMod
	AluRsqrt
	AluAbs
	AluAbsMax
	AluAbsMin
	AluLogicalAnd
	AluLogicalOr
	AluLogicalXor
	AluIsEqual
	AluNotEqual
	AluIsGT
	AluIsGE
	AluIsLT
	AluIsLE
	AluBitNot
	AluBitAnd
	AluBitOr
	AluBitXor
	AluArithShiftLeft
	AluArithShiftRight
	AluLogicalShiftLeft
	AluLogicalShiftRight
	NumAluOps
)

// String returns the bir.json name.
func (o AluOp) String() string { return aluNames.of(int(o)) }

// Bitwise tells whether the operator works on raw bits of one integer width.
func (o AluOp) Bitwise() bool { return o >= AluBitNot && o < NumAluOps }

// Unary tells whether the operator ignores its second operand.
func (o AluOp) Unary() bool {
	return o == AluBypass || o == AluRsqrt || o == AluAbs || o == AluBitNot
}

// Logical tells whether the operator wants operands that are 0 or 1 (nki-isa.md §2.1).
func (o AluOp) Logical() bool { return o >= AluLogicalAnd && o <= AluLogicalXor }

// Compares tells whether the operator gives 0 or 1 by comparing.
func (o AluOp) Compares() bool { return o >= AluIsEqual && o <= AluIsLE }

// Shifts tells whether the second operand is a shift count.
func (o AluOp) Shifts() bool { return o >= AluArithShiftLeft && o < NumAluOps }

// ActFunc is a function of the Activation engine.
type ActFunc uint8

// The activation functions of nki-isa.md §2.2 that the dialect names.
const (
	FuncIdentity ActFunc = iota
	FuncCopy
	FuncRelu
	FuncSquare
	FuncAbs
	FuncSign
	FuncExp
	FuncLn
	FuncSqrt
	FuncRsqrt
	FuncReciprocal
	FuncSigmoid
	FuncTanh
	FuncGelu
	FuncGeluApprxTanh
	FuncSilu
	FuncErf
	FuncSoftplus
	FuncSin
	FuncArctan
	FuncMish
	FuncGeluApprxSigmoid
	NumActFuncs
)

var actNames = names{"Identity", "Copy", "Relu", "Square", "Abs", "Sign", "Exp", "Ln", "Sqrt", "Rsqrt", "Reciprocal", "Sigmoid", "Tanh",
	"Gelu", "Gelu_apprx_tanh", "Silu", "Erf", "Softplus", "Sin", "Arctan", "Mish", "Gelu_apprx_sigmoid"}

// String returns the bir.json name.
func (f ActFunc) String() string { return actNames.of(int(f)) }

// CollectiveKind is the communication pattern of a CollectiveCompute.
type CollectiveKind uint8

// The collectives of bir.json.
const (
	AllReduce CollectiveKind = iota
	AllGather
	ReduceScatter
	AllToAll
	SendRecv
	Permute
)

var accNames = names{"Idle", "Zero", "Accumulate", "ZeroAccumulate"}

var transposeOps = names{"None", "WZXY", "WXZY", "WYXZ", "ZWYX", "ZYWX", "ZYXW", "YXWZ", "YXZW", "YWZX", "XWZY", "XZYW", "XYZW", "XYWZ"}

// paramSpecs is the table of settings, indexed by ParamID.
var paramSpecs = [NumParams]ParamSpec{
	PMemsetMode:           {Key: "mode", Kind: EnumParam, Names: names{"Const"}},
	PCopyMode:             {Key: "mode", Kind: EnumParam, Names: names{"Copy", "Transpose"}},
	PCacheMode:            {Key: "mode", Kind: EnumParam, Names: names{"Reduce", "Cumulative"}},
	PTransposeOp:          {Key: "transpose_op", Kind: EnumParam, Names: transposeOps},
	PConstant:             {Key: "constant", Kind: IntParam, Min: -1 << 63, Max: 1<<63 - 1},
	PBase:                 {Key: "base", Kind: IntParam, Min: -1 << 31, Max: 1<<31 - 1},
	PPattern:              {Key: "pattern", Kind: PairsParam, Min: -1 << 31, Max: 1<<31 - 1},
	PChannelMultiplier:    {Key: "channel_multiplier", Kind: IntParam, Min: -1 << 31, Max: 1<<31 - 1},
	POp:                   {Key: "op", Kind: EnumParam, Names: aluNames},
	PRegOp:                {Key: "op", Kind: EnumParam, Names: aluNames, Def: int64(AluAdd)},
	PReduceOp:             {Key: "op", Kind: EnumParam, Names: aluNames, Def: int64(AluAdd)},
	PScatterOp:            {Key: "op", Kind: EnumParam, Names: aluNames, Def: int64(AluAdd)},
	PCollectiveOp:         {Key: "op", Kind: EnumParam, Names: aluNames, Def: int64(AluAdd)},
	POp0:                  {Key: "op0", Kind: EnumParam, Names: aluNames},
	PConst0:               {Key: "const0", Kind: FloatParam},
	PReverse0:             {Key: "reverse0", Kind: BoolParam},
	POp1:                  {Key: "op1", Kind: EnumParam, Names: aluNames},
	PConst1:               {Key: "const1", Kind: FloatParam},
	PReverse1:             {Key: "reverse1", Kind: BoolParam},
	PIsScalarTensorTensor: {Key: "is_scalar_tensor_tensor", Kind: BoolParam},
	PIsTensorTensorScan:   {Key: "is_tensor_tensor_scan", Kind: BoolParam},
	PAxis:                 {Key: "axis", Kind: EnumParam, Names: names{"X", "XY", "XYZ", "XYZW"}},
	PNegate:               {Key: "negate", Kind: BoolParam},
	PFunc:                 {Key: "func", Kind: EnumParam, Names: actNames},
	PPoolFunc:             {Key: "func", Kind: EnumParam, Names: names{"Max", "Avg"}},
	PScale:                {Key: "scale", Kind: FloatParam, DefF: 1},
	PAcc:                  {Key: "acc", Aliases: []string{"reduce_cmd", "accumulator_cmd"}, Kind: EnumParam, Names: accNames},
	PReduceCmd:            {Key: "reduce_cmd", Aliases: []string{"acc", "accumulator_cmd"}, Kind: EnumParam, Names: accNames},
	PStart:                {Key: "start_tensor_calc", Kind: BoolParam, Def: 1},
	PStop:                 {Key: "stop_tensor_calc", Kind: BoolParam, Def: 1},
	PIsTranspose:          {Key: "is_transpose", Kind: BoolParam},
	PZeroRegion:           {Key: "psum_zero_region", Kind: IntParam, Def: -1, Min: -1, Max: 3},
	PReversePred:          {Key: "reverse_pred", Kind: BoolParam},
	PCompareOp:            {Key: "compare_op", Kind: EnumParam, Names: cmpNames},
	PCompareOp0:           {Key: "compare_op0", Kind: EnumParam, Names: cmpNames},
	PCompareOp1:           {Key: "compare_op1", Kind: EnumParam, Names: cmpNames},
	PFillValue:            {Key: "fill_value", Kind: FloatParam},
	PMask:                 {Key: "mask", Kind: ListParam, Min: 0, Max: 255, Len: 32},
	PImmValue:             {Key: "imm_value", Kind: FloatParam},
	PBarrierID:            {Key: "id", Kind: IntParam, Min: 0, Max: 1<<31 - 1},
	PCores:                {Key: "cores", Kind: ListParam, Min: 0, Max: 1<<15 - 1},
	PCollectiveKind:       {Key: "kind", Kind: EnumParam, Names: names{"AllReduce", "AllGather", "ReduceScatter", "AllToAll", "SendRecv", "Permute"}},
	PReplicaGroups:        {Key: "replica_groups", Kind: ListsParam, Min: 0, Max: 1<<15 - 1},
	PSrcTargetPairs:       {Key: "src_target_pairs", Kind: PairsParam, Min: 0, Max: 1<<15 - 1},
	PCanReadUninit:        {Key: "can_read_uninit", Kind: BoolParam},
}

// Spec returns the description of the setting.
func (id ParamID) Spec() *ParamSpec { return &paramSpecs[id] }

// param returns the stored setting, nil where the default stands.
func (in *Inst) param(id ParamID) *Param {
	for i := range in.Params {
		if in.Params[i].ID == id {
			return &in.Params[i]
		}
	}
	return nil
}

// Int returns a Bool, Int or Enum setting, or its default.
func (in *Inst) Int(id ParamID) int64 {
	if p := in.param(id); p != nil {
		return p.I
	}
	return paramSpecs[id].Def
}

// Flag returns a Bool setting, or its default.
func (in *Inst) Flag(id ParamID) bool { return in.Int(id) != 0 }

// Alu returns an operator setting, or its default.
func (in *Inst) Alu(id ParamID) AluOp { return AluOp(in.Int(id)) }

// Float returns a Float setting as written, or its default; arithmetic rounds it to float32 once.
func (in *Inst) Float(id ParamID) float64 {
	if p := in.param(id); p != nil {
		return p.F
	}
	return paramSpecs[id].DefF
}

// List returns a List setting, nil by default.
func (in *Inst) List(id ParamID) []int64 {
	if p := in.param(id); p != nil {
		return p.L
	}
	return nil
}

// Lists returns a Pairs or Lists setting, nil by default.
func (in *Inst) Lists(id ParamID) [][]int64 {
	if p := in.param(id); p != nil {
		return p.LL
	}
	return nil
}

// SetParam stores a setting, keeping Params ascending by ID and free of defaults.
func (in *Inst) SetParam(p Param) {
	i := 0
	for i < len(in.Params) && in.Params[i].ID < p.ID {
		i++
	}
	has := i < len(in.Params) && in.Params[i].ID == p.ID
	switch def := p.isDefault(); {
	case has && def:
		in.Params = append(in.Params[:i:i], in.Params[i+1:]...)
	case has:
		in.Params[i] = p
	case !def:
		in.Params = slices.Concat(in.Params[:i], []Param{p}, in.Params[i:])
	}
}

// SetInt stores a Bool, Int or Enum setting.
func (in *Inst) SetInt(id ParamID, v int64) { in.SetParam(Param{ID: id, I: v}) }

// SetFloat stores a Float setting.
func (in *Inst) SetFloat(id ParamID, v float64) { in.SetParam(Param{ID: id, F: v}) }

func (p *Param) isDefault() bool {
	s := &paramSpecs[p.ID]
	switch s.Kind {
	case FloatParam:
		return p.F == s.DefF && (p.F != 0 || !negZero(p.F))
	case ListParam:
		return len(p.L) == 0
	case PairsParam, ListsParam:
		return len(p.LL) == 0
	default:
		return p.I == s.Def
	}
}

func negZero(f float64) bool { return f == 0 && 1/f < 0 }

// Acc returns what the instruction does to its engine's accumulator; Idle for rows without such a setting.
func (in *Inst) Acc() AccMode {
	for i := range in.Params {
		if id := in.Params[i].ID; id == PAcc || id == PReduceCmd {
			return AccMode(in.Params[i].I)
		}
	}
	return AccIdle
}
