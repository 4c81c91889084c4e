package gen

import (
	"birfuzz/ir"
	"birfuzz/ir/num"
)

// contents says where the values in a location come from. It is the abstract value of a forward data-flow analysis that follows moves.
// The generator runs it while it draws, Inputs over a finished program: the two agree because the code is one.
type contents struct {
	sources uint64    // inputs whose values may stand here, one bit each
	dtype   num.DType // type in which they stand; Invalid when not one
	pure    bool      // nothing but values of sources and constants in consts
	consts  values    // range of the constants; an empty range (lo > hi) when there are none
}

// noConsts is the empty range.
var noConsts = values{lo: 1, hi: 0, whole: true}

// maxSources is the number of inputs with a bit of their own; all further ones share the last.
const maxSources = 64

func sourceBit(i int) uint64 { return 1 << min(i, maxSources-1) }

// join returns what may stand in a location that holds a in some places and b in others.
func (a contents) join(b contents) contents {
	if a.dtype == num.Invalid && a.pure {
		return b
	}
	c := contents{sources: a.sources | b.sources, dtype: a.dtype, pure: a.pure && b.pure && a.dtype == b.dtype, consts: a.consts.cover(b.consts)}
	if a.dtype != b.dtype {
		c.dtype = num.Invalid
	}
	return c
}

// cover returns a range that holds both.
func (v values) cover(w values) values {
	switch {
	case v.lo > v.hi:
		return w
	case w.lo > w.hi:
		return v
	default:
		return values{lo: min(v.lo, w.lo), hi: max(v.hi, w.hi), away: min(v.away, w.away), whole: v.whole && w.whole}
	}
}

// nothing is the contents of a location that nobody wrote.
var nothing = contents{pure: true, consts: noConsts}

// flow is the state of the analysis: contents by storage.
type flow struct {
	at   []contents
	root []int32        // storage by Loc.ID: aliases, and global locations of one name, are one
	open map[int32]bool // storage of which it is open whether it is one: see alias
	deep int            // loops around the current instruction: inside, what an instruction writes is added to what stood there
	news bool           // set when a step changes anything
}

func (f *flow) of(l *ir.Loc) *contents { return &f.at[f.root[l.ID]] }

// step applies one instruction.
func (f *flow) step(in *ir.Inst) {
	c := f.result(in)
	for i := range in.Outs() {
		o := &in.Args[i]
		if o.Loc == nil {
			continue
		}
		c.dtype = o.DType
		at := f.of(o.Loc)
		if !f.replaces(in, o) {
			c = at.join(c)
		}
		f.news = f.news || *at != c
		*at = c
	}
}

// replaces tells whether the instruction leaves nothing of what stood in the storage of its output.
func (f *flow) replaces(in *ir.Inst, o *ir.Operand) bool {
	if len(in.Pred) > 0 || f.deep > 0 {
		return false
	}
	if o.Kind == ir.RegOperand {
		return true
	}
	if o.Symbolic() || in.Spec().WriteMode(in) != ir.Overwrites || o.Loc.Global() {
		return false
	}
	return !f.open[f.root[o.Loc.ID]] && o.Off.C == 0 && o.Count()*int64(o.DType.Size()) == o.Loc.Bytes() && len(o.Loc.Alias) == 0
}

// result returns the contents that an instruction's outputs take.
func (f *flow) result(in *ir.Inst) contents {
	s := in.Spec()
	c := contents{consts: noConsts}
	if s.Flow == ir.FlowNone {
		return constant(in)
	}
	if s.Flow != ir.FlowMove {
		return c
	}
	moved := 0
	for i := range in.Ins() {
		o := &in.Ins()[i]
		if o.Loc == nil || i < len(s.Ins) && s.Ins[i].Role == ir.Index {
			continue
		}
		from := *f.of(o.Loc)
		c.sources |= from.sources
		c.consts = c.consts.cover(from.consts)
		c.pure = from.pure && from.dtype == o.DType && o.Loc.Set.Space != ir.Shared // what other cores write is not followed
		moved++
	}
	o := &in.Args[0]
	if s.HasParam(ir.PFillValue) { // what is not moved becomes this number, as the output's type holds it
		fill := round(o.DType, in.Float(ir.PFillValue))
		c.consts = c.consts.cover(exactly(fill, fill))
	}
	c.pure = c.pure && moved == 1 && len(in.Ins()) == 1 && s.WriteMode(in) == ir.Overwrites && in.Ins()[0].DType == o.DType
	return c
}

// constant returns the contents of a location that an instruction without inputs fills: known where one setting gives the bits.
func constant(in *ir.Inst) contents {
	s := in.Spec()
	if len(in.Outs()) != 1 || s.State.State != ir.NoHidden || in.Args[0].DType.Size() == 0 {
		return contents{consts: noConsts}
	}
	d := in.Args[0].DType
	switch {
	case s.HasParam(ir.PConstant):
		x := float64(num.Decode(d, uint64(in.Int(ir.PConstant))))
		if x != x {
			break
		}
		return contents{dtype: d, pure: true, consts: exactly(x, x)}
	case s.HasParam(ir.PPattern):
		lo, hi := patternRange(in)
		if lo >= -exactInts && hi <= exactInts && round(d, lo) == lo && round(d, hi) == hi {
			return contents{dtype: d, pure: true, consts: exactly(lo, hi)}
		}
	}
	return contents{consts: noConsts}
}

// exactInts bounds integers that every step of a pattern represents: int32 sums do not wrap and float32 holds them.
const exactInts = 1 << 20

func exactly(lo, hi float64) values {
	v := values{lo: lo, hi: hi, whole: lo == float64(int64(lo)) && hi == float64(int64(hi))}
	if lo > 0 {
		v.away = lo
	} else if hi < 0 {
		v.away = -hi
	}
	return v
}

// patternRange returns bounds of base + row·channel_multiplier + Σ step·i.
func patternRange(in *ir.Inst) (lo, hi float64) {
	lo = float64(in.Int(ir.PBase))
	hi = lo
	add := func(step, n int64) {
		d := float64(step) * float64(n-1)
		lo, hi = lo+min(d, 0), hi+max(d, 0)
	}
	add(in.Int(ir.PChannelMultiplier), in.Args[0].Lanes())
	for _, p := range in.Lists(ir.PPattern) {
		add(p[0], p[1])
	}
	return lo, hi
}
