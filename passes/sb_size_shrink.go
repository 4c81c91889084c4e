package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleShrinkTile = &Rule{
	Name: "sb-size.shrink",
	Doc: "Makes one block of a tile of which every iteration of a loop uses a block of its own: the accesses no longer move along the axis, and the tile is cut down to what they touch. Not if anything " +
		"else touches the tile, or an iteration could read what it has not written itself.",
}

// Why a tile keeps its size, beside the reasons of tensorReducer.irreducible.
const (
	shrinkUses    = "touched outside one loop body"
	shrinkStill   = "does not move along the axis"
	shrinkUnlike  = "accesses move unlike"
	shrinkRows    = "moves by rows"
	shrinkNoTrips = "loop of less than two trips"
	shrinkCarried = "an iteration does not begin by overwriting all that it uses"
)

// shrink is a tile that has as many blocks as a loop has trips, and is to have one.
type shrink struct {
	uses *locUses
	loop *ir.Loop
	step int64 // elements that the accesses move for a unit of the axis
}

// saves returns the bytes that a row loses.
func (s *shrink) saves() int64 {
	return s.uses.loc.RowBytes / s.loop.Trips() * (s.loop.Trips() - 1)
}

// apply takes the axis out of the accesses and cuts the tile.
func (s *shrink) apply(c *Ctx) {
	c.Edit().Change(func() {
		l := s.uses.loc
		for _, in := range s.uses.insts {
			for i := range in.Args {
				if o := &in.Args[i]; o.Loc == l {
					o.Off = ir.Konst(o.Off.C + s.step*s.loop.LB)
				}
			}
		}
		if w, whole := touchedWindow(s.uses); !whole {
			cut(s.uses, w)
		}
	})
}

// shrinkTest looks for such tiles in a function.
type shrinkTest struct {
	reducer tensorReducer
	touches *loopTouches
	core    int
	nest    map[*ir.Inst][]*ir.Inst // of every instruction: the loops around it, outermost first
}

func newShrinkTest(c *Ctx, f *ir.Func, core int) *shrinkTest {
	p := c.Program()
	t := &shrinkTest{reducer: tensorReducer{ctx: c, aliases: ir.NewFamilies(p), targets: remoteTargets(p)}, touches: newLoopTouches(p), core: core,
		nest: map[*ir.Inst][]*ir.Inst{}}
	t.enter(f.Blocks, nil)
	return t
}

func (t *shrinkTest) enter(bs []*ir.Block, around []*ir.Inst) {
	for _, b := range bs {
		for _, in := range b.Insts {
			t.nest[in] = around
			if in.Loop != nil {
				t.enter(in.Loop.Blocks, append(slices.Clip(around), in))
			}
		}
	}
}

// tile looks at one location, or says why it is none to be shrunk.
//
// Everything that touches it must stand in the body of one loop, not deeper, and move along its axis alone, all alike and inside rows. If every
// iteration begins by overwriting, in one piece and for sure, all of the tile that it uses, then no value goes from one iteration to another, and
// all may use the same block.
func (t *shrinkTest) tile(u *locUses) (s *shrink, why string) {
	if why := t.reducer.irreducible(u); why != "" {
		return nil, why
	}
	around := t.nest[u.insts[0]]
	if len(around) == 0 || slices.ContainsFunc(u.insts, func(in *ir.Inst) bool { return !slices.Equal(t.nest[in], around) }) {
		return nil, shrinkUses
	}
	s = &shrink{uses: u, loop: around[len(around)-1].Loop}
	if s.loop.Trips() < 2 || slices.ContainsFunc(around, func(l *ir.Inst) bool { return l.Loop.Trips() == 0 }) {
		return nil, shrinkNoTrips
	}
	if why := s.moves(); why != "" {
		return nil, why
	}
	if !t.begins(u, around) {
		return nil, shrinkCarried
	}
	return s, ""
}

// moves finds out how the accesses move.
func (s *shrink) moves() string {
	first := true
	for _, in := range s.uses.insts {
		for i := range in.Args {
			o := &in.Args[i]
			if o.Loc != s.uses.loc {
				continue
			}
			terms := o.Off.Terms
			switch {
			case len(terms) == 0:
				return shrinkStill
			case len(terms) > 1 || terms[0].Kind != ir.AxisTerm || terms[0].Axis != s.loop:
				return shrinkUnlike
			case o.DType.Size() != s.uses.loc.Set.DType.Size():
				return shrinkUnlike
			case terms[0].Coef >= o.Pitch() || terms[0].Coef <= -o.Pitch():
				return shrinkRows
			case !first && terms[0].Coef != s.step:
				return shrinkUnlike
			}
			if _, ok := rowBound(o); !ok {
				return shrinkRows
			}
			first, s.step = false, terms[0].Coef
		}
	}
	return ""
}

// begins tells whether an iteration begins by overwriting all that it uses of a location. around are the loops around all uses.
func (t *shrinkTest) begins(u *locUses, around []*ir.Inst) bool {
	var first *touch
	for _, in := range u.insts {
		list := t.touches.of(in, t.core, around)
		for i := range list {
			x := &list[i]
			if x.loc != u.loc {
				continue
			}
			if first == nil {
				if first = x; x.reads || !x.ends || !x.exact() || len(in.Pred) > 0 {
					return false
				}
			}
			if !first.form.covers(&x.form, len(around), around) {
				return false
			}
		}
	}
	return first != nil
}
