package ir

// Contract is what a pass promises about its output, as data: the pass says it, the oracle evaluates it (architecture, law 3).
// The zero value promises nothing and frees nothing: meaning, origins, fences and accumulation must be kept.
type Contract struct {
	Needs Facts // must hold before
	Gives Facts // holds after
	Drops Facts // no longer promised after

	Arithmetic bool // rewrites arithmetic: provenance is not asked
	Number     Number
	Fences     FenceRule
	Order      OrderRule
	Same       []Law
	Once       bool     // idempotent: a second run changes nothing
	Attributes []string // function attributes that the pass may give or take, KeepAttributes or not
}

// Number says how far output numbers may differ.
type Number struct {
	ULP         float64 // allowed distance in units in the last place; 0 = bit for bit
	Reassociate bool    // sums may be folded in another order
}

// FenceRule says what a pass may do around fences (semantics §3.4).
type FenceRule uint8

// The fence rules.
const (
	FencesKept    FenceRule = iota // none lost, added or reordered; visible accesses stay on their side
	FencesNoCross                  // nothing at all has moved across a fence or an unordered instruction (instruction_reorder)
	FencesAdded                    // may add fences under new names
	FencesDrawn                    // kept, and edges with the queues order them, and accesses to visible memory around them, without their help
)

// OrderRule says how the instruction list may change.
type OrderRule uint8

// The order rules.
const (
	OrderFree          OrderRule = iota
	OrderPermute                 // the same instructions in another order
	OrderDelete                  // only deletions
	OrderSame                    // no instruction changes, comes, goes or moves
	OrderRebind                  // only accesses of clones in the place of a location, and deletions of moves
	OrderInsertMoves             // only new moves, and accesses of storage that a new location stands for
	OrderSchedule                // any order inside blocks; deletions of what has no effect, loads into clones; no Flow edge is left, other edges stay
	OrderInstancesMove           // the same instances run, each with its operands and settings, in any order; one out of a loop stands for all trips
	OrderShrink                  // no instruction changes, comes, goes or moves, but what it touches in a location that has lost a part
	OrderInsertFences            // only new fences of one core, without sync_info
	OrderInsertSync              // only new fences of one core, and sync_info of any instruction, of MaxWaits and MaxUpdates at most
	OrderInstances               // the same instances run in the same order, each with its operands, order and edges, in whatever loops they stand
)

// Law is one thing that stays the same for what survives a pass (semantics §6).
type Law uint8

// The laws: the default list of semantics §6, one entry each.
const (
	KeepEngine Law = iota
	KeepQueue
	KeepOrder
	KeepPredicates
	KeepFlags // acc, start, stop, psum_zero_region
	KeepLocations
	KeepLoops
	KeepAttributes
	// KeepButLocalize stands in the place of KeepLocations: addr_space may go from Shared to Local where exactly one of several cores
	// touches the location and its aliases (localize_shared_memory).
	KeepButLocalize
	KeepPlaced // in the place of KeepLocations: unallocated ones may be given a place
	// KeepButReduce stands in the place of KeepLocations: Internal, Local memory of SB or DRAM without an address, aliases or pin may have
	// lost rows or bytes of every row (reduce_tensor_size). Its accesses keep their distances from each other.
	KeepButReduce
	KeepButSerial // in the place of KeepLoops: a loop may have lost isParallel
)
