package passes

import "birfuzz/ir"

// everyLaw is the default list of semantics §6: what a pass keeps of all that survives it, unless its row says otherwise.
func everyLaw() []ir.Law {
	return []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepOrder, ir.KeepPredicates, ir.KeepFlags, ir.KeepLocations, ir.KeepLoops, ir.KeepAttributes}
}

// instanceLaws is the list for passes that keep instances rather than instructions: that rule (ir.OrderInstances) sees to order vectors,
// predicates and loops, instance by instance.
func instanceLaws() []ir.Law {
	return []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepFlags, ir.KeepLocations, ir.KeepAttributes}
}

// reduceLaws is the list for passes that cut locations down to what is touched of them: their dims may change.
func reduceLaws() []ir.Law {
	return []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepOrder, ir.KeepPredicates, ir.KeepFlags, ir.KeepButReduce, ir.KeepLoops, ir.KeepAttributes}
}

// serialLaws is the list for passes that put fences into loops, which are not parallel then.
func serialLaws() []ir.Law {
	return []ir.Law{ir.KeepEngine, ir.KeepQueue, ir.KeepOrder, ir.KeepPredicates, ir.KeepFlags, ir.KeepLocations, ir.KeepButSerial, ir.KeepAttributes}
}
