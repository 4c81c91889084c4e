package gen

import "birfuzz/ir"

// Feature is something that a program may have. Each program draws which ones it has (swarm testing): a program with few features goes
// deeper into each of them than one with a little of all.
type Feature uint8

// The features.
const (
	Loops          Feature = iota // loops of 0 to 4 trips, strides other than 1
	Nested                        // loops in loops
	Windows                       // accesses whose offset depends on an axis
	Predicates                    // instructions guarded by conditions on axes
	Chains                        // sums over several members in PSUM, interleaved in different banks
	LoopChains                    // such a sum whose members are the trips of a loop
	DTypes                        // several element types
	Reinterpret                   // accesses that read bits as another type
	Partial                       // accesses of a part of a location, start partitions 32, 64 and 96
	Strided                       // gaps, and pairs in another order than memory's
	Broadcast                     // steps of 0 in reads
	InPlace                       // outputs over an input
	Redefine                      // locations written many times
	Dead                          // results that nobody reads
	Semaphores                    // waits and updates, satisfied in program order
	Barriers                      // every other fence of one core
	Orders                        // order vectors that agree with the dependences
	Edges                         // all edges, and the fact Deps, in straight programs
	Placement                     // SB and PSUM locations allocated, and the fact Placed
	Constants                     // Const locations that carry their data
	Aliases                       // DRAM locations that must alias
	Registers                     // scalar registers
	Accumulators                  // acc settings and reads of accumulators
	TwoCores                      // two functions, Shared memory, CoreBarriers
	Shards                        // one function for two cores that ShardID tells apart
	CoreModule                    // one function with a neuron_core_id, Shared memory that others write
	Collectives                   // exchanges between two cores
	EmptyLoops                    // loops that hold nothing, or nothing that anybody reads
	Copies                        // DMA copies inside DRAM that change nothing: onto itself, again, back, of what is not written any more
	Spills                        // tiles saved to DRAM and loaded again, unchanged or not
	Unused                        // locations that no instruction names
	TensorMap                     // a tensor map with some of the program's names
	OneCore                       // Shared memory of two cores that only one of them touches, or none
	ShardCode                     // instructions, loops and offsets that differ by ShardID
	Parallel                      // loops whose trips may run in any order
	Carried                       // registers carried round a loop
	CarriedEdges                  // loop-carried edges, and edges inside loop bodies
	AxisOrders                    // order vectors with axes
	AliasChains                   // must aliases of three locations, and aliases that only one side names
	MayAliases                    // locations that may alias
	ZeroRegions                   // sums in PSUM that clear the banks around them
	Pressure                      // most of SBUF, and PSUM, reserved for the run-time
	PlacedShared                  // Shared memory that has an address
	SharedOutputs                 // results in Shared memory, and Internal tensors that alias them
	SharedNames                   // Shared memory that each core knows by a name of its own
	IdleLinks                     // such names that are one storage through a third one, which nobody touches
	Pieces                        // Shared tensors in two pieces, one a core
	Relays                        // DMA copies inside DRAM whose reader can, or just cannot, read the source instead
	Overlays                      // tiles of SBUF at one address, one after the other
	LongLoops                     // loops of 6 to 40 trips and a few instructions
	LoopEdges                     // edges to loops, from them, and into them from outside
	OrderedFences                 // fences and loops that have order vectors
	LoopPairs                     // two loops over tensors that both touch, at distances -3 to 3
	LoopGaps                      // instructions between two such loops that may move, or may not
	OddPairs                      // two such loops of other bounds, strides and trips, no trips among them
	LoopRuns                      // three and more loops in a row, each pair over tensors of another size
	Strands                       // loops whose bodies are several computations that have nothing, or little, to do with each other
	PerfectNests                  // loops with nothing but a loop inside, over tensors that each trip of both sees another piece of
	DeepNests                     // loops in loops to a depth of 4, with instructions at every depth
	WideBodies                    // loops whose tiles take much of SBUF
	SumLoops                      // sums in PSUM whose members are the trips of two loops
	FencedLoops                   // fences in the bodies of all these
	Invariants                    // instructions in loops that do the same in every trip
	NearInvariants                // instructions in loops that do the same in every trip but for one thing
	StubbornLoops                 // loops with more edges between their trips than unrolling allows, and tiny bodies
	FarUses                       // tiles loaded long before they are used again, where there is no room for them
	LateDead                      // values that nobody needs once Shared memory of one core is that core's own
	Refills                       // the same constants put down again, with or without anything between
	Tickets                       // instructions of one core that wait for each other: the fact Synced
	Wrapped                       // accesses to DRAM that go on in the next row
	SharedTypes                   // every element type in Shared memory and in exchanges
	Transfers                     // nothing but DMA inside DRAM: programs for which no allocator has anything to do
	Halts                         // Halts in loops, and between them, that are never reached
	Legalised                     // sums that all start and stop, and the fact Grouped
	Cleared                       // sums that nobody reads, beside which what they cleared is
	Foreign                       // tensors that another core is said to write
	Blocks                        // loops of which each trip has a block of a tile to itself, or nearly
	ManyDims                      // accesses of four and five pairs
	FourCores                     // modules of four cores in place of two
	OddExchanges                  // exchanges in groups, and from some cores to others, or to themselves
	NearFull                      // memory on chip that is allocated but for a little
	Limits                        // loops that begin below 0 or far above, wide strides, the last semaphore, large waits, banks filled to the end
	LongChains                    // sums of 8 to 24 members
	OneBank                       // sums and other tiles in one bank of PSUM
	CutChains                     // sums in which a constant is put in the place of what was added up
	Swaps                         // loops that exchange two tiles
	LogicalScans                  // logical operators that run along a row
	NewTypes                      // the element type that only the last generation has, in much of what it computes
	Halves                        // pairs of loops of which one does two things, one of which may be done in the same trip of the other loop
	Lines                         // nests whose two loops move over one line of pieces
	Repaints                      // tiles filled in the same way with other constants
	LongTiles                     // tiles in PSUM longer than a bank
	RolledEdges                   // all edges in programs with loops and of several blocks too
	LeanEdges                     // of those edges, few that queues, fences and others make up for
	NumFeatures
)

var featureNames = [NumFeatures]string{"loops", "nested", "windows", "predicates", "chains", "loop-chains", "dtypes", "reinterpret", "partial",
	"strided", "broadcast", "in-place", "redefine", "dead", "semaphores", "barriers", "orders", "edges", "placement", "constants", "aliases",
	"registers", "accumulators", "two-cores", "shards", "core-module",
	"collectives", "empty-loops", "copies", "spills", "unused", "tensor-map", "one-core", "shard-code", "parallel", "carried", "carried-edges",
	"axis-orders", "alias-chains", "may-aliases", "zero-regions", "pressure", "placed-shared", "shared-outputs", "shared-names",
	"idle-links", "pieces", "relays", "overlays", "long-loops", "loop-edges", "ordered-fences",
	"loop-pairs", "loop-gaps", "odd-pairs", "loop-runs", "strands", "perfect-nests", "deep-nests", "wide-bodies", "sum-loops", "fenced-loops",
	"invariants", "near-invariants", "stubborn-loops", "far-uses", "late-dead", "refills", "tickets", "wrapped",
	"shared-types", "transfers", "halts", "legalised", "cleared", "foreign", "blocks",
	"many-dims", "four-cores", "odd-exchanges", "near-full", "limits", "long-chains", "one-bank", "cut-chains", "swaps", "logical-scans", "new-types",
	"halves", "lines", "repaints", "long-tiles", "rolled-edges", "lean-edges"}

// featureLabels are the labels of the features' streams, which are their names.
var featureLabels = func() (labels [NumFeatures]label) {
	for f, name := range featureNames {
		labels[f] = labelOf(name)
	}
	return labels
}()

// String returns the feature's name.
func (f Feature) String() string {
	if f < NumFeatures {
		return featureNames[f]
	}
	return "?"
}

// Config says what programs are drawn. All probabilities are in [0, 1].
type Config struct {
	// MinInsts and MaxInsts bound the instructions of a program, all cores and loop bodies counted; 1 ≤ MinInsts ≤ MaxInsts ≤ 10,000.
	MinInsts, MaxInsts int
	// Short is the share of programs whose size is drawn from the lowest quarter of the range; the others come from the upper three.
	Short float64
	// Elems is about how many elements a tile has, 16 to 8192. Tiles of one program vary around it by a factor of 4 both ways.
	Elems int
	// Arch gives the odds of the generations.
	Arch [ir.NumArch]int
	// Features gives, for each feature, the probability that a program has it.
	Features [NumFeatures]float64
	// RowsOff is the probability that a program does without a given row of the op table.
	RowsOff float64

	rows *rowSet // what programs may consist of; nil: all of the op table
}

// Default returns the configuration of a campaign: small programs, every feature in a good share of them.
func Default() Config {
	c := Config{MinInsts: 1, MaxInsts: 64, Short: 0.25, Elems: 256, Arch: [ir.NumArch]int{ir.Gen3: 6, ir.Sunda: 2, ir.CoreV4: 2}, RowsOff: 0.25}
	for f := range c.Features {
		c.Features[f] = 0.4
	}
	c.Features[TwoCores], c.Features[Shards], c.Features[CoreModule] = 0.15, 0.06, 0.06
	c.Features[Edges] = 0.3
	for f := EmptyLoops; f < NumFeatures; f++ {
		c.Features[f] = 0.25
	}
	for _, f := range [...]Feature{ShardCode, OneCore, PlacedShared, SharedOutputs, SharedNames, IdleLinks, Pieces, SharedTypes, OddExchanges} {
		c.Features[f] = 0.7 // of the few programs of several cores
	}
	c.Features[LongLoops] = 0.1                               // they cost most where programs are run
	c.Features[LoopGaps], c.Features[OddPairs] = 0.5, 0.5     // of the programs with pairs
	c.Features[RolledEdges], c.Features[LeanEdges] = 0.5, 0.4 // of the programs with all edges
	c.Features[StubbornLoops] = 0.05                          // they run more than a thousand trips
	c.Features[FarUses], c.Features[LateDead] = 0.5, 0.5      // of the programs without room, and of those of two cores
	c.Features[Legalised] = 0.5                               // of the programs whose sums allow it
	c.Features[Transfers] = 0.04                              // they have little else
	return c
}

// Bench returns the configuration on which speed is measured. It is pinned: 1 to 64 instructions, 40 in the mean, and 300 to 330 elements an
// operand in the mean, so that figures of different days compare.
func Bench() Config {
	c := Default()
	c.Short, c.Elems = 0, 98
	for f := LoopPairs; f < NumFeatures; f++ {
		c.Features[f] = 0 // they came after it was pinned
	}
	return c
}

// Swarm returns Default with every feature either certain or impossible, and many rows of the op table left out in every program, or none. It
// takes one number from r, and each feature draws from a stream of its own.
func Swarm(r *Rand) Config {
	c, own := Default(), r.split()
	for f, p := range c.Features {
		c.Features[f] = 0
		if stream := own.at(featureLabels[f]); stream.Bool(p) {
			c.Features[f] = 1
		}
	}
	c.RowsOff = one(&own, []float64{0, 0.25, 0.5, 0.75})
	return c
}

// size draws the number of instructions of one program.
func (c *Config) size(r *Rand) int {
	cut := c.MinInsts + (c.MaxInsts-c.MinInsts)/4
	if r.Bool(c.Short) {
		return r.Between(c.MinInsts, cut)
	}
	return r.Between(min(cut+1, c.MaxInsts), c.MaxInsts)
}
