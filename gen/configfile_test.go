package gen_test

import (
	"slices"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
)

// TestReadConfig: every key sets what it says, and the others stay as they are.
func TestReadConfig(t *testing.T) {
	c, err := gen.ReadConfig(strings.NewReader(`{"insts": [3, 9], "short": 0.5, "elems": 64, "arch": {"sunda": 1}, "rows_off": 0,
		"features": {"*": 0.125, "loops": 1}, "without": ["Matmult"]}`))
	if err != nil {
		t.Fatal(err)
	}
	d := gen.Default()
	if c.MinInsts != 3 || c.MaxInsts != 9 || c.Short != 0.5 || c.Elems != 64 || c.RowsOff != 0 || c.Arch != [ir.NumArch]int{ir.Sunda: 1} {
		t.Errorf("got %+v", c)
	}
	if c.Features[gen.Loops] != 1 || c.Features[gen.Nested] != 0.125 || c.Features[gen.Wrapped] != 0.125 {
		t.Errorf("got features %v", c.Features)
	}
	if c, err = gen.ReadConfig(strings.NewReader(`{}`)); err != nil || c.Features != d.Features || c.MaxInsts != d.MaxInsts {
		t.Errorf("nothing said gives %+v, %v, not the default", c, err)
	}
}

// TestReadConfigErrors: what is wrong is named, with what was expected.
func TestReadConfigErrors(t *testing.T) {
	for text, want := range map[string]string{
		``:                                   "EOF, want an object with the keys arch",
		`[]`:                                 "got a JSON array, want an object",
		`{} {}`:                              "something follows",
		"{\n  \"short\": 0.5,\n  é}":         "3:3: invalid character ",
		"{\n  \"short\": ":                   "2:12: unexpected EOF",
		`{"inst": 1}`:                        "inst: no such key, want one of arch, elems, features",
		`{"insts": 5}`:                       "insts: got a JSON number, want [least, most]",
		`{"insts": [0, 5]}`:                  "insts: got [0 5], want [least, most] with 1 ≤ least",
		`{"insts": [1, 10001]}`:              "most ≤ 10000",
		`{"elems": 4}`:                       "elems: got 4, want 16 to 8192",
		`null`:                               "got a JSON null, want an object",
		`{"short": null}`:                    "short: got a JSON null, want a probability",
		`{"short": 2}`:                       "short: got 2, want a probability from 0 to 1",
		`{"features": {"loop": 1}}`:          `features: loop: no such feature, want "*" or one of loops, nested`,
		`{"features": {"*": "x"}}`:           "features: *: got a JSON string, want a probability",
		`{"arch": {"gen4": 1}}`:              "arch: gen4: no such generation",
		`{"arch": {"gen3": -1}}`:             "arch: gen3: got -1, want odds from 0",
		`{"arch": {}}`:                       "arch: no generation is left",
		`{"only": ["Lod"]}`:                  `only: no instruction "Lod" in the op table`,
		`{"without": "Load"}`:                "without: got a JSON string, want a list of names",
		`{"insts": [1, 2], "insts": [1, 3]}`: `1:19: a second "insts"`,
		"{\"features\": {\"loops\": 1,\n \"*\": 0, \"loops\": 0}}": `2:10: features: a second "loops"`,
		`{"arch": {"gen3": 1, "gen3": 2}}`:                         `1:22: arch: a second "gen3"`,
		"{\"short\": " + strings.Repeat(" ", 1<<20) + "1}":         "more than 1048576 bytes",
	} {
		if _, err := gen.ReadConfig(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q gives %v, want %q", text, err, want)
		}
	}
}

// moving is every row that only moves rectangles between DRAM and SB.
func moving() []string {
	var list []string
	for s := range ir.Ops {
		if s.Flow == ir.FlowMove && len(s.Ins) == 1 {
			list = append(list, s.Name)
		}
	}
	return list
}

// TestWithout: what is left out does not appear, whatever else asks for it, and what is left is legal.
func TestWithout(t *testing.T) {
	var all, none []string
	for s := range ir.Ops {
		c := gen.Default()
		if all = append(all, s.Name); c.Without([]string{s.Name}) != nil {
			none = append(none, s.Name)
		}
	}
	if len(none) > 1 {
		t.Errorf("programs cannot do without any of %v, want at most the one that does nothing", none)
	}
	var v ir.Verifier
	for seed := range uint64(count(1000)) {
		r := gen.New(seed)
		var left []string
		for range 8 {
			if n := all[r.IntN(len(all))]; !slices.Contains(none, n) {
				left = append(left, n)
			}
		}
		c := gen.Default()
		if c.Without(left) != nil {
			continue
		}
		p := gen.Program(r, c)
		for in := range p.Insts {
			if slices.Contains(left, in.Spec().Name) {
				t.Fatalf("seed %d has %s, which is left out", seed, in.Spec().Name)
			}
		}
		if list := v.Verify(p, p.Facts); len(list) > 0 {
			t.Fatalf("seed %d without %v: %v", seed, left, list)
		}
	}
	c := gen.Default()
	if err := c.Without(moving()); err == nil || !strings.Contains(err.Error(), "nothing is left that moves data") {
		t.Errorf("without all that moves data: %v", err)
	}
}

// TestOnly: programs consist of what was named and what they cannot do without.
func TestOnly(t *testing.T) {
	c := gen.Default()
	if err := c.Only([]string{"TensorTensor"}); err != nil {
		t.Fatal(err)
	}
	seen := map[string]int{}
	var v ir.Verifier
	for seed := range uint64(count(300)) {
		p := gen.Program(gen.New(seed), c)
		for in := range p.Insts {
			seen[in.Spec().Name]++
		}
		if list := v.Verify(p, p.Facts); len(list) > 0 {
			t.Fatalf("seed %d: %v", seed, list)
		}
	}
	if seen["TensorTensor"] == 0 || seen["Matmult"]+seen["Loop"]+seen["Activation"] > 0 {
		t.Errorf("got %v", seen)
	}
}

// TestOnlyAndWithout: in either order, what one of them keeps out the other does not bring back.
func TestOnlyAndWithout(t *testing.T) {
	only := func(c *gen.Config) error { return c.Only([]string{"Load", "Memset", "TensorTensor"}) }
	without := func(c *gen.Config) error { return c.Without([]string{"Load", "Memset"}) }
	for _, order := range [...][2]func(*gen.Config) error{{only, without}, {without, only}} {
		c := gen.Default()
		for _, set := range order {
			if err := set(&c); err != nil {
				t.Fatal(err)
			}
		}
		for seed := range uint64(count(300)) {
			for in := range gen.Program(gen.New(seed), c).Insts {
				if name := in.Spec().Name; name == "Load" || name == "Memset" || name == "Matmult" {
					t.Fatalf("seed %d has %s", seed, name)
				}
			}
		}
	}
}
