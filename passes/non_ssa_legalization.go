package passes

import (
	"fmt"
	"slices"

	"birfuzz/ir"
)

var (
	ruleSsaLoad = &Rule{
		Name:   "nonssa.redundant-load",
		Shared: sharedStanding,
		Doc: "Deletes a Load that repeats an earlier one of its block, access for access, while neither its source nor its destination was written in between. " +
			"Nothing that carries sync_info or stands under a predicate, and no source that others may write (Shared memory) across a fence.",
	}
	ruleSsaClone = &Rule{
		Name:   "nonssa.clone",
		Shared: sharedRenaming,
		Doc: "Gives a later web of accesses to a location (definitions, and the uses that they reach) a clone of the location. Only where the location is written behind a read, " +
			"is Internal, Local and without aliases, and is touched in one block, by instructions that say what they touch, none of them symbolically. A clone of an allocated location lies in its place.",
	}
)

// nonSsaLegalization is orders 17 and 65 of levels 1–3, and in level 0 (walrus.md §4.2): the exit from SSA by renaming.
//
// A location whose smallest index of a read lies before its largest index of a write, partial writes and members of accumulations left out, is
// written again across a live use. The documents clone it for intervals of accesses between two definitions. Ours are webs: a definition
// belongs with every use that it reaches, byte for byte and round the loop, and what belongs together in any way is one web (webs.go). The
// members of a matmul chain are one web since an add reads what it adds to; so are the writes that fill a tile piece by piece and the uses of
// the whole. The web that comes first keeps the location. Any set of webs may be moved: a web never reads what another one wrote, so it does
// not matter who shares storage with whom, and program order stays.
//
// The run before allocation (function attribute sb_allocated not set) first deletes redundant loads. The later one finds locations allocated:
// a clone is put at its original's base partition, bank and address, with user_allocated.
func nonSsaLegalization() Pass {
	return Pass{
		Name:  "non_ssa_legalization",
		Doc:   "Leaves SSA form: gives every live range of a location storage of its own, a clone of the location.",
		Order: 17,
		Rules: []*Rule{ruleSsaLoad, ruleSsaClone},
		Rests: dependenceWriters(),
		Contract: ir.Contract{
			Order: ir.OrderRebind, Once: true, Same: everyLaw(),
		},
		Run: runNonSsa,
	}
}

func runNonSsa(c *Ctx) error {
	removeRedundantLoads(c)
	c.Program().Number()
	s := newSsaExit(c)
	for _, f := range c.Program().Cores {
		s.function(f)
	}
	if s.created > 0 {
		c.Logf("[Non-SSA legalization]created %d memorylocations", s.created)
	}
	return nil
}

// ssaExit is one execution of the renaming.
type ssaExit struct {
	ctx     *Ctx
	names   *nameSet
	aliases *ir.Families
	webs    *webs // made for the first conflict
	created int
}

func newSsaExit(c *Ctx) ssaExit {
	p := c.Program()
	return ssaExit{ctx: c, names: newNameSet(c), aliases: ir.NewFamilies(p)}
}

func (s *ssaExit) function(f *ir.Func) {
	for _, u := range usesOf(f) {
		if !u.conflict() {
			continue
		}
		if why := s.unsplittable(u); why != "" {
			s.ctx.Refuse(ruleSsaClone, u.insts[0], why)
			continue
		}
		if s.webs == nil {
			s.webs = newWebs(s.ctx.Program())
		}
		s.split(u)
	}
}

// split gives every web of a location but the first a clone.
func (s *ssaExit) split(u *locUses) {
	groups := s.webs.of(u)
	if len(groups) == 1 {
		s.ctx.Refuse(ruleSsaClone, u.insts[0], "one web")
		return
	}
	at := u.loc
	for n, g := range groups[1:] {
		if s.ctx.Allow(ruleSsaClone, g[0].inst) {
			at = cloneBehind(s.ctx, u.loc, at, s.names.fresh(fmt.Sprint(u.loc.Name, "_SsaClone", n)))
			s.rebind(g, u.loc, at)
			s.created++
		}
	}
}

// cloneBehind declares a clone of a location, behind another location of its set.
func cloneBehind(c *Ctx, l, behind *ir.Loc, name string) *ir.Loc {
	clone := *l
	clone.Name = name
	c.Edit().AddLoc(&clone, behind)
	return &clone
}

// rebind lets the accesses of a web go to the clone.
func (s *ssaExit) rebind(w web, from, to *ir.Loc) {
	s.ctx.Edit().Change(func() {
		for _, a := range w {
			args := a.inst.Ins()
			if a.write {
				args = a.inst.Outs()
			}
			rename(args, from, to)
		}
	})
}

// rename lets operands that name one location name another one.
func rename(args []ir.Operand, from, to *ir.Loc) {
	for i := range args {
		if args[i].Loc == from {
			args[i].Loc = to
		}
	}
}

// locUses is who touches a location, in program order.
type locUses struct {
	loc    *ir.Loc
	insts  []*ir.Inst
	blocks int  // blocks that they stand in, at most 2 are told apart
	looped bool // one of them stands in a loop
	last   *ir.Block
}

// usesOf lists the uses of a function's locations, in declaration order; locations that nobody touches are left out.
func usesOf(f *ir.Func) []*locUses {
	of := map[*ir.Loc]*locUses{}
	for b := range f.AllBlocks {
		looped := !slices.Contains(f.Blocks, b)
		for _, in := range b.Insts {
			for i := range in.Args {
				if l := in.Args[i].Loc; l != nil {
					if of[l] == nil {
						of[l] = &locUses{loc: l}
					}
					of[l].add(in, b)
					of[l].looped = of[l].looped || looped
				}
			}
		}
	}
	var out []*locUses
	for l := range f.Locs {
		if u := of[l]; u != nil {
			out = append(out, u)
		}
	}
	return out
}

func (u *locUses) add(in *ir.Inst, b *ir.Block) {
	if u.last != b {
		u.blocks++
		u.last = b
	}
	if n := len(u.insts); n == 0 || u.insts[n-1] != in {
		u.insts = append(u.insts, in)
	}
}

// conflict tells whether the location is written behind a read of it: the smallest index of a read lies before the largest of a write.
// Instructions that may write a part of it only, and members of accumulations, are not asked (the documents' isDstPotentialPartialAccess and
// matmul exemption).
func (u *locUses) conflict() bool {
	read := false
	for _, in := range u.insts {
		if read && writesAll(in, u.loc) {
			return true
		}
		read = read || reads(in, u.loc)
	}
	return false
}

// reads tells whether an instruction has the location among its inputs.
func reads(in *ir.Inst, l *ir.Loc) bool { return mentions(in.Ins(), l) }

// writes tells whether an instruction has the location among its outputs.
func writes(in *ir.Inst, l *ir.Loc) bool { return mentions(in.Outs(), l) }

func mentions(args []ir.Operand, l *ir.Loc) bool {
	return slices.ContainsFunc(args, func(o ir.Operand) bool { return o.Loc == l })
}

// unsplittable says why a location keeps its name, "" if it need not.
func (s *ssaExit) unsplittable(u *locUses) string {
	if why := s.unrenamable(u); why != "" || u.blocks == 1 {
		return why
	}
	return "touched in several blocks"
}

// unrenamable says why webs of a location cannot have names of their own, "" if they can.
func (s *ssaExit) unrenamable(u *locUses) string {
	l := u.loc
	switch {
	case l.Set.Kind != ir.Internal || l.Type == ir.REG || l.Type == ir.Input || l.Type == ir.Output:
		return "not Internal memory"
	case l.Set.Space != ir.Local:
		return "Shared"
	case foreignLoc(l):
		return "others may touch it"
	case !s.aliases.Alone(l):
		return "has aliases"
	}
	for _, in := range u.insts {
		if picksRows(in.Spec()) {
			return "indirect"
		}
		if in.HasSync() {
			return "sync_info"
		}
		if symbolic(in.Args, l) {
			return symbolicAccess
		}
	}
	return ""
}

// symbolicAccess is why a location gets no neighbours: of a symbolic access the set alone says which location it means (bir-json.md).
const symbolicAccess = "symbolic access, and so alone in its set"

func symbolic(args []ir.Operand, l *ir.Loc) bool {
	return slices.ContainsFunc(args, func(o ir.Operand) bool { return o.Loc == l && o.Symbolic() })
}

// removeRedundantLoads is the documents' remove_redundant_loads, which runs before allocation only: the value of the source is resident in the
// destination already.
func removeRedundantLoads(c *Ctx) {
	d := newDCE(c)
	for _, b := range d.blocks {
		if b.fn.HasAttr(sbAllocated) {
			continue
		}
		for _, in := range b.block.Insts {
			if t, ok := d.transfer(in); ok {
				d.redundantLoad(t)
			}
		}
	}
	d.delete()
}

// redundantLoad deletes t if it is a Load that repeats what stands.
func (d *dce) redundantLoad(t transfer) {
	if dst, src := d.memories(t); dst != ir.SB || !src.IsDRAM() {
		return
	}
	if e, back, ok := d.standing(t); ok && !back {
		d.decide(ruleSsaLoad, t.in, "", d.holdsRepeat(t, e))
	}
}
