package gen

import "birfuzz/ir"

// InputKind says what numbers inputs hold (semantics §7).
type InputKind uint8

// The kinds.
const (
	Exact    InputKind = iota // small integers and dyadic fractions: short sums and products are exact
	Ordinary                  // any numbers of moderate size
	Edge                      // ±0, the largest and smallest numbers, infinities, where every value is allowed; else ends of the allowed range
	NumInputKinds
)

// Inputs draws data for every ExternalInput and Const location that carries none, in values for which every instruction that reads them, or
// reads what was only moved from them, is defined (Domains). What is drawn for a location depends on r's seed, the location's name and p alone.
func Inputs(r *Rand, p *ir.Program, k InputKind) ir.Values { return NeedsOf(p).Inputs(r, k) }

// Inputs draws data for the locations, as the function Inputs does: programs that get several sets need one analysis.
func (n Needs) Inputs(r *Rand, k InputKind) ir.Values {
	base := r.split()
	out := make(ir.Values, len(n.list))
	for _, in := range n.list {
		f := base.fork(in.loc.Name)
		out[in.loc.Name] = tensor(&f, in.loc, make([]byte, in.loc.Bytes()), in.may, k)
	}
	return out
}

// tensor draws the data of one location into memory for that.
func tensor(r *Rand, l *ir.Loc, data []byte, may values, k InputKind) ir.Tensor {
	t := l.Set.DType
	size := int64(t.Size())
	n := l.Bytes() / size
	out := ir.Tensor{DType: t, Shape: l.Set.Shape, Data: data}
	if elements(l.Set.Shape) != n {
		out.Shape = []int64{n}
	}
	pick := sampler{r: r, dtype: t, may: may, kind: k}
	pick.prepare()
	pick.fill(out.Data)
	return out
}

func elements(shape []int64) int64 {
	n := int64(1)
	for _, d := range shape {
		n *= d
	}
	return n
}
