package bircheck

import (
	"strings"
	"testing"

	"birfuzz/ir"
	"birfuzz/ir/birjson"
)

// stage is what the code of the cases works on.
const stage = `  sb a: f32[128,64]
  sb b: f32[128,64]
  sb c: f32[128,1]
  sb w: f32[128,512]
  sb e: f32[128,8]
  sb i: i32[128,64]
  sb j: i16[128,64]
  sb n: i32[128,1]
  sb g: bf16[128,64]
  sb k: u32[128,8]
  sb odd: i8[128,6]
  psum p: f32[128,64]
  psum q: f32[128,64]
  psum h: f32[128,1024]
  psum m: bf16[128,8192]
  input x: f32[128,64]
  output y: f32[128,64]
  dram d: f32[256,64]
  reg r0
`

// spoiled is a line of code that is right, one like it that breaks a rule, and the rule.
type spoiled struct{ rule, right, wrong string }

var spoiledCode = []spoiled{
	{"engine", "I: a = TensorTensor a, b op=add @DVE", "I: a = TensorTensor a, b op=add @Activation"},
	{"arch", "I: a = Activation b @Activation", "I: a = Exponential b @DVE"},
	{"dtype", "I: k = MaxIndex w, e @DVE", "I: e = MaxIndex w, e @DVE"},
	{"dtype", "I: a = StreamTranspose b @DVE", "I: a = StreamTranspose i @DVE"},
	{"arch", "I: j[128x128, 1x64]:f8e4 = Memset @DVE", "I: j[128x128, 1x64]:f8e4m3fn = Memset @DVE"},
	{"memory", "I: a = Load x @SP", "I: p = Load x @SP"},
	{"memory", "I: p = TensorCopy a @DVE", "I: p = TensorCopy a @Pool"},
	{"memory", "I: a = TensorTensor p, b op=add @DVE", "I: a = TensorTensor p, q op=add @DVE"},
	{"shape", "I: a[0:64,:] = TensorCopy b[64:128,:] @DVE", "I: a[0:64,:] = TensorCopy b @DVE"},
	{"shape", "I: a = TensorScalarPtr b, c op0=add @DVE", "I: a = TensorScalarPtr b, b op0=add @DVE"},
	{"shape", "I: y = Save a @SP", "I: y = Save a[:,0:8] @SP"},
	{"pattern", "I: a[64x128, 1x64] = Memset @DVE", "I: a[32x128, 1x32] = Memset @DVE"},
	{"bounds", "I: a[64x64, 1x64 at 4096] = Memset @DVE", "I: a[64x64, 1x64 at 4097] = Memset @DVE"},
	{"bounds", "I: a = Load d[64x128, 1x64 at 8192] @SP", "I: a = Load d[64x128, 1x64 at 8193] @SP"},
	{"bounds", "L: for u = 0..2 {\n  I: a[64x64, 1x64 at 4096*u] = Memset @DVE\n  }", "L: for u = 0..3 {\n  I: a[64x64, 1x64 at 4096*u] = Memset @DVE\n  }"},
	{"bounds", "L: for u = 0..400000 {\n  I: a[64x1, 1x1 at 6144*floordiv(u, 399999)] = Memset @DVE\n  }", "L: for u = 0..400000 {\n  I: a[64x1, 1x1 at 8192*floordiv(u, 399999)] = Memset @DVE\n  }"},
	{"partition", "I: a[96:128,:] = Memset @DVE", "I: a[80:96,:] = Memset @DVE"},
	{"partition", "I: a[64:128,:] = Memset @DVE", "I: a[32:96,:] = Memset @DVE"},
	{"write", "I: a[64x128, 8x8, 1x8] = Memset @DVE", "I: a[64x128, 4x8, 1x8] = Memset @DVE"},
	{"write", "I: a[64x1, 1x64] = Memset @DVE", "I: a[0x2, 1x64] = Memset @DVE"},
	{"write", "I: d[64x128, 1x64] = Save a @SP", "I: d[32x128, 1x64] = Save a @SP"},
	{"alignment", "I: i = TensorCopy i @DVE", "I: odd[1x128, 1x1]:i32 = TensorCopy n @DVE"},
	{"bank", "I: h[:,0:512] = Matmult w, w[:,0:128] @PE", "I: h[:,256:768] = Matmult w, w[:,0:128] @PE"},
	{"overlap", "I: a[:,0:32] = TensorCopy a[:,32:64] @DVE", "I: a[:,0:32] = TensorCopy a[:,16:48] @DVE"},
	{"overlap", "I: a = TensorCopy a @DVE", "I: a = TensorCopy a[0x128, 1x64] @DVE"},
	{"setting", "I: a = TensorScalar b op0=add const0=1 op1=mult @DVE", "I: i = TensorScalar i op0=add const0=1 op1=bitwise_and @DVE"},
	{"dtype", "I: i = TensorTensor i, i op=bitwise_and @DVE", "I: i = TensorTensor i, j op=bitwise_and @DVE"},
	{"setting", "I: i = TensorScalar i op0=logical_shift_left const0=31 @DVE", "I: i = TensorScalar i op0=logical_shift_left const0=32 @DVE"},
	{"setting", "I: i = TensorScalar i op0=bitwise_xor const0=3 @DVE", "I: i = TensorScalar i op0=bitwise_xor const0=0.5 @DVE"},
	{"setting", "I: a = TensorScalar b op0=logical_and const0=1 @DVE", "I: a = TensorScalar b op0=logical_and const0=2 @DVE"},
	{"setting", "I: i = TensorScalarPtr i, 31 op0=logical_shift_left @DVE", "I: i = TensorScalarPtr i, 32 op0=logical_shift_left @DVE"},
	{"operands", "I: a = TensorScalarPtr b, c, 2 op0=add op1=mult @DVE", "I: a = TensorScalarPtr b, c op0=add op1=mult @DVE"},
	{"setting", "I: a = ScalarTensorTensor b, c, b op0=add op1=mult @DVE", "I: i = ScalarTensorTensor i, n, i op0=bitwise_or op1=bitwise_and @DVE"},
	{"setting", "I: a = TensorScalarCacheCumulative b, c op0=add op1=max @DVE", "I: a = TensorScalarCacheCumulative b, c op0=add op1=is_gt @DVE"},
	{"setting", "I: c = TensorReduce a op=max @DVE", "I: c = TensorReduce a op=is_gt @DVE"},
	{"setting", "I: n = TensorReduce i op=add negate=true @DVE", "I: n = TensorReduce i op=bitwise_or negate=true @DVE"},
	{"shape", "I: e = TensorReduce a[64x128, 8x8, 1x8] op=add @DVE", "I: e = TensorReduce a[64x128, 4x16, 1x4] op=add @DVE"},
	{"shape", "I: e = Pool a[64x128, 8x8, 4x2, 1x4] @DVE", "I: c = Pool a @DVE"},
	{"shape", "I: a[:,0:6] = BNStats w @DVE", "I: a[:,0:6] = BNStats h[:,0:513] @DVE"},
	{"shape", "I: a[:,0:2] = BNStatsAggregate b[:,0:63] @DVE", "I: a[:,0:2] = BNStatsAggregate b[:,0:64] @DVE"},
	{"shape", "I: a = StreamTranspose b @DVE", "I: a[:,0:48] = StreamTranspose b[:,0:48] @DVE"},
	{"setting", "I: g = Memset constant=65535 @DVE", "I: g = Memset constant=65536 @DVE"},
	{"setting", "I: a = Iota pattern=[[1,64]] @Pool", "I: a = Iota pattern=[[1,63]] @Pool"},
	{"setting", "I: a = Iota pattern=[[1,2],[1,2],[1,2],[1,8]] @Pool", "I: a = Iota pattern=[[1,2],[1,2],[1,2],[1,2],[1,4]] @Pool"},
	{"dtype", "I: p[0:64,:] = Matmult g, g @PE", "I: p[0:64,:] = Matmult g, a @PE"},
	{"arch", "I: p[0:64,:] = Matmult a, a @PE", "I: p[128x64, 1x64]:bf16 = Matmult a, a @PE"},
	{"setting", "I: $r0 = RegisterAlu $r0, 5 op=mult @SP", "I: $r0 = RegisterAlu $r0, 5 op=pow @SP"},
	{"setting", "I: $r0 = RegisterMove 7 @SP", "I: $r0 = RegisterMove 0.5 @SP"},
	{"setting", "I: $r0 = RegisterAlu $r0, 31 op=logical_shift_left @SP", "I: $r0 = RegisterAlu $r0, 32 op=logical_shift_left @SP"},
	{"predicate", "I: NoOp @SP wait(3>=1)", "L: for u = 0..2 {\n  I: NoOp @SP wait(3>=1) if(u >= 1)\n  }"},
	{"sync", "I: NoOp @SP wait(255>=1)", "I: NoOp @SP wait(256>=1)"},
	{"edge", "L: for u = 0..2 {\n  I: NoOp @SP after(I[1])\n  }", "L: for u = 0..2 {\n  I: NoOp @SP after(I[0])\n  }"},
	{"cores", "I: CoreBarrier cores=[0] @SP", "I: CoreBarrier cores=[0,0] @SP"},
	{"collective", "I: d[64x128, 1x64] = CollectiveCompute x op=add @SP", "I: d = CollectiveCompute x op=add @SP"},
	{"collective", "I: d[64x128, 1x64] = CollectiveCompute x kind=Permute src_target_pairs=[[0,0]] @SP", "I: d[64x128, 1x64] = CollectiveCompute x kind=Permute @SP"},
	{"setting", "I: d[64x128, 1x64] = CollectiveCompute x op=max @SP", "I: d[64x128, 1x64] = CollectiveCompute x op=mult @SP"},
	{"shard", "I: a[64x1, 1x64 at 2048*shardid(4)] = Memset if(shardid(4) >= 0)", "I: NoOp @SP if(shardid(2) >= 0) order(shardid(3))"},
	{"loop", "L: for u = 0..2147483647 {\n  I: NoOp @SP\n  }", "L: for u = 0..2147483648 {\n  I: NoOp @SP\n  }"},
}

// TestSpoiledCode: every rule of an instruction both ways, and the first validator agrees.
func TestSpoiledCode(t *testing.T) {
	for _, s := range spoiledCode {
		bothWays(t, "gen3", s, "")
	}
}

// bothWays asks both validators about code that is right on a generation, and code that is not: of that the complaint says what was wanted.
func bothWays(t *testing.T, arch string, s spoiled, want string) {
	t.Helper()
	if bad := judgedOn(t, arch, s.right); bad != nil {
		t.Errorf("right on %s, but %v:\n%s", arch, bad, s.right)
	}
	bad := judgedOn(t, arch, s.wrong)
	if len(bad) == 0 || bad[0].Rule != s.rule || !strings.HasPrefix(bad[0].Path, "functions[0].blocks[0].instructions[") || !strings.Contains(bad[0].Text, want) {
		t.Errorf("%v, want rule %s on %s:\n%s", bad, s.rule, arch, s.wrong)
	}
}

// TestEmptyGroup: a collective that is wrong by itself is not asked which cores it names.
func TestEmptyGroup(t *testing.T) {
	const core = `"allocations":[{"name":"d_set","kind":"Internal","addr_space":"Shared","dtype":"float32","tensor_shape":[4,8],"memorylocations":[
{"name":"d","type":"DRAM","dims":[4,32]},{"name":"e","type":"DRAM","dims":[4,32]}]}],"blocks":[{"name":"b","instructions":[{"name":"I","opcode":"CollectiveCompute",
"op":"add","replica_groups":[[]],"outs":[{"kind":"physical_ap","dtype":"float32","memref":"d","ap":[[8,4],[1,8]]}],
"ins":[{"kind":"physical_ap","dtype":"float32","memref":"e","ap":[[8,4],[1,8]]}]}]}]`
	text := []byte(`{"functions":[{"name":"f",` + core + `},{"name":"g",` + core + `}]}`)
	bad := Check(text)
	if len(bad) != 2 || bad[0].Rule != "collective" || bad[1].Path != "functions[1].blocks[0].instructions[0]" {
		t.Errorf("got %v", bad)
	}
	if other(text) == nil {
		t.Error("legal to the first validator")
	}
}

// judged asks both validators about code on the stage.
func judged(t *testing.T, code string) []Complaint { return judgedOn(t, "gen3", code) }

func judgedOn(t *testing.T, arch, code string) []Complaint {
	t.Helper()
	text := onStage(t, arch, code)
	if text == nil {
		return nil
	}
	bad := Check(text)
	if first := other(text); (first == nil) != (bad == nil) {
		t.Errorf("the first validator: %v; the second: %v\n%s", first, bad, code)
	}
	return bad
}

// onStage is a module with code on the stage, nil if it cannot be read.
func onStage(t *testing.T, arch, code string) []byte {
	t.Helper()
	p, err := ir.Parse("t.bir", "module "+arch+"\n\nfunc f {\n"+stage+"Block1:\n  "+code+"\n}\n")
	if err != nil {
		t.Errorf("%v:\n%s", err, code)
		return nil
	}
	text, err := birjson.Compact(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const smallModule = `{"version":2,"arch":"gen3","functions":[{"name":"f","attributes":["scheduled"],"allocations":[
{"Skind":"memory_location_set","name":"x_set","kind":"ExternalInput","dtype":"float32","tensor_shape":[4,8],"memorylocations":[{"name":"x","type":"Input","dims":[4,32]}]},
{"name":"k_set","kind":"Const","dtype":"int8","tensor_shape":[1,2],"memorylocations":[{"name":"k","type":"DRAM","dims":[1,2]}]},
{"name":"d_set","kind":"Internal","dtype":"float32","tensor_shape":[4,8],"partition_dim":0,"memorylocations":[{"name":"d","type":"DRAM","dims":[4,32],"alias":[["k_set","k",1]]}]},
{"name":"p_set","kind":"Internal","dtype":"float32","tensor_shape":[4,8],"memorylocations":[{"name":"p","type":"PSUM","dims":[4,32],"allocated":true,"bank":7,"addr":2016,"base":124}]},
{"name":"t_set","kind":"Internal","dtype":"float32","tensor_shape":[4,8],"memorylocations":[{"name":"t","type":"SB","dims":[4,32],"allocated":true,"addr":229344,"base":32}]}],
"blocks":[{"name":"b","instructions":[
{"name":"I","opcode":"Load","engine":"SP","outs":[{"kind":"physical_ap","dtype":"float32","memref":"t","memsetref":"t_set","ap":[[8,4],[1,8]]}],
 "ins":[{"kind":"physical_ap","dtype":"float32","memref":"x","offset":0,"ap":[[8,4],[1,8]]}]},
{"name":"L","opcode":"Loop","LoopAxis":{"name":"u","lb":0,"ub":2},"blocks":[{"name":"c","instructions":[
 {"name":"J","opcode":"NoOp","order":[{"kind":"FloorDivKind","numer":{"kind":"AffIVKind","axis":"u"},"denom":2}],"dependencies":[["I","Anti"]],
  "predicates":[{"expr":{"kind":"SumKind","terms":[{"kind":"MultKind","scale":3,"var":{"kind":"AffIVKind","axis":"u"}}]},"cmp":"is_ge"}]}]}]}
]}]}],"x_birfuzz":{"facts":["Placed"],"const":{"k":{"dtype":"int8","shape":[1,2],"data":"AAE="}}}}`

// spoiledKeys are replacements in smallModule: the key that is right, and what breaks the rule.
var spoiledKeys = []spoiled{
	{"json", `{"version":2`, `{version:2`},
	{"type", `"offset":0`, `"offset":"0"`},
	{"version", `"version":2`, `"version":3`},
	{"arch", `"gen3"`, `"gen9"`},
	{"fact", `"Placed"`, `"Glued"`},
	{"fact", `"Placed"`, `"Placed","Unrolled"`},
	{"fact", `"dims":[4,32],"allocated":true,"addr":229344`, `"dims":[4,32],"addr":229344`},
	{"function", `"functions":[`, `"functions":[],"other":[`},
	{"core", `"version":2`, `"version":2,"attributes":{"neuron_core_id":-1}`},
	{"name", `"name":"f"`, `"name":""`},
	{"name", `"name":"J"`, `"name":"I"`},
	{"name", `"name":"d"`, `"name":"x"`},
	{"name", `"name":"d_set"`, `"name":"x_set"`},
	{"name", `"name":"c"`, `"name":"b"`},
	{"name", `"memref":"x"`, `"memref":"z"`},
	{"name", `"memsetref":"t_set"`, `"memsetref":"x_set"`},
	{"kind", `"memory_location_set"`, `"memory_location"`},
	{"kind", `"Internal"`, `"External"`},
	{"kind", `"type":"SB"`, `"type":"SBUF"`},
	{"dtype", `"dtype":"float32","tensor_shape":[4,8],"partition`, `"dtype":"float33","tensor_shape":[4,8],"partition`},
	{"size", `"dims":[4,32],"alias"`, `"dims":[4],"alias"`},
	{"size", `"dims":[4,32],"alias"`, `"dims":[0,32],"alias"`},
	{"size", `"Input","dims":[4,32]`, `"Input","dims":[4,36]`},
	{"size", `"partition_dim":0`, `"partition_dim":2`},
	{"place", `"bank":7`, `"bank":8`},
	{"place", `"addr":2016`, `"addr":2020`},
	{"place", `"base":124`, `"base":125`},
	{"place", `"addr":229344`, `"addr":229348`},
	{"capacity", `"SB","dims":[4,32]`, `"SB","dims":[4,229380]`},
	{"alignment", `"addr":229344`, `"addr":229342`},
	{"memory", `"kind":"Internal","dtype":"float32","tensor_shape":[4,8],"memorylocations":[{"name":"p"`, `"addr_space":"Shared","kind":"Internal","dtype":"float32","tensor_shape":[4,8],"memorylocations":[{"name":"p"`},
	{"alias", `["k_set","k",1]`, `["k_set","k",2]`},
	{"alias", `["k_set","k",1]`, `["t_set","t",1]`},
	{"alias", `["k_set","k",1]`, `["d_set","d",1]`},
	{"alias", `["k_set","k",1]`, `["x_set","k",1]`},
	{"opcode", `"opcode":"Load"`, `"opcode":"Lode"`},
	{"operands", `"ins":[`, `"ins":[],"more":[`},
	{"operands", `{"kind":"physical_ap","dtype":"float32","memref":"x"`, `{"kind":"logical_ap","dtype":"float32","memref":"x"`},
	{"pattern", `"offset":0,"ap":[[8,4],[1,8]]`, `"offset":0,"ap":[[8,4]]`},
	{"loop", `"LoopAxis":{"name":"u","lb":0,"ub":2}`, `"LoopAxis":{"name":"u","lb":0,"ub":2,"stride":0}`},
	{"scope", `"numer":{"kind":"AffIVKind","axis":"u"}`, `"numer":{"kind":"AffIVKind","axis":"v"}`},
	{"expression", `"denom":2`, `"denom":0`},
	{"expression", `"scale":3`, `"scale":562949953421312`},
	{"expression", `"kind":"MultKind"`, `"kind":"PowerKind"`},
	{"predicate", `"cmp":"is_ge"`, `"cmp":"ge"`},
	{"edge", `["I","Anti"]`, `["K","Anti"]`},
	{"edge", `["I","Anti"]`, `["I","True"]`},
	{"type", `["I","Anti"]`, `["I","Anti",1]`},
	{"edge", `["I","Anti"]`, `["J","Anti"]`},
	{"const", `"data":"AAE="`, `"data":"AA=="`},
	{"const", `"shape":[1,2]`, `"shape":[1,3]`},
	{"setting", `"opcode":"NoOp"`, `"opcode":"CoreBarrier","id":-1`},
}

// TestSpoiledModule: what is outside instructions, key by key, and the first validator agrees.
func TestSpoiledModule(t *testing.T) {
	if bad := Check([]byte(smallModule)); bad != nil {
		t.Fatalf("the module is right, but %v", bad)
	}
	if err := other([]byte(smallModule)); err != nil {
		t.Fatalf("the module is right, but the first validator: %v", err)
	}
	for _, s := range spoiledKeys {
		text := strings.Replace(smallModule, s.right, s.wrong, 1)
		if text == smallModule {
			t.Errorf("%s is not in the module", s.right)
			continue
		}
		bad := Check([]byte(text))
		if len(bad) == 0 || bad[0].Rule != s.rule {
			t.Errorf("%v, want rule %s: %s", bad, s.rule, s.wrong)
		}
		if err := other([]byte(text)); err == nil {
			t.Errorf("legal to the first validator: %s", s.wrong)
		}
	}
}

// TestTable: the table names rules that there are, and what is wrong with a table is said.
func TestTable(t *testing.T) {
	used := map[string]bool{}
	for op, rows := range table.rows {
		for _, r := range rows {
			for _, rule := range r.rules {
				used[rule.name] = true
				if rules[rule.name] == nil {
					t.Errorf("%s: no rule %q", op, rule.name)
				}
			}
		}
	}
	for name := range rules {
		if !used[name] {
			t.Errorf("no row asks rule %q", name)
		}
	}
	for text, want := range map[string]string{
		"on all : DVE":                         "line 1: on before the first op",
		"op A\non old : DVE":                   `line 2: no generation "old"`,
		"op A\nin x SB nothing P,F":            "line 2: want NAME MEMORY TYPES SHAPE",
		"op A\nset colour bool":                `line 2: no setting "colour"`,
		"op A\nset op word none":               `line 2: no words "none"`,
		"op A\njump":                           `line 2: unknown line "jump"`,
		"types t @u":                           `line 1: no class "u" above`,
		"types t int8\nop A\nin x SB t P,F up": `line 3: unknown flag "up"`,
	} {
		if _, err := parseTable(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}
