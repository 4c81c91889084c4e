package passes

import (
	"slices"

	"birfuzz/ir"
)

var ruleTile = &Rule{
	Name: "loop-opt.tile",
	Doc: "Makes a nest of a loop whose iterations keep their order, so that the outer loop has as many trips as another loop: the greatest common divisor of both. Not if that is 1, " +
		"or the loop is parallel or carries no_reorder.",
}

// Why a loop is not tiled.
const (
	tileFactor = "trip counts without a common divisor"
	tileFlags  = "loop attributes"
)

// tile is what is left of a loop in outer trips (walrus.md §4.6: "tile both by GCD(partition extents) if > 1"). The extents are read as the trip
// counts of the two loops that are to have equally many. The iterations run in their old order, so it is sound for any loop. One that is parallel is
// left alone, for its attribute would be said of two.
type tile struct {
	loop  *ir.Inst
	trips int64 // of the outer loop
}

// why tells what forbids to tile the loop; "" if nothing does, or nothing is to do.
func (t *tile) why() string {
	switch l := t.loop.Loop; {
	case t.trips <= 1 || l.Trips()%t.trips != 0:
		return tileFactor
	case l.Parallel || l.NoReorder:
		return tileFlags
	}
	return ""
}

// needed tells whether the loop has other trips than it is to have.
func (t *tile) needed() bool { return t.loop.Loop.Trips() != t.trips }

// apply makes the nest.
func (t *tile) apply(c *Ctx) {
	names, l := newNameSet(c), t.loop.Loop
	inner := &ir.Inst{Op: t.loop.Op, Engine: t.loop.Engine, Queue: t.loop.Queue, Name: names.fresh(t.loop.Name + "_t"),
		Loop: &ir.Loop{Axis: names.fresh(l.Axis + "_t"), Unroll: l.Unroll}}
	inner.Params = slices.Clone(t.loop.Params)
	c.Edit().Tile(t.loop, l.Trips()/t.trips, inner, names.fresh(t.loop.Name+"_body"))
}

// commonTrips returns the greatest common divisor of two trip counts from 1.
func commonTrips(a, b int64) int64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}
