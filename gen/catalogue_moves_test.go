package gen_test

import (
	"birfuzz/gen"
	"birfuzz/ir"
)

const partial = gen.Partial

// moveShapes are about copies and transfers.
var moveShapes = map[string]shape{
	"shifted-copy": anyInst(func(in *ir.Inst) bool {
		return moves(in) && in.Args[0].Loc == in.Args[1].Loc && in.Args[0].Off.C != in.Args[1].Off.C
	}),
	"odd-byte": anyOperand(func(in *ir.Inst, o *ir.Operand, _ bool) bool {
		return moves(in) && !o.Symbolic() && o.DType.Size() < 4 && o.Off.C*int64(o.DType.Size())%4 != 0
	}),
	"write-between-loads": anyTriple(func(a, w *ir.Inst) bool { return moves(a) && len(w.Outs()) > 0 && w.Args[0].Loc == a.Args[1].Loc },
		func(a, w, b *ir.Inst) bool { return moves(b) && b.Args[1].Loc == a.Args[1].Loc && feeds(w, b) }),
	"mergeable": anyOperand(func(_ *ir.Inst, o *ir.Operand, _ bool) bool {
		for i := 1; i+1 < int(o.N); i++ {
			if in := o.AP[i+1]; in.Num > 1 && o.AP[i].Num > 1 && o.AP[i].Step == in.Step*in.Num {
				return true
			}
		}
		return false
	}),
	"copy-clobber-copy": anyTriple(func(a, w *ir.Inst) bool { return moves(a) && kills(a, w) },
		func(a, _, b *ir.Inst) bool {
			return moves(b) && b.Args[0].Loc == a.Args[0].Loc && b.Args[1].Loc == a.Args[1].Loc
		}),
	"halves": anyPair(func(a, b *ir.Inst) bool {
		return moves(a) && moves(b) && a.Args[0].Loc == b.Args[0].Loc && a.Args[1].Loc != b.Args[1].Loc && b.Args[0].Off.C < a.Args[0].Off.C && !hit(a.Outs(), b.Outs())
	}),
	"strided-transfer": anyOperand(func(in *ir.Inst, o *ir.Operand, _ bool) bool { return moves(in) && gaps(o) }),
	"strided-offset":   anyOperand(func(in *ir.Inst, o *ir.Operand, _ bool) bool { return moves(in) && gaps(o) && o.Off.C > 0 }),
	"copy-of-copy": anyTriple(func(a, b *ir.Inst) bool { return moves(a) && moves(b) && feeds(a, b) },
		func(a, _, w *ir.Inst) bool { return hit(a.Outs(), w.Outs()) }),
	"transposes": anyInst(func(in *ir.Inst) bool {
		s := in.Spec()
		return s.Flow == ir.FlowMove && (s.HasParam(ir.PTransposeOp) && in.Int(ir.PTransposeOp) != 0 || s.HasParam(ir.PMask))
	}),
	"same-queue": anyPair(func(a, b *ir.Inst) bool { return moves(a) && a.Queue != "" && a.Queue == b.Queue && feeds(a, b) }),
}
