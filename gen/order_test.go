package gen_test

import (
	"cmp"
	"slices"
	"testing"

	"birfuzz/gen"
	"birfuzz/ir"
)

// conflict tells, from the operands alone, whether the order of two instructions matters.
func conflict(a, b *ir.Inst) bool {
	if (a.WritesAcc() || b.WritesAcc()) && (a.WritesAcc() || a.ReadsAcc()) && (b.WritesAcc() || b.ReadsAcc()) && a.Engine == b.Engine {
		return true
	}
	for i := range a.Args {
		for j := range b.Args {
			if (i < int(a.NOut) || j < int(b.NOut)) && ir.Overlap(&a.Args[i], &b.Args[j]) {
				return true
			}
		}
	}
	return false
}

// TestOrdersAgree: sorting a run by its vectors turns no conflicting pair and no edge round.
func TestOrdersAgree(t *testing.T) {
	vectors, turned := 0, 0
	for seed := range uint64(count(600)) {
		p := gen.Program(gen.New(seed), gen.Default())
		for _, f := range p.Cores {
			for bl := range f.AllBlocks {
				for _, run := range runs(bl) {
					vectors += len(run)
					turned += checkRun(t, seed, run)
				}
			}
		}
	}
	if vectors < count(2000) || turned < count(500) {
		t.Errorf("%d vectors turn %d pairs round: too few to test a sort", vectors, turned)
	}
}

func runs(bl *ir.Block) [][]*ir.Inst {
	var all [][]*ir.Inst
	var run []*ir.Inst
	for _, in := range append(slices.Clone(bl.Insts), nil) {
		if in != nil && len(in.Order) > 0 && !in.Spec().Effect.Fence() && in.Loop == nil {
			run = append(run, in)
			continue
		}
		all, run = append(all, run), nil
	}
	return all
}

func checkRun(t *testing.T, seed uint64, run []*ir.Inst) (turned int) {
	for j, b := range run {
		for _, a := range run[:j] {
			if slices.CompareFunc(b.Order, a.Order, func(x, y ir.Affine) int { return cmp.Compare(x.C, y.C) }) >= 0 {
				continue
			}
			turned++
			if conflict(a, b) || slices.ContainsFunc(b.Deps, func(d ir.Dep) bool { return d.On == a }) {
				t.Fatalf("seed %d: %s and %s are turned round", seed, a.Name, b.Name)
			}
		}
	}
	return turned
}

// TestEdgesComplete: a straight program with the fact Deps has an edge for every conflict, if it is not to be lean, and none that points forward.
func TestEdgesComplete(t *testing.T) {
	c := gen.Default()
	c.Features[gen.Edges], c.Features[gen.RolledEdges], c.Features[gen.LeanEdges] = 1, 0, 0
	programs := 0
	for seed := range uint64(count(600)) {
		p := gen.Program(gen.New(seed), c)
		if !p.Facts.Has(ir.Deps) {
			continue
		}
		programs++
		for _, f := range p.Cores {
			var before []*ir.Inst
			for b := range f.Insts {
				for _, d := range b.Deps {
					if !slices.Contains(before, d.On) {
						t.Fatalf("seed %d: %s waits for the later %s", seed, b.Name, d.On.Name)
					}
				}
				for _, a := range before {
					if conflict(a, b) && !slices.ContainsFunc(b.Deps, func(d ir.Dep) bool { return d.On == a }) {
						t.Fatalf("seed %d: no edge from %s to %s", seed, b.Name, a.Name)
					}
				}
				before = append(before, b)
			}
		}
	}
	if programs < count(100) {
		t.Errorf("%d programs have all edges", programs)
	}
}
