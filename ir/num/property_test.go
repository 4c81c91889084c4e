package num

import (
	"math"
	"testing"

	"github.com/leanovate/gopter"
	"github.com/leanovate/gopter/gen"
	"github.com/leanovate/gopter/prop"
)

// numbers generates float32s that are no NaN, with exponents spread evenly:
// over float32's whole range, and over the ranges of the narrow formats, where
// neighbours are likely to meet.
func numbers() gopter.Gen {
	anyBits := gen.UInt32().Map(math.Float32frombits).SuchThat(func(f float32) bool { return f == f })
	narrow := gen.Float64Range(-18, 18).Map(func(e float64) float32 { return float32(math.Exp2(e)) })
	negative := gen.Float64Range(-18, 18).Map(func(e float64) float32 { return float32(-math.Exp2(e)) })
	return gen.OneGenOf(anyBits, narrow, negative)
}

// cast is f seen through d. Overflow in Float8e4m3fn, a NaN, counts as the
// infinity on its side, so that the order stays total.
func cast(d DType, f float32) float32 {
	g := Decode(d, Encode(d, f))
	if isNaN(g) {
		return float32(math.Copysign(math.Inf(1), float64(f)))
	}
	return g
}

func TestCastProperties(t *testing.T) {
	parameters := gopter.DefaultTestParametersWithSeed(1)
	parameters.MinSuccessfulTests = 1000
	properties := gopter.NewProperties(parameters)
	for _, d := range DTypes() {
		properties.Property(d.String()+": casts keep the order", prop.ForAll(
			func(a, b float32) bool {
				return cast(d, min(a, b)) <= cast(d, max(a, b))
			}, numbers(), numbers()))
		properties.Property(d.String()+": a second cast changes nothing", prop.ForAll(
			func(f float32) bool {
				once := Encode(d, f)
				return Encode(d, Decode(d, once)) == once
			}, numbers()))
		properties.Property(d.String()+": the sign is apart", prop.ForAll(
			func(f float32) bool {
				return !d.IsFloat() || cast(d, -f) == -cast(d, f)
			}, numbers()))
	}
	properties.TestingRun(t)
}
