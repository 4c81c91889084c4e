package ir

import "slices"

// Limits of what is followed of one core [ours]. What lies beyond them is not compared.
const (
	maxMeetings     = 1 << 16
	maxMeetingSteps = 1 << 20 // instructions and trips on the way to them
)

// rendezvous is one executed barrier or collective.
type rendezvous struct {
	block *Block
	inst  *Inst
}

// itinerary is the walk of one core through its function: the meetings that it comes to, in order.
type itinerary struct {
	core  int64
	axes  map[*Loop]int64
	holds map[*Inst]bool // loops with a meeting inside
	list  []rendezvous
	steps int
	cut   bool // a limit was reached: list is only a beginning
}

// AxisValue makes the itinerary an Env.
func (t *itinerary) AxisValue(l *Loop) int64 { return t.axes[l] }

// ShardID makes the itinerary an Env.
func (t *itinerary) ShardID() int64 { return t.core }

// meets tells whether instructions of the row are where cores meet: CoreBarrier and collectives, but not Halt.
func (s *Spec) meets() bool { return s.Flow == FlowCores || s.HasParam(PCores) }

// itineraryOf follows one core of a legal program.
func itineraryOf(f *Func, core int) *itinerary {
	t := &itinerary{core: int64(core), axes: map[*Loop]int64{}, holds: map[*Inst]bool{}}
	if t.find(f.Blocks) {
		t.blocks(f.Blocks)
	}
	return t
}

// find notes the loops that are worth entering, and tells whether there is anything to meet or halt at in the blocks.
func (t *itinerary) find(bs []*Block) bool {
	any := false
	for _, b := range bs {
		for _, in := range b.Insts {
			if in.Loop != nil && t.find(in.Loop.Blocks) {
				t.holds[in] = true
				any = true
			}
			any = any || in.Spec().Effect == FenceCores
		}
	}
	return any
}

// blocks walks blocks in order; it returns false when the walk is over.
func (t *itinerary) blocks(bs []*Block) bool {
	for _, b := range bs {
		for _, in := range b.Insts {
			if in.Loop == nil && in.Spec().Effect != FenceCores || in.Loop != nil && !t.holds[in] {
				continue
			}
			if !t.step(b, in) {
				return false
			}
		}
	}
	return true
}

func (t *itinerary) step(b *Block, in *Inst) bool {
	if t.steps++; t.steps > maxMeetingSteps || len(t.list) == maxMeetings {
		t.cut = true
		return false
	}
	for i := range in.Pred {
		if !in.Pred[i].Cmp.Holds(in.Pred[i].Expr.Eval(t)) {
			return true
		}
	}
	switch spec := in.Spec(); {
	case in.Loop != nil:
		return t.loop(in.Loop)
	case spec.meets():
		t.list = append(t.list, rendezvous{b, in})
		return true
	default: // the core halts
		return false
	}
}

func (t *itinerary) loop(l *Loop) bool {
	for k := range l.Trips() {
		t.axes[l] = l.LB + k*l.Stride
		if t.steps++; t.steps > maxMeetingSteps {
			t.cut = true
			return false
		}
		if !t.blocks(l.Blocks) {
			return false
		}
	}
	return true
}

// meetingsAcross plays the meetings of all cores: one is held when all its members stand at it.
func (v *Verifier) meetingsAcross() {
	cores := make([]*itinerary, len(v.prog.Cores))
	at := make([]int, len(cores))
	for i, f := range v.prog.Cores {
		cores[i] = itineraryOf(f, i)
	}
	for held := true; held; {
		held = false
		for i := range cores {
			for at[i] < len(cores[i].list) && allAt(cores, at, i) {
				held = true
			}
		}
	}
	for i, t := range cores {
		if t.cut && at[i] == len(t.list) {
			return // who waits may wait for what was not followed
		}
	}
	for i, t := range cores {
		if at[i] < len(t.list) {
			v.missed(cores, at, i)
			return // the others wait for the same reason
		}
	}
}

// allAt holds the meeting that core i stands at if all its members do.
func allAt(cores []*itinerary, at []int, i int) bool {
	in := cores[i].list[at[i]].inst
	for k := range cores {
		if in.meetsCore(i, k) && (at[k] == len(cores[k].list) || !in.agreesWith(cores[k].list[at[k]].inst)) {
			return false
		}
	}
	for k := range cores {
		if in.meetsCore(i, k) {
			at[k]++
		}
	}
	return true
}

// meetsCore tells whether core k is a member of the meeting that core i comes to with in.
func (in *Inst) meetsCore(i, k int) bool {
	groups := in.Lists(PReplicaGroups)
	if list := in.List(PCores); len(list) > 0 {
		groups = [][]int64{list}
	}
	if i == k || len(groups) == 0 {
		return true
	}
	for _, g := range groups {
		if slices.Contains(g, int64(i)) {
			return slices.Contains(g, int64(k))
		}
	}
	return false
}

// agreesWith tells whether two instructions are one meeting: the same row with the same settings.
func (in *Inst) agreesWith(o *Inst) bool {
	return in.Op == o.Op && slices.EqualFunc(in.Params, o.Params, func(a, b Param) bool {
		return a.ID == b.ID && a.I == b.I && sameFloat(a.F, b.F) && slices.Equal(a.L, b.L) && slices.EqualFunc(a.LL, b.LL, slices.Equal)
	})
}

// missed says that core i waits for a meeting that is never held, and where the first of its members stands instead.
func (v *Verifier) missed(cores []*itinerary, at []int, i int) {
	r := cores[i].list[at[i]]
	v.fn, v.at = v.prog.Cores[i], spot{block: r.block, inst: r.inst, arg: noArg}
	for k, t := range cores {
		name := printable(v.prog.Cores[k].Name)
		switch {
		case !r.inst.meetsCore(i, k):
			continue
		case at[k] == len(t.list):
			v.Addf(RuleCores, "a meeting that every member comes to", "%s, meeting %d of the core, while function %s is at its end after %d", r.inst.Spec().Name, at[i]+1, name, at[k])
		case !r.inst.agreesWith(t.list[at[k]].inst):
			v.Addf(RuleCores, "one order of meetings on all cores", "%s, meeting %d of the core, while function %s is at %s, its meeting %d",
				r.inst.Spec().Name, at[i]+1, name, printable(t.list[at[k]].inst.Name), at[k]+1)
		default:
			continue
		}
		break
	}
	v.fn, v.at = nil, spot{arg: noArg}
}
