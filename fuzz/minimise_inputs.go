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
	s := plainer{best: w.inputs(p).Values, calls: inputCalls, still: func(v ir.Values) bool {
		return ctx.Err() == nil && w.stillOn(p, Input{w.from.Kind, v}) && ctx.Err() == nil
	}}
	names := slices.Sorted(maps.Keys(s.best))
	if !s.fill(names...) {
		for _, name := range names {
			if !s.fill(name) {
				s.clear(name)
			}
		}
	}
	w.from.Values = s.best
}

// plainer puts plain numbers in the place of others.
type plainer struct {
	best  ir.Values
	calls int // how many questions are left
	still func(ir.Values) bool
}

// try goes on with other values if the failure shows on them.
func (s *plainer) try(next ir.Values) bool {
	if s.calls == 0 {
		return false
	}
	s.calls--
	if !s.still(next) {
		return false
	}
	s.best = next
	return true
}

// fill makes whole tensors plain; it tells whether they are now.
func (s *plainer) fill(names ...string) bool {
	return slices.ContainsFunc(plainValues, func(value func(int) float32) bool {
		next, changed := maps.Clone(s.best), false
		for _, name := range names {
			next[name] = filled(s.best[name], value)
			changed = changed || !slices.Equal(next[name].Data, s.best[name].Data)
		}
		return !changed || s.try(next)
	})
}

// clear makes ever smaller runs of the elements of a tensor zero. One that may be, or is, is not cut further.
func (s *plainer) clear(name string) {
	size := s.best[name].DType.Size()
	type run struct{ lo, hi int } // elements
	runs := []run{{0, elems(s.best[name])}}
	for i := 0; i < len(runs) && s.calls > 0; i++ {
		lo, hi := runs[i].lo, runs[i].hi
		mid := (lo + hi + 1) / 2
		for _, half := range []run{{lo, mid}, {mid, hi}} {
			if half != runs[i] && !s.clearRun(name, half.lo*size, half.hi*size) {
				runs = append(runs, half)
			}
		}
	}
}

// clearRun makes some bytes of a tensor zero; it tells whether they are now.
func (s *plainer) clearRun(name string, lo, hi int) bool {
	t := s.best[name]
	if !slices.ContainsFunc(t.Data[lo:hi], func(b byte) bool { return b != 0 }) {
		return true
	}
	t.Data = slices.Clone(t.Data)
	clear(t.Data[lo:hi])
	next := maps.Clone(s.best)
	next[name] = t
	return s.try(next)
}

// plainValues are numbers to read, the plainest first, by element. The last differ from their neighbours, so that it shows if they change places.
var plainValues = []func(int) float32{
	func(int) float32 { return 0 },
	func(int) float32 { return 1 },
	func(i int) float32 { return float32(1 + i%7) },
}
