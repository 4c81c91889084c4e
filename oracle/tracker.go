package oracle

import "birfuzz/ir"

// tracker follows what the values alone do not tell: poison, origins, through which location a byte was written last, what a fence
// publishes, which cores race. The executor calls it; it never changes a value and never calls back. All state that an instruction can
// touch is bytes of the arena (memory, registers, accumulators), so every touch is a place.
//
// Calls of one run, in the order in which things happen:
//
//	bind                                  once a Prepare: storages, locations and code are final until the next Prepare
//	reset, input…                         a run begins
//	before, after                         once each for every executed instruction that has operands or touches an accumulator
//	fence                                 every executed fence
//	fence…, barrier                       a CoreBarrier: fence for every member in core order when all have arrived, then barrier
//	fence…, before…, exchange             a collective: the same with before for every member, then exchange
//	environment…                          one-function module with a core number: after barrier or exchange
//	fence(core, nil)                      the core came to the end of its code without a Halt
//
// Instructions that a predicate skips, loops and NoOps are not reported. The arguments are valid during the call only: the executor reuses
// them. A Fault that a call returns ends the run; the executor fills in Core and Inst where they are empty.
type tracker interface {
	// bind tells that m holds a new program. Nothing has run.
	bind(m *Machine)
	// reset begins a run: every byte of every storage is poison, registers and accumulators included. Inputs follow.
	reset()
	// input tells that the host gave the first n bytes of l (an input or a constant): they are defined, and their origin is (l.name, byte).
	// Constants are reported with l.konst set.
	input(l *location, n int)
	// before is called when the operands are resolved and in range and nothing is written yet: m.data holds the values that c reads.
	// at[i] belongs to c.acc[i].
	before(c *code, at []place) *Fault
	// cleared is called between them for a matmul that starts: it cleared these rectangles, of its own location and others.
	cleared(c *code, list []zeroed)
	// after is called when the outputs, and the accumulator, are written. m.data of an input that an output overlaps may be gone.
	after(c *code, at []place, r *ran) *Fault
	// fence is called for an executed fence (c.spec.Effect.Fence()) before it takes effect; c is nil at the end of a core's code. Which
	// fences publish depends on the facts of before and after (semantics §3.2), so the tracker decides.
	fence(core int, c *code)
	// barrier is called when all members have met, after their fences: what they did before happens before all they do from now on.
	barrier(members []member)
	// exchange is called when a collective has moved its data: moves says which elements went where. It also orders its members, as barrier does.
	exchange(members []member, moves []transfer) *Fault
	// environment is called when the world outside has rewritten all bytes of the Shared location l at the n-th barrier or collective of
	// the core, counted from 0. They are defined; their origin is (n, l.name, byte).
	environment(core int, l *location, n int)
}

// storageKind says what a storage is.
type storageKind uint8

const (
	memoryStorage      storageKind = iota // SBUF, PSUM or DRAM bytes
	registerStorage                       // one scalar register, 4 bytes
	accumulatorStorage                    // an engine's accumulator, 128 rows of one float32
)

// storage is a connected group of locations that share bytes: rows × pitch bytes of the arena from off on. DRAM has one row.
type storage struct {
	id          int // index in Machine.storages
	kind        storageKind
	core        int // −1: one for all cores
	off         int // arena offset of the first byte, a multiple of 64
	rows, pitch int
}

// size returns the bytes of the storage.
func (s *storage) size() int { return s.rows * s.pitch }

// location is a memory location of the running program: one a core, or one for all cores where names are global (semantics §1).
// Row r of it is the rowBytes bytes from arena offset at + r·st.pitch on. DRAM counts as one row. Accumulators have no location.
type location struct {
	id             int // index in Machine.locations
	name           string
	loc            *ir.Loc // the first declaration met, in core order
	st             *storage
	core           int // −1: one for all cores
	at             int // arena offset of byte 0
	rows, rowBytes int
	konst          bool // Const
	// class is equal for locations that are aliases of any kind, different otherwise: a read through one sees what was written through
	// the other, where they share bytes.
	class int
}

// wrote says how an instruction wrote output 0.
type wrote uint8

const (
	wroteNothing wrote = iota // no output
	wroteValues               // ir.Eval.Out or OutBits: follow the row's Flow
	wroteCopy                 // ir.Eval.Copy: element e of input ran.from became element e of the output
	wrotePick                 // ir.Eval.Pick: ran.pick
)

// ran says what one execution did. Elements are numbered in walk order: lane · free + column.
// A moved element kept its bits if the dtypes of the two places agree, else it was cast.
type ran struct {
	how      wrote
	from     int     // wroteCopy: the input
	pick     []int32 // wrotePick: one entry an element of output 0: see code.source, ir.Keep, ir.Fill
	fill     float32 // wrotePick: what ir.Fill elements became
	poisoned []int32 // element numbers of output 0 that are undefined now
}

// member is one core at a barrier or collective. at is resolved for collectives: the destination, then the source.
type member struct {
	core int
	c    *code
	at   []place
}

// transfer is one piece of a collective: n elements of the destination of member `to`, from element toElem on. Where reduce is set they are
// the fold by the instruction's `op`, in the order of members, of elements fromElem… of the source of every member; otherwise they come
// from the source of member `from`, or, where that is absent, from the world outside.
type transfer struct {
	to, toElem     int
	from, fromElem int
	n              int
	reduce         bool
}

// Special values of transfer.from.
const (
	absent = -1 // a core that the module does not hold: the world outside gives (barrier number, location, byte) as environment does
	zeros  = -2 // nobody sends: zero bytes
)
