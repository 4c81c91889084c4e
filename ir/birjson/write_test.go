package birjson_test

import (
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
)

// TestNotesFollow: unknown keys of a part come back with it, and go with it.
func TestNotesFollow(t *testing.T) {
	p := everyKey(t)
	for in := range p.Insts {
		switch in.Name {
		case "I-0":
			in.Args[1].Off = ir.Konst(0) // its addrs go, its own note stays
		case "I-1":
			in.Update = nil
		case "L0":
			in.Loop.Axis = "k"
		}
	}
	p.Consts = nil
	text := string(write(t, p))
	for note, stays := range map[string]bool{`"remote"`: true, `"colour"`: true, `"mode": 2`: true, `"extra"`: false, `"note"`: false, `"later"`: true, `"addrs"`: false} {
		if strings.Contains(text, note) != stays {
			t.Errorf("%s is there: %v, want %v", note, !stays, stays)
		}
	}
	read(t, "edited", []byte(text))
}

// TestLoopKeysElsewhere: what belongs to loops is unknown to other instructions, and kept.
func TestLoopKeysElsewhere(t *testing.T) {
	const keys = `"LoopAxis":null,"isParallel":1,"no_reorder":{},"unroll":[]`
	text := strings.Replace(module, `"opcode":"Load"`, `"opcode":"Load","blocks":[],`+keys, 1)
	got, err := birjson.Compact(read(t, "module", []byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range strings.Split(keys, ",") {
		if !strings.Contains(string(got), key) {
			t.Errorf("%s is lost in %s", key, got)
		}
	}
}

// TestSettingOutdoesNote: a key that was unknown and became a setting stands once.
func TestSettingOutdoesNote(t *testing.T) {
	p := read(t, "module", []byte(module))
	for in := range p.Insts {
		if in.Name == "I-1" {
			in.Extra = json.RawMessage(`{"op0":"max","opo":1}`)
		}
	}
	text := string(write(t, p))
	if strings.Count(text, `"op0"`) != 1 || !strings.Contains(text, `"op0": "add"`) || !strings.Contains(text, `"opo": 1`) {
		t.Errorf("got\n%s", text)
	}
}

// TestSymbolicOfManyLocations: where the set does not tell the location, the writer does.
func TestSymbolicOfManyLocations(t *testing.T) {
	p := read(t, "module", []byte(module))
	x := p.Cores[0].Sets[0]
	x.Locs = append(x.Locs, &ir.Loc{Name: "x2", Set: x, Type: ir.Input, Rows: 4, RowBytes: 32})
	text := write(t, p)
	q := read(t, "again", text)
	for in := range q.Insts {
		if in.Name == "I-1" && (in.Args[1].Loc.Name != "x" || !in.Args[1].Symbolic()) {
			t.Errorf("reads %s", in.Args[1].Loc.Name)
		}
	}
}

func TestWriteFails(t *testing.T) {
	for extra, want := range map[string]string{
		`{`:             `write bir.json: extra:1:2: got the end of the text, want a key in quotes`,
		`[]`:            `write bir.json: extra: got a list, want an object`,
		`{"b":1,"b":2}`: `write bir.json: extra: the key "b" stands twice`,
	} {
		_, err := birjson.Compact(&ir.Program{Version: 2, CoreID: ir.NoCore, Extra: json.RawMessage(extra)})
		if err == nil || err.Error() != want {
			t.Errorf("%s: got %v, want %s", extra, err, want)
		}
	}
	full := errors.New("disk full")
	if err := birjson.Write(failing{full}, &ir.Program{Version: 2}); !errors.Is(err, full) {
		t.Errorf("got %v, want %v", err, full)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

var _ io.Writer = failing{}

// TestDefaultsAreLeftOut: a module of defaults is empty, and reads as it was.
func TestDefaultsAreLeftOut(t *testing.T) {
	p := read(t, "empty", []byte(`{"version":2,"arch":"gen3","attributes":{},"functions":[],"x_birfuzz":{"facts":[],"const":{}}}`))
	if got := string(write(t, p)); got != "{}\n" {
		t.Errorf("got %s", got)
	}
	text := []byte(`{"functions":[{"name":"f","attributes":[],"allocations":[{"name":"s","kind":"Internal","dtype":"int8","tensor_class":"Tensor","addr_space":"Local","tensor_shape":[],
 "memorylocations":[{"name":"t","type":"SB","dims":[1,1],"allocated":false,"pinned":false,"addr":0,"base":0,"bank":0,"alias":[]}]}],
 "blocks":[{"name":"b","instructions":[{"name":"i","opcode":"Drain","engine":"Unassigned","queue":"","order":[],"predicates":[],"ins":[],"outs":[],"indirection_ins":[],
 "dependencies":[],"loop_carried_dependencies":[],"scheduled_start":0,"scheduled_end":0,"sync_info":{"on_wait":[],"on_update":[]}}]}]}]}`)
	const want = `{"functions":[{"allocations":[{"Skind":"memory_location_set","dtype":"int8","kind":"Internal",` +
		`"memorylocations":[{"Skind":"memory_location","dims":[1,1],"name":"t","type":"SB"}],"name":"s"}],` +
		`"blocks":[{"instructions":[{"name":"i","opcode":"Drain"}],"name":"b"}],"name":"f"}]}`
	got, err := birjson.Compact(read(t, "defaults", text))
	if err != nil || string(got) != want {
		t.Errorf("got  %s (%v)\nwant %s", got, err, want)
	}
}

// TestText: a program that went through the text form is the same bir.json.
func TestText(t *testing.T) {
	p := everyKey(t)
	q, err := ir.Parse("every.bir", p.String())
	if err != nil {
		t.Fatal(err)
	}
	got, want := write(t, q), write(t, p)
	if string(got) != string(want) {
		t.Error(firstDifference(got, want))
	}
}
