package fuzz

import (
	"context"
	"maps"
	"slices"

	"birfuzz/ir"
)

// inputsOf returns of some values those that p has a location for: one that kept its size and type keeps its data, one that became smaller keeps
// the first elements, one whose elements are of another type now holds the same numbers as far as that type does.
func inputsOf(p *ir.Program, from ir.Values) ir.Values {
	out := ir.Values{}
	for _, f := range p.Cores {
		for l := range f.Locs {
			v, ok := from[l.Name]
			if !ok {
				continue
			}
			if to := l.Set.DType; to != v.DType && to.Size() > 0 {
				v = converted(v, to)
				v.Shape = l.Set.Shape
			}
			if n := l.Bytes(); n < int64(len(v.Data)) {
				v.Data = v.Data[:n]
				v.Shape = l.Set.Shape
			}
			out[l.Name] = v
		}
	}
	return out
}

// inputCalls bounds the questions about inputs alone.
const inputCalls = 60

// plainInputs puts plain numbers in the place of the inputs of p, as long as the failure shows: zeros, ones or a few small numbers in all of them
// or in each; of what is left, zeros in as many elements as do.
func (w *shown) plainInputs(ctx context.Context, p *ir.Program) {
	best, calls := w.inputs(p).Values, inputCalls
	try := func(change func(name string, t ir.Tensor) ir.Tensor) bool {
		next, changed := maps.Clone(best), false
		for _, name := range slices.Sorted(maps.Keys(best)) {
			next[name] = change(name, best[name])
			changed = changed || !slices.Equal(next[name].Data, best[name].Data)
		}
		if !changed || calls == 0 || ctx.Err() != nil {
			return false
		}
		calls--
		if !w.stillOn(p, Input{w.from.Kind, next}) || ctx.Err() != nil {
			return false
		}
		best = next
		return true
	}
	everywhere := func(value func(int) float32) bool {
		return try(func(_ string, t ir.Tensor) ir.Tensor { return filled(t, value) })
	}
	if !slices.ContainsFunc(plainValues, everywhere) {
		for _, name := range slices.Sorted(maps.Keys(best)) {
			in := func(value func(int, float32) float32) bool { return try(only(name, value)) }
			plain := slices.ContainsFunc(plainValues, func(value func(int) float32) bool {
				return in(func(i int, _ float32) float32 { return value(i) })
			})
			if !plain {
				clearParts(elems(best[name]), in)
			}
		}
	}
	w.from.Values = best
}

// plainValues are numbers to read, the plainest first, by element. The last differ from their neighbours, so that it shows if they change places.
var plainValues = []func(int) float32{
	func(int) float32 { return 0 },
	func(int) float32 { return 1 },
	func(i int) float32 { return float32(1 + i%7) },
}

// only changes the elements of one tensor.
func only(name string, value func(i int, was float32) float32) func(string, ir.Tensor) ir.Tensor {
	return func(n string, t ir.Tensor) ir.Tensor {
		if n != name {
			return t
		}
		had := t
		return filled(t, func(i int) float32 { return value(i, element(had, i)) })
	}
}

// clearParts makes ever smaller runs of n elements zero, where try says that it may.
func clearParts(n int, try func(func(i int, was float32) float32) bool) {
	for size := (n + 1) / 2; size >= 1; size /= 2 {
		for lo := 0; lo < n; lo += size {
			try(func(i int, was float32) float32 {
				if lo <= i && i < lo+size {
					return 0
				}
				return was
			})
		}
	}
}
