package ir

var fenceRuleNames = names{FencesKept: "kept", FencesNoCross: "not-crossed", FencesAdded: "added", FencesDrawn: "drawn"}

// String returns what the rule allows, in a word.
func (r FenceRule) String() string { return fenceRuleNames.of(int(r)) }

var orderRuleNames = names{OrderFree: "free", OrderPermute: "permuted", OrderDelete: "deleted", OrderSame: "same",
	OrderRebind: "rebound", OrderInsertMoves: "moves-inserted", OrderSchedule: "scheduled", OrderInstances: "same-instances",
	OrderInstancesMove: "instances-moved", OrderShrink: "shrunk", OrderInsertFences: "fences-inserted", OrderInsertSync: "synchronised"}

// String returns how the instruction list may change, in a word.
func (r OrderRule) String() string { return orderRuleNames.of(int(r)) }

var lawNames = names{KeepEngine: "engine", KeepQueue: "queue", KeepOrder: "order", KeepPredicates: "predicates", KeepFlags: "flags",
	KeepLocations: "locations", KeepLoops: "loops", KeepAttributes: "attributes",
	KeepButLocalize: "locations-but-localized", KeepPlaced: "locations-but-placed", KeepButReduce: "locations-but-reduced",
	KeepButSerial: "loops-but-serial"}

// String returns what the law keeps, in a word.
func (l Law) String() string { return lawNames.of(int(l)) }
