package ir

import (
	"math/bits"
	"strconv"
)

// maxElems bounds the elements of one access, so that counts multiply without overflow [ours].
const maxElems = int64(1) << 31

// access checks the geometry of a memory operand: its pairs, its place in its location, and what the engine's lanes ask of it.
func (v *Verifier) access(spec *Spec, s *OperandSpec, o *Operand, out bool) bool {
	if o.N < 2 || o.N > MaxPairs {
		v.Addf(RulePattern, "2 to 5: lanes, then up to 4 of elements", "%d pairs", o.N)
		return false
	}
	reach, ok := v.pairs(o, out)
	if !ok {
		return false
	}
	l := o.Loc
	shift := bits.TrailingZeros8(uint8(o.DType.Size())) & 3
	if l.Allocated && l.Addr&(1<<shift-1) != 0 {
		v.Addf(RuleAlignment, "an address that "+o.DType.String()+" divides", "%s at byte %d", printable(l.Name), l.Addr)
	}
	if !l.Type.OnChip() {
		return v.flat(o, reach, l.Bytes()>>shift)
	}
	if l.RowBytes&(1<<shift-1) != 0 {
		v.Addf(RuleAlignment, "rows of whole elements of "+o.DType.String(), "rows of %d bytes", l.RowBytes)
		return false
	}
	g := grid{loc: l, pitch: l.RowBytes >> shift, lanes: 1, reach: reach, shift: uint8(shift), lanewise: spec.Lanewise,
		oneBank: s.Mem == InPSUM && v.prog.Arch < CoreV4}
	return v.rows(o, &g, out)
}

// pairs checks the pairs of an access by themselves, leaves the elements a lane in v.free, and returns how far, in elements, the pairs reach
// that move inside the storage: all of them in DRAM, those of a row on chip. An output may not meet an element twice.
func (v *Verifier) pairs(o *Operand, out bool) (reach int64, ok bool) {
	free, nested := int64(1), true
	for i := int(o.N) - 1; i > 0; i-- {
		step, n := int64(o.AP[i].Step), int64(o.AP[i].Num)
		nested = nested && (step > reach || n == 1)
		free *= n
		reach += step * (n - 1) // no overflow: reach was at most 2^52, a product is below 2^62
		if n < 1 || step < 0 || free > maxElems || reach > maxExpr {
			return 0, v.badPair(o, i)
		}
	}
	v.free = free
	step, n := int64(o.AP[0].Step), int64(o.AP[0].Num)
	nested = nested && (step > reach || n == 1)
	if !o.Loc.Type.OnChip() {
		reach += step * (n - 1)
	}
	if n < 1 || step < 0 || free*n > maxElems || reach > maxExpr {
		return 0, v.badPair(o, 0)
	}
	if out && !nested && o.repeats() {
		v.Add(RuleWrite, "an output that meets an element twice", "each once")
		return 0, false
	}
	return reach, true
}

// badPair says what is wrong with a pair, or with those from it inwards.
func (v *Verifier) badPair(o *Operand, i int) bool {
	if p := o.AP[i]; p.Num < 1 || p.Step < 0 {
		v.Addf(RulePattern, "counts from 1 and steps from 0", "pair %d is [%d,%d]", i, p.Step, p.Num)
	} else {
		v.Add(RulePattern, "more than 2^31 elements, or a reach of more than 2^52", "an access of some memory")
	}
	return false
}

// flat checks a DRAM access: all of it lies in the location.
func (v *Verifier) flat(o *Operand, reach, elems int64) bool {
	lo, hi, ok := v.span(&o.Off)
	if !ok {
		return false
	}
	if lo >= 0 && hi+reach < elems {
		return true
	}
	if !v.everyOffset(o, func(off int64) bool { return off >= 0 && off+reach < elems }) {
		v.Addf(RuleBounds, "inside the "+strconv.FormatInt(elems, 10)+" elements of "+printable(o.Loc.Name), "elements %d to %d", lo, hi+reach)
		return false
	}
	return true
}

// grid is what an on-chip access asks of every place it may start at: pitch elements a row, lanes rows from the first, reach elements
// past the first column.
type grid struct {
	loc                 *Loc
	pitch, lanes, reach int64
	shift               uint8 // log2 of the element size
	lanewise            bool
	oneBank             bool
}

// rows checks an on-chip access: its outermost pair walks rows, the others stay in a row.
func (v *Verifier) rows(o *Operand, g *grid, out bool) bool {
	first := o.AP[0]
	if first.Num > Partitions {
		v.Addf(RulePartition, "at most 128", "%d lanes", first.Num)
		return false
	}
	switch {
	case first.Num == 1 || int64(first.Step) == g.pitch:
		g.lanes = int64(first.Num)
	case first.Step != 0:
		v.Addf(RulePattern, "the pitch of "+printable(o.Loc.Name)+", "+strconv.FormatInt(g.pitch, 10)+", or 0", "an outermost step of %d", first.Step)
		return false
	case out:
		v.Add(RuleWrite, "an output that writes one row for every lane", "a row a lane")
		return false
	}
	if v.free<<g.shift > v.prog.Arch.SBUFBytes() {
		v.Add(RulePattern, "more elements a lane than a partition holds", "at most "+strconv.FormatInt(v.prog.Arch.SBUFBytes(), 10)+" bytes")
		return false
	}
	var f *Complaint
	if o.Symbolic() {
		if _, _, ok := v.span(&o.Off); !ok {
			return false
		}
		f = v.symbolicFault(o, g)
	} else {
		f = g.faultAt(o.Off.C)
	}
	if f != nil {
		v.Add(f.Rule, f.Got, f.Want)
	}
	return f == nil
}

// faultAt returns the rule that an access from the offset breaks, nil if none.
func (g *grid) faultAt(off int64) *Complaint {
	if uint64(off) < uint64(g.pitch) { // most accesses start in row 0
		return g.fault(0, off, off)
	}
	row := FloorDiv(off, g.pitch)
	col := off - row*g.pitch
	return g.fault(row, col, col)
}

// fault returns the rule that an access breaks which starts in the row, in a column from colLo to colHi; nil if none.
func (g *grid) fault(row, colLo, colHi int64) *Complaint {
	l := g.loc
	if row < 0 || row > l.Rows-g.lanes || colLo < 0 || colHi >= g.pitch-g.reach {
		return g.outside(row, colLo, colHi)
	}
	if g.lanewise {
		if l.Allocated {
			row += l.Base
		}
		if g.lanes > lanesFrom(row) {
			return badStart(g.lanes, row)
		}
	}
	if g.oneBank {
		return g.bank(colLo, colHi)
	}
	return nil
}

func (g *grid) outside(row, colLo, colHi int64) *Complaint {
	return &Complaint{Rule: RuleBounds,
		Got:  "rows " + spanText(row, g.lanes-1) + ", columns " + spanText(colLo, colHi-colLo+g.reach),
		Want: "inside the " + strconv.FormatInt(g.loc.Rows, 10) + " rows of " + strconv.FormatInt(g.pitch, 10) + " elements of " + printable(g.loc.Name)}
}

// spanText names the numbers from lo on, more of them following the first.
func spanText(lo, more int64) string {
	return strconv.FormatInt(lo, 10) + " to " + strconv.FormatInt(lo+more, 10)
}

// lanesFrom returns how many lanes an access that starts at an absolute partition may have (bir-json.md, "Start partitions").
func lanesFrom(partition int64) int64 {
	switch partition {
	case 0:
		return Partitions
	case 64:
		return 64
	case 32, 96:
		return 32
	}
	return 0
}

func badStart(lanes, row int64) *Complaint {
	return &Complaint{Rule: RulePartition,
		Got:  strconv.FormatInt(lanes, 10) + " lanes from partition " + strconv.FormatInt(row, 10),
		Want: "any number from 0, up to 64 from 64, up to 32 from 32 and 96"}
}

// bank returns the fault of a matmul output that leaves its bank (nki-isa.md §5.3).
func (g *grid) bank(colLo, colHi int64) *Complaint {
	first, last := colLo<<g.shift, (colHi+g.reach+1)<<g.shift-1
	if l := g.loc; l.Allocated {
		first, last = first+l.Addr, last+l.Addr // the bank itself starts on a bank
	}
	if first/PSUMBankBytes == last/PSUMBankBytes {
		return nil
	}
	return &Complaint{Rule: RuleBank, Got: "bytes " + spanText(first, last-first) + " of a partition", Want: "one bank of 2048 bytes"}
}
