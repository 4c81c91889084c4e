package passes

import (
	"birfuzz/ir"
)

// waitOrder knows, of the instructions of one stretch, which are complete before which begin, as engines run them (semantics §2): an engine
// issues in program order and its own work is complete before the next; a transfer runs in its queue, behind those that its engine has put there
// before; and whoever waits for an instruction knows what that one knew. Two engines in one queue are not ordered, for the moment of issue is
// open. An instruction under a predicate may not be there: what it knows it hands on to nobody.
//
// It is built in program order: enter, then waits, then leave.
type waitOrder struct {
	arch   ir.Arch
	nodes  []*ir.Inst
	gives  []nodeSet             // by node: what whoever waits for it knows by that, itself included
	all    nodeSet               // what every engine knows
	known  map[sequencer]nodeSet // what one knows, beyond all
	queued map[queueing]nodeSet  // what is complete when all transfers so far are
	issued map[sequencer]nodeSet // the same of all transfers that one has issued
	now    sequencer             // of the instruction entered last
	begins nodeSet               // what is complete when it begins, beyond what its engine knows
	here   nodeSet               // what its engine knows
}

// sequencer is who issues instructions in program order: an engine, or an instruction that has none.
type sequencer struct {
	engine ir.Engine
	alone  *ir.Inst
}

func sequencerOf(in *ir.Inst) sequencer {
	if in.Engine == ir.Unassigned {
		return sequencer{alone: in}
	}
	return sequencer{engine: in.Engine}
}

// queueing is the transfers that one sequencer puts into one queue.
type queueing struct {
	by    sequencer
	queue string
}

// maxStretch bounds a stretch: what is known takes a bit a pair.
const maxStretch = 1 << 14

func newWaitOrder(nodes []*ir.Inst, arch ir.Arch) *waitOrder {
	o := &waitOrder{arch: arch, nodes: nodes, known: map[sequencer]nodeSet{}, queued: map[queueing]nodeSet{}, issued: map[sequencer]nodeSet{}}
	o.all, o.begins = o.none(), o.none()
	return o
}

func (o *waitOrder) none() nodeSet { return make(nodeSet, (len(o.nodes)+63)/64) }

// enter takes up the next instruction.
func (o *waitOrder) enter() {
	i := len(o.gives)
	in := o.nodes[i]
	o.now = sequencerOf(in)
	if o.known[o.now] == nil {
		o.known[o.now] = o.none()
		o.known[o.now].merge(o.all)
	}
	o.here = o.known[o.now]
	clear(o.begins)
	switch use := in.Spec().Sync(); {
	case in.Engine == ir.ALL:
		o.begins.fill(i)
	case use == ir.SyncJoins:
		for _, k := range o.known {
			o.begins.merge(k)
		}
	case use == ir.SyncDrains:
		o.begins.merge(o.issued[o.now])
	case in.Transfers(o.arch):
		o.begins.merge(o.queued[queueing{o.now, in.Queue}])
	}
	if len(in.Pred) == 0 && !in.Transfers(o.arch) {
		o.here.merge(o.begins)
	}
}

// has tells whether node j is complete before the instruction begins, or one of the two is not there.
func (o *waitOrder) has(j int) bool { return o.here.has(j) || o.begins.has(j) }

// wait makes the instruction, or one that its engine runs just before it, wait for node j.
func (o *waitOrder) wait(j int) { o.here.merge(o.gives[j]) }

// leave goes on past the instruction.
func (o *waitOrder) leave() {
	i := len(o.gives)
	in, gives := o.nodes[i], o.none()
	gives.merge(o.here)
	switch {
	case in.Transfers(o.arch):
		o.transfer(in, i, gives)
	case joins(in):
		gives.add(i)
		o.everybody(gives)
	case in.Engine == ir.ALL || in.Spec().Sync() == ir.SyncJoins: // it may be skipped, but nobody passes it
		gives.add(i)
		o.all.add(i)
		for _, k := range o.known {
			k.add(i)
		}
	default:
		gives.add(i)
		o.here.add(i)
	}
	o.gives = append(o.gives, gives)
}

// transfer notes a transfer in its queue, and what whoever waits for it knows.
func (o *waitOrder) transfer(in *ir.Inst, i int, gives nodeSet) {
	key := queueing{o.now, in.Queue}
	if o.queued[key] == nil {
		o.queued[key] = o.none()
	}
	if o.issued[o.now] == nil {
		o.issued[o.now] = o.none()
	}
	queued, issued := o.queued[key], o.issued[o.now]
	if len(in.Pred) > 0 { // whoever waits for it waits for a Drain behind it
		queued.add(i)
		issued.add(i)
		gives.merge(issued)
		return
	}
	gives.merge(queued)
	gives.add(i)
	queued.merge(gives)
	issued.merge(gives)
}

// still lets everything come to its end before anyone goes on, as a Drain on ALL behind the last instruction does.
func (o *waitOrder) still() {
	everything := o.none()
	everything.fill(len(o.gives))
	o.everybody(everything)
}

// everybody makes known to all what one knows who has met all.
func (o *waitOrder) everybody(known nodeSet) {
	o.all.merge(known)
	clear(o.known)
	o.here = o.none()
	o.here.merge(o.all)
	o.known[o.now] = o.here
}

// nodeSet is a set of the nodes of a stretch, a bit each.
type nodeSet []uint64

func (s nodeSet) has(i int) bool { return s[i>>6]>>(i&63)&1 != 0 }

func (s nodeSet) add(i int) { s[i>>6] |= 1 << (i & 63) }

// merge adds the members of another set; nil: none.
func (s nodeSet) merge(t nodeSet) {
	for w := range t {
		s[w] |= t[w]
	}
}

// fill adds all nodes before the n-th.
func (s nodeSet) fill(n int) {
	for w := range n >> 6 {
		s[w] = ^uint64(0)
	}
	if n&63 != 0 {
		s[n>>6] |= 1<<(n&63) - 1
	}
}
