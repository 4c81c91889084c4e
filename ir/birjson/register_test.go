package birjson

import (
	"strings"
	"testing"

	"birfuzz/ir"
)

// TestRegisterBesideSet: a register that nobody declares has no set of its own in the file, so none of its name is in the way.
func TestRegisterBesideSet(t *testing.T) {
	const text = `{"functions":[{"name":"f","allocations":[{"name":"r1_set","kind":"Internal","dtype":"int32","tensor_shape":[1,1],
"memorylocations":[{"name":"y","type":"DRAM","dims":[1,4]}]}],"blocks":[{"name":"b","instructions":[{"name":"I-0","opcode":"RegisterMove",
"ins":[{"kind":"imm_value","dtype":"int32","value":5}],"outs":[{"kind":"register_access","dtype":"int32","regref":"r1"}]}]}]}]}`
	p, err := Read(strings.NewReader(text), "m")
	if err != nil {
		t.Fatal(err)
	}
	if bad := ir.Verify(p, 0); bad != nil {
		t.Error(bad)
	}
	q, err := ir.Parse("m.bir", p.String())
	if err != nil {
		t.Fatal(err)
	}
	if bad := ir.Verify(q, 0); bad != nil {
		t.Error(bad)
	}
}
