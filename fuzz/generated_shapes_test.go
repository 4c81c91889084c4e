package fuzz

import (
	"context"
	"strings"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir/birtest"
)

// TestShapesMean: programs that are full of one shape are legal, mean one thing and leave no undefined byte in an output. Each of the shapes was drawn
// wrongly once, in one of some hundred thousand programs of a campaign: too few for a test that draws as a campaign does.
func TestShapesMean(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, config string
		seed         uint64
		count        int
	}{
		{"a tile laid over another one that a window without terms shows too",
			`{"rows_off": 0, "elems": 16, "without": ["Memset", "Iota"],
			"features": {"*": 0, "loops": 1, "windows": 1, "placement": 1, "overlays": 1, "spills": 1}}`, 16, 400},
		{"results that the trips of a parallel loop write alike, and fences behind it",
			`{"rows_off": 0, "elems": 16, "features": {"*": 0, "loops": 1, "parallel": 1, "predicates": 1, "redefine": 1, "barriers": 1, "windows": 1, "transfers": 1}}`, 5, 1200},
		{"one core's Shared memory in a parallel loop",
			`{"rows_off": 0, "elems": 16, "features": {"*": 0, "shards": 1, "one-core": 1, "shard-code": 1, "loops": 1, "parallel": 1, "windows": 1, "redefine": 1, "in-place": 1}}`, 5, 1500},
		{"one core's Shared memory that came to nothing",
			`{"rows_off": 0, "insts": [64, 64], "elems": 16, "without": ["Save", "Load"],
			"features": {"*": 0, "shards": 1, "one-core": 1, "shard-code": 1, "broadcast": 1, "redefine": 1}}`, 5, 400},
		{"exchanges where there are inputs for some of the cores alone",
			`{"insts": [250, 400], "elems": 16, "features": {"*": 0, "two-cores": 1, "four-cores": 1, "collectives": 1,
			"dtypes": 1, "dead": 1, "wrapped": 1, "refills": 1, "copies": 1}}`, 3, 60},
		{"Shared memory seen through a window without terms, which another core writes later",
			`{"rows_off": 0, "elems": 64, "insts": [48, 96], "without": ["Memset"],
			"features": {"*": 0, "two-cores": 1, "loops": 1, "windows": 1, "copies": 1, "one-core": 1}}`, 6, 200},
		{"loops that are to be made two", `{"features": {"loops": 1, "halves": 1, "transfers": 0}}`, 1, 200},
		{"nests along one line", `{"features": {"loops": 1, "lines": 1, "transfers": 0}}`, 1, 200},
		{"tiles with other constants", `{"features": {"repaints": 1, "transfers": 0}}`, 1, 200},
		{"all edges, in loops", `{"rows_off": 0, "features": {"loops": 1, "nested": 0.7, "predicates": 0.6, "edges": 1, "rolled-edges": 1,
			"lean-edges": 0, "shards": 0}}`, 1, 300},
		{"as few edges as order it, in loops", `{"rows_off": 0, "features": {"loops": 1, "nested": 0.7, "predicates": 0.6, "edges": 1, "rolled-edges": 1,
			"lean-edges": 1, "shards": 0}}`, 1, 300},
		{"as few edges as order it, without loops", `{"features": {"loops": 0, "edges": 1, "lean-edges": 1, "shards": 0}}`, 1, 300},
		{"tiles longer than a bank", `{"features": {"long-tiles": 1, "placement": 0, "transfers": 0}}`, 1, 200},
	}
	for _, tt := range tests {
		c, err := gen.ReadConfig(strings.NewReader(tt.config))
		if err != nil {
			t.Fatal(err)
		}
		if birtest.Quick() {
			tt.count = max(tt.count/20, 5)
		}
		v := Validation{Seed: tt.seed, Count: tt.count, Config: &c}.Run(context.Background())
		if !v.OK() || v.Unknown > tt.count/20 {
			t.Errorf("%s: %d unknown, %v", tt.name, v.Unknown, v.Complaints)
		}
	}
}
