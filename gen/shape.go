package gen

import (
	"slices"
	"strings"

	"birfuzz/ir"
)

// shape is what a row says of its letters and memories, worked out once for all drafts of it.
type shape struct {
	most      [32]int32          // by letter: limit, 0 none
	beside    [letterRoom]string // by letter: the letters that stand beside it
	registers bool               // an operand is, or may be, a register
	mems      []ir.MemSet        // where its operands may be, each set once
}

// letterRoom is room for all that may stand in a shape, from '*' to 'Z'.
const letterRoom = 'Z' - '*' + 1

// shapesOf are the shapes of the rows, by op.
var shapesOf = func() []shape {
	list := make([]shape, ir.NumOps())
	for s := range ir.Ops {
		list[s.Op].learn(s.Outs)
		list[s.Op].learn(s.Ins)
	}
	return list
}()

// learn takes in some operands of a row.
func (h *shape) learn(list []ir.OperandSpec) {
	for i := range list {
		s := &list[i]
		h.registers = h.registers || s.Role == ir.Register || s.Role == ir.RegOrImm
		if !slices.Contains(h.mems, s.Mem) {
			h.mems = append(h.mems, s.Mem)
		}
		if len(s.Shape) != 2 {
			continue
		}
		h.limit(s)
		if s.Shape[0] != s.Shape[1] {
			h.pair(s.Shape[0], s.Shape[1])
			h.pair(s.Shape[1], s.Shape[0])
		}
	}
}

// limit bounds letters by what holds them: 128 partitions, a bank of PSUM.
func (h *shape) limit(s *ir.OperandSpec) {
	if s.Role == ir.Table {
		return
	}
	h.most[s.Shape[0]&31] = ir.Partitions
	if k := s.Shape[1] & 31; s.Mem == ir.InPSUM && h.most[k] == 0 {
		h.most[k] = ir.PSUMBankBytes / 4
	}
}

func (h *shape) pair(letter, other byte) {
	if list := &h.beside[letter-'*']; strings.IndexByte(*list, other) < 0 {
		*list += string(other)
	}
}
