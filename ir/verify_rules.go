package ir

// The rules of Verify, as Complaint.Rule names them.
const (
	RuleStructure  = "structure"  // version, arch, core number, functions, Loop instructions have a loop
	RuleNumber     = "number"     // instructions and locations are numbered
	RuleName       = "name"       // names: not empty, no control characters, unique within their kind
	RuleLoop       = "loop"       // loop bounds, stride and nesting
	RuleScope      = "scope"      // an axis is used inside its loop only; pointers stay in their function
	RuleExpr       = "expression" // affine expressions: divisors, depth, magnitude
	RuleShard      = "shard"      // ShardIDs agree on the number of cores
	RuleArch       = "arch"       // the generation has the instruction, the type
	RuleEngine     = "engine"     // the engine may issue the instruction
	RuleOperands   = "operands"   // number and form of operands
	RuleMemory     = "memory"     // where an operand may live
	RuleDType      = "dtype"      // element types
	RuleShape      = "shape"      // sizes that operands share
	RulePattern    = "pattern"    // the pairs of an access by themselves
	RuleBounds     = "bounds"     // an access stays inside its location
	RulePartition  = "partition"  // start partitions, number of lanes
	RuleBank       = "bank"       // matmul outputs and PSUM banks
	RuleWrite      = "write"      // an output writes no byte twice
	RuleInPlace    = "in-place"   // an output over an input walks the same bytes
	RuleSetting    = "setting"    // settings of the instruction
	RuleEdge       = "edge"       // dependencies
	RulePredicate  = "predicate"  // predicates
	RuleSync       = "sync"       // semaphores
	RuleSize       = "size"       // sizes of sets and locations
	RuleCapacity   = "capacity"   // placement inside the memory
	RuleAlignment  = "alignment"  // element size against pitch and address
	RuleAlias      = "alias"      // aliases
	RuleSymbolic   = "symbolic"   // symbolic accesses
	RuleCores      = "cores"      // what several cores must agree on; barriers
	RuleCollective = "collective" // collectives
	RuleConst      = "const"      // data of Const locations
	RuleFact       = "fact"       // facts that must hold
)
