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
	Once       bool // idempotent: a second run changes nothing
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
)

// OrderRule says how the instruction list may change.
type OrderRule uint8

// The order rules.
const (
	OrderFree    OrderRule = iota
	OrderPermute           // the same instructions in another order
	OrderDelete            // only deletions
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
)
