package ir

import (
	"strconv"
	"strings"
	"testing"

	"birfuzz/ir/num"
)

// verifyCase is a program with one fault, or with none where rule is "".
type verifyCase struct {
	name  string
	rule  string
	facts Facts
	build func(b *builder)
}

func (c *verifyCase) run(t *testing.T) {
	t.Helper()
	b := newBuilder()
	c.build(b)
	list := Verify(b.done(), c.facts)
	switch {
	case c.rule == "" && list != nil:
		t.Errorf("legal, but:\n%v", list)
	case c.rule != "" && (len(list) != 1 || list[0].Rule != c.rule):
		t.Errorf("want one complaint of rule %s, got %d:\n%v", c.rule, len(list), list)
	}
	for _, l := range list {
		if l.Place == "" || l.Got == "" || l.Want == "" {
			t.Errorf("a complaint without place, got or want: %+v", l)
		}
	}
}

func runCases(t *testing.T, cases []verifyCase) {
	for i := range cases {
		t.Run(cases[i].name, cases[i].run)
	}
}

// three tiles and an addition of two of them, to spoil.
func (b *builder) addition(lanes, cols int64) *Inst {
	x, y, z := b.loc("x", SB, num.Float32, lanes, cols), b.loc("y", SB, num.Float32, lanes, cols), b.loc("z", SB, num.Float32, lanes, cols)
	return b.add("TensorTensor", DVE, whole(z), whole(x), whole(y)).with(POp, int64(AluAdd))
}

func TestVerifyStructure(t *testing.T) {
	runCases(t, []verifyCase{
		{"legal", "", 0, func(b *builder) { b.addition(128, 64) }},
		{"version", RuleStructure, 0, func(b *builder) { b.p.Version = 3 }},
		{"arch", RuleStructure, 0, func(b *builder) { b.p.Arch = 9 }},
		{"no function", RuleStructure, 0, func(b *builder) { b.p.Cores = nil }},
		{"core number of two functions", RuleStructure, 0, func(b *builder) { b.p.CoreID = 0; b.core("sg0001") }},
		{"function name twice", RuleName, 0, func(b *builder) { b.core("sg0000") }},
		{"function without a name", RuleName, 0, func(b *builder) { b.f.Name = "" }},
		{"block name twice", RuleName, 0, func(b *builder) { b.f.Blocks = append(b.f.Blocks, &Block{Name: "Block1"}) }},
		{"instruction name twice", RuleName, 0, func(b *builder) { b.add("NoOp", SP); b.add("NoOp", SP).Name = "I-0" }},
		{"tab in a name", RuleName, 0, func(b *builder) { b.add("NoOp", SP).Name = "a\tb" }},
		{"tab in a queue", RuleName, 0, func(b *builder) { b.add("NoOp", SP).Queue = "q\t0" }},
		{"location name twice", RuleName, 0, func(b *builder) {
			b.loc("x", SB, num.Float32, 1, 1)
			b.loc("y", SB, num.Float32, 1, 1).Name = "x"
		}},
		{"set name twice", RuleName, 0, func(b *builder) {
			b.loc("x", SB, num.Float32, 1, 1)
			b.loc("y", SB, num.Float32, 1, 1).Set.Name = "x_set"
		}},
		{"loop without a loop", RuleStructure, 0, func(b *builder) { b.add("Loop", Unassigned) }},
		{"loop on another row", RuleStructure, 0, func(b *builder) { b.add("NoOp", SP).Loop = &Loop{Axis: "i", UB: 1, Stride: 1} }},
		{"unknown op", RuleStructure, 0, func(b *builder) { b.add("NoOp", SP).Op = 255 }},
		{"negative cycle", RuleStructure, 0, func(b *builder) { b.add("NoOp", SP).Start = -1 }},
		{"same name in two functions", "", 0, func(b *builder) { b.addition(1, 1); b.core("sg0001"); b.n = 0; b.addition(1, 1) }},
	})
}

func TestVerifyNumbered(t *testing.T) {
	for name, spoil := range map[string]func(b *builder){
		"instruction": func(b *builder) { b.b.Insts[0].ID = 7 },
		"location":    func(b *builder) { b.f.Sets[1].Locs[0].ID = -1 },
	} {
		b := newBuilder()
		b.addition(1, 1)
		p := b.done()
		spoil(b)
		if list := Verify(p, 0); len(list) != 1 || list[0].Rule != RuleNumber {
			t.Errorf("%s: got %v", name, list)
		}
	}
}

func TestVerifyDeepLoops(t *testing.T) {
	b := newBuilder()
	for i := range 10_000 {
		b.loop("i"+strconv.Itoa(i), 0, 1, 1)
	}
	if list := Verify(b.done(), 0); len(list) != 1 || list[0].Rule != RuleLoop {
		t.Errorf("got %v", list)
	}
}

func TestVerifyPlace(t *testing.T) {
	b := newBuilder()
	in := b.addition(16, 8)
	in.Args[2] = tileOf(in.Args[2].Loc, 0, 0, 16, 9)
	list := Verify(b.done(), 0)
	want := "func sg0000, block Block1, inst I-0, in 1 (y): bounds: got rows 0 to 15, columns 0 to 8, want inside the 16 rows of 8 elements of y"
	if got := list.Error(); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

// TestVerifyAllComplaints: faults that have nothing to do with each other are all reported.
func TestVerifyAllComplaints(t *testing.T) {
	b := newBuilder()
	b.addition(16, 8).Engine = PE
	b.add("NoOp", SP).Wait = []Sem{{ID: 300}}
	b.loc("big", SB, num.Float32, 200, 1)
	var rules []string
	for _, c := range Verify(b.done(), 0) {
		rules = append(rules, c.Rule)
	}
	if got := strings.Join(rules, " "); got != "capacity engine sync" {
		t.Errorf("got %s", got)
	}
}

func TestVerifyEngines(t *testing.T) {
	runCases(t, []verifyCase{
		{"wrong engine", RuleEngine, 0, func(b *builder) { b.addition(1, 1).Engine = Activation }},
		{"unknown engine", RuleEngine, 0, func(b *builder) { b.addition(1, 1).Engine = 99 }},
		{"ALL where it is not listed", RuleEngine, 0, func(b *builder) { b.addition(1, 1).Engine = ALL }},
		{"unassigned", "", 0, func(b *builder) { b.addition(1, 1).Engine = Unassigned }},
		{"no such instruction on gen3", RuleArch, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("Exponential", DVE, whole(x), whole(x))
		}},
		{"no such instruction on gen3, unassigned", RuleArch, 0, func(b *builder) {
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("Exponential", Unassigned, whole(x), whole(x))
		}},
		{"on core_v4", "", 0, func(b *builder) {
			b.p.Arch = CoreV4
			x := b.loc("x", SB, num.Float32, 4, 4)
			b.add("Exponential", DVE, whole(x), whole(x))
		}},
		{"type of core_v4", RuleArch, 0, func(b *builder) {
			x, y := b.loc("x", SB, num.Float8e4m3fn, 4, 4), b.loc("y", SB, num.Float32, 4, 4)
			b.add("TensorCopy", DVE, whole(y), whole(x))
		}},
		{"Pool in PSUM", RuleMemory, 0, func(b *builder) {
			x, y := b.loc("x", PSUM, num.Float32, 4, 4), b.loc("y", SB, num.Float32, 4, 4)
			b.add("TensorCopy", Pool, whole(y), whole(x))
		}},
	})
}

func TestVerifyStorage(t *testing.T) {
	runCases(t, []verifyCase{
		{"no element type", RuleDType, 0, func(b *builder) { b.loc("x", SB, num.Float32, 1, 1).Set.DType = num.Invalid }},
		{"zero rows", RuleSize, 0, func(b *builder) { b.loc("x", SB, num.Float32, 1, 1).Rows = 0 }},
		{"huge rows", RuleSize, 0, func(b *builder) { b.loc("x", DRAM, num.Float32, 1, 1).Rows = 1 << 62 }},
		{"rows that overflow", RuleSize, 0, func(b *builder) {
			l := b.loc("x", DRAM, num.Float32, 1, 1)
			l.Rows, l.RowBytes = 1<<33, 1<<33
		}},
		{"shape that overflows", RuleSize, 0, func(b *builder) { b.loc("x", DRAM, num.Float32, 1, 1).Set.Shape = []int64{1 << 33, 1 << 33} }},
		{"partition_dim", RuleSize, 0, func(b *builder) { b.loc("x", SB, num.Float32, 1, 1).Set.PartDim = 2 }},
		{"tensor and bytes differ", RuleSize, 0, func(b *builder) { b.loc("x", Input, num.Float32, 2, 2).Set.Shape = []int64{3} }},
		{"129 partitions", RuleCapacity, 0, func(b *builder) { b.loc("x", SB, num.Float32, 129, 1) }},
		{"row beyond a partition", RuleCapacity, 0, func(b *builder) { b.loc("x", SB, num.Float32, 1, 224<<8+1) }},
		{"row of a partition of core_v4", "", 0, func(b *builder) { b.p.Arch = CoreV4; b.loc("x", SB, num.Float32, 128, 256<<8) }},
		{"row beyond a partition of sunda", RuleCapacity, 0, func(b *builder) { b.p.Arch = Sunda; b.loc("x", SB, num.Float32, 1, 192<<8+1) }},
		{"all of PSUM", "", 0, func(b *builder) { b.loc("x", PSUM, num.Float32, 128, 4096) }},
		{"more than PSUM", RuleCapacity, 0, func(b *builder) { b.loc("x", PSUM, num.Float32, 128, 4097) }},
		{"placed past the last partition", RuleCapacity, 0, func(b *builder) { b.loc("x", SB, num.Float32, 64, 1).at(65, 0) }},
		{"placed past the last byte", RuleCapacity, 0, func(b *builder) { b.loc("x", SB, num.Float32, 64, 2).at(64, 224<<10-4) }},
		{"placed at the very end", "", 0, func(b *builder) { b.loc("x", SB, num.Float32, 64, 2).at(64, 224<<10-8) }},
		{"placed at a huge address", RuleCapacity, 0, func(b *builder) { b.loc("x", SB, num.Float32, 64, 2).at(0, 1<<62) }},
		{"bank 8", RuleCapacity, 0, func(b *builder) { b.loc("x", PSUM, num.Float32, 64, 2).at(0, 0).Bank = 8 }},
		{"past the last bank", RuleCapacity, 0, func(b *builder) { b.loc("x", PSUM, num.Float32, 64, 513).at(0, 0).Bank = 7 }},
		{"negative DRAM address", RuleCapacity, 0, func(b *builder) { b.loc("x", DRAM, num.Float32, 64, 513).at(0, -4) }},
		{"Shared in SB", RuleMemory, 0, func(b *builder) { b.loc("x", SB, num.Float32, 1, 1).Set.Space = Shared }},
		{"output in SB", RuleMemory, 0, func(b *builder) { b.loc("x", SB, num.Float32, 1, 1).Set.Kind = ExternalOutput }},
		{"register of 8 bytes", RuleSize, 0, func(b *builder) { b.loc("r", REG, num.Int32, 1, 2) }},
		{"alias in SB", RuleAlias, 0, func(b *builder) {
			x, y := b.loc("x", DRAM, num.Float32, 1, 1), b.loc("y", SB, num.Float32, 1, 1)
			x.Alias = []Alias{{y, MustAlias}}
		}},
		{"alias of itself", RuleAlias, 0, func(b *builder) {
			x := b.loc("x", DRAM, num.Float32, 1, 1)
			x.Alias = []Alias{{x, MustAlias}}
		}},
		{"alias of another function", RuleAlias, 0, func(b *builder) {
			x := b.loc("x", DRAM, num.Float32, 1, 1)
			b.core("sg0001")
			b.loc("y", DRAM, num.Float32, 1, 1).Alias = []Alias{{x, MustAlias}}
		}},
		{"alias of kind 2", RuleAlias, 0, func(b *builder) {
			x, y := b.loc("x", DRAM, num.Float32, 1, 1), b.loc("y", DRAM, num.Float32, 1, 1)
			x.Alias = []Alias{{y, 2}}
		}},
		{"data of no location", RuleConst, 0, func(b *builder) { b.p.Consts = Values{"x": {}} }},
		{"data of another size", RuleConst, 0, func(b *builder) {
			b.loc("x", DRAM, num.Float32, 1, 1).Set.Kind = Const
			b.p.Consts = Values{"x": {Data: make([]byte, 8)}}
		}},
	})
}
