package bircheck

import (
	"fmt"
	"strings"
	"testing"
)

// newer is code that is right or wrong by what engines and generations have.
var newer = map[string][]struct{ rule, right, wrong, want string }{
	"gen3": {
		{"engine", "I: i = TensorTensor i, i op=bitwise_and @DVE", "I: i = TensorTensor i, i op=bitwise_and @Pool", "want DVE"},
		{"engine", "I: i = TensorTensor i, i op=bitwise_and", "I: i = TensorScalar i op0=logical_shift_left const0=3 @Pool", "want DVE"},
		{"engine", "I: i = TensorScalarPtr i, 3 op0=arith_shift_right @DVE", "I: i = TensorScalarPtr i, 3 op0=arith_shift_right @Activation", "want DVE"},
		{"engine", "I: n = TensorReduce i op=bitwise_or @DVE", "I: n = TensorReduce i op=bitwise_or @Pool", "want DVE"},
		{"engine", "I: n = TensorReduce i op=max @Pool", "I: n = TensorReduce i op=bitwise_xor @Pool", "want DVE"},
		{"engine", "I: a = TensorTensor b, b op=pow @Pool", "I: a = TensorTensor b, b op=pow @DVE", "want Pool"},
		{"memory", "I: a = TensorTensor b, b op=pow", "I: a = TensorTensor b, p op=pow", "want SB"},
		{"setting", "I: a = TensorScalar b op0=add const0=2 @DVE", "I: a = TensorScalar b op0=pow const0=2 @Pool", "want one of"},
		{"setting", "I: a = ScalarTensorTensor b, c, b op0=add op1=mult @DVE", "I: a = ScalarTensorTensor b, c, b op0=add op1=pow @DVE", "want one of"},
		{"setting", "I: a = TensorTensorScan b, 0, b op0=mult op1=add @DVE", "I: a = TensorTensorScan b, 0, b op0=pow op1=add @DVE", "want one of"},
		{"engine", "I: a = TensorTensor b, b op=divide @DVE", "I: a = TensorTensor b, b op=divide @Pool", "want DVE"},
		{"engine", "I: a = TensorScalar b op0=divide const0=2 @DVE", "I: a = TensorScalar b op0=divide const0=2 @Pool", "want DVE"},
		{"engine", "I: a = TensorScalar b op0=rsqrt @Pool", "I: a = TensorScalar b op0=max const0=2 @Pool", "want one of bypass, add, mult, rsqrt"},
		{"engine", "I: a = TensorScalarPtr b, c op0=add @Pool", "I: a = TensorScalarPtr b, c op0=is_gt @Pool", "want one of"},
		{"engine", "I: a = TensorScalar b op0=mult const0=2 op1=add const1=1 @Activation", "I: a = TensorScalar b op0=add const0=2 op1=mult const1=1 @Activation", "want mult, add or mult or add"},
		{"engine", "I: a = TensorScalarPtr b, c op0=mult @Activation", "I: a = TensorScalarPtr b, c op0=subtract @Activation", "want mult, add or mult or add"},
		{"arch", "I: a = TensorTensor b, b op=max @DVE", "I: a = TensorTensor b, b op=abs_max @DVE", "want core_v4"},
		{"arch", "I: a = TensorScalarCacheCumulative b, 1 op0=max op1=add @DVE", "I: a = TensorScalarCacheCumulative b, 1 op0=abs_min op1=add @DVE", "want core_v4"},
		{"dtype", "I: i = CopyPredicated i[64x128, 1x64]:u32, i @DVE", "I: i = CopyPredicated i, i @DVE", "want one of uint8, uint16, uint32"},
		{"dtype", "I: a = RangeSelect b, c, c @DVE", "I: a = RangeSelect i, c, c @DVE", "want one of float32"},
		{"dtype", "I: g = RangeSelect b, c, c @DVE", "I: i = RangeSelect b, c, c @DVE", "want one of float32"},
		{"setting", "I: a = RangeSelect b, c, c compare_op1=is_lt @DVE", "I: a = RangeSelect b, c, c compare_op1=not_equal @DVE", "want one of is_equal"},
		{"dtype", "I: j = TensorScalarCacheCumulative j, 1 op0=add op1=max @DVE", "I: i = TensorScalarCacheCumulative j, 1 op0=add op1=max @DVE", "want one of float32"},
		{"dtype", "I: c = TensorScalarCacheReduce j, 1 op0=add op1=max @DVE", "I: c = TensorScalarCacheReduce i, 1 op0=add op1=max @DVE", "want one of float32"},
		{"dtype", "I: a = Activation b, c func=Exp @Activation", "I: a = Activation b, c[1x128, 1x1]:f32r func=Exp @Activation", "want one of float32"},
		{"shape", "I: h[:,0:512] = Matmult w, w[:,0:128] @PE", "I: h[:,0:513] = Matmult w[512x128, 0x513, 1x1], w[:,0:128] @PE", "want at most 512"},
	},
	"core_v4": {
		{"engine", "I: a = TensorScalar b op0=subtract const0=2 op1=mult const1=1 @Activation", "I: i = TensorScalar i op0=bitwise_and const0=2 @Activation", "want DVE"},
		{"dtype", "I: i = Exponential b @DVE", "I: k = Exponential e @DVE", "want one of float32"},
		{"dtype", "I: a = TensorTensor b, b op=abs_max @DVE\n  J: g[128x128, 1x128]:f8e5 = Memset @DVE\n  K: g[128x128, 1x128]:f8e4m3fn = Memset @DVE",
			"I: g[128x128, 1x128]:f8e4 = Memset @DVE\n  J: g[128x128, 1x128]:f8e4m3fn = Memset @DVE", "float8_e4m3fn in a module with float8e4"},
		{"shape", "I: m = Matmult w[512x128, 0x8192, 1x1], w[:,0:128] @PE", "I: m = Matmult w, w[:,0:128] @PE", "want 8192"},
	},
	"sunda": {
		{"arch", "I: a = Activation b, c func=Exp @Activation", "I: a = Activation b, 1 func=Exp @Activation", "want a column"},
		{"arch", "I: a = Activation b func=Reciprocal @Activation", "I: a = Activation b, c func=Reciprocal @Activation", "want none"},
		{"arch", "I: AllEngineBarrier @SP", "I: CoreBarrier cores=[0] @SP", "does not exist on sunda"},
		{"arch", "I: d[64x128, 1x64] = Save a @SP", "I: d[64x128, 1x64] = CollectiveCompute x op=add @SP", "does not exist on sunda"},
		{"engine", "I: a = TensorScalar b op0=mult const0=2 @DVE", "I: a = TensorScalar b op0=mult const0=2 @Activation", "want another engine"},
	},
}

// TestNewer: the rules of engines and generations both ways, and the first validator agrees.
func TestNewer(t *testing.T) {
	for arch, list := range newer {
		for _, s := range list {
			bothWays(t, arch, spoiled{s.rule, s.right, s.wrong}, s.want)
		}
	}
}

// TestManyAxes: an offset over more axes than can be tried is one complaint.
func TestManyAxes(t *testing.T) {
	nest := func(n int) string {
		var text, sum strings.Builder
		for i := range n {
			fmt.Fprintf(&text, "L%d: for u%d = 0..4 {\n", i, i)
			fmt.Fprintf(&sum, " + u%d", i)
		}
		return text.String() + "I: a[64x64, 1x1 at " + sum.String()[3:] + "] = Memset @DVE\n" + strings.Repeat("}\n", n)
	}
	if bad := judged(t, nest(11)); bad != nil {
		t.Errorf("11 axes: %v", bad)
	}
	bad := Check(onStage(t, "gen3", nest(15)))
	if len(bad) != 1 || bad[0].Rule != "expression" || !strings.Contains(bad[0].Text, "15 axes") {
		t.Errorf("15 axes: %v", bad)
	}
}
