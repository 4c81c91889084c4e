package oracle

import (
	"errors"
	"fmt"

	"birfuzz/ir"
)

var errNotPrepared = errors.New("no program is prepared")

// fill sets all bytes of b to v.
func fill(b []byte, v byte) {
	for i := range b {
		b[i] = v
	}
}

// listInputs notes the locations that the host fills: ExternalInputs and constants.
func (m *Machine) listInputs() {
	m.inputs = m.inputs[:0]
	for i := range m.locations {
		if k := m.locations[i].loc.Set.Kind; k == ir.ExternalInput || k == ir.Const {
			m.inputs = append(m.inputs, int32(i))
		}
	}
}

// load writes the inputs. Values of names that the program does not have are ignored: a pass may have removed what read them.
func (m *Machine) load(in ir.Values) error {
	for _, i := range m.inputs {
		l := &m.locations[i]
		t, ok := in[l.name]
		if !ok {
			t, ok = m.program.Consts[l.name]
		}
		switch want := l.rows * l.rowBytes; {
		case !ok:
			return fmt.Errorf("input %q is missing", l.name)
		case len(t.Data) != want:
			return fmt.Errorf("input %q has %d bytes, want %d", l.name, len(t.Data), want)
		case t.DType != l.loc.Set.DType:
			return fmt.Errorf("input %q is of dtype %v, want %v", l.name, t.DType, l.loc.Set.DType)
		}
		m.write(l, t.Data)
		if m.track != nil {
			m.track.input(l, len(t.Data))
		}
	}
	return nil
}

// row returns row r of a location.
func (m *Machine) row(l *location, r int) []byte {
	at := l.at + r*l.st.pitch
	return m.data[at : at+l.rowBytes]
}

// write gives a location its bytes, row after row.
func (m *Machine) write(l *location, b []byte) {
	for r := range l.rows {
		copy(m.row(l, r), b[r*l.rowBytes:])
	}
}

// read appends the bytes of a location, row after row.
func (m *Machine) read(dst []byte, l *location) []byte {
	for r := range l.rows {
		dst = append(dst, m.row(l, r)...)
	}
	return dst
}
