package birjson_test

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"birfuzz/ir/birjson"
)

// module is a small legal module whose parts the tests replace.
const module = `{"functions":[{"name":"f","allocations":[
 {"name":"x_set","kind":"ExternalInput","dtype":"float32","tensor_shape":[4,8],"memorylocations":[{"name":"x","type":"Input","dims":[4,32]}]},
 {"name":"t_set","kind":"Internal","dtype":"float32","tensor_shape":[4,8],"memorylocations":[{"name":"t","type":"SB","dims":[4,32]},{"name":"u","type":"SB","dims":[4,32]}]}],
"blocks":[{"name":"b","instructions":[
 {"name":"I-0","opcode":"Load","engine":"SP","ins":[{"kind":"physical_ap","dtype":"float32","memref":"x","ap":[[8,4],[1,8]]}],"outs":[{"kind":"physical_ap","dtype":"float32","memref":"t","ap":[[8,4],[1,8]]}]},
 {"name":"L0","opcode":"Loop","LoopAxis":{"name":"i","ub":2},"blocks":[{"name":"body","instructions":[
  {"name":"I-1","opcode":"TensorScalar","op0":"add","const0":1.5,"ins":[{"kind":"symbolic_ap","dtype":"float32","memsetref":"x_set","addrs":[{"kind":"AffIVKind","axis":"i"}],"ap":[[8,4],[1,8]]}],"outs":[{"kind":"physical_ap","dtype":"float32","memref":"t","ap":[[8,4],[1,8]]}],"dependencies":["I-0"]}]}]}
]}]}]}`

// The paths of the module's parts.
const (
	atF  = "functions[0]"
	atI0 = "functions[0].blocks[0].instructions[0]"
	atL0 = "functions[0].blocks[0].instructions[1]"
	atI1 = "functions[0].blocks[0].instructions[1].blocks[0].instructions[0]"
)

// illegal is texts that are JSON but no module: what to replace in the module, by what, and the whole error.
var illegal = []struct{ name, old, new, want string }{
	{"root", module, `[]`, `: got a list, want an object`},
	{"null", module, ` null`, `: got null, want an object`},
	{"version", `{"functions"`, `{"version":3,"functions"`, `: version: got 3, want 2`},
	{"arch", `{"functions"`, `{"arch":"gen9","functions"`, `: arch: got "gen9", want an arch (sunda, gen3, core_v4)`},
	{"core", `{"functions"`, `{"attributes":{"neuron_core_id":-1},"functions"`, `: attributes.neuron_core_id: got -1, want an integer from 0 to 2147483647`},
	{"attributes", `{"functions"`, `{"attributes":[],"functions"`, `: attributes: got a list, want an object`},
	{"fact", `{"functions"`, `{"x_birfuzz":{"facts":["Deps","Tidy"]},"functions"`, `: x_birfuzz.facts[1]: got "Tidy", want the name of a fact`},
	{"const", `{"functions"`, `{"x_birfuzz":{"const":{"q":{"dtype":"int8","shape":[1],"data":"AA=="}}},"functions"`, `: x_birfuzz.const.q: no location "q"`},
	{"const size", `{"functions"`, `{"x_birfuzz":{"const":{"x":{"dtype":"int8","shape":[1],"data":"AA=="}}},"functions"`, `: x_birfuzz.const.x: got 1 bytes, want the 128 of the location`},
	{"key twice", `"name":"f"`, `"name":"f","name":"g"`, `: ` + atF + `: the key "name" stands twice`},
	{"key twice, spelt otherwise", `"name":"f"`, `"name":"f","n\u0061me":"g"`, `: ` + atF + `: the key "name" stands twice`},
	{"key twice, unknown", `"name":"f"`, `"name":"f","odd key":{"b":1,"a":2,"b":3}`, `: ` + atF + `["odd key"]: the key "b" stands twice`},
	{"function", `"name":"f"`, `"name":7`, `: ` + atF + `.name: got 7, want a name`},
	{"function without name", `"name":"f",`, ``, `: ` + atF + `: no "name"`},
	{"second function", `{"functions":[`, `{"functions":[{"name":"f"},`, `: functions[1]: a second function "f"`},
	{"tab in a name", `"name":"f"`, `"name":"a\tb"`, `: ` + atF + `.name: got "a\tb", want a name, not empty and without control characters`},
	{"empty name", `"name":"b"`, `"name":""`, `: ` + atF + `.blocks[0].name: got "", want a name, not empty and without control characters`},
	{"second block", `"name":"body"`, `"name":"b"`, `: ` + atL0 + `.blocks[0].name: a second block "b"`},
	{"second instruction", `"name":"I-1"`, `"name":"I-0"`, `: ` + atI1 + `.name: a second instruction "I-0"`},
	{"second set", `"name":"t_set"`, `"name":"x_set"`, `: ` + atF + `.allocations[1].name: a second memory-location set "x_set"`},
	{"second location", `"name":"t"`, `"name":"x"`, `: ` + atF + `.allocations[1].memorylocations[0].name: a second location "x"`},
	{"skind", `{"name":"x_set"`, `{"Skind":"memory_location","name":"x_set"`, `: ` + atF + `.allocations[0].Skind: got "memory_location", want memory_location_set`},
	{"kind", `"kind":"Internal"`, `"kind":"External"`, `: ` + atF + `.allocations[1].kind: got "External", want a tensor kind (Internal, ExternalInput, …)`},
	{"set without kind", `"kind":"Internal",`, ``, `: ` + atF + `.allocations[1]: no "kind"`},
	{"dtype", `"kind":"Internal","dtype":"float32"`, `"kind":"Internal","dtype":"float33"`, `: ` + atF + `.allocations[1].dtype: got "float33", want a dtype`},
	{"type", `"type":"SB"`, `"type":["SB"]`, `: ` + atF + `.allocations[1].memorylocations[0].type: got a list, want a memory type (Input, Output, DRAM, SB, PSUM, REG)`},
	{"huge shape", `"tensor_shape":[4,8]`, `"tensor_shape":[1152921504606846976]`, `: ` + atF + `.allocations[0].tensor_shape[0]: got 1152921504606846976, want an integer from 0 to 1099511627776`},
	{"shape that overflows", `"tensor_shape":[4,8]`, `"tensor_shape":[1099511627776,1099511627776,1099511627776]`, `: ` + atF + `.allocations[0].tensor_shape: more than 1099511627776 bytes`},
	{"dims that overflow", `"dims":[4,32]`, `"dims":[4294967296,4294967296]`, `: ` + atF + `.allocations[0].memorylocations[0].dims: more than 1099511627776 bytes`},
	{"one dim", `"dims":[4,32]`, `"dims":[4]`, `: ` + atF + `.allocations[0].memorylocations[0].dims: got 1 numbers, want rows and bytes a row`},
	{"float dim", `"dims":[4,32]`, `"dims":[4,32.0]`, `: ` + atF + `.allocations[0].memorylocations[0].dims[1]: got 32.0, want an integer from 0 to 1099511627776`},
	{"pinned", `"dims":[4,32]`, `"pinned":1,"dims":[4,32]`, `: ` + atF + `.allocations[0].memorylocations[0].pinned: got 1, want true or false`},
	{"alias", `"dims":[4,32]`, `"alias":[["x_set","y",1]],"dims":[4,32]`, `: ` + atF + `.allocations[0].memorylocations[0].alias[0][1]: no location "y"`},
	{"alias kind", `"dims":[4,32]`, `"alias":[["t_set","t",2]],"dims":[4,32]`, `: ` + atF + `.allocations[0].memorylocations[0].alias[0][2]: got 2, want 1 (may) or 3 (must)`},
	{"alias set", `"dims":[4,32]`, `"alias":[["x_set","t",1]],"dims":[4,32]`, `: ` + atF + `.allocations[0].memorylocations[0].alias[0][0]: location "t" is in set "t_set"`},
	{"alias length", `"dims":[4,32]`, `"alias":[["t_set","t"]],"dims":[4,32]`, `: ` + atF + `.allocations[0].memorylocations[0].alias[0]: got a list of 2, want [set, location, kind]`},
	{"opcode", `"opcode":"Load"`, `"opcode":"Lode"`, `: ` + atI0 + `.opcode: no instruction "Lode"`},
	{"no opcode", `"opcode":"Load",`, ``, `: ` + atI0 + `: no "opcode"`},
	{"engine", `"engine":"SP"`, `"engine":"GpSimd"`, `: ` + atI0 + `.engine: got "GpSimd", want an engine (PE, Activation, Pool, DVE, SP, DMA, ALL, Unassigned)`},
	{"no location", `"memref":"t"`, `"memref":"t7"`, `: ` + atI0 + `.outs[0].memref: no location "t7"`},
	{"wrong set", `"memref":"t"`, `"memref":"t","memsetref":"x_set"`, `: ` + atI0 + `.outs[0].memsetref: got "x_set", want "t_set", the set of location "t"`},
	{"operand kind", `"kind":"physical_ap"`, `"kind":"register_ap"`, `: ` + atI0 + `.ins[0].kind: got "register_ap", want physical_ap, symbolic_ap, imm_value or register_access`},
	{"no operand", `"outs":[{"kind":"physical_ap","dtype":"float32","memref":"t","ap":[[8,4],[1,8]]}]},`, `"outs":[]},`, `: ` + atI0 + `.outs: got 0 outs, want 1: dst`},
	{"absent operands", `"outs":[{"kind":"physical_ap","dtype":"float32","memref":"t","ap":[[8,4],[1,8]]}]},`, `"engine_id":0},`, `: ` + atI0 + `: got 0 outs, want 1: dst`},
	{"offset of symbolic", `"addrs":`, `"offset":0,"addrs":`, `: ` + atI1 + `.ins[0].offset: symbolic_ap has no such key`},
	{"set of two", `"memsetref":"x_set","addrs"`, `"memsetref":"t_set","addrs"`, `: ` + atI1 + `.ins[0].memsetref: set "t_set" holds 2 locations, want 1`},
	{"no set", `"memsetref":"x_set","addrs"`, `"memsetref":"q","addrs"`, `: ` + atI1 + `.ins[0].memsetref: no memory-location set "q"`},
	{"two addrs", `"addrs":[`, `"addrs":[{"kind":"AffExprKind"},`, `: ` + atI1 + `.ins[0].addrs: got 2 expressions, want 1`},
	{"six pairs", `"ap":[[8,4],[1,8]]`, `"ap":[[8,4],[1,8],[1,1],[1,1],[1,1],[1,1]]`, `: ` + atI0 + `.ins[0].ap: more than 5 pairs`},
	{"no pair", `"ap":[[8,4],[1,8]]`, `"ap":[]`, `: ` + atI0 + `.ins[0].ap: no pair, want 1 to 5`},
	{"triple", `"ap":[[8,4],[1,8]]`, `"ap":[[8,4,1]]`, `: ` + atI0 + `.ins[0].ap[0]: got 3 numbers, want [step, num]`},
	{"counts that overflow", `"ap":[[8,4],[1,8]]`, `"ap":[[0,2147483647],[0,2147483647],[0,2147483647],[0,2147483647],[0,2147483647]]`, `: ` + atI0 + `.ins[0].ap: more than 1099511627776 elements`},
	{"step that overflows", `"ap":[[8,4],[1,8]]`, `"ap":[[2147483647,2147483647]]`, `: ` + atI0 + `.ins[0].ap[0]: step × num is beyond ±1099511627776`},
	{"num that overflows", `"ap":[[8,4],[1,8]]`, `"ap":[[8,4],[1,4294967304]]`, `: ` + atI0 + `.ins[0].ap[1][1]: got 4294967304, want an integer from 0 to 2147483647`},
	{"no axis", `"axis":"i"`, `"axis":"j"`, `: ` + atI1 + `.ins[0].addrs[0].axis: no loop with axis "j" around it`},
	{"axis outside", `"engine":"SP"`, `"order":[{"kind":"AffIVKind","axis":"i"}]`, `: ` + atI0 + `.order[0].axis: no loop with axis "i" around it`},
	{"own axis", `"name":"L0"`, `"name":"L0","predicates":[{"expr":{"kind":"AffIVKind","axis":"i"},"cmp":"is_lt"}]`, `: ` + atL0 + `.predicates[0].expr.axis: no loop with axis "i" around it`},
	{"axis twice", `{"name":"I-1"`, `{"name":"L1","opcode":"Loop","LoopAxis":{"name":"i"}},{"name":"I-1"`, `: ` + atI1 + `.LoopAxis.name: axis "i" is that of a loop around this one`},
	{"stride", `"ub":2`, `"stride":0`, `: ` + atL0 + `.LoopAxis.stride: got 0, want an integer from 1 to 2147483647`},
	{"no axis at all", `"LoopAxis":{"name":"i","ub":2},`, ``, `: ` + atL0 + `: no "LoopAxis"`},
	{"expression kind", `"kind":"AffIVKind"`, `"kind":"CCDivKind"`, `: ` + atI1 + `.ins[0].addrs[0].kind: got "CCDivKind", want AffExprKind, AffIVKind, FloorDivKind, ModuloKind, SumKind, MultKind or ShardIDKind`},
	{"division by 0", `{"kind":"AffIVKind","axis":"i"}`, `{"kind":"FloorDivKind","numer":{"kind":"AffIVKind","axis":"i"},"denom":0}`, `: ` + atI1 + `.ins[0].addrs[0].denom: got 0, want an integer from 1 to 2147483647`},
	{"coefficients that overflow", `{"kind":"AffIVKind","axis":"i"}`, `{"kind":"MultKind","scale":281474976710656,"var":{"kind":"MultKind","scale":281474976710656,"var":{"kind":"AffIVKind","axis":"i"}}}`, `: ` + atI1 + `.ins[0].addrs[0]: expression can leave ±281474976710656`},
	{"constants that overflow", `{"kind":"AffIVKind","axis":"i"}`, `{"kind":"SumKind","terms":[{"kind":"AffExprKind","c":281474976710656},{"kind":"AffExprKind","c":281474976710656}]}`, `: ` + atI1 + `.ins[0].addrs[0]: expression can leave ±281474976710656`},
	{"dependency", `["I-0"]`, `["I-9"]`, `: ` + atI1 + `.dependencies[0]: no instruction "I-9"`},
	{"edge kind", `["I-0"]`, `[["I-0","Invalid"]]`, `: ` + atI1 + `.dependencies[0][1]: got "Invalid", want an edge kind (Ordered, Anti, Output, Flow)`},
	{"edge form", `["I-0"]`, `[{"name":"I-0"}]`, `: ` + atI1 + `.dependencies[0]: got an object, want a name or [name, kind]`},
	{"itself", `["I-0"]`, `["I-1"]`, `: ` + atI1 + `.dependencies[0]: instruction "I-1" depends on itself`},
	{"carried", `"dependencies":["I-0"]`, `"loop_carried_dependencies":[["I-1","Flow"]]`, `: ` + atI1 + `.loop_carried_dependencies[0]: got a list of 2, want [name, kind, [distances]]`},
	{"predicate", `"dependencies":["I-0"]`, `"predicates":[{"cmp":"is_ge"}]`, `: ` + atI1 + `.predicates[0]: no "expr"`},
	{"semaphore", `"dependencies":["I-0"]`, `"sync_info":{"on_wait":[{"id":"s"}]}`, `: ` + atI1 + `.sync_info.on_wait[0].id: got "s", want an integer from 0 to 2147483647`},
	{"float where an int is due", `"ub":2`, `"ub":2.5`, `: ` + atL0 + `.LoopAxis.ub: got 2.5, want an integer from -2147483647 to 2147483647`},
	{"nan where an int is due", `"ub":2`, `"ub":"nan"`, `: ` + atL0 + `.LoopAxis.ub: got "nan", want an integer from -2147483647 to 2147483647`},
	{"int that overflows", `"ub":2`, `"ub":99999999999999999999`, `: ` + atL0 + `.LoopAxis.ub: got 99999999999999999999, want an integer from -2147483647 to 2147483647`},
	{"object where an int is due", `"ub":2`, `"ub":{}`, `: ` + atL0 + `.LoopAxis.ub: got an object, want an integer from -2147483647 to 2147483647`},
	{"operator", `"op0":"add"`, `"op0":"plus"`, `: ` + atI1 + `.op0: got "plus", want one of bypass, add, subtract, mult, divide, max, min, average, pow, mod, rsqrt, abs, abs_max, abs_min, logical_and, logical_or, logical_xor, is_equal, not_equal, is_gt, is_ge, is_lt, is_le, bitwise_not, bitwise_and, bitwise_or, bitwise_xor, arith_shift_left, arith_shift_right, logical_shift_left, logical_shift_right`},
	{"float setting", `"const0":1.5`, `"const0":"1.5"`, `: ` + atI1 + `.const0: got "1.5", want a number, "nan", "inf" or "-inf"`},
	{"float that overflows", `"const0":1.5`, `"const0":1e999`, `: ` + atI1 + `.const0: got 1e999, want a number, "nan", "inf" or "-inf"`},
	{"long value", `"const0":1.5`, `"const0":"` + strings.Repeat("é", 30) + `"`, `: ` + atI1 + `.const0: got "` + strings.Repeat("é", 19) + `…, want a number, "nan", "inf" or "-inf"`},
}

func TestIllegal(t *testing.T) {
	if _, err := birjson.Read(strings.NewReader(module), "case.json"); err != nil {
		t.Fatal(err)
	}
	for _, c := range illegal {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(module, c.old, c.new, 1)
			if text == module {
				t.Fatalf("%s is not in the module", c.old)
			}
			_, err := birjson.Read(strings.NewReader(text), "case.json")
			var e *birjson.Error
			if !errors.As(err, &e) {
				t.Fatalf("got error %v, want a *birjson.Error", err)
			}
			if err.Error() != "case.json"+c.want {
				t.Errorf("got  %s\nwant case.json%s", err, c.want)
			}
		})
	}
}

// settings is errors in the settings of one instruction without operands to speak of.
var settings = []struct{ name, inst, want string }{
	{"two forms", `"opcode":"TensorScalarPtr","is_scalar_tensor_tensor":true,"is_tensor_tensor_scan":true`, `: no form of TensorScalarPtr has these settings together: is_scalar_tensor_tensor true, is_tensor_tensor_scan true`},
	{"flag of both", `"opcode":"Matmult","accumulation_flag":5,` + matmul, `.accumulation_flag: got 5, want start (1) or accumulate (4), not both`},
	{"flag too large", `"opcode":"Matmult","accumulation_flag":8,` + matmul, `.accumulation_flag: got 8, want an integer from 0 to 7`},
	{"flag against start", `"opcode":"Matmult","accumulation_flag":4,"start_tensor_calc":true,` + matmul, `.accumulation_flag: start_tensor_calc says otherwise`},
	{"flag against stop", `"opcode":"Matmult","accumulation_flag":6,"stop_tensor_calc":false,` + matmul, `.accumulation_flag: stop_tensor_calc says otherwise`},
	{"two spellings", `"opcode":"Exponential","acc":"Zero","reduce_cmd":"Idle","ins":[` + ap + `],"outs":[` + ap + `]`, `.reduce_cmd: another spelling of reduce_cmd says otherwise`},
	{"mask length", `"opcode":"StreamShuffle","mask":[1,2],"ins":[` + ap + `],"outs":[` + ap + `]`, `.mask: got 2 numbers, want 32`},
	{"pattern", `"opcode":"Iota","pattern":[[1,2],[3]],"outs":[` + ap + `]`, `.pattern[1]: got 1 numbers, want 2`},
	{"bits", `"opcode":"Memset","constant":-1,"outs":[` + ap + `]`, `.constant: got -1, want an integer from 0 to 18446744073709551615`},
	{"too many operands", `"opcode":"Activation","ins":[` + ap + `,` + ap + `,` + ap + `],"outs":[` + ap + `]`, `.ins: got 3 ins, want 2: x, [bias]`},
	{"operands of a fence", `"opcode":"Drain","ins":[` + ap + `]`, `.ins: got 1 ins, want none`},
	{"not a register", `"opcode":"RegisterMove","ins":[{"kind":"register_access","dtype":"int32","regref":"t"}],"outs":[{"kind":"register_access","dtype":"int32","regref":"r0"}]`, `.ins[0].regref: location "t" is in SB, want a register`},
	{"memory of an immediate", `"opcode":"RegisterMove","ins":[{"kind":"imm_value","dtype":"int32","memref":"t"}],"outs":[{"kind":"register_access","dtype":"int32","regref":"r0"}]`, `.ins[0].memref: imm_value has no such key`},
}

const (
	ap     = `{"kind":"physical_ap","dtype":"float32","memref":"t","ap":[[8,4],[1,8]]}`
	matmul = `"ins":[` + ap + `,` + ap + `],"outs":[` + ap + `]`
)

func TestIllegalSettings(t *testing.T) {
	for _, c := range settings {
		t.Run(c.name, func(t *testing.T) {
			text := strings.Replace(module, `{"name":"I-0"`, `{"name":"new",`+c.inst+`},{"name":"I-0"`, 1)
			_, err := birjson.Read(strings.NewReader(text), "case.json")
			if want := "case.json: " + atI0 + c.want; err == nil || err.Error() != want {
				t.Errorf("got  %v\nwant %s", err, want)
			}
		})
	}
}

// garbage is texts that are no JSON, and the whole error.
var garbage = []struct{ name, text, want string }{
	{"nothing", "", "1:1: got the end of the text, want a value"},
	{"white space", " \n ", "2:2: got the end of the text, want a value"},
	{"truncated", "{\"functions\": [\n {\"name\"", "2:9: got the end of the text, want ':'"},
	{"truncated list", "[1,2", "1:5: got the end of the text, want ',' or ']'"},
	{"truncated string", `{"na`, `1:5: got the end of the text, want '"' at the end of the string`},
	{"truncated word", `[tru`, `1:2: got tru, want a value`},
	{"trailing data", `{} {}`, `1:4: got '{', want the end of the text`},
	{"trailing comma", `[1,]`, `1:4: got ']', want a value`},
	{"key without quotes", `{a:1}`, `1:2: got a, want a key in quotes`},
	{"python", `{"value": NaN}`, `1:11: got NaN, want a value (numbers that JSON cannot hold are the strings "nan", "inf", "-inf")`},
	{"infinity", `[-Infinity]`, `1:3: got Infinity, want a digit`},
	{"leading zero", `[01]`, `1:3: got '1', want ',' or ']'`},
	{"no fraction", `[1.]`, `1:4: got ']', want a digit`},
	{"no exponent", `[1e+]`, `1:5: got ']', want a digit`},
	{"tab in a string", "{\"name\":\"a\tb\"}", `1:11: got '\t', want no control character in a string`},
	{"escape", `["\x"]`, `1:4: got x, want one of "\/bfnrtu after a backslash`},
	{"short escape", `["\u12g4"]`, `1:3: got '\\', want \u and four hexadecimal digits`},
	{"lone surrogate", `["\ud83d"]`, `1:3: got '\\', want both halves of a surrogate pair`},
	{"two high surrogates", `["\ud83d\ud83d"]`, `1:3: got '\\', want both halves of a surrogate pair`},
	{"not UTF-8", "[\"a\xff\"]", `1:4: got byte 0xff, want UTF-8`},
	{"nul", "\x00", `1:1: got '\x00', want a value`},
	{"binary", "\x7fELF\x02", `1:1: got '\x7f', want a value`},
	{"mark", "\ufeff{}", `1:1: got '\ufeff', want a value`},
	{"deep lists", strings.Repeat("[", 10<<20), `1:513: objects and lists nested more than 512 deep`},
	{"deep loops", strings.Repeat(`{"blocks":[{"instructions":[`, 1_000_000), `1:3585: objects and lists nested more than 512 deep`},
}

func TestGarbage(t *testing.T) {
	for _, c := range garbage {
		t.Run(c.name, func(t *testing.T) {
			_, err := birjson.Read(strings.NewReader(c.text), "case.json")
			_, ioErr := birjson.ReadIO(strings.NewReader(c.text), "case.json")
			for _, err := range []error{err, ioErr} {
				var e *birjson.SyntaxError
				if !errors.As(err, &e) {
					t.Fatalf("got error %v, want a *birjson.SyntaxError", err)
				}
				if want := "case.json:" + c.want; err.Error() != want {
					t.Errorf("got  %s\nwant %s", err, want)
				}
			}
		})
	}
}

// TestReaderFails: an error of the reader is neither garbage nor an illegal module.
func TestReaderFails(t *testing.T) {
	broken := errors.New("cable pulled")
	_, err := birjson.Read(io.MultiReader(strings.NewReader("{"), iotest.ErrReader(broken)), "case.json")
	if !errors.Is(err, broken) || err.Error() != "case.json: cable pulled" {
		t.Errorf("got %v", err)
	}
}

// TestEveryPrefix: a text cut anywhere is garbage, never a panic and never a module.
func TestEveryPrefix(t *testing.T) {
	for n := range len(module) {
		_, err := birjson.Read(strings.NewReader(module[:n]), "case.json")
		var e *birjson.SyntaxError
		if !errors.As(err, &e) {
			t.Fatalf("%d bytes: got error %v, want a *birjson.SyntaxError", n, err)
		}
	}
}
