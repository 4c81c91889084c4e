package gen_test

import (
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/ir/birtest"
)

// shape tells whether a program has the shape of a bug of the catalogue. Shapes ask what instructions read and write, and properties of rows.
type shape func(*ir.Program) bool

// shapes are those that testdata/catalogue.txt names.
var shapes = func() map[string]shape {
	all := map[string]shape{}
	for _, some := range [...]map[string]shape{valueShapes, moveShapes, loopShapes, sumShapes, coreShapes} {
		maps.Copy(all, some)
	}
	return all
}()

// TestCatalogue: for every entry of the catalogue of real compiler bugs there are features whose programs have the entry's shape.
func TestCatalogue(t *testing.T) {
	text, err := os.ReadFile("testdata/catalogue.txt")
	if err != nil {
		t.Fatal(err)
	}
	used, after := map[string]bool{}, map[string]int{} // by features and shape
	entries := 0
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, ";") {
			continue
		}
		w := strings.Split(strings.TrimSpace(line), "\t")
		if len(w) != 4 || shapes[w[2]] == nil {
			t.Errorf("want entry, features, shape and words: %s", line)
			continue
		}
		entries++
		used[w[2]] = true
		key := w[1] + " " + w[2]
		if after[key] == 0 && !(birtest.Quick() && entries%10 > 0) {
			after[key] = draws(t, w[1], shapes[w[2]])
		}
		if after[key] < 0 {
			t.Errorf("%s: none of %d programs with %s has the shape %s", w[0], mostDraws, w[1], w[2])
		}
		t.Logf("%-4s %-48s %-24s %5d", w[0], w[1], w[2], after[key])
	}
	for name := range shapes {
		if !used[name] {
			t.Errorf("no entry has the shape %s", name)
		}
	}
}

// mostDraws bounds how many programs are drawn for a shape.
const mostDraws = 3000

// draws returns how many programs with the features it takes until one has the shape; -1 if none of mostDraws has.
func draws(t *testing.T, features string, has shape) int {
	t.Helper()
	c := gen.Default()
	for name := range strings.SplitSeq(features, "+") {
		f := gen.Feature(0)
		for f < gen.NumFeatures && f.String() != name {
			f++
		}
		switch {
		case f < gen.NumFeatures:
			c.Features[f] = 1
		case name != "-":
			t.Fatalf("no feature %q", name)
		}
	}
	var m gen.Maker
	r := gen.New(1)
	for i := range mostDraws {
		if has(m.Program(r, &c)) {
			return i + 1
		}
	}
	return -1
}

// anyInst is the shape of a program with such an instruction.
func anyInst(right func(*ir.Inst) bool) shape { return symptom{inst: right}.in }

// anyOperand is the shape of a program with such an operand in memory.
func anyOperand(right func(in *ir.Inst, o *ir.Operand, out bool) bool) shape {
	return operand(right).in
}

// anyLoc is the shape of a program with such a location.
func anyLoc(right func(*ir.Loc) bool) shape { return location(right).in }

// anyLoop is the shape of a program with such a loop.
func anyLoop(right func(*ir.Loop) bool) shape {
	return anyInst(func(in *ir.Inst) bool { return in.Loop != nil && right(in.Loop) })
}

// anyBlock is the shape of a program with such instructions in a row.
func anyBlock(right func([]*ir.Inst) bool) shape {
	return func(p *ir.Program) bool {
		for _, f := range p.Cores {
			for b := range f.AllBlocks {
				if right(b.Insts) {
					return true
				}
			}
		}
		return false
	}
}

// pairIn tells whether two of the instructions, in this order, are right.
func pairIn(list []*ir.Inst, right func(a, b *ir.Inst) bool) bool {
	for i, a := range list {
		if slices.ContainsFunc(list[i+1:], func(b *ir.Inst) bool { return right(a, b) }) {
			return true
		}
	}
	return false
}

// tripleIn tells whether three of the instructions, in this order, are right, of which the first two are.
func tripleIn(list []*ir.Inst, two func(a, b *ir.Inst) bool, right func(a, b, c *ir.Inst) bool) bool {
	for i, a := range list {
		for j, b := range list[i+1:] {
			if two(a, b) && slices.ContainsFunc(list[i+j+2:], func(c *ir.Inst) bool { return right(a, b, c) }) {
				return true
			}
		}
	}
	return false
}

// anyPair is the shape of a program with two such instructions, in this order, in a block.
func anyPair(right func(a, b *ir.Inst) bool) shape {
	return anyBlock(func(list []*ir.Inst) bool { return pairIn(list, right) })
}

// anyTriple is the shape of a program with three such instructions, in this order, in a block.
func anyTriple(two func(a, b *ir.Inst) bool, right func(a, b, c *ir.Inst) bool) shape {
	return anyBlock(func(list []*ir.Inst) bool { return tripleIn(list, two, right) })
}

// directly returns the instructions of a loop's own blocks.
func directly(l *ir.Loop) []*ir.Inst {
	var list []*ir.Inst
	for _, b := range l.Blocks {
		list = append(list, b.Insts...)
	}
	return list
}

// hit tells whether operands of two lists share a byte.
func hit(list, other []ir.Operand) bool {
	return slices.ContainsFunc(list, func(o ir.Operand) bool {
		return o.Loc != nil && slices.ContainsFunc(other, func(q ir.Operand) bool { return q.Loc != nil && ir.Overlap(&o, &q) })
	})
}

// feeds tells whether b reads what a writes.
func feeds(a, b *ir.Inst) bool { return hit(a.Outs(), b.Ins()) }

// kills tells whether b overwrites what a writes or reads.
func kills(a, b *ir.Inst) bool { return hit(a.Args, b.Outs()) }

// moves tells whether the instruction moves one access in memory to another.
func moves(in *ir.Inst) bool {
	return in.Spec().Flow == ir.FlowMove && len(in.Args) == 2 && in.Args[0].IsAP() && in.Args[1].IsAP()
}

// loads tells whether the instruction moves from DRAM onto the chip.
func loads(in *ir.Inst) bool {
	return moves(in) && in.Args[1].Loc.Type.IsDRAM() && in.Args[0].Loc.Type.OnChip()
}

// overwritesItself tells whether the instruction's output is an access that it reads.
func overwritesItself(in *ir.Inst) bool {
	return in.NOut == 1 && in.Args[0].IsAP() && slices.ContainsFunc(in.Ins(), func(o ir.Operand) bool { return o.Equal(&in.Args[0]) })
}

// withLoc tells whether operands of a list name the location.
func withLoc(list []ir.Operand, l *ir.Loc) bool {
	return slices.ContainsFunc(list, func(o ir.Operand) bool { return o.Loc == l })
}

// member tells whether the instruction is a member of a sum.
func member(in *ir.Inst) bool { return in.Spec().Flow == ir.FlowMatmul }
