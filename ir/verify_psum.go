package ir

import (
	"strconv"

	"birfuzz/ir/num"
)

// matmulBytes is the largest number of bytes a lane that one matmul writes: a bank, or all of PSUM, be it float32 or bfloat16 (nki-isa.md §3.1).
var matmulBytes = [NumArch]int64{Gen3: PSUMBankBytes, Sunda: PSUMBankBytes, CoreV4: PSUMBanks * PSUMBankBytes}

// matmul checks what a generation asks of a matmul that adds up (nki-isa.md §3.1, §6).
func (v *Verifier) matmul(in *Inst) {
	out := &in.Args[0]
	if n, most := out.Free(), matmulBytes[v.prog.Arch]/int64(out.DType.Size()); n > most {
		v.Addf(RuleShape, "at most "+strconv.FormatInt(most, 10), "%d columns out", n)
	}
	if v.prog.Arch < CoreV4 && out.DType != num.Float32 {
		v.Addf(RuleArch, "float32 out, narrower types from "+CoreV4.String()+" on", "%s", out.DType)
	}
}
