package passes

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

var ruleSchedSplit = &Rule{
	Name: "presched.split-live-range",
	Doc: "Gives a use that is far behind the one before a Load and a clone of the location of its own, which the uses near behind it share. Only of a location that a linear scan would spill, that one " +
		"Load without a predicate fills from an input or a constant that nobody writes, and that is read, and only read, by instructions of the same block.",
}

// layerSpiller returns what a linear scan of the program as it is would spill.
func layerSpiller(c *Ctx) []*lifetime {
	var victims []*lifetime
	for _, f := range c.Program().Cores {
		s := scan{ctx: c, fn: f, settled: map[*ir.Loc]bool{}}
		for _, t := range []ir.MemType{ir.PSUM, ir.SB} {
			victims = append(victims, s.walk(t).victims...)
		}
	}
	return victims
}

// splitFarLiveRanges is split_far_live_ranges: where a value can be had again from memory that does not change, a second Load is better than
// a spill. It is sound since a Load brings the same bytes wherever it stands. It returns the new Loads.
func splitFarLiveRanges(c *Ctx, victims []*lifetime) map[*ir.Inst]bool {
	if len(victims) == 0 {
		return nil
	}
	p := c.Program()
	r := rangeSplitter{
		ctx: c, names: newNameSet(c), accesses: newAccesses(p), written: newWrittenPlaces(p), at: map[*ir.Inst]ir.Insertion{}, loads: map[*ir.Inst]bool{},
	}
	for _, v := range victims {
		switch why := r.unsplittable(v); {
		case why != "":
			c.Refuse(ruleSchedSplit, v.users[0], why)
		default:
			r.split(v)
		}
	}
	for _, b := range r.accesses.blocks {
		c.Edit().Insert(b.block, r.at)
	}
	return r.loads
}

// rangeSplitter is one execution of the splitting.
type rangeSplitter struct {
	*accesses
	ctx     *Ctx
	names   *nameSet
	written *writtenPlaces
	at      map[*ir.Inst]ir.Insertion
	loads   map[*ir.Inst]bool
}

// unsplittable tells why the value of a victim cannot be loaded again, "" if it can.
func (r *rangeSplitter) unsplittable(v *lifetime) string {
	load := v.users[0]
	switch {
	case !loads(load):
		return "not filled by a Load"
	case !overwritesAll(load, v.loc):
		return "filled in part or under a predicate"
	case !r.unchanging(load.Args[1].Loc):
		return "the source may change"
	}
	for _, in := range v.users[1:] {
		switch {
		case writes(in, v.loc):
			return "written again"
		case r.blockOf[in.ID] != r.blockOf[load.ID]:
			return "used in another block"
		}
	}
	return ""
}

// unchanging tells whether nobody, on whatever core, ever writes to a location.
func (r *rangeSplitter) unchanging(l *ir.Loc) bool {
	fam := r.family(l)
	k := l.Set.Kind
	return (k == ir.ExternalInput || k == ir.Const) && !fam.shared && !fam.foreign && r.aliases.Alone(l) && !l.Allocated && !r.written.has(l)
}

// split gives every far use of a victim a Load of its own.
func (r *rangeSplitter) split(v *lifetime) {
	load, now, n := v.users[0], v.loc, 0
	far := int32(r.ctx.Knob("far-live-range"))
	for i, in := range v.users[1:] {
		if in.ID-v.users[i].ID >= far && r.ctx.Allow(ruleSchedSplit, in) {
			now = cloneBehind(r.ctx, v.loc, now, r.names.fresh(fmt.Sprint(v.loc.Name, "_Split", n)))
			x := r.at[in]
			x.Before = append(x.Before, r.reload(load, now, n))
			r.at[in] = x
			n++
		}
		if now != v.loc {
			r.rebind(in, v.loc, now)
		}
	}
}

// reload returns the Load again, to another location.
func (r *rangeSplitter) reload(load *ir.Inst, to *ir.Loc, n int) *ir.Inst {
	args := slices.Clone(load.Args)
	args[0].Loc = to
	in := &ir.Inst{Op: load.Op, Engine: load.Engine, Queue: load.Queue, NOut: load.NOut, Name: r.names.fresh(fmt.Sprint(load.Name, "_Split", n)), Args: args}
	r.loads[in] = true
	return in
}

func (r *rangeSplitter) rebind(in *ir.Inst, from, to *ir.Loc) {
	r.ctx.Edit().Change(func() { rename(in.Args, from, to) })
}
