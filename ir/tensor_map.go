package ir

import (
	"bytes"
	"encoding/json"
)

// tensorMapKey is the module key of the tensor map: what the vendor's compiler keeps in tensor_map.json beside the module, or embedded in
// it. The public record gives neither its content nor a key for the embedded form. Here it is the member "tensor_map" of the module, an
// object whose keys are names of locations or sets; what stands under a name is carried along unread. A map of any other form is left alone.
const tensorMapKey = "tensor_map"

// pruneTensorMap takes the names that no location and no set bears any longer out of the tensor map.
func (p *Program) pruneTensorMap(names map[string]bool) {
	if !bytes.Contains(p.Extra, []byte(`"`+tensorMapKey+`"`)) {
		return
	}
	for _, f := range p.Cores {
		for _, s := range f.Sets {
			delete(names, s.Name)
			for _, l := range s.Locs {
				delete(names, l.Name)
			}
		}
	}
	var module, tensors map[string]json.RawMessage
	if json.Unmarshal(p.Extra, &module) != nil || json.Unmarshal(module[tensorMapKey], &tensors) != nil {
		return
	}
	had := len(tensors)
	for name := range names {
		delete(tensors, name)
	}
	if len(tensors) < had {
		module[tensorMapKey] = objectOf(tensors)
		p.Extra = objectOf(module)
	}
}

// objectOf returns a JSON object, its keys sorted.
func objectOf(members map[string]json.RawMessage) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(members); err != nil {
		panic("tensor map: " + err.Error()) // the members were parsed a moment ago
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}
