package ir

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"birfuzz/ir/birtest"
)

// badTexts are programs with one mistake each and the whole error.
var badTexts = []struct{ name, src, want string }{
	{"no text form", "{\"version\": 2}", `f.bir:1:1: got "{", want "func" or "data"`},
	{"unknown arch", "module gen9", `f.bir:1:8: got "gen9", want one of gen3, sunda, core_v4, facts, core, version, attributes, extra`},
	{"unknown fact", "module facts(Deps, Fast)", `f.bir:1:20: got "Fast", want a fact: one of Unrolled, Deps, Placed, Grouped, Synced, Split, Virtual`},
	{"extra that is no object", "module extra([1])", `f.bir:1:14: got "[1]", want one JSON object in parentheses`},
	{"cut JSON", "module extra({\"a\":", `f.bir:1:14: got unexpected EOF, want one JSON value in parentheses`},
	{"cut function", "func f {", `f.bir:1:9: got the end of the file, want "}"`},
	{"function twice", "func f {\n}\nfunc f {\n}", `f.bir:3:6: got "f", want a name that no other function has`},
	{"stray brace", "func f {\n}\n}", `f.bir:3:1: got "}", want "func" or "data"`},
	{"two on a line", "func f {\n} func g {\n}", `f.bir:2:3: got "func", want the end of the line`},
	{"tab in a name", body("\"I\t0\": NoOp"), `f.bir:4:1: got "I\t0", want a name: UTF-8, not empty, without control characters`},
	{"escaped tab in a name", body(`"I\t0": NoOp`), `f.bir:4:1: got "I\t0", want a name: UTF-8, not empty, without control characters`},
	{"control character", body("I\x01: NoOp"), `f.bir:4:2: got "\x01", want a name (quote it: "…"), a number or punctuation`},
	{"bad UTF-8", body("I: \xff"), `f.bir:4:4: got "\xff", want a name (quote it: "…"), a number or punctuation`},
	{"open quote", body(`"I: NoOp`), `f.bir:4:1: got "\"I: NoOp", want a quoted name that ends on its line, with Go's escapes`},
	{"empty name", body(`"": NoOp`), `f.bir:4:1: got "", want a name: UTF-8, not empty, without control characters`},
	{"unknown memory", "func f {\n  sbuf t: f32[1,1]\n}", `f.bir:2:3: got "sbuf", want one of internal, input, output, const, pointer, interface, sb, psum, reg, shared, set, or an instruction ` + "`name: …`"},
	{"unknown type", "func f {\n  sb t: f33[1,1]\n}", `f.bir:2:9: got "f33", want a type: one of f32, f32r, bf16, f16, f8e3, f8e4, f8e5, f8e4m3fn, i8, i16, i32, i64, u8, u16, u32, u64`},
	{"negative size", "func f {\n  sb t: f32[-1,1]\n}", `f.bir:2:13: got "-1", want an integer of at least 0`},
	{"size of more than 64 bits", "func f {\n  sb t: f32[99999999999999999999]\n}", `f.bir:2:13: got "99999999999999999999", want an integer of 64 bits`},
	{"huge shape", "func f {\n  sb t: f32[1152921504606846976,4]\n}", `f.bir:2:6: got a location that is too large, want at most 2^48 bytes`},
	{"shape that overflows", "func f {\n  dram t: f32[4,4294967296,4294967296]\n}", `f.bir:2:8: got a location that is too large, want at most 2^48 bytes`},
	{"dims that overflow", "func f {\n  sb t: f32[4] dims=4294967296x4294967296\n}", `f.bir:2:21: got a location that is too large, want at most 2^48 bytes`},
	{"location twice", "func f {\n  sb t: f32[1]\n  dram t: f32[1]\n}", `f.bir:3:8: got "t", want a name that no other location has`},
	{"set twice", "func f {\n  sb t: f32[1] set=s\n  dram u: f32[1] set=s\n}", `f.bir:3:8: got "s", want a name that no other set has`},
	{"memory of a set", "func f {\n  sb set s: f32[1] {\n}\n}", `f.bir:2:3: got "sb", want the memory in front of each location of the set`},
	{"unknown alias", "func f {\n  dram t: f32[1] alias(must u)\n}", `f.bir:2:29: got "u", want the name of a location of this function`},
	{"unknown property", "func f {\n  sb t: f32[1] fixed\n}", `f.bir:2:16: got "fixed", want a property of the declaration: dims=, set=, class=, part=, at, unplaced, pinned, alias(…), extra(…), …`},
	{"placement without numbers", "func f {\n  sb t: f32[1] at 5\n}", `f.bir:2:19: got "5", want base, bank or addr with a number`},
	{"block twice", "func f {\nA:\n  I: NoOp\nA:\n}", `f.bir:4:1: got "A", want a name that no other block has`},
	{"instruction twice", body("I: NoOp\nI: NoOp"), `f.bir:5:1: got "I", want a name that no other instruction has`},
	{"unknown opcode", body("I: Fly x"), `f.bir:4:4: got "Fly", want an opcode`},
	{"unknown opcode with outputs", body("I: t = Fly x"), `f.bir:4:8: got "Fly", want an opcode`},
	{"loop as an opcode", body("I: Loop"), `f.bir:4:4: got "Loop", want ` + "`for axis = lb..ub { … }`"},
	{"unknown location", body("I: t = Load z"), `f.bir:4:13: got "z", want the name of a location of this function`},
	{"memory as a register", body("I: $t = RegisterMove 1"), `f.bir:4:5: got "t", want the name of a register`},
	{"unknown engine", body("I: t = Load x @GPU"), `f.bir:4:16: got "GPU", want an engine: one of Unassigned, Pool, Activation, PE, DMA, DVE, SP, ALL`},
	{"unknown setting", body("I: t = TensorTensor t, t op0=add"), `f.bir:4:26: got "op0", want a setting of TensorTensor: one of queue, source, op, acc`},
	{"unknown value", body("I: t = Activation t acc=Never"), `f.bir:4:25: got "Never", want one of Idle, Zero, Accumulate, ZeroAccumulate`},
	{"NaN for an integer", body("I: t = Memset constant=nan"), `f.bir:4:24: got "nan", want an integer`},
	{"fraction for an integer", body("I: t = Memset constant=1.5"), `f.bir:4:24: got "1.5", want an integer of 64 bits`},
	{"number beyond float64", body("I: t = Activation t scale=1e999"), `f.bir:4:27: got "1e999", want a number that float64 holds`},
	{"pair of three", body("I: t = Iota pattern=[[1, 2, 3]]"), `f.bir:4:22: got a list that is no pair, want two numbers ` + "`[a, b]`"},
	{"setting twice", body("I: t = Memset constant=1 constant=1"), `f.bir:4:26: got "constant", want each clause once`},
	{"unknown clause", body("I: NoOp until(3)"), `f.bir:4:9: got "until", want a setting ` + "`key=value`" + `, @Engine, after(…), order(…), if(…), wait(…), update(…), cycles(…) or extra(…)`},
	{"slice outside", body("I: t[0:129, :] = Load x"), `f.bir:4:6: got "0:129", want a slice that is not empty, inside 0:128`},
	{"empty slice", body("I: t[:, 8:8] = Load x"), `f.bir:4:9: got "8:8", want a slice that is not empty, inside 0:64`},
	{"one slice", body("I: t[0:4] = Load x"), `f.bir:4:9: got "]", want two slices, of rows and of columns`},
	{"slice and pair", body("I: t[64x4, 0:4] = Load x"), `f.bir:4:13: got ":", want two slices, or pairs alone`},
	{"six pairs", body("I: t[1x1, 1x1, 1x1, 1x1, 1x1, 1x1] = Load x"), `f.bir:4:32: got "x1", want two slices or at most 5 pairs`},
	{"step of 33 bits", body("I: t[4294967296x1] = Load x"), `f.bir:4:6: got a step that is too large, want 32 bits`},
	{"rows that are no whole elements", "func f {\n  sb t: u8[4,3]\n  I: t:f32 = Memset\n}", `f.bir:3:6: got rows of 3 bytes in elements of f32, want whole rows, or pairs ` + "`[step x num, … at offset]`"},
	{"unknown axis", body("I: t[:, 0:8 at j] = Load x"), `f.bir:4:16: got "j", want the axis of a loop around`},
	{"axis after its loop", body("L: for i = 0..1 {\n}\nI: NoOp order(i)"), `f.bir:6:15: got "i", want the axis of a loop around`},
	{"axis twice", body("L: for i = 0..1 {\nM: for i = 0..1 {\n}\n}"), `f.bir:5:8: got "i", want an axis that no loop around has`},
	{"division by zero", body("I: NoOp order(floordiv(3, 0))"), `f.bir:4:27: got "0", want an integer of at least 1`},
	{"no comparison", body("I: NoOp if(3)"), `f.bir:4:13: got ")", want one of ==, !=, >, >=, <, <=`},
	{"edge to itself", body("I: NoOp after(I)"), `f.bir:4:15: got "I", want another instruction than the one that waits`},
	{"edge to nothing", body("I: NoOp after(J)"), `f.bir:4:15: got "J", want the name of an instruction of this function`},
	{"edge to another function", "func f {\n  I: NoOp\n}\nfunc g {\n  J: NoOp after(I)\n}", `f.bir:5:17: got "I", want the name of an instruction of this function`},
	{"unknown edge", body("I: NoOp after(soft I)"), `f.bir:4:15: got "soft", want a kind of edge: one of ordered, anti, output, flow`},
	{"list without end", body("I: NoOp wait(1>=1"), `f.bir:5:1: got "}", want ")"`},
	{"data twice", "data c: u8[1] = [1]\ndata c: u8[1] = [1]", `f.bir:2:6: got "c", want a name that no other data has`},
	{"data out of range", "data c: u8[1] = [256]", `f.bir:1:18: got "256", want a number of u8`},
	{"bad base64", "data c: u8[1] = base64(A?)", `f.bir:1:24: got illegal base64 data at input byte 1, want base64 in parentheses`},
}

// body is a function with a body from line 4 on.
func body(src string) string {
	return "func f {\n  dram x: f32[128,64]\n  sb t: f32[128,64]\n" + src + "\n}\n"
}

func TestErrors(t *testing.T) {
	for _, c := range badTexts {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("f.bir", c.src)
			if err == nil {
				t.Fatalf("no error for\n%s", c.src)
			}
			if err.Error() != c.want || p != nil {
				t.Errorf("%v\nwant\n%s", err, c.want)
			}
		})
	}
}

// TestHostile: input that means harm costs an error, little time and little memory.
func TestHostile(t *testing.T) {
	many := func(before, s string, n int) func() string {
		return func() string { return before + strings.Repeat(s, n) }
	}
	in := func(src func() string) func() string { return func() string { return body(src()) } }
	cases := []struct {
		name string
		long bool // not for short tests
		src  func() string
		want string
	}{
		{"a million nested loops", true, in(func() string { return nestedLoops(1_000_000) }), "at most 64 loops in each other"},
		{"10 MB of brackets", true, many("", "[", 10<<20), `want "func" or "data"`},
		{"10 MB of brackets in JSON", true, many("module extra(", "[", 10<<20), "want one JSON value"},
		{"nested calls", false, in(many("I: NoOp order(", "mod(", 1<<20)), "at most 64 calls"},
		{"long sum", false, in(many("I: NoOp order(", "1+", 1<<20)), "at most 256 terms"},
		{"many operands", false, in(many("I: ", "_,", 1<<20)), "at most 255 operands"},
		{"many edges", true, in(many("I: NoOp after(", "J,", 2<<20)), "too much memory"},
		{"many lists", true, in(many("I: CollectiveCompute replica_groups=[", "[],", 6<<20)), "too much memory"},
		{"one long line", true, in(many("", "x", 8<<20)), "want"},
		{"too long", true, many("", " ", maxSource+1), "got 67108865 bytes, want at most 67108864"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if birtest.Quick() && c.long {
				t.Skip("takes a while")
			}
			src := c.src()
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := Parse("f.bir", src)
			runtime.ReadMemStats(&after)
			if err == nil || !strings.Contains(err.Error(), c.want) || len(err.Error()) > 400 {
				t.Errorf("got %v, want …%s…", err, c.want)
			}
			if used := after.TotalAlloc - before.TotalAlloc; used > 1<<30 {
				t.Errorf("%d MiB allocated", used>>20)
			}
		})
	}
}

// nestedLoops opens loops whose axes and names differ.
func nestedLoops(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "L%d: for i%d = 0..1 {\n", i, i)
	}
	return b.String()
}
