package gen

import (
	"fmt"
	"hash/fnv"
	"slices"

	"birfuzz/ir"
	"birfuzz/ir/num"
)

// Survey counts what programs are made of.
type Survey struct {
	Programs, Insts int
	Structures      int                           // different sequences of instructions and loops, whatever their operands
	Features        [NumFeatures]int              // programs that have the feature
	Pairs           [NumFeatures][NumFeatures]int // programs that have both; the first has the smaller number
	Rows            []Use                         // by ir.Op
	Named           [ir.NumParams][]int           // by setting of one of several names: occurrences of each

	seen    map[uint64]bool
	samples [][]*ir.Inst // by ir.Op: the first few
}

// maxSamples is how many instructions of each row are kept.
const maxSamples = 16

// Use counts the occurrences of one row of the op table.
type Use struct {
	Count   int
	Engines [ir.NumEngines]int // occurrences on each
	Types   [num.NumDTypes]int // operands in memory of each element type
}

// Draw draws a program as the function Program does, and counts it.
func (s *Survey) Draw(r *Rand, c Config) *ir.Program {
	p, t := drawn(r, &c)
	if s.seen == nil {
		s.seen, s.Rows, s.samples = map[uint64]bool{}, make([]Use, ir.NumOps()), make([][]*ir.Inst, ir.NumOps())
	}
	s.Programs++
	for f := range NumFeatures {
		if !t.has(f) {
			continue
		}
		s.Features[f]++
		for g := f + 1; g < NumFeatures; g++ {
			if t.has(g) {
				s.Pairs[f][g]++
			}
		}
	}
	for in := range p.Insts {
		s.count(in)
	}
	if h := structure(p); !s.seen[h] {
		s.seen[h] = true
		s.Structures++
	}
	return p
}

func (s *Survey) count(in *ir.Inst) {
	s.Insts++
	u := &s.Rows[in.Op]
	if u.Count++; u.Count <= maxSamples {
		s.samples[in.Op] = append(s.samples[in.Op], in)
	}
	u.Engines[in.Engine]++
	for i := range in.Args {
		if o := &in.Args[i]; o.IsAP() {
			u.Types[o.DType]++
		}
	}
	for _, id := range in.Spec().Params {
		if n := len(id.Spec().Names); n > 0 {
			if s.Named[id] == nil {
				s.Named[id] = make([]int, n)
			}
			s.Named[id][in.Int(id)]++
		}
	}
}

// structure returns a hash of which instructions follow each other, in which loops.
func structure(p *ir.Program) uint64 {
	h := fnv.New64a()
	var walk func(bs []*ir.Block)
	walk = func(bs []*ir.Block) {
		for _, b := range bs {
			_, _ = h.Write([]byte{255, 0})
			for _, in := range b.Insts {
				_, _ = h.Write([]byte{byte(in.Op)})
				if in.Loop != nil {
					walk(in.Loop.Blocks)
				}
			}
			_, _ = h.Write([]byte{255, 1})
		}
	}
	for _, f := range p.Cores {
		walk(f.Blocks)
	}
	return h.Sum64()
}

// Missing lists what no program has though some should: features and pairs of features that do not exclude each other, instructions that have a
// weight, on each engine and with each element type that they may have, and names of settings.
func (s *Survey) Missing() []string {
	var out []string
	for f := range NumFeatures {
		if s.Features[f] == 0 {
			out = append(out, "feature "+f.String())
		}
		for g := f + 1; g < NumFeatures; g++ {
			if s.Pairs[f][g] == 0 && !excluded(f, g) {
				out = append(out, fmt.Sprintf("features %v and %v", f, g))
			}
		}
	}
	for spec := range ir.Ops {
		if spec.Weight > 0 {
			out = s.missingOf(spec, out)
		}
	}
	return out
}

// missingOf adds what is missing of a row.
func (s *Survey) missingOf(spec *ir.Spec, out []string) []string {
	u := &s.Rows[spec.Op]
	if u.Count == 0 {
		return append(out, spec.Name)
	}
	var engines ir.EngineSet
	for _, set := range spec.Engines {
		engines |= set
	}
	for _, e := range engines.List() {
		if e != ir.ALL && u.Engines[e] == 0 {
			out = append(out, fmt.Sprintf("%s @%v", spec.Name, e))
		}
	}
	var types ir.DTypeSet
	for _, list := range [...][]ir.OperandSpec{spec.Outs, spec.Ins} {
		for i := range list {
			if list[i].Role != ir.Register && list[i].Role != ir.RegOrImm {
				types |= list[i].Types
			}
		}
	}
	for _, t := range types.List() {
		if u.Types[t] == 0 {
			out = append(out, fmt.Sprintf("%s with %v", spec.Name, t))
		}
	}
	for _, id := range spec.Params {
		for i, name := range id.Spec().Names {
			if s.Named[id][i] == 0 && s.possible(spec, id, int64(i)) {
				out = append(out, fmt.Sprintf("%s with %s=%s", spec.Name, id.Spec().Key, name))
			}
		}
	}
	return out
}

// possible tells whether an instruction like one that was drawn may have such a setting.
func (s *Survey) possible(spec *ir.Spec, id ir.ParamID, v int64) bool {
	if spec.Legal == nil {
		return true
	}
	return slices.ContainsFunc(s.samples[spec.Op], func(in *ir.Inst) bool {
		like := *in
		like.Params = slices.Clone(in.Params)
		like.SetInt(id, v)
		var faults ir.Complain
		spec.Legal(&like, &faults)
		return len(faults.List) == 0
	})
}

// excluded tells whether no program has both features, because of what one of them needs or is dropped for.
func excluded(f, g Feature) bool {
	both := withNeeds(f)
	both.join(withNeeds(g))
	forms := 0
	for _, m := range [...]Feature{TwoCores, Shards, CoreModule} {
		if both.has(m) {
			forms++
		}
	}
	return forms > 1 || both.has(Transfers) && both.meets(&onChip) || both.has(Shards) && both.has(Edges) || both.has(CoreModule) && both.has(OneCore)
}

// withNeeds returns a feature and all that it needs.
func withNeeds(f Feature) traits {
	t := needs[f]
	for g := range f {
		if t.has(g) {
			t.join(withNeeds(g))
		}
	}
	t.add(f)
	return t
}
