package ir

import (
	"strconv"

	"birfuzz/ir/num"
)

// builder makes small programs by hand: one function, one block, until asked for more.
type builder struct {
	p *Program
	f *Func
	b *Block
	n int // instructions so far
}

func newBuilder() *builder {
	b := &builder{p: &Program{Version: 2, CoreID: NoCore}}
	b.core("sg0000")
	return b
}

// core starts another function.
func (b *builder) core(name string) {
	b.b = &Block{Name: "Block1"}
	b.f = &Func{Name: name, Blocks: []*Block{b.b}}
	b.p.Cores = append(b.p.Cores, b.f)
}

// loc declares a location of rows × cols elements in a set of its own.
func (b *builder) loc(name string, t MemType, d DType, rows, cols int64) *Loc {
	kinds := map[MemType]TensorKind{Input: ExternalInput, Output: ExternalOutput}
	s := &Set{Name: name + "_set", Kind: kinds[t], Class: "Tensor", DType: d, Shape: []int64{rows, cols}, PartDim: NoPartDim}
	l := &Loc{Name: name, Set: s, Type: t, Rows: rows, RowBytes: cols * int64(d.Size())}
	s.Locs = []*Loc{l}
	b.f.Sets = append(b.f.Sets, s)
	return l
}

// at places a location.
func (l *Loc) at(base, addr int64) *Loc {
	l.Allocated, l.Base, l.Addr = true, base, addr
	return l
}

// tileOf is an access of lanes × cols elements from a row and a column of the location.
func tileOf(l *Loc, row, col, lanes, cols int64) Operand {
	d := l.Set.DType
	pitch := l.RowBytes / int64(d.Size())
	return Operand{Kind: APOperand, DType: d, N: 2, Loc: l, Off: Konst(row*pitch + col),
		AP: [MaxPairs]Pair{{int32(pitch), int32(lanes)}, {1, int32(cols)}}}
}

// whole is the access of all of a location.
func whole(l *Loc) Operand {
	return tileOf(l, 0, 0, l.Rows, l.RowBytes/int64(l.Set.DType.Size()))
}

// pairsOf is an access with the given pairs from the location's first element.
func pairsOf(l *Loc, pairs ...Pair) Operand {
	o := Operand{Kind: APOperand, DType: l.Set.DType, Loc: l, N: uint8(len(pairs))}
	copy(o.AP[:], pairs)
	return o
}

func immOf(f float64) Operand { return Operand{Kind: ImmOperand, DType: num.Float32, Imm: f} }

func regOf(l *Loc) Operand { return Operand{Kind: RegOperand, DType: l.Set.DType, Loc: l} }

// add appends an instruction of the row of that name: outputs first, as many as the row has.
func (b *builder) add(row string, e Engine, args ...Operand) *Inst {
	spec, ok := OpNamed(row)
	if !ok {
		panic("no row " + row)
	}
	in := &Inst{Op: spec.Op, Engine: e, NOut: uint8(len(spec.Outs)), Args: args, Name: "I-" + strconv.Itoa(b.n)}
	b.n++
	b.b.Insts = append(b.b.Insts, in)
	return in
}

// loop opens a loop and returns it; what follows goes into its body until end is called with what was returned second.
func (b *builder) loop(axis string, lb, ub, stride int64) (l *Loop, outer *Block) {
	in := b.add("Loop", Unassigned)
	in.Loop = &Loop{Axis: axis, LB: lb, UB: ub, Stride: stride, Blocks: []*Block{{Name: "Body_" + axis}}}
	in.Name = "L-" + axis
	outer, b.b = b.b, in.Loop.Blocks[0]
	return in.Loop, outer
}

func (b *builder) end(outer *Block) { b.b = outer }

// with sets integers among the settings of an instruction.
func (in *Inst) with(id ParamID, v int64) *Inst { in.SetInt(id, v); return in }

func axisOff(l *Loop, coef, c int64) Affine {
	return Affine{C: c, Terms: []Term{{Coef: coef, Kind: AxisTerm, Axis: l}}}
}

func (b *builder) done() *Program { b.p.Number(); return b.p }
