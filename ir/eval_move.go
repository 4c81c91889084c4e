package ir

import (
	"math"
	"slices"

	"birfuzz/ir/num"
)

// entry returns the Pick entry of the first element of an input; the others follow it. (Inst has a Source of its own.)
func (e *Eval) entry(input int) int32 { return e.Machine.Source(input, 0) }

// evalCopy moves every element where it belongs: the same bits for one dtype, else a cast.
func evalCopy(e *Eval) { e.Copy(0) }

// evalRegisterMove moves one element. An int32 read as uint32, or the reverse, is a cast like any other.
func evalRegisterMove(e *Eval) { e.Copy(0) }

// evalMemset fills with the bits of one element.
func evalMemset(e *Eval) {
	constant := uint64(e.Int(PConstant))
	if e.Args[0].DType == num.Float32 {
		v, out := math.Float32frombits(uint32(constant)), e.Out(0)
		for r := range out.Rows {
			fill(out.Row(r), v)
		}
		return
	}
	out := e.OutBits(0)
	for r := range out.Rows {
		row := out.Row(r)
		num.StoreWord(row, out.Width/8, constant)
		for n := out.Width / 8; n < len(row); n *= 2 { // twice as much each time
			copy(row[n:], row[:n])
		}
	}
}

// pattern walks the values base + row·channel_multiplier + Σ step·i of an instruction, in wrapping int32, row by row side by side with its
// output's elements. row counts from the access's first row.
func (e *Eval) pattern(rows, cols int, visit func(r, c int, v int32)) {
	base, channel, pairs := int32(e.Int(PBase)), int32(e.Int(PChannelMultiplier)), e.Lists(PPattern)
	if !patternFits(pairs, int64(cols)) {
		e.Fault("a pattern %v for %d elements a lane", pairs, cols)
		return
	}
	e.offsets = patternOffsets(e.offsets[:0], pairs)
	for r := range rows {
		start := base + int32(r)*channel
		for c, o := range e.offsets {
			visit(r, c, start+o)
		}
	}
}

// patternFits tells whether a pattern of [step, number] pairs has n elements.
func patternFits(pairs [][]int64, n int64) bool {
	total := int64(1)
	for _, p := range pairs {
		if len(p) != 2 || p[1] < 1 || p[1] > n/total {
			return false
		}
		total *= p[1]
	}
	return total == n
}

// patternOffsets appends Σ step·i over a pattern that fits, row-major.
func patternOffsets(list []int32, pairs [][]int64) []int32 {
	list = append(list, 0)
	for _, p := range pairs { // each element becomes p[1] of them; from the last one on, so that none is overwritten before its turn
		n, inner := len(list), int(p[1])
		list = slices.Grow(list, n*inner-n)[:n*inner]
		for i := n - 1; i >= 0; i-- {
			for k := inner - 1; k >= 0; k-- {
				list[i*inner+k] = list[i] + int32(p[0]*int64(k))
			}
		}
	}
	return list
}

// evalIota is exact where dst is int32 and goes through float32 elsewhere, like every cast between unlike dtypes.
func evalIota(e *Eval) {
	if e.Args[0].DType == num.Int32 {
		out := e.OutBits(0)
		e.pattern(out.Rows, out.Cols, func(r, c int, v int32) { out.Set(r, c, uint64(v)) })
		return
	}
	out := e.Out(0)
	e.pattern(out.Rows, out.Cols, func(r, c int, v int32) { out.F[r*out.Stride+c] = float32(v) })
}

// size returns lanes and elements a lane of an operand.
func size(o *Operand) (rows, cols int) { return int(o.Lanes()), int(o.Free()) }

// transpose picks out[r,c] from in[c,r] of an input with the given elements a lane.
func (e *Eval) transpose(input int) {
	pick := e.Pick()
	rows, cols := size(&e.Args[0])
	_, step := size(e.input(input))
	from := e.entry(input)
	for r := range rows {
		for c := range cols {
			pick[r*cols+c] = from + int32(c*step+r)
		}
	}
}

// evalTranspose is dst[j,i] ← src[i,j].
func evalTranspose(e *Eval) { e.transpose(0) }

// evalPETranspose is out[m,k] ← stationary[k,m]. It moves bits, as from Gen3 on; the product with an identity of Sunda, where a NaN spreads,
// is not modelled.
func evalPETranspose(e *Eval) { e.transpose(1) }

// quadrant is the number of lanes that StreamTranspose and StreamShuffle take together.
const quadrant = 32

// evalStreamTranspose transposes each 32×32 block where it stands.
func evalStreamTranspose(e *Eval) {
	pick := e.Pick()
	rows, cols := size(&e.Args[0])
	if rows%quadrant != 0 || cols%quadrant != 0 {
		e.Fault("%d lanes of %d elements are not 32×32 blocks", rows, cols)
		return
	}
	from := e.entry(0)
	for r := range rows {
		for c := range cols {
			br, bc := r-r%quadrant, c-c%quadrant
			pick[r*cols+c] = from + int32((br+c-bc)*cols+bc+r-br)
		}
	}
}

// keepLane is the mask entry of a lane that keeps its value.
const keepLane = 255

// evalStreamShuffle picks, within each group of 32 lanes, lane r from lane mask[r]; the executor reads all before it writes.
func evalStreamShuffle(e *Eval) {
	mask := e.List(PMask)
	if len(mask) != quadrant {
		e.Fault("a mask of %d entries, not 32", len(mask))
		return
	}
	pick := e.Pick()
	rows, cols := size(&e.Args[0])
	lanes, _ := size(e.input(0))
	from := e.entry(0)
	for r := range rows {
		dst := pick[r*cols : (r+1)*cols]
		m := mask[r%quadrant]
		if m == keepLane {
			pickAll(dst, Keep)
			continue
		}
		lane := r - r%quadrant + int(m)
		if m < 0 || m >= quadrant || lane >= lanes {
			e.Fault("lane %d takes lane %d of %d", r, lane, lanes)
			return
		}
		pickRow(dst, from+int32(lane*cols))
	}
}

// pickRow takes consecutive elements from entry first on.
func pickRow(dst []int32, first int32) {
	for c := range dst {
		dst[c] = first + int32(c)
	}
}

func pickAll(dst []int32, entry int32) {
	for c := range dst {
		dst[c] = entry
	}
}
