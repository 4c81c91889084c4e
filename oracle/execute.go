package oracle

import "birfuzz/ir"

// Result is what a program computed.
type Result struct {
	// Outputs holds the ExternalOutputs by location name, in the dtype and shape of their set; where the set has several locations, or another
	// size, the shape is the number of elements. After a fault they are what stood there when the run ended.
	Outputs ir.Values
	Fault   *Fault // nil: the program has a meaning for these inputs
	Limited bool   // the run was given up: DefaultMaxSteps
}

// Execute runs a program in order (semantics §2) on the given inputs. An error means that the program does not hold together, is too large, or
// that an input is missing or does not fit. Bytes that the program leaves undefined are 0xFF.
func Execute(p *ir.Program, in ir.Values) (Result, error) {
	m := NewMachine()
	if err := m.Prepare(p, Layout{}); err != nil {
		return Result{}, err
	}
	out, err := m.Run(in, Way{Clear: true})
	if err != nil {
		return Result{}, err
	}
	return Result{Outputs: m.Outputs(), Fault: out.Fault, Limited: out.Limited}, nil
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
	size := int64(l.loc.Set.DType.Size())
	n := size
	for _, d := range l.loc.Set.Shape {
		if n *= d; n > int64(bytes) || n < 0 {
			break
		}
	}
	if n == int64(bytes) && size > 0 {
		return append([]int64(nil), l.loc.Set.Shape...)
	}
	return []int64{int64(bytes) / max(size, 1)}
}
