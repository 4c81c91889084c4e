package gen_test

import (
	"birfuzz/gen"
	"birfuzz/ir"
)

// loopsTwice tells whether two loops of equal trips stand in one block and reach a location of SBUF piece by piece: one of them writes the piece of
// the trip, and the other reads one that lies ahead of it, beside something else that it does.
func loopsTwice(p *ir.Program) bool {
	found := false
	meetings(p, func(bl *ir.Block, i, j int, l *ir.Loc) {
		a, b := bl.Insts[i].Loop, bl.Insts[j].Loop
		found = found || l.Type == ir.SB && a.Trips() == b.Trips() && len(offsets(a, l, true)) > 0 && len(offsets(b, l, false)) > 1
	})
	return found
}

// offsets returns the constant parts of the offsets at which the trips of a loop write or read a location, each once.
func offsets(l *ir.Loop, loc *ir.Loc, writes bool) map[int64]bool {
	out := map[int64]bool{}
	for in := range l.Insts {
		for i := range in.Args {
			if o := &in.Args[i]; o.Loc == loc && o.IsAP() && o.Symbolic() && (i < int(in.NOut)) == writes {
				out[o.Off.C] = true
			}
		}
	}
	return out
}

// oneLine tells whether a location is reached by the axis of a loop alone, and by that of the loop in it alone.
func oneLine(in *ir.Inst) bool {
	if in.Loop == nil {
		return false
	}
	by := map[*ir.Loc]map[*ir.Loop]bool{}
	for sub := range in.Loop.Insts {
		for i := range sub.Args {
			var axes []*ir.Loop
			for axis := range sub.Args[i].Off.Axes {
				axes = append(axes, axis)
			}
			if loc := sub.Args[i].Loc; len(axes) == 1 && loc.Type == ir.SB {
				if by[loc] == nil {
					by[loc] = map[*ir.Loop]bool{}
				}
				by[loc][axes[0]] = true
			}
		}
	}
	for _, axes := range by {
		if axes[in.Loop] && len(axes) > 1 {
			return true
		}
	}
	return false
}

// repaints tells whether a place gets other constants after it was read, in the same way as before.
func repaints(p *ir.Program) bool {
	var seen []*ir.Inst
	read := map[*ir.Loc]bool{}
	for in := range p.Insts {
		if in.Spec().Flow == ir.FlowNone && len(in.Args) == 1 && len(in.Outs()) == 1 {
			for _, e := range seen {
				if e.Op == in.Op && read[e.Args[0].Loc] && e.Args[0].Equal(&in.Args[0]) && len(e.Params) == len(in.Params) && len(in.Params) > 0 && e.Params[0].I != in.Params[0].I {
					return true
				}
			}
			seen = append(seen, in)
		}
		for i := range in.Ins() {
			read[in.Ins()[i].Loc] = true
		}
	}
	return false
}

// addShapes is what mutants of single rules wait for.
func addShapes(s map[gen.Feature]symptom) map[gen.Feature]symptom {
	s[gen.Halves] = symptom{program: loopsTwice}
	s[gen.Lines] = symptom{inst: oneLine}
	s[gen.Repaints] = symptom{program: repaints}
	s[gen.LongTiles] = location(func(l *ir.Loc) bool { return l.Type == ir.PSUM && l.RowBytes > ir.PSUMBankBytes && !l.RuntimeReserved })
	return s
}
