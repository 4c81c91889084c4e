package oracle

import (
	"cmp"
	"slices"

	"birfuzz/ir"
)

// watcher sees what the outside world sees of a run (semantics §3): fences, the contents of visible memory at those that publish, on which
// side of a fence visible memory was touched, and how barriers order the cores. Both trackers are built on it.
type watcher struct {
	m      *Machine
	lens   lens
	groups groups
	out    *outcome
	look   func(l *location, s *shot) // fills state, origin, value and, where kept, bytes of a shot

	epoch    []int32   // publishing fences passed, by core
	interval []int32   // fences passed, by core
	clock    [][]int32 // vector clocks: clock[a][b] is the last barrier period of b that happened before what a does now
	moment   int32     // publishing fences executed
	view     []int     // the cores that pass the fence at hand; empty: it is no fence

	visOf  []int32  // index in out.visible by location, −1: not visible
	shown  []int32  // locations that are visible, in name order
	news   []bool   // by location: Shared memory
	names  []uint64 // hash of the name, by location
	seen   []bool   // by class: holds a visible location
	stale  []bool   // by storage: written since its visible locations were last looked at
	spread []bool   // by storage: more than one core can touch it
}

// bind prepares for the program that m holds.
func (w *watcher) bind(m *Machine) {
	w.m = m
	w.groups.bind(m)
	n := len(m.locations)
	w.visOf, w.news = resize(w.visOf, n), resize(w.news, n)
	w.names, w.seen = resize(w.names, n), resize(w.seen, n)
	w.stale, w.spread = resize(w.stale, len(m.storages)), resize(w.spread, len(m.storages))
	w.shown = w.shown[:0]
	for i := range m.locations {
		l := &m.locations[i]
		w.visOf[i], w.seen[i] = -1, false
		w.news[i] = l.loc.Set.Space == ir.Shared
		w.names[i] = hashString(l.name)
		if l.loc.Visible() {
			w.shown = append(w.shown, int32(i))
		}
	}
	for _, i := range w.shown {
		w.seen[m.locations[i].class] = true
	}
	for i := range m.storages {
		w.spread[i] = m.storages[i].core < 0 && len(m.cores) > 1
	}
	slices.SortFunc(w.shown, func(a, b int32) int { return cmp.Compare(m.locations[a].name, m.locations[b].name) })
}

// resize returns a slice of n elements, s itself where it is large enough. The elements are whatever they are.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// observe begins a run that fills out as seen through the lens.
func (w *watcher) observe(g grain, l lens, out *outcome) {
	w.lens, w.out = l, out
	out.clear(g, l)
}

// reset begins the run.
func (w *watcher) reset() {
	w.groups.reset()
	n := len(w.m.cores)
	w.epoch, w.interval, w.clock = resize(w.epoch, n), resize(w.interval, n), resize(w.clock, n)
	clear(w.epoch)
	clear(w.interval)
	for i := range w.clock {
		w.clock[i] = resize(w.clock[i], n)
		clear(w.clock[i])
		w.clock[i][i] = 1
	}
	w.moment, w.view = 0, w.view[:0]
	for i := range w.stale {
		w.stale[i] = true
	}
	for _, i := range w.shown {
		l := &w.m.locations[i]
		if w.lens.hidden[l.name] && l.loc.Set.Kind != ir.ExternalOutput {
			w.visOf[i] = -1 // nobody looks at it: one of the two programs may not have it
			continue
		}
		w.visOf[i] = int32(len(w.out.visible))
		w.out.visible = append(w.out.visible, visible{name: l.name, dtype: uint8(l.loc.Set.DType), last: -1,
			output: l.loc.Set.Kind == ir.ExternalOutput, size: l.rows * l.rowBytes})
	}
}

// epochOf returns what a read of l takes into its origins: the publishing fences passed, 0 where that does not count.
func (w *watcher) epochOf(core int, l *location) uint64 {
	if w.lens.noNews || l == nil || !w.news[l.id] || w.lens.hidden[l.name] || w.epoch[core] == 0 {
		return 0
	}
	w.out.news = true
	return uint64(w.epoch[core])
}

// touchKey hashes what an access touches: the location, and the bytes in it.
func (w *watcher) touchKey(p *place) uint64 {
	a := p.acc
	h := mixAll(w.names[a.loc.id], uint64(p.base-a.loc.at), uint64(a.run))
	for _, v := range a.levels[:a.n] {
		h = mixAll(h, uint64(v.step), uint64(v.num))
	}
	return h
}

// watches tells whether accesses through l, nil for none, touch visible memory.
func (w *watcher) watches(l *location) bool {
	return l != nil && w.seen[l.class] && !w.lens.hidden[l.name]
}

// touch records an access through l, which is watched.
func (w *watcher) touch(c *code, l *location, key uint64, reads, writes bool) {
	t := touch{core: int32(c.core), interval: w.interval[c.core], rank: w.m.cores[c.core].thread.rank, key: key, inst: c.inst.Name, loc: l.name}
	if reads && w.out.room() {
		w.out.touches = append(w.out.touches, t)
	}
	if writes && w.out.room() {
		t.write = true
		w.out.touches = append(w.out.touches, t)
	}
}

// wrote notes that a storage changed.
func (w *watcher) wrote(s *storage) { w.stale[s.id] = true }

// counts tells whether a fence is one that the comparison knows: those that the pass may add are not (semantics §3.4).
func (w *watcher) counts(c *code) bool {
	return c == nil || w.lens.known == nil || w.lens.known[c.inst.Name]
}

// event describes a fence; c is nil at the end of a core.
func (w *watcher) event(core int, c *code) fenceEvent {
	e := fenceEvent{core: int32(core), rank: w.m.cores[core].thread.rank, lo: int32(len(w.out.syncs)), kind: "end", publishes: true, moment: -1}
	if c != nil {
		in := c.inst
		e.kind, e.name, e.engine = c.spec.Name, in.Name, uint8(in.Engine)
		e.publishes = !w.lens.coresOnly || c.spec.Effect == ir.FenceCores
		for _, s := range in.Wait {
			w.out.syncs = append(w.out.syncs, syncEvent{s.ID, s.Value})
		}
		e.waits = int32(len(in.Wait))
		for _, s := range in.Update {
			w.out.syncs = append(w.out.syncs, syncEvent{s.ID, s.Value})
		}
		for _, k := range in.List(ir.PCores) {
			e.key = mix(e.key, uint64(k))
		}
	}
	e.hi = int32(len(w.out.syncs))
	e.key = mix(e.key, hashString(e.kind))
	return e
}

// fence records an executed fence and, if it publishes, the contents of visible memory.
func (w *watcher) fence(core int, c *code) {
	if !w.counts(c) || !w.out.room() {
		return
	}
	e := w.event(core, c)
	if e.publishes {
		e.moment = w.moment
	}
	w.out.fences = append(w.out.fences, e)
	w.interval[core]++
	if e.publishes {
		w.behold(core, c)
		w.publish()
		w.view = w.view[:0]
		w.epoch[core]++
		w.moment++
	}
}

// stopAt records the fence at which a fault ended the run.
func (w *watcher) stopAt(f *Fault) {
	for i := range w.m.cores {
		if o := &w.m.cores[i]; i == f.Core && o.thread.pc < len(o.code) && o.code[o.thread.pc].kind.fences() {
			w.out.stop = w.event(i, &o.code[o.thread.pc])
		}
	}
}

// behold lists the cores that pass a fence together.
func (w *watcher) behold(core int, c *code) {
	if c == nil || c.kind != meetBarrier && c.kind != meetCollective {
		w.view = append(w.view, core)
		return
	}
	for i := range w.m.met.members {
		w.view = append(w.view, w.m.met.members[i].core)
	}
}

// open tells whether what was written at s is not ordered before the fence at hand: whether it is there already is no part of the meaning. The
// next fence of its own core shows it.
func (w *watcher) open(s stamp) bool {
	for _, core := range w.view {
		if w.orderedBefore(s, core) {
			return false
		}
	}
	return len(w.view) > 0
}

// publish records what of visible memory changed since the last look. Elements tell what is open to some cores and not to others: they are
// looked at again until all cores have passed one fence.
func (w *watcher) publish() {
	for _, i := range w.shown {
		if l := &w.m.locations[i]; w.stale[l.st.id] && !w.lens.hidden[l.name] {
			w.shoot(l, false)
		}
	}
	whole := w.out.grain != elementGrain || len(w.view) == len(w.m.cores)
	for _, i := range w.shown {
		st := w.m.locations[i].st.id
		w.stale[st] = w.stale[st] && !whole && w.spread[st]
	}
}

// shoot looks at a visible location and keeps the shot if it differs from the latest one.
func (w *watcher) shoot(l *location, keep bool) {
	o, v := w.out, w.visOf[l.id]
	n, bytes, origins := len(o.shots), len(o.bytes), len(o.origins)
	o.shots = append(o.shots, shot{moment: w.moment, vis: v, at: -1, orgAt: -1})
	s := &o.shots[n]
	last := o.visible[v].last
	if keep && last >= 0 && !w.stale[l.st.id] { // nothing changed since: what the shot kept serves twice
		x := &o.shots[last]
		s.state, s.origin, s.value, s.at, s.orgAt = x.state, x.origin, x.value, x.at, x.orgAt
	} else {
		o.used.as = shownAtFence
		if keep {
			o.used.as = leftInOutput
		}
		w.look(l, s)
		o.used.as = computedWith
	}
	if !keep && last >= 0 {
		if x := &o.shots[last]; x.state == s.state && x.origin == s.origin && x.value == s.value {
			o.shots, o.bytes, o.origins = o.shots[:n], o.bytes[:bytes], o.origins[:origins]
			return
		}
	}
	o.visible[v].last = n
}

// finish records the outputs at the end of the run.
func (w *watcher) finish() {
	w.out.final = len(w.out.shots)
	for _, i := range w.shown {
		if l := &w.m.locations[i]; l.loc.Set.Kind == ir.ExternalOutput {
			w.shoot(l, true)
		}
	}
}

// meetAll orders the members of a barrier: what any of them did before happens before all that any of them does from now on.
func (w *watcher) meetAll(members []member) {
	if len(members) == 0 {
		return
	}
	first := w.clock[members[0].core]
	for _, m := range members[1:] {
		for i, t := range w.clock[m.core] {
			first[i] = max(first[i], t)
		}
	}
	for _, m := range members[1:] {
		copy(w.clock[m.core], first)
	}
	for _, m := range members {
		w.clock[m.core][m.core]++
	}
}

// stamp is a moment of one core: the core above, its barrier period below.
type stamp int64

func (w *watcher) now(core int) stamp { return stamp(int64(core)<<32 | int64(w.clock[core][core])) }

// orderedBefore tells whether what happened at s happened before what core does now. The zero stamp is no event.
func (w *watcher) orderedBefore(s stamp, core int) bool {
	return s == 0 || int(s>>32) == core || w.clock[core][s>>32] >= int32(s)
}
