package ir

import "birfuzz/ir/num"

// View is a rectangle of float32 numbers: row r is F[r*Stride : r*Stride+Cols].
type View struct {
	F                  []float32
	Rows, Cols, Stride int
}

// Row returns row r.
func (v View) Row(r int) []float32 { return v.F[r*v.Stride : r*v.Stride+v.Cols] }

// Bits is a rectangle of raw elements of one integer width, little-endian: row r starts at B[r*Stride]. The memory may have any alignment.
type Bits struct {
	B          []byte
	Rows, Cols int
	Stride     int // bytes from one row to the next
	Width      int // bits of one element: 8, 16, 32 or 64
}

// Row returns the bytes of row r.
func (v Bits) Row(r int) []byte { return v.B[r*v.Stride:][:v.Cols*v.Width/8] }

// At returns element c of row r, zero-extended.
func (v Bits) At(r, c int) uint64 { return num.LoadWord(v.B[r*v.Stride+c*v.Width/8:], v.Width/8) }

// Set changes element c of row r; bits above the width are cut off.
func (v Bits) Set(r, c int, x uint64) { num.StoreWord(v.B[r*v.Stride+c*v.Width/8:], v.Width/8, x) }

// Keep marks, in a Pick, an output element that keeps its value.
const Keep = int32(-1)

// Fill marks, in a Pick, an output element that becomes the fill value.
const Fill = int32(-2)

// Eval is one executed instruction as its row's Eval sees it. The executor gathers, casts, aliases and scatters; Eval says what the
// numbers are. Inputs and outputs are numbered as the row lists them.
//
// An executor makes one Eval and puts each instruction into it in turn: it keeps the scratch rows between them.
type Eval struct {
	*Inst
	Machine

	rows    scratch[float32]
	sides   [2]side    // of evalMatmul: stationary and moving
	bytes   [3][8]byte // the numbers of the settings and of immediates, as raw elements
	words   wordScratch
	offsets []int32 // of pattern
}

// Machine is what an executor offers to Eval. Views are valid until Eval returns. Every output is written by exactly one of Out, OutBits,
// Copy or Pick.
type Machine interface {
	// Has tells whether the optional input i is present.
	Has(i int) bool
	// In returns input i as float32, lanes × elements a lane; a Scalar input has one column, an immediate one row and one column.
	In(i int) View
	// InBits returns input i as raw elements.
	InBits(i int) Bits
	// Old returns what stands in output i before the instruction, as float32.
	Old(i int) View
	// OldBits returns what stands in output i before the instruction, as raw elements.
	OldBits(i int) Bits
	// Out returns where the float32 results of output i go; they are cast once, when Eval returns. Before the cast the executor hands
	// them to Accumulate where the instruction commands an accumulator (of a Copy or Pick: what was chosen, widened); no Eval does.
	// It shares no memory with an input, but in rows of FlowElem may be the memory of one, element on element.
	Out(i int) View
	// OutBits returns where the raw elements of output i go. What Out says of memory holds.
	OutBits(i int) Bits
	// Copy moves input i to output 0 element by element: the same bits for one dtype, else a cast.
	Copy(i int)
	// Pick returns one entry an element of output 0, row-major over lanes × elements a lane, to be filled with the element of the
	// input that lands there: Source(i, e), Keep or Fill. The executor moves bits (or casts where dtypes differ) and origins.
	Pick() []int32
	// Source returns the Pick entry for element e of input i; that of element e+1 is one more, so Eval asks once a row.
	Source(i int, e int) int32
	// SetFill gives the number that Fill elements become.
	SetFill(v float32)
	// Acc returns the accumulator of the instruction's engine, one number a lane; for rows that read it.
	Acc() []float32
	// Poison marks element c of lane r of output 0 as undefined; the number written there does not matter.
	Poison(r, c int)
	// Fault stops the run: the program is undefined here.
	Fault(format string, args ...any)
}
