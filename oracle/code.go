package oracle

import "birfuzz/ir"

// codeKind says what the executor does at a code.
type codeKind uint8

const (
	runInst        codeKind = iota // operands, Eval, outputs
	passBy                         // nothing but waits and updates
	loopBegin                      // sets the axis, or leaves where there is no trip
	loopEnd                        // next value of the axis, or falls through
	localFence                     // a fence of one core
	meetBarrier                    // a fence where cores meet
	meetCollective                 // a fence where cores meet and exchange data
	haltCore                       // a fence that ends the core's program
)

// fences tells whether codes of this kind are fences.
func (k codeKind) fences() bool { return k >= localFence }

// kindOf derives what the executor does from the row.
func kindOf(s *ir.Spec) codeKind {
	switch {
	case s.Effect == ir.Control:
		return loopBegin
	case s.Effect == ir.FenceLocal:
		return localFence
	case s.Effect == ir.FenceCores && s.Flow == ir.FlowCores:
		return meetCollective
	case s.Effect == ir.FenceCores && s.HasParam(ir.PCores):
		return meetBarrier
	case s.Ends:
		return haltCore
	case s.Eval == nil:
		return passBy
	default:
		return runInst
	}
}

// noAcc is access.arg of an accumulator, and code.accum where there is none.
const noAcc = -1

// level is one loop of a walk: num trips, step bytes apart.
type level struct{ step, num int }

// access is a compiled operand: levels, outermost first, around a contiguous run of bytes. Levels with one trip are gone and neighbours
// that continue each other are merged; walked in order it yields the elements of the operand in row-major order.
// Immediates have loc and st nil. Accumulators have loc nil.
type access struct {
	arg    int // index in code.inst.Args; noAcc for an accumulator
	loc    *location
	st     *storage
	dtype  ir.DType
	size   int // bytes of one element
	lanes  int // outermost pair
	free   int // elements a lane
	n      int // levels in use
	levels [ir.MaxPairs]level
	run    int // bytes
	// Where it starts: a constant arena offset, unless off has terms.
	base   int
	off    affine // element offset in the location
	symbol bool   // off has terms
	// Geometry before merging, for views: distance of two lanes in bytes (0 where one row is repeated), and whether a lane is one run.
	laneStep int
	runs     bool
	view     bool // float32 rows that can be used where they stand, if base is aligned
	// Bounds of a symbolic offset, in elements: the location has rows of rowElems elements, of which the
	// access reaches over rowSpan more rows and colSpan more elements than its first.
	rowElems, rowSpan, colSpan int64
	span                       int    // bytes from the first one walked to one past the last
	bad                        string // why the access cannot be made; empty: in range as far as known
}

// count returns the number of elements.
func (a *access) count() int { return a.lanes * a.free }

// place is an access resolved for one execution: base is the arena offset of its first byte now. acc.st is nil for immediates.
type place struct {
	acc  *access
	base int
}

// code is one step of a core's flat program.
type code struct {
	kind   codeKind
	core   int
	pc     int // index in the core's code
	inst   *ir.Inst
	spec   *ir.Spec
	nout   int
	acc    []access // one an operand, in the order of inst.Args; then the accumulator, if used
	accum  int      // index in acc of the accumulator; noAcc: none. What is written to it: inst.WritesAcc, inst.Acc
	adds   bool     // the accumulator is read: inst.ReadsAcc
	writes ir.WriteMode
	region int8    // what it clears before it writes, see regionOf
	at     []place // one an access
	jump   int     // Loop: the pc after its end; loop end: the pc of its first instruction
	depth  int     // Loop and loop end: enclosing loops, the slot of the axis
	preds  []predicate
	bases  []int32 // first Pick entry of each input
	clash  clash   // how outputs and inputs overlap
	moves  bool    // some place changes from one execution to the next
	weight int64   // steps that one execution counts, see stepElems
}

// in returns the places of the inputs.
func (c *code) in(at []place) []place { return at[c.nout:len(c.inst.Args)] }

// source tells which input and which of its elements a Pick entry ≥ 0 names. Inputs count from 0 after the outputs.
func (c *code) source(entry int32) (input, elem int) {
	i := len(c.bases) - 1
	for i > 0 && c.bases[i] > entry {
		i--
	}
	return i, int(entry - c.bases[i])
}
