package ir

import (
	"strconv"

	"birfuzz/ir/num"
)

// matmulColumns is the largest number of columns of one matmul (nki-isa.md §3.1).
var matmulColumns = [NumArch]int64{Gen3: 512, Sunda: 512, CoreV4: 4096}

// matmul checks what a generation asks of a matmul that adds up (nki-isa.md §3.1, §6).
func (v *Verifier) matmul(in *Inst) {
	out := &in.Args[0]
	if n, most := out.Free(), matmulColumns[v.prog.Arch]; n > most {
		v.Addf(RuleShape, "at most "+strconv.FormatInt(most, 10), "%d columns out", n)
	}
	if v.prog.Arch < CoreV4 && out.DType != num.Float32 {
		v.Addf(RuleArch, "float32 out, narrower types from "+CoreV4.String()+" on", "%s", out.DType)
	}
}
