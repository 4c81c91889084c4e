package fuzz

import (
	"maps"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// valueReductions make numbers in programs plainer: those of settings, of immediate operands, and the data of constants.
func valueReductions() []reduction {
	return []reduction{
		each("settings of 1", func(in *ir.Inst) bool {
			changed := false
			for i := range in.Params {
				p := &in.Params[i]
				if p.ID.Spec().Kind == ir.FloatParam && p.F != 0 && p.F != 1 {
					p.F, changed = 1, true
				}
			}
			return changed
		}),
		each("immediates of 0", func(in *ir.Inst) bool { return immediates(in, 0) }),
		each("immediates of 1", func(in *ir.Inst) bool { return immediates(in, 1) }),
		constants(0), constants(1),
	}
}

// immediates makes the immediate operands of an instruction v, but for those that are plainer.
func immediates(in *ir.Inst, v float64) bool {
	changed := false
	for i := range in.Args {
		if o := &in.Args[i]; o.Kind == ir.ImmOperand && o.Imm != 0 && o.Imm != v {
			o.Imm, changed = v, true
		}
	}
	return changed
}

// constants makes every element of constants v, but of those that are plainer. A place is the number of one, by name.
func constants(v float32) reduction {
	names := func(p *ir.Program) []string { return slices.Sorted(maps.Keys(p.Consts)) }
	return reduction{"constants", func(p *ir.Program) []int32 {
		var at []int32
		for i, name := range names(p) {
			if t := p.Consts[name]; !all(t, 0) && !all(t, v) {
				at = append(at, int32(i))
			}
		}
		return at
	}, func(p *ir.Program, at []int32) bool {
		sorted := names(p)
		p.Consts = maps.Clone(p.Consts) // a clone shares the map
		for _, i := range at {
			p.Consts[sorted[i]] = filled(p.Consts[sorted[i]], func(int) float32 { return v })
		}
		return true
	}}
}

// elems returns how many elements a tensor has.
func elems(t ir.Tensor) int {
	if size := t.DType.Size(); size > 0 {
		return len(t.Data) / size
	}
	return 0
}

// element returns the number that an element stands for.
func element(t ir.Tensor, i int) float32 {
	return num.Decode(t.DType, num.Load(t.Data[i*t.DType.Size():], t.DType))
}

// filled returns a tensor like t with other elements.
func filled(t ir.Tensor, value func(i int) float32) ir.Tensor {
	size := t.DType.Size()
	t.Data = slices.Clone(t.Data)
	for i := range elems(t) {
		num.Store(t.Data[i*size:], t.DType, num.Encode(t.DType, value(i)))
	}
	return t
}

// all tells whether every element of t is v.
func all(t ir.Tensor, v float32) bool {
	size, bits := t.DType.Size(), num.Encode(t.DType, v)
	for i := range elems(t) {
		if num.Load(t.Data[i*size:], t.DType) != bits {
			return false
		}
	}
	return true
}

// converted returns a tensor of the same numbers, cast to another type.
func converted(t ir.Tensor, to ir.DType) ir.Tensor {
	out := ir.Tensor{DType: to, Shape: t.Shape, Data: make([]byte, elems(t)*to.Size())}
	for i := range elems(t) {
		num.Store(out.Data[i*to.Size():], to, num.Encode(to, element(t, i)))
	}
	return out
}
