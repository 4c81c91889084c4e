package birjson_test

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"testing"

	"birfuzz/ir"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestEveryKey reads a file with every key of the dialect, in no order and with unknown ones everywhere, and compares what is written with
// a golden file.
func TestEveryKey(t *testing.T) {
	p := everyKey(t)
	got := write(t, p)
	const golden = "testdata/every.want.json"
	if *update {
		if err := os.WriteFile(golden, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error(firstDifference(got, want))
	}
	again := read(t, golden, want)
	if !bytes.Equal(write(t, again), want) {
		t.Error("the golden file, read and written, gives other bytes")
	}
	if a, b := p.String(), again.String(); a != b {
		t.Errorf("the golden file reads as another program:\n%s\nwant\n%s", b, a)
	}
}

// firstDifference tells in which line two texts part.
func firstDifference(got, want []byte) string {
	a, b := bytes.Split(got, []byte("\n")), bytes.Split(want, []byte("\n"))
	for i := range min(len(a), len(b)) {
		if !bytes.Equal(a[i], b[i]) {
			return fmt.Sprintf("line %d: got %s, want %s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("got %d lines, want %d", len(a), len(b))
}

func everyKey(t *testing.T) *ir.Program {
	t.Helper()
	const file = "testdata/every.bir.json"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return read(t, file, text)
}

// TestEveryKeyMeans checks what the golden file cannot show: what the keys become in memory.
func TestEveryKeyMeans(t *testing.T) {
	p := everyKey(t)
	f := p.Cores[0]
	insts := map[string]*ir.Inst{}
	for in := range p.Insts {
		insts[in.Name] = in
	}
	locs := map[string]*ir.Loc{}
	for l := range f.Locs {
		locs[l.Name] = l
	}
	sym := insts["I-0"].Ins()[0]
	loop := insts["L0"].Loop
	env := axes{loop: 3}
	i1, mm := insts["I-1"], insts["I-2"]
	alu := insts["I-4"]
	for what, ok := range map[string]bool{
		"arch":              p.Arch == ir.CoreV4,
		"core":              p.CoreID == 1 && string(p.Attrs) == `{"revision":"r1"}`,
		"facts":             p.Facts == ir.Deps|ir.Placed,
		"const":             bytes.Equal(p.Consts["w"].Data, []byte{1, 2, 3, 4}),
		"module extra":      string(p.Extra) == `{"x_birfuzz":{"const":{"w":{"note":"kept"}},"later":1},"zeta":[1,2.50,{"a":true,"b":null}]}`,
		"function extra":    string(f.Extra) == `{"comment":"été 😀"}`,
		"loop":              loop.Axis == "i" && loop.UB == 4 && loop.Stride == 1 && loop.NoReorder && loop.Parallel && loop.Unroll && len(loop.Blocks) == 1,
		"loop extra":        string(insts["L0"].Extra) == `{"LoopAxis":{"colour":"red"},"vendor_loop":"x"}`,
		"operand extra":     string(insts["I-0"].Extra) == `{"ins":[{"remote":{"a":2,"z":1}}]}`,
		"sync extra":        string(i1.Extra) == `{"sync_info":{"mode":2,"on_update":[{"extra":1}]}}`,
		"offset":            sym.Symbolic() && sym.Loc == locs["x"] && sym.Off.Eval(env) == 64*3+1+16*1+4*((15+3)%3)-8+1,
		"times":             insts["I-0"].Start == 10 && insts["I-0"].End == 20,
		"carried":           len(insts["I-0"].LoopDeps) == 1 && insts["I-0"].LoopDeps[0].On == insts["I-0"],
		"row by settings":   i1.Op.String() == "ScalarTensorTensor" && i1.Acc() == ir.AccZeroAccumulate,
		"edges merge":       len(i1.Deps) == 2 && i1.Deps[0] == ir.Dep{On: insts["I-0"], Kind: ir.OutputDep} && i1.Deps[1] == ir.Dep{On: insts["L0"], Kind: ir.Flow},
		"accumulation flag": !mm.Flag(ir.PStart) && !mm.Flag(ir.PStop) && mm.Int(ir.PZeroRegion) == 2,
		"64 bits":           insts["I-3"].Int(ir.PConstant) == -1,
		"source":            insts["I-3"].Source == "I-3 of old" && len(insts["I-3"].Iter) == 1 && insts["I-3"].Iter[0].C == 4,
		"registers":         !alu.Ins()[0].Loc.Implicit && alu.Outs()[0].Loc.Implicit && alu.Outs()[0].Loc == locs["r9"],
		"index last":        insts["I-5"].Args[2].DType == ir.DType(alu.Ins()[0].DType) && insts["I-5"].NOut == 1,
		"alias":             len(locs["y"].Alias) == 2 && locs["y"].Alias[1] == ir.Alias{Loc: locs["w"], Kind: ir.MustAlias},
		"placement":         locs["t"].Allocated && locs["t"].Pinned && locs["t"].Addr == 64 && locs["t"].Base == 32 && locs["acc"].Bank == 3,
		"numbered":          insts["L0"].ID == 0 && insts["I-0"].ID == 1 && locs["x"].ID == 0,
	} {
		if !ok {
			t.Errorf("%s: not as the file says", what)
		}
	}
}

// axes gives every loop axis a value; it is core 1.
type axes map[*ir.Loop]int64

func (a axes) AxisValue(l *ir.Loop) int64 { return a[l] }
func (a axes) ShardID() int64             { return 1 }
