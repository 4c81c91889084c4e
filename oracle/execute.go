package oracle

import (
	"slices"

	"birfuzz/ir"
)

// Result is what a program computed.
type Result struct {
	// Outputs holds the ExternalOutputs by location name, in the dtype and shape of their set; where the set has several locations, or another
	// size, the shape is the number of elements. After a fault they are what stood there when the run ended.
	Outputs ir.Values
	Poison  map[string][]bool // which bytes of the outputs are undefined (semantics §5); nil where memory is too large for a shadow
	Fault   *Fault            // nil: the program has a meaning for these inputs
	Limited bool              // the run was given up: DefaultMaxSteps
}

// maxShadow is the largest number of units of memory of which Execute keeps a shadow: some 30 bytes each.
const maxShadow = 16 << 20

// Execute runs a program as its facts say, in order or as engines (semantics §2), on the given inputs. An error means that the program does not hold together, is too large, or
// that an input is missing or does not fit. Bytes that the program leaves undefined are 0xFF where it never touched them.
func Execute(p *ir.Program, in ir.Values) (Result, error) { return ExecuteAs(p, in, orderOf(p)) }

// ExecuteAs is Execute in a given order. An error tells, too, that the schedule names what the program does not have.
func ExecuteAs(p *ir.Program, in ir.Values, s Schedule) (Result, error) {
	m := NewMachine()
	if err := m.Prepare(p, Layout{}); err != nil {
		return Result{}, err
	}
	var t *elementTracker
	var seen outcome
	if unit := unitOf(p); m.size/unit <= maxShadow {
		t = &elementTracker{}
		t.observe(elementGrain, lens{unit: unit}, &seen)
		t.bind(m)
		m.track = t
	}
	out, err := m.Run(in, Way{Clear: true, Schedule: s})
	if err != nil {
		return Result{}, err
	}
	r := Result{Outputs: m.Outputs(), Fault: out.Fault, Limited: out.Limited}
	if t != nil {
		t.finish()
		r.Poison = seen.poison()
	}
	return r, nil
}

// poison tells which bytes of the outputs are undefined in a finished run at element grain.
func (o *outcome) poison() map[string][]bool {
	all := map[string][]bool{}
	for i := o.final; i < len(o.shots); i++ {
		s := &o.shots[i]
		var bytes []bool
		for _, u := range o.unitsOf(s) {
			bytes = append(bytes, slices.Repeat([]bool{u == poisonOrigin}, o.lens.unit)...)
		}
		all[o.visible[s.vis].name] = bytes
	}
	return all
}

// Outputs returns the ExternalOutputs as they stand now, see Result.Outputs.
func (m *Machine) Outputs() ir.Values {
	out := ir.Values{}
	for i := range m.locations {
		l := &m.locations[i]
		if l.loc.Set.Kind != ir.ExternalOutput {
			continue
		}
		data := m.read(nil, l)
		out[l.name] = ir.Tensor{DType: l.loc.Set.DType, Shape: shapeOf(l, len(data)), Data: data}
	}
	return out
}

// shapeOf returns the shape of the set of l if it has as many bytes as l, else the number of elements.
func shapeOf(l *location, bytes int) []int64 {
	size := int64(max(l.loc.Set.DType.Size(), 1))
	n := size
	for _, d := range l.loc.Set.Shape {
		if d != 0 && n > int64(bytes)/d { // larger, or about to overflow
			n = -1
			break
		}
		n *= d
	}
	if n == int64(bytes) {
		return slices.Clone(l.loc.Set.Shape)
	}
	return []int64{int64(bytes) / size}
}
