package oracle

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

// permuted: the same instructions, in the same blocks, in any order.
func (m *matched) permuted() string {
	if d := m.sameCount(); d != "" {
		return d
	}
	return m.each(func(p instPair) string {
		if !sameInst(p.a, p.b, p.a.Args, p.b.Args) {
			return "more than the order has changed"
		}
		return ""
	})
}

// unchanged: a permutation in which nothing has moved.
func (m *matched) unchanged() string {
	if d := m.permuted(); d != "" {
		return d
	}
	return m.deleted() // nothing is new or gone: only a move is left to find
}

// sameCount: no instruction came or went, and none changed its block.
func (m *matched) sameCount() string {
	if len(m.before.Cores) != len(m.after.Cores) {
		return "the number of functions has changed"
	}
	for i, f := range m.after.Cores {
		for in := range f.Insts {
			a := m.old[i][in.Name]
			if a == nil {
				return m.accuse(in, " is new")
			}
			if d := m.displaced(a, in); d != "" {
				return d
			}
		}
		for a := range m.before.Cores[i].Insts {
			if !m.left[i][a] {
				return m.accuse(a, " is gone")
			}
		}
	}
	return ""
}

// displaced says in which block an instruction stands, a before and b now, if it stood in another one; empty: it did not.
func (m *matched) displaced(a, b *ir.Inst) string {
	if m.blocks[0] == nil {
		m.blocks = [2][]string{blocksOf(m.before), blocksOf(m.after)}
	}
	if was, is := m.blocks[0][a.ID], m.blocks[1][b.ID]; was != is {
		return fmt.Sprintf("%s stands in block %s, was in %s", b.Name, is, was)
	}
	return ""
}

// blocksOf returns the name of the block of every instruction, by ID.
func blocksOf(p *ir.Program) []string {
	of := make([]string, p.NumInsts())
	for _, f := range p.Cores {
		for b := range f.AllBlocks {
			for _, in := range b.Insts {
				of[in.ID] = b.Name
			}
		}
	}
	return of
}

// deleted: what is left stands in its old order and does what it did, with reads of internal DRAM redirected at most; no fence and no effect is gone.
func (m *matched) deleted() string {
	for i, f := range m.after.Cores {
		last := int32(-1)
		for in := range f.Insts {
			a := m.old[m.core(i)][in.Name]
			if a == nil {
				return m.accuse(in, " is new")
			}
			if d := m.displaced(a, in); d != "" {
				return d
			}
			if a.ID < last {
				return m.accuse(in, " has moved")
			}
			last = a.ID
			if !sameInst(a, in, a.Outs(), in.Outs()) {
				return m.accuse(in, " is another instruction than before")
			}
			if !redirects(a, in) {
				return m.accuse(in, " reads something else than before")
			}
		}
	}
	for in := range m.before.Insts {
		if lasting(in) && !m.survives(in) {
			return m.accuse(in, ", which has an effect, is gone")
		}
	}
	return ""
}

// lasting tells whether an instruction may not be deleted: fences, accumulator commands and semaphores.
func lasting(in *ir.Inst) bool {
	return in.Spec().Effect.Fence() || in.WritesAcc() || in.HasSync()
}

// crossed: nothing has moved across a fence or an instruction without an order (bir-json.md, `order`).
func (m *matched) crossed() string {
	for i, f := range m.after.Cores {
		old, now := runsOf(m.before.Cores[m.core(i)]), runsOf(f)
		for b := range f.AllBlocks {
			for _, in := range b.Insts {
				if a, ok := old[in.Name]; ok && a != now[in.Name] {
					return m.accuse(in, " has moved across a fence or an instruction without order")
				}
			}
		}
	}
	return ""
}

// runOf is where an instruction stands: behind the n-th fence or unordered instruction of a block, whose name is given.
type runOf struct {
	n     int
	after string
}

func runsOf(f *ir.Func) map[string]runOf {
	of := map[string]runOf{}
	for b := range f.AllBlocks {
		r := runOf{}
		for _, in := range b.Insts {
			if in.Spec().Effect.Fence() || len(in.Order) == 0 {
				r = runOf{r.n + 1, in.Name}
			}
			of[in.Name] = r
		}
	}
	return of
}

// sameInst tells whether two instructions do the same to the given operands, locations and axes compared by name.
func sameInst(a, b *ir.Inst, x, y []ir.Operand) bool {
	return a.Op == b.Op && slices.EqualFunc(a.Params, b.Params, ir.SameParam) && slices.EqualFunc(x, y, ir.SameOperand)
}
