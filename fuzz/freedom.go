package fuzz

import (
	"fmt"
	"slices"

	"birfuzz/gen"
	"birfuzz/ir"
	"birfuzz/passes"
)

// freeShare is of how many programs one goes through passes that were drawn for it: enough that what the level's own list leaves nothing to do
// is met, and most of a campaign is still about that list.
const freeShare = 4

// Free gives case number index of a campaign a pipeline of its own, if it is one of those that get one: ps with what freedom allows drawn
// anew. Equal arguments give equal pipelines; the program does not depend on them.
func (c *Case) Free(seed uint64, index int, ps []passes.Pass, f passes.Freedom) {
	c.free(gen.New(seed).Fork(fmt.Sprint("case ", index)).Fork("freedom"), ps, f)
}

func (c *Case) free(r *gen.Rand, ps []passes.Pass, f passes.Freedom) {
	if f != 0 && r.IntN(freeShare) == 0 {
		c.Passes = varied(r, ps, c.Program.Facts, f)
	}
}

// varied draws a list of passes from ps for a program with these facts. It is legal (passes.Check), and may be ps again.
func varied(r *gen.Rand, ps []passes.Pass, facts ir.Facts, f passes.Freedom) []passes.Pass {
	ps = slices.Clone(ps)
	if f&passes.FreeOrder != 0 && r.Bool(0.5) {
		ps = reordered(r, ps, facts)
	}
	if f&passes.FreeKnobs != 0 && r.Bool(0.6) {
		for i := range ps {
			ps[i].Knobs = drawKnobs(r, ps[i].Knobs)
		}
	}
	if f&passes.FreeChaos != 0 && r.Bool(0.7) {
		for i := range ps {
			if ps[i].CanRefuse() && r.Bool(0.5) {
				ps[i].Chaos = int64(r.Between(1, maxChaos))
			}
		}
	}
	return ps
}

// maxChaos bounds the seeds of chaos: a short number is easier to type, and there are few ways to refuse a pass's handful of rules.
const maxChaos = 9999

// drawKnobs returns the knobs with some at other values.
func drawKnobs(r *gen.Rand, knobs []passes.Knob) []passes.Knob {
	knobs = slices.Clone(knobs)
	for i := range knobs {
		if r.Bool(0.5) {
			knobs[i].Value = drawKnob(r, &knobs[i])
		}
	}
	return knobs
}

// drawKnob draws a value: an end of the range, a small step from its lower end, or any.
func drawKnob(r *gen.Rand, k *passes.Knob) int64 {
	least, most := k.DrawRange()
	switch span := int(most - least); r.IntN(4) {
	case 0:
		return least
	case 1:
		return most
	case 2:
		return least + int64(r.IntN(min(span, 4)+1))
	default:
		return least + int64(r.IntN(span+1))
	}
}

// reordered draws another list of the same passes. External passes, and those that stand behind one, keep their place at the end.
func reordered(r *gen.Rand, ps []passes.Pass, facts ir.Facts) []passes.Pass {
	own := slices.IndexFunc(ps, func(p passes.Pass) bool { return p.Command != nil })
	if own < 0 {
		own = len(ps)
	}
	if own == 0 {
		return ps
	}
	list := slices.Clone(ps[:own])
	switch r.IntN(4) {
	case 0:
		list = picked(r, list)
	case 1:
		for i := len(list) - 1; i > 0; i-- {
			j := r.IntN(i + 1)
			list[i], list[j] = list[j], list[i]
		}
	default:
		for range r.Between(1, 4) {
			list = displaced(r, list)
		}
	}
	return append(passes.Legal(list, facts), ps[own:]...)
}

// mostPicked bounds how many passes picked draws.
const mostPicked = 10

// picked draws a few passes, any of them any number of times: what is rare behind a whole level is met by chance.
func picked(r *gen.Rand, list []passes.Pass) []passes.Pass {
	out := make([]passes.Pass, r.Between(2, mostPicked))
	for i := range out {
		out[i] = list[r.IntN(len(list))]
	}
	return out
}

// displaced leaves a pass out, moves it or repeats it elsewhere.
func displaced(r *gen.Rand, list []passes.Pass) []passes.Pass {
	if len(list) == 0 {
		return nil
	}
	i, what := r.IntN(len(list)), r.IntN(3)
	p := list[i]
	if what < 2 {
		list = slices.Delete(list, i, i+1)
	}
	if what > 0 {
		list = slices.Insert(list, r.IntN(len(list)+1), p)
	}
	return list
}
